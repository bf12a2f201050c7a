"""The human-style logic solver: always the easiest technique that finds a step.

Techniques, their order and their ratings are those of Sudoku Explainer (Nicolas Juillerat), which
rates a puzzle by its hardest step; two of its ladders are here, and a ladder is data. A puzzle
that no technique advances is left stuck.

Several techniques (unique rectangles and loops, bivalue universal grave) are sound only for a
puzzle with exactly one solution.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, singledispatchmethod
from itertools import pairwise
from typing import ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic.nurikabe.steps import (
    NURIKABE_LADDER,
    NurikabeStep,
    Shading,
    nurikabe_steps,
    rate_nurikabe,
    run_nurikabe,
)
from nando.solvers.logic.position import Position, Scale, Step, scale_of
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.chains.nested import find_nested_forcing
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.state import (
    CELL,
    N_EMPTY,
    RATING,
    Finding,
    LogicState,
    apply,
    empty_state,
    given_state,
    logic_layout,
    new_finding,
)
from nando.solvers.logic.sudoku.step import LogicStep, step_of
from nando.solvers.logic.techniques import SUDOKU_EXPLAINER, SUKAKU_EXPLAINER, Technique
from nando.solvers.protocol import STEP, Limit, Outcome, Rule, Seed, SolveRun, unsupported

__all__ = [
    "LADDERS",
    "NURIKABE_LADDER",
    "SUDOKU_EXPLAINER",
    "SUKAKU_EXPLAINER",
    "LogicProfile",
    "LogicRatings",
    "LogicSolver",
    "LogicStep",
    "NurikabeStep",
    "PencilMarks",
    "Position",
    "Scale",
    "Shading",
    "Step",
    "Technique",
    "scale_of",
]

LADDERS = {Sudoku.kind: SUKAKU_EXPLAINER, Nurikabe.kind: NURIKABE_LADDER}
"""Standard ladders by the kind of puzzle."""


@dataclass(frozen=True)
class LogicProfile:
    """What the solver says about one puzzle.

    Attributes
    ----------
    solved : bool
        Whether the ladder suffices.
    rating : float
        Rating of the hardest step; where the puzzle was not solved, of those before it was stuck.
    uses : dict of str to int
        Uses of each technique of the ladder, by name.
    """

    solved: bool
    rating: float
    uses: dict[str, int]


@dataclass(frozen=True)
class LogicRatings:
    """The same for many puzzles.

    Attributes
    ----------
    solved : ndarray of bool, shape (n,)
    rating : ndarray of float64, shape (n,)
    uses : ndarray of int64, shape (n, n_techniques)
        In the order of the ladder.
    """

    solved: NDArray[np.bool_]
    rating: NDArray[np.float64]
    uses: NDArray[np.int64]


@dataclass(frozen=True)
class LogicSolver:
    """The human-style logic solver.

    Parameters
    ----------
    ladder : tuple of Technique
        Techniques, tried in this order before each step. A kind of puzzle that none of them is
        for is solved by its standard ladder.
    nested : int
        Most searches of a puzzle for chains nested in an assumption, a grid of more than 255
        candidates counted as several. Where they are spent, the techniques that need them use what
        was found so far, then nothing. A very hard step takes thousands, a second about as many.

    Notes
    -----
    The trace has a row for each filled cell: `options` is the number of steps since the one
    before, `cost` the rating of the hardest of them. Steps of a run are uses of a technique.
    Nothing is drawn at random.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> LogicSolver().profile(puzzle).rating
    1.2
    """

    name: ClassVar[str] = "logic"
    ladder: tuple[Technique, ...] = SUKAKU_EXPLAINER
    nested: int = 100_000

    def __post_init__(self) -> None:
        if not self.ladder:
            raise ValueError("ladder must have at least one technique, got none")
        if self.nested < 0:
            raise ValueError(f"nested must be at least 0, got {self.nested!r}")

    @cached_property
    def _rungs(self) -> NDArray[np.int64]:
        for technique in self.ladder:
            if technique.kind != Sudoku.kind:
                raise ValueError(f"{technique.name!r} is no technique for a {Sudoku.kind}")
        return np.array([(t.kernel, t.degree, round(t.rating * 10)) for t in self.ladder], np.int64)

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Solve the puzzle; the outcome is STUCK where no technique finds a step.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        """
        return self._run(puzzle, limit or Limit())

    @overload
    def steps(self, puzzle: Sudoku) -> Iterator[LogicStep]: ...
    @overload
    def steps(self, puzzle: Nurikabe) -> Iterator[NurikabeStep]: ...
    @overload
    def steps(self, puzzle: Puzzle) -> Iterator[Step]: ...
    def steps(
        self, puzzle: Puzzle
    ) -> Iterator[LogicStep] | Iterator[NurikabeStep] | Iterator[Step]:
        """The steps of the solution, one by one, until it is full or stuck.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        """
        return self._steps(puzzle)

    def start(self, puzzle: Puzzle) -> Position:
        """The position before the first step, which :meth:`Position.after` takes on."""
        return self._start(puzzle)

    def rungs_for(self, puzzle: Puzzle) -> tuple[Technique, ...]:
        """The techniques of the ladder that are for such a puzzle, or those of its standard one."""
        own = tuple(technique for technique in self.ladder if technique.kind == puzzle.kind)
        if not own and puzzle.kind not in LADDERS:
            raise unsupported(self, puzzle)
        return own or LADDERS[puzzle.kind]

    def profile(self, puzzle: Puzzle) -> LogicProfile:
        """Rating and techniques of a puzzle.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        """
        return self._profile(puzzle)

    def rate_many(self, puzzles: Iterable[Sudoku]) -> LogicRatings:
        """Ratings and techniques of many puzzles, at hundreds of very hard ones per second.

        That each has exactly one solution is taken on trust; one found to have none is not solved.
        """
        given: dict[int, list[int]] = {}
        puzzles = list(puzzles)
        for index, puzzle in enumerate(puzzles):
            if not isinstance(puzzle, Sudoku):
                raise TypeError(f"puzzles must be Sudoku, got {puzzle!r}")
            given.setdefault(puzzle.order, []).append(index)
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        results = np.zeros((len(puzzles), 2), np.int64)
        for order, indices in given.items():
            counts, ends = uses[indices], results[indices]
            kernels.rate_all(
                empty_state(order),
                logic_layout(order),
                np.stack([puzzles[index].givens for index in indices], dtype=np.int64),
                self._rungs,
                new_finding(order),
                new_finding(order),
                counts,
                ends,
            )
            uses[indices], results[indices] = counts, ends
        if any(nests for _, _, nests in self._stretches):
            for index in np.flatnonzero(results[:, 0] == kernels.STUCK).tolist():
                uses[index], results[index] = self._climb(puzzles[index])
        return LogicRatings(results[:, 0] == kernels.SOLVED, results[:, 1] / 10, uses)

    @singledispatchmethod
    def _run(self, puzzle: Puzzle, limit: Limit) -> SolveRun:
        raise unsupported(self, puzzle)

    @singledispatchmethod
    def _steps(self, puzzle: Puzzle) -> Iterator[Step]:
        raise unsupported(self, puzzle)

    @singledispatchmethod
    def _start(self, puzzle: Puzzle) -> Position:
        raise unsupported(self, puzzle)

    @singledispatchmethod
    def _profile(self, puzzle: Puzzle) -> LogicProfile:
        raise unsupported(self, puzzle)

    @_run.register
    def _(self, puzzle: Sudoku, limit: Limit) -> SolveRun:
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        solution = unique_solution(puzzle)
        rows: list[tuple[int, int, int, int, int, float]] = []
        n_steps = since = 0
        hardest = 0.0
        for step in self._sudoku_steps(puzzle):
            n_steps += 1
            since += 1
            hardest = max(hardest, step.rating)
            if step.placement is not None:
                naked = step.technique.kernel == kernels.NAKED_SINGLE
                rule = Rule.NAKED_SINGLE if naked else Rule.HIDDEN_SINGLE
                rows.append((len(rows) + 1, *step.placement, rule, since, hardest))
                since, hardest = 0, 0.0
            outcome = None
            if limit.steps is not None and n_steps >= limit.steps:
                outcome = Outcome.STEP_LIMIT
            elif end is not None and time.monotonic() >= end:
                outcome = Outcome.TIME_LIMIT
            if outcome and len(rows) < puzzle.givens.size - puzzle.n_givens:
                return SolveRun(outcome, n_steps, None, np.array(rows, STEP))
        trace = np.array(rows, STEP)
        if len(rows) < puzzle.givens.size - puzzle.n_givens:
            return SolveRun(Outcome.STUCK, n_steps, None, trace)
        return SolveRun(Outcome.SOLVED, n_steps, solution, trace, 1)

    @_steps.register
    def _(self, puzzle: Sudoku) -> Iterator[LogicStep]:
        unique_solution(puzzle)
        return self._sudoku_steps(puzzle)

    @_profile.register
    def _(self, puzzle: Sudoku) -> LogicProfile:
        unique_solution(puzzle)
        ratings = self.rate_many([puzzle])
        names = [technique.name for technique in self.ladder]
        uses = dict(zip(names, ratings.uses[0].tolist(), strict=True))
        return LogicProfile(bool(ratings.solved[0]), float(ratings.rating[0]), uses)

    @_start.register
    def _(self, puzzle: Sudoku) -> PencilMarks:
        return PencilMarks.of(puzzle)

    @_run.register
    def _(self, puzzle: Nurikabe, limit: Limit) -> SolveRun:
        return run_nurikabe(puzzle, self.rungs_for(puzzle), limit)

    @_steps.register
    def _(self, puzzle: Nurikabe) -> Iterator[NurikabeStep]:
        return nurikabe_steps(puzzle, self.rungs_for(puzzle))

    @_profile.register
    def _(self, puzzle: Nurikabe) -> LogicProfile:
        unique_solution(puzzle)
        ladder = self.rungs_for(puzzle)
        solved, rating, uses = rate_nurikabe(puzzle, ladder)
        names = [technique.name for technique in ladder]
        return LogicProfile(solved, rating, dict(zip(names, uses.tolist(), strict=True)))

    @_start.register
    def _(self, puzzle: Nurikabe) -> Shading:
        return Shading.of(puzzle)

    @cached_property
    def _stretches(self) -> list[tuple[int, int, bool]]:
        """The ladder cut up where `find_step` passes over a rung: first, last, whether it does."""
        nests = [technique.kernel == kernels.NESTED_FORCING for technique in self.ladder]
        cuts = [i for i in range(1, len(nests)) if nests[i] or nests[i - 1]]
        return [(i, j, nests[i]) for i, j in pairwise([0, *cuts, len(nests)])]

    def _sudoku_steps(self, puzzle: Sudoku) -> Iterator[LogicStep]:
        return (step_of(self.ladder[rung], finding) for _, rung, finding in self._findings(puzzle))

    def _climb(self, puzzle: Sudoku) -> tuple[NDArray[np.int64], tuple[int, int]]:
        """Uses of each technique, and how the run ended, with its highest rating in tenths."""
        uses, hardest = np.zeros(len(self.ladder), np.int64), 0
        n_blanks = puzzle.givens.size - puzzle.n_givens
        for _, rung, finding in self._findings(puzzle):
            uses[rung] += 1
            hardest = max(hardest, int(finding.head[RATING]))
            n_blanks -= int(finding.head[CELL]) >= 0
        return uses, (kernels.STUCK if n_blanks else kernels.SOLVED, hardest)

    def _findings(self, puzzle: Sudoku) -> Iterator[tuple[LogicState, int, Finding]]:
        """The state before each step, its rung, and the step as a kernel wrote it."""
        layout = logic_layout(puzzle.order)
        state, _ = given_state(puzzle)
        finding, trial = new_finding(puzzle.order), new_finding(puzzle.order)
        effort = np.full(1, self.nested, np.int64)
        while state.summary[N_EMPTY]:
            for first, end, nests in self._stretches:
                if nests:
                    _, kind, rating = self._rungs[first]
                    found = find_nested_forcing(state, layout, finding, effort, kind, rating)
                    rung = first if found else -1
                else:
                    rung = kernels.find_step(state, layout, self._rungs[first:end], finding, trial)
                    rung += first if rung >= 0 else 0
                if rung >= 0:
                    break
            else:
                return
            yield state, rung, finding
            if not apply(state, layout, finding):
                return
