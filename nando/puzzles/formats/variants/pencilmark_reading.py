"""Reading the rules of the `sudoku-puzzle` format of pencilmark.

A rule is a record with a type, often a kind, and cells named ``r1c1``.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cells, Line
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import unknown_rules
from nando.puzzles.formats.variants.values import (
    Reader,
    UnreadRule,
    cells_of,
    list_of,
    number_of,
    reading,
)
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "pencilmark"

_COMMON = frozenset(["type", "id", "label", "style"])
_VALUES = ("color", "letter", "value", "sum")
"""Keys for the value of a mark between two cells."""
_HOUSES = ("grid", "box_grid", "box", "row", "column")

LINES: dict[str, Callable[[Cells], Rule]] = {
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
}
OUTSIDE: dict[str, tuple[Callable[[Line, int], Rule], str]] = {
    "sandwich": (rules.Sandwich, "sum"),
    "xsum": (rules.XSums, "sum"),
    "skyscraper": (rules.Skyscraper, "value"),
}
"""Rules of numbers outside the grid, and the keys of the numbers."""
NEIGHBOURS: dict[str, Callable[[], Rule]] = {
    "antiknight": rules.AntiKnight,
    "antiking": rules.AntiKing,
    "nonconsecutive": rules.NonConsecutive,
}
VALUED: dict[str, Callable[..., Rule]] = {"difference": rules.Difference, "ratio": rules.Ratio}
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
        raise unknown_rules(unread)


def _cage(rule: Any, _: Board) -> Iterator[Rule]:
    yield rules.Cage(cells_of(rule["cells"]), number_of(rule["sum"]) if "sum" in rule else None)


def _line(rule: Any, board: Board) -> Iterator[Rule]:
    kind, cells = rule["kind"], cells_of(rule["cells"])
    if rule.get("closed") and kind != "renban":
        raise UnreadRule(f"a closed {kind} line")
    if kind == "slow_thermo":
        yield rules.Thermometer(cells, slow=True)
        return
    if kind == "whisper":
        yield rules.Whispers(cells, number_of(rule.get("value", 5)))
        return
    if kind not in LINES or (kind == "modular" and rule.get("value", 3) != 3):
        raise UnreadRule(f"{kind} line")
    if (
        kind == "entropic"
        and "groups" in rule
        and sorted(map(sorted, rule["groups"])) != thirds_of(rules.Entropic(cells), board)
    ):
        raise UnreadRule("entropic line with groups of its own")
    if kind == "region_sum" and not any(
        isinstance(usual, rules.Boxes)
        for usual in Variant.of(f"{board.digits}x{board.digits}").rules
    ):
        raise UnreadRule("region sum line on irregular boxes")
    yield LINES[kind](cells)


def thirds_of(rule: rules.Entropic, board: Board) -> list[list[int]]:
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
    make, key = OUTSIDE[rule["type"]]
    cells = cells_of(rule["cells"])
    number = cells[0].row if rule["side"] in ("left", "right") else cells[0].column
    line = Line(str(rule["side"]), number + 1)
    if not board.is_single or board.line(line) != cells:
        raise UnreadRule(f"{rule['type']} along a part of a line")
    yield make(line, number_of(rule[key]))


def _neighbours(rule: Any, board: Board) -> Iterator[Rule]:
    if rule.get("kind") not in NEIGHBOURS:
        raise UnreadRule("neighbours with an operator of their own")
    if not board.is_single and rule["kind"] == "antiking":
        raise UnreadRule("antiking on several grids")
    yield NEIGHBOURS[rule["kind"]]()


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


_READERS: dict[str, tuple[set[str], Reader]] = {
    "region": (
        {"kind", "cells"},
        lambda rule, _: iter([rules.ExtraRegion(cells_of(rule["cells"]))]),
    ),
    "cage": ({"cells", "sum"}, _cage),
    "line": ({"kind", "cells", "closed", "value", "groups"}, _line),
    "arrow": ({"bulb", "lines"}, _arrow),
    "sum": ({"kind", "sum", "cells", "side"}, _sum),
    **{kind: ({key, "side", "cells"}, _outside) for kind, (_, key) in OUTSIDE.items()},
    "neighbours": ({"kind"}, _neighbours),
    "relation": ({"op", "params", "pairs"}, _relation),
    "cell": ({"kind", "cells", "split", "values"}, _cell),
    "contains": ({"digits", "cells"}, _contains),
    "clone": ({"regions"}, _clone),
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
    for kind, make in VALUED.items():
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
