"""Numbers outside the grid, read off the digits."""

from collections.abc import Sequence
from typing import Any

from nando.generators.variants.canvas import Canvas
from nando.puzzles.boards.board import Line
from nando.puzzles.boards.rule import Rule


def draw_outside(canvas: Canvas, rule: Any, edges: Sequence[str]) -> list[Rule]:
    """Return a number at each end of a row or column, of these edges, that has none yet."""
    board, n = canvas.board, canvas.board.digits
    ends = [Line(edge, number) for edge in edges for number in range(1, n + 1)]
    free = [line for line in canvas.shuffled(ends) if line not in canvas.outside]
    clues = []
    for line in free[: canvas.wanted]:
        canvas.outside.add(line)
        digits = [canvas.digits[cell] for cell in board.line(line)]
        clues.append(rule(line, rule(line, 0).counted(board, digits)))
    return clues
