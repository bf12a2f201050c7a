"""Budgets, repeated runs and their profiles, for solvers that may fail."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku, Values
from nando.records import Settings
from nando.solvers.protocol import (
    Limit,
    Outcome,
    Seed,
    Solver,
    SolveRun,
    check_runs,
    generator,
    unsupported,
)

NO_BOUND = 1 << 62
"""More steps than any run takes."""

STEPS, N_ROWS = range(2)
"""First indices in the `progress` of a search: steps spent, and rows written to its trace."""


def run_often(
    solver: Solver, puzzle: Puzzle, runs: int, limit: Limit | None, rng: Seed
) -> list[SolveRun]:
    """Run a solver several times with one generator.

    Raises
    ------
    ValueError
        If `runs` is below 1.
    """
    check_runs(runs)
    chance = generator(rng)
    return [solver.run(puzzle, limit=limit, rng=chance) for _ in range(runs)]


def solved_share(runs: Sequence[SolveRun]) -> float:
    """Return the share of runs that ended solved."""
    return float(np.mean([run.outcome is Outcome.SOLVED for run in runs]))


def median_steps(runs: Sequence[SolveRun]) -> float:
    """Return the median number of steps; a run that its budget ended counts with the budget."""
    return float(np.median([run.steps for run in runs]))


class Budget:
    """The number of steps that one run may take, and the time at which it must end.

    Parameters
    ----------
    limit : Limit or None
    longest : int
        The bound of the method; a run that spends it is stuck.
    """

    def __init__(self, limit: Limit | None, longest: int = NO_BOUND) -> None:
        limit = limit or Limit()
        self.longest = longest
        self.most = min(longest, limit.steps or longest)
        self._end = None if limit.seconds is None else time.monotonic() + limit.seconds

    @property
    def late(self) -> bool:
        """True once the seconds are spent."""
        return self._end is not None and time.monotonic() > self._end

    def pause(self, steps: int, chunk: int) -> int:
        """Return the step of the next check of the clock after `steps`."""
        return self.most if self._end is None else min(self.most, steps + chunk)

    def pauses(
        self, progress: NDArray[np.int64], chunk: int, goes_on: Callable[[], bool]
    ) -> Iterator[int]:
        """Yield the steps at which the clock is checked, until the run ends.

        The run ends when the steps or the seconds are spent, or when the search is over.

        Parameters
        ----------
        progress : ndarray of int64
            The search counts the steps spent in entry `STEPS`.
        chunk : int
            Steps between two checks of the clock.
        goes_on : callable
            Returns True while there is something left to search.
        """
        late = False
        while progress[STEPS] < self.most and goes_on() and not late:
            yield self.pause(int(progress[STEPS]), chunk)
            late = self.late

    def ended(self, steps: int, solution: Values | None, trace: NDArray[np.void]) -> SolveRun:
        """Return the run that ended after `steps`, with a solution or without."""
        if solution is not None:
            return SolveRun(Outcome.SOLVED, steps, solution, trace, 1)
        if steps == self.longest:
            return SolveRun(Outcome.STUCK, steps, None, trace)
        outcome = Outcome.STEP_LIMIT if steps == self.most else Outcome.TIME_LIMIT
        return SolveRun(outcome, steps, None, trace)


def descend(
    trace: NDArray[np.void],
    progress: NDArray[np.int64],
    budget: Budget,
    chunk: int,
    go_on: Callable[[int], object],
) -> NDArray[np.void]:
    """Run a search that lowers a cost, in chunks, until it is 0 or the budget is spent.

    Parameters
    ----------
    trace : ndarray of STEP
        The search writes a row for each new best, with its step and cost.
    progress : ndarray of int64
        The search counts its steps in entry `STEPS`, and the rows of `trace` in entry `N_ROWS`.
    budget : Budget
    chunk : int
        Steps between two checks of the clock.
    go_on : callable
        Takes a number of steps; continues the search until it has spent them.

    Returns
    -------
    ndarray of STEP
        The rows that were written.
    """
    costs = trace["cost"]
    for pause in budget.pauses(progress, chunk, lambda: bool(costs[progress[N_ROWS] - 1] > 0)):
        go_on(pause)
    return trace[: progress[N_ROWS]].copy()


@dataclass(frozen=True)
class SuccessProfile:
    """Statistics of many runs of a search that may fail.

    Attributes
    ----------
    solved_share : float
        Share of runs that found a solution.
    iterations_min, iterations_mean, iterations_max, iterations_sd : float
        Steps of the solved runs; NaN if no run was solved. The deviation has divisor n - 1 and
        is 0 for a single run.
    iterations_median : float
        Median steps of all runs; a run that found nothing counts with the steps it took.
    runs_needed : int or None
        Runs up to the last of the requested successes; None if they were not reached.
    """

    solved_share: float
    iterations_min: float
    iterations_mean: float
    iterations_max: float
    iterations_sd: float
    iterations_median: float
    runs_needed: int | None

    @classmethod
    def of_runs(cls, runs: Sequence[SolveRun], successes: int) -> Self:
        """Summarise runs in their order."""
        solved = [number for number, run in enumerate(runs) if run.outcome is Outcome.SOLVED]
        steps = np.array([runs[number].steps for number in solved], float)
        return cls(
            solved_share=solved_share(runs),
            iterations_min=float(steps.min()) if solved else float("nan"),
            iterations_mean=float(steps.mean()) if solved else float("nan"),
            iterations_max=float(steps.max()) if solved else float("nan"),
            iterations_sd=_deviation(steps),
            iterations_median=median_steps(runs),
            runs_needed=solved[successes - 1] + 1 if successes <= len(solved) else None,
        )


def _deviation(steps: NDArray[np.float64]) -> float:
    if len(steps) == 0:
        return float("nan")
    return float(steps.std(ddof=1)) if len(steps) > 1 else 0.0


class BoundedSearch(Settings):
    """A search on Sudokus that may fail, with a bound on its steps.

    `bound` names the field that holds the most steps. Subclasses implement `_run`.
    """

    name: ClassVar[str]
    bound: ClassVar[str] = "iterations"

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Search within the solver's own bound of steps and the limit.

        The outcome is STUCK if its own bound was spent, and EXHAUSTED if the givens show, before
        the search, that there is no solution.
        """
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        return self._run(puzzle, Budget(limit, getattr(self, self.bound)), generator(rng))

    @abstractmethod
    def _run(self, puzzle: Sudoku, budget: Budget, rng: np.random.Generator) -> SolveRun:
        """Search once."""


class IteratedSearch(BoundedSearch):
    """A search of at most `iterations` steps that may fail, with the statistics of its papers."""

    def profile(
        self,
        puzzle: Puzzle,
        *,
        runs: int = 50,
        successes: int = 30,
        rng: Seed = None,
        limit: Limit | None = None,
    ) -> SuccessProfile:
        """Run `runs` times.

        The papers stop after 30 successful runs, or 50 runs in all.

        Raises
        ------
        ValueError
            If `runs` or `successes` is below 1.
        """
        if successes < 1:
            raise ValueError(f"successes must be at least 1, got {successes}")
        return SuccessProfile.of_runs(run_often(self, puzzle, runs, limit, rng), successes)
