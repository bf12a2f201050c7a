"""Drawing rules for SudokuPad in the styles that `drawings` reads."""

from collections.abc import Iterable, Iterator
from math import hypot
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.formats.variants.drawings import ARROW, BLACK, BLUE, GREY, KEYS, WHITE
from nando.puzzles.formats.variants.values import (
    UnheldRule,
    line_of,
    place_before,
    regions_of,
    start_of,
    write_rules,
)
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
    write_rules(others, lambda rule: _draw(rule, value, size), PROGRAM)
    return value


def _draw(rule: Any, value: Value, size: int) -> None:
    """Add the drawing of a rule to the JSON of a puzzle."""
    if getattr(rule, "all_given", False):
        raise UnheldRule
    under, over, lines = value["underlays"], value["overlays"], value["lines"]
    match rule:
        case rules.Diagonals():
            _draw_diagonals(rule, value, size)
        case rules.ExtraRegion():
            shade = "rgba(207, 207, 207, 0.95)"
            for cell in rule.cells:
                under.append(_shape((cell,), 1, backgroundColor=shade, rounded=False))
            value["cages"].append({"cells": list(map(list, rule.cells))})
        case rules.AntiKnight() | rules.AntiKing():
            value["metadata"][rule.name.replace("-", "")] = True
        case rules.Cage() if rule.total is not None or not rule.repeats:
            total = {} if rule.total is None else {"value": str(rule.total), "sum": rule.total}
            cells = list(map(list, rule.cells))
            value["cages"].append({"cells": cells, "unique": not rule.repeats, **total})
        case rules.LittleKiller() if start := start_of(rule, size):
            _draw_little_killer(rule.total, *start, value)
        case rules.Sandwich():
            text = {"fontSize": 32, "rounded": False, "text": str(rule.number)}
            place = place_before(rule.line, size)
            over.append(_shape((place,), 0.25, **_colours(WHITE, WHITE), **text))
        case rules.Kropki():
            over += _dots(rule.white, WHITE, "")
            over += _dots(rule.black, BLACK, "")
        case rules.Consecutive():
            over += _dots(rule.marks, WHITE, "")
        case rules.Difference():
            over += _dots(rule.marks, WHITE, str(rule.value))
        case rules.Ratio():
            over += _dots(rule.marks, BLACK, str(rule.value))
        case rules.XV():
            for letter, pairs in (("X", rule.x), ("V", rule.v)):
                text = {"fontSize": 21, "rounded": False, "text": letter}
                over += [_shape(pair, 0.25, **_colours(WHITE, WHITE), **text) for pair in pairs]
        case rules.Quadruple():
            text = {"fontSize": 14, "rounded": True, "text": " ".join(map(str, rule.digits))}
            over.append(_shape(rule.cells, 0.7, **_colours(BLACK, WHITE), **text))
        case rules.Thermometer(slow=False):
            under.append(_shape(rule.cells[:1], 0.85, **_colours(GREY, GREY), rounded=True))
            lines.append(_line(rule.cells, 21))
        case rules.Palindrome():
            lines.append(_line(rule.cells, 16))
        case rules.Between():
            _draw_between(rule, value)
        case rules.Arrow():
            _draw_arrow(rule, value)
        case rules.Odd() | rules.Even():
            rounded = isinstance(rule, rules.Odd)
            for cell in rule.cells:
                under.append(_shape((cell,), 0.7, **_colours(GREY, GREY), rounded=rounded))
        case _:
            raise UnheldRule


def _draw_diagonals(rule: rules.Diagonals, value: Value, size: int) -> None:
    line = {"color": _colour(BLUE), "thickness": 2}
    if rule.which != "falling":
        value["lines"].append({**line, "wayPoints": [[0, size], [size, 0]]})
    if rule.which != "rising":
        value["lines"].append({**line, "wayPoints": [[0, 0], [size, size]]})


def _draw_little_killer(total: int, place: Cell, step: tuple[int, int], value: Value) -> None:
    row, column = _centre(place)
    points = [[row + d * step[0], column + d * step[1]] for d in (0.3, 0.48)]
    arrow = {"color": _colour(BLACK), "thickness": 2, "wayPoints": points}
    value["arrows"].append(arrow)
    text = {"fontSize": 28, "rounded": False, "text": str(total)}
    value["overlays"].append(_shape((place,), 0.25, **text) | _colours(WHITE, WHITE))


def _draw_between(rule: rules.Between, value: Value) -> None:
    line = _line(rule.cells, 2)
    points = line["wayPoints"]
    for end in (0, -1):
        circle = _shape((rule.cells[end],), 0.8, rounded=True, borderSize=2, fontSize=16)
        value["overlays"].append(circle | _colours(GREY, WHITE))
    points[0], points[-1] = (
        _towards(points[0], points[1], 0.4),
        _towards(points[-1], points[-2], 0.4),
    )
    value["lines"].append(line)


def _draw_arrow(rule: rules.Arrow, value: Value) -> None:
    rows, columns = ({cell[side] for cell in rule.circle} for side in (0, 1))
    height, width = len(rows), len(columns)
    if min(height, width) != 1:
        raise UnheldRule
    points = _points(line_of(rule))
    points[0] = _towards(points[0], points[1], 0.3)
    arrow = {"color": _colour(ARROW), "headLength": 0.3, "thickness": 5, "wayPoints": points}
    value["arrows"].append(arrow)
    bulb = {
        "center": _centre(*rule.circle),
        "width": width - 0.25,
        "height": height - 0.25,
        **_colours(ARROW, WHITE),
        "rounded": True,
        "thickness": 5,
        "fontSize": 16,
        "text": "",
    }
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


def _shape(cells: Cells, size: float, **more: Any) -> Value:
    return {"center": _centre(*cells), "width": size, "height": size, **more}


def _colour(code: str) -> str:
    return f"#{code}"


def _colours(border: str, background: str) -> Value:
    return {"borderColor": _colour(border), "backgroundColor": _colour(background)}


def _line(cells: Cells, thickness: int) -> Value:
    return {"color": _colour(GREY), "thickness": thickness, "wayPoints": _points(cells)}


def _dots(pairs: Iterable[Cells], colour: str, text: str) -> Iterator[Value]:
    ink = {"color": _colour(WHITE if colour == BLACK else BLACK)} if text else {}
    for pair in pairs:
        yield _shape(pair, 0.3, **_colours(BLACK, colour), **ink, rounded=True, text=text)
