"""The rules of each kind, with a solved puzzle and a first step."""

from nando.books.kinds import KINDS, BookKind, kind_of
from nando.books.layout.binder import Binder, Numbered
from nando.books.layout.flow import Flow
from nando.books.layout.style import LEADING
from nando.books.pages.variant_rules import set_figures, variant_rules
from nando.drawing.boards import board
from nando.drawing.shapes import Marks

LARGEST_CELL = 26.0
GAP = 2.4
"""Gap between the puzzle and its solution, as a multiple of the type."""


def rules_pages(binder: Binder) -> None:
    """Draw a page for each kind of puzzle in the book."""
    if not binder.spec.include.rules:
        return
    kinds: dict[str, list[Numbered]] = {}
    for _, numbered in binder.numbered():
        for item in numbered:
            kinds.setdefault(kind_of(item.record.puzzle), []).append(item)
    for name, items in kinds.items():
        if name in KINDS:
            _rules(binder, name, KINDS[name])
        elif items[0].record.puzzle.kind == "variant":
            variant_rules(binder, name, items)


def _rules(binder: Binder, name: str, kind: BookKind) -> None:
    words, size = binder.words, binder.style.size
    title = words(f"rules.{kind.rules}.title", kind=words.kind(name))
    flow = Flow(binder, "rules", f"rules-{name}", title)
    symbols = words(f"rules.{kind.rules}.symbols.{name}") if kind.puzzle == "sudoku" else ""
    for text in words.paragraphs(f"rules.{kind.rules}.text", symbols=symbols):
        flow.paragraph(text)
        flow.skip(0.4 * size)
    if binder.spec.design.large_print:
        _large(flow, kind)
        return
    cell = _cell(flow, kind)
    if cell < size:  # the figures need a page of their own
        flow.turn()
        cell = _cell(flow, kind)
    flow.skip(1.2 * size)
    _pair(flow, kind, cell)
    if kind.first_step is not None:
        _step(flow, kind, cell)


def _large(flow: Flow, kind: BookKind) -> None:
    """Draw the figures of large print one by one."""
    words, style = flow.binder.words, flow.style
    look = style.grid(LARGEST_CELL)
    figures = [
        (words("labels.example"), board(kind.example, look)),
        (words("labels.example_solved"), board(kind.example, look, kind.solution)),
    ]
    if kind.first_step is not None:
        step = kind.first_step(look, Marks(style.tint, style.accent))
        figures.append((words("labels.step"), step))
    flow.skip(1.2 * style.size)
    set_figures(flow, figures)
    if kind.first_step is not None:
        flow.paragraph(words(f"rules.{kind.rules}.step", **kind.said))


def _cell(flow: Flow, kind: BookKind) -> float:
    """Return the largest side of a cell with which all figures fit on the rest of the page."""
    sheet, size = flow.sheet, flow.style.size
    rows, columns = kind.example.shape
    cell = min((sheet.width - GAP * size) / 2 / columns, LARGEST_CELL)
    n_rows = 1 if kind.first_step is None else 2
    return min(cell, (sheet.bottom - flow.y - 4 * n_rows * size) / n_rows / rows)


def _pair(flow: Flow, kind: BookKind, cell: float) -> None:
    """Draw a puzzle and its solution, side by side."""
    words, style, sheet = flow.binder.words, flow.style, flow.sheet
    rows, columns = kind.example.shape
    labels = words("labels.example"), words("labels.example_solved")
    top = flow.y + 0.7 * style.size
    for i, (label, solution) in enumerate(zip(labels, ("", kind.solution), strict=True)):
        x = sheet.left if not i else sheet.right - columns * cell
        sheet.text(x, flow.y, label, style.small, bold=True)
        picture = board(kind.example, style.grid(cell), solution)
        sheet.place(picture, x, top, cell, alternative=label)
    flow.y = top + rows * cell + 2.6 * style.size


def _step(flow: Flow, kind: BookKind, cell: float) -> None:
    """Draw a first step: a picture and its explanation."""
    words, style, sheet = flow.binder.words, flow.style, flow.sheet
    assert kind.first_step is not None
    picture = kind.first_step(style.grid(cell), Marks(style.tint, style.accent))
    sheet.text(sheet.left, flow.y, words("labels.step"), style.small, bold=True)
    top = flow.y + 0.7 * style.size
    sheet.place(picture, sheet.left, top, cell, alternative=words("labels.step"))
    x = sheet.left + picture.width * cell + 1.8 * style.size
    text = words(f"rules.{kind.rules}.step", **kind.said)
    height = picture.height * cell
    n_lines = len(sheet.broken(text, style.size, sheet.right - x))
    if n_lines * LEADING * style.size <= height:
        sheet.paragraph(x, top + style.size, text, sheet.right - x)
    else:
        flow.y = top + height + 1.8 * style.size
        flow.paragraph(text)
