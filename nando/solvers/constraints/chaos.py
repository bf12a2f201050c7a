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
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.frozen import EqualFields
from nando.settings import between, setting
from nando.solvers.constraints.flow import begin, clauses_of, grid_of, integrate, new_flow
from nando.solvers.protocol import (
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    trace_of,
)
from nando.solvers.repeated import BoundedSearch, Budget, run_often, solved_share

_CHUNK = 1_000
"""Steps between two checks of the clock."""


@dataclass(frozen=True, eq=False)
class ChaosProfile(EqualFields):
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
class ChaosFlow(BoundedSearch):
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
    that of the end. The run is stuck at the horizon, and exhausted if the givens leave a cell
    without a candidate or a house without a place for a value.

    The equations are linear in each variable while the others stand still, so a step is
    that of the linear equation, with what acts on a variable averaged over both ends of the step
    (second order); how much the average changes the result bounds the step. A Runge-Kutta
    method, scipy's RK45 for one, is bound by stability to steps that shrink as urgencies
    grow; the tests compare the flow with scipy's all the same. Urgencies grow exponentially, so
    even these steps get short, and a hard puzzle cannot be followed to its end.

    Escape rate: flows arrive faster and faster at first, and at a constant rate only once urgencies
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

    def _run(self, puzzle: Sudoku, budget: Budget, rng: np.random.Generator) -> SolveRun:
        clauses = clauses_of(puzzle)
        if clauses is None:
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        flow = new_flow(clauses, rng)
        begin(flow, clauses)
        bounds = (self.tolerance, self.horizon)
        for pause in budget.pauses(flow.counts, _CHUNK, lambda: flow.goes_on(self.horizon)):
            integrate(flow, clauses, bounds, pause)
        steps, n_broken, n_rows = flow.counts.tolist()
        solution = None
        if n_broken > 0:
            flow.bests[n_rows] = steps, n_broken
            flow.times[n_rows] = flow.clock[0]
            n_rows += 1
        else:
            solution = grid_of(clauses, flow.s > 0.0, puzzle)
        step, options = flow.bests[:n_rows].T
        trace = trace_of(
            Rule.FLOW, n_rows, step=step, options=options, cost=flow.times[:n_rows], cell=-1
        )
        if n_broken > 0 and flow.clock[0] >= self.horizon:
            return SolveRun(Outcome.STUCK, steps, None, trace)
        return budget.ended(steps, solution, trace)


def arrivals(
    times: NDArray[np.float64], arrived: NDArray[np.bool_], transient: float
) -> tuple[int, float]:
    """Count the flows that arrive after the transient, and add up the time that all spend after it.

    Parameters
    ----------
    times : ndarray of float64, shape (runs,)
        Time at which each flow arrived, or at which it was given up.
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
