"""The chaos-based continuous-time solver: a Sudoku as a flow that can only rest at a solution.

A variable s in [-1, 1] for every candidate of every empty cell is true at 1 and false at -1;
clauses say that every cell has a value, every house every value, and neither has two. With
the signs c of its k variables, a clause m is violated by K_m = 2**-k times the product of 1 - c s,
which is 0 if it holds, and

    ds_i/dt = sum over m of 2 a_m c_mi K_m K_mi,   K_mi = K_m / (1 - c_mi s_i),
    da_m/dt = a_m K_m,   a_m(0) = 1.

Violated clauses become ever more urgent, so the flow can rest at solutions only, but on the way it
is chaotic. The share of randomly started flows that have not arrived at time t falls as exp(-kappa
t), and -log10(kappa) is the hardness: 0 to 1 easy, 1 to 2 medium, 2 to 3 hard, above 3 ultra-hard.

Source: Ercsey-Ravasz and Toroczkai 2012, "The chaos within Sudoku".
"""

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles import Puzzle, Sudoku
from nando.solvers.protocol import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    generator,
    unsupported,
)
from nando.solvers.repeated import Budget, run_often, solved_share
from nando.solvers.sudoku.clauses import Clauses, clauses_of, grid_of

_CHUNK = 1_000
"""Steps between two checks of the clock."""

_FIRST_STEP = 0.01
_SAFETY, _LEAST_FACTOR, _MOST_FACTOR = 0.9, 0.2, 5.0
"""Step control: safety factor and bounds of the change."""


@dataclass(frozen=True)
class ChaosProfile:
    """Statistics of many flows of :class:`ChaosFlow` on a puzzle.

    Attributes
    ----------
    hardness : float
        Eta, -log10 of the escape rate; not a number where no flow arrived after the transient.
    escape_rate : float
        Kappa, per unit of time.
    arrivals : int
        Flows that the escape rate counts.
    time_after_transient : float
        The time by which they are divided.
    log_time : float
        Natural logarithm of 1 + the mean time of a flow: a cheap proxy for the hardness that
        needs few flows, but includes the transient and ends at the horizon.
    steps : float
        Mean number of steps of the integrator.
    solved_share : float
        Share of flows that arrived within the horizon.
    times : ndarray of float64, shape (runs,)
        Time of each flow, in the order of the runs; where it did not arrive, that of its end.
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
class ChaosFlow:
    """The continuous-time solver.

    Parameters
    ----------
    tolerance : float
        Bound on the estimated error of a step, in any s and in any log a.
    horizon : float
        Time up to which a flow is followed.
    transient : float
        Time from which on the escape rate is taken, or that at which half of the flows have
        arrived if this is earlier.
    steps : int
        Most steps of the integrator in a run.

    Notes
    -----
    Steps are those of the integrator, including rejected ones. The flow starts with every s
    drawn from -1 to 1 and ends where the signs of s are a solution. The trace has a row (rule
    FLOW, cell -1) for the start and for each time at which fewer clauses are broken, by the signs,
    than ever before: `step`, that number in `options`, and the time in `cost`. Its last row is
    that of the end.

    The equations are linear in each variable while the others stand still, so a step is
    that of the linear equation, with what acts on a variable averaged over both ends of the step
    (second order); how much the average changes the result bounds the step. A Runge-Kutta
    method, scipy's RK45 for one, is bound by stability to steps that shrink as urgencies
    grow; the tests compare the flow with scipy's all the same. Urgencies grow exponentially, so
    even these steps get short, and a hard puzzle cannot be followed to its end.

    Escape rate: flows arrive ever faster at first, and at a constant rate only once urgencies
    differ much. It is the number of flows that arrive after `transient`, divided by the time that
    all flows spend between then and their arrival or the horizon, the best estimate of a constant
    rate. The authors fit a line to the logarithm of the share left; from where on, and how far,
    they do not say. The standard error of the hardness is 0.43 over the square root of the number
    of those arrivals. 559 flows of Platinum Blonde, 12 arrivals, gave 3.66 +- 0.13 where the
    authors have about 3.6; their other puzzles are not known to us.

    A pair of candidates that a row and a box both exclude has a clause for each. Puzzles with as
    many givens then have about 5.7 clauses for a variable, as the authors' example with its 717
    for 126; with one for both they have 4.8.

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
    tolerance: float = 0.02
    horizon: float = 200.0
    transient: float = 100.0
    steps: int = 100_000

    def __post_init__(self) -> None:
        for name in ("tolerance", "horizon"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)!r}")
        if not 0.0 <= self.transient < self.horizon:
            raise ValueError(
                f"transient must be at least 0 and below the horizon, got {self.transient!r}"
            )
        if self.steps < 1:
            raise ValueError(f"steps must be at least 1, got {self.steps!r}")

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Flow within `steps` and the limit.

        The outcome is STUCK at the horizon or where `steps` were spent, and EXHAUSTED where the
        givens leave a cell without a candidate or a house without a place for a value.
        """
        return self._run(puzzle, Budget(limit, self.steps), generator(rng))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 1_000, rng: Seed = None, limit: Limit | None = None
    ) -> ChaosProfile:
        """Flow `runs` times.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = run_often(self, puzzle, runs, limit, rng)
        times = np.array([run.trace["cost"][-1:].sum() for run in done])
        arrived = np.array([run.outcome is Outcome.SOLVED for run in done])
        n_later, spent = arrivals(times, arrived, self.transient)
        rate = n_later / spent if n_later and spent > 0.0 else float("nan")
        return ChaosProfile(
            hardness=float(-np.log10(rate)),
            escape_rate=rate,
            arrivals=n_later,
            time_after_transient=spent,
            log_time=float(np.log1p(times.mean())),
            steps=float(np.mean([run.steps for run in done])),
            solved_share=solved_share(done),
            times=times,
        )

    def _run(self, puzzle: Puzzle, budget: Budget, rng: np.random.Generator) -> SolveRun:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        clauses = clauses_of(puzzle)
        if clauses is None:
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        flow = _new_flow(clauses, rng)
        _begin(flow, clauses)
        bounds = (float(self.tolerance), float(self.horizon))
        for pause in budget.pauses(flow.counts, _CHUNK, lambda: flow.goes_on(self.horizon)):
            _integrate(flow, clauses, bounds, pause)
        steps, n_broken, n_rows = flow.counts.tolist()
        trace = np.zeros(n_rows + (n_broken > 0), STEP)
        trace["step"][:n_rows], trace["options"][:n_rows] = flow.bests[:n_rows].T
        trace["cost"][:n_rows] = flow.times[:n_rows]
        trace["cell"], trace["rule"] = -1, int(Rule.FLOW)
        if n_broken > 0:
            trace[-1] = (steps, -1, 0, int(Rule.FLOW), n_broken, flow.clock[0])
            if flow.clock[0] >= self.horizon:
                return SolveRun(Outcome.STUCK, steps, None, trace)
            return budget.ended(steps, None, trace)
        truths = flow.s > 0.0
        return budget.ended(steps, grid_of(clauses, truths, puzzle), trace)


def arrivals(
    times: NDArray[np.float64], arrived: NDArray[np.bool_], transient: float
) -> tuple[int, float]:
    """How many flows arrive after the transient, and the time that all of them spend after it.

    Parameters
    ----------
    times : ndarray of float64, shape (runs,)
        When each flow arrived or, where it did not, was left.
    arrived : ndarray of bool, shape (runs,)
    transient : float
        Its end; it ends earlier where half of the flows have arrived.

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


class _Flow(NamedTuple):
    """The state of a flow; all arrays are changed in place."""

    s: NDArray[np.float64]
    """Each variable."""
    log_a: NDArray[np.float64]
    """Logarithm of the urgency of each clause."""
    push: NDArray[np.float64]
    """Of each variable, at the start and at the end of a step, shape (2, n): ds/dt without s."""
    drag: NDArray[np.float64]
    """The same of what s is multiplied with: ds/dt is push - drag * s."""
    violation: NDArray[np.float64]
    """K of each clause, its violation, at the start and at the end of a step."""
    s_trial: NDArray[np.float64]
    log_a_trial: NDArray[np.float64]
    prefix: NDArray[np.float64]
    """Workspace for the products within a clause."""
    clock: NDArray[np.float64]
    """Time; length of the next step."""
    counts: NDArray[np.int64]
    """Steps; broken clauses; rows of ``bests``."""
    bests: NDArray[np.int64]
    """Step and broken clauses, each time that these are fewer than ever before."""
    times: NDArray[np.float64]
    """Time of each of these."""

    @property
    def n_broken(self) -> int:
        """Clauses that the signs violate."""
        return int(self.counts[1])

    def goes_on(self, horizon: float) -> bool:
        """Whether it is neither at a solution nor at the horizon."""
        return self.n_broken > 0 and bool(self.clock[0] < horizon)


def _new_flow(clauses: Clauses, rng: np.random.Generator) -> _Flow:
    n, m = len(clauses.cells), clauses.n_clauses
    return _Flow(
        s=rng.uniform(-1.0, 1.0, n),
        log_a=np.zeros(m),
        push=np.zeros((2, n)),
        drag=np.zeros((2, n)),
        violation=np.zeros((2, m)),
        s_trial=np.zeros(n),
        log_a_trial=np.zeros(m),
        prefix=np.zeros(int(np.diff(clauses.starts).max(initial=1))),
        clock=np.array([0.0, _FIRST_STEP]),
        counts=np.zeros(3, np.int64),
        bests=np.zeros((m + 1, 2), np.int64),
        times=np.zeros(m + 1),
    )


@kernel
def _begin(flow, clauses):
    _note(flow, clauses)
    _derive(flow.s, flow.log_a, clauses, flow.prefix, flow.push[0], flow.drag[0], flow.violation[0])


@kernel
def _integrate(flow, clauses, bounds, pause):
    """Go on until `pause` steps, the horizon, or no clause is broken.

    Were push and drag constant, s would be known exactly at the end of a step. It is taken so
    with their values at the start, then with the mean of those at both ends; how far apart the
    two results are is the error.
    """
    tolerance, horizon = bounds
    s, trial = flow.s, flow.s_trial
    push, drag, violation = flow.push, flow.drag, flow.violation
    n = s.shape[0]
    n_clauses = flow.log_a.shape[0]
    while flow.counts[0] < pause and flow.counts[1] > 0 and flow.clock[0] < horizon:
        flow.counts[0] += 1
        step = flow.clock[1]
        for i in range(n):
            trial[i] = _drawn_to(s[i], push[0, i], drag[0, i], step)
        for m in range(n_clauses):
            flow.log_a_trial[m] = flow.log_a[m] + step * violation[0, m]
        _derive(trial, flow.log_a_trial, clauses, flow.prefix, push[1], drag[1], violation[1])
        error = 0.0
        for i in range(n):
            better = _drawn_to(
                s[i], 0.5 * (push[0, i] + push[1, i]), 0.5 * (drag[0, i] + drag[1, i]), step
            )
            error = max(error, abs(better - trial[i]))
            trial[i] = better
        for m in range(n_clauses):
            change = 0.5 * step * (violation[1, m] - violation[0, m])
            error = max(error, abs(change))
            flow.log_a_trial[m] += change
        if error <= tolerance:
            flow.clock[0] += step
            s[:] = trial
            flow.log_a[:] = flow.log_a_trial
            _derive(s, flow.log_a, clauses, flow.prefix, push[0], drag[0], violation[0])
            _note(flow, clauses)
        wanted = _MOST_FACTOR if error == 0.0 else _SAFETY * np.sqrt(tolerance / error)
        flow.clock[1] = step * min(_MOST_FACTOR, max(_LEAST_FACTOR, wanted))


@kernel
def _drawn_to(s, push, drag, step):
    """Where a variable is after a step with constant push and drag."""
    if drag * step < 1e-8:
        return s + step * (push - drag * s)
    rest = push / drag
    return rest + (s - rest) * np.exp(-drag * step)


@kernel
def _derive(s, log_a, clauses, prefix, push, drag, violation):
    """Push and drag of each variable, and K of each clause."""
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
        one = clauses.pairs[k, 0]
        other = clauses.pairs[k, 1]
        of_one = 0.5 * (1.0 + s[one])
        of_other = 0.5 * (1.0 + s[other])
        violation[n_groups + k] = of_one * of_other
        urgency = 0.5 * np.exp(log_a[n_groups + k])
        pull = urgency * of_other * of_other
        push[one] -= pull
        drag[one] += pull
        pull = urgency * of_one * of_one
        push[other] -= pull
        drag[other] += pull


@kernel
def _note(flow, clauses):
    """Count the clauses that the signs break, and keep it if they are fewer than ever."""
    broken = 0
    s = flow.s
    for m in range(clauses.starts.shape[0] - 1):
        holds = False
        for j in range(clauses.starts[m], clauses.starts[m + 1]):
            holds |= s[clauses.members[j]] > 0.0
        broken += not holds
    for k in range(clauses.pairs.shape[0]):
        broken += s[clauses.pairs[k, 0]] > 0.0 and s[clauses.pairs[k, 1]] > 0.0
    flow.counts[1] = broken
    n_rows = flow.counts[2]
    if n_rows == 0 or broken < flow.bests[n_rows - 1, 1]:
        flow.bests[n_rows, 0] = flow.counts[0]
        flow.bests[n_rows, 1] = broken
        flow.times[n_rows] = flow.clock[0]
        flow.counts[2] = n_rows + 1
