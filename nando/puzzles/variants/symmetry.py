"""The symmetries of variants: turning and reflecting a board, and exchanging digits."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.board import Board, Cell, Line
from nando.puzzles.boards.rule import Relabelling
from nando.puzzles.protocol import Values
from nando.puzzles.variants.text import Content


class Turn(NamedTuple):
    """One of the eight symmetries of a square: reflect first, then exchange rows and columns."""

    upside_down: bool
    mirrored: bool
    transposed: bool


TURNS = tuple(Turn(*flags) for flags in product((False, True), repeat=3))


def apply_turn(content: Content, turn: Turn) -> Content:
    """Return the content after a symmetry of the board."""
    board, rules, givens = content
    cell = _cells_after(board.n_rows, board.n_columns, turn).__getitem__
    far = board.size - 1
    corners = []
    for corner in board.corners:
        ends = cell(corner), cell(Cell(corner.row + far, corner.column + far))
        corners.append(Cell(min(end.row for end in ends), min(end.column for end in ends)))
    new = replace(board, corners=tuple(sorted(corners)), regions=())

    def line(old: Line) -> Line:
        ends = tuple(map(cell, board.line(old)[:2]))
        return next(option for option in new.views() if new.line(option)[:2] == ends)

    grid = _grid_after(np.asarray(givens).reshape(board.n_rows, board.n_columns), turn)
    moved = tuple(rule.moved(cell, line) for rule in rules)
    return Content(new, moved, np.ascontiguousarray(grid).ravel())


@lru_cache(maxsize=64)
def _cells_after(n_rows: int, n_columns: int, turn: Turn) -> dict[Cell, Cell]:
    """Return the place to which a symmetry moves each place of a board."""
    places = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    after = np.ndenumerate(_grid_after(places, turn))
    return {Cell(*divmod(int(place), n_columns)): Cell(*index) for index, place in after}


def places_before(board: Board, turn: Turn) -> NDArray[np.int64]:
    """Return the place on a board that each place of its image after a symmetry comes from."""
    places = np.arange(board.n_rows * board.n_columns).reshape(board.n_rows, board.n_columns)
    return _grid_after(places, turn).ravel()


def _grid_after(grid: NDArray[Any], turn: Turn) -> NDArray[Any]:
    grid = grid[:: -1 if turn.upside_down else 1, :: -1 if turn.mirrored else 1]
    return grid.T if turn.transposed else grid


def orientations(content: Content) -> list[Turn]:
    """Return the symmetries of the board that lead to the orientation that all images share.

    A cell has a sign, which depends on its given and its rules. There are several such symmetries
    if the signs are symmetric. Digits are not exchanged.
    """
    signs = _signs(content)
    keys = {}
    for turn in TURNS:
        after = _grid_after(signs, turn)
        keys[turn] = after.shape, after.tobytes()
    least = min(keys.values())
    return [turn for turn, key in keys.items() if key == least]


def _signs(content: Content) -> NDArray[np.int64]:
    """Return a number for each place that depends on its given and its rules, and moves with it."""
    board, rules, givens = content
    width = board.n_columns
    signs = [_sign("given", (value,)) if value else 0 for value in givens.tolist()]
    for rule in rules:
        sign = _sign(rule.name, rule.fixed_parameters())
        for row, column in rule.cells_named():
            signs[row * width + column] += sign
        for line in rule.lines_named():
            for place, (row, column) in enumerate(board.line(line)[:2], 1):
                signs[row * width + column] += place * sign
    return np.array(signs, np.int64).reshape(board.n_rows, width)


@lru_cache(maxsize=4096)
def _sign(name: str, parameters: tuple[object, ...]) -> int:
    """Return a hash that is the same in every process."""
    return zlib.crc32(f"{name}{parameters}".encode())


def relabellings(content: Content) -> Relabelling:
    """Return the exchanges of digits under which all rules still hold."""
    kinds = {rule.relabelling for rule in content.rules}
    if Relabelling.NONE in kinds:
        return Relabelling.NONE
    return Relabelling.REVERSED if Relabelling.REVERSED in kinds else Relabelling.ANY


def reversed_digits(content: Content) -> Content:
    """Return the content with ``n + 1 - d`` for every digit d."""
    n, values = content.board.digits, content.board.values
    rules = tuple(
        rule.reversed_digits(values[0] + values[-1])
        if rule.relabelling is Relabelling.REVERSED
        else rule
        for rule in content.rules
    )
    givens = np.where(content.givens > 0, n + 1 - content.givens, 0).astype(np.int8)
    return Content(content.board, rules, givens)


def relabel(content: Content, labels: Values) -> Content:
    """Return the content with ``labels[d]`` for every given d; ``labels[0]`` is 0."""
    return content._replace(givens=labels[content.givens].astype(np.int8))


def images(content: Content) -> Iterator[Content]:
    """Yield the content after every symmetry.

    If all exchanges of digits are allowed, each turn occurs once, with its givens numbered in the
    order in which they first occur.
    """
    kind = relabellings(content)
    for turn in TURNS:
        image = apply_turn(content, turn)
        if kind is Relabelling.ANY:
            labels = np.zeros(content.board.digits + 1, np.int8)
            firsts = [value for value in dict.fromkeys(image.givens.tolist()) if value]
            labels[firsts] = np.arange(1, len(firsts) + 1)
            yield relabel(image, labels)
            continue
        yield image
        if kind is Relabelling.REVERSED:
            yield reversed_digits(image)
