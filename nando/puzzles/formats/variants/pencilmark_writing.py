"""Writing rules in the `sudoku-puzzle` format of pencilmark."""

from collections.abc import Callable, Iterator
from typing import Any

from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import AllDifferent
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.format import cannot_hold
from nando.puzzles.rules.arrows import Arrow
from nando.puzzles.rules.boxes import Boxes, Regions
from nando.puzzles.rules.cages import Cage, LittleKiller
from nando.puzzles.rules.cells import Even, GivenCandidates, High, Low, Odd
from nando.puzzles.rules.clones import Clone
from nando.puzzles.rules.houses import (
    Argyle,
    Asterisk,
    CentreDot,
    Diagonals,
    DisjointGroups,
    ExtraRegion,
    Girandola,
    Windoku,
)
from nando.puzzles.rules.lines import (
    Between,
    Entropic,
    Modular,
    Palindrome,
    Parity,
    RegionSum,
    Renban,
    Whispers,
    Zipper,
)
from nando.puzzles.rules.marks import XV, Consecutive, Difference, Greater, Kropki, Ratio
from nando.puzzles.rules.moves import AntiKing, AntiKnight, NonConsecutive
from nando.puzzles.rules.outside import FrameSum, Sandwich, Skyscraper, XSums
from nando.puzzles.rules.quadruples import Quadruple
from nando.puzzles.rules.thermometers import Thermometer
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "pencilmark"

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
    boxes = next((rule for rule in puzzle.rules if isinstance(rule, Boxes)), None)
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


def _nothing(_: Any, __: Board) -> Iterator[Record]:
    yield from ()


def _regions(rule: Regions, _: Board) -> Iterator[Record]:
    for region in rule.regions:
        yield {"type": "box", "cells": _names(region)}


def _groups(kind: str) -> Writer:
    def write(rule: Rule, board: Board) -> Iterator[Record]:
        for constraint in rule.constraints(board):
            assert isinstance(constraint, AllDifferent)
            yield {"type": "region", "kind": kind, "cells": _names(constraint.cells)}

    return write


def _neighbours(kind: str) -> Writer:
    def write(rule: Any, _: Board) -> Iterator[Record]:
        if getattr(rule, "cyclic", False):
            raise cannot_hold(PROGRAM, [rule])
        yield {"type": "neighbours", "kind": kind}

    return write


def _line(kind: str) -> Writer:
    def write(rule: Any, board: Board) -> Iterator[Record]:
        record: Record = {"type": "line", "kind": kind, "cells": _names(rule.cells)}
        if isinstance(rule, Whispers):
            record["value"] = rule.difference
        elif isinstance(rule, Modular):
            record["value"] = 3
        elif isinstance(rule, Entropic) and board.digits != 9:
            thirds: dict[int, list[int]] = {}
            for digit in range(1, board.digits + 1):
                thirds.setdefault(rule.class_of(board, digit), []).append(digit)
            record["groups"] = list(thirds.values())
        elif isinstance(rule, Thermometer) and rule.slow:
            record["kind"] = "slow_thermo"
        yield record

    return write


def _cage(rule: Cage, _: Board) -> Iterator[Record]:
    record: Record = {"type": "cage", "cells": _names(rule.cells)}
    if rule.total is not None:
        record["sum"] = rule.total
    if rule.repeats:
        if rule.total is None:
            raise cannot_hold(PROGRAM, [rule])
        record |= {"type": "sum", "kind": "group"}
    yield record


def _little_killer(rule: LittleKiller, board: Board) -> Iterator[Record]:
    first = rule.cells[0]
    step = rule.cells[1].row - first.row if len(rule.cells) > 1 else 0
    side = {1: "top", -1: "bottom"}.get(step, "top")
    if (first.row, first.column) and step and first.row != (0 if step > 0 else board.digits - 1):
        side = "left" if first.column == 0 else "right"
    record = {"type": "sum", "kind": "little_killer", "sum": rule.total, "side": side}
    yield record | {"cells": _names(rule.cells)}


def _outside(kind: str, key: str) -> Writer:
    def write(rule: Any, board: Board) -> Iterator[Record]:
        cells = board.line(rule.line)
        yield {"type": kind, key: rule.number, "side": rule.line.edge, "cells": _names(cells)}

    return write


def _frame_sum(rule: FrameSum, board: Board) -> Iterator[Record]:
    for constraint in rule.constraints(board):
        cells = _names(getattr(constraint, "cells", ()))
        record = {"type": "sum", "kind": "frame", "sum": rule.number, "side": rule.line.edge}
        yield record | {"cells": cells}


def _marked(kind: str) -> Writer:
    def write(rule: Any, board: Board) -> Iterator[Record]:
        record: Record = {"type": "cell", "kind": kind, "cells": _names(rule.cells)}
        if kind in ("low", "high"):
            n = board.digits
            record["split"] = (n - 1) // 2 if n % 2 and kind == "low" else (n + 1) // 2
        yield record

    return write


def _candidates(rule: GivenCandidates, _: Board) -> Iterator[Record]:
    yield {"type": "cell", "kind": "set", "values": list(rule.digits), "cells": [str(rule.cell)]}


def _clone(rule: Clone, _: Board) -> Iterator[Record]:
    yield {"type": "clone", "regions": [_names(rule.cells), _names(rule.copies)]}


def _arrow(rule: Arrow, _: Board) -> Iterator[Record]:
    yield {"type": "arrow", "bulb": _names(rule.circle), "lines": [_names(rule.shaft)]}


def _quadruple(rule: Quadruple, _: Board) -> Iterator[Record]:
    yield {"type": "contains", "digits": list(rule.digits), "cells": _names(rule.cells)}


def _edge(kind: str, pairs: tuple[Cells, ...], **more: Any) -> Iterator[Record]:
    for pair in pairs:
        yield {"type": "edge", "kind": kind, **more, "cells": _names(pair)}


def _kropki(rule: Kropki, _: Board) -> Iterator[Record]:
    yield from _edge("kropki", rule.white, color="white")
    yield from _edge("kropki", rule.black, color="black")
    if rule.all_given:
        yield {"type": "negative", "of": "kropki"}


def _consecutive(rule: Consecutive, _: Board) -> Iterator[Record]:
    yield from _edge("kropki", rule.marks, color="white")
    if rule.all_given:
        yield {"type": "negative", "of": "kropki", "color": "white"}


def _xv(rule: XV, _: Board) -> Iterator[Record]:
    yield from _edge("xv", rule.x, letter="X")
    yield from _edge("xv", rule.v, letter="V")
    if rule.all_given:
        yield {"type": "negative", "of": "xv"}


def _valued(kind: str) -> Writer:
    def write(rule: Any, _: Board) -> Iterator[Record]:
        yield from _edge(kind, rule.marks, value=rule.value)
        if rule.all_given:
            yield {"type": "negative", "of": kind, "value": rule.value}

    return write


def _greater(rule: Greater, _: Board) -> Iterator[Record]:
    yield from _edge("less", tuple(pair[::-1] for pair in rule.marks))


_WRITERS: dict[type[Rule], Writer] = {
    Boxes: _nothing,
    Regions: _regions,
    Diagonals: _groups("diagonal"),
    Windoku: _groups("window"),
    DisjointGroups: _groups("disjoint"),
    **dict.fromkeys([CentreDot, Asterisk, Girandola, Argyle, ExtraRegion], _groups("extra")),
    AntiKnight: _neighbours("antiknight"),
    AntiKing: _neighbours("antiking"),
    NonConsecutive: _neighbours("nonconsecutive"),
    Cage: _cage,
    LittleKiller: _little_killer,
    Sandwich: _outside("sandwich", "sum"),
    XSums: _outside("xsum", "sum"),
    Skyscraper: _outside("skyscraper", "value"),
    FrameSum: _frame_sum,
    Kropki: _kropki,
    XV: _xv,
    Greater: _greater,
    Consecutive: _consecutive,
    Difference: _valued("difference"),
    Ratio: _valued("ratio"),
    Quadruple: _quadruple,
    Thermometer: _line("thermo"),
    Palindrome: _line("palindrome"),
    Renban: _line("renban"),
    Whispers: _line("whisper"),
    Parity: _line("parity"),
    Entropic: _line("entropic"),
    Modular: _line("modular"),
    Between: _line("between"),
    Zipper: _line("zipper"),
    RegionSum: _line("region_sum"),
    Odd: _marked("odd"),
    Even: _marked("even"),
    Low: _marked("low"),
    High: _marked("high"),
    Arrow: _arrow,
    Clone: _clone,
    GivenCandidates: _candidates,
}
