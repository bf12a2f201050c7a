"""The chaos-based continuous-time solver: a Sudoku as a flow that can only rest at a solution.

Every candidate of every empty cell has a variable s in [-1, 1] that is true at 1 and false at -1.
Clauses say that every cell has exactly one value, and every house each value exactly once. With the
signs c of its k variables, the violation of a clause m is K_m, 2**-k times the product of 1 - c s,
which is 0 if the clause holds. The equations are

    ds_i/dt = sum over m of 2 a_m c_mi K_m K_mi,   K_mi = K_m / (1 - c_mi s_i),
    da_m/dt = a_m K_m,   a_m(0) = 1.

Violated clauses become ever more urgent, so the flow can rest only at a solution; until then it is
chaotic. The share of randomly started flows that have not arrived at time t falls as
exp(-kappa t), and -log10(kappa) is the hardness: 0 to 1 is easy, 1 to 2 medium, 2 to 3 hard, and
above 3 ultra-hard.

Source: Ercsey-Ravasz and Toroczkai 2012, "The chaos within Sudoku".
"""

from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive
from nando.kernels.compile import copy_values, lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.records import between, setting
from nando.solvers import protocol

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
        trace=protocol.trace_of(protocol.Rule.FLOW, m + 1, cell=-1),
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
    while progress[protocol.STEPS] < pause and progress[N_BROKEN] > 0 and clock[TIME] < horizon:
        progress[protocol.STEPS] += 1
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
    n_rows = flow.progress[protocol.N_ROWS]
    if n_rows == 0 or broken < flow.trace[n_rows - 1]["options"]:
        record(flow)


@lean_kernel
def record(flow):
    """Append the step, the number of broken clauses (`options`) and the time (`cost`)."""
    n_rows = flow.progress[protocol.N_ROWS]
    flow.trace[n_rows]["step"] = flow.progress[protocol.STEPS]
    flow.trace[n_rows]["options"] = flow.progress[N_BROKEN]
    flow.trace[n_rows]["cost"] = flow.clock[TIME]
    flow.progress[protocol.N_ROWS] = n_rows + 1


_CHUNK = 1_000
"""Steps between two checks of the clock."""


@dataclass(frozen=True, eq=False)
class ChaosProfile(EqualFields):
    """Statistics of many flows of :class:`ChaosFlow` on a puzzle.

    Attributes
    ----------
    hardness : float
        Eta, -log10 of the escape rate; NaN if no flow arrived after the transient.
    escape_rate : float
        Kappa, per unit of time.
    arrivals : int
        Number of flows that arrived after the transient.
    time_after_transient : float
        Time that all flows spent after the transient; `arrivals` divided by it is the rate.
    log_time : float
        Natural logarithm of 1 + the mean time of a flow, a cheap proxy for the hardness. It needs
        few flows, but includes the transient and stops at the horizon.
    steps : float
        Mean number of steps of the integrator.
    solved_share : float
        Share of flows that arrived within the horizon.
    times : ndarray of float64, shape (runs,)
        Time at which each flow arrived or was given up, in the order of the runs.
    """

    hardness: float
    escape_rate: float
    arrivals: int
    time_after_transient: float
    log_time: float
    steps: float
    solved_share: float
    times: NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True)
class ChaosFlow(protocol.BoundedSearch):
    """The continuous-time solver.

    Parameters
    ----------
    tolerance : float
        Bound on the estimated error of a step, in any s and in any log a.
    horizon : float
        Time up to which a flow is followed.
    transient : float
        Time after which arrivals count for the escape rate. If half of the flows arrive earlier,
        that time is used instead.
    steps : int
        Most steps of the integrator in a run.

    Notes
    -----
    Steps are those of the integrator, including rejected ones. The flow starts with every s
    drawn from -1 to 1 and ends where the signs of s are a solution. The trace has a row (rule
    FLOW, cell -1) for the start, for each time at which the signs break fewer clauses than ever
    before, and for the end. `options` is the number of broken clauses and `cost` the time. The run
    is stuck at the horizon, and exhausted if the givens leave a cell without a candidate or a
    house without a place for a value.

    Each equation is linear in its variable as long as the others do not change. A step therefore
    solves the linear equation, with coefficients averaged over both ends of the step (second
    order); the difference that the averaging makes is the error that limits its length. A
    Runge-Kutta method, for example scipy's RK45, would need steps that shrink as urgencies grow to
    stay stable; the tests compare the flow with it nevertheless. Urgencies grow exponentially, so
    even these steps get short, and a hard puzzle cannot be followed to its end.

    Flows arrive faster and faster at first, and at a constant rate only once urgencies differ
    much. The escape rate is the number of flows that arrive after `transient`, divided by the time
    that all flows spend between then and their arrival or the horizon; this is the best estimate
    of a constant rate. The authors instead fit a line to the logarithm of the share left; they do
    not state over which times. The standard error of the hardness is 0.43 divided by the square
    root of the number of these arrivals. 559 flows of Platinum Blonde, 12 of which arrived after
    the transient, gave 3.66 +- 0.13; the authors give about 3.6. Their other puzzles are not known
    to us.

    A pair of candidates that both a row and a box exclude has two clauses. This gives about 5.7
    clauses per variable, as in the authors' example (717 clauses, 126 variables); with one clause
    per pair, puzzles with as many givens would have 4.8.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "...4..7.2.64....5.1....7..921...8..3....5....8..1...759..7....8.8....92.5.7..2..."
    ... )
    >>> ChaosFlow().run(puzzle, rng=1).outcome.value
    'solved'
    """

    name: ClassVar[str] = "chaos"
    bound: ClassVar[str] = "steps"
    tolerance: float = setting(0.02, positive)
    horizon: float = setting(200.0, positive)
    transient: float = 100.0
    steps: int = setting(100_000, between(1))

    def check(self) -> None:
        """Reject a transient that does not end before the horizon."""
        if not 0.0 <= self.transient < self.horizon:
            raise ValueError(
                f"transient must be at least 0 and below the horizon, got {self.transient!r}"
            )

    def profile(
        self,
        puzzle: Puzzle,
        *,
        runs: int = 1_000,
        rng: protocol.Seed = None,
        limit: protocol.Limit | None = None,
    ) -> ChaosProfile:
        """Flow `runs` times.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = protocol.run_often(self, puzzle, runs, limit, rng)
        times = np.array([run.trace["cost"][-1:].sum() for run in done])
        arrived = np.array([run.outcome is protocol.Outcome.SOLVED for run in done])
        n_later, spent = arrivals(times, arrived, self.transient)
        rate = n_later / spent if n_later and spent > 0.0 else float("nan")
        return ChaosProfile(
            hardness=float(-np.log10(rate)),
            escape_rate=rate,
            arrivals=n_later,
            time_after_transient=spent,
            log_time=float(np.log1p(times.mean())),
            steps=float(np.mean([run.steps for run in done])),
            solved_share=protocol.solved_share(done),
            times=times,
        )

    def _run(
        self, puzzle: Sudoku, budget: protocol.Budget, rng: np.random.Generator
    ) -> protocol.SolveRun:
        clauses = clauses_of(puzzle)
        if clauses is None:
            return protocol.SolveRun(protocol.Outcome.EXHAUSTED, 0, None)
        flow = new_flow(clauses, rng)
        begin(flow, clauses)
        bounds = (self.tolerance, self.horizon)
        for pause in budget.pauses(flow.progress, _CHUNK, lambda: flow.goes_on(self.horizon)):
            integrate(flow, clauses, bounds, pause)
        solution = None
        if flow.n_broken > 0:
            record(flow)
        else:
            solution = grid_of(clauses, flow.s > 0.0, puzzle)
        steps, n_rows, n_broken = flow.progress.tolist()
        trace = flow.trace[:n_rows].copy()
        if n_broken > 0 and flow.clock[TIME] >= self.horizon:
            return protocol.SolveRun(protocol.Outcome.STUCK, steps, None, trace)
        return budget.ended(steps, solution, trace)


def arrivals(
    times: NDArray[np.float64], arrived: NDArray[np.bool_], transient: float
) -> tuple[int, float]:
    """Count the flows that arrive after the transient, and add up the time that all spend after it.

    Parameters
    ----------
    times : ndarray of float64, shape (runs,)
        Time at which each flow arrived or was given up.
    arrived : ndarray of bool, shape (runs,)
    transient : float
        End of the transient; it ends earlier if half of the flows have arrived.

    Examples
    --------
    >>> times = np.random.default_rng(0).exponential(250.0, 100_000)
    >>> count, spent = arrivals(times, times < 1e9, 20.0)
    >>> round(spent / count, -1)
    250.0
    """
    half = float(np.sort(np.where(arrived, times, np.inf))[len(times) // 2])
    start = min(transient, half)
    later = times > start
    return int((arrived & later).sum()), float((times[later] - start).sum())
