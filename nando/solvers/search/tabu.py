"""Tabu search that fills a Sudoku cell by cell and filters the candidates after every cell.

Each iteration tries a few random assignments of a value to a cell, filters the candidates after
each, and keeps the assignment that leaves the fewest cells open. Recent assignments are tabu. If
every assignment that was tried breaks the puzzle, the search starts again from the filtered givens,
with the same tabu list. The metric is the number of iterations.

Source: Soto et al. 2013 (AC-3 as the filter); Soto et al. 2015 (alldifferent).
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, kernel, lean_kernel, lowest_bit
from nando.puzzles import Sudoku
from nando.records import between, setting
from nando.solvers.protocol import STEP, Budget, IteratedSearch, Outcome, Rule, SolveRun
from nando.solvers.search import domain_filters

_CHUNK = 20
"""Iterations between two checks of the clock."""

_NEVER = -(1 << 62)


@dataclass(frozen=True)
class TabuSearch(IteratedSearch):
    """Tabu search with a domain filter.

    Parameters
    ----------
    domain_filter : {"alldifferent", "ac3", "gac", "none"}
        Filter of the candidates, run to its fixed point on the givens and after every assignment:
        Hall intervals (Soto et al. 2015), AC-3 (Soto et al. 2013), Hall sets, or none. Without a
        filter, only a value that its house already has breaks the puzzle.
    tabu_tenure : int
        Length of the tabu list. It holds the assignments that were kept last, or that broke the
        puzzle before a restart.
    candidate_list_length : int
        Assignments tried in an iteration.
    iterations : int
        Most iterations of a run.

    Notes
    -----
    Steps are iterations, including restarts; a puzzle that the filter solves takes 0. The trace
    has a row for each: GUESS with the cell and value that were kept, or BACKTRACK (cell -1) for a
    restart. `options` is the number of assignments tried that did not break the puzzle, and `cost`
    the number of cells still open.

    The papers give the filters, the cost, keeping the best of a candidate list if its cost is not
    above that of the current state, expiring the oldest features, and 10,000 iterations. They do
    not give the two lengths, nor what a feature is or what happens at a dead end. Here a candidate
    is a cell drawn uniformly among the open ones and a value drawn uniformly among its candidates
    that are not tabu. If no cell drawn has such a value, the candidate list stays empty: that is a
    dead end, and the oldest feature expires. A feature is the assignment alone, without the
    removals that follow from it. Ties for the best are broken at random. A dead end leads back to
    the filtered givens.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "...4..7.2.64....5.1....7..921...8..3....5....8..1...759..7....8.8....92.5.7..2..."
    ... )
    >>> TabuSearch().run(puzzle, rng=1).steps, TabuSearch(domain_filter="ac3").run(
    ...     puzzle, rng=1
    ... ).outcome.value
    (0, 'solved')
    """

    name: ClassVar[str] = "tabu"
    domain_filter: Literal["alldifferent", "ac3", "gac", "none"] = "alldifferent"
    tabu_tenure: int = setting(10, between(0))
    candidate_list_length: int = setting(10, between(1))
    iterations: int = setting(10_000, between(1))

    def _run(self, puzzle: Sudoku, budget: Budget, rng: np.random.Generator) -> SolveRun:
        strength = domain_filters.STRENGTHS[self.domain_filter]
        layout = puzzle.layout
        current = domain_filters.given_domains(puzzle)
        if not domain_filters.propagate(current, layout, strength):
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        search = _search_from(current, self.candidate_list_length, layout.size)
        steps, late = 0, False
        parts = [np.zeros(0, STEP)]
        while domain_filters.n_open(current.candidates) > 0 and steps < budget.most and not late:
            part = np.zeros(min(_CHUNK, budget.most - steps), STEP)
            n_made = _iterate(search, layout, strength, self.tabu_tenure, part, rng)
            part["step"] = np.arange(steps + 1, steps + len(part) + 1)
            parts.append(part[:n_made])
            steps += n_made
            late = budget.late
        solved = domain_filters.n_open(current.candidates) == 0
        return budget.ended(
            steps,
            domain_filters.values_of(current.candidates) if solved else None,
            np.concatenate(parts),
        )


class _Search(NamedTuple):
    """State of a search; all arrays are changed in place."""

    root: NDArray[np.int32]
    """Filtered givens."""
    current: domain_filters.Domains
    trial: domain_filters.Domains
    """Workspace for trying an assignment; shares all arrays but ``candidates`` with `current`."""
    best: NDArray[np.int32]
    tried: NDArray[np.int32]
    """Cell and value (from 0) of each assignment of the candidate list, shape (its length, 2)."""
    entered: NDArray[np.int64]
    """Number of the last entry of each assignment on the tabu list, shape (n_cells, size)."""
    clock: NDArray[np.int64]
    """The number of the next entry."""


def _search_from(current: domain_filters.Domains, length: int, size: int) -> _Search:
    return _Search(
        root=current.candidates.copy(),
        current=current,
        trial=current._replace(candidates=current.candidates.copy()),
        best=current.candidates.copy(),
        tried=np.zeros((length, 2), np.int32),
        entered=np.full((len(current.candidates), size), _NEVER, np.int64),
        clock=np.zeros(1, np.int64),
    )


@kernel
def _iterate(search, layout, strength, tenure, rows, rng):
    """Make one iteration per row of `rows`, or fewer if that solves the puzzle; return how many.

    Each iteration writes all columns of its row but `step`.
    """
    current = search.current.candidates
    for k in range(rows.shape[0]):
        opened = np.flatnonzero(current & (current - 1))
        if opened.size == 0:
            return k
        n_tried, n_unbroken, least, chosen = _try_candidates(
            search, layout, strength, tenure, opened, rng
        )
        if n_unbroken > 0:
            # An assignment closes a cell, so the cost is below that of the current state.
            copy_values(current, search.best)
            cell, value = search.tried[chosen]
            _make_tabu(search, cell, value, tenure)
            rows[k]["rule"] = Rule.GUESS.value
            rows[k]["cell"] = cell
            rows[k]["value"] = value + 1
            rows[k]["cost"] = least
        else:
            copy_values(current, search.root)
            for i in range(n_tried):
                _make_tabu(search, search.tried[i, 0], search.tried[i, 1], tenure)
            if n_tried == 0:
                search.clock[0] += 1
            rows[k]["rule"] = Rule.BACKTRACK.value
            rows[k]["cell"] = -1
            rows[k]["cost"] = domain_filters.n_open(current)
        rows[k]["options"] = n_unbroken
    return rows.shape[0]


@kernel
def _try_candidates(search, layout, strength, tenure, opened, rng):
    """Draw the candidate list, filter after each assignment, and store the best in `search.best`.

    Return the number of assignments drawn, the number of those that did not break the puzzle, the
    number of cells that the best leaves open, and its index in the list.
    """
    trial = search.trial
    n_tried = 0
    n_unbroken = 0
    least = layout.n_cells
    n_equal = 0
    chosen = -1
    for _ in range(search.tried.shape[0]):
        cell = int(opened[int(rng.random() * opened.shape[0])])
        value = _drawn_value(search, cell, tenure, rng)
        if value < 0:
            continue
        search.tried[n_tried, 0] = cell
        search.tried[n_tried, 1] = value
        n_tried += 1
        copy_values(trial.candidates, search.current.candidates)
        domain_filters.restrict(trial, layout, cell, 1 << value)
        if not domain_filters.propagate(trial, layout, strength):
            continue
        n_unbroken += 1
        cost = domain_filters.n_open(trial.candidates)
        if cost < least:
            least = cost
            n_equal = 0
        if cost == least:
            n_equal += 1
            if rng.random() * n_equal < 1.0:
                copy_values(search.best, trial.candidates)
                chosen = n_tried - 1
    return n_tried, n_unbroken, least, chosen


@kernel
def _drawn_value(search, cell, tenure, rng):
    """Draw one of the cell's candidates that are not tabu; return -1 if all are."""
    count = 0
    drawn = -1
    left = int(search.current.candidates[cell])
    while left:
        value = lowest_bit(left)
        left &= left - 1
        if search.clock[0] - search.entered[cell, value] > tenure:
            count += 1
            if rng.random() * count < 1.0:
                drawn = value
    return drawn


@lean_kernel
def _make_tabu(search, cell, value, tenure):
    """Add an assignment to the tabu list unless it is there."""
    if search.clock[0] - search.entered[cell, value] > tenure:
        search.entered[cell, value] = search.clock[0]
        search.clock[0] += 1
