"""The protocol of solvers: limits, outcomes, traces, seeds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.checks import whole
from nando.puzzles import Puzzle, Values
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
