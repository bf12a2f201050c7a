"""Writing the rules of the `sudoku-puzzle` format of pencilmark."""

from collections.abc import Iterable, Iterator
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.formats.variants.pencilmark_reading import (
    LINES,
    NEIGHBOURS,
    OUTSIDE,
    PROGRAM,
    VALUED,
    thirds_of,
)
from nando.puzzles.formats.variants.values import UnheldRule, write_rules
from nando.puzzles.rules.houses import Groups
from nando.puzzles.variants.puzzle import Variant

Record = dict[str, Any]


def rules_value(puzzle: Variant) -> list[Record]:
    """Return the rules of a puzzle, with those of its rows, columns and boxes.

    Raises
    ------
    ValueError
        For rules that the format cannot hold.
    """
    board = puzzle.board
    boxes = next((rule for rule in puzzle.rules if isinstance(rule, rules.Boxes)), None)
    records: list[Record] = []
    for corner in board.corners:
        grid: Record = {"type": "grid", "origin": str(corner)}
        if boxes is not None:
            grid = grid | {"type": "box_grid", "box": [boxes.height, boxes.width]}
        records.append(grid)
    others = [rule for rule in puzzle.rules if rule is not boxes]
    write_rules(others, lambda rule: records.extend(_records(rule, board)), PROGRAM)
    return records


_KINDS: dict[Any, str] = {
    rule: kind for listed in (NEIGHBOURS, VALUED, LINES) for kind, rule in listed.items()
} | {
    rules.Diagonals: "diagonal",
    rules.Windoku: "window",
    rules.DisjointGroups: "disjoint",
    rules.Odd: "odd",
    rules.Even: "even",
    rules.Low: "low",
    rules.High: "high",
}
_ALL_GIVEN: dict[Any, Record] = {
    rules.Kropki: {"of": "kropki"},
    rules.Consecutive: {"of": "kropki", "color": "white"},
    rules.XV: {"of": "xv"},
}
_OUTSIDE = {rule: (kind, key) for kind, (rule, key) in OUTSIDE.items()}


def _records(rule: Any, board: Board) -> Iterator[Record]:
    """Yield the records of a rule."""
    kind = _KINDS.get(type(rule), "extra")
    cells: Record = {"cells": _names(getattr(rule, "cells", ()))}
    match rule:
        case rules.Regions():
            yield from ({"type": "box", "cells": _names(region)} for region in rule.regions)
        case Groups():
            for group in rule.groups(board):
                yield {"type": "region", "kind": kind, "cells": _names(group)}
        case rules.NonConsecutive(cyclic=True):
            raise UnheldRule
        case _ if kind in NEIGHBOURS:
            yield {"type": "neighbours", "kind": kind}
        case rules.Cage(repeats=True, total=None):
            raise UnheldRule
        case rules.Cage():
            total: Record = {} if rule.total is None else {"sum": rule.total}
            of_group: Record = {"type": "sum", "kind": "group"} if rule.repeats else {}
            yield {"type": "cage", **cells, **total, **of_group}
        case rules.LittleKiller():
            side = _side(rule, board)
            yield {"type": "sum", "kind": "little_killer", "sum": rule.total, "side": side, **cells}
        case _ if type(rule) in _OUTSIDE:
            kind, key = _OUTSIDE[type(rule)]
            line = _names(board.line(rule.line))
            yield {"type": kind, key: rule.number, "side": rule.line.edge, "cells": line}
        case rules.FrameSum():
            for own in rule.constraints(board):
                record = {"type": "sum", "kind": "frame", "sum": rule.number}
                line = _names(getattr(own, "cells", ()))
                yield record | {"side": rule.line.edge, "cells": line}
        case rules.Thermometer(slow=True):
            yield {"type": "line", "kind": "slow_thermo", **cells}
        case _ if kind in LINES:
            yield {"type": "line", "kind": kind, **cells, **_more(rule, board)}
        case rules.Low() | rules.High():
            n = board.digits
            split = (n - 1) // 2 if n % 2 and kind == "low" else (n + 1) // 2
            yield {"type": "cell", "kind": kind, **cells, "split": split}
        case rules.Odd() | rules.Even():
            yield {"type": "cell", "kind": kind, **cells}
        case rules.GivenCandidates():
            digits = list(rule.digits)
            yield {"type": "cell", "kind": "set", "values": digits, "cells": [str(rule.cell)]}
        case rules.Clone():
            yield {"type": "clone", "regions": [_names(rule.cells), _names(rule.copies)]}
        case rules.Arrow():
            yield {"type": "arrow", "bulb": _names(rule.circle), "lines": [_names(rule.shaft)]}
        case rules.Quadruple():
            yield {"type": "contains", "digits": list(rule.digits), **cells}
        case _ if isinstance(rule, _EDGES):
            yield from _edge_records(rule, kind)
        case _:
            raise UnheldRule
    if getattr(rule, "all_given", False):
        of = _ALL_GIVEN.get(type(rule)) or {"of": kind, "value": rule.value}
        yield {"type": "negative", **of}


_EDGES = rules.Kropki, rules.Consecutive, rules.XV, rules.Difference, rules.Ratio, rules.Greater


def _edge_records(rule: Any, kind: str) -> Iterator[Record]:
    """Yield the records of marks between cells."""
    match rule:
        case rules.Kropki():
            yield from _edges("kropki", rule.white, color="white")
            yield from _edges("kropki", rule.black, color="black")
        case rules.Consecutive():
            yield from _edges("kropki", rule.marks, color="white")
        case rules.XV():
            yield from _edges("xv", rule.x, letter="X")
            yield from _edges("xv", rule.v, letter="V")
        case rules.Difference() | rules.Ratio():
            yield from _edges(kind, rule.marks, value=rule.value)
        case rules.Greater():
            yield from _edges("less", [pair[::-1] for pair in rule.marks])


def _more(rule: Any, board: Board) -> Record:
    """Return the keys of a line's record other than its kind and cells."""
    match rule:
        case rules.Whispers():
            return {"value": rule.difference}
        case rules.Modular():
            return {"value": 3}
        case rules.Entropic() if board.digits != 9:
            return {"groups": thirds_of(rule, board)}
    return {}


def _side(rule: rules.LittleKiller, board: Board) -> str:
    """Return the side of the board at which a little killer is written."""
    first = rule.cells[0]
    step = rule.cells[1].row - first.row if len(rule.cells) > 1 else 0
    if (first.row, first.column) and step and first.row != (0 if step > 0 else board.digits - 1):
        return "left" if first.column == 0 else "right"
    return "bottom" if step == -1 else "top"


def _names(cells: Iterable[Cell]) -> list[str]:
    return list(map(str, cells))


def _edges(kind: str, pairs: Iterable[Cells], **more: Any) -> Iterator[Record]:
    for pair in pairs:
        yield {"type": "edge", "kind": kind, **more, "cells": _names(pair)}
