"""Annealing moves on the colours of a Nurikabe: a white cell and a black one swap.

Source: Krivanek 2011, chapter 4.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles import Values
from nando.puzzles.nurikabe.puzzle import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.cost import ColourBoard, cost_of, new_board
from nando.solvers.search.annealing import Schedule

_MOST_STEPS = 1_000_000


class NurikabeBoard:
    """A Nurikabe that is coloured; see :class:`nando.solvers.search.annealing.Board`."""

    most_steps = _MOST_STEPS

    def __init__(self, puzzle: Nurikabe, pick: str, rng: np.random.Generator) -> None:
        del pick
        self._state = drawn_colouring(puzzle, rng)
        self._rng = rng
        self.counts = self._state.counts
        self.n_movable = self._state.n_movable
        self.n_free = len(self._state.free)

    def move(
        self, temperature: float, schedule: Schedule, moves: int, costs: NDArray[np.float64]
    ) -> tuple[bool, float]:
        """Swap colours `moves` times."""
        improved, temperature = swap_colours(
            self._state, self._rng, temperature, schedule, moves, costs
        )
        return improved, temperature

    def values(self) -> Values:
        """Return the colours as they stand."""
        values: Values = self._state.board.colour[self._state.board.cells]
        return values

    def moved(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the last move of each cell, and the cost after it."""
        cells = self._state.board.cells
        return self._state.last_swap[cells], self._state.cost_then[cells]


class Colouring(NamedTuple):
    """A coloured board and the cells that may change."""

    board: ColourBoard
    free: NDArray[np.int32]
    """Places without number, the white ones first where the white cells are of a fixed number."""
    n_white: int
    """How many those are; -1 where an island is of unknown size, and cells change alone."""
    last_swap: NDArray[np.int64]
    cost_then: NDArray[np.int64]
    """By place: the move that last changed it, and the cost after that."""
    counts: NDArray[np.int64]
    """Cost; moves so far."""

    @property
    def n_movable(self) -> int:
        """Cells that some move changes."""
        return 0 if self.n_white in (0, len(self.free)) else len(self.free)


def drawn_colouring(puzzle: Nurikabe, rng: np.random.Generator) -> Colouring:
    """Return the numbers white, and as many other cells drawn as are white in a solution."""
    board = new_board(puzzle)
    blank = np.asarray(puzzle.numbers) == 0
    free = rng.permutation(board.cells[blank])
    board.colour[board.cells] = WHITE
    if puzzle.n_white is None:
        n_white = -1
        board.colour[free] = rng.integers(WHITE, BLACK + 1, len(free))
    else:
        # Numbers that no board could hold leave a cost that is never 0.
        n_white = min(max(puzzle.n_white - puzzle.n_islands, 0), len(free))
        board.colour[free[n_white:]] = BLACK
    cost, stray = cost_of(board)
    counts = np.array([cost + stray * (n_white < 0), 0], np.int64)
    n_places = len(board.colour)
    return Colouring(
        board, free, n_white, np.zeros(n_places, np.int64), np.zeros(n_places, np.int64), counts
    )


@kernel
def swap_colours(state, rng, temperature, schedule, moves, costs):
    """Try `moves` moves; return whether one improved, and the temperature at the end.

    The schedule and `costs` are as for Sudoku. Where the number of white cells is not known, a
    move changes one cell, and white cells on no island cost 1 each: without that, a board could
    break the rules at cost 0.
    """
    factor, lowest, on_accepted = schedule
    colour = state.board.colour
    free = state.free
    n_white = state.n_white
    cost = state.counts[0]
    step = state.counts[1]
    improved = False
    for move in range(moves):
        if n_white < 0:
            i = int(rng.random() * free.shape[0])
            j = i
            colour[free[i]] = WHITE + BLACK - colour[free[i]]
        else:
            i = int(rng.random() * n_white)
            j = n_white + int(rng.random() * (free.shape[0] - n_white))
            colour[free[i]] = BLACK
            colour[free[j]] = WHITE
        new, stray = cost_of(state.board)
        if n_white < 0:
            new += stray
        step += 1
        accepted = new <= cost or rng.random() < math.exp((cost - new) / temperature)
        if accepted:
            improved |= new < cost
            cost = new
            for k in (i, j):
                state.last_swap[free[k]] = step
                state.cost_then[free[k]] = cost
            held = free[i]
            free[i] = free[j]
            free[j] = held
        elif n_white < 0:
            colour[free[i]] = WHITE + BLACK - colour[free[i]]
        else:
            colour[free[i]] = WHITE
            colour[free[j]] = BLACK
        if move < costs.shape[0]:
            costs[move] = cost
        if accepted or not on_accepted:
            temperature *= factor
        if cost == 0 or temperature <= lowest:
            break
    state.counts[0] = cost
    state.counts[1] = step
    return improved, temperature
