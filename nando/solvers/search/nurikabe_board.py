"""Annealing moves on Nurikabe: swap the colours of a white cell and a black one.

Source: Krivanek 2011, chapter 4.
"""

import math
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.cost import ColourBoard, cost_of, new_board
from nando.solvers.search.annealing import COST, N_MOVES, Board

_MOST_STEPS = 1_000_000


def coloured_board(puzzle: Nurikabe, pick: str, rng: np.random.Generator) -> Board:
    """Return a coloured Nurikabe; `pick` is not used, since there is one way to pick cells."""
    del pick
    state = drawn_colouring(puzzle, rng)
    n_free = len(state.free)
    return Board(
        move=partial(swap_colours, state, rng),
        values=state.board.colour,
        last_swap=state.last_swap,
        cost_then=state.cost_then,
        counts=state.counts,
        places=state.board.cells,
        n_movable=0 if state.n_white in (0, n_free) else n_free,
        n_free=n_free,
        most_steps=_MOST_STEPS,
    )


class Colouring(NamedTuple):
    """A coloured board and the cells that may change."""

    board: ColourBoard
    free: NDArray[np.int32]
    """Places without a number; if the number of white cells is known, the white ones come first."""
    n_white: int
    """Number of white places in `free`; -1 if it is unknown, and a move changes one cell."""
    last_swap: NDArray[np.int64]
    """The move that last changed each place."""
    cost_then: NDArray[np.int64]
    """The cost after that move."""
    counts: NDArray[np.int64]
    """Cost (`COST`); moves so far (`N_MOVES`)."""


def drawn_colouring(puzzle: Nurikabe, rng: np.random.Generator) -> Colouring:
    """Return a colouring with white numbers and as many random white cells as a solution has."""
    board = new_board(puzzle)
    blank = np.asarray(puzzle.numbers) == 0
    free = rng.permutation(board.cells[blank])
    board.colour[board.cells] = WHITE
    if puzzle.n_white is None:
        n_white = -1
        board.colour[free] = rng.integers(WHITE, BLACK + 1, len(free))
    else:
        # If the numbers cannot fit on the board, the cost never becomes 0.
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
    """Try `moves` moves; return True if one lowered the cost, and the temperature at the end.

    `schedule` and `costs` are as for :data:`nando.solvers.search.annealing.Move`. If the number of
    white cells is unknown, a move changes one cell, and each white cell outside all islands costs
    1; otherwise a board could break the rules at cost 0.
    """
    factor, lowest, on_accepted = schedule
    colour = state.board.colour
    free = state.free
    n_white = state.n_white
    cost = state.counts[COST]
    step = state.counts[N_MOVES]
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
    state.counts[COST] = cost
    state.counts[N_MOVES] = step
    return improved, temperature
