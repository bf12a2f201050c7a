"""Generate many puzzles from one seed, each with its own stream and no two of them equivalent."""

import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from nando.checks import LARGEST, cores, how_many, positive, whole
from nando.generators.search import search, sift
from nando.generators.target import MOST_SCORED, Condition, Effort, ManySource, Source, Target
from nando.kernels.streams import spawned_streams
from nando.puzzles import Puzzle
from nando.solvers import count_many
from nando.solvers.protocol import spawned

MOST_PUZZLES = 1_000_000_000
"""Most puzzles of one batch: years of work."""

_BLOCK = 64
"""Puzzles drawn in one call, a few milliseconds of work."""

_RARE = 30
"""How many times as many puzzles are drawn for a condition, which few puzzles may meet."""

_FEWEST, _MOST = 4, 256
"""Initial and largest number of puzzles searched for in one call."""

_LONG = 1.0
"""Seconds after which a call is long: the next one searches for fewer puzzles, so that results are
reported often enough."""


@dataclass(frozen=True)
class Made:
    """A new puzzle.

    Attributes
    ----------
    puzzle : Puzzle
    index : int
        Its number in the batch, from 0.
    effort : Effort
        Work that the search needed.
    """

    puzzle: Puzzle
    index: int
    effort: Effort


class Known:
    """A set of puzzles that treats equivalent ones as equal.

    A cheap hash separates most puzzles; canonical forms are computed only if two hashes agree.
    Therefore adding a bank of a million puzzles takes seconds. Only their texts are stored.

    Examples
    --------
    >>> import numpy as np
    >>> from nando.datasets import load_examples
    >>> puzzle, other = load_examples().puzzles[:2]
    >>> known = Known([puzzle])
    >>> puzzle.shuffled(np.random.default_rng(0)) in known, other in known
    (True, False)
    """

    def __init__(self, puzzles: Iterable[Puzzle] = ()) -> None:
        self._by_hash: dict[int, list[tuple[type[Puzzle], str]]] = {}
        for puzzle in puzzles:
            self.add(puzzle)

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle."""
        alike = self._by_hash.setdefault(puzzle.equivalence_hash(), [])
        alike.append((type(puzzle), puzzle.text))

    def __contains__(self, puzzle: Any) -> bool:
        alike = self._by_hash.get(puzzle.equivalence_hash(), [])
        return any(
            puzzle.text == text or puzzle.equivalence_key() == kind.parse(text).equivalence_key()
            for kind, text in alike
            if kind is type(puzzle)
        )


_HINT = "ask for other settings"
"""Advice if no grid gives a suitable puzzle and the source has no better advice."""


class OutOfReachError(ValueError):
    """No puzzle was found in the wanted range.

    Attributes
    ----------
    index : int
        Number of the puzzle in the batch, from 0.
    effort : Effort
        Work that was spent, and the nearest puzzle.
    """

    def __init__(
        self,
        index: int,
        target: Target | None,
        effort: Effort,
        hint: str = _HINT,
        easier: str = "",
    ) -> None:
        self.index = index
        self.effort = effort
        grids = how_many(effort.drawn, "grid")
        within = f" in {effort.most_seconds:g} seconds" if effort.is_late else ""
        spent = f"{grids} and {effort.scored:,} scored puzzles{within}"
        if target is None or effort.nearest is None:
            reached = effort.nearest_failed
            message = (
                f"puzzle {index + 1}: none of {grids}{within} gave a suitable puzzle"
                f"{'' if reached is None else f', the nearest has {reached.reached}'}; {hint}"
            )
        else:
            words = target.judge.words
            message = (
                f"puzzle {index + 1}: {words(target.low)} to {words(target.high)} was "
                f"not reached with {spent}, which have {words(effort.least_score)} to "
                f"{words(effort.greatest_score)}; the nearest has "
                f"{words(effort.nearest_score)}: {effort.nearest.text}"
            )
            if easier and effort.least_score > target.high:
                message = f"for easier puzzles {easier}: {message}"
            if effort.confirmed:
                message += f" ({effort.confirmed:,} were within, but might not be when rated again)"
        super().__init__(message)


def generate(
    source: Source,
    count: int,
    *,
    target: Target | None = None,
    seed: int = 0,
    first: int = 0,
    n_jobs: int | None = None,
    known: Known | None = None,
    most_scored: int | None = None,
    most_seconds: float | None = None,
    fits: Condition | None = None,
) -> Iterator[Made]:
    """Make puzzles with exactly one solution, no two of them equivalent.

    Parameters
    ----------
    source : Source
        For example a :class:`SudokuSource`.
    count : int
        Puzzles of the batch.
    target : Target or None
        The range of scores; None accepts every puzzle of the source.
    seed : int
        Puzzle i draws from the i-th seed spawned from it, or from seeds that are spawned from that
        one, so equal seeds give equal puzzles.
    first : int
        Number of the first puzzle to make, to continue a batch; the puzzles before it must be in
        `known`.
    n_jobs : int or None
        Threads for joblib; never changes a result.
    known : Known or None
        Puzzles to avoid, with all equivalent ones; new puzzles are added to it.
    most_scored : int or None
        Puzzles scored, or grids drawn, before a target counts as out of reach.
    most_seconds : float or None
        Seconds of the search for one puzzle, or for all that are searched for at once, before it
        counts as out of reach. They never change a puzzle that is found. If both bounds are None,
        they are those of the source, or `MOST_SCORED`, and many more puzzles with a condition.
    fits : callable or None
        Returns for each of several puzzles whether it may be accepted.

    Yields
    ------
    Made
        In the order of their index, as soon as they are available.

    Raises
    ------
    OutOfReachError
        For the first puzzle that was not found; it contains the nearest one.
    ValueError
        For a count or a number of puzzles below 1, or no seconds.
    """
    whole("count", count, 1, MOST_PUZZLES)
    whole("first", first, 0)
    whole("seed", seed, 0)
    most_failed = None
    if most_seconds is not None:
        positive("most_seconds", most_seconds)
        most_scored = LARGEST if most_scored is None else most_scored
    elif most_scored is None:
        most_scored = getattr(source, "most_scored", MOST_SCORED)
        most_failed = getattr(source, "most_failed", None)
        most_seconds = getattr(source, "most_seconds", None)
        if fits is not None:
            most_scored *= _RARE
            most_failed = most_failed and most_failed * _RARE
    whole("most_scored", most_scored, 1)
    cores(n_jobs)
    new_effort = partial(Effort, most_scored, most_failed, most_seconds)
    finder = _Finder(source, target, seed, new_effort, fits)
    return _generate(finder, range(first, count), n_jobs, known or Known())


def _generate(
    finder: "_Finder", indices: range, n_jobs: int | None, known: Known
) -> Iterator[Made]:
    of_block, pace = finder.search, _Pace(1, 1)
    if isinstance(finder.source, ManySource) and finder.source.draws_many:
        of_block, pace = finder.sift, _Pace(_FEWEST, _MOST)
        if finder.target is None:
            of_block, pace = finder.draw, _Pace(_BLOCK, _BLOCK)

    def make(block: range) -> list[Made | OutOfReachError]:
        start = time.monotonic()
        found = of_block(block, finder.refusals(None))
        pace.note(len(block), time.monotonic() - start)
        return found

    blocks = pace.blocks(indices)
    if n_jobs in (None, 1):
        results = map(make, blocks)
    else:
        from joblib import Parallel, delayed

        results = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(
            delayed(make)(block) for block in blocks
        )
    for result in chain.from_iterable(results):
        # Puzzles are made in parallel, without knowing each other. One that is equivalent to an
        # earlier one is made again, so the batch is the same as if made in order.
        if isinstance(result, Made) and result.puzzle in known:
            again = range(result.index, result.index + 1)
            (result,) = of_block(again, finder.refusals(known))
        if isinstance(result, OutOfReachError):
            raise result
        known.add(result.puzzle)
        yield result


@dataclass
class _Pace:
    """The number of puzzles made in one call, which grows while calls are short.

    The results do not depend on it.
    """

    size: int
    most: int

    def blocks(self, indices: range) -> Iterator[range]:
        """Yield the numbers in blocks of the current size."""
        first = 0
        while first < len(indices):
            yield (block := indices[first : first + self.size])
            first += len(block)

    def note(self, size: int, seconds: float) -> None:
        """Adapt the size to the time that a block took."""
        if seconds > _LONG:
            self.size = max(1, size // 2)
        elif size == self.size:
            self.size = min(4 * size, self.most)


@dataclass(frozen=True)
class _Unfit:
    """The puzzles that do not fit a condition, and known ones."""

    fits: Condition
    known: Container[Puzzle]

    def __contains__(self, puzzle: Any) -> bool:
        return puzzle in self.known or not self.fits([puzzle])[0]


@dataclass(frozen=True)
class _Finder:
    """Three ways to find, for each number, the first puzzle that is not known.

    For a puzzle that was not found, they return the error instead of raising it.
    """

    source: Any
    target: Target | None
    seed: int
    new_effort: Callable[[], Effort]
    fits: Condition | None

    def refusals(self, known: Known | None) -> Container[Puzzle]:
        """Return the puzzles that are not accepted: known ones, and those that do not fit."""
        return (known or ()) if self.fits is None else _Unfit(self.fits, known or ())

    def search(self, indices: range, refused: Container[Puzzle]) -> list[Made | OutOfReachError]:
        """Search for one puzzle after the other."""
        return [self._search(index, refused) for index in indices]

    def _search(self, index: int, refused: Container[Puzzle]) -> Made | OutOfReachError:
        effort = self.new_effort()
        for puzzle in search(self.source, self.target, spawned(self.seed, index), effort):
            _check([puzzle])
            if puzzle not in refused:
                return Made(puzzle, index, effort)
        return self._out_of_reach(index, effort)

    def _out_of_reach(self, index: int, effort: Effort) -> OutOfReachError:
        hint, easier = getattr(self.source, "hint", _HINT), getattr(self.source, "easier", "")
        return OutOfReachError(index, self.target, effort, hint, easier)

    def sift(self, indices: range, refused: Container[Puzzle]) -> list[Made | OutOfReachError]:
        """Search for all puzzles at once."""
        efforts = {index: self.new_effort() for index in indices}
        assert self.target is not None
        puzzles = sift(self.source, self.target, self.seed, efforts, refused)
        _check(list(puzzles.values()))
        return [
            Made(puzzles[index], index, effort)
            if index in puzzles
            else self._out_of_reach(index, effort)
            for index, effort in efforts.items()
        ]

    def draw(self, indices: range, refused: Container[Puzzle]) -> list[Made | OutOfReachError]:
        """Draw puzzles, whatever their scores."""
        streams = spawned_streams(self.seed, indices)
        efforts = [self.new_effort() for _ in indices]
        drawn: dict[int, Made | OutOfReachError] = {}
        left = np.arange(len(indices))
        while len(left):
            rest = streams[left]
            candidates = self.source.draw_many(rest, hashed=True)
            streams[left] = rest
            puzzles = [None if each is None else each.puzzle for each in candidates]
            _check([puzzle for puzzle in puzzles if puzzle is not None])
            for i, puzzle in zip(left.tolist(), puzzles, strict=True):
                effort = efforts[i]
                effort.drawn += 1
                if puzzle is not None and puzzle not in refused:
                    drawn[i] = Made(puzzle, indices[i], effort)
                elif effort.is_spent:
                    drawn[i] = self._out_of_reach(indices[i], effort)
            left = np.array([i for i in left.tolist() if i not in drawn], np.int64)
        return [drawn[i] for i in range(len(indices))]


def _check(puzzles: Sequence[Puzzle]) -> None:
    """Count the solutions again, independently of the generator."""
    for puzzle, count in zip(puzzles, count_many(puzzles).tolist(), strict=True):
        if count != 1:
            raise AssertionError(f"not exactly one solution: {puzzle.text}")
