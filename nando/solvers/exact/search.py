"""Exact search: count the solutions of a puzzle. All of nando decides uniqueness with it.

The search propagates naked and hidden singles (and, at order 3, all locked candidates). Then it
branches on the cell or digit with the fewest options, at orders 4 and 5 relative to earlier
failures. It is deterministic and, given time, complete.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.checks import whole
from nando.puzzles import (
    Fault,
    FaultKind,
    Puzzle,
    PuzzleError,
    PuzzleLike,
    Status,
    Sudoku,
    UndecidedError,
    Values,
    Variant,
    as_puzzle,
)
from nando.records import Settings, between, setting
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES, count_bands
from nando.solvers.kinds import KINDS, Search, part_for
from nando.solvers.protocol import NO_BOUND, Budget, Limit, Outcome, Seed, SolveRun

_CHUNK = 2_000
"""Guesses between two checks of the clock."""


def search(puzzle: Puzzle) -> Search:
    """Return a new search.

    Raises
    ------
    UnsupportedError
        For a kind of puzzle without one.
    """
    started: Search = part_for(ExactSearch(), puzzle, "exact")(puzzle)
    return started


def quick_search(puzzle: Puzzle) -> Search:
    """Return the fastest new search; its guesses may differ from those of `search`.

    Ratings and explanations use `search`: ratings count its guesses, and a second search would be a
    second kernel to compile.

    Raises
    ------
    UnsupportedError
        For a kind of puzzle without one.
    """
    kind = KINDS.get(puzzle.kind)
    return search(puzzle) if kind is None or kind.quick is None else kind.quick(puzzle)


@dataclass(frozen=True)
class ExactSearch(Settings):
    """Search for all solutions, or the first few.

    Parameters
    ----------
    max_solutions : int
        Solutions after which the search ends; 2 decides uniqueness.

    Notes
    -----
    Steps are guesses; all turned and reflected images of a variant have the same number. Nothing is
    random, so `rng` is not used. The trace is empty. The outcome is SOLVED if `max_solutions` were
    found and EXHAUSTED if there are no more than ``run.n_solutions``; ``run.solution`` is the
    first.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> run = ExactSearch().run(Sudoku("1....7.9..3..2...8..96..5....53..9...1..8...2"
    ...                                "6....4...3......1..4......7..7...3.."))
    >>> run.outcome.value, run.n_solutions
    ('exhausted', 1)
    """

    name: ClassVar[str] = "exact"
    max_solutions: int = setting(2, between(1))

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Search within a budget of guesses or seconds.

        Without one, a search gives up after its patience, some ten seconds: some Nurikabe of
        10x10 and some Sudokus of 25x25 would take hours. The outcome is then STEP_LIMIT. All 9x9
        Sudokus are decided.
        """
        del rng
        decided = _decide(puzzle, search, self.max_solutions, limit)
        return SolveRun(
            outcome=decided.outcome,
            steps=int(decided.started.progress[GUESSES]),
            solution=decided.solutions[0] if decided.n_found else None,
            n_solutions=decided.n_found,
        )


def _advance(started: Search, max_solutions: int, limit: Limit | None = None) -> Outcome:
    """Search within the limit, by default the search's patience; return why it ended."""
    budget = Budget(limit, started.patience if limit in (None, Limit()) else NO_BOUND)
    while True:
        started.advance(max_solutions, budget.pause(int(started.progress[GUESSES]), _CHUNK))
        if started.progress[FOUND] >= max_solutions:
            return Outcome.SOLVED
        if started.progress[DEPTH] < 0:
            return Outcome.EXHAUSTED
        if started.progress[GUESSES] >= budget.most:
            return Outcome.STEP_LIMIT
        if budget.late:
            return Outcome.TIME_LIMIT


_GIVEN_UP = Outcome.STEP_LIMIT, Outcome.TIME_LIMIT


class _Decided(NamedTuple):
    """The end of a search, and its solutions in the order of the puzzle's own cells."""

    started: Search
    outcome: Outcome
    solutions: Values

    @property
    def n_found(self) -> int:
        return int(self.started.progress[FOUND])

    def fault(self) -> Fault:
        """Return what is wrong with a search that gave up."""
        guesses = int(self.started.progress[GUESSES])
        found = "one solution" if self.n_found else "no solution"
        return Fault(
            FaultKind.NOT_DECIDED,
            f"not decided: {self.outcome.value} reached after {guesses:,} guesses with {found} "
            "found; whether it has exactly one is not known",
        )


def _decide(
    puzzle: Puzzle, start: Callable[[Puzzle], Search], most: int, limit: Limit | None = None
) -> _Decided:
    """Search the oriented form of a puzzle and, if that gives up without a limit, another image.

    All images of a puzzle share these two, so that they have the same answer. A rating also
    searches the oriented form, so its cached network is reused.
    """
    own = np.arange(len(puzzle.givens))
    for image, places in puzzle.common_images() if isinstance(puzzle, Variant) else [(puzzle, own)]:
        started = start(image)
        outcome = _advance(started, most, limit)
        found = started.solutions[: started.progress[FOUND]]
        solutions = np.empty_like(found)
        solutions[:, places] = found
        decided = _Decided(started, outcome, solutions)
        if outcome not in _GIVEN_UP or limit is not None:
            break
    return decided


def read_checked(
    puzzle: PuzzleLike, kind: str | type[Puzzle] | None = None, *, name: str = "puzzle"
) -> Puzzle:
    """Return the puzzle of a value as :func:`nando.puzzles.as_puzzle` does, without decoration.

    Warns
    -----
    UserWarning
        Names the decoration that was left out.

    Raises
    ------
    PuzzleError, PuzzleTypeError
        As for `as_puzzle`; for drawings that a solution needs, the error names them.
    """
    try:
        return as_puzzle(puzzle, kind, name=name)
    except UndecidedError as error:
        read = without_decoration(error, kind)
        warnings.warn(left_out(error), stacklevel=3)
        return read


def without_decoration(error: UndecidedError, kind: str | type[Puzzle] | None = None) -> Puzzle:
    """Return the puzzle without its drawings, if they are decoration.

    They are if the puzzle has exactly one solution without them: the published one, if that is
    known.

    Raises
    ------
    PuzzleError
        `error` itself, if the drawings are no decoration, or the error of another kind.
    """
    try:
        values = unique_solution(error.puzzle)
    except PuzzleError:
        raise error from None
    solution = error.puzzle.solution_text(values)
    if error.solution is not None and error.solution.upper() != solution:
        raise error
    return as_puzzle(error.puzzle, kind)


def left_out(error: UndecidedError) -> str:
    """Return the note about decoration that was left out."""
    drawn = ", ".join(error.drawings)
    return f"read without {drawn}; the puzzle has exactly one solution without them"


def count_solutions(puzzle: PuzzleLike, limit: int = 2, *, within: Limit | None = None) -> int:
    """Return the number of solutions, at most `limit`; 1 with a limit of 2 means unique.

    Parameters
    ----------
    puzzle : Puzzle, or anything that :func:`nando.puzzles.as_puzzle` takes
    limit : int
    within : Limit or None
        Budget of the search; None as for :func:`status`.

    Raises
    ------
    PuzzleError
        If it is not a puzzle, or if the search gives up: never on a 9x9 Sudoku without a budget.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> count_solutions(Sudoku("." * 81), limit=500)
    500
    """
    whole("limit", limit, 1)
    read = read_checked(puzzle)
    decided = _decide(read, quick_search, limit, within)
    if decided.outcome in _GIVEN_UP:
        raise PuzzleError([decided.fault()])
    return min(decided.n_found, limit)


def count_many(puzzles: Iterable[PuzzleLike], limit: int = 2) -> NDArray[np.int64]:
    """Return the number of solutions of each puzzle, at most `limit`, shape ``(n_puzzles,)``.

    9x9 Sudokus, and variants with the same board and rules, are counted in one kernel call.
    """
    whole("limit", limit, 1)
    read = [read_checked(puzzle) for puzzle in puzzles]
    if read and _of_bands(read):
        return _count_bands(read, limit, np.zeros((0, 81), np.int8))[0]
    counts = np.full(len(read), -1)
    alike: dict[Any, dict[int, Variant]] = {}
    for number, puzzle in enumerate(read):
        if isinstance(puzzle, Variant):
            alike.setdefault((puzzle.board, puzzle.rules), {})[number] = puzzle
    for group in alike.values():
        if len(group) > 1:
            from nando.solvers.exact.variants import count_alike

            counts[list(group)] = count_alike(list(group.values()), limit)
    for number in np.flatnonzero(counts < 0).tolist():
        counts[number] = count_solutions(read[number], limit)
    return counts


def _of_bands(puzzles: Sequence[Puzzle]) -> bool:
    """Return True if all are 9x9 Sudokus."""
    return all(isinstance(puzzle, Sudoku) and puzzle.order == 3 for puzzle in puzzles)


def _count_bands(
    puzzles: Sequence[Puzzle], limit: int, firsts: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the solutions and guesses of 9x9 Sudokus."""
    givens = np.concatenate([puzzle.givens for puzzle in puzzles]).reshape(-1, 81)
    counts, guesses = np.zeros((2, len(puzzles)), np.int64)
    count_bands(givens, limit, counts, guesses, firsts)
    return counts, guesses


def solve(puzzle: PuzzleLike) -> Values | None:
    """Return the first solution in the order of the search, shape ``(n_cells,)``, or None."""
    decided = _decide(read_checked(puzzle), quick_search, 1)
    return decided.solutions[0] if decided.n_found else None


def unique_solution(puzzle: PuzzleLike, *, within: Limit | None = None) -> Values:
    """Return the only solution, shape ``(n_cells,)``, read-only.

    Parameters
    ----------
    puzzle : Puzzle, or anything that :func:`nando.puzzles.as_puzzle` takes
    within : Limit or None
        Budget of the search; None as for :func:`status`.

    Raises
    ------
    PuzzleError
        If it is not a puzzle, if there is no solution or more than one, or if the search gave up;
        the message says which.
    """
    return _found_unique(read_checked(puzzle), within)[0]


@lru_cache(maxsize=256)
def _found_unique(puzzle: Puzzle, within: Limit | None = None) -> tuple[Values, int]:
    """Return the only solution, and the number of guesses."""
    decided = _decide(puzzle, search, 2, within)
    if decided.outcome in _GIVEN_UP:
        raise PuzzleError([decided.fault()])
    if decided.n_found != 1:
        raise PuzzleError(status(puzzle))
    solution: Values = decided.solutions[0]
    solution.setflags(write=False)
    return solution, int(decided.started.progress[GUESSES])


class UniqueSolutions(NamedTuple):
    """The only solutions of puzzles of one size, and the guesses that they took.

    Attributes
    ----------
    values : ndarray of int8, shape (n_puzzles, n_cells)
        Read-only.
    guesses : ndarray of int64, shape (n_puzzles,)
        Steps of :class:`ExactSearch`; read-only.
    """

    values: Values
    guesses: NDArray[np.int64]


@lru_cache(maxsize=16)
def unique_solutions(puzzles: tuple[Puzzle, ...]) -> UniqueSolutions:
    """Return the only solution of each puzzle, at least one and all of one size.

    Raises
    ------
    PuzzleError
        As for :func:`unique_solution`.
    """
    if _of_bands(puzzles):
        values = np.zeros((len(puzzles), 81), np.int8)
        counts, guesses = _count_bands(puzzles, 2, values)
        if (counts != 1).any():
            raise PuzzleError(status(puzzles[int(np.argmax(counts != 1))]))
    else:
        searched = [_found_unique(puzzle) for puzzle in puzzles]
        values = np.stack([solution for solution, _ in searched])
        guesses = np.array([steps for _, steps in searched], np.int64)
    values.setflags(write=False)
    guesses.setflags(write=False)
    return UniqueSolutions(values, guesses)


def status(
    puzzle: PuzzleLike, kind: str | type[Puzzle] | None = None, *, limit: Limit | None = None
) -> Status:
    """Return all faults of a puzzle, or of a text or grid that should be one.

    Parameters
    ----------
    puzzle : Puzzle, or anything that :func:`nando.puzzles.as_puzzle` takes
    kind : str, type of Puzzle or None
        Expected kind; None recognises the kind of a text, and takes numbers as a Sudoku.
    limit : Limit or None
        Budget of the search; if it is spent first, the status is NOT_DECIDED. None gives up after
        some ten seconds, except for 9x9 Sudokus, which are always decided.

    Examples
    --------
    >>> print(status("12" + "." * 79))
    several solutions: they differ in r2c7, r2c9, r7c7, r7c9
    """
    try:
        puzzle = read_checked(puzzle, kind)
    except PuzzleError as error:
        return error.status
    if limit is None and _of_bands([puzzle]) and count_many([puzzle])[0] == 1:
        return Status()
    by_rules = puzzle.status()
    if not by_rules.valid:
        return by_rules
    decided = _decide(puzzle, search, 2, limit)
    if decided.n_found > 1:
        return Status((_several(puzzle, decided.solutions),))
    if decided.outcome is not Outcome.EXHAUSTED:
        return Status((decided.fault(),))
    if not decided.n_found:
        return Status((Fault(FaultKind.NO_SOLUTION, "no solution"),))
    return Status()


def _several(puzzle: Puzzle, solutions: NDArray[np.int8]) -> Fault:
    if len(solutions) < 2:
        return Fault(FaultKind.SEVERAL_SOLUTIONS, "several solutions")
    cells = np.flatnonzero(solutions[0] != solutions[1]).tolist()
    columns = puzzle.shape[1]
    names = ", ".join(f"r{cell // columns + 1}c{cell % columns + 1}" for cell in cells[:5])
    left = len(cells) - 5
    more = f" and {left} more cell{'s' if left > 1 else ''}" if left > 0 else ""
    return Fault(
        FaultKind.SEVERAL_SOLUTIONS,
        f"several solutions: they differ in {names}{more}",
        tuple(cells),
    )
