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
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.frozen import EqualFields
from nando.records import between, setting
from nando.solvers.constraints.flow import (
    TIME,
    begin,
    clauses_of,
    grid_of,
    integrate,
    new_flow,
    record,
)
from nando.solvers.protocol import (
    Limit,
    Outcome,
    Seed,
    SolveRun,
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
class ChaosFlow(BoundedSearch):
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
            return SolveRun(Outcome.STUCK, steps, None, trace)
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
