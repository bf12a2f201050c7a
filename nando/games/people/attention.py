"""Simulate the attention of a player, who looks at digits, houses or cells in an order.

A look finds a cell with a probability that depends on how the cell can be seen. The simulation does
not choose among cells by their features. It shares no formula with the population of the audit,
because its purpose is to check that population.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from nando.games.people.strategies import Player
from nando.puzzles import Sudoku, Values
from nando.solvers.people.fills.moments import (
    IN_BOX,
    IN_COLUMN,
    IN_ROW,
    NAKED,
    UNSUPPORTED,
    Moment,
    first_moment,
    look,
)

_LINES = IN_ROW | IN_COLUMN

Focus = tuple[str, int]
"""The object of a look: a digit from 0, a house, or a cell."""


class Board:
    """A game in progress, with the state of the player's attention."""

    def __init__(self, puzzle: Sudoku, solution: Values, player: Player) -> None:
        self.layout = puzzle.layout
        self.solution = solution
        self.moment: Moment = first_moment(puzzle)
        self.player = player
        self.last = -1
        self.begin_anew()
        self.pairs: set[tuple[int, int]] = set()
        self.wrong: list[tuple[int, int]] = []
        """Cells with a wrong digit, and the number of fills after which the player notices it."""

    def begin_anew(self) -> None:
        """Forget the position of the search."""
        self.at = {"digit": 0, "house": 0, "cell": -1}
        self.focus: Focus | None = None

    def settle(self, focus: Focus) -> None:
        """Remember the position of the search."""
        kind, number = focus
        self.focus = focus
        self.at[kind] = number % self.layout.size if kind == "house" else number

    def look(self) -> None:
        """Update the cells that can be filled now, and how."""
        look(self.moment, self.layout, self.solution)

    @property
    def open_cells(self) -> NDArray[np.intp]:
        """Cells without a right or wrong digit."""
        held = [cell for cell, _ in self.wrong]
        free = np.flatnonzero(self.moment.values == 0)
        return free[~np.isin(free, held)] if held else free

    def houses_of(self, cell: int) -> list[int]:
        """Return the row, column and box of a cell."""
        return [int(house) for house in self.layout.house_of[cell]]

    def emptiness(self, cell: int) -> int:
        """Return the number of empty cells in the fullest house of a cell."""
        return min(int(self.moment.empties[house]) for house in self.houses_of(cell))

    def chance(self, cell: int, kind: str) -> float:
        """Return the probability that a look of a kind at a cell finds it."""
        player, ways = self.player, int(self.moment.ways[cell])
        if not ways:
            return player.locked if self.moment.support[cell] != UNSUPPORTED else 0.0
        if self.emptiness(cell) == 1:
            return player.last
        total = 0.0
        if ways & IN_BOX:
            total = player.box
        if ways & _LINES:
            total = max(total, player.line)
        hidden = 0.1 if kind == "cell" else 1.0
        counted = 0.15 if kind == "digit" else 1.0
        naked = player.naked * (1.0 if self.emptiness(cell) <= 3 else 0.6) * counted
        return max(total * hidden, naked if ways & NAKED else 0.0)


def _digits(board: Board, _rng: np.random.Generator) -> Iterator[Focus]:
    size = board.layout.size
    return (("digit", (board.at["digit"] + i) % size) for i in range(size))


def _placed_digits(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    placed = board.moment.digit_placed
    order = np.argsort(-placed + 0.8 * rng.random(len(placed)), kind="stable")
    return (("digit", int(digit)) for digit in order)


def _houses(first: int) -> Callable[[Board, np.random.Generator], Iterator[Focus]]:
    def houses(board: Board, _rng: np.random.Generator) -> Iterator[Focus]:
        size = board.layout.size
        start = board.at["house"]
        return (("house", first * size + (start + i) % size) for i in range(size))

    return houses


def _full_houses(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    empties = board.moment.empties
    order = np.argsort(empties + 0.9 * rng.random(len(empties)))
    return (("house", int(house)) for house in order)


def _crowded_cells(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    cells = board.open_cells
    crowd = np.array([sum(board.moment.empties[h] for h in board.houses_of(c)) for c in cells])
    near = np.zeros(len(cells))
    if board.last >= 0:
        row, column = divmod(board.last, board.layout.size)
        near = np.hypot(cells // board.layout.size - row, cells % board.layout.size - column)
    order = np.argsort(crowd + 0.7 * near + 2.0 * rng.random(len(cells)))
    return (("cell", int(cells[i])) for i in order)


def _marked_cells(board: Board, _rng: np.random.Generator) -> Iterator[Focus]:
    cells = board.open_cells
    ahead = cells > board.at["cell"]
    return (("cell", int(cell)) for cell in np.concatenate([cells[ahead], cells[~ahead]]))


def _anything(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    size = board.layout.size
    for _ in range(12):
        kind = rng.choice(["digit", "house", "cell"], p=[0.4, 0.45, 0.15])
        count = {"digit": size, "house": 3 * size, "cell": size * size}[str(kind)]
        yield str(kind), int(rng.integers(count))


ATTENTION: Mapping[str, Callable[[Board, np.random.Generator], Iterator[Focus]]] = {
    "digits": _digits,
    "placed digits": _placed_digits,
    "rows": _houses(0),
    "columns": _houses(1),
    "boxes": _houses(2),
    "full houses": _full_houses,
    "crowded cells": _crowded_cells,
    "marked cells": _marked_cells,
    "anything": _anything,
}
"""Orders of attention in search of a cell, by name."""


def foci(board: Board, rng: np.random.Generator, *, first: bool) -> Iterator[Focus]:
    """Yield the objects of a player's looks in order, in a `first` or a later round."""
    player, last = board.player, board.last
    if last >= 0 and first:
        if player.marks_pairs and rng.random() < 0.9:
            for cell in board.open_cells.tolist():
                box, digit = board.houses_of(cell)[2], int(board.solution[cell])
                new = int(board.moment.seen_since[cell]) == int(board.moment.history[2])
                if new and (box, digit) in board.pairs:
                    yield "house", box
        if rng.random() < player.stays and board.focus is not None:
            yield board.focus
        if rng.random() < player.follows:
            for kind in rng.permutation(3):
                yield "house", board.houses_of(last)[kind]
            yield "digit", int(board.solution[last]) - 1
    yield from ATTENTION[player.attention](board, rng)


def cells_of(board: Board, focus: Focus, open_cells: NDArray[np.intp]) -> list[int]:
    """Return the open cells that a focus covers."""
    kind, number = focus
    if kind == "digit":
        return [int(cell) for cell in open_cells if board.solution[cell] == number + 1]
    if kind == "house":
        within = board.layout.houses[number]
        return [int(cell) for cell in within if cell in open_cells]
    return [number] if number in open_cells else []
