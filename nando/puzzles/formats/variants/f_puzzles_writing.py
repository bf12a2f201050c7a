"""Writing the rules of f-puzzles; `f_puzzles_reading` says what the keys mean."""

from collections.abc import Iterable, Iterator
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.variants.f_puzzles_reading import (
    FLAGS,
    LINES,
    MARKED,
    OUTSIDE,
    PROGRAM,
    STEPS,
    box_sides,
)
from nando.puzzles.formats.variants.values import (
    UnheldRule,
    line_of,
    name_of,
    names_of,
    place_before,
    regions_of,
    start_of,
    write_rules,
)
from nando.puzzles.rules.houses import Groups
from nando.puzzles.variants.puzzle import Variant


def value_of(puzzle: Variant) -> dict[str, Any]:
    """Return the JSON of a puzzle of one grid; ValueError for rules that it cannot hold."""
    size = puzzle.size
    cells: list[dict[str, Any]] = [
        {"value": value, "given": True} if value else {} for value in puzzle.givens.tolist()
    ]
    grid = [cells[i : i + size] for i in range(0, size**2, size)]
    value: dict[str, Any] = {"size": size, "grid": grid}
    regions, others = regions_of(puzzle)
    _set_regions(grid, regions)

    def write(rule: Rule) -> None:
        if isinstance(rule, rules.GivenCandidates):
            grid[rule.cell.row][rule.cell.column]["givenPencilMarks"] = list(rule.digits)
            return
        for key, entry in _entries(rule, puzzle.board):
            if entry is True:
                value[key] = True
            else:
                value.setdefault(key, []).append(entry)

    write_rules(others, write, PROGRAM)
    return value


def _set_regions(grid: list[list[dict[str, Any]]], regions: list[Cells]) -> None:
    height, width = box_sides(len(grid))
    for number, region in enumerate(regions):
        for row, column in region:
            if number != row // height * height + column // width:
                grid[row][column]["region"] = number


_KEYS: dict[Any, str] = {
    rule: key for listed in (FLAGS, MARKED, LINES) for key, rule in listed.items()
} | {rule: key for key, (rule, _) in OUTSIDE.items()}
_ALL_GIVEN: dict[Any, dict[str, Any]] = {
    rules.Kropki: {"nonconsecutive": True, "negative": "ratio"},
    rules.Consecutive: {"nonconsecutive": True},
    rules.Difference: {"nonconsecutive": True},
    rules.Ratio: {"negative": "ratio"},
    rules.XV: {"negative": "xv"},
}
"""Further values for marks that are all given."""


def _entries(rule: Any, board: Board) -> Iterator[tuple[str, Any]]:
    """Yield the key and the entry of each mark of a rule; the entry of a flag is True."""
    key = _KEYS.get(type(rule), "")
    match rule:
        case rules.Thermometer(slow=True):
            yield "slowthermometer", {"lines": [names_of(rule.cells)]}
        case rules.Whispers():
            yield "whispers", {"lines": [names_of(rule.cells)], "value": str(rule.difference)}
        case rules.Cage(repeats=False):
            total = {} if rule.total is None else {"value": str(rule.total)}
            yield "killercage", {"cells": names_of(rule.cells), **total}
        case rules.LittleKiller() if start := start_of(rule, board.digits):
            place, step = start
            name = next(name for name, other in STEPS.items() if other == step)
            entry = {"cell": name_of(place), "direction": name, "value": str(rule.total)}
            yield "littlekillersum", entry
        case rules.Arrow():
            yield "arrow", {"cells": names_of(rule.circle), "lines": [names_of(line_of(rule))]}
        case rules.Diagonals():
            for key, other in (("diagonal+", "falling"), ("diagonal-", "rising")):
                if rule.which != other:
                    yield key, True
        case rules.NonConsecutive(cyclic=False):
            yield "nonconsecutive", True
        case rules.Kropki():
            yield from _pairs("difference", rule.white)
            yield from _pairs("ratio", rule.black)
        case rules.Consecutive():
            yield from _pairs("difference", rule.marks)
        case rules.Difference(all_given=False) | rules.Difference(value=1):
            yield from _pairs("difference", rule.marks, str(rule.value))
        case rules.Ratio():
            yield from _pairs("ratio", rule.marks, str(rule.value))
        case rules.XV():
            yield from _pairs("xv", rule.x, "X")
            yield from _pairs("xv", rule.v, "V")
        case rules.Indexing(edge="left" | "top"):
            direction = "column" if rule.edge == "left" else "row"
            yield f"{direction}indexer", {"cells": names_of(rule.cells)}
        case rules.Clone():
            yield "clone", {"cells": names_of(rule.cells), "cloneCells": names_of(rule.copies)}
        case rules.Quadruple():
            yield "quadruple", {"cells": names_of(rule.cells), "values": list(rule.digits)}
        case _ if key in FLAGS:
            yield key, True
        case _ if key in MARKED:
            yield from ((key, {"cell": name_of(cell)}) for cell in rule.cells)
        case _ if key in LINES:
            yield key, {"lines": [names_of(rule.cells)]}
        case _ if key in OUTSIDE:
            place = place_before(rule.line, board.digits)
            yield key, {"cell": name_of(place), "value": str(rule.number)}
        case Groups():
            for group in rule.groups(board):
                yield "extraregion", {"cells": names_of(group)}
        case _:
            raise UnheldRule
    if getattr(rule, "all_given", False):
        yield from _ALL_GIVEN[type(rule)].items()
    if getattr(rule, "all_white", False):
        yield from _ALL_GIVEN[rules.Consecutive].items()
    if getattr(rule, "all_black", False):
        yield from _ALL_GIVEN[rules.Ratio].items()


def _pairs(key: str, pairs: Iterable[Cells], text: str = "") -> Iterator[tuple[str, Any]]:
    for pair in pairs:
        yield key, {"cells": names_of(pair)} | ({"value": text} if text else {})
