"""The clues that rules offer: how each kind is drawn, and how many of them a puzzle has.

Marks and numbers are read off the digits; regions and clones grow where there is space. Lines that
the digits obey are random walks from every cell. More clues are drawn than a puzzle has, and many
of them share cells; :mod:`nando.generators.variants.choice` chooses among them. A rule without
parameters needs no clues.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any

from nando.generators.variants.board import (
    Canvas,
    Scope,
    Span,
    connected_parts,
    draw_regions,
    grow_region,
)
from nando.generators.variants.cages import (
    draw_cages,
    draw_circles,
    draw_diagonal_sums,
    draw_equal_sums,
    draw_look_and_say,
    draw_rellik,
    merge_cages,
    split_cage,
)
from nando.puzzles.boards.board import EDGES, Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.cells import Clone, GivenCandidates
from nando.puzzles.rules.houses import ExtraRegion
from nando.puzzles.rules.lines import Lockout
from nando.puzzles.rules.marks import Quadruple
from nando.puzzles.rules.sums import Cage, SumLine

_OFFERED, _WALKS = 300, 30
"""Lines after which no more are drawn, and most walks from each cell."""


@dataclass(frozen=True)
class Shape:
    """How the lines of a rule are drawn.

    Attributes
    ----------
    begins : callable or None
        Takes the board, the rule without cells, and digits; returns False if no line can begin with
        them. None: each beginning of a line must itself obey the rule.
    from_middle : bool
        True if a line grows at both ends.
    """

    begins: Callable[[Board, Any, Sequence[int]], bool] | None = None
    from_middle: bool = False


def line_through(rule: Any, given: Mapping[str, Any], cells: Cells) -> Rule:
    """Return the line through some cells."""
    line: Rule = rule(cells, **given)
    return line


def arrow_through(rule: Any, _: Mapping[str, Any], cells: Cells) -> Rule:
    """Return the arrow with its circle in the first cell."""
    arrow: Rule = rule(cells[:1], cells[1:])
    return arrow


def draw_lines(canvas: Canvas, rule: Any, given: Mapping[str, Any], shape: Shape) -> list[Rule]:
    """Return many lines that the digits obey, most of which share cells with others."""
    make = partial(line_through, rule, given)
    blank = make(())

    def may_begin(cells: Cells) -> bool:
        if shape.begins is not None:
            return shape.begins(canvas.board, blank, [canvas.digits[cell] for cell in cells])
        return make(cells).obeyed(canvas.board, canvas.digits)

    return _walk(canvas, canvas.scopes[rule.name].cells, make, may_begin, shape.from_middle)


def draw_arrows(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
    """Return many arrows that the digits obey, most of which share cells with others."""

    def may_begin(cells: Cells) -> bool:
        circle, *shaft = [canvas.digits[cell] for cell in cells]
        return sum(shaft) <= circle

    make = partial(arrow_through, rule, given)
    return _walk(canvas, canvas.scopes[rule.name].cells, make, may_begin, False)


def draw_lunchboxes(canvas: Canvas, rule: Any, _: Mapping[str, Any]) -> list[Rule]:
    """Return many lines with the sum of the digits between their least and their greatest."""

    def digits_of(cells: Cells) -> list[int]:
        return [canvas.digits[cell] for cell in cells]

    def make(cells: Cells) -> Any:
        return rule(cells, rule.counted(digits_of(cells)))

    def may_begin(cells: Cells) -> bool:
        return len(set(digits_of(cells))) == len(cells)

    return _walk(canvas, canvas.scopes[rule.name].cells, make, may_begin, False)


def near(_: Board, __: Rule, digits: Sequence[int]) -> bool:
    """Return True for different digits from a few consecutive ones."""
    return len(set(digits)) == len(digits) and max(digits) - min(digits) <= len(digits)


def different(_: Board, __: Rule, digits: Sequence[int]) -> bool:
    """Return True unless a digit is followed by itself."""
    return all(a != b for a, b in pairwise(digits))


def in_parts(_: Board, line: SumLine, digits: Sequence[int]) -> bool:
    """Return True if parts with the sum of the line begin with these digits."""
    left = line.total
    for digit in digits:
        left = (left or line.total) - digit
        if left < 0:
            return False
    return True


def balanced(board: Board, _: Rule, digits: Sequence[int]) -> bool:
    """Return True if two circles can hold as much as the digits after the first."""
    return sum(digits[1:-1]) <= digits[0] + board.values[-1]


def locked_out(board: Board, line: Lockout, digits: Sequence[int]) -> bool:
    """Return True if the line may begin with these digits."""
    return any(line.holds(board, [*digits, end]) for end in board.values)


def _walk(
    canvas: Canvas,
    sizes: Span,
    make: Callable[[Cells], Rule],
    may_begin: Callable[[Cells], bool],
    from_middle: bool,
) -> list[Rule]:
    """Return the clues that `make` returns for lines from random cells.

    Each is the longest beginning of a line that the digits obey.
    """
    least, most = sizes
    ways, mirrored = _from_middle if from_middle else _from_end, canvas.symmetry != "none"
    offered: dict[frozenset[Cell], Rule] = {}
    for start in canvas.shuffle(list(canvas.board.cells) * _WALKS):
        if len(offered) == _OFFERED:
            break
        line: Cells = () if start in canvas.used else (start,)
        length = least + canvas.below(most - least + 1)
        obeyed: Rule | None = None
        while line and len(line) + from_middle < length:
            grown = next(
                (
                    each
                    for each in ways(canvas, line)
                    if not _turns_back(each)
                    and may_begin(each)
                    and (not mirrored or may_begin(tuple(map(canvas.image, each))))
                ),
                None,
            )
            if grown is None:
                break
            line = grown
            if len(line) >= least:
                clue = make(line)
                says_something = any(True for _ in clue.constraints(canvas.board))
                if says_something and clue.obeyed(canvas.board, canvas.digits):
                    obeyed = clue
        if obeyed is not None:
            offered.setdefault(frozenset(obeyed.cells_named()), obeyed)
    return list(offered.values())


def draw_path(canvas: Canvas, sizes: Span) -> Cells | None:
    """Return a random line that does not pass its own cells, or None.

    It has the greatest of these sizes, or comes to a dead end.
    """
    free = [cell for cell in canvas.board.cells if cell not in canvas.used]
    line: Cells = (free[canvas.below(len(free))],) if free else ()
    while line and len(line) < sizes[1]:
        ways = (each for each in _from_end(canvas, line) if not _turns_back(each))
        if (grown := next(ways, None)) is None:
            break
        line = grown
    return line if len(line) >= sizes[0] else None


def _from_end(canvas: Canvas, cells: Cells) -> Iterator[Cells]:
    return ((*cells, step) for step in canvas.steps(cells[-1]) if step not in cells)


def _from_middle(canvas: Canvas, cells: Cells) -> Iterator[Cells]:
    return (
        (first, *cells, last)
        for first in canvas.steps(cells[0])
        for last in canvas.steps(cells[-1])
        if first != last and first not in cells and last not in cells
    )


def _turns_back(cells: Sequence[Cell]) -> bool:
    """Return True if a line crosses itself, or leads past a cell of its own."""
    return any(
        abs(cells[i].row - cells[j].row) + abs(cells[i].column - cells[j].column) == 1
        for i in range(len(cells))
        for j in range(i + 2, len(cells))
    )


def draw_marks(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
    """Return the marks between neighbours: all of them as one clue, or some as one clue each.

    They are one clue if the rule can state that all marks are given, and the canvas wants it.
    """
    start = tuple[Cells, ...]()
    names = [
        field.name for field in fields(rule) if field.name in ("marks", "white", "black", "x", "v")
    ]
    holds = [means for _, means in rule(**dict.fromkeys(names, start), **given).kinds()]
    marks: dict[str, list[Cells]] = {name: [] for name in names}
    for first, second in canvas.board.adjacent_pairs():
        a, b = canvas.digits[first], canvas.digits[second]
        for i in canvas.shuffle(range(len(names))):
            # A sign has a direction; every other mark means the same both ways.
            if holds[i](a, b) or holds[i](b, a):
                pair = (first, second) if holds[i](a, b) else (second, first)
                marks[names[i]].append(pair)
                break
    says_all = any(field.name == "all_given" for field in fields(rule))
    if says_all and canvas.is_whole:
        every = {name: tuple(pairs) for name, pairs in marks.items()}
        return [rule(**every, **(dict(given) | {"all_given": True}))]
    return [rule(**{name: (pair,)}, **given) for name in names for pair in marks[name]]


def draw_cells(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
    """Return single marked cells: odd, even, low, high, less or greater than all neighbours."""
    clues = (rule((cell,), **given) for cell in canvas.board.cells)
    return [clue for clue in clues if clue.obeyed(canvas.board, canvas.digits)]


def draw_quadruples(canvas: Canvas) -> list[Quadruple]:
    """Return circles with some of the digits around them."""
    clues = []
    least, most = canvas.scopes["quadruple"].cells
    for cell in canvas.board.cells:
        square = (cell, *canvas.board.around(cell, ((0, 1), (1, 0), (1, 1))))
        if len(square) == 4:
            digits = [canvas.digits[own] for own in canvas.shuffle(square)]
            clues.append(Quadruple(square, tuple(digits[: least + canvas.below(most - least + 1)])))
    return clues


def draw_candidates(canvas: Canvas) -> list[GivenCandidates]:
    """Return every cell with its digit and one or two others."""
    clues = []
    for cell in canvas.board.cells:
        own = canvas.digits[cell]
        others = canvas.shuffle(digit for digit in canvas.board.values if digit != own)
        clues.append(GivenCandidates(cell, (own, *others[: 1 + canvas.below(2)])))
    return clues


def draw_outside(canvas: Canvas, rule: Any, edges: Sequence[str]) -> list[Rule]:
    """Return a number at each end of rows and columns on these edges."""
    numbers = {
        line: rule(line, 0).number_in(canvas.board, canvas.digits)
        for line in canvas.board.views(edges)
    }
    return [rule(line, number) for line, number in numbers.items() if number is not None]


def draw_further_regions(canvas: Canvas) -> list[ExtraRegion]:
    """Return connected areas of as many cells as a row; no two of them share a cell."""
    n, most = canvas.board.size, canvas.scopes["extra-region"].clues[1]
    areas: list[ExtraRegion] = []
    for start in canvas.shuffle(canvas.board.cells):
        if len(areas) >= most:
            break
        cells = grow_region(canvas, start, n)
        image = list(map(canvas.image, cells))
        if len(cells) < n or (set(image) & set(cells) and set(image) != set(cells)):
            continue
        copies = {tuple(sorted(cells)), tuple(sorted(image))}
        if len(areas) + len(copies) > max(most, 2):
            continue
        for copy in sorted(copies):
            canvas.used.update(copy)
            areas.append(ExtraRegion(copy))
    return areas


_OFFERED_CLONES = 60


def draw_clones(canvas: Canvas) -> list[Clone]:
    """Return pairs of areas with the same digits, the largest ones first."""
    least, most = canvas.scopes["clone"].cells
    by_digit: dict[int, list[Cell]] = defaultdict(list)
    for cell, digit in canvas.digits.items():
        by_digit[digit].append(cell)
    cells_of: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cells in by_digit.values():
        for cell in cells:
            for copy in cells:
                if cell < copy:
                    cells_of[copy.row - cell.row, copy.column - cell.column].append(cell)
    pairs = [
        (tuple(part[:most]), shift)
        for shift, cells in cells_of.items()
        for part in connected_parts(cells)
        if len(part) >= least
    ]
    clones: list[Clone] = []
    for area, (down, right) in sorted(canvas.shuffle(pairs), key=lambda pair: -len(pair[0])):
        copies = tuple(Cell(row + down, column + right) for row, column in area)
        if not set(area) & set(copies):
            clones.append(Clone(area, copies))
    return clones[:_OFFERED_CLONES]


Draw = Callable[[Canvas, Any, Mapping[str, Any]], Sequence[Rule]]
"""Takes a canvas, the class of the rule and its parameters; returns clues that the digits obey."""

Through = Callable[[Any, Mapping[str, Any], Cells], Rule]


@dataclass(frozen=True)
class ClueKind:
    """How the clues of a rule are drawn, chosen and changed.

    Attributes
    ----------
    draw : callable
    newspaper, setter : Scope or None
        How many clues a 9x9 puzzle of this look has, and of how many cells; None if the rule does
        not have that look.
    layer : {"line", "area", "circle", ""}
        Two clues of the same layer share no cell; no given is on a line or in an area.
    is_layout : bool
        True if the clues are drawn before the digits.
    keeps_all : bool
        True if the clues of a whole canvas belong together: none is left out.
    joins : bool
        True if one rule names the cells of all clues.
    refine : callable or None
        Takes a canvas, all clues, the number of one, and other digits; returns all clues with that
        one replaced by clues that exclude the digits or, if these are the known ones, by stricter
        clues. The list is empty if there are none.
    merge : callable or None
        Takes a canvas, all clues and the number of one; returns, for each way to enlarge that clue,
        all clues with the larger one in its place.
    line : callable or None
        Takes the class of the rule, its parameters and cells; returns the clue of a line through
        these cells. None for clues that no line of any digits can be.
    flag, number : str
        Names of the parameters that can be requested; empty for none.
    """

    draw: Draw
    newspaper: Scope
    setter: Scope | None = None
    layer: str = ""
    is_layout: bool = False
    keeps_all: bool = False
    joins: bool = False
    refine: Callable[[Canvas, Sequence[Any], int, Mapping[Cell, int]], list[Rule]] | None = None
    merge: Callable[[Canvas, Sequence[Any], int], Iterable[list[Rule]]] | None = None
    line: Through | None = None
    flag: str = ""
    number: str = ""

    @property
    def has_sizes(self) -> bool:
        """True if clues can have more or fewer cells."""
        return self.newspaper.cells != ONE

    def lengths(self, asked: Any, board: Board) -> Span:
        """Return the cells of the shortest clue that says something, and of the longest.

        Lines are tried at each place of a row and the cell below its end.
        """
        make, n, most = self.line, board.size, len(board.cells)
        if make is None:
            return (2, board.digits) if asked.rule is Cage else (1, most)
        last = board.cells[n - 1]
        path = (*board.cells[:n], last._replace(row=last.row + 1))
        fit = []
        for size in range(2, n + 2):
            places = (path[i : i + size] for i in range(n + 2 - size))
            clues = (make(asked.rule, dict(asked.given), cells) for cells in places)
            if any(not [*clue.faults(board)] and [*clue.constraints(board)] for clue in clues):
                fit.append(size)
        return (fit[0], most if fit[-1] > n else fit[-1]) if fit else (2, most)

    @property
    def covers(self) -> bool:
        """True if no given may be on a clue."""
        return self.layer in ("line", "area")


ONE = Scope((1, 1)).cells
_ALL = 10_000
"""As many as there are."""


def _lines(
    cells: tuple[int, int], long: tuple[int, int], draw: Any = None, **options: Any
) -> ClueKind:
    """Return lines of so many cells in a newspaper, and by a setter."""
    if draw is None:
        shape = Shape(options.pop("begins", None), options.pop("from_middle", False))
        draw, options["line"] = partial(draw_lines, shape=shape), line_through
    looks = Scope((1, 12), cells), Scope((1, 16), (cells[0], long[1]))
    return ClueKind(draw, *looks, layer="line", **options)


def _outside(*edges: str) -> ClueKind:
    scope = Scope((1, _ALL))
    return ClueKind(lambda canvas, rule, _: draw_outside(canvas, rule, edges), scope, scope)


def _marks(**options: Any) -> ClueKind:
    return ClueKind(draw_marks, Scope((1, _ALL)), Scope((1, _ALL)), joins=True, **options)


def _cells(most: int = 27, **options: Any) -> ClueKind:
    return ClueKind(draw_cells, Scope((1, most)), layer="line", joins=True, **options)


def _of(
    draw: Callable[[Canvas], Sequence[Rule]],
    newspaper: Scope,
    setter: Scope | None = None,
    **options: Any,
) -> ClueKind:
    return ClueKind(lambda canvas, *_: draw(canvas), newspaper, setter, **options)


CLUES: dict[str, ClueKind] = {
    "regions": _of(draw_regions, Scope((1, 1)), is_layout=True),
    "extra-region": _of(draw_further_regions, Scope((1, 3)), is_layout=True),
    "killer": _of(
        draw_cages,
        Scope((1, _ALL), (2, 5)),
        Scope((1, _ALL), (2, 6)),
        **{"layer": "area", "keeps_all": True, "refine": split_cage, "merge": merge_cages},
    ),
    "rellik": _of(draw_rellik, Scope((1, 12), (3, 5)), Scope((1, 12), (3, 6)), layer="area"),
    "equal-sums": _of(draw_equal_sums, Scope((1, 14), (2, 3)), Scope((1, 8), (2, 6)), layer="area"),
    "look-and-say": _of(
        draw_look_and_say, Scope((1, 12), (4, 6)), Scope((1, 12), (4, 9)), layer="area"
    ),
    "little-killer": _of(draw_diagonal_sums, Scope((1, _ALL), (2, 9)), Scope((1, _ALL), (2, 9))),
    "sandwich": _outside("left", "top"),
    **dict.fromkeys(("x-sums", "skyscraper", "frame-sum", "numbered-room"), _outside(*EDGES)),
    "full-rank": _outside(*EDGES),
    **dict.fromkeys(("kropki", "xv", "greater", "consecutive"), _marks()),
    **dict.fromkeys(("difference", "ratio"), _marks(number="value")),
    "quadruple": _of(
        draw_quadruples, Scope((1, 16), (2, 4)), Scope((1, 16), (3, 4)), layer="circle"
    ),
    "thermometer": _lines((3, 6), (4, 9), flag="slow"),
    "arrow": _lines((3, 5), (3, 6), draw_arrows, line=arrow_through),
    "palindrome": _lines((3, 7), (5, 11), from_middle=True),
    "renban": _lines((3, 6), (4, 9), begins=near),
    "nabner": _lines((3, 5), (4, 5)),
    "whispers": _lines((3, 8), (4, 14), number="difference"),
    "parity": _lines((4, 8), (6, 14)),
    "entropic": _lines((4, 8), (6, 14)),
    "modular": _lines((4, 8), (6, 14)),
    "between": _lines((3, 6), (4, 8), begins=different),
    "lockout": _lines((3, 6), (4, 8), begins=locked_out, number="difference"),
    "zipper": _lines((3, 7), (5, 11), from_middle=True),
    "region-sum": _lines((4, 7), (5, 9), begins=different),
    "double-arrow": _lines((3, 6), (3, 7), begins=balanced),
    "sum-line": _lines((3, 8), (4, 12), begins=in_parts, number="total"),
    **dict.fromkeys(("odd", "even", "low", "high", "minimum", "maximum"), _cells()),
    **dict.fromkeys(("indexing", "box-indexing"), _cells()),
    "lunchbox": _lines((4, 6), (4, 9), draw_lunchboxes),
    "counting-circles": _of(draw_circles, Scope((1, 1)), layer="line"),
    "clone": _of(draw_clones, Scope((1, 6), (2, 5)), layer="area"),
    "candidates": _of(draw_candidates, Scope((1, 40)), layer="line"),
}
"""The clues of rules with parameters, by name of the rule."""
