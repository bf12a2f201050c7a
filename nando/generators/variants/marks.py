"""Marks between neighbours and in cells, and numbers outside the grid, read off the digits."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import islice
from typing import Any

from nando.generators.variants.board import Canvas
from nando.puzzles.boards.board import Cell, Cells, Line
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.cells import GivenCandidates
from nando.puzzles.rules.marks import Quadruple

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
        for i in canvas.shuffled(range(len(names))):
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
        rule(**{name: (pair,)}, **given) for name, pair in canvas.shuffled(each)[: canvas.wanted]
    ]


def draw_cells(canvas: Canvas, rule: Any, given: Mapping[str, Any]) -> list[Rule]:
    """Return single marked cells: odd, even, low, high, less or greater than all neighbours."""
    most = canvas.wanted or len(canvas.board.cells) // _CELLS_PER_MARK
    clues = (rule((cell,), **given) for cell in canvas.shuffled(canvas.board.cells))
    obeyed = (clue for clue in clues if clue.obeyed(canvas.board, canvas.digits))
    return list(islice(obeyed, most))


def draw_quadruples(canvas: Canvas) -> list[Quadruple]:
    """Return circles with two to four digits, none of which share a cell."""
    clues: list[Quadruple] = []
    used: set[Cell] = set()
    for cell in canvas.shuffled(canvas.board.cells):
        square = (cell, *canvas.board.around(cell, ((0, 1), (1, 0), (1, 1))))
        if len(square) < 4 or used & set(square):
            continue
        used |= set(square)
        digits = [canvas.digits[own] for own in canvas.shuffled(square)]
        clues.append(Quadruple(square, tuple(digits[: 2 + canvas.below(3)])))
    return clues[: canvas.wanted]


def draw_candidates(canvas: Canvas) -> list[GivenCandidates]:
    """Return cells with their digit and one or two others."""
    n = canvas.board.digits
    clues = []
    for cell in canvas.shuffled(canvas.board.cells)[: canvas.wanted or n * n // 2]:
        own = canvas.digits[cell]
        others = canvas.shuffled(digit for digit in range(1, n + 1) if digit != own)
        clues.append(GivenCandidates(cell, (own, *others[: 1 + canvas.below(2)])))
    return clues


def draw_outside(canvas: Canvas, rule: Any, edges: Sequence[str]) -> list[Rule]:
    """Return numbers at these edges, for ends of rows and columns that have none yet."""
    board, n = canvas.board, canvas.board.digits
    ends = [Line(edge, number) for edge in edges for number in range(1, n + 1)]
    free = [line for line in canvas.shuffled(ends) if line not in canvas.outside]
    clues = []
    for line in free[: canvas.wanted]:
        canvas.outside.add(line)
        digits = [canvas.digits[cell] for cell in board.line(line)]
        clues.append(rule(line, rule(line, 0).counted(board, digits)))
    return clues
