"""Partly shaded Nurikabe, and the techniques that have a definition of their own."""

from functools import cache

import numpy as np

from helpers.oracles import logic_nurikabe as naive
from helpers.samples.nurikabe_boards import drawn
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.logic import NURIKABE_LADDER
from nando.solvers.logic.nurikabe import rungs
from nando.solvers.nurikabe.state import colour_cell, new_state

NAIVE = {
    rungs.BETWEEN: naive.between,
    rungs.COMPLETE: naive.complete,
    rungs.POOL: naive.pool,
    rungs.RIVER_EXIT: naive.river_exit,
    rungs.ISLAND_EXIT: naive.island_exit,
    rungs.OVERSIZE: naive.oversize,
    rungs.SHARED_EXIT: naive.shared_exit,
    rungs.TOTAL: naive.total,
    rungs.ENCLOSED: naive.enclosed,
    rungs.UNREACHABLE: naive.unreachable,
    rungs.RIVER_BOTTLENECK: naive.river_bottleneck,
    rungs.FILLED_REACH: naive.filled_reach,
    rungs.ISLAND_BOTTLENECK: naive.island_bottleneck,
    rungs.STRANDED: naive.stranded,
    rungs.BLOCK_BREAKER: naive.block_breaker,
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
