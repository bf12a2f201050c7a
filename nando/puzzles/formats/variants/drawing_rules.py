"""Drawing rules for SudokuPad in the styles that `drawings` reads."""

from collections.abc import Callable
from math import hypot
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import cannot_hold
from nando.puzzles.formats.variants.drawings import ARROW, BLACK, BLUE, GREY, KEYS, WHITE
from nando.puzzles.formats.variants.values import line_of, place_before, regions_of, start_of
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "sudokupad"

Value = dict[str, Any]


def value_of(puzzle: Variant) -> Value:
    """Return the JSON of a puzzle of one grid; ValueError for rules that it cannot hold."""
    size = puzzle.size
    regions, others = regions_of(puzzle)
    cells = [{"value": value} if value else {} for value in puzzle.givens.tolist()]
    value: Value = {
        "cellSize": 50,
        "cells": [cells[i : i + size] for i in range(0, size**2, size)],
        "regions": [list(map(list, region)) for region in regions],
        "cages": [],
        **{key: [] for key in KEYS},
        "metadata": {"title": "Sudoku", "rules": ["Normal sudoku rules apply."]},
    }
    unheld = []
    for rule in others:
        if type(rule) in _WRITERS and not getattr(rule, "all_given", False):
            _WRITERS[type(rule)](rule, value, size)
        else:
            unheld.append(rule)
    if unheld:
        raise cannot_hold(PROGRAM, unheld)
    return value


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


def _shape(cells: Cells, size: float, **more: Any) -> Value:
    return {"center": _centre(*cells), "width": size, "height": size, **more}


def _colour(code: str) -> str:
    return f"#{code}"


def _cage(rule: rules.Cage, value: Value, _: int) -> None:
    cage: Value = {"cells": list(map(list, rule.cells)), "unique": not rule.repeats}
    if rule.total is not None:
        cage |= {"value": str(rule.total), "sum": rule.total}
    elif rule.repeats:
        raise cannot_hold(PROGRAM, [rule])
    value["cages"].append(cage)


def _extra_region(rule: rules.ExtraRegion, value: Value, _: int) -> None:
    for cell in rule.cells:
        shade = "rgba(207, 207, 207, 0.95)"
        value["underlays"].append(_shape((cell,), 1, backgroundColor=shade, rounded=False))
    value["cages"].append({"cells": list(map(list, rule.cells))})


def _flag(key: str) -> Callable[[Any, Value, int], None]:
    def write(_: Any, value: Value, __: int) -> None:
        value["metadata"][key] = True

    return write


def _marked(*, rounded: bool) -> Callable[[Any, Value, int], None]:
    def write(rule: Any, value: Value, _: int) -> None:
        colours = {"borderColor": _colour(GREY), "backgroundColor": _colour(GREY)}
        for cell in rule.cells:
            value["underlays"].append(_shape((cell,), 0.7, **colours, rounded=rounded))

    return write


def _line(cells: Cells, thickness: int) -> Value:
    return {"color": _colour(GREY), "thickness": thickness, "wayPoints": _points(cells)}


def _thermometer(rule: rules.Thermometer, value: Value, _: int) -> None:
    if rule.slow:
        raise cannot_hold(PROGRAM, [rule])
    colours = {"borderColor": _colour(GREY), "backgroundColor": _colour(GREY)}
    value["underlays"].append(_shape(rule.cells[:1], 0.85, **colours, rounded=True))
    value["lines"].append(_line(rule.cells, 21))


def _palindrome(rule: rules.Palindrome, value: Value, _: int) -> None:
    value["lines"].append(_line(rule.cells, 16))


def _between(rule: rules.Between, value: Value, _: int) -> None:
    line = _line(rule.cells, 2)
    points = line["wayPoints"]
    for end in (0, -1):
        circle = _shape((rule.cells[end],), 0.8, rounded=True, borderSize=2, fontSize=16)
        colours = {"borderColor": _colour(GREY), "backgroundColor": _colour(WHITE)}
        value["overlays"].append(circle | colours)
    points[0], points[-1] = (
        _towards(points[0], points[1], 0.4),
        _towards(points[-1], points[-2], 0.4),
    )
    value["lines"].append(line)


def _diagonals(rule: rules.Diagonals, value: Value, size: int) -> None:
    line = {"color": _colour(BLUE), "thickness": 2}
    if rule.which != "falling":
        value["lines"].append({**line, "wayPoints": [[0, size], [size, 0]]})
    if rule.which != "rising":
        value["lines"].append({**line, "wayPoints": [[0, 0], [size, size]]})


def _arrow(rule: rules.Arrow, value: Value, _: int) -> None:
    rows, columns = ({cell[side] for cell in rule.circle} for side in (0, 1))
    height, width = len(rows), len(columns)
    if min(height, width) != 1:
        raise cannot_hold(PROGRAM, [rule])
    points = _points(line_of(rule))
    points[0] = _towards(points[0], points[1], 0.3)
    arrow = {"color": _colour(ARROW), "headLength": 0.3, "thickness": 5, "wayPoints": points}
    value["arrows"].append(arrow)
    bulb = {
        "center": _centre(*rule.circle),
        "width": width - 0.25,
        "height": height - 0.25,
        "borderColor": _colour(ARROW),
        "backgroundColor": _colour(WHITE),
        "rounded": True,
        "thickness": 5,
        "fontSize": 16,
        "text": "",
    }
    if bulb not in value["overlays"]:
        value["overlays"].append(bulb)


def _little_killer(rule: rules.LittleKiller, value: Value, size: int) -> None:
    start = start_of(rule, size)
    if start is None:
        raise cannot_hold(PROGRAM, [rule])
    place, step = start
    row, column = _centre(place)
    points = [[row + d * step[0], column + d * step[1]] for d in (0.3, 0.48)]
    value["arrows"].append({"color": _colour(BLACK), "thickness": 2, "wayPoints": points})
    text = _shape((place,), 0.25, fontSize=28, rounded=False, text=str(rule.total))
    colours = {"borderColor": _colour(WHITE), "backgroundColor": _colour(WHITE)}
    value["overlays"].append(text | colours)


def _dots(value: Value, pairs: tuple[Cells, ...], colour: str, text: str) -> None:
    colours = {"borderColor": _colour(BLACK), "backgroundColor": _colour(colour)}
    ink = {"color": _colour(WHITE if colour == BLACK else BLACK)} if text else {}
    for pair in pairs:
        value["overlays"].append(_shape(pair, 0.3, **colours, **ink, rounded=True, text=text))


def _kropki(rule: rules.Kropki, value: Value, _: int) -> None:
    _dots(value, rule.white, WHITE, "")
    _dots(value, rule.black, BLACK, "")


def _consecutive(rule: rules.Consecutive, value: Value, _: int) -> None:
    _dots(value, rule.marks, WHITE, "")


def _difference(rule: rules.Difference, value: Value, _: int) -> None:
    _dots(value, rule.marks, WHITE, str(rule.value))


def _ratio(rule: rules.Ratio, value: Value, _: int) -> None:
    _dots(value, rule.marks, BLACK, str(rule.value))


def _xv(rule: rules.XV, value: Value, _: int) -> None:
    colours = {"borderColor": _colour(WHITE), "backgroundColor": _colour(WHITE)}
    for letter, pairs in (("X", rule.x), ("V", rule.v)):
        for pair in pairs:
            text = _shape(pair, 0.25, **colours, fontSize=21, rounded=False, text=letter)
            value["overlays"].append(text)


def _quadruple(rule: rules.Quadruple, value: Value, _: int) -> None:
    colours = {"borderColor": _colour(BLACK), "backgroundColor": _colour(WHITE)}
    text = " ".join(map(str, rule.digits))
    circle = _shape(rule.cells, 0.7, **colours, fontSize=14, rounded=True, text=text)
    value["overlays"].append(circle)


def _sandwich(rule: rules.Sandwich, value: Value, size: int) -> None:
    colours = {"borderColor": _colour(WHITE), "backgroundColor": _colour(WHITE)}
    place = place_before(rule.line, size)
    text = _shape((place,), 0.25, **colours, fontSize=32, rounded=False, text=str(rule.number))
    value["overlays"].append(text)


_WRITERS: dict[type[Rule], Callable[[Any, Value, int], None]] = {
    rules.Diagonals: _diagonals,
    rules.ExtraRegion: _extra_region,
    rules.AntiKnight: _flag("antiknight"),
    rules.AntiKing: _flag("antiking"),
    rules.Cage: _cage,
    rules.LittleKiller: _little_killer,
    rules.Sandwich: _sandwich,
    rules.Kropki: _kropki,
    rules.XV: _xv,
    rules.Consecutive: _consecutive,
    rules.Difference: _difference,
    rules.Ratio: _ratio,
    rules.Quadruple: _quadruple,
    rules.Thermometer: _thermometer,
    rules.Arrow: _arrow,
    rules.Palindrome: _palindrome,
    rules.Between: _between,
    rules.Odd: _marked(rounded=True),
    rules.Even: _marked(rounded=False),
}
