"""The symmetries of variants: turning and reflecting a board, and exchanging digits."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from nando.puzzles.boards.board import EDGES, Board, Cell, Line
from nando.puzzles.boards.rule import Relabelling, Rule
from nando.puzzles.protocol import Values


class Content(NamedTuple):
    """What a symmetry changes: the board, the rules, and the givens, shape ``(n_places,)``."""

    board: Board
    rules: tuple[Rule, ...]
    givens: Values


class Turn(NamedTuple):
    """One of the eight symmetries of a square: reflect first, then exchange rows and columns."""

    upside_down: bool
    mirrored: bool
    transposed: bool


TURNS = tuple(Turn(*flags) for flags in product((False, True), repeat=3))


def turned(content: Content, turn: Turn) -> Content:
    """Return the content after a symmetry of the board."""
    board, rules, givens = content
    last_row, last_column = board.n_rows - 1, board.n_columns - 1

    def cell(old: Cell) -> Cell:
        row = last_row - old.row if turn.upside_down else old.row
        column = last_column - old.column if turn.mirrored else old.column
        return Cell(column, row) if turn.transposed else Cell(row, column)

    far = board.digits - 1
    corners = []
    for corner in board.corners:
        ends = cell(corner), cell(Cell(corner.row + far, corner.column + far))
        corners.append(Cell(min(end.row for end in ends), min(end.column for end in ends)))
    new = Board(board.digits, tuple(sorted(corners)))

    def line(old: Line) -> Line:
        wanted = tuple(map(cell, board.line(old)[:2]))
        options = (Line(edge, number + 1) for edge in EDGES for number in range(board.digits))
        return next(option for option in options if new.line(option)[:2] == wanted)

    grid = np.asarray(givens).reshape(board.n_rows, board.n_columns)
    grid = grid[:: -1 if turn.upside_down else 1, :: -1 if turn.mirrored else 1]
    grid = grid.T if turn.transposed else grid
    moved = tuple(rule.moved(cell, line) for rule in rules)
    return Content(new, moved, np.ascontiguousarray(grid).ravel())


def relabellings(content: Content) -> Relabelling:
    """Return which exchanges of digits keep all rules."""
    kinds = {rule.relabelling for rule in content.rules}
    if Relabelling.NONE in kinds:
        return Relabelling.NONE
    return Relabelling.REVERSED if Relabelling.REVERSED in kinds else Relabelling.ANY


def reversed_digits(content: Content) -> Content:
    """Return the content with ``n + 1 - d`` for every digit d."""
    n = content.board.digits
    rules = tuple(
        rule.reversed_digits(n) if rule.relabelling is Relabelling.REVERSED else rule
        for rule in content.rules
    )
    givens = np.where(content.givens > 0, n + 1 - content.givens, 0).astype(np.int8)
    return Content(content.board, rules, givens)


def relabelled(content: Content, labels: Values) -> Content:
    """Return the content with ``labels[d]`` for every given d; ``labels[0]`` is 0."""
    return content._replace(givens=labels[content.givens].astype(np.int8))


def images(content: Content) -> Iterator[Content]:
    """Yield the content after every symmetry.

    Where all exchanges of digits are allowed, each turn comes once, with its givens numbered in the
    order in which they first occur.
    """
    kind = relabellings(content)
    for turn in TURNS:
        image = turned(content, turn)
        if kind is Relabelling.ANY:
            labels = np.zeros(content.board.digits + 1, np.int8)
            firsts = [value for value in dict.fromkeys(image.givens.tolist()) if value]
            labels[firsts] = np.arange(1, len(firsts) + 1)
            yield relabelled(image, labels)
            continue
        yield image
        if kind is Relabelling.REVERSED:
            yield reversed_digits(image)
