"""Partly shaded Nurikabe, and the techniques that have a definition of their own."""

from functools import cache

import numpy as np

from helpers.oracles import logic_nurikabe as naive
from helpers.samples.nurikabe_boards import drawn
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.logic import NURIKABE_LADDER
from nando.solvers.logic.nurikabe import ladder
from nando.solvers.nurikabe.state import colour_cell, new_state

NAIVE = {
    ladder.BETWEEN: naive.between,
    ladder.COMPLETE: naive.complete,
    ladder.POOL: naive.pool,
    ladder.RIVER_EXIT: naive.river_exit,
    ladder.ISLAND_EXIT: naive.island_exit,
    ladder.OVERSIZE: naive.oversize,
    ladder.SHARED_EXIT: naive.shared_exit,
    ladder.TOTAL: naive.total,
    ladder.ENCLOSED: naive.enclosed,
    ladder.UNREACHABLE: naive.unreachable,
    ladder.RIVER_BOTTLENECK: naive.river_bottleneck,
    ladder.FILLED_REACH: naive.filled_reach,
    ladder.ISLAND_BOTTLENECK: naive.island_bottleneck,
    ladder.STRANDED: naive.stranded,
    ladder.BLOCK_BREAKER: naive.block_breaker,
}
DIRECT = [technique for technique in NURIKABE_LADDER if technique.kernel in NAIVE]


def partly(puzzle, solution, share, rng):
    """Colour a share of the solution's cells; return the state and the naive position."""
    state = new_state(puzzle)
    board = dict.fromkeys(solution, ".")
    for i, cell in enumerate(solution):
        number = puzzle.numbers[i]
        if number or rng.random() < share:
            board[cell] = solution[cell]
            walled = (cell[0] + 1) * state.width + cell[1] + 1
            colour_cell(state, walled, WHITE if solution[cell] == "o" else BLACK)
    numbers = {cell: int(n) for cell, n in zip(solution, puzzle.numbers, strict=True) if n}
    return state, naive.Position(board, numbers)


@cache
def positions():
    rng = np.random.default_rng(5)
    made = []
    for i in range(240):
        puzzle, solution = drawn(((4, 5), (6, 6), (7, 5))[i % 3], rng)
        made.append(partly(puzzle, solution, (0.1, 0.3, 0.5, 0.7, 0.9)[i % 5], rng))
    return made
