"""The clues that rules ask for: how each kind is drawn, and requests such as ``whispers:4``.

Marks and numbers are read off the digits; lines are random walks that do not tangle; regions and
clones grow where there is space. A rule without parameters needs no clues.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import islice, pairwise
from typing import Any

from nando.generators.variants.areas import (
    draw_circles,
    draw_equal_sums,
    draw_look_and_say,
    draw_rellik,
)
from nando.generators.variants.board import Canvas, connected_parts, draw_regions, grow_region
from nando.generators.variants.cages import draw_cages, draw_diagonal_sums, merge_cages, split_cage
from nando.puzzles.boards.board import EDGES, ONE_GRID, Board, Cell, Cells, Line
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.boxes import Regions
from nando.puzzles.rules.cells import Clone, GivenCandidates
from nando.puzzles.rules.houses import ExtraRegion
from nando.puzzles.rules.lines import Lockout
from nando.puzzles.rules.marks import Quadruple
from nando.puzzles.rules.registry import find_rule
from nando.puzzles.rules.sums import Arrow, DoubleArrow, Lunchbox, SumLine
from nando.puzzles.variants.text import LAYOUTS, NO_BOXES

_CELLS_PER_MARK = 3
"""At most one cell in three is marked odd, even, low or high."""


def draw_marks(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
    """Return the marks between neighbours: all of them as one clue, or some as one clue each.

    They are one clue if the rule can state that all marks are given, and if no number of clues is
    requested.
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
    if says_all and canvas.wanted is None:
        every = {name: tuple(pairs) for name, pairs in marks.items()}
        return [rule(**every, **(dict(given) | {"all_given": True}))]
    each = [(name, pair) for name in names for pair in marks[name]]
    return [
        rule(**{name: (pair,)}, **given) for name, pair in canvas.shuffle(each)[: canvas.wanted]
    ]


def draw_cells(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
    """Return single marked cells: odd, even, low, high, less or greater than all neighbours."""
    most = canvas.wanted or len(canvas.board.cells) // _CELLS_PER_MARK
    clues = (rule((cell,), **given) for cell in canvas.shuffle(canvas.board.cells))
    obeyed = (clue for clue in clues if clue.obeyed(canvas.board, canvas.digits))
    return list(islice(obeyed, most))


def draw_quadruples(canvas: Canvas) -> list[Quadruple]:
    """Return circles with two to four digits, none of which share a cell."""
    clues: list[Quadruple] = []
    used: set[Cell] = set()
    for cell in canvas.shuffle(canvas.board.cells):
        square = (cell, *canvas.board.around(cell, ((0, 1), (1, 0), (1, 1))))
        if len(square) < 4 or used & set(square):
            continue
        used |= set(square)
        digits = [canvas.digits[own] for own in canvas.shuffle(square)]
        clues.append(Quadruple(square, tuple(digits[: 2 + canvas.below(3)])))
    return clues[: canvas.wanted]


def draw_candidates(canvas: Canvas) -> list[GivenCandidates]:
    """Return cells with their digit and one or two others."""
    n = canvas.board.digits
    clues = []
    for cell in canvas.shuffle(canvas.board.cells)[: canvas.wanted or n * n // 2]:
        own = canvas.digits[cell]
        others = canvas.shuffle(digit for digit in range(1, n + 1) if digit != own)
        clues.append(GivenCandidates(cell, (own, *others[: 1 + canvas.below(2)])))
    return clues


def draw_outside(canvas: Canvas, rule: Any, edges: Sequence[str]) -> list[Rule]:
    """Return numbers at these edges, for ends of rows and columns that have none yet."""
    board, n = canvas.board, canvas.board.digits
    ends = [Line(edge, number) for edge in edges for number in range(1, n + 1)]
    free = [line for line in canvas.shuffle(ends) if line not in canvas.outside]
    clues = []
    for line in free[: canvas.wanted]:
        canvas.outside.add(line)
        digits = [canvas.digits[cell] for cell in board.line(line)]
        clues.append(rule(line, rule(line, 0).counted(board, digits)))
    return clues


_WALKS = 120
"""Walks tried for one line."""


@dataclass(frozen=True)
class Shape:
    """How the lines of a rule are drawn.

    Attributes
    ----------
    least, most : int
        Cells of a line.
    begins : callable or None
        Returns False for digits with which no line can begin. None: each beginning of a line must
        itself obey the rule.
    from_middle : bool
        True if a line grows at both ends.
    """

    least: int
    most: int
    begins: Callable[[Sequence[int]], bool] | None = None
    from_middle: bool = False


def draw_lines(canvas: Canvas, rule: Any, given: Mapping[str, Any], shape: Shape) -> list[Rule]:
    """Return lines that the digits obey; by default about two for every three rows."""
    most = _want(canvas)

    def may_begin(cells: Cells) -> bool:
        if shape.begins is None:
            return bool(rule(cells, **given).obeyed(canvas.board, canvas.digits))
        return shape.begins([canvas.digits[cell] for cell in cells])

    def says_something(cells: Cells) -> bool:
        clue = rule(cells, **given)
        has_constraints = next(clue.constraints(canvas.board), None) is not None
        return has_constraints and bool(clue.obeyed(canvas.board, canvas.digits))

    draw = _from_middle if shape.from_middle else _from_end
    clues: list[Rule] = []
    while len(clues) < most:
        best: Cells = ()
        length = shape.least + canvas.below(shape.most - shape.least + 1)
        for _ in range(_WALKS):
            cells = draw(canvas, length, may_begin)
            if len(cells) > max(len(best), shape.least - 1) and says_something(cells):
                best = cells
                if len(best) >= length - 1:
                    break
        if not best:
            break
        canvas.use(best)
        clues.append(rule(best, **given))
    return clues


def draw_arrows(canvas: Canvas) -> list[Arrow]:
    """Return arrows with two to four cells on the shaft."""
    most = _want(canvas)
    clues: list[Arrow] = []

    def fits(cells: Cells) -> bool:
        circle, *shaft = [canvas.digits[cell] for cell in cells]
        return sum(shaft) <= circle

    for _ in range(_WALKS * most):
        cells = _from_end(canvas, 5, fits)
        if len(cells) < 3 or len(clues) == most:
            continue
        arrow = Arrow(cells[:1], cells[1:])
        if arrow.obeyed(canvas.board, canvas.digits):
            canvas.use(cells)
            clues.append(arrow)
    return clues


def in_parts(_: Board, line: SumLine, digits: Sequence[int]) -> bool:
    """Return True if parts with the sum of the line begin with these digits."""
    left = line.total
    for digit in digits:
        left = (left or line.total) - digit
        if left < 0:
            return False
    return True


def balanced(board: Board, _: DoubleArrow, digits: Sequence[int]) -> bool:
    """Return True if two circles can hold as much as the digits after the first."""
    return sum(digits[1:-1]) <= digits[0] + board.digits


def locked_out(board: Board, line: Lockout, digits: Sequence[int]) -> bool:
    """Return True if the line may begin with these digits."""
    return any(line.holds(board, [*digits, end]) for end in range(1, board.digits + 1))


def draw_lunchboxes(canvas: Canvas) -> list[Rule]:
    """Return lines of different digits with the sum of those between the least and the greatest."""

    def lunchbox(cells: Cells) -> Lunchbox:
        return Lunchbox(cells, Lunchbox.counted([canvas.digits[cell] for cell in cells]))

    return draw_lines(canvas, lunchbox, {}, Shape(4, 6, all_different))


def all_different(digits: Sequence[int]) -> bool:
    """Return True if no digit repeats."""
    return len(set(digits)) == len(digits)


def near(digits: Sequence[int]) -> bool:
    """Return True for different digits from a few consecutive ones."""
    return all_different(digits) and max(digits) - min(digits) <= len(digits)


def different(digits: Sequence[int]) -> bool:
    """Return True unless a digit is followed by itself."""
    return all(a != b for a, b in pairwise(digits))


def _from_end(canvas: Canvas, length: int, may_begin: Callable[[Cells], bool]) -> Cells:
    """Return a random line that grows at one end as long as it may."""

    def longer(cells: Cells) -> Iterator[Cells]:
        return ((*cells, step) for step in canvas.steps(cells[-1]) if step not in cells)

    return _grow(canvas, length, longer, may_begin)


def _from_middle(canvas: Canvas, length: int, may_begin: Callable[[Cells], bool]) -> Cells:
    """Return a random line of odd length that grows at both ends."""

    def longer(cells: Cells) -> Iterator[Cells]:
        return (
            (first, *cells, last)
            for first in canvas.steps(cells[0])
            for last in canvas.steps(cells[-1])
            if first != last and first not in cells and last not in cells
        )

    return _grow(canvas, length - 1, longer, may_begin)


def _grow(
    canvas: Canvas,
    length: int,
    longer: Callable[[Cells], Iterator[Cells]],
    may_begin: Callable[[Cells], bool],
) -> Cells:
    """Return a line from a random free cell that grows while it is shorter than `length`."""
    free = [cell for cell in canvas.board.cells if cell not in canvas.used]
    line: Cells = (free[canvas.below(len(free))],) if free else ()
    while line and len(line) < length:
        fit = (each for each in longer(line) if not _turns_back(each) and may_begin(each))
        grown = next(fit, None)
        if grown is None:
            break
        line = grown
    return line


def _turns_back(cells: Sequence[Cell]) -> bool:
    """Return True if a line crosses itself, or leads past a cell of its own."""
    return any(
        abs(cells[i].row - cells[j].row) + abs(cells[i].column - cells[j].column) == 1
        for i in range(len(cells))
        for j in range(i + 2, len(cells))
    )


def _want(canvas: Canvas) -> int:
    """Return the number of lines to draw, by default about two for every three rows."""
    return canvas.wanted or max(2, 2 * len(canvas.board.cells) // (3 * canvas.board.digits))


_REGIONS = 3
"""Default number of further regions."""

_LARGEST_CLONE = 5


def draw_further_regions(canvas: Canvas) -> list[ExtraRegion]:
    """Return connected areas of as many cells as there are digits; no two of them share a cell."""
    n = canvas.board.digits
    areas: list[ExtraRegion] = []
    for start in canvas.shuffle(canvas.board.cells):
        if len(areas) == (canvas.wanted or _REGIONS):
            break
        cells = grow_region(canvas, start, n)
        image = list(map(canvas.image, cells))
        if len(cells) < n or (set(image) & set(cells) and set(image) != set(cells)):
            continue
        copies = {tuple(sorted(cells)), tuple(sorted(image))}
        if len(areas) + len(copies) > (canvas.wanted or _REGIONS + 1):
            continue
        for copy in sorted(copies):
            canvas.used.update(copy)
            areas.append(ExtraRegion(copy))
    return areas


def draw_clones(canvas: Canvas) -> list[Clone]:
    """Return pairs of areas with the same digits, the largest ones first."""
    cells_of: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    by_digit: dict[int, list[Cell]] = defaultdict(list)
    for cell, digit in canvas.digits.items():
        by_digit[digit].append(cell)
    for cells in by_digit.values():
        for cell in cells:
            for copy in cells:
                if cell < copy:
                    cells_of[copy.row - cell.row, copy.column - cell.column].append(cell)
    pairs = [
        (tuple(part[:_LARGEST_CLONE]), shift)
        for shift, cells in cells_of.items()
        for part in connected_parts(cells)
    ]
    clones: list[Clone] = []
    for area, (down, right) in sorted(canvas.shuffle(pairs), key=lambda pair: -len(pair[0])):
        copies = tuple(Cell(row + down, column + right) for row, column in area)
        together = {*area, *copies}
        if len(clones) == (canvas.wanted or 5) or len(area) < 2:
            break
        if len(together) == 2 * len(area) and not together & canvas.used:
            canvas.used |= together
            clones.append(Clone(area, copies))
    return clones


Draw = Callable[[Canvas, Any, Mapping[str, Any]], Sequence[Rule]]
"""Takes a canvas, the class of the rule and its parameters; returns clues that the digits obey."""


@dataclass(frozen=True)
class ClueKind:
    """How the clues of a rule are drawn and changed.

    Attributes
    ----------
    draw : callable
    is_layout : bool
        True if the clues are drawn before the digits.
    keeps_all : bool
        True if the clues belong together: none is left out, even if it is not needed.
    joins : bool
        True if one rule names the cells of all clues.
    refine : callable or None
        Takes a canvas, all clues, the number of one, and other digits; returns all clues with that
        one replaced by clues that exclude the digits or, if these are the known ones, by stricter
        clues. The list is empty if there are none.
    merge : callable or None
        Takes a canvas, all clues and the number of one; returns, for each way to enlarge that clue,
        all clues with the larger one in its place.
    flag, number : str
        Names of the parameters that can be requested; empty for none.
    """

    draw: Draw
    is_layout: bool = False
    keeps_all: bool = False
    joins: bool = False
    refine: Callable[[Canvas, Sequence[Any], int, Mapping[Cell, int]], list[Rule]] | None = None
    merge: Callable[[Canvas, Sequence[Any], int], Iterable[list[Rule]]] | None = None
    flag: str = ""
    number: str = ""


def _lines(shape: Shape, **options: Any) -> ClueKind:
    return ClueKind(lambda canvas, rule, given: draw_lines(canvas, rule, given, shape), **options)


def _lines_begun(
    least: int, most: int, begins: Callable[[Board, Any, Sequence[int]], bool], number: str = ""
) -> ClueKind:
    def draw(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
        shape = Shape(least, most, partial(begins, canvas.board, rule((), **given)))
        return draw_lines(canvas, rule, given, shape)

    return ClueKind(draw, number=number)


def _outside(*edges: str) -> ClueKind:
    return ClueKind(lambda canvas, rule, _: draw_outside(canvas, rule, edges))


def _of(draw: Callable[[Canvas], Sequence[Rule]], **options: Any) -> ClueKind:
    return ClueKind(lambda canvas, *_: draw(canvas), **options)


_CELLS, _MARKS = ClueKind(draw_cells, joins=True), ClueKind(draw_marks, joins=True)
_VALUED = ClueKind(draw_marks, joins=True, number="value")

CLUES: dict[str, ClueKind] = {
    "regions": _of(draw_regions, is_layout=True),
    "extra-region": _of(draw_further_regions, is_layout=True),
    "killer": _of(draw_cages, keeps_all=True, refine=split_cage, merge=merge_cages),
    "rellik": _of(draw_rellik),
    "equal-sums": _of(draw_equal_sums),
    "look-and-say": _of(draw_look_and_say),
    "little-killer": _of(draw_diagonal_sums),
    "sandwich": _outside("left", "top"),
    "x-sums": _outside(*EDGES),
    "skyscraper": _outside(*EDGES),
    "frame-sum": _outside(*EDGES),
    "numbered-room": _outside(*EDGES),
    **dict.fromkeys(("kropki", "xv", "greater", "consecutive"), _MARKS),
    **dict.fromkeys(("difference", "ratio"), _VALUED),
    "quadruple": _of(draw_quadruples),
    "thermometer": _lines(Shape(3, 6), flag="slow"),
    "arrow": _of(draw_arrows),
    "palindrome": _lines(Shape(3, 7, from_middle=True)),
    "renban": _lines(Shape(3, 5, near)),
    "nabner": _lines(Shape(3, 5)),
    "whispers": _lines(Shape(3, 7), number="difference"),
    "parity": _lines(Shape(4, 8)),
    "entropic": _lines(Shape(4, 8)),
    "modular": _lines(Shape(4, 8)),
    "between": _lines(Shape(3, 6, different)),
    "lockout": _lines_begun(3, 6, locked_out, "difference"),
    "zipper": _lines(Shape(3, 7, from_middle=True)),
    "region-sum": _lines(Shape(4, 7, different)),
    "double-arrow": _lines_begun(3, 6, balanced),
    "sum-line": _lines_begun(3, 8, in_parts, "total"),
    "lunchbox": _of(draw_lunchboxes),
    **dict.fromkeys(("odd", "even", "low", "high", "minimum", "maximum"), _CELLS),
    **dict.fromkeys(("indexing", "box-indexing"), _CELLS),
    "counting-circles": _of(draw_circles),
    "clone": _of(draw_clones),
    "candidates": _of(draw_candidates),
}
"""The clues of rules with parameters, by name of the rule."""

ALIASES = {"jigsaw": "regions", "thermo": "thermometer", "quadruples": "quadruple"}
"""Other names of rules."""


@dataclass(frozen=True)
class Clues:
    """A rule whose clues are generated.

    Attributes
    ----------
    rule : type of Rule
    given : tuple of (str, object)
        Requested parameters.
    """

    rule: type[Rule]
    given: tuple[tuple[str, Any], ...] = ()

    def is_impossible(self, board: Board) -> bool:
        """Return True if no two digits obey the requested number."""
        number = CLUES[self.rule.name].number
        if number not in dict(self.given):
            return False
        cells: Any = (Cell(0, 0), Cell(0, 1))
        make: Any = self.rule
        clue = make((cells,) if number == "value" else cells, **dict(self.given))
        return next(clue.faults(board), None) is not None


@dataclass(frozen=True)
class Asked:
    """The rules of new puzzles.

    Attributes
    ----------
    corners : tuple of Cell
        The grids of the board.
    is_boxed : bool
        True if the usual boxes of the size are houses.
    fixed : tuple of Rule
        Rules without clues.
    clues : tuple of Clues
        Rules whose clues are generated.
    """

    corners: Cells = ONE_GRID
    is_boxed: bool = True
    fixed: tuple[Rule, ...] = ()
    clues: tuple[Clues, ...] = ()


def read_rules(names: Sequence[str]) -> Asked:
    """Parse the names of rules.

    Raises
    ------
    ValueError
        For an unknown rule or parameter, a rule named twice, or two arrangements of grids.
    """
    corners, boxed = ONE_GRID, True
    fixed: list[Rule] = []
    clues: list[Clues] = []
    for text in names:
        name, *parts = text.strip().casefold().split(":")
        name = ALIASES.get(name, name)
        if name in LAYOUTS:
            if corners != ONE_GRID:
                raise ValueError(f"several arrangements of grids: name {name} or the other alone")
            corners = LAYOUTS[name][1]
        elif name == NO_BOXES:
            boxed = False
        elif name in CLUES:
            clues.append(Clues(find_rule(name), _parameters(name, parts)))
        else:
            fixed.append(find_rule(name).from_text(parts))
    divided = any(clue.rule is Regions for clue in clues)
    named = [type(rule) for rule in fixed] + [clue.rule for clue in clues]
    if twice := [rule.name for rule in named if named.count(rule) > 1]:
        raise ValueError(f"the rule {twice[0]} is named twice: name it once")
    return Asked(corners, boxed and not divided, tuple(fixed), tuple(clues))


def _parameters(name: str, parts: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """Return the parameters of a rule with clues."""
    kind = CLUES[name]
    given: dict[str, Any] = {}
    for part in parts:
        if kind.flag and part == kind.flag:
            given[kind.flag] = True
        elif kind.number and part.isdecimal() and len(part) < 3:
            given[kind.number] = int(part)
        else:
            known = [f"{name}:{each}" for each in (kind.flag, kind.number and "NUMBER") if each]
            forms = " or ".join([name, *known])
            raise ValueError(f"{name}: {part[:30]!r} is not part of it; ask for {forms}")
    return tuple(given.items())
