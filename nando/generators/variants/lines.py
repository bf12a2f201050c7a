"""Lines that the digits obey, as random walks from every cell."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from nando.generators.variants.board import Canvas, Span
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.lines import Lockout
from nando.puzzles.rules.sums import SumLine

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
