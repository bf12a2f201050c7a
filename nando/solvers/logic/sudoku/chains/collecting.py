"""Forcing chains for every candidate that they remove, where the finder writes the best alone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.solvers.logic.sudoku.chains.assumptions import assume
from nando.solvers.logic.sudoku.chains.deductions import Assumption, new_assumption
from nando.solvers.logic.sudoku.chains.forcing import (
    begin_step,
    end_step,
    follow_starts,
    write_source,
)
from nando.solvers.logic.sudoku.chains.implications import Implications, list_implications
from nando.solvers.logic.sudoku.chains.starts import (
    LENGTH,
    N_SOURCES,
    NONE,
    SOURCES,
    START,
    new_room,
)
from nando.solvers.logic.sudoku.finding import Finding, new_finding
from nando.solvers.logic.sudoku.state import LogicLayout, LogicState


class Search(NamedTuple):
    """A search for the best chains, and its room."""

    graph: Implications
    made: Assumption
    kept: tuple[NDArray[np.int64], ...]
    starts: NDArray[np.int64]
    best: NDArray[np.int64]
    """A row for each candidate."""


def prove_all(state: LogicState, layout: LogicLayout, kind: int) -> Search:
    """The shortest forcing chains that remove each candidate, with assumptions of a kind."""
    search = Search(*_new_search(state, layout))
    finding = new_finding(layout.order)
    _search_or_write(state, layout, finding, search, search.best[0], kind, 0, False)
    return search


def write_proof(
    state: LogicState,
    layout: LogicLayout,
    finding: Finding,
    search: Search,
    best: NDArray[np.int64],
    kind: int,
    rating: int,
) -> None:
    """Write the links of a row of a search's `best`, its assumptions followed anew."""
    _search_or_write(state, layout, finding, search, best, kind, rating, True)


@kernel
def _new_search(state, layout):
    graph = list_implications(layout, state.candidates, state.positions)
    made = new_assumption(layout, graph.n, 0)
    kept, starts = new_room(layout, graph.n)
    # A single row would stand for all candidates.
    best = np.full((max(graph.n, 2), 4), NONE, np.int64)
    return graph, made, kept, starts, best


@kernel
def _search_or_write(state, layout, finding, search, best, kind, rating, writes):
    """Search, or write the links of a row of the best: in one kernel, as in `nested`."""
    graph, made, starts = search.graph, search.made, search.starts
    if not writes:
        follow_starts(state, layout, graph, made, search.kept, starts, search.best, kind)
        return
    start = starts[best[START]]
    told = np.empty((3, 2 * graph.n + 1), np.int64)
    begin_step(finding, start, best)
    for source in start[SOURCES : SOURCES + start[N_SOURCES]]:
        assume(state, layout, graph, made, source, kind, best[LENGTH] + NONE)
        write_source(layout, finding, graph, made, best, told)
    end_step(state, layout, finding, graph, best, rating)
