"""Search for many puzzles at once when candidates are cheap to draw.

Each puzzle of a batch has its own search, whose candidates come from their own seeds. Candidates
pass through screens, cheapest first. Each screen estimates the score and its error, and drops
candidates that are unlikely to be in the range. The remaining candidates of a search are checked
one after another, and the first that passes is accepted. So the grouping of candidates affects the
time of the search but not its result.

If the first candidates are all too hard, later ones are made easier. If a series of candidates is
too easy, the nearest one is improved by moves.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from nando.generators.duplicates import Known
from nando.generators.target import CandidatePuzzle, Effort, Judge, ManySource, Target
from nando.kernels.seeds import spawned_words
from nando.puzzles import Puzzle
from nando.solvers.protocol import spawned

_TOGETHER = 128
"""Candidates drawn for all searches together: calls with fewer cost more for each."""

_FIRST = 6
"""Candidates after which a search makes all easier, if these were too hard."""

_SPELL = 96
"""Candidates the nearest of which goes on by moves, if none of them was likely enough."""

_NEXT_SPELL = 24
"""The same for later ones: the target is rarely drawn then."""

_MOVES = 12
"""Steps towards the aim from such a puzzle."""

_TRIES = 8
"""Puzzles near by that are judged for one step, and places of a path that are judged at once."""

_TO_SCREEN, _TO_CHECK = 0.1, 0.45
"""Least chance to be in the range at which a puzzle reaches the next screen, or a check, relative
to a puzzle whose expected score is the aim. The longer a check takes, the likelier a puzzle must be
to reach it: a common bound on chance per time minimises the total time."""


def sift(
    source: ManySource,
    target: Target,
    seed: int,
    efforts: dict[int, Effort],
    known: Known | None = None,
) -> dict[int, Puzzle]:
    """Find the first puzzle in the target's range for each of several searches.

    Parameters
    ----------
    source : ManySource
    target : Target
    seed : int
    efforts : dict of int to Effort
        By number of the search; updated as it goes on. Candidate j of search i is drawn from the
        seed spawned from `seed` with the key ``(i, j)``.
    known : Known or None
        Puzzles that are not taken.

    Returns
    -------
    dict of int to Puzzle
        The accepted puzzles, by number of the search.
    """
    sieve = _Sieve.of(source, target, seed, known)
    searches = [_Search(number, target, effort, seed) for number, effort in efforts.items()]
    left = searches
    while left:
        sieve.go_on(left)
        left = [one for one in left if one.found is None and not one.effort.is_spent]
    return {one.number: one.found for one in searches if one.found is not None}


@dataclass(eq=False, slots=True)
class _Try:
    """A candidate of a search, with the current estimate of its score."""

    search: "_Search"
    candidate: CandidatePuzzle
    drawn: int
    """Candidates of the search drawn up to this one."""
    score: float = math.nan
    is_likely: bool = True
    n_scored: int = 1

    @property
    def distance(self) -> float:
        return abs(self.score - self.search.aim)


class _Search:
    """The search for one puzzle."""

    def __init__(self, number: int, target: Target, effort: Effort, seed: int) -> None:
        self.number, self.effort = number, effort
        self.rng = spawned(seed, number)
        self.aim = target.aim(self.rng)
        self.low, self.high = target.around(self.aim)
        self.makes_easier = False
        self.put_back: deque[_Try] = deque()
        self.spell: list[_Try] = []
        self.spell_ends = _SPELL
        self.found: Puzzle | None = None

    def numbers(self, most: int) -> range:
        """Return the numbers of the candidates to draw next; none beyond the next decision."""
        first = self.effort.drawn
        end = _FIRST if first < _FIRST else self.spell_ends
        return range(first, min(first + most, end, self.effort.most_scored))

    def taken_up(self, most: int) -> list[_Try]:
        """Return the candidates that were put back, to be judged next instead of new ones."""
        return [self.put_back.popleft() for _ in range(min(most, len(self.put_back)))]

    def make_easier(self) -> None:
        """Make candidates easier from now on, beginning with those that were too hard."""
        self.makes_easier = True
        self.put_back.extend(self.spell)
        self.spell.clear()
        for one in self.put_back:
            one.is_likely = False

    def affordable(self, tries: Sequence[_Try]) -> Iterator[_Try]:
        """Yield the tries until the effort is spent."""
        scored = self.effort.scored
        for one in tries:
            if scored >= self.effort.most_scored:
                return
            scored += one.n_scored
            yield one

    def note(self, one: _Try) -> None:
        """Take a try into account."""
        self.effort.note(one.candidate.puzzle, one.score, self.aim)
        self.effort.scored += one.n_scored - 1


@dataclass(frozen=True)
class _Sieve:
    """Draws and judges candidates of many searches."""

    source: ManySource
    target: Target
    seed: int
    known: Known | None
    screens: tuple[Judge, ...]
    checks: tuple[Judge, ...]

    @classmethod
    def of(cls, source: ManySource, target: Target, seed: int, known: Known | None) -> "_Sieve":
        """Build a sieve from a target's judges, or from its score and confirmation."""
        screens, checks = target.screens, target.checks
        if not screens:
            screens = (_one_by_one(lambda puzzle: (target.score(puzzle), target.margin)),)
        if not checks:
            checks = (_one_by_one(target.confirmed),)
        return cls(source, target, seed, known, screens, checks)

    def go_on(self, searches: Sequence[_Search]) -> None:
        """Draw and judge some more candidates of each search."""
        tries = self._drawn(searches)
        self._screen([one for each in tries.values() for one in each])
        waiting = {
            search: deque(one for one in search.affordable(of_search) if one.is_likely)
            for search, of_search in tries.items()
        }
        taken: dict[_Search, _Try] = {}
        while waiting := {search: queue for search, queue in waiting.items() if queue}:
            first = [queue.popleft() for queue in waiting.values()]
            for one in self._accepted(first):
                taken[one.search] = one
                waiting[one.search].clear()
        for search, of_search in tries.items():
            self._conclude(search, list(search.affordable(of_search)), taken.get(search))

    def _conclude(self, search: _Search, tries: Sequence[_Try], taken: _Try | None) -> None:
        """Note what was tried in the order of the draws, and decide how to go on."""
        for one in tries:
            search.note(one)
            if one is taken:
                search.effort.drawn = one.drawn
                search.found = one.candidate.puzzle
                return
        search.spell += tries
        if search.effort.is_spent or search.put_back:
            return
        if search.effort.drawn == _FIRST and not search.makes_easier:
            if all(one.score > search.aim for one in search.spell):
                search.make_easier()
        elif search.effort.drawn == search.spell_ends:
            if search.spell and not any(one.is_likely for one in search.spell):
                self._walk(search, min(search.spell, key=lambda one: one.distance))
            search.spell.clear()
            search.spell_ends += _NEXT_SPELL

    # ---------------------------------------------------------------- drawing

    def _drawn(self, searches: Sequence[_Search]) -> dict[_Search, list[_Try]]:
        """Draw new candidates of each search."""
        most = max(1, _TOGETHER // len(searches))
        tries = {one: one.taken_up(most) for one in searches}
        numbered = [
            (one, number) for one in searches if not tries[one] for number in one.numbers(most)
        ]
        if not numbered:
            return tries
        keys = np.array([(one.number, number) for one, number in numbered], np.uint32)
        streams = spawned_words(self.seed, keys, 4).astype(np.int64)
        drawn = self.source.draw_many(streams)
        for (search, number), candidate in zip(numbered, drawn, strict=True):
            search.effort.drawn = number + 1
            if candidate is not None:
                tries[search].append(_Try(search, candidate, number + 1))
        return tries

    def _screen(self, tries: Sequence[_Try]) -> None:
        """Judge all tries by the screens, after making easier those that need it."""
        paths = {}
        for one in tries:
            if one.search.makes_easier:
                easier = one.candidate.easier_ones(one.search.rng)
                if len(easier) > 1:
                    paths[one] = _Path(one, easier)
        for at, screen in enumerate(self.screens):
            is_last = at + 1 == len(self.screens)
            left = [one for one in tries if one.is_likely and one not in paths]
            self._judge(screen, left, _TO_CHECK if is_last else _TO_SCREEN)
        for _ in range(2):
            tried = {path: path.next_tries() for path in paths.values()}
            judged = [one for each in tried.values() for one in each]
            self._judge(self.screens[-1], judged, _TO_CHECK)
            for path, each in tried.items():
                path.take(each)

    # ---------------------------------------------------------------- judging

    def _judge(self, judge: Judge, tries: Sequence[_Try], least: float) -> None:
        """Set the score of each try, and whether it is likely enough to be in the range."""
        if not tries:
            return
        scores, errors = judge([one.candidate.puzzle for one in tries])
        times = np.ones_like(scores)
        if self.target.time is not None and least == _TO_CHECK:
            aims = np.array([one.search.aim for one in tries])
            times = self.target.time(scores) / self.target.time(aims)
        rows = zip(tries, scores.tolist(), errors.tolist(), times.tolist(), strict=True)
        for one, score, error, time in rows:
            search = one.search
            one.score = score
            half = (search.high - search.low) / 2
            best = _chance(0.0, error, -half, half)
            one.is_likely = _chance(score, error, search.low, search.high) >= least * best * time

    def _accepted(self, tries: Sequence[_Try]) -> list[_Try]:
        """Return those that pass all checks."""
        *rough, sure = self.checks
        for check in rough:
            self._judge(check, tries, _TO_CHECK)
            tries = [one for one in tries if one.is_likely]
        if not tries:
            return []
        accepted = []
        scores, errors = sure([one.candidate.puzzle for one in tries])
        for one, score, error in zip(tries, scores.tolist(), errors.tolist(), strict=True):
            one.score = score
            one.search.effort.confirmed += 1
            is_inside = self.target.low <= score - error and score + error <= self.target.high
            if is_inside and (self.known is None or one.candidate.puzzle not in self.known):
                accepted.append(one)
        return accepted

    # ---------------------------------------------------------------- moves

    def _walk(self, search: _Search, nearest: _Try) -> None:
        """Look for a puzzle in range by moves from the nearest so far."""
        self._judge(self.screens[-1], [nearest], _TO_CHECK)
        for left in range(_MOVES, -1, -1):
            if nearest.is_likely and self._accepted([nearest]):
                search.found = nearest.candidate.puzzle
                return
            if search.effort.is_spent or not left:
                return
            moves = nearest.candidate.moves(search.rng, harder=nearest.score < search.aim)
            tries = [_Try(search, moved, search.effort.drawn) for moved in islice(moves, _TRIES)]
            self._judge(self.screens[-1], tries, _TO_CHECK)
            for one in tries:
                search.note(one)
            best = min(tries, key=lambda one: one.distance, default=nearest)
            if not best.distance < nearest.distance:
                return
            nearest = best


class _Path:
    """A way from a puzzle that is too hard to easier ones, and the part where the aim lies.

    It is looked for at places 0, 1, 2, 4, ... of the path, then at those between the last that is
    too hard and the first that is too easy.
    """

    def __init__(self, one: _Try, path: Sequence[CandidatePuzzle]) -> None:
        self.one, self.path = one, path
        self.one.n_scored = 0
        self.places = [0, *(1 << i for i in range(len(path).bit_length()) if 1 << i < len(path))]

    def next_tries(self) -> list[_Try]:
        """Return the tries to judge next."""
        one = self.one
        return [_Try(one.search, self.path[at], one.drawn) for at in self.places]

    def take(self, tries: Sequence[_Try]) -> None:
        """Make the first that is likely enough the try, or the nearest; note where to go on."""
        hard, easy = -1, len(self.path)
        one = self.one
        one.n_scored += len(tries)
        for at, tried in zip(self.places, tries, strict=True):
            if tried.is_likely or not tried.distance >= one.distance:
                one.candidate, one.score = tried.candidate, tried.score
            one.is_likely = tried.is_likely
            if one.is_likely:
                self.places = []
                return
            if tried.score <= one.search.aim:
                easy = at
                break
            hard = at
        self.places = list(range(hard + 1, easy))[:_TRIES]


def _one_by_one(score: Callable[[Puzzle], tuple[float, float]]) -> Judge:
    def judge(puzzles: Sequence[Puzzle]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        judged = np.array([score(puzzle) for puzzle in puzzles], np.float64)
        return judged[:, 0], judged[:, 1]

    return judge


def _chance(score: float, error: float, low: float, high: float) -> float:
    """Return the chance that a score with a normal error lies between two bounds."""
    if error == 0.0:
        return float(low <= score <= high)
    if math.isinf(error):
        return 1.0
    scale = error * math.sqrt(2.0)
    return (math.erf((high - score) / scale) - math.erf((low - score) / scale)) / 2.0
