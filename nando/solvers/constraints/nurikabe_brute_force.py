"""Brute force on the islands of a Nurikabe; see :mod:`nando.solvers.constraints.nurikabe_islands`.

Source: Krivanek 2011, chapter 4.
"""

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.constraints.nurikabe_islands import (
    N_SET,
    STEPS,
    Islands,
    new_islands,
    try_shapes,
)
from nando.solvers.protocol import STEP, Limit, Outcome, Rule, SolveRun
from nando.solvers.repeated import Budget

_CHUNK = 10_000
"""Shapes between two checks of the clock."""


def place_islands(puzzle: Nurikabe, limit: Limit, rng: np.random.Generator) -> SolveRun:
    """Search once, to the first solution."""
    state = new_islands(puzzle, rng)
    budget = Budget(limit)
    outcome = None
    while outcome is None:
        try_shapes(state, budget.pause(int(state.progress[STEPS]), _CHUNK))
        steps, depth, alive = state.progress[:N_SET].tolist()
        if depth < 0:
            outcome = Outcome.EXHAUSTED
        elif depth == puzzle.n_islands and alive:
            outcome = Outcome.SOLVED
        elif steps >= budget.most:
            outcome = Outcome.STEP_LIMIT
        elif budget.late:
            outcome = Outcome.TIME_LIMIT
    trace = _coloured(puzzle, state)
    if outcome is Outcome.SOLVED:
        return SolveRun(outcome, steps, state.board.colour[state.board.cells], trace, 1)
    return SolveRun(outcome, steps, None, trace)


def _coloured(puzzle: Nurikabe, state: Islands) -> NDArray[np.void]:
    """Trace of the cells coloured on the board, numbers left out."""
    places = state.coloured[: state.progress[N_SET]]
    cells = np.searchsorted(state.board.cells, places)
    blank = puzzle.givens[cells] == 0
    trace = np.zeros(int(blank.sum()), STEP)
    trace["step"] = np.arange(1, len(trace) + 1)
    trace["cell"] = cells[blank]
    trace["value"] = state.board.colour[places[blank]]
    trace["rule"] = int(Rule.GUESS)
    most = np.iinfo(np.int32).max
    trace["options"] = np.minimum(state.tried[state.island[: len(places)][blank]], most)
    return trace
