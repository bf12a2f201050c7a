"""The clauses of a Sudoku, and the integration of the flow that the chaos-based solver follows.

:mod:`nando.solvers.constraints.chaos` states the equations and their source.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.arrays import copy_values
from nando.kernels.compile import lean_kernel
from nando.puzzles import Sudoku, Values
from nando.solvers.protocol import Rule, trace_of
from nando.solvers.repeated import N_ROWS, STEPS

_FIRST_STEP = 0.01
_SAFETY, _LEAST_FACTOR, _MOST_FACTOR = 0.9, 0.2, 5.0
"""Step control: safety factor and bounds of the change."""

TIME, NEXT_STEP = range(2)
"""Indices of :attr:`Flow.clock`."""
N_BROKEN = 2
"""A further index of :attr:`Flow.progress`."""
_START, _END = range(2)
"""Rows of what is derived at the start and at the end of a step."""


class Clauses(NamedTuple):
    """Conjunctive normal form with a variable for each candidate of each empty cell.

    Exactly one variable of each group is true. The groups are the candidates of an empty cell, and
    the places of a value that a house lacks. One clause of a group says that a variable is true;
    further clauses each exclude a pair of its variables. A pair in two groups has two clauses.
    """

    cells: NDArray[np.int32]
    """Cell of each variable, ascending."""
    values: NDArray[np.int32]
    """Value of each variable."""
    starts: NDArray[np.int32]
    """Index in ``members`` at which each group begins, and the index at which the last one ends."""
    members: NDArray[np.int32]
    """The variables of all groups, group by group."""
    pairs: NDArray[np.int32]
    """Variables that exclude each other, shape (n_pairs, 2)."""

    @property
    def n_clauses(self) -> int:
        """Number of clauses; those of groups come first, then those of pairs."""
        return len(self.starts) - 1 + len(self.pairs)


def clauses_of(puzzle: Sudoku) -> Clauses | None:
    """Return the clauses, or None if a house has a given twice or a group is empty."""
    layout, givens = puzzle.layout, puzzle.givens
    every = np.arange(1, layout.size + 1)
    numbers: dict[tuple[int, int], int] = {}
    groups: list[list[int]] = []
    for cell in np.flatnonzero(givens == 0).tolist():
        free = np.setdiff1d(every, givens[layout.peers[cell]]).tolist()
        groups.append([len(numbers) + i for i in range(len(free))])
        numbers |= {(cell, value): len(numbers) + i for i, value in enumerate(free)}
    for cells in layout.houses:
        lacking = np.setdiff1d(every, givens[cells]).tolist()
        if len(lacking) != int((givens[cells] == 0).sum()):
            return None
        groups += [
            [numbers[cell, value] for cell in cells.tolist() if (cell, value) in numbers]
            for value in lacking
        ]
    if not all(groups):
        return None
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    variables = np.array(list(numbers), np.int32).reshape(-1, 2)
    return Clauses(
        cells=variables[:, 0].copy(),
        values=variables[:, 1].copy(),
        starts=np.cumsum([0, *map(len, groups)]).astype(np.int32),
        members=np.array([variable for group in groups for variable in group], np.int32),
        pairs=np.array(pairs, np.int32).reshape(-1, 2),
    )


def grid_of(clauses: Clauses, truths: NDArray[np.bool_], puzzle: Sudoku) -> Values:
    """Return the givens with the values of the true variables."""
    grid = puzzle.givens.copy()
    grid[clauses.cells[truths]] = clauses.values[truths]
    return grid


class Flow(NamedTuple):
    """The state of a flow; all arrays are changed in place."""

    s: NDArray[np.float64]
    """Value of each variable, from -1 to 1."""
    log_a: NDArray[np.float64]
    """Logarithm of the urgency of each clause."""
    push: NDArray[np.float64]
    """Constant part of each ds/dt at the start and the end of a step, shape (2, n_variables)."""
    drag: NDArray[np.float64]
    """Factor of -s in each ds/dt, in the same shape: ds/dt is push - drag * s."""
    violation: NDArray[np.float64]
    """K of each clause, its violation, at the start and the end of a step, shape (2, n_clauses)."""
    s_trial: NDArray[np.float64]
    log_a_trial: NDArray[np.float64]
    prefix: NDArray[np.float64]
    """Workspace for the products within a clause."""
    clock: NDArray[np.float64]
    """The time (`TIME`), and the length of the next step (`NEXT_STEP`)."""
    progress: NDArray[np.int64]
    """Steps (`STEPS`); rows of ``trace`` (`N_ROWS`); broken clauses (`N_BROKEN`)."""
    trace: NDArray[np.void]
    """A row each time that fewer clauses are broken than ever before; see :func:`record`."""

    @property
    def n_broken(self) -> int:
        """Clauses that the signs violate."""
        return int(self.progress[N_BROKEN])

    def goes_on(self, horizon: float) -> bool:
        """Return True if the flow is neither at a solution nor at the horizon."""
        return self.n_broken > 0 and bool(self.clock[TIME] < horizon)


def new_flow(clauses: Clauses, rng: np.random.Generator) -> Flow:
    """Return a flow at its start: variables drawn, every clause as urgent as any other."""
    n, m = len(clauses.cells), clauses.n_clauses
    return Flow(
        s=rng.uniform(-1.0, 1.0, n),
        log_a=np.zeros(m),
        push=np.zeros((2, n)),
        drag=np.zeros((2, n)),
        violation=np.zeros((2, m)),
        s_trial=np.zeros(n),
        log_a_trial=np.zeros(m),
        prefix=np.zeros(int(np.diff(clauses.starts).max(initial=1))),
        clock=np.array([0.0, _FIRST_STEP]),
        progress=np.zeros(3, np.int64),
        trace=trace_of(Rule.FLOW, m + 1, cell=-1),
    )


@lean_kernel
def begin(flow, clauses):
    """Count the clauses broken at the start, and compute the first derivative."""
    _note(flow, clauses)
    push, drag, violation = flow.push[_START], flow.drag[_START], flow.violation[_START]
    _derive(flow.s, flow.log_a, clauses, flow.prefix, push, drag, violation)


@lean_kernel
def integrate(flow, clauses, bounds, pause):
    """Integrate until `pause` steps, the horizon, or a state in which no clause is broken.

    If push and drag were constant, the end of a step would be known exactly. Each step is computed
    twice: with their values at its start, and with the means of their values at both ends. The
    difference of the two results is the estimated error.
    """
    tolerance, horizon = bounds
    s, trial = flow.s, flow.s_trial
    push, last_push = flow.push[_START], flow.push[_END]
    drag, last_drag = flow.drag[_START], flow.drag[_END]
    violation, last_violation = flow.violation[_START], flow.violation[_END]
    clock, progress = flow.clock, flow.progress
    n = s.shape[0]
    n_clauses = flow.log_a.shape[0]
    while progress[STEPS] < pause and progress[N_BROKEN] > 0 and clock[TIME] < horizon:
        progress[STEPS] += 1
        step = clock[NEXT_STEP]
        for i in range(n):
            trial[i] = _drawn_to(s[i], push[i], drag[i], step)
        for m in range(n_clauses):
            flow.log_a_trial[m] = flow.log_a[m] + step * violation[m]
        _derive(trial, flow.log_a_trial, clauses, flow.prefix, last_push, last_drag, last_violation)
        error = 0.0
        for i in range(n):
            mean_push = 0.5 * (push[i] + last_push[i])
            mean_drag = 0.5 * (drag[i] + last_drag[i])
            better = _drawn_to(s[i], mean_push, mean_drag, step)
            error = max(error, abs(better - trial[i]))
            trial[i] = better
        for m in range(n_clauses):
            change = 0.5 * step * (last_violation[m] - violation[m])
            error = max(error, abs(change))
            flow.log_a_trial[m] += change
        if error <= tolerance:
            clock[TIME] += step
            copy_values(s, trial)
            copy_values(flow.log_a, flow.log_a_trial)
            _derive(s, flow.log_a, clauses, flow.prefix, push, drag, violation)
            _note(flow, clauses)
        factor = _MOST_FACTOR if error == 0.0 else _SAFETY * np.sqrt(tolerance / error)
        clock[NEXT_STEP] = step * min(_MOST_FACTOR, max(_LEAST_FACTOR, factor))


@lean_kernel
def _drawn_to(s, push, drag, step):
    """Return the value of a variable after a step with constant push and drag."""
    if drag * step < 1e-8:
        return s + step * (push - drag * s)
    rest = push / drag
    return rest + (s - rest) * np.exp(-drag * step)


@lean_kernel
def _derive(s, log_a, clauses, prefix, push, drag, violation):
    """Write the push and drag of each variable, and K of each clause."""
    push[:] = 0.0
    drag[:] = 0.0
    n_groups = clauses.starts.shape[0] - 1
    for m in range(n_groups):
        first = clauses.starts[m]
        last = clauses.starts[m + 1]
        product = 1.0
        for j in range(first, last):
            prefix[j - first] = product
            product *= 0.5 * (1.0 - s[clauses.members[j]])
        violation[m] = product
        urgency = 0.5 * np.exp(log_a[m])
        suffix = 1.0
        for j in range(last - 1, first - 1, -1):
            variable = clauses.members[j]
            pull = urgency * (prefix[j - first] * suffix) ** 2
            push[variable] += pull
            drag[variable] += pull
            suffix *= 0.5 * (1.0 - s[variable])
    for k in range(clauses.pairs.shape[0]):
        left = clauses.pairs[k, 0]
        right = clauses.pairs[k, 1]
        of_left = 0.5 * (1.0 + s[left])
        of_right = 0.5 * (1.0 + s[right])
        violation[n_groups + k] = of_left * of_right
        urgency = 0.5 * np.exp(log_a[n_groups + k])
        pull = urgency * of_right * of_right
        push[left] -= pull
        drag[left] += pull
        pull = urgency * of_left * of_left
        push[right] -= pull
        drag[right] += pull


@lean_kernel
def _note(flow, clauses):
    """Count the clauses that the signs break, and record the count if it is the least so far."""
    broken = 0
    s = flow.s
    for m in range(clauses.starts.shape[0] - 1):
        holds = False
        for j in range(clauses.starts[m], clauses.starts[m + 1]):
            holds |= s[clauses.members[j]] > 0.0
        broken += not holds
    for k in range(clauses.pairs.shape[0]):
        broken += s[clauses.pairs[k, 0]] > 0.0 and s[clauses.pairs[k, 1]] > 0.0
    flow.progress[N_BROKEN] = broken
    n_rows = flow.progress[N_ROWS]
    if n_rows == 0 or broken < flow.trace[n_rows - 1]["options"]:
        record(flow)


@lean_kernel
def record(flow):
    """Append the step, the number of broken clauses (`options`) and the time (`cost`)."""
    n_rows = flow.progress[N_ROWS]
    flow.trace[n_rows]["step"] = flow.progress[STEPS]
    flow.trace[n_rows]["options"] = flow.progress[N_BROKEN]
    flow.trace[n_rows]["cost"] = flow.clock[TIME]
    flow.progress[N_ROWS] = n_rows + 1
