"""The search for puzzles whose score lies in a wanted range.

The search knows neither the kind of puzzle nor the rating. A source draws candidate puzzles, each
of which can become easier or harder in small steps, and a callable scores them. Adding givens to a
hard candidate lowers its score almost steadily, so the wanted score is bracketed first. From the
nearest puzzle on that path, small moves approach the target. A second callable confirms the result:
it returns the likely range of the score if the puzzle is rated again.

If draws are cheap, :mod:`nando.generators.sifting` draws many instead.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nando.generators.target import (
    CandidatePuzzle,
    EasierPuzzles,
    Effort,
    FailedDraw,
    Source,
    Target,
)
from nando.puzzles import Puzzle

_MOVES = 12
"""Steps towards the target from the best puzzle of one path."""

_NEAR = 0.1
"""A rough score is near enough within this share of the range from the aim."""

_INSIDE = 0.2
"""Share of a bracket, at either end, that interpolation avoids."""

_TRIES = 8
"""Moves tried for one step towards the aim."""


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
        yield from (candidate.puzzle for candidate in _drawn(source, rng, effort))
        return
    seeker = _Seeker(target, target.aim(rng), rng, effort)
    for candidate in _drawn(source, rng, effort):
        yield from seeker.near(candidate)


def _drawn(source: Source, rng: np.random.Generator, effort: Effort) -> Iterator[CandidatePuzzle]:
    while not effort.is_spent:
        effort.drawn += 1
        candidate = source.draw(rng)
        if candidate is None or isinstance(candidate, FailedDraw):
            effort.note_failed(candidate)
        else:
            yield candidate


@dataclass(frozen=True)
class _Seeker:
    """Looks for puzzles near an aim."""

    target: Target
    aim: float
    rng: np.random.Generator
    effort: Effort

    def scored(self, candidate: CandidatePuzzle) -> float:
        """Return the score of a candidate."""
        score = self.target.score(candidate.puzzle)
        self.effort.note(candidate.puzzle, score, self.aim)
        return score

    def _confirmed(self, candidate: CandidatePuzzle) -> tuple[bool, float]:
        """Return True if a candidate is confirmed to be in the range, and its better score."""
        target = self.target
        self.effort.confirmed += 1
        score, error = target.confirmed(candidate.puzzle)
        return target.low <= score - error and score + error <= target.high, score

    def near(self, candidate: CandidatePuzzle) -> Iterator[Puzzle]:
        """Yield the puzzle in range found from a candidate, if any."""
        nearest, score = self._nearest_on(candidate.easier_ones(self.rng))
        for left in range(_MOVES, -1, -1):
            if self.target.is_well_inside(score):
                is_inside, score = self._confirmed(nearest)
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
            score = self.scored(path[place])
            if not abs(score - self.aim) >= abs(best_score - self.aim):
                best, best_score = path[place], score
            bracket.narrow(place, score, self.aim)
            if abs(best_score - self.aim) <= near or not bracket.is_open:
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
