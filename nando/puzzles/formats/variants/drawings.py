"""Rules that are drawings in SudokuPad, by the styles in which its own tools draw them.

SudokuPad stores cells, regions and cages; everything else is a line, an arrow or a shape. Its
converter from f-puzzles draws each rule in a style of its own, by colour, thickness and size. A
drawing in any other style is decoration or an unknown rule.
"""

from collections.abc import Iterator
from math import floor
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.variants.values import (
    diagonal_from,
    diagonals,
    line_at,
    number_of,
)

GREY, ARROW, BLUE, REGION = "CFCFCF", "A1A1A1", "34BBE6", "RGBA(207,207,207,0.95)"
BLACK, WHITE = "000000", "FFFFFF"
KEYS = ("lines", "arrows", "overlays", "underlays")

Shape = dict[str, Any]


def rules_of(
    value: dict[str, Any], board: Board, extra: set[Cell], others: list[str]
) -> Iterator[Rule]:
    """Yield the rules that are drawn, and add to `others` what else is drawn.

    Parameters
    ----------
    value : dict
        The JSON of a puzzle.
    board : Board
    extra : set of Cell
        Cells of extra regions, which are shaded.
    others : list of str
    """
    drawings = {key: list(value.get(key) or []) for key in KEYS}
    yield from _underlays(drawings, extra, others)
    yield from _thermometers(drawings, others)
    yield from _betweens(drawings, others)
    yield from _lines(drawings, board, others)
    yield from _arrows(drawings, board, others)
    yield from _overlays(drawings, board, others)
    for key, left in drawings.items():
        if left:
            others.append(f"{key} that nando does not know as the drawing of a rule")


def style(shape: Shape, *keys: str) -> tuple[Any, ...]:
    """Return some values of a shape: colours as capitals without ``#``, numbers as floats."""
    return tuple(_plain(shape.get(key)) for key in keys)


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return bool(value)
    if isinstance(value, int | float):
        return float(value)
    text = str(value).replace(" ", "").upper().removeprefix("#")
    return {"0": BLACK, "F": WHITE}.get(text, text)


def _taken(drawings: list[Shape], matches: Any) -> list[Shape]:
    """Remove the shapes that match from the drawings, and return them."""
    taken = [shape for shape in drawings if matches(shape)]
    drawings[:] = [shape for shape in drawings if not matches(shape)]
    return taken


def _cell(point: Any) -> Cell:
    """Return the cell in which a point lies."""
    row, column = point
    if not (abs(row) < 100 and abs(column) < 100):
        raise ValueError("a point far from the board")
    return Cell(floor(row), floor(column))


def _cells(points: Any) -> Cells:
    return tuple(map(_cell, points))


def _around(point: Any) -> Cells:
    """Return the cells that meet at a point: one, two or four."""
    row, column = (round(2 * float(side)) for side in point)
    rows = (row // 2,) if row % 2 else (row // 2 - 1, row // 2)
    columns = (column // 2,) if column % 2 else (column // 2 - 1, column // 2)
    return tuple(Cell(r, c) for r in rows for c in columns)


# Below the lines


def _underlays(
    drawings: dict[str, list[Shape]], extra: set[Cell], others: list[str]
) -> Iterator[Rule]:
    shapes = drawings["underlays"]
    shaded = _taken(shapes, lambda s: style(s, "backgroundColor", "width") == (REGION, 1.0))
    if any(_cell(shape["center"]) not in extra for shape in shaded):
        others.append("shaded cells")
    for rule, rounded in ((rules.Odd, True), (rules.Even, False)):
        marked = _taken(
            shapes,
            lambda s, rounded=rounded: (
                style(s, "backgroundColor", "rounded", "width") == (GREY, rounded, 0.7)
            ),
        )
        if marked:
            yield rule(_cells(shape["center"] for shape in marked))


def _thermometers(drawings: dict[str, list[Shape]], others: list[str]) -> Iterator[Rule]:
    bulbs = _taken(
        drawings["underlays"],
        lambda s: style(s, "backgroundColor", "rounded", "width") == (GREY, True, 0.85),
    )
    lines = _taken(drawings["lines"], lambda s: style(s, "color", "thickness") == (GREY, 21.0))
    starts = set(_cells(bulb["center"] for bulb in bulbs))
    for line in lines:
        cells = _cells(line["wayPoints"])
        if cells[0] in starts:
            yield rules.Thermometer(cells)
        else:
            others.append("a thermometer without a bulb")
    if starts - {_cell(line["wayPoints"][0]) for line in lines}:
        others.append("a bulb without a thermometer")


# Lines


def _betweens(drawings: dict[str, list[Shape]], others: list[str]) -> Iterator[Rule]:
    ends = _taken(
        drawings["overlays"],
        lambda s: (
            style(s, "borderColor", "backgroundColor", "rounded", "width")
            == (GREY, WHITE, True, 0.8)
        ),
    )
    lines = _taken(drawings["lines"], lambda s: style(s, "color", "thickness") == (GREY, 2.0))
    circles = set(_cells(end["center"] for end in ends))
    used: set[Cell] = set()
    for line in lines:
        cells = _cells(line["wayPoints"])
        ends_of_line = {cells[0], cells[-1]}
        if ends_of_line <= circles:
            used |= ends_of_line
            yield rules.Between(cells)
        else:
            others.append("a line without circles at its ends")
    if used != circles:
        others.append("a circle without a line")


def _lines(drawings: dict[str, list[Shape]], board: Board, others: list[str]) -> Iterator[Rule]:
    grey = _taken(drawings["lines"], lambda s: style(s, "color", "thickness") == (GREY, 16.0))
    for line in grey:
        yield rules.Palindrome(_cells(line["wayPoints"]))
    size = board.digits
    corners = {
        frozenset({(0, 0), (size, size)}): "falling",
        frozenset({(0, size), (size, 0)}): "rising",
    }
    blue = _taken(drawings["lines"], lambda s: style(s, "color", "thickness") == (BLUE, 2.0))
    ends = [frozenset(map(tuple, line["wayPoints"])) for line in blue]
    if any(pair not in corners for pair in ends):
        others.append("a blue line that is not a diagonal")
    which = {corners.get(pair, "") for pair in ends}
    yield from diagonals(rising="rising" in which, falling="falling" in which)


# Arrows


def _arrows(drawings: dict[str, list[Shape]], board: Board, others: list[str]) -> Iterator[Rule]:
    yield from _little_killers(drawings, board, others)
    arrows = _taken(drawings["arrows"], lambda s: style(s, "color", "thickness") == (ARROW, 5.0))
    bulbs = _taken(
        drawings["overlays"],
        lambda s: style(s, "borderColor", "backgroundColor", "rounded") == (ARROW, WHITE, True),
    )
    circles = [_pill(bulb) for bulb in bulbs]
    used: set[Cells] = set()
    for arrow in arrows:
        start, *shaft = _cells(arrow["wayPoints"])
        circle = next((cells for cells in circles if start in cells), None)
        if circle is None:
            others.append("an arrow without a circle")
            continue
        used.add(circle)
        yield rules.Arrow(circle, tuple(shaft))
    if used != set(circles):
        others.append("a circle without an arrow")


def _pill(bulb: Shape) -> Cells:
    """Return the cells of a circle or of a straight pill."""
    row, column = (float(side) for side in bulb["center"])
    height, width = (round(float(bulb[key]) + 0.25) for key in ("height", "width"))
    if min(height, width) != 1 or max(height, width) > 3:
        raise ValueError("a circle of another size")
    top, left = floor(row - (height - 1) / 2), floor(column - (width - 1) / 2)
    return tuple(Cell(top + i, left + j) for i in range(height) for j in range(width))


def _little_killers(
    drawings: dict[str, list[Shape]], board: Board, others: list[str]
) -> Iterator[Rule]:
    arrows = _taken(drawings["arrows"], lambda s: style(s, "color", "thickness") == (BLACK, 2.0))
    texts = _taken(drawings["overlays"], lambda s: style(s, "fontSize", "width") == (28.0, 0.25))
    sums = {_cell(text["center"]): text.get("text") for text in texts}
    for arrow in arrows:
        (r, c), (s, d) = arrow["wayPoints"]
        place = _cell((r, c))
        if place not in sums:
            others.append("a little killer without its sum")
            continue
        step = (1 if s > r else -1, 1 if d > c else -1)
        yield rules.LittleKiller(diagonal_from(place, step, board), number_of(sums[place]))
    if set(sums) - {_cell(arrow["wayPoints"][0]) for arrow in arrows}:
        others.append("a number without an arrow")


# Above the lines


def _overlays(drawings: dict[str, list[Shape]], board: Board, others: list[str]) -> Iterator[Rule]:
    shapes = drawings["overlays"]
    dots: dict[tuple[str, str], list[Cells]] = {}
    for shape in _taken(
        shapes, lambda s: style(s, "borderColor", "rounded", "width") == (BLACK, True, 0.3)
    ):
        pair, text = _around(shape["center"]), str(shape.get("text") or "").strip()
        (colour,) = style(shape, "backgroundColor")
        if colour not in (WHITE, BLACK) or len(pair) != 2:
            others.append("a dot of another colour or place")
            continue
        dots.setdefault((colour, text), []).append(pair)
    white, black = (tuple(dots.pop((colour, ""), ())) for colour in (WHITE, BLACK))
    if white or black:
        yield rules.Kropki(white, black)
    for (colour, text), pairs in dots.items():
        yield (rules.Difference if colour == WHITE else rules.Ratio)(tuple(pairs), number_of(text))

    letters: dict[str, list[Cells]] = {"X": [], "V": []}
    for shape in _taken(
        shapes, lambda s: str(s.get("text")).upper() in letters and len(_around(s["center"])) == 2
    ):
        letters[str(shape["text"]).upper()].append(_around(shape["center"]))
    if letters["X"] or letters["V"]:
        yield rules.XV(tuple(letters["X"]), tuple(letters["V"]))

    for shape in _taken(
        shapes, lambda s: style(s, "borderColor", "rounded", "width") == (BLACK, True, 0.7)
    ):
        digits = tuple(map(number_of, str(shape.get("text") or "").split()))
        yield rules.Quadruple(_around(shape["center"]), digits)

    for shape in _taken(shapes, lambda s: style(s, "fontSize", "backgroundColor") == (32.0, WHITE)):
        yield rules.Sandwich(
            line_at(_cell(shape["center"]), board.digits), number_of(shape["text"])
        )
