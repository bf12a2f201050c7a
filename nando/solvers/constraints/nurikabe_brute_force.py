"""Brute force on the islands of a Nurikabe; see :mod:`nando.solvers.constraints.nurikabe_islands`.

Source: Krivanek 2011, chapter 4.
"""

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.constraints.nurikabe_islands import (
    ALIVE,
    DEPTH,
    N_SET,
    Islands,
    new_islands,
    try_shapes,
)
from nando.solvers.protocol import Limit, Outcome, Rule, SolveRun, trace_of
from nando.solvers.repeated import Budget

_CHUNK = 10_000
"""Shapes between two checks of the clock."""


def place_islands(puzzle: Nurikabe, limit: Limit, rng: np.random.Generator) -> SolveRun:
    """Search once, to the first solution."""
    state = new_islands(puzzle, rng)
    budget = Budget(limit)

    def goes_on() -> bool:
        depth, alive = state.progress[DEPTH : ALIVE + 1].tolist()
        return depth >= 0 and not (alive and depth == puzzle.n_islands)

    try_shapes(state, 0)  # with no island to place, this alone checks the river
    for pause in budget.pauses(state.progress, _CHUNK, goes_on):
        try_shapes(state, pause)
    steps, depth = state.progress[: DEPTH + 1].tolist()
    trace = _coloured(puzzle, state)
    if depth < 0:
        return SolveRun(Outcome.EXHAUSTED, steps, None, trace)
    solution = None if goes_on() else state.board.colour[state.board.cells]
    return budget.ended(steps, solution, trace)


def _coloured(puzzle: Nurikabe, state: Islands) -> NDArray[np.void]:
    """Return the trace of the cells coloured on the board, except for the numbers."""
    places = state.coloured[: state.progress[N_SET]]
    cells = np.searchsorted(state.board.cells, places)
    blank = puzzle.givens[cells] == 0
    tried = state.tried[state.island[: len(places)][blank]]
    return trace_of(
        Rule.GUESS,
        len(tried),
        step=np.arange(1, len(tried) + 1),
        cell=cells[blank],
        value=state.board.colour[places[blank]],
        options=np.minimum(tried, np.iinfo(np.int32).max),
    )
