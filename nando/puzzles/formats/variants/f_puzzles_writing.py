"""Writing the rules of f-puzzles; `f_puzzles_reading` says what the keys mean."""

from collections.abc import Callable
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import AllDifferent
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import cannot_hold
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
    line_of,
    name_of,
    names_of,
    place_before,
    regions_of,
    start_of,
)
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
    unheld = []
    for rule in others:
        if isinstance(rule, rules.GivenCandidates):
            grid[rule.cell.row][rule.cell.column]["givenPencilMarks"] = list(rule.digits)
        elif type(rule) in _WRITERS:
            _WRITERS[type(rule)](rule, value, size)
        else:
            unheld.append(rule)
    if unheld:
        raise cannot_hold(PROGRAM, unheld)
    return value


def _set_regions(grid: list[list[dict[str, Any]]], regions: list[Cells]) -> None:
    height, width = box_sides(len(grid))
    for number, region in enumerate(regions):
        for row, column in region:
            if number != row // height * height + column // width:
                grid[row][column]["region"] = number


Writer = Callable[[Any, dict[str, Any], int], None]


def _add(value: dict[str, Any], key: str, entry: dict[str, Any]) -> None:
    value.setdefault(key, []).append(entry)


def _write_flag(key: str) -> Writer:
    def write(_: Any, value: dict[str, Any], __: int) -> None:
        value[key] = True

    return write


def _write_marked(key: str) -> Writer:
    def write(rule: Any, value: dict[str, Any], _: int) -> None:
        for cell in rule.cells:
            _add(value, key, {"cell": name_of(cell)})

    return write


def _write_line(key: str) -> Writer:
    def write(rule: Any, value: dict[str, Any], _: int) -> None:
        _add(value, key, {"lines": [names_of(rule.cells)]})

    return write


def _write_outside(key: str) -> Writer:
    def write(rule: Any, value: dict[str, Any], size: int) -> None:
        place = place_before(rule.line, size)
        _add(value, key, {"cell": name_of(place), "value": str(rule.number)})

    return write


def _write_thermometer(rule: rules.Thermometer, value: dict[str, Any], _: int) -> None:
    key = "slowthermometer" if rule.slow else "thermometer"
    _add(value, key, {"lines": [names_of(rule.cells)]})


def _write_whispers(rule: rules.Whispers, value: dict[str, Any], _: int) -> None:
    _add(value, "whispers", {"lines": [names_of(rule.cells)], "value": str(rule.difference)})


def _write_cage(rule: rules.Cage, value: dict[str, Any], _: int) -> None:
    if rule.repeats:
        raise cannot_hold(PROGRAM, [rule])
    entry: dict[str, Any] = {"cells": names_of(rule.cells)}
    if rule.total is not None:
        entry["value"] = str(rule.total)
    _add(value, "killercage", entry)


def _write_little_killer(rule: rules.LittleKiller, value: dict[str, Any], size: int) -> None:
    start = start_of(rule, size)
    if start is None:
        raise cannot_hold(PROGRAM, [rule])
    place, step = start
    name = next(name for name, one in STEPS.items() if one == step)
    entry = {"cell": name_of(place), "direction": name, "value": str(rule.total)}
    _add(value, "littlekillersum", entry)


def _write_arrow(rule: rules.Arrow, value: dict[str, Any], _: int) -> None:
    lines = [names_of(line_of(rule))]
    _add(value, "arrow", {"cells": names_of(rule.circle), "lines": lines})


def _write_diagonals(rule: rules.Diagonals, value: dict[str, Any], _: int) -> None:
    value |= {"diagonal+": True} if rule.which != "falling" else {}
    value |= {"diagonal-": True} if rule.which != "rising" else {}


def _write_non_consecutive(rule: rules.NonConsecutive, value: dict[str, Any], _: int) -> None:
    if rule.cyclic:
        raise cannot_hold(PROGRAM, [rule])
    value["nonconsecutive"] = True


def _write_pairs(
    value: dict[str, Any], key: str, pairs: tuple[Cells, ...], text: str | None = None
) -> None:
    for pair in pairs:
        entry: dict[str, Any] = {"cells": names_of(pair)}
        _add(value, key, entry | ({"value": text} if text else {}))


def _write_kropki(rule: rules.Kropki, value: dict[str, Any], _: int) -> None:
    _write_pairs(value, "difference", rule.white)
    _write_pairs(value, "ratio", rule.black)
    if rule.all_given:
        value["nonconsecutive"] = True
        value.setdefault("negative", []).append("ratio")


def _write_consecutive(rule: rules.Consecutive, value: dict[str, Any], _: int) -> None:
    _write_pairs(value, "difference", rule.marks)
    if rule.all_given:
        value["nonconsecutive"] = True


def _write_difference(rule: rules.Difference, value: dict[str, Any], _: int) -> None:
    if rule.all_given and rule.value != 1:
        raise cannot_hold(PROGRAM, [rule])
    _write_pairs(value, "difference", rule.marks, str(rule.value))
    if rule.all_given:
        value["nonconsecutive"] = True


def _write_ratio(rule: rules.Ratio, value: dict[str, Any], _: int) -> None:
    _write_pairs(value, "ratio", rule.marks, str(rule.value))
    if rule.all_given:
        value.setdefault("negative", []).append("ratio")


def _write_xv(rule: rules.XV, value: dict[str, Any], _: int) -> None:
    _write_pairs(value, "xv", rule.x, "X")
    _write_pairs(value, "xv", rule.v, "V")
    if rule.all_given:
        value.setdefault("negative", []).append("xv")


def _write_groups(rule: Rule, value: dict[str, Any], size: int) -> None:
    for constraint in rule.constraints(Board(size)):
        assert isinstance(constraint, AllDifferent)
        _add(value, "extraregion", {"cells": names_of(constraint.cells)})


def _write_clone(rule: rules.Clone, value: dict[str, Any], _: int) -> None:
    _add(value, "clone", {"cells": names_of(rule.cells), "cloneCells": names_of(rule.copies)})


def _write_quadruple(rule: rules.Quadruple, value: dict[str, Any], _: int) -> None:
    _add(value, "quadruple", {"cells": names_of(rule.cells), "values": list(rule.digits)})


_WRITERS: dict[Any, Writer] = {
    **{rule: _write_flag(key) for key, rule in FLAGS.items()},
    **{rule: _write_marked(key) for key, rule in MARKED.items()},
    **{rule: _write_line(key) for key, rule in LINES.items()},
    **{rule: _write_outside(key) for key, (rule, _) in OUTSIDE.items()},
    rules.NonConsecutive: _write_non_consecutive,
    rules.Diagonals: _write_diagonals,
    rules.ExtraRegion: _write_groups,
    rules.Windoku: _write_groups,
    rules.CentreDot: _write_groups,
    rules.Asterisk: _write_groups,
    rules.Girandola: _write_groups,
    rules.Argyle: _write_groups,
    rules.Cage: _write_cage,
    rules.LittleKiller: _write_little_killer,
    rules.Thermometer: _write_thermometer,
    rules.Whispers: _write_whispers,
    rules.Arrow: _write_arrow,
    rules.Clone: _write_clone,
    rules.Quadruple: _write_quadruple,
    rules.Kropki: _write_kropki,
    rules.Consecutive: _write_consecutive,
    rules.Difference: _write_difference,
    rules.Ratio: _write_ratio,
    rules.XV: _write_xv,
}
