"""Rules that are drawings in SudokuPad, read and drawn in the styles of its own tools.

SudokuPad stores cells, regions and cages; everything else is a line, an arrow or a shape. Its
converter from f-puzzles draws each rule in a style of its own, by colour, thickness and size. A
drawing in any other style is decoration or an unknown rule.
"""

from collections.abc import Callable, Iterable, Iterator
from math import floor, hypot
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats import rule_values
from nando.puzzles.variants.puzzle import Variant

KEYS = ("lines", "arrows", "overlays", "underlays")

Shape = dict[str, Any]


def _square(size: float, border: str, background: str, **more: Any) -> Shape:
    sides = {"width": size, "height": size}
    return {**sides, "borderColor": border, "backgroundColor": background, **more}


_GREY, _DARK, _BLUE, _BLACK, _WHITE = "#CFCFCF", "#A1A1A1", "#34BBE6", "#000000", "#FFFFFF"
# Each style stands for a rule: shapes in it are read, and the rule is drawn in it.
_THERMOMETER = {"color": _GREY, "thickness": 21}
_PALINDROME = {"color": _GREY, "thickness": 16}
_BETWEEN = {"color": _GREY, "thickness": 2}
_DIAGONAL = {"color": _BLUE, "thickness": 2}
_POINTER = {"color": _BLACK, "thickness": 2}
_ARROW = {"color": _DARK, "headLength": 0.3, "thickness": 5}
_BULB = _square(0.85, _GREY, _GREY, rounded=True)
_ODD = _square(0.7, _GREY, _GREY, rounded=True)
_EVEN = _square(0.7, _GREY, _GREY, rounded=False)
_DOT = _square(0.3, _BLACK, _WHITE, color=_BLACK, rounded=True, text="")
_DIGITS = _square(0.7, _BLACK, _WHITE, fontSize=14, rounded=True, text="")
_LETTER = _square(0.25, _WHITE, _WHITE, fontSize=21, rounded=False, text="")
_SANDWICH = _square(0.25, _WHITE, _WHITE, fontSize=32, rounded=False, text="")
_CIRCLE = _square(0.75, _DARK, _WHITE, rounded=True, thickness=5, fontSize=16, text="")
_ON_WHITE = {"borderColor": _WHITE, "backgroundColor": _WHITE}
_SUM = {"width": 0.25, "height": 0.25, "fontSize": 28, "rounded": False, "text": "", **_ON_WHITE}
_RING = {"borderColor": _GREY, "backgroundColor": _WHITE}
_END = {"width": 0.8, "height": 0.8, "rounded": True, "borderSize": 2, "fontSize": 16, **_RING}
_PALE = "rgba(207, 207, 207, 0.95)"
_SHADE = {"width": 1, "height": 1, "backgroundColor": _PALE, "rounded": False}


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


def _plain(value: Any) -> Any:
    """Return a colour as capitals without ``#``, a number as a float, and other values as bool."""
    if isinstance(value, bool) or value is None:
        return bool(value)
    if isinstance(value, int | float):
        return float(value)
    text = str(value).replace(" ", "").upper().removeprefix("#")
    return {"0": "000000", "F": "FFFFFF"}.get(text, text)


def _take(shapes: list[Shape], style: Shape, known_by: str = "color thickness") -> list[Shape]:
    """Remove the shapes of a style, known by some of its fields, from the drawings; return them."""
    wanted = {key: _plain(style[key]) for key in known_by.split()}

    def matches(shape: Shape) -> bool:
        return all(_plain(shape.get(key)) == value for key, value in wanted.items())

    taken = list(filter(matches, shapes))
    shapes[:] = [shape for shape in shapes if not matches(shape)]
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
    shaded = _take(shapes, _SHADE, "width backgroundColor")
    if any(_cell(shape["center"]) not in extra for shape in shaded):
        others.append("shaded cells")
    for rule, style in ((rules.Odd, _ODD), (rules.Even, _EVEN)):
        if marked := _take(shapes, style, "width backgroundColor rounded"):
            yield rule(_cells(shape["center"] for shape in marked))


def _thermometers(drawings: dict[str, list[Shape]], others: list[str]) -> Iterator[Rule]:
    bulbs = _take(drawings["underlays"], _BULB, "width backgroundColor rounded")
    lines = _take(drawings["lines"], _THERMOMETER)
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
    rings = _take(drawings["overlays"], _END, "width borderColor backgroundColor rounded")
    circles = set(_cells(ring["center"] for ring in rings))
    lines = _take(drawings["lines"], _BETWEEN)
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
    for line in _take(drawings["lines"], _PALINDROME):
        yield rules.Palindrome(_cells(line["wayPoints"]))
    size = board.digits
    corners = {
        frozenset({(0, 0), (size, size)}): "falling",
        frozenset({(0, size), (size, 0)}): "rising",
    }
    blue = _take(drawings["lines"], _DIAGONAL)
    ends = [frozenset(map(tuple, line["wayPoints"])) for line in blue]
    if any(pair not in corners for pair in ends):
        others.append("a blue line that is not a diagonal")
    which = {corners.get(pair, "") for pair in ends}
    yield from rule_values.diagonals(rising="rising" in which, falling="falling" in which)


# Arrows


def _arrows(drawings: dict[str, list[Shape]], board: Board, others: list[str]) -> Iterator[Rule]:
    yield from _little_killers(drawings, board, others)
    arrows = _take(drawings["arrows"], _ARROW)
    bulbs = _take(drawings["overlays"], _CIRCLE, "borderColor backgroundColor rounded")
    circles = [_pill(bulb) for bulb in bulbs]
    used: set[Cells] = set()
    for arrow in arrows:
        start, *shaft = _cells(arrow["wayPoints"])
        cells = next((cells for cells in circles if start in cells), None)
        if cells is None:
            others.append("an arrow without a circle")
            continue
        used.add(cells)
        yield rules.Arrow(cells, tuple(shaft))
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
    arrows = _take(drawings["arrows"], _POINTER)
    texts = _take(drawings["overlays"], _SUM, "width fontSize")
    sums = {_cell(text["center"]): text.get("text") for text in texts}
    for arrow in arrows:
        (r, c), (s, d) = arrow["wayPoints"]
        place = _cell((r, c))
        if place not in sums:
            others.append("a little killer without its sum")
            continue
        step = (1 if s > r else -1, 1 if d > c else -1)
        yield rules.LittleKiller(
            rule_values.diagonal_from(place, step, board), rule_values.number_of(sums[place])
        )
    if set(sums) - {_cell(arrow["wayPoints"][0]) for arrow in arrows}:
        others.append("a number without an arrow")


# Above the lines

_DOTS: dict[str, Callable[..., Rule]] = {"FFFFFF": rules.Difference, "000000": rules.Ratio}
"""Rules of dots with a number, by their colour."""


def _overlays(drawings: dict[str, list[Shape]], board: Board, others: list[str]) -> Iterator[Rule]:
    shapes = drawings["overlays"]
    dots: dict[tuple[str, str], list[Cells]] = {}
    for shape in _take(shapes, _DOT, "width borderColor rounded"):
        pair, text = _around(shape["center"]), str(shape.get("text") or "").strip()
        colour = _plain(shape.get("backgroundColor"))
        if colour not in _DOTS or len(pair) != 2:
            others.append("a dot of another colour or place")
            continue
        dots.setdefault((colour, text), []).append(pair)
    white, black = (tuple(dots.pop((colour, ""), ())) for colour in _DOTS)
    if white or black:
        yield rules.Kropki(white, black)
    for (colour, text), pairs in dots.items():
        yield _DOTS[colour](tuple(pairs), rule_values.number_of(text))

    letters: dict[str, list[Cells]] = {"X": [], "V": []}
    for shape in list(shapes):
        letter = str(shape.get("text")).upper()
        if letter in letters and len(pair := _around(shape["center"])) == 2:
            letters[letter].append(pair)
            shapes.remove(shape)
    if letters["X"] or letters["V"]:
        yield rules.XV(tuple(letters["X"]), tuple(letters["V"]))

    for shape in _take(shapes, _DIGITS, "width borderColor rounded"):
        digits = tuple(map(rule_values.number_of, str(shape.get("text") or "").split()))
        yield rules.Quadruple(_around(shape["center"]), digits)

    for shape in _take(shapes, _SANDWICH, "backgroundColor fontSize"):
        yield rules.Sandwich(
            rule_values.line_at(_cell(shape["center"]), board.digits),
            rule_values.number_of(shape["text"]),
        )


# Drawing


def value_of(puzzle: Variant) -> Shape:
    """Return the JSON of a puzzle of one grid; ValueError for rules that it cannot hold."""
    size = puzzle.size
    regions, others = rule_values.regions_of(puzzle)
    cells = [{"value": value} if value else {} for value in puzzle.givens.tolist()]
    value: Shape = {
        "cellSize": 50,
        "cells": [cells[i : i + size] for i in range(0, size**2, size)],
        "regions": [list(map(list, region)) for region in regions],
        "cages": [],
        **{key: [] for key in KEYS},
        "metadata": {"title": "Sudoku", "rules": ["Normal sudoku rules apply."]},
    }
    rule_values.write_rules(others, lambda rule: _draw(rule, value, size), "sudokupad")
    return value


def _draw(rule: Any, value: Shape, size: int) -> None:
    """Add the drawing of a rule to the JSON of a puzzle."""
    if getattr(rule, "all_given", False):
        raise rule_values.UnheldRule
    under, over, lines = value["underlays"], value["overlays"], value["lines"]
    match rule:
        case rules.Diagonals():
            _draw_diagonals(rule, value, size)
        case rules.ExtraRegion():
            under += [_shape(_SHADE, cell) for cell in rule.cells]
            value["cages"].append({"cells": list(map(list, rule.cells))})
        case rules.AntiKnight() | rules.AntiKing():
            value["metadata"][rule.name.replace("-", "")] = True
        case rules.Cage() if rule.total is not None or not rule.repeats:
            total = {} if rule.total is None else {"value": str(rule.total), "sum": rule.total}
            cells = list(map(list, rule.cells))
            value["cages"].append({"cells": cells, "unique": not rule.repeats, **total})
        case rules.LittleKiller() if start := rule_values.start_of(rule, size):
            _draw_little_killer(rule.total, *start, value)
        case rules.Sandwich():
            place = rule_values.place_before(rule.line, size)
            over.append(_shape(_SANDWICH, place, text=str(rule.number)))
        case rules.Kropki():
            over += _dots(rule.white, _WHITE)
            over += _dots(rule.black, _BLACK)
        case rules.Consecutive():
            over += _dots(rule.marks, _WHITE)
        case rules.Difference():
            over += _dots(rule.marks, _WHITE, str(rule.value))
        case rules.Ratio():
            over += _dots(rule.marks, _BLACK, str(rule.value))
        case rules.XV():
            for letter, pairs in (("X", rule.x), ("V", rule.v)):
                over += [_shape(_LETTER, *pair, text=letter) for pair in pairs]
        case rules.Quadruple():
            over.append(_shape(_DIGITS, *rule.cells, text=" ".join(map(str, rule.digits))))
        case rules.Thermometer(slow=False):
            under.append(_shape(_BULB, rule.cells[0]))
            lines.append(_line(_THERMOMETER, _points(rule.cells)))
        case rules.Palindrome():
            lines.append(_line(_PALINDROME, _points(rule.cells)))
        case rules.Between():
            _draw_between(rule, value)
        case rules.Arrow():
            _draw_arrow(rule, value)
        case rules.Odd():
            under += [_shape(_ODD, cell) for cell in rule.cells]
        case rules.Even():
            under += [_shape(_EVEN, cell) for cell in rule.cells]
        case _:
            raise rule_values.UnheldRule


def _draw_diagonals(rule: rules.Diagonals, value: Shape, size: int) -> None:
    if rule.which != "falling":
        value["lines"].append(_line(_DIAGONAL, [[0, size], [size, 0]]))
    if rule.which != "rising":
        value["lines"].append(_line(_DIAGONAL, [[0, 0], [size, size]]))


def _draw_little_killer(total: int, place: Cell, step: tuple[int, int], value: Shape) -> None:
    row, column = _centre(place)
    points = [[row + d * step[0], column + d * step[1]] for d in (0.3, 0.48)]
    value["arrows"].append(_line(_POINTER, points))
    value["overlays"].append(_shape(_SUM, place, text=str(total)))


def _draw_between(rule: rules.Between, value: Shape) -> None:
    value["overlays"] += [_shape(_END, rule.cells[end]) for end in (0, -1)]
    points = _points(rule.cells)
    points[0], points[-1] = (
        _towards(points[0], points[1], 0.4),
        _towards(points[-1], points[-2], 0.4),
    )
    value["lines"].append(_line(_BETWEEN, points))


def _draw_arrow(rule: rules.Arrow, value: Shape) -> None:
    rows, columns = ({cell[side] for cell in rule.circle} for side in (0, 1))
    height, width = len(rows), len(columns)
    if min(height, width) != 1:
        raise rule_values.UnheldRule
    points = _points(rule_values.line_of(rule))
    points[0] = _towards(points[0], points[1], 0.3)
    value["arrows"].append(_line(_ARROW, points))
    bulb = _shape(_CIRCLE, *rule.circle, width=width - 0.25, height=height - 0.25)
    if bulb not in value["overlays"]:
        value["overlays"].append(bulb)


def _centre(*cells: Cell) -> list[float]:
    """Return the middle of cells."""
    return [sum(side) / len(cells) + 0.5 for side in zip(*cells, strict=True)]


def _points(cells: Cells) -> list[list[float]]:
    return [_centre(cell) for cell in cells]


def _towards(start: list[float], end: list[float], distance: float) -> list[float]:
    """Return a point at a distance from the start, to a tenth."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    sides = zip(start, end, strict=True)
    return [a + round(10 * distance * ((b > a) - (b < a)) / length) / 10 for a, b in sides]


def _shape(style: Shape, *cells: Cell, **more: Any) -> Shape:
    return {"center": _centre(*cells), **style, **more}


def _line(style: Shape, points: list[list[float]]) -> Shape:
    return {**style, "wayPoints": points}


def _dots(pairs: Iterable[Cells], colour: str, text: str = "") -> Iterator[Shape]:
    for pair in pairs:
        ink = _WHITE if colour == _BLACK else _BLACK
        dot = _shape(_DOT, *pair, backgroundColor=colour, color=ink, text=text)
        yield dot if text else {key: field for key, field in dot.items() if key != "color"}
