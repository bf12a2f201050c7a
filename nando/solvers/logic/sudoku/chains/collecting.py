"""Forcing chains for every candidate that they remove, where the finder writes the best alone."""

import numpy as np

from nando.kernels.compile import kernel
from nando.solvers.logic.sudoku.chains.assumptions import assume
from nando.solvers.logic.sudoku.chains.deductions import new_assumption
from nando.solvers.logic.sudoku.chains.forcing import (
    begin_step,
    end_step,
    follow_starts,
    write_source,
)
from nando.solvers.logic.sudoku.chains.implications import list_implications
from nando.solvers.logic.sudoku.chains.starts import (
    LENGTH,
    N_SOURCES,
    NONE,
    SOURCES,
    new_room,
)


@kernel
def prove_all(state, layout, kind):
    """The shortest forcing chains that remove each candidate, with assumptions of a kind.

    Returns the links, room for an assumption, the starts, and a row of `best` for each candidate.
    """
    graph = list_implications(layout, state.candidates, state.positions)
    made = new_assumption(layout, graph.n, 0)
    kept, starts = new_room(layout, graph.n)
    # A single row would stand for all candidates.
    best = np.full((max(graph.n, 2), 4), NONE, np.int64)
    follow_starts(state, layout, graph, made, kept, starts, best, kind)
    return graph, made, starts, best


@kernel
def write_proof(state, layout, finding, graph, made, start, best, kind, rating):
    """Write the links of a row of `best`, its assumptions followed anew."""
    told = np.empty((3, 2 * graph.n + 1), np.int64)
    begin_step(finding, start, best)
    for source in start[SOURCES : SOURCES + start[N_SOURCES]]:
        assume(state, layout, graph, made, source, kind, best[LENGTH] + NONE)
        write_source(layout, finding, graph, made, best, told)
    end_step(state, layout, finding, graph, best, rating)
