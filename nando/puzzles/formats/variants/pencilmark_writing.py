"""Writing the rules of the `sudoku-puzzle` format of pencilmark."""

from collections.abc import Callable, Iterator
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import AllDifferent
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import cannot_hold
from nando.puzzles.formats.variants.pencilmark_reading import (
    LINES,
    NEIGHBOURS,
    OUTSIDE,
    PROGRAM,
    VALUED,
    thirds_of,
)
from nando.puzzles.variants.puzzle import Variant

Record = dict[str, Any]
Writer = Callable[[Any, Board], Iterator[Record]]


def rules_value(puzzle: Variant) -> list[Record]:
    """Return the rules of a puzzle, with those of its rows, columns and boxes.

    Raises
    ------
    ValueError
        For rules that the format cannot hold.
    """
    board = puzzle.board
    unheld = [rule for rule in puzzle.rules if type(rule) not in _WRITERS]
    if unheld:
        raise cannot_hold(PROGRAM, unheld)
    boxes = next((rule for rule in puzzle.rules if isinstance(rule, rules.Boxes)), None)
    records: list[Record] = []
    for corner in board.corners:
        grid: Record = {"type": "grid", "origin": str(corner)}
        if boxes is not None:
            grid = grid | {"type": "box_grid", "box": [boxes.height, boxes.width]}
        records.append(grid)
    for rule in puzzle.rules:
        records.extend(_WRITERS[type(rule)](rule, board))
    return records


def _names(cells: Cells) -> list[str]:
    return list(map(str, cells))


def _write_regions(rule: rules.Regions, _: Board) -> Iterator[Record]:
    for region in rule.regions:
        yield {"type": "box", "cells": _names(region)}


def _write_groups(kind: str) -> Writer:
    def write(rule: Rule, board: Board) -> Iterator[Record]:
        for constraint in rule.constraints(board):
            assert isinstance(constraint, AllDifferent)
            yield {"type": "region", "kind": kind, "cells": _names(constraint.cells)}

    return write


def _write_neighbours(kind: str) -> Writer:
    def write(rule: Any, _: Board) -> Iterator[Record]:
        if getattr(rule, "cyclic", False):
            raise cannot_hold(PROGRAM, [rule])
        yield {"type": "neighbours", "kind": kind}

    return write


def _write_line(kind: str) -> Writer:
    def write(rule: Any, board: Board) -> Iterator[Record]:
        record: Record = {"type": "line", "kind": kind, "cells": _names(rule.cells)}
        if isinstance(rule, rules.Whispers):
            record["value"] = rule.difference
        elif isinstance(rule, rules.Modular):
            record["value"] = 3
        elif isinstance(rule, rules.Entropic) and board.digits != 9:
            record["groups"] = thirds_of(rule, board)
        elif isinstance(rule, rules.Thermometer) and rule.slow:
            record["kind"] = "slow_thermo"
        yield record

    return write


def _write_cage(rule: rules.Cage, _: Board) -> Iterator[Record]:
    record: Record = {"type": "cage", "cells": _names(rule.cells)}
    if rule.total is not None:
        record["sum"] = rule.total
    if rule.repeats:
        if rule.total is None:
            raise cannot_hold(PROGRAM, [rule])
        record |= {"type": "sum", "kind": "group"}
    yield record


def _write_little_killer(rule: rules.LittleKiller, board: Board) -> Iterator[Record]:
    first = rule.cells[0]
    step = rule.cells[1].row - first.row if len(rule.cells) > 1 else 0
    side = {1: "top", -1: "bottom"}.get(step, "top")
    if (first.row, first.column) and step and first.row != (0 if step > 0 else board.digits - 1):
        side = "left" if first.column == 0 else "right"
    record = {"type": "sum", "kind": "little_killer", "sum": rule.total, "side": side}
    yield record | {"cells": _names(rule.cells)}


def _write_outside(kind: str, key: str) -> Writer:
    def write(rule: Any, board: Board) -> Iterator[Record]:
        cells = board.line(rule.line)
        yield {"type": kind, key: rule.number, "side": rule.line.edge, "cells": _names(cells)}

    return write


def _write_frame_sum(rule: rules.FrameSum, board: Board) -> Iterator[Record]:
    for constraint in rule.constraints(board):
        cells = _names(getattr(constraint, "cells", ()))
        record = {"type": "sum", "kind": "frame", "sum": rule.number, "side": rule.line.edge}
        yield record | {"cells": cells}


def _write_marked(kind: str) -> Writer:
    def write(rule: Any, board: Board) -> Iterator[Record]:
        record: Record = {"type": "cell", "kind": kind, "cells": _names(rule.cells)}
        if kind in ("low", "high"):
            n = board.digits
            record["split"] = (n - 1) // 2 if n % 2 and kind == "low" else (n + 1) // 2
        yield record

    return write


def _write_candidates(rule: rules.GivenCandidates, _: Board) -> Iterator[Record]:
    yield {"type": "cell", "kind": "set", "values": list(rule.digits), "cells": [str(rule.cell)]}


def _write_clone(rule: rules.Clone, _: Board) -> Iterator[Record]:
    yield {"type": "clone", "regions": [_names(rule.cells), _names(rule.copies)]}


def _write_arrow(rule: rules.Arrow, _: Board) -> Iterator[Record]:
    yield {"type": "arrow", "bulb": _names(rule.circle), "lines": [_names(rule.shaft)]}


def _write_quadruple(rule: rules.Quadruple, _: Board) -> Iterator[Record]:
    yield {"type": "contains", "digits": list(rule.digits), "cells": _names(rule.cells)}


def _edge(kind: str, pairs: tuple[Cells, ...], **more: Any) -> Iterator[Record]:
    for pair in pairs:
        yield {"type": "edge", "kind": kind, **more, "cells": _names(pair)}


def _write_kropki(rule: rules.Kropki, _: Board) -> Iterator[Record]:
    yield from _edge("kropki", rule.white, color="white")
    yield from _edge("kropki", rule.black, color="black")
    if rule.all_given:
        yield {"type": "negative", "of": "kropki"}


def _write_consecutive(rule: rules.Consecutive, _: Board) -> Iterator[Record]:
    yield from _edge("kropki", rule.marks, color="white")
    if rule.all_given:
        yield {"type": "negative", "of": "kropki", "color": "white"}


def _write_xv(rule: rules.XV, _: Board) -> Iterator[Record]:
    yield from _edge("xv", rule.x, letter="X")
    yield from _edge("xv", rule.v, letter="V")
    if rule.all_given:
        yield {"type": "negative", "of": "xv"}


def _write_valued(kind: str) -> Writer:
    def write(rule: Any, _: Board) -> Iterator[Record]:
        yield from _edge(kind, rule.marks, value=rule.value)
        if rule.all_given:
            yield {"type": "negative", "of": kind, "value": rule.value}

    return write


def _write_greater(rule: rules.Greater, _: Board) -> Iterator[Record]:
    yield from _edge("less", tuple(pair[::-1] for pair in rule.marks))


_WRITERS: dict[Any, Writer] = {
    rules.Boxes: lambda *_: iter(()),
    rules.Regions: _write_regions,
    rules.Diagonals: _write_groups("diagonal"),
    rules.Windoku: _write_groups("window"),
    rules.DisjointGroups: _write_groups("disjoint"),
    rules.CentreDot: _write_groups("extra"),
    rules.Asterisk: _write_groups("extra"),
    rules.Girandola: _write_groups("extra"),
    rules.Argyle: _write_groups("extra"),
    rules.ExtraRegion: _write_groups("extra"),
    **{rule: _write_neighbours(kind) for kind, rule in NEIGHBOURS.items()},
    rules.Cage: _write_cage,
    rules.LittleKiller: _write_little_killer,
    **{rule: _write_outside(kind, key) for kind, (rule, key) in OUTSIDE.items()},
    rules.FrameSum: _write_frame_sum,
    rules.Kropki: _write_kropki,
    rules.XV: _write_xv,
    rules.Greater: _write_greater,
    rules.Consecutive: _write_consecutive,
    **{rule: _write_valued(kind) for kind, rule in VALUED.items()},
    rules.Quadruple: _write_quadruple,
    **{rule: _write_line(kind) for kind, rule in LINES.items()},
    rules.Odd: _write_marked("odd"),
    rules.Even: _write_marked("even"),
    rules.Low: _write_marked("low"),
    rules.High: _write_marked("high"),
    rules.Arrow: _write_arrow,
    rules.Clone: _write_clone,
    rules.GivenCandidates: _write_candidates,
}
