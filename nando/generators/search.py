"""The two searches for puzzles whose score lies in a wanted range.

The searches know neither the kind of puzzle nor the rating. A source draws candidate puzzles, each
of which can become easier or harder in small steps, and a target scores them.

*One by one.* Adding givens to a hard candidate lowers its score almost steadily, so the wanted
score is bracketed first. From the nearest puzzle on that path, small moves approach the target. The
last check of the target decides.

*Many at once*, if candidates are cheap to draw. Each puzzle of a batch has its own search, whose
candidates come from their own seeds. Candidates pass through screens, cheapest first. Each screen
estimates the score and its error, and drops candidates that are unlikely to be in the range. The
remaining candidates of a search are checked one after another, and the first that passes is
accepted. So the grouping of candidates affects the time of the search but not its result. If the
first candidates are all too hard, later ones are made easier. If a series of candidates is too
easy, the nearest one is improved by moves.
"""

import math
from collections import deque
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from nando.arrays import Floats
from nando.generators.target import (
    CandidatePuzzle,
    EasierPuzzles,
    Effort,
    FailedDraw,
    ManySource,
    Source,
    Step,
    Target,
)
from nando.kernels.streams import spawned_words
from nando.puzzles import Puzzle
from nando.solvers.protocol import spawned

_MOVES = 12
"""Steps towards the aim from the best puzzle of one path or series."""

_NEAR = 0.1
"""A rough score is near enough within this share of the range from the aim."""

_INSIDE = 0.2
"""Share of a bracket, at either end, that interpolation avoids."""

_TRIES = 8
"""Moves tried for one step towards the aim, and places of a path that are judged at once."""


# ---------------------------------------------------------------- one by one


def search(
    source: Source, target: Target | None, rng: np.random.Generator, effort: Effort
) -> Iterator[Puzzle]:
    """Yield the puzzles of a source in the target's range, until the effort is spent.

    Parameters
    ----------
    source : Source
    target : Target or None
        None: every puzzle drawn is accepted.
    rng : Generator
    effort : Effort
        Updated during the search.
    """
    if target is None:
        yield from (candidate.puzzle for candidate in _draw(source, rng, effort))
        return
    seeker = _Seeker(target, target.aim(rng), rng, effort)
    for candidate in _draw(source, rng, effort):
        yield from seeker.near(candidate)


def _draw(source: Source, rng: np.random.Generator, effort: Effort) -> Iterator[CandidatePuzzle]:
    at_once = getattr(source, "at_once", 1)
    while not effort.is_spent:
        effort.drawn += at_once
        candidate = source.draw(rng)
        if candidate is None or isinstance(candidate, FailedDraw):
            effort.note_failed(candidate, at_once)
        else:
            yield candidate


@dataclass(frozen=True)
class _Seeker:
    """Looks for puzzles near an aim."""

    target: Target
    aim: float
    rng: np.random.Generator
    effort: Effort

    def score(self, candidate: CandidatePuzzle) -> float:
        """Return the estimated score of a candidate."""
        score = self.target.estimate(candidate.puzzle)
        self.effort.note(candidate.puzzle, score, self.aim)
        return score

    def check(self, candidate: CandidatePuzzle) -> tuple[bool, float]:
        """Return True if a candidate is in the range, and the score that decides."""
        self.effort.confirmed += 1
        inside, scores = self.target.decide([candidate.puzzle])
        return bool(inside[0]), float(scores[0])

    def near(self, candidate: CandidatePuzzle) -> Iterator[Puzzle]:
        """Yield the puzzle in range found from a candidate, if any."""
        nearest, score = self._nearest_on(candidate.easier_ones(self.rng))
        if self.effort.is_late:  # a hurried choice would depend on the speed of the machine
            return
        for left in range(_MOVES, -1, -1):
            if self.target.is_well_inside(score):
                is_inside, score = self.check(nearest)
                if is_inside:
                    yield nearest.puzzle
                    return
            if self.effort.is_spent or not left:
                return
            for tried, moved in enumerate(nearest.moves(self.rng, harder=score < self.aim), 1):
                moved_score = self.score(moved)
                if abs(moved_score - self.aim) < abs(score - self.aim):
                    nearest, score = moved, moved_score
                    break
                if tried == _TRIES or self.effort.is_spent:
                    return
            else:
                return

    def _nearest_on(self, path: EasierPuzzles) -> tuple[CandidatePuzzle, float]:
        """Return a candidate near the aim on a path of falling scores, or the nearest one scored.

        The hard end of the path takes longest to score, so it waits until a candidate has turned
        out too easy.
        """
        width = self.target.high - self.target.low
        near = _NEAR * width if math.isfinite(width) else 0.0
        bracket = _Bracket(-1, len(path))
        place = len(path) // 2
        best, best_score = path[place], math.nan
        while True:
            score = self.score(path[place])
            if not abs(score - self.aim) >= abs(best_score - self.aim):
                best, best_score = path[place], score
            bracket.narrow(place, score, self.aim)
            if abs(best_score - self.aim) <= near or not bracket.is_open or self.effort.is_late:
                return best, best_score
            place = 0 if bracket.hard < 0 else bracket.between(self.aim)


@dataclass
class _Bracket:
    """The two places on a path between which the aim lies, one too hard and one too easy."""

    hard: int
    easy: int
    above: float = math.nan
    below: float = math.nan

    @property
    def is_open(self) -> bool:
        """True if there are places between."""
        return self.easy - self.hard > 1

    def narrow(self, place: int, score: float, aim: float) -> None:
        """Move one end of the bracket to a place with a known score."""
        if score >= aim:
            self.hard, self.above = place, score
        else:
            self.easy, self.below = place, score

    def between(self, aim: float) -> int:
        """Return the place at which a straight line passes the aim, away from both ends.

        The margin is needed because the scores on the path are not linear.
        """
        gap = self.easy - self.hard
        share = 0.5
        if not math.isnan(self.below):
            share = (self.above - aim) / (self.above - self.below)
        share = min(max(share, _INSIDE), 1.0 - _INSIDE)
        return self.hard + min(max(round(share * gap), 1), gap - 1)


_TOGETHER = 96
"""Candidates drawn for all searches together: calls with fewer cost more for each."""

_EACH = 8
"""Most candidates drawn for one search at a time: the last open searches of a batch would draw
many that they do not need."""

_FIRST = 6
"""Candidates after which a search makes all easier, if these were too hard."""

_SPELL = 96
"""Candidates after which the nearest is improved by moves, if none was likely enough."""

_NEXT_SPELL = 24
"""Number of candidates before later walks by moves, since the target is then rarely drawn."""

_TO_SCREEN, _TO_CHECK = 0.1, 0.45
"""Least chance to be in the range at which a puzzle reaches the next screen, or a check, relative
to a puzzle whose expected score is the aim. The longer a check takes, the likelier a puzzle must be
to reach it: a common bound on chance per time minimises the total time."""


# ---------------------------------------------------------------- many at once


def sift(
    source: ManySource,
    target: Target,
    seed: int,
    efforts: dict[int, Effort],
    known: Container[Puzzle] | None = None,
) -> dict[int, Puzzle]:
    """Find the first puzzle in the target's range for each of several searches.

    Parameters
    ----------
    source : ManySource
    target : Target
    seed : int
    efforts : dict of int to Effort
        By number of the search; updated during the search. Candidate j of search i is drawn from
        the seed spawned from `seed` with the key ``(i, j)``.
    known : container of Puzzle or None
        Puzzles that are not accepted.

    Returns
    -------
    dict of int to Puzzle
        The accepted puzzles, by number of the search.
    """
    sieve = _Sieve(source, target, seed, known)
    searches = [_Search(number, target, effort, seed) for number, effort in efforts.items()]
    plans = {search: _plan(search, sieve) for search in searches}
    next_tries = {search: next(plan) for search, plan in plans.items()}
    while next_tries:
        most = min(max(1, _TOGETHER // len(next_tries)), _EACH)
        tries = sieve.tries({search: batch[:most] for search, batch in next_tries.items()})
        sieve.check(tries)
        for search, of_search in tries.items():
            search.note(of_search)
            batch = next_tries.pop(search)[most:]
            if search.goes_on:
                batch = batch or next(plans[search], [])
            if search.goes_on:
                next_tries[search] = batch
    return {search.number: search.found for search in searches if search.found is not None}


def _plan(search: "_Search", sieve: "_Sieve") -> "Iterator[_Batch]":
    """Yield the batches that a search tries; it continues once a batch is judged."""
    most = search.effort.most_scored
    yield range(min(_FIRST, most))
    if all(attempt.score > search.aim for attempt in search.tried):
        search.makes_easier = True
        again, search.tried = search.tried, []
        for attempt in again:
            attempt.is_likely = False
        if again:
            yield again
    first, end = _FIRST, _SPELL
    while True:
        yield range(first, min(end, most))
        if search.tried and not any(attempt.is_likely for attempt in search.tried):
            sieve.walk(search, min(search.tried, key=lambda attempt: attempt.distance))
        search.tried = []
        first, end = end, end + _NEXT_SPELL


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


_Batch = range | list[_Try]
"""Numbers of candidates to draw, or tries to judge again."""


class _Search:
    """The search for one puzzle."""

    def __init__(self, number: int, target: Target, effort: Effort, seed: int) -> None:
        self.number, self.effort = number, effort
        self.rng = spawned(seed, number)
        self.aim = target.aim(self.rng)
        self.low, self.high = target.around(self.aim)
        self.makes_easier = False
        self.tried: list[_Try] = []
        self.taken: _Try | None = None
        self.found: Puzzle | None = None

    @property
    def goes_on(self) -> bool:
        return self.found is None and not self.effort.is_spent

    def affordable(self, tries: Sequence[_Try]) -> Iterator[_Try]:
        """Yield the tries until the effort is spent."""
        scored = self.effort.scored
        for attempt in tries:
            if scored >= self.effort.most_scored:
                return
            scored += attempt.n_scored
            yield attempt

    def note(self, tries: Sequence[_Try]) -> None:
        """Record tries in the order of the draws, up to the accepted one."""
        for attempt in tries:
            self.effort.note(attempt.candidate.puzzle, attempt.score, self.aim)
            self.effort.scored += attempt.n_scored - 1
            if attempt is self.taken:
                self.effort.drawn = attempt.drawn
                self.found = attempt.candidate.puzzle
                return
        self.tried += tries


@dataclass(frozen=True)
class _Sieve:
    """Draws and judges candidates of many searches."""

    source: ManySource
    target: Target
    seed: int
    known: Container[Puzzle] | None

    @cached_property
    def screens(self) -> tuple[Step, ...]:
        """The screens of the target's judge, or else its estimates of single puzzles."""

        def estimate(puzzles: Sequence[Puzzle]) -> tuple[Floats, Floats]:
            scores = [self.target.estimate(puzzle) for puzzle in puzzles]
            return np.array(scores, np.float64), np.full(len(puzzles), self.target.margin)

        return self.target.judge.screens or (estimate,)

    def tries(self, batches: Mapping[_Search, _Batch]) -> dict[_Search, list[_Try]]:
        """Draw the candidates of some batches and judge them by the screens."""
        tries: dict[_Search, list[_Try]] = {
            search: [] if isinstance(batch, range) else batch for search, batch in batches.items()
        }
        numbered = [
            (search, number)
            for search, batch in batches.items()
            if isinstance(batch, range)
            for number in batch
        ]
        if numbered:
            keys = np.array([(search.number, number) for search, number in numbered], np.uint32)
            streams = spawned_words(self.seed, keys, 4).astype(np.int64)
            drawn = self.source.draw_many(streams)
            for (search, number), candidate in zip(numbered, drawn, strict=True):
                search.effort.drawn = number + 1
                if candidate is not None:
                    tries[search].append(_Try(search, candidate, number + 1))
        self._screen([attempt for of_search in tries.values() for attempt in of_search])
        return {search: [*search.affordable(of_search)] for search, of_search in tries.items()}

    def check(self, tries: Mapping[_Search, Sequence[_Try]]) -> None:
        """Accept the first try of each search that passes all checks."""
        waiting = [
            deque(attempt for attempt in each if attempt.is_likely) for each in tries.values()
        ]
        while waiting := [queue for queue in waiting if queue and queue[0].search.taken is None]:
            for attempt in self._accept([queue.popleft() for queue in waiting]):
                attempt.search.taken = attempt

    def _screen(self, tries: Sequence[_Try]) -> None:
        """Judge all tries by the screens; tries that are too hard are made easier first."""
        paths = {}
        for attempt in tries:
            if attempt.search.makes_easier:
                easier = attempt.candidate.easier_ones(attempt.search.rng)
                if len(easier) > 1:
                    paths[attempt] = _Path(attempt, easier)
        for index, screen in enumerate(self.screens):
            is_last = index + 1 == len(self.screens)
            left = [attempt for attempt in tries if attempt.is_likely and attempt not in paths]
            self._judge(screen, left, _TO_CHECK if is_last else _TO_SCREEN)
        for _ in range(2):
            tried = {path: path.next_tries() for path in paths.values()}
            judged = [attempt for each in tried.values() for attempt in each]
            self._judge(self.screens[-1], judged, _TO_CHECK)
            for path, each in tried.items():
                path.take(each)

    def _judge(self, judge: Step, tries: Sequence[_Try], least: float) -> None:
        """Set the score of each try, and mark those that are likely enough to be in the range."""
        if not tries:
            return
        scores, errors = judge([attempt.candidate.puzzle for attempt in tries])
        times = np.ones_like(scores)
        if least == _TO_CHECK:
            time, aims = self.target.judge.time, np.array([each.search.aim for each in tries])
            times = time(scores) / time(aims)
        rows = zip(tries, scores.tolist(), errors.tolist(), times.tolist(), strict=True)
        for attempt, score, error, time in rows:
            attempt.score = score
            attempt.is_likely = _is_likely(attempt.search, score, error, least, time)

    def _accept(self, tries: Sequence[_Try]) -> list[_Try]:
        """Return the tries that pass all checks."""
        for check in self.target.judge.checks[:-1]:
            self._judge(check, tries, _TO_CHECK)
            tries = [attempt for attempt in tries if attempt.is_likely]
        if not tries:
            return []
        accepted = []
        inside, scores = self.target.decide([attempt.candidate.puzzle for attempt in tries])
        for attempt, is_inside, score in zip(tries, inside, scores.tolist(), strict=True):
            attempt.score = score
            attempt.search.effort.confirmed += 1
            if is_inside and (self.known is None or attempt.candidate.puzzle not in self.known):
                accepted.append(attempt)
        return accepted

    def walk(self, search: _Search, nearest: _Try) -> None:
        """Search for a puzzle in range by moves from the nearest so far."""
        self._judge(self.screens[-1], [nearest], _TO_CHECK)
        for left in range(_MOVES, -1, -1):
            if nearest.is_likely and self._accept([nearest]):
                search.found = nearest.candidate.puzzle
                return
            if search.effort.is_spent or not left:
                return
            moves = nearest.candidate.moves(search.rng, harder=nearest.score < search.aim)
            tries = [_Try(search, moved, search.effort.drawn) for moved in islice(moves, _TRIES)]
            self._judge(self.screens[-1], tries, _TO_CHECK)
            for attempt in tries:
                search.effort.note(attempt.candidate.puzzle, attempt.score, search.aim)
            best = min(tries, key=lambda attempt: attempt.distance, default=nearest)
            if not best.distance < nearest.distance:
                return
            nearest = best


class _Path:
    """A path from a puzzle that is too hard to easier ones, and the part in which the aim lies.

    The search judges places 0, 1, 2, 4, ... of the path, then those between the last that is too
    hard and the first that is too easy.
    """

    def __init__(self, attempt: _Try, path: EasierPuzzles) -> None:
        self.attempt, self.path = attempt, path
        self.attempt.n_scored = 0
        self.places = [0, *(1 << i for i in range(len(path).bit_length()) if 1 << i < len(path))]

    def next_tries(self) -> list[_Try]:
        """Return the tries to judge next."""
        attempt = self.attempt
        return [_Try(attempt.search, self.path[place], attempt.drawn) for place in self.places]

    def take(self, tries: Sequence[_Try]) -> None:
        """Replace the try by the first likely place, or the nearest, and set the next places."""
        hard, easy = -1, len(self.path)
        attempt = self.attempt
        attempt.n_scored += len(tries)
        for place, tried in zip(self.places, tries, strict=True):
            if tried.is_likely or not tried.distance >= attempt.distance:
                attempt.candidate, attempt.score = tried.candidate, tried.score
            attempt.is_likely = tried.is_likely
            if attempt.is_likely:
                self.places = []
                return
            if tried.score <= attempt.search.aim:
                easy = place
                break
            hard = place
        self.places = list(range(hard + 1, easy))[:_TRIES]


def _is_likely(search: _Search, score: float, error: float, least: float, time: float) -> bool:
    """Return True if a score with a normal error is likely enough to lie in the range of a search.

    Its chance must be at least `least * time` of that of a score in the middle of the range.
    """
    if error == 0.0 or math.isinf(error):
        return (search.low <= score <= search.high or error > 0.0) and least * time <= 1.0
    scale, erf = error * math.sqrt(2.0), math.erf
    chance = (erf((search.high - score) / scale) - erf((search.low - score) / scale)) / 2.0
    return chance >= least * erf((search.high - search.low) / 2 / scale) * time
