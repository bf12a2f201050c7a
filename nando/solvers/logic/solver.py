"""The human-style logic solver: it always uses the easiest technique that finds a step.

Techniques for Sudoku, their order and their ratings are those of Sudoku Explainer (Nicolas
Juillerat), which rates a puzzle by its hardest step. A ladder is data; the finders of its steps are
in the folder of the kind of puzzle. The walk ends when no technique finds a step.

Several techniques for Sudoku (unique rectangles and loops, bivalue universal grave) are sound only
for a puzzle with exactly one solution.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, overload

import numpy as np

from nando.puzzles import Nurikabe, Puzzle, PuzzleError, Sudoku, UndecidedError
from nando.records import Settings, between, setting
from nando.solvers.exact.search import unique_solution
from nando.solvers.kinds import LogicKind, kinds_with, logic_of, part_for
from nando.solvers.logic.house_walk import SUKAKU_EXPLAINER
from nando.solvers.logic.nurikabe.shading import NurikabeStep
from nando.solvers.logic.technique import (
    Ladder,
    LogicRatings,
    LogicStep,
    Position,
    Step,
    Walker,
    standard_ladder,
)
from nando.solvers.protocol import STEP, Limit, Outcome, Seed, SolveRun

EFFORT = 100_000
"""Default number of searches for nested chains per puzzle; they take a minute or two."""


@dataclass(frozen=True)
class LogicProfile:
    """The rating of one puzzle.

    Attributes
    ----------
    solved : bool
        True if the ladder solves it.
    rating : float
        Rating of the hardest step found.
    uses : dict of str to int
        Uses of each technique of the ladder, by name.
    """

    solved: bool
    rating: float
    uses: dict[str, int]


@dataclass(frozen=True)
class LogicSolver(Settings):
    """The human-style logic solver.

    Parameters
    ----------
    ladder : tuple of Technique
        Techniques, tried in this order before each step. A puzzle of a kind for which there is
        none is solved by the standard ladder of its kind.
    nested : int
        Most searches for chains nested in an assumption, per puzzle. A search counts as several if
        the grid has more than 255 candidates. When they are spent, the techniques that need them
        finish with what they have found, and then find nothing. A very hard step takes thousands
        of searches, or about a second. Ten assumptions of a variant's deep what-ifs count as one.

    Notes
    -----
    The trace has a row for each decided cell: `options` is the number of steps since the cell
    before, and `cost` is the rating of the hardest of these steps. The steps of a run are the uses
    of techniques. Nothing is drawn at random.

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
    ladder: Ladder = SUKAKU_EXPLAINER
    nested: int = setting(EFFORT, between(0))

    def check(self) -> None:
        """Reject a ladder without techniques."""
        if not self.ladder:
            raise ValueError("ladder must have at least one technique, got none")

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Solve the puzzle; the outcome is STUCK if no technique finds a step.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        """
        del rng
        limit = limit or Limit()
        self._kind(puzzle)
        walker = self._walker(puzzle.kind)
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        solution = unique_solution(puzzle)
        n_blanks = int(np.count_nonzero(puzzle.givens == 0))
        rows: list[tuple[int, int, int, int, int, float]] = []
        n_steps = since = 0
        hardest = 0.0
        for step in walker.steps(puzzle):
            n_steps += 1
            since += 1
            hardest = max(hardest, step.rating)
            fills = walker.fills(step)
            for fill in fills:
                rows.append((len(rows) + 1, *fill, since, hardest))
                since = 0
            if fills:
                hardest = 0.0
            outcome = None
            if limit.steps is not None and n_steps >= limit.steps:
                outcome = Outcome.STEP_LIMIT
            elif end is not None and time.monotonic() >= end:
                outcome = Outcome.TIME_LIMIT
            if outcome and len(rows) < n_blanks:
                return SolveRun(outcome, n_steps, None, np.array(rows, STEP))
        trace = np.array(rows, STEP)
        if len(rows) < n_blanks:
            return SolveRun(Outcome.STUCK, n_steps, None, trace)
        return SolveRun(Outcome.SOLVED, n_steps, solution, trace, 1)

    @overload
    def steps(self, puzzle: Sudoku, start: Position | None = None) -> Iterator[LogicStep]: ...
    @overload
    def steps(self, puzzle: Nurikabe, start: Position | None = None) -> Iterator[NurikabeStep]: ...
    @overload
    def steps(self, puzzle: Puzzle, start: Position | None = None) -> Iterator[Step]: ...
    def steps(
        self, puzzle: Puzzle, start: Position | None = None
    ) -> Iterator[LogicStep] | Iterator[NurikabeStep] | Iterator[Step]:
        """Return the steps, one by one, until the puzzle is solved or no technique finds one.

        Parameters
        ----------
        puzzle : Puzzle
        start : Position or None
            Where to begin, for example :meth:`PencilMarks.standing`; None begins with the givens.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution, or the position contradicts it.
        """
        self._kind(puzzle)
        walker = self._walker(puzzle.kind)
        unique_solution(puzzle)
        if start is not None:
            self.check_position(start)
        return walker.steps(puzzle, start)

    def read_position(self, puzzle: Puzzle, text: str, *, apart: bool = False) -> Position | None:
        """Return the position in a text, for example entered digits and pencil marks.

        Parameters
        ----------
        puzzle : Puzzle
        text : str
            See :func:`nando.puzzles.read_standing`.
        apart : bool
            True if the puzzle was not read from this text. The text is then a position even
            if it has nothing but digits.

        Returns
        -------
        Position or None
            None for a text that has nothing but the puzzle.

        Raises
        ------
        PuzzleError
            If the text is unreadable or of another puzzle, and as for :meth:`check_position`.
        """
        read = self._kind(puzzle).read
        try:
            found = read and read(text, puzzle if apart else None, type(puzzle))
        except UndecidedError:  # the puzzle was decided before
            found = read and read(text, puzzle, type(puzzle))
        position: Position | None = found
        if position is not None:
            self.check_position(position)
        return position

    def check_position(self, position: Position) -> None:
        """Refuse a position that the solution contradicts.

        Raises
        ------
        PuzzleError
            If it does; the message names every wrong entry or, if there is none, every wrong
            elimination.
        """
        mistakes = self._kind(position.puzzle).mistakes
        solution = unique_solution(position.puzzle)
        if mistakes and (faults := mistakes(position, solution)):
            raise PuzzleError(faults)

    def start(self, puzzle: Puzzle) -> Position:
        """Return the position before the first step; :meth:`Position.after` gives the next."""
        position: Position = self._kind(puzzle).start(puzzle)
        return position

    def rungs_for(self, puzzle: Puzzle) -> Ladder:
        """Return the techniques of the ladder that fit a puzzle, or else the standard ladder."""
        self._kind(puzzle)
        return self._rungs(puzzle.kind)

    def profile(self, puzzle: Puzzle) -> LogicProfile:
        """Return the rating of a puzzle and the techniques that it needs.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        """
        self._kind(puzzle)
        walker = self._walker(puzzle.kind)
        unique_solution(puzzle)
        ratings = walker.rate([puzzle])
        names = [technique.name for technique in self._rungs(puzzle.kind)]
        uses = dict(zip(names, ratings.uses[0].tolist(), strict=True))
        return LogicProfile(bool(ratings.solved[0]), float(ratings.rating[0]), uses)

    def rate_many(self, puzzles: Iterable[Puzzle]) -> LogicRatings:
        """Return the ratings and techniques of many puzzles of one kind.

        Hundreds of very hard Sudokus take a second. It is not checked that each puzzle has exactly
        one solution; a puzzle that turns out to have none counts as not solved.
        """
        puzzles = list(puzzles)
        kinds = {getattr(puzzle, "kind", type(puzzle).__name__) for puzzle in puzzles}
        kinds = kinds or {self.ladder[0].kind}
        known = kinds_with("logic")
        if len(kinds) > 1 or not kinds <= set(known):
            raise TypeError(
                f"puzzles must be of one kind, {', '.join(known)}; "
                f"got {' and '.join(sorted(kinds))}"
            )
        return self._walker(*kinds).rate(puzzles)

    def _rungs(self, kind: str) -> Ladder:
        own = tuple(technique for technique in self.ladder if technique.kind == kind)
        return own or standard_ladder(kind)

    def _walker(self, kind: str) -> Walker:
        if kind not in self._walkers:
            self._walkers[kind] = logic_of(kind).walker(self._rungs(kind), self.nested)
        return self._walkers[kind]

    @cached_property
    def _walkers(self) -> dict[str, Walker]:
        """The walkers made so far, by kind of puzzle."""
        return {}

    def _kind(self, puzzle: Puzzle) -> LogicKind:
        """Return the logic of a puzzle's kind; reject a kind without a ladder."""
        kind: LogicKind = part_for(self, puzzle, "logic")
        return kind
