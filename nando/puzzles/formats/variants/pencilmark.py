"""The `sudoku-puzzle` format of pencilmark, version 1: JSON with givens and a list of rules.

A rule has a type, often a kind, and cells named ``r1c1``. Rows, columns and boxes are rules too:
`grid` and `box_grid` name the upper left cell of each grid.
"""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from nando.puzzles.boards.board import Board, Cell, Cells, Line
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import SPOILT, shortened
from nando.puzzles.formats.format import (
    Format,
    Kind,
    as_variant,
    checked,
    puzzle_of_rules,
    unknown_rules,
    unreadable,
)
from nando.puzzles.formats.variants.pencilmark_writing import PROGRAM, rules_value
from nando.puzzles.formats.variants.values import (
    MOST_RULES,
    UnreadRule,
    cell_of,
    cells_of,
    damaged,
    houses_of,
    list_of,
    named_groups,
    number_of,
)
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.rules.arrows import Arrow
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.cages import Cage, LittleKiller
from nando.puzzles.rules.cells import Even, GivenCandidates, Odd
from nando.puzzles.rules.clones import Clone
from nando.puzzles.rules.houses import ExtraRegion
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
from nando.puzzles.rules.outside import Sandwich, Skyscraper, XSums
from nando.puzzles.rules.quadruples import Quadruple
from nando.puzzles.rules.thermometers import Thermometer
from nando.puzzles.variants.puzzle import Variant

_KEYS = frozenset(
    [
        *("format", "format_version", "$schema", "meta", "board", "digits", "givens"),
        *("solution", "candidates", "rules", "decorations", "style", "ext"),
    ]
)
_COMMON = frozenset(["type", "id", "label", "style"])
_VALUES = ("color", "letter", "value", "sum")
"""Keys of what a mark between two cells says."""
_HOUSES = ("grid", "box_grid", "box", "row", "column")


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle in this format."""
    return isinstance(value, dict) and value.get("format") == "sudoku-puzzle"


def of_value(value: Any, wanted: Kind = None) -> Puzzle:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    if value.get("format_version") != 1:
        raise unreadable(
            f"sudoku-puzzle of version {shortened(value.get('format_version'), 20)}; wanted 1"
        )
    if strange := sorted(set(value) - _KEYS):
        raise unreadable(f"sudoku-puzzle with the unknown key {shortened(strange[0], 30)!r}")
    try:
        return _puzzle(value, wanted)
    except UnreadRule as error:
        raise unknown_rules([str(error)]) from None
    except PuzzleError:
        raise
    except SPOILT as error:
        raise damaged("board", PROGRAM, error) from None


def _puzzle(value: dict[str, Any], wanted: Kind) -> Puzzle:
    digits = number_of(value["digits"])
    n_rows, n_columns = (number_of(value["board"][key]) for key in ("rows", "cols"))
    givens = list_of(value["givens"])
    if len(givens) != n_rows * n_columns:
        raise ValueError(f"{len(givens)} givens for {n_rows} rows of {n_columns}")
    listed = list_of(value["rules"])
    if len(listed) > MOST_RULES:
        raise unreadable(f"more than {MOST_RULES:,} rules")
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
    rules = [*houses, *_rules(listed, board), *_candidates(value.get("candidates") or {})]
    rules = named_groups(rules, board)
    if board.is_single:
        return puzzle_of_rules(rows, rules, wanted, boxed=boxed)
    givens_text = [number_of(given or 0) for given in givens]
    return Variant.of(givens_text, rules, corners=board.corners, boxed=boxed)


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
        return [Boxes(number_of(height), number_of(width))], True
    if not shapes and not boxes:
        return [], False
    if not shapes and board.is_single:
        return houses_of(boxes, board.digits)
    raise UnreadRule("boxes of several shapes")


def _candidates(value: Any) -> Iterator[Rule]:
    for name, digits in value.items():
        yield GivenCandidates(cell_of(name), tuple(map(number_of, list_of(digits))))


def _rules(listed: list[Any], board: Board) -> Iterator[Rule]:
    unread: list[str] = []
    for rule in listed:
        kind = str(rule["type"])
        if kind in _HOUSES:
            continue
        try:
            if kind not in _READERS:
                raise UnreadRule(" ".join([str(rule.get("kind", "")), kind]).strip())
            known, read = _READERS[kind]
            if strange := sorted(set(rule) - _COMMON - known):
                raise UnreadRule(f"{kind} with {strange[0]!r}")
            yield from read(rule, board)
        except UnreadRule as error:
            unread.append(str(error))
        except PuzzleError:
            raise
        except SPOILT as error:
            raise damaged(kind, PROGRAM, error) from None
    try:
        yield from _edges(listed, board)
    except UnreadRule as error:
        unread.append(str(error))
    except SPOILT as error:
        raise damaged("edge", PROGRAM, error) from None
    if unread:
        raise unknown_rules(unread)


# Readers of one type each


def _region(rule: Any, _: Board) -> Iterator[Rule]:
    yield ExtraRegion(cells_of(rule["cells"]))


def _cage(rule: Any, _: Board) -> Iterator[Rule]:
    yield Cage(cells_of(rule["cells"]), number_of(rule["sum"]) if "sum" in rule else None)


_LINES: dict[str, Callable[[Cells], Rule]] = {
    "thermo": Thermometer,
    "slow_thermo": lambda cells: Thermometer(cells, slow=True),
    "renban": Renban,
    "region_sum": RegionSum,
    "palindrome": Palindrome,
    "parity": Parity,
    "zipper": Zipper,
    "between": Between,
    "entropic": Entropic,
    "modular": Modular,
}


def _line(rule: Any, board: Board) -> Iterator[Rule]:
    kind, cells = rule["kind"], cells_of(rule["cells"])
    if rule.get("closed") and kind != "renban":
        raise UnreadRule(f"a closed {kind} line")
    if kind == "whisper":
        yield Whispers(cells, number_of(rule.get("value", 5)))
        return
    if kind not in _LINES or (kind == "modular" and rule.get("value", 3) != 3):
        raise UnreadRule(f"{kind} line")
    if kind == "entropic" and "groups" in rule:
        thirds: dict[int, list[int]] = {}
        for digit in range(1, board.digits + 1):
            thirds.setdefault(Entropic(cells).class_of(board, digit), []).append(digit)
        if sorted(map(sorted, rule["groups"])) != list(thirds.values()):
            raise UnreadRule("entropic line with groups of its own")
    if kind == "region_sum" and not any(isinstance(r, Boxes) for r in _usual(board)):
        raise UnreadRule("region sum line on irregular boxes")
    yield _LINES[kind](cells)


def _usual(board: Board) -> tuple[Rule, ...]:
    return Variant.of(f"{board.digits}x{board.digits}").rules


def _arrow(rule: Any, _: Board) -> Iterator[Rule]:
    for shaft in list_of(rule["lines"]):
        yield Arrow(cells_of(rule["bulb"]), cells_of(shaft))


def _sum(rule: Any, _: Board) -> Iterator[Rule]:
    cells, total = cells_of(rule["cells"]), number_of(rule["sum"])
    if rule["kind"] not in ("little_killer", "frame", "group", "corner"):
        raise UnreadRule(f"{rule['kind']} sum")
    is_diagonal = rule["kind"] == "little_killer" and all(
        abs(a.row - b.row) == abs(a.column - b.column) == 1 for a, b in pairwise(cells)
    )
    yield LittleKiller(cells, total) if is_diagonal else Cage(cells, total, repeats=True)


def _outside(make: Callable[[Line, int], Rule], key: str) -> Callable[[Any, Board], Iterator[Rule]]:
    def read(rule: Any, board: Board) -> Iterator[Rule]:
        cells = cells_of(rule["cells"])
        number = cells[0].row if rule["side"] in ("left", "right") else cells[0].column
        line = Line(str(rule["side"]), number + 1)
        if not board.is_single or board.line(line) != cells:
            raise UnreadRule(f"{rule['type']} along a part of a line")
        yield make(line, number_of(rule[key]))

    return read


def _neighbours(rule: Any, board: Board) -> Iterator[Rule]:
    rules = {"antiknight": AntiKnight, "antiking": AntiKing, "nonconsecutive": NonConsecutive}
    if rule.get("kind") not in rules:
        raise UnreadRule("neighbours with an operator of their own")
    if not board.is_single and rule["kind"] == "antiking":
        raise UnreadRule("antiking on several grids")
    yield rules[rule["kind"]]()


def _relation(rule: Any, _: Board) -> Iterator[Rule]:
    pairs = [cells_of(pair) for pair in list_of(rule["pairs"])]
    if rule["op"] == "equal":
        yield from (Clone((a,), (b,)) for a, b in pairs)
    elif rule["op"] == "different":
        yield from map(ExtraRegion, pairs)
    else:
        raise UnreadRule(f"relation {rule['op']!r}")


def _cell(rule: Any, board: Board) -> Iterator[Rule]:
    kind, cells, n = rule["kind"], cells_of(rule["cells"]), board.digits
    if kind in ("odd", "even"):
        yield (Odd if kind == "odd" else Even)(cells)
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
    yield from (GivenCandidates(cell, tuple(digits)) for cell in cells)


def _contains(rule: Any, _: Board) -> Iterator[Rule]:
    yield Quadruple(cells_of(rule["cells"]), tuple(map(number_of, list_of(rule["digits"]))))


def _clone(rule: Any, _: Board) -> Iterator[Rule]:
    first, *others = map(cells_of, list_of(rule["regions"]))
    for other in others:
        shifts = {(b.row - a.row, b.column - a.column) for a, b in zip(first, other, strict=True)}
        if len(shifts) == 1:
            yield Clone(first, other)
        else:
            yield from (Clone((a,), (b,)) for a, b in zip(first, other, strict=True))


def _later(_: Any, __: Board) -> Iterator[Rule]:
    yield from ()


_READERS: dict[str, tuple[set[str], Callable[[Any, Board], Iterator[Rule]]]] = {
    "region": ({"kind", "cells"}, _region),
    "cage": ({"cells", "sum"}, _cage),
    "line": ({"kind", "cells", "closed", "value", "groups"}, _line),
    "arrow": ({"bulb", "lines"}, _arrow),
    "sum": ({"kind", "sum", "cells", "side"}, _sum),
    "sandwich": ({"sum", "side", "cells"}, _outside(Sandwich, "sum")),
    "xsum": ({"sum", "side", "cells"}, _outside(XSums, "sum")),
    "skyscraper": ({"value", "side", "cells"}, _outside(Skyscraper, "value")),
    "neighbours": ({"kind"}, _neighbours),
    "relation": ({"op", "params", "pairs"}, _relation),
    "cell": ({"kind", "cells", "split", "values"}, _cell),
    "contains": ({"digits", "cells"}, _contains),
    "clone": ({"regions"}, _clone),
    "edge": ({"kind", "cells", "color", "letter", "value", "sum"}, _later),
    "negative": ({"of", "color", "letter", "value"}, _later),
}


# Marks between cells, which are read together


def _edges(listed: list[Any], board: Board) -> Iterator[Rule]:
    marks: dict[tuple[str, Any], list[Cells]] = {}
    for rule in listed:
        if rule["type"] == "edge":
            kind = str(rule["kind"])
            value = next(
                (rule[key] for key in ("color", "letter", "value", "sum") if key in rule), None
            )
            pair = cells_of(rule["cells"])
            marks.setdefault((kind, value), []).append(pair[::-1] if kind == "less" else pair)
    negatives = {
        (rule["of"], next((rule[key] for key in _VALUES if key in rule), None))
        for rule in listed
        if rule["type"] == "negative"
    }
    if negatives and not board.is_single:
        raise UnreadRule("negative rules on several grids")
    yield from _dots(marks, negatives)
    yield from _letters(marks, negatives)
    for kind, make in (("difference", Difference), ("ratio", Ratio)):
        values = {value for of, value in [*marks, *negatives] if of == kind}
        negative = {value for of, value in negatives if of == kind}
        if negative and len(values) > 1:
            raise UnreadRule(f"negative {kind} together with other values")
        for value in sorted(values):
            pairs = tuple(marks.pop((kind, value), ()))
            yield make(pairs, number_of(value), value in negative)
        negatives -= {(kind, value) for value in negative}
    if less := marks.pop(("less", None), None):
        yield Greater(tuple(less))
    left = sorted({kind for kind, _ in marks} | {f"negative {of}" for of, _ in negatives})
    if left:
        raise UnreadRule(", ".join(left))


def _dots(marks: dict[Any, list[Cells]], negatives: set[Any]) -> Iterator[Rule]:
    """Yield the rule of Kropki dots, and take its marks out."""
    white, black = (tuple(marks.pop(("kropki", colour), ())) for colour in ("white", "black"))
    named = {value for of, value in negatives if of == "kropki"}
    negatives -= {("kropki", value) for value in named}
    if named >= {None} or named == {"white", "black"}:
        yield Kropki(white, black, all_given=True)
    elif named == {"white"} and not black:
        yield Consecutive(white, all_given=True)
    elif named == {"black"} and not white:
        yield Ratio(black, 2, all_given=True)
    elif named:
        raise UnreadRule("negative dots of one colour together with the other")
    elif white or black:
        yield Kropki(white, black)


def _letters(marks: dict[Any, list[Cells]], negatives: set[Any]) -> Iterator[Rule]:
    """Yield the rule of X and V, and take its marks out."""
    x, v = (tuple(marks.pop(("xv", letter), ())) for letter in "XV")
    named = {value for of, value in negatives if of == "xv"}
    negatives -= {("xv", value) for value in named}
    if named and None not in named and named != {"X", "V"}:
        raise UnreadRule("negative of X or V alone")
    if x or v or named:
        yield XV(x, v, bool(named))


def _write(puzzle: Puzzle) -> str:
    variant = as_variant(puzzle, PROGRAM, several=True)
    board = variant.board
    cells = set(board.cells)
    givens = [
        given if Cell(*divmod(place, board.n_columns)) in cells else None
        for place, given in enumerate(variant.givens.tolist())
    ]
    value = {
        "format": "sudoku-puzzle",
        "format_version": 1,
        "board": {"rows": board.n_rows, "cols": board.n_columns},
        "digits": variant.size,
        "givens": givens,
        "rules": rules_value(variant),
    }
    text = json.dumps(value, separators=(",", ":"))
    return checked(text, of_value(value, Variant), variant, PROGRAM)


FORMAT = Format(
    name="pencilmark",
    title="JSON of pencilmark: sudoku-puzzle, version 1",
    holds="Sudoku, variants",
    write=_write,
    single=True,
)
