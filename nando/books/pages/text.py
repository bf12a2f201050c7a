"""Pages of free text, for example a preface or a dedication."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from nando.books.binder import Binder, Flow
from nando.books.free_text import Block, Word, blocks_of
from nando.books.language import pieces
from nando.books.right_to_left import starts_right
from nando.books.sheet import LEADING, Sheet
from nando.books.spec import TextPage

_INDENT, _BETWEEN = 1.6, 0.5
"""Indentation of list items, and gap between blocks, as multiples of the type."""


def text_pages(binder: Binder, before: str) -> None:
    """Draw the pages of free text that come before a place of `PLACES` or a part."""
    for i, page in enumerate(binder.spec.pages):
        if page.before == before and page.centred:
            _draw_centred(binder, page)
        elif page.before == before:
            _running(binder, page, f"text-{i + 1}")


def _running(binder: Binder, page: TextPage, name: str) -> None:
    """Draw a text from the top, below its first heading."""
    blocks = blocks_of(page.text)
    title = blocks[0].plain if blocks[0].level == 1 else ""
    flow = Flow(binder, "text", name, title)
    style = binder.style
    for block in blocks[bool(title) :]:
        size = _size(binder, block)
        if block.level < 0:
            flow.make_room(style.size)
            flow.sheet.rule(flow.y - 0.3 * style.size, 0.5, style.rule)
            flow.skip(1.2 * style.size)
            continue
        if block.level:
            flow.skip(0.6 * style.size)
            flow.make_room(3 * LEADING * style.size)  # not the last line of a page
        indent = _INDENT * style.size if block.mark else 0.0
        lines = list(_wrap(flow.sheet, block, size, flow.sheet.width - indent))
        from_right, inset = starts_right(block.plain), 0.3 * style.size
        for i, line in enumerate(lines):
            flow.make_room(0.0)
            sheet = flow.sheet
            begin, mark, align = sheet.left + indent, sheet.left + inset, "start"
            if from_right:
                begin = sheet.right - indent - _width(sheet, line, size)
                mark, align = sheet.right - inset, "end"
            with sheet.tag("H2" if block.level else "P"):
                if block.mark and not i:
                    sheet.text(mark, flow.y, block.mark, size, align=align)
                _set(sheet, begin, flow.y, line, size)
            flow.skip(LEADING * size)
        flow.skip(_BETWEEN * style.size)


def _draw_centred(binder: Binder, page: TextPage) -> None:
    """Draw a text in the middle of a right-hand page."""
    binder.to_right()
    sheet, style = binder.sheet("text"), binder.style
    lines: list[tuple[Sequence[Word], float]] = []
    for block in blocks_of(page.text):
        size = _size(binder, block)
        lines += [(line, size) for line in _wrap(sheet, block, size, 0.8 * sheet.width)]
        lines.append(((), 0.8 * style.size))
    y = (sheet.top + sheet.bottom) / 2 - LEADING * sum(size for _, size in lines) / 2
    for line, size in lines:
        y += LEADING * size
        width = sum(sheet.measure(text, size, bold=bold) for text, bold in line)
        with sheet.tag("P"):
            _set(sheet, (sheet.left + sheet.right - width) / 2, y, line, size)


def _size(binder: Binder, block: Block) -> float:
    share = {1: 1.5, 2: 1.2}.get(block.level, 1.0)
    return binder.style.scaled(share)


def _set(sheet: Sheet, x: float, y: float, line: Sequence[Word], size: float) -> None:
    from_right = starts_right("".join(text for text, _ in line))
    for text, bold in line[::-1] if from_right else line:
        x += sheet.text(x, y, text, size, bold=bold)


def _wrap(sheet: Sheet, block: Block, size: float, width: float) -> Iterator[Sequence[Word]]:
    """Yield the lines of a block that fit into a width; headings are bold."""
    for part in block.lines:
        waiting = [(char, bold or block.level > 0) for text, bold in part for char in text]
        line = list[Word]()
        for piece in pieces("".join(char for char, _ in waiting)):
            new, waiting = waiting[: len(piece)], waiting[len(piece) :]
            if line and _width(sheet, [*line, *new], size) > width:
                yield _join(line)
                line = []
            line += new
        yield _join(line)


def _width(sheet: Sheet, characters: Sequence[Word], size: float) -> float:
    return sum(sheet.measure(text, size, bold=bold) for text, bold in _join(characters))


def _join(characters: Sequence[Word]) -> list[Word]:
    """Join characters to runs of one weight, without spaces at the end."""
    end = len(characters)
    while end and characters[end - 1][0] == " ":
        end -= 1
    return [
        ("".join(char for char, _ in run), bold)
        for bold, run in groupby(characters[:end], key=lambda word: word[1])
    ]
