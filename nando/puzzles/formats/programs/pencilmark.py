"""The `sudoku-puzzle` format of pencilmark, version 1: JSON with givens and a list of rules.

A rule is a record with a type, often a kind, and cells named ``r1c1``. Rows, columns and boxes are
rules too: `grid` and `box_grid` name the upper left cell of each grid.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell, Cells, Line
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import shortened
from nando.puzzles.formats import base
from nando.puzzles.formats.rule_values import (
    MOST_RULES,
    Reader,
    UnheldRule,
    UnreadRule,
    cell_of,
    cells_of,
    houses_of,
    list_of,
    name_groups,
    number_of,
    reading,
    write_rules,
)
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import divide
from nando.puzzles.rules.houses import Groups
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "pencilmark"

Record = dict[str, Any]

_COMMON = frozenset(["type", "id", "label", "style"])
_VALUES = ("color", "letter", "value", "sum")
"""Keys for the value of a mark between two cells."""
_HOUSES = ("grid", "box_grid", "box", "row", "column")

_LINES: dict[str, Callable[[Cells], Rule]] = {
    "thermo": rules.Thermometer,
    "renban": rules.Renban,
    "region_sum": rules.RegionSum,
    "palindrome": rules.Palindrome,
    "parity": rules.Parity,
    "zipper": rules.Zipper,
    "between": rules.Between,
    "entropic": rules.Entropic,
    "modular": rules.Modular,
    "whisper": rules.Whispers,
    "lockout": rules.Lockout,
    "double_arrow": rules.DoubleArrow,
}
_CLOSED = ("whisper", "renban", "parity")
"""Lines that may be closed."""
_OUTSIDE: dict[str, tuple[Callable[[Line, int], Rule], str]] = {
    "sandwich": (rules.Sandwich, "sum"),
    "xsum": (rules.XSums, "sum"),
    "skyscraper": (rules.Skyscraper, "value"),
}
"""Rules of numbers outside the grid, and the keys of the numbers."""
_NEIGHBOURS: dict[str, Callable[[], Rule]] = {
    "antiknight": rules.AntiKnight,
    "antiking": rules.AntiKing,
    "nonconsecutive": rules.NonConsecutive,
}
_VALUED: dict[str, Callable[..., Rule]] = {"difference": rules.Difference, "ratio": rules.Ratio}
"""Marks with a number between two cells."""


def read_rules(listed: list[Any], board: Board) -> Iterator[Rule]:
    """Yield the rules of the records, without those of rows, columns and boxes.

    Raises
    ------
    PuzzleError
        For rules that nando cannot read, which the message names, or a damaged value.
    """
    unread: list[str] = []
    for rule in listed:
        kind = str(rule["type"])
        if kind in _HOUSES:
            continue
        with reading(kind, PROGRAM, unread):
            if kind not in _READERS:
                raise UnreadRule(" ".join([str(rule.get("kind", "")), kind]).strip())
            known, read = _READERS[kind]
            if strange := sorted(set(rule) - _COMMON - known):
                raise UnreadRule(f"{kind} with {strange[0]!r}")
            yield from read(rule, board)
    with reading("edge", PROGRAM, unread):
        yield from _edges(listed, board)
    if unread:
        raise base.unknown_rules(unread)


def _cage(rule: Any, _: Board) -> Iterator[Rule]:
    yield rules.Cage(cells_of(rule["cells"]), number_of(rule["sum"]) if "sum" in rule else None)


def _line(rule: Any, board: Board) -> Iterator[Rule]:
    kind, cells = rule["kind"], cells_of(rule["cells"])
    if rule.get("closed"):
        if not getattr(_LINES.get(kind), "is_round", False):
            raise UnreadRule(f"a closed {kind} line")
        cells = (*cells, cells[0])
    if kind == "slow_thermo":
        yield rules.Thermometer(cells, slow=True)
        return
    if kind in ("whisper", "lockout"):
        differ = rules.Whispers if kind == "whisper" else rules.Lockout
        yield differ(cells, number_of(rule.get("value", differ.difference)))
        return
    if kind not in _LINES or (kind == "modular" and rule.get("value", 3) != 3):
        raise UnreadRule(f"{kind} line")
    if (
        kind == "entropic"
        and "groups" in rule
        and sorted(map(sorted, rule["groups"])) != _thirds(rules.Entropic(cells), board)
    ):
        raise UnreadRule("entropic line with groups of its own")
    if kind == "region_sum" and not any(
        isinstance(usual, rules.Boxes)
        for usual in Variant.of(f"{board.digits}x{board.digits}").rules
    ):
        raise UnreadRule("region sum line on irregular boxes")
    yield _LINES[kind](cells)


def _thirds(rule: rules.Entropic, board: Board) -> list[list[int]]:
    """Return the low, middle and high digits of an entropic line."""
    thirds: dict[int, list[int]] = {}
    for digit in range(1, board.digits + 1):
        thirds.setdefault(rule.class_of(board, digit), []).append(digit)
    return list(thirds.values())


def _arrow(rule: Any, _: Board) -> Iterator[Rule]:
    for shaft in list_of(rule["lines"]):
        yield rules.Arrow(cells_of(rule["bulb"]), cells_of(shaft))


def _sum(rule: Any, _: Board) -> Iterator[Rule]:
    cells, total = cells_of(rule["cells"]), number_of(rule["sum"])
    if rule["kind"] not in ("little_killer", "frame", "group", "corner"):
        raise UnreadRule(f"{rule['kind']} sum")
    is_diagonal = rule["kind"] == "little_killer" and all(
        abs(a.row - b.row) == abs(a.column - b.column) == 1 for a, b in pairwise(cells)
    )
    if is_diagonal:
        yield rules.LittleKiller(cells, total)
    else:
        yield rules.Cage(cells, total, repeats=True)


def _outside(rule: Any, board: Board) -> Iterator[Rule]:
    make, key = _OUTSIDE[rule["type"]]
    cells = cells_of(rule["cells"])
    number = cells[0].row if rule["side"] in ("left", "right") else cells[0].column
    line = Line(str(rule["side"]), number + 1)
    if not board.is_single or board.line(line) != cells:
        raise UnreadRule(f"{rule['type']} along a part of a line")
    yield make(line, number_of(rule[key]))


def _neighbours(rule: Any, board: Board) -> Iterator[Rule]:
    if rule.get("kind") not in _NEIGHBOURS:
        raise UnreadRule("neighbours with an operator of their own")
    if not board.is_single and rule["kind"] == "antiking":
        raise UnreadRule("antiking on several grids")
    yield _NEIGHBOURS[rule["kind"]]()


def _relation(rule: Any, _: Board) -> Iterator[Rule]:
    pairs = [cells_of(pair) for pair in list_of(rule["pairs"])]
    if rule["op"] == "equal":
        yield from (rules.Clone((a,), (b,)) for a, b in pairs)
    elif rule["op"] == "different":
        yield from map(rules.ExtraRegion, pairs)
    else:
        raise UnreadRule(f"relation {rule['op']!r}")


def _cell(rule: Any, board: Board) -> Iterator[Rule]:
    kind, cells, n = rule["kind"], cells_of(rule["cells"]), board.digits
    if kind in ("odd", "even"):
        yield (rules.Odd if kind == "odd" else rules.Even)(cells)
        return
    everything = range(1, n + 1)
    if kind in ("low", "high"):
        split = number_of(rule["split"])
        digits = [digit for digit in everything if (digit <= split) == (kind == "low")]
    elif kind in ("set", "exclude"):
        values = set(map(number_of, list_of(rule["values"])))
        digits = [digit for digit in everything if (digit in values) == (kind == "set")]
    else:
        raise UnreadRule(f"{kind} cells")
    yield from (rules.GivenCandidates(cell, tuple(digits)) for cell in cells)


def _contains(rule: Any, _: Board) -> Iterator[Rule]:
    yield rules.Quadruple(cells_of(rule["cells"]), tuple(map(number_of, list_of(rule["digits"]))))


def _clone(rule: Any, _: Board) -> Iterator[Rule]:
    first, *others = map(cells_of, list_of(rule["regions"]))
    for other in others:
        shifts = {(b.row - a.row, b.column - a.column) for a, b in zip(first, other, strict=True)}
        if len(shifts) == 1:
            yield rules.Clone(first, other)
        else:
            yield from (rules.Clone((a,), (b,)) for a, b in zip(first, other, strict=True))


def _count(rule: Any, _: Board) -> Iterator[Rule]:
    cells = cells_of(rule["cells"])
    if rule.get("kind") == "circles":
        yield rules.CountingCircles(cells)
    elif "counts" in rule:
        pairs = [map(number_of, list_of(pair)) for pair in list_of(rule["counts"])]
        says = [number for digit, count in pairs for number in (count, digit)]
        yield rules.LookAndSay(cells, tuple(says))
    else:
        raise UnreadRule("a count of each digit")


_READERS: dict[str, tuple[set[str], Reader]] = {
    "region": (
        {"kind", "cells"},
        lambda rule, _: iter([rules.ExtraRegion(cells_of(rule["cells"]))]),
    ),
    "cage": ({"cells", "sum"}, _cage),
    "line": ({"kind", "cells", "closed", "value", "groups"}, _line),
    "arrow": ({"bulb", "lines"}, _arrow),
    "sum": ({"kind", "sum", "cells", "side"}, _sum),
    **{kind: ({key, "side", "cells"}, _outside) for kind, (_, key) in _OUTSIDE.items()},
    "neighbours": ({"kind"}, _neighbours),
    "relation": ({"op", "params", "pairs"}, _relation),
    "cell": ({"kind", "cells", "split", "values"}, _cell),
    "contains": ({"digits", "cells"}, _contains),
    "clone": ({"regions"}, _clone),
    "count": ({"kind", "cells", "counts"}, _count),
    "global_entropy": (set(), lambda *_: iter([rules.GlobalEntropy()])),
    "equal_sum": (
        {"segments"},
        lambda rule, _: iter([rules.EqualSums(tuple(map(cells_of, list_of(rule["segments"]))))]),
    ),
    # Marks between cells are read together, by `_edges`.
    "edge": ({"kind", "cells", *_VALUES}, lambda *_: iter(())),
    "negative": ({"of", "color", "letter", "value"}, lambda *_: iter(())),
}


def _edges(listed: list[Any], board: Board) -> Iterator[Rule]:
    marks: dict[tuple[str, Any], list[Cells]] = {}
    negatives = set()
    for rule in listed:
        value = next((rule[key] for key in _VALUES if key in rule), None)
        if rule["type"] == "edge":
            kind, pair = str(rule["kind"]), cells_of(rule["cells"])
            marks.setdefault((kind, value), []).append(pair[::-1] if kind == "less" else pair)
        elif rule["type"] == "negative":
            negatives.add((rule["of"], value))
    if negatives and not board.is_single:
        raise UnreadRule("negative rules on several grids")
    yield from _dots(marks, negatives)
    yield from _letters(marks, negatives)
    for kind, make in _VALUED.items():
        values = {value for of, value in [*marks, *negatives] if of == kind}
        negative = {value for of, value in negatives if of == kind}
        if negative and len(values) > 1:
            raise UnreadRule(f"negative {kind} together with other values")
        for value in sorted(values):
            pairs = tuple(marks.pop((kind, value), ()))
            yield make(pairs, number_of(value), value in negative)
        negatives -= {(kind, value) for value in negative}
    if less := marks.pop(("less", None), None):
        yield rules.Greater(tuple(less))
    left = sorted({kind for kind, _ in marks} | {f"negative {of}" for of, _ in negatives})
    if left:
        raise UnreadRule(", ".join(left))


def _dots(marks: dict[Any, list[Cells]], negatives: set[Any]) -> Iterator[Rule]:
    """Yield the rule of Kropki dots, and remove its marks."""
    white, black = (tuple(marks.pop(("kropki", colour), ())) for colour in ("white", "black"))
    named = {value for of, value in negatives if of == "kropki"}
    negatives -= {("kropki", value) for value in named}
    if named >= {None} or named == {"white", "black"}:
        yield rules.Kropki(white, black, all_given=True)
    elif named == {"white"} and not black:
        yield rules.Consecutive(white, all_given=True)
    elif named == {"black"} and not white:
        yield rules.Ratio(black, 2, all_given=True)
    elif named:
        raise UnreadRule("negative dots of one colour together with the other")
    elif white or black:
        yield rules.Kropki(white, black)


def _letters(marks: dict[Any, list[Cells]], negatives: set[Any]) -> Iterator[Rule]:
    """Yield the rule of X and V, and remove its marks."""
    x, v = (tuple(marks.pop(("xv", letter), ())) for letter in "XV")
    named = {value for of, value in negatives if of == "xv"}
    negatives -= {("xv", value) for value in named}
    if named and None not in named and named != {"X", "V"}:
        raise UnreadRule("negative of X or V alone")
    if x or v or named:
        yield rules.XV(x, v, bool(named))


# Writing


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
    rule: kind for listed in (_NEIGHBOURS, _VALUED, _LINES) for kind, rule in listed.items()
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
_OUTSIDE_KEYS = {rule: (kind, key) for kind, (rule, key) in _OUTSIDE.items()}


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
        case _ if kind in _NEIGHBOURS:
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
        case _ if type(rule) in _OUTSIDE_KEYS:
            kind, key = _OUTSIDE_KEYS[type(rule)]
            line = _names(board.line(rule.line))
            yield {"type": kind, key: rule.number, "side": rule.line.edge, "cells": line}
        case rules.FrameSum():
            for own in rule.constraints(board):
                record = {"type": "sum", "kind": "frame", "sum": rule.number}
                line = _names(getattr(own, "cells", ()))
                yield record | {"side": rule.line.edge, "cells": line}
        case rules.Thermometer(slow=True):
            yield {"type": "line", "kind": "slow_thermo", **cells}
        case _ if kind in _LINES:
            if getattr(rule, "is_round", False) and rule.is_closed:
                if kind not in _CLOSED:
                    raise UnheldRule
                cells = {"cells": _names(rule.cells[:-1]), "closed": True}
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
        case rules.CountingCircles():
            yield {"type": "count", "kind": "circles", **cells}
        case rules.LookAndSay():
            counts = sorted([digit, count] for count, digit in rule.counts())
            yield {"type": "count", "counts": counts, **cells}
        case rules.GlobalEntropy():
            yield {"type": "global_entropy"}
        case rules.EqualSums():
            yield {"type": "equal_sum", "segments": list(map(_names, rule.groups))}
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
            yield from _pairs("kropki", rule.white, color="white")
            yield from _pairs("kropki", rule.black, color="black")
        case rules.Consecutive():
            yield from _pairs("kropki", rule.marks, color="white")
        case rules.XV():
            yield from _pairs("xv", rule.x, letter="X")
            yield from _pairs("xv", rule.v, letter="V")
        case rules.Difference() | rules.Ratio():
            yield from _pairs(kind, rule.marks, value=rule.value)
        case rules.Greater():
            yield from _pairs("less", [pair[::-1] for pair in rule.marks])


def _more(rule: Any, board: Board) -> Record:
    """Return the keys of a line's record other than its kind and cells."""
    match rule:
        case rules.Whispers() | rules.Lockout():
            return {"value": rule.difference}
        case rules.Modular():
            return {"value": 3}
        case rules.Entropic() if board.digits != 9:
            return {"groups": _thirds(rule, board)}
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


def _pairs(kind: str, pairs: Iterable[Cells], **more: Any) -> Iterator[Record]:
    for pair in pairs:
        yield {"type": "edge", "kind": kind, **more, "cells": _names(pair)}


_KEYS = frozenset(
    [
        *("format", "format_version", "$schema", "meta", "board", "digits", "givens"),
        *("solution", "candidates", "rules", "decorations", "style", "ext"),
    ]
)


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle in this format."""
    return isinstance(value, dict) and value.get("format") == "sudoku-puzzle"


def of_value(value: Any, kind: base.Kind = None) -> Puzzle:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    if value.get("format_version") != 1:
        raise base.unreadable(
            f"sudoku-puzzle of version {shortened(value.get('format_version'), 20)}; wanted 1"
        )
    if strange := sorted(set(value) - _KEYS):
        raise base.unreadable(f"sudoku-puzzle with the unknown key {shortened(strange[0], 30)!r}")
    unread: list[str] = []
    with reading("board", PROGRAM, unread):
        return _puzzle(value, kind)
    raise base.unknown_rules(unread)


def _puzzle(value: dict[str, Any], kind: base.Kind) -> Puzzle:
    digits = number_of(value["digits"])
    n_rows, n_columns = (number_of(value["board"][key]) for key in ("rows", "cols"))
    givens = list_of(value["givens"])
    if len(givens) != n_rows * n_columns:
        raise ValueError(f"{len(givens)} givens for {n_rows} rows of {n_columns}")
    listed = list_of(value["rules"])
    if len(listed) > MOST_RULES:
        raise base.unreadable(f"more than {MOST_RULES:,} rules")
    corners = sorted(
        cell_of(rule["origin"]) for rule in listed if rule["type"] in ("grid", "box_grid")
    )
    if not corners:
        raise UnreadRule("a board without a grid")
    board = Board(digits, tuple(corners))
    given_cells = {
        Cell(*divmod(i, n_columns)) for i, given in enumerate(givens) if given is not None
    }
    if given_cells != set(board.cells) or (n_rows, n_columns) != (board.n_rows, board.n_columns):
        raise UnreadRule("cells outside its grids")
    houses, boxed = _houses(listed, board)
    rows = [
        ["." if given is None else number_of(given) for given in givens[i : i + n_columns]]
        for i in range(0, len(givens), n_columns)
    ]
    others = [*houses, *read_rules(listed, board), *_candidates(value.get("candidates") or {})]
    others = name_groups(others, divide(board, others))
    if board.is_single:
        return base.puzzle_of_rules(rows, others, kind, boxed=boxed)
    givens_text = [number_of(given or 0) for given in givens]
    return Variant.of(givens_text, others, corners=board.corners, boxed=boxed)


def _houses(listed: list[Any], board: Board) -> tuple[list[Rule], bool]:
    """Return the rule of the boxes, if they are not the usual ones, and whether there are any."""
    lines = {frozenset(line) for line in board.lines()}
    shapes = {tuple(rule["box"]) for rule in listed if rule["type"] == "box_grid"}
    n_plain = sum(rule["type"] == "grid" for rule in listed)
    boxes = [cells_of(rule["cells"]) for rule in listed if rule["type"] == "box"]
    for rule in listed:
        if rule["type"] in ("row", "column") and frozenset(cells_of(rule["cells"])) not in lines:
            raise UnreadRule(f"a {rule['type']} of its own")
    if shapes and not n_plain and not boxes and len(shapes) == 1:
        height, width = next(iter(shapes))
        return [rules.Boxes(number_of(height), number_of(width))], True
    if not shapes and not boxes:
        return [], False
    if not shapes and board.is_single:
        return houses_of(boxes, board.digits)
    raise UnreadRule("boxes of several shapes")


def _candidates(value: Any) -> Iterator[Rule]:
    for name, digits in value.items():
        yield rules.GivenCandidates(cell_of(name), tuple(map(number_of, list_of(digits))))


def _value(variant: Variant) -> dict[str, Any]:
    board = variant.board
    cells = set(board.cells)
    givens = [
        given if Cell(*divmod(place, board.n_columns)) in cells else None
        for place, given in enumerate(variant.givens.tolist())
    ]
    return {
        "format": "sudoku-puzzle",
        "format_version": 1,
        "board": {"rows": board.n_rows, "cols": board.n_columns},
        "digits": variant.size,
        "givens": givens,
        "rules": rules_value(variant),
    }


def _write(puzzle: Puzzle) -> str:
    return base.json_text(puzzle, PROGRAM, _value, of_value, several=True)


FORMAT = base.declare("pencilmark", write=_write)
