"""The pages of hints: cells to begin with, or first steps in one sentence each."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from nando.books.binder import Binder, Flow, Numbered, even, spread
from nando.books.pages.composition import in_symbols
from nando.generators.records import Record
from nando.puzzles import Puzzle

if TYPE_CHECKING:
    from nando.solvers.logic import Ladder, WalkthroughStep

ROW = 1.75
"""Height of a line of cells, as a multiple of the type."""
COLUMN = 7.6
"""Least width of a column of cells, as a multiple of the type."""


def hint_pages(binder: Binder) -> None:
    """Draw a hint for each puzzle that has one."""
    numbered = [item for _, items in binder.number_sections() for item in items]
    if binder.spec.include.hints == "cell":
        _cells(binder, [item for item in numbered if item.record.first_cell is not None])
    elif binder.spec.include.hints == "step":
        _steps(binder, numbered)


def _open_page(binder: Binder, title: str, meant: str) -> Flow:
    flow = Flow(binder, "hints", "hints", title)
    flow.paragraph(binder.named(meant, 9), colour=binder.style.grey)
    flow.skip(1.2 * binder.style.size)
    return flow


def _cells(binder: Binder, waiting: list[Numbered]) -> None:
    size = binder.style.size
    row, indent = ROW * size, 2.2 * size
    words = binder.words
    flow = _open_page(binder, words("labels.first_cells"), words("hints.first_cells"))
    columns = max(1, int(flow.sheet.width // (COLUMN * size)))
    on_page = even(len(waiting), columns * max(1, int((flow.sheet.bottom - flow.y) // row) + 1))
    while True:
        sheet = flow.sheet
        page, waiting = waiting[:on_page], waiting[on_page:]
        high, pitch = math.ceil(len(page) / columns), sheet.width / columns
        for i, (number, record) in enumerate(page):
            x, y = sheet.left + i // high * pitch, flow.y + i % high * row
            with sheet.tag("P"):
                sheet.text(x + indent, y, str(number), bold=True, align="end")
                name = words.first_cell(record)
                sheet.text(x + indent + 0.7 * size, y, binder.named(name, record.puzzle.shape[0]))
            sheet.link(x, y - size, pitch, row, f"puzzle-{number}")
        if not waiting:
            break
        flow.turn()


def _steps(binder: Binder, numbered: list[Numbered]) -> None:
    words, style = binder.words, binder.style
    size = style.scaled(0.94)
    indent = 2.6 * style.size
    flow = _open_page(binder, words("steps.title"), words("steps.meant"))
    hints = [(number, _hint(binder, record)) for number, record in numbered]
    width = flow.sheet.width - indent
    heights = [
        (1.35 * len(flow.sheet.break_lines(text, size, width)) + 0.55) * size for _, text in hints
    ]
    for i, count in enumerate(spread(heights, flow.sheet.bottom - flow.y + size)):
        if i:
            flow.turn()
        for number, text in hints[:count]:
            flow.sheet.text(flow.sheet.left, flow.y, str(number), size, bold=True)
            flow.sheet.link(flow.sheet.left, flow.y - size, indent, 1.4 * size, f"puzzle-{number}")
            flow.paragraph(text, size, indent=indent, leading=1.35)
            flow.skip(0.55 * size)
        hints = hints[count:]


def _hint(binder: Binder, record: Record) -> str:
    words = binder.words
    asked, symbols = binder.asked.get(record.puzzle), binder.spec.design.symbols
    text = hardest_step(record.puzzle, words.language, symbols, asked and asked.ladder)
    if not text and (begin := words.first_cell(record)):
        text = words("steps.begin", cell=begin)
    return binder.named(text or words("steps.singles"), record.puzzle.shape[0])


_LONG = 400
"""Characters of a sentence that is too long for a hint, which then gives the pattern alone."""


@lru_cache(maxsize=4096)
def hardest_step(
    puzzle: Puzzle, language: str = "en", symbols: str = "", ladder: "Ladder | None" = None
) -> str:
    """Describe the hardest step where a puzzle is hardest; empty if simple steps solve it.

    Steps of a puzzle with a ladder of its own are as hard as they are late on it.

    Of the stretches of steps without a new digit, the one with the hardest step is hardest, and
    among equals the longest.
    """
    from nando.solvers.logic import opens_paragraph, shorten
    from nando.solvers.logic.walkthrough import remembered_walk

    steps = shorten(remembered_walk(puzzle, ladder)).steps
    stretches = (
        list(stretch)
        for takes_thought, stretch in groupby(steps, key=lambda taken: opens_paragraph(taken.step))
        if takes_thought
    )

    def hardness(taken: "WalkthroughStep") -> float:
        return taken.step.rating if ladder is None else taken.place_in(ladder)

    def difficulty(stretch: "Sequence[WalkthroughStep]") -> tuple[float, float]:
        each = [hardness(taken) for taken in stretch]
        return max(each), sum(each)

    hardest: list[WalkthroughStep] = max(stretches, key=difficulty, default=[])
    if not hardest:
        return ""
    taken = max(hardest, key=hardness)
    taken = replace(taken, position=in_symbols(taken.position, symbols), language=language)
    sentence = taken.sentence()
    return sentence if len(sentence) <= _LONG else taken.sentence(2)
