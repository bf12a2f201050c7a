"""The search for puzzles whose score lies in a wanted range.

The search knows neither the kind of puzzle nor the rating. A source draws candidate puzzles, each
of which can become easier or harder in small steps, and a callable scores them. Adding givens to a
hard candidate lowers its score almost steadily, so the wanted score is bracketed first. From the
nearest puzzle on that path, small moves go on towards the target. A second callable confirms the
result: it says where the score is likely to fall if the puzzle is rated again.

Where draws cost little, many are drawn, and most are judged by a rougher score of all of them at
once. One that is too hard is made easier; where all are too easy, others are drawn. Only the
hardest of many such goes on by moves, for targets that are rarely drawn.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from nando.generators.target import CandidatePuzzle, Effort, ManySource, Source, Target
from nando.kernels.streams import drawn_stream
from nando.puzzles import Puzzle

_MOVES = 12
"""Steps towards the target from the best puzzle of one path."""

_MISSES = 16
"""Candidates that were too easy, the best of which goes on by moves where draws cost little."""

_AT_ONCE = 8
"""Most candidates drawn in one call; the first calls of a search draw fewer."""

_NEAR = 0.1
"""A rough score is near enough within this share of the range from the aim."""

_AROUND = 0.35
"""The same where draws cost little: most of a narrow range, a part of a wide one."""

_INSIDE = 0.2
"""Share of a bracket, at either end, that interpolation avoids."""

_TRIES = 8
"""Moves tried for one step that comes nearer."""


def search(
    source: Source, target: Target | None, rng: np.random.Generator, effort: Effort
) -> Iterator[Puzzle]:
    """Puzzles of a source in the target's range, until the effort is spent.

    Parameters
    ----------
    source : Source
    target : Target or None
        None: every puzzle drawn is accepted.
    rng : Generator
    effort : Effort
        Updated as the search goes on.
    """
    if target is None:
        yield from (candidate.puzzle for candidate in _drawn(source, rng, effort))
        return
    seeker = _Seeker(target, target.aim(rng), rng, effort)
    if isinstance(source, ManySource) and source.draws_many:
        yield from seeker.among_many(source)
    else:
        yield from seeker.from_each(source)


def _drawn(source: Source, rng: np.random.Generator, effort: Effort) -> Iterator[CandidatePuzzle]:
    while not effort.is_spent:
        effort.drawn += 1
        candidate = source.draw(rng)
        if candidate is not None:
            yield candidate


@dataclass(frozen=True)
class _Seeker:
    """Looks for puzzles near an aim."""

    target: Target
    aim: float
    rng: np.random.Generator
    effort: Effort

    def scored(self, candidate: CandidatePuzzle) -> float:
        """The score of a candidate."""
        score = self.target.score(candidate.puzzle)
        self.effort.note(candidate.puzzle, score, self.aim)
        return score

    def _is_near(self, score: float) -> bool:
        """Whether a rough score is inside the range and near the aim."""
        target = self.target
        width = target.high - target.low
        if not math.isfinite(width) and target.aims is not None:
            width = target.aims[1] - target.aims[0]
        return target.is_well_inside(score) and abs(score - self.aim) <= _AROUND * width

    def from_each(self, source: Source) -> Iterator[Puzzle]:
        """The puzzles in range found from each candidate."""
        for candidate in _drawn(source, self.rng, self.effort):
            nearest, score = self._nearest_on(candidate.easier_ones(self.rng))
            yield from self._walk(nearest, score)

    def among_many(self, source: ManySource) -> Iterator[Puzzle]:
        """The puzzles in range among many candidates, or made easier from the nearest of them."""
        missed: list[tuple[float, CandidatePuzzle]] = []
        size = 1
        while not self.effort.is_spent:
            above: list[tuple[float, CandidatePuzzle]] = []
            for score, candidate in self._scored_of_many(source, size):
                if self._is_near(score):
                    if self._confirmed(candidate, score)[0]:
                        yield candidate.puzzle
                else:
                    (above if score > self.aim else missed).append((score, candidate))
            size = min(2 * size, _AT_ONCE)
            if above:
                score, candidate = min(above, key=itemgetter(0))
                path = candidate.easier_ones(self.rng)
                if len(path) > 1:
                    found = self._easier(path)
                    if found is not None and self._confirmed(*found)[0]:
                        yield found[0].puzzle
                else:
                    missed += above
            if len(missed) >= _MISSES:
                score, candidate = min(missed, key=lambda one: abs(one[0] - self.aim))
                missed.clear()
                yield from self._walk(candidate, score)

    def _scored_of_many(
        self, source: ManySource, size: int
    ) -> Iterator[tuple[float, CandidatePuzzle]]:
        """Candidates with their scores, rough ones where they are far from the range."""
        streams = np.array([drawn_stream(self.rng) for _ in range(size)])
        drawn = [candidate for candidate in source.draw_many(streams) if candidate is not None]
        self.effort.drawn += size
        yield from self._scored_of_all(drawn)

    def _scored_of_all(
        self, candidates: Sequence[CandidatePuzzle]
    ) -> Iterator[tuple[float, CandidatePuzzle]]:
        """The same of given candidates."""
        rough = None
        if self.target.rough is not None and candidates:
            rough = self.target.rough([candidate.puzzle for candidate in candidates], self.rng)
        for i, candidate in enumerate(candidates):
            if rough is None or self.target.may_be_inside(float(rough[i])):
                yield self.scored(candidate), candidate
            else:
                self.effort.note(candidate.puzzle, float(rough[i]), self.aim)
                yield float(rough[i]), candidate

    def _confirmed(self, candidate: CandidatePuzzle, score: float) -> tuple[bool, float]:
        """Whether a candidate of this rough score is in the range, and its better score."""
        target = self.target
        self.effort.confirmed += 1
        low, high = target.confirm(candidate.puzzle) if target.confirm else (score, score)
        return target.low <= low and high <= target.high, (low + high) / 2.0

    def _walk(self, nearest: CandidatePuzzle, score: float) -> Iterator[Puzzle]:
        """The puzzle in range found by moves, if any."""
        for left in range(_MOVES, -1, -1):
            if self.target.is_well_inside(score):
                is_inside, score = self._confirmed(nearest, score)
                if is_inside:
                    yield nearest.puzzle
                    return
            if self.effort.is_spent or not left:
                return
            for tried, moved in enumerate(nearest.moves(self.rng, harder=score < self.aim), 1):
                moved_score = self.scored(moved)
                if abs(moved_score - self.aim) < abs(score - self.aim):
                    nearest, score = moved, moved_score
                    break
                if tried == _TRIES or self.effort.is_spent:
                    return
            else:
                return

    def _easier(self, path: Sequence[CandidatePuzzle]) -> tuple[CandidatePuzzle, float] | None:
        """A candidate near the aim on a path that begins too hard, and its score.

        It is looked for at places 1, 2, 4, ... of the path, then at those between the last that is
        too hard and the first that is too easy.
        """
        hard, easy = 0, len(path)
        places = [1 << i for i in range(len(path).bit_length()) if 1 << i < len(path)]
        for _ in range(2):
            scored = self._scored_of_all([path[at] for at in places])
            for at, (score, candidate) in zip(places, scored, strict=True):
                if self._is_near(score):
                    return candidate, score
                if score <= self.aim:
                    easy = at
                    break
                hard = at
            places = list(range(hard + 1, easy))[:_AT_ONCE]
        return None

    def _nearest_on(self, path: Sequence[CandidatePuzzle]) -> tuple[CandidatePuzzle, float]:
        """A candidate near the aim on a path of falling scores, or the nearest one scored.

        The hard end of the path takes longest to score, so it waits until a candidate has turned
        out too easy.
        """
        width = self.target.high - self.target.low
        near = _NEAR * width if math.isfinite(width) else 0.0
        bracket = _Bracket(-1, len(path))
        at = len(path) // 2
        best, best_score = path[at], math.nan
        while True:
            score = self.scored(path[at])
            if not abs(score - self.aim) >= abs(best_score - self.aim):
                best, best_score = path[at], score
            bracket.narrow(at, score, self.aim)
            if abs(best_score - self.aim) <= near or not bracket.is_open:
                return best, best_score
            at = 0 if bracket.hard < 0 else bracket.between(self.aim)


@dataclass
class _Bracket:
    """Places on a path between which the aim lies: one too hard and one too easy, or the ends."""

    hard: int
    easy: int
    above: float = math.nan
    below: float = math.nan

    @property
    def is_open(self) -> bool:
        """Whether there are places between."""
        return self.easy - self.hard > 1

    def narrow(self, at: int, score: float, aim: float) -> None:
        """Take the score at a place into account."""
        if score >= aim:
            self.hard, self.above = at, score
        else:
            self.easy, self.below = at, score

    def between(self, aim: float) -> int:
        """Where a straight line passes the aim, well within: the path is no straight line."""
        gap = self.easy - self.hard
        share = 0.5
        if not math.isnan(self.below):
            share = (self.above - aim) / (self.above - self.below)
        share = min(max(share, _INSIDE), 1.0 - _INSIDE)
        return self.hard + min(max(round(share * gap), 1), gap - 1)
