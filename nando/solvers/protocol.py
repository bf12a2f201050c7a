"""What every solver has: limits, outcomes, traces and seeds; repeated runs and their profiles."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.checks import whole
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.records import Settings

Seed = int | Sequence[int] | np.random.SeedSequence | np.random.Generator | None


class Outcome(Enum):
    """Why a run ended."""

    SOLVED = "solved"
    """A solution was found (for a count: the requested number)."""
    EXHAUSTED = "exhausted"
    """The whole search space was covered."""
    STUCK = "stuck"
    """The method cannot continue."""
    STEP_LIMIT = "step limit"
    """The budget of steps was spent first."""
    TIME_LIMIT = "time limit"
    """The budget of seconds was spent first."""


class Rule(IntEnum):
    """Why a step of a trace was taken. Numbers are stored in files and never change."""

    GUESS = 1
    BACKTRACK = 2
    NAKED_SINGLE = 3
    HIDDEN_SINGLE = 4
    REFUTATION = 5
    SWAP = 6
    HARMONY = 7
    LOCAL_RULE = 8
    MESSAGES = 9
    FLOW = 10
    ELIMINATION = 11


STEP = np.dtype(
    [
        ("step", np.int64),
        ("cell", np.int16),
        ("value", np.int8),
        ("rule", np.int8),
        ("options", np.int32),
        ("cost", np.float64),
    ]
)
"""One step of a trace: its number within the run, cell, value, :class:`Rule`, the number of options
that the solver had, and a cost whose meaning each solver states."""


def trace_of(rule: Rule, n_rows: int, **columns: ArrayLike) -> NDArray[np.void]:
    """Return a trace of steps by one rule; columns that are left out are 0."""
    trace = np.zeros(n_rows, STEP)
    trace["rule"] = int(rule)
    for name, values in columns.items():
        trace[name] = values
    return trace


@dataclass(frozen=True)
class Limit(Settings):
    """Budget of one run; the first bound reached ends it. None means no bound.

    Parameters
    ----------
    steps : int or None
        Steps as the solver counts them.
    seconds : float or None
        Wall-clock seconds, checked between chunks of steps. A run ended by this limit is not
        reproducible; one ended by a limit of steps is.
    """

    steps: int | None = None
    seconds: float | None = None

    def check(self) -> None:
        """Reject bounds that are not above 0."""
        for name in ("steps", "seconds"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(
                    f"limit of {name} must be above 0, got {value!r}; None means no limit"
                )


@dataclass(frozen=True, eq=False)
class SolveRun(EqualFields):
    """One run of one solver on one puzzle.

    Attributes
    ----------
    outcome : Outcome
    steps : int
        Steps spent, as the solver counts them.
    solution : ndarray of int8, shape (n_cells,), or None
        The solution found.
    trace : ndarray of STEP
        The steps that were recorded, in order; the solver's page says which are.
    n_solutions : int
        Solutions seen.
    """

    outcome: Outcome
    steps: int
    solution: Values | None
    trace: NDArray[np.void] = field(default_factory=lambda: np.empty(0, STEP), repr=False)
    n_solutions: int = 0


@runtime_checkable
class Solver(Protocol):
    """A method: its parameters are the fields of a frozen dataclass, and `run` uses them."""

    name: ClassVar[str]

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Run once on `puzzle`; equal seeds give equal runs."""
        ...


def generator(rng: Seed) -> np.random.Generator:
    """Return the caller's generator, or a new one from a seed.

    Raises
    ------
    TypeError
        If `rng` is neither.
    ValueError
        For a negative seed.
    """
    if isinstance(rng, int | np.integer) and rng < 0:
        raise ValueError(f"rng must be at least 0, got {rng!r}")
    if rng is not None and not isinstance(
        rng, int | np.integer | Sequence | np.random.SeedSequence | np.random.Generator
    ):
        raise TypeError(f"rng must be an int, a SeedSequence or a Generator, got {rng!r}")
    return np.random.default_rng(rng)


def spawned(seed: int | np.random.SeedSequence, index: int) -> np.random.Generator:
    """Return the generator of puzzle `index`, seeded by ``SeedSequence(seed).spawn(n)[index]``.

    The seed is built directly, without spawning the others.
    """
    root = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    child = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, index))
    return np.random.default_rng(child)


MOST_RUNS = 1_000_000
"""Most runs in a profile: most solvers hold all of them in memory."""


def check_runs(runs: int) -> None:
    """Reject fewer than one run, and more than `MOST_RUNS`.

    Raises
    ------
    ValueError
        If `runs` is out of range.
    """
    whole("runs", runs, 1)
    if runs > MOST_RUNS:
        raise ValueError(f"runs must be at most {MOST_RUNS:,}, got {runs:,}: take several profiles")


def filled_run(solution: Values, trace: NDArray[np.void], limit: Limit | None) -> SolveRun:
    """Return the run of a method that fills one cell per step, cut off at the limit of steps."""
    steps = None if limit is None else limit.steps
    if steps is not None and steps < len(trace):
        return SolveRun(Outcome.STEP_LIMIT, steps, None, trace[:steps])
    return SolveRun(Outcome.SOLVED, len(trace), solution, trace, 1)


class UnsupportedError(TypeError):
    """A solver was given a kind of puzzle that it has no kernels for."""


def unsupported(solver: object, puzzle: Puzzle) -> UnsupportedError:
    """Return the error of a solver that has no kernels for a kind of puzzle."""
    name = getattr(solver, "name", type(solver).__name__)
    message = f"{name} cannot run on {puzzle.kind!r} puzzles: it has no kernels for them"
    return UnsupportedError(message)


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
