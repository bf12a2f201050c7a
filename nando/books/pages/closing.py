"""The page that says how the puzzles were made, or how to make them again."""

from collections.abc import Sequence

import nando
from nando.books.language import dotted, ranges
from nando.books.layout.binder import Binder
from nando.books.layout.flow import Flow
from nando.books.spec import SEEDS
from nando.generators.records import Record


def closing_pages(binder: Binder) -> None:
    """Name the program and the typeface, and list the seeds and models if requested."""
    if not binder.spec.include.closing:
        return
    words, style = binder.words, binder.style
    with_seeds = binder.spec.include.closing == SEEDS
    flow = Flow(binder, "closing", "closing", words("closing.title"))
    for text in (
        words("closing.made", version=nando.__version__),
        *([words("closing.again")] if with_seeds else ()),
        words("closing.typeface", typeface=style.typeface.name),
    ):
        flow.paragraph(text)
        flow.skip(0.4 * style.size)
    if not with_seeds:
        return
    flow.skip(1.2 * style.size)
    for section, numbered in binder.numbered():
        first, last = numbered[0].number, numbered[-1].number
        flow.make_room(1.4 * style.small)
        flow.paragraph(f"{section.title}, {words.between(first, last)}", style.small, bold=True)
        flow.paragraph(_made(binder, section.records), style.small, colour=style.grey)
        flow.skip(0.7 * style.small)


def _made(binder: Binder, records: Sequence[Record]) -> str:
    words = binder.words
    seeds = sorted({record.seed for record in records})
    models = sorted({record.model_id for record in records} - {""})
    return dotted(
        f"{words('closing.seed')} {', '.join(map(str, seeds))}",
        f"{words('labels.number')} {ranges(sorted({r.index + 1 for r in records}))}",
        f"{words('closing.model')} {', '.join(models)}" if models else "",
    )
