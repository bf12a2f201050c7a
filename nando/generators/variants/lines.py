"""Lines that the digits obey: random walks that do not tangle."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from nando.generators.variants.board import Canvas
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.lines import Arrow

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
    most = _most(canvas)

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
    most = _most(canvas)
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


def near(digits: Sequence[int]) -> bool:
    """Return True for different digits from a few consecutive ones."""
    return len(set(digits)) == len(digits) and max(digits) - min(digits) <= len(digits)


def different(digits: Sequence[int]) -> bool:
    """Return True unless a digit is followed by itself."""
    return all(a != b for a, b in pairwise(digits))


def _from_end(canvas: Canvas, length: int, may_begin: Callable[[Cells], bool]) -> Cells:
    """Return a random line that grows at one end as long as it may."""

    def longer(cells: Cells) -> Iterator[Cells]:
        return ((*cells, step) for step in canvas.steps(cells[-1]) if step not in cells)

    return _grown(canvas, length, longer, may_begin)


def _from_middle(canvas: Canvas, length: int, may_begin: Callable[[Cells], bool]) -> Cells:
    """Return a random line of odd length that grows at both ends."""

    def longer(cells: Cells) -> Iterator[Cells]:
        return (
            (first, *cells, last)
            for first in canvas.steps(cells[0])
            for last in canvas.steps(cells[-1])
            if first != last and first not in cells and last not in cells
        )

    return _grown(canvas, length - 1, longer, may_begin)


def _grown(
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


def _most(canvas: Canvas) -> int:
    """Return the number of lines to draw, by default about two for every three rows."""
    return canvas.wanted or max(2, 2 * len(canvas.board.cells) // (3 * canvas.board.digits))
