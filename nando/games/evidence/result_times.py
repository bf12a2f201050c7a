"""Answers about a player's times: too short for a hand, or for the pace; unlike difficulty.

They are p-values, which are stated for honest people of nearly any habits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr
from scipy.stats import rankdata

from nando.arrays import Floats
from nando.games.results import Result
from nando.games.said import Said, figure, say
from nando.rating.fitting import crossed
from nando.rating.pace import LINE_SPREAD

DIGIT_SECONDS = 0.1
"""No hand enters a digit in less.

Of the 71,026 intervals between the entries of the Sudoku Insight log, on a phone, one in 1,000 is
below 0.38 s, and its fastest 20 digits in a row took 0.9 s each. Keyboards are faster.
"""

ENTERING_SECONDS = 2.0
"""A solution takes no longer for each digit if it is known before the clock starts.

The fastest of the 1,089 games of the log that can be rated, solved on the screen, took 2.15 s.
"""

LEAST_RESULTS = 5
"""Fewest results that show a pace."""

DOF = 5.0
"""Degrees of freedom of honest log times, of which people have fewer fast ones than slow ones."""

SLOPES = (0.4, 1.2)
"""Honest log seconds per predicted log second.

It is 0.54 and 0.64 for the mean and the best times of the portal, 0.94 for Cloud Sudoku, and 0.85
for the person of the log.
"""

SCATTER, SCATTER_DOF = 0.37, 4.0
"""Scale and degrees of freedom of honest log times about a line.

Their standard deviation is 0.52, as the model of persons guesses for games and puzzles together; it
is 0.32 for the person of the log.
"""

_IMPOSSIBLE = 1e-9
"""P-value of a time that is too short for a hand; what is stated is never below `LEAST_P`."""
_MOST_SQUARE = 9.0
"""Largest squared deviation that counts for the spread of a player."""
_DRAWS, _MORE_DRAWS = 1_000, 50_000
"""Simulated honest players; many only where few of the first are like the player."""
_UNCLEAR = 0.05
"""Puzzles are too alike if a larger share of honest players shows no correlation."""
_OTHER_UNIT = 20.0
"""Times that are typically shorter than predicted by this factor are in another unit."""
_GRAINS = (60, 30, 15, 10, 5)
"""Seconds to which the times of a player may be rounded."""
_NAMED = 3
"""Most results that are named as evidence of a kind."""
WORTH_TELLING = 0.1
"""P-value up to which evidence is stated."""


class Answer(NamedTuple):
    """The answer to a question about a player, and why it may not be one."""

    question: str
    p_value: float
    evidence: list[Said]
    correlation: float | None = None
    unclear: Said | None = None


@dataclass(frozen=True)
class ResultTimes:
    """The results of all players as arrays.

    Attributes
    ----------
    results : sequence of Result
    predicted : ndarray of float64, shape (n_results,)
        Predicted log seconds; NaN for results whose time is not compared with others.
    grain : ndarray of int64, shape (n_results,)
        Seconds to which the times of a player are rounded.
    log_seconds : ndarray of float64, shape (n_results,)
    expected, below : ndarray of float64, shape (n_results,)
        Log seconds that all other results predict, and the chance of a shorter time.
    """

    results: Sequence[Result]
    predicted: Floats
    grain: NDArray[np.int64]
    log_seconds: Floats
    expected: Floats
    below: Floats

    @classmethod
    def of(cls, results: Sequence[Result], predicted: Floats) -> "ResultTimes":
        """Return the results of a table; rounded times are taken for longer ones."""
        seconds = np.array([one.seconds for one in results])
        grain = np.ones(len(results), np.int64)
        players = np.array([one.player for one in results])
        for player in dict.fromkeys(one.player for one in results):
            own = players == player
            shared = (g for g in _GRAINS if own.sum() > 1 and not (seconds[own] % g).any())
            grain[own] = next(shared, 1)
        log_seconds = np.log(seconds + grain / 2)
        return cls(
            results,
            predicted,
            grain,
            log_seconds,
            *_leave_out_each(results, predicted, log_seconds),
        )

    def without(self, is_left_out: NDArray[np.bool_]) -> "ResultTimes":
        """Return these times, some of which are not compared with others."""
        if not is_left_out.any():
            return self
        predicted = np.where(is_left_out, np.nan, self.predicted)
        return ResultTimes.of(self.results, predicted)

    @cached_property
    def n_digits(self) -> NDArray[np.int64]:
        """Number of digits that had to be entered for each result."""
        return np.array([one.n_digits for one in self.results], np.int64)

    @cached_property
    def is_too_fast(self) -> NDArray[np.bool_]:
        """Whether each time is too short for a hand."""
        seconds = np.array([one.seconds for one in self.results])
        return np.asarray(seconds + self.grain < DIGIT_SECONDS * self.n_digits)

    @cached_property
    def is_quick(self) -> NDArray[np.bool_]:
        """Whether each time is no longer than that of entering a finished solution."""
        seconds = np.array([one.seconds for one in self.results])
        return np.asarray((seconds < ENTERING_SECONDS * self.n_digits) & (not self.is_other_unit))

    @cached_property
    def is_other_unit(self) -> bool:
        """True if most times are too short for people, as if they were in another unit."""
        away = (self.log_seconds - self.predicted)[np.isfinite(self.predicted)]
        is_shorter = len(away) > 0 and np.median(away) < -np.log(_OTHER_UNIT)
        return bool(is_shorter or (len(self.results) > 0 and self.is_too_fast.mean() > 0.5))

    def compare(self, own: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return those of a player's results whose times are compared with others."""
        return own[np.isfinite(self.predicted[own])]

    def hand(self, own: NDArray[np.intp]) -> Iterator[Answer]:
        """Ask whether a time is too short for a hand."""
        if not len(own) or self.is_other_unit:
            return
        sentences = [
            say(
                "results.hand",
                line=self.results[i].line,
                seconds=figure(self.results[i].seconds, ".3g"),
                n=self.results[i].n_digits,
                least=figure(DIGIT_SECONDS * self.results[i].n_digits, ".1f"),
            )
            for i in own[self.is_too_fast[own]]
        ]
        yield Answer("hand", _IMPOSSIBLE if sentences else 1.0, sentences[:_NAMED])

    def answers(self, own: NDArray[np.intp], seed: int) -> Iterator[Answer]:
        """Yield the answers on pace and difficulty; none for too few results."""
        compared = self.compare(own)
        if len(compared) >= LEAST_RESULTS:
            yield self._pace(compared)
            yield self._difficulty(compared, seed)

    def _pace(self, own: NDArray[np.intp]) -> Answer:
        """Ask whether a time is too short for the player's other results."""
        p_values = np.minimum(1.0, len(own) * self.below[own])
        sentences = [
            say(
                "results.pace",
                line=self.results[own[i]].line,
                seconds=figure(self.results[own[i]].seconds, ",.0f"),
                expected=figure(float(np.exp(self.expected[own[i]])), ",.0f"),
            )
            for i in np.argsort(p_values, kind="stable")[:_NAMED]
            if p_values[i] <= WORTH_TELLING
        ]
        return Answer("pace", float(p_values.min()), sentences)

    def _difficulty(self, own: NDArray[np.intp], seed: int) -> Answer:
        """Ask whether the times follow difficulty, as those of simulated honest players do."""
        z, times, grain = self.predicted[own], self.log_seconds[own], int(self.grain[own[0]])
        correlation, p_value, unclear = _measure_following(z, times, grain, seed)
        if p_value <= WORTH_TELLING:
            # One clock may have run for all puzzles: then the time between two solutions counts.
            order = np.argsort(times, kind="stable")
            between = np.diff(np.exp(times[order]), prepend=0.0)
            entering = ENTERING_SECONDS * self.n_digits[own]
            if np.median(between) >= np.median(entering):
                one_clock = np.log(np.maximum(between, grain / 2))
                p_value = max(p_value, _measure_following(z[order], one_clock, grain, seed)[1])
        sentence = say(
            "results.difficulty",
            r=figure(correlation, ".2f"),
            n=len(own),
            low=figure(float(np.exp(z.min())), ",.0f"),
            high=figure(float(np.exp(z.max())), ",.0f"),
        )
        alike = say("results.alike") if unclear > _UNCLEAR else None
        return Answer("difficulty", p_value, [sentence], correlation, alike)


def _measure_following(
    z: Floats, times: Floats, grain: int, seed: int
) -> tuple[float, float, float]:
    """Return how far times follow difficulty.

    These are the rank correlation of log times with predicted log times `z`, its p-value, and the
    share of honest players without a correlation.
    """
    rng = np.random.default_rng(seed)
    ranks = rankdata(z) - (len(z) + 1) / 2

    def honest(n: int) -> Floats:
        slope = rng.uniform(*SLOPES, (n, 1))
        simulated = slope * (z - z.mean()) + SCATTER * rng.standard_t(SCATTER_DOF, (n, len(z)))
        rounded = np.rint(np.exp(simulated + times.mean()) / grain)
        # Equal times get different ranks, in any order.
        return _correlate(np.lexsort((rng.random(rounded.shape), rounded)).argsort(), ranks)

    correlation = float(_correlate(rankdata(times), ranks))
    drawn = honest(_DRAWS)
    unclear = float(np.mean(drawn <= 0.0))
    if np.mean(drawn <= correlation) <= _UNCLEAR:
        drawn = honest(_MORE_DRAWS)
    fewer = np.count_nonzero(drawn <= correlation + 1e-9)
    return correlation, (1 + fewer) / (1 + len(drawn)), unclear


def _correlate(ranks: NDArray[Any], others: Floats) -> Floats:
    """Return the correlation of ranks with other ranks of mean 0; 0 for equal ranks."""
    away = ranks - ranks.mean(axis=-1, keepdims=True)
    size = np.sqrt((away**2).sum(axis=-1) * (others**2).sum())
    return np.asarray(away @ others / np.maximum(size, 1e-9))


def _leave_out_each(
    results: Sequence[Result], predicted: Floats, log_seconds: Floats
) -> tuple[Floats, Floats]:
    """Return the log time that all other results predict for each, and the chance below it.

    The model is linear given the weights, so a result is left out in closed form.
    """
    expected, below = np.full((2, len(results)), np.nan)
    rated = np.flatnonzero(np.isfinite(predicted))
    if not len(rated):
        return expected, below
    z, times = predicted[rated], log_seconds[rated]
    names = [(results[i].player, results[i].puzzle.text) for i in rated.tolist()]
    (player, n_players), (puzzle, n_puzzles) = (
        _indices(column) for column in zip(*names, strict=True)
    )
    middle = float(z.mean())
    line = crossed.Line(middle, *(spread**-2.0 for spread in LINE_SPREAD))
    games = crossed.Games(player, puzzle, z - middle, times, n_players, n_puzzles, line)
    noise = crossed.GUESS.noise
    weight = crossed.game_weights(games, np.ones(len(z)), crossed.GUESS, DOF)
    posterior = crossed.Posterior(games, weight, crossed.GUESS)
    variance = posterior.variance(games.design)
    remaining = 1.0 - weight * variance / noise
    residual = (times - games.design @ posterior.mean) / remaining
    sd = np.sqrt(variance / remaining + noise)
    # The player's own spread without this result, in which an outlier counts only so much.
    square = np.minimum((residual / sd) ** 2, _MOST_SQUARE)
    others = np.bincount(player)[player] - 1.0
    spread = np.bincount(player, square)[player] - square
    guess = float(crossed.N_GUESSED.noise)
    scale = np.sqrt(np.maximum(1.0, (guess + spread) / (guess + others)))
    expected[rated], below[rated] = times - residual, stdtr(DOF, residual / (scale * sd))
    return expected, below


def _indices(names: Sequence[str]) -> tuple[NDArray[np.intp], int]:
    """Return the index of each name, and the number of different names."""
    different, index = np.unique(names, return_inverse=True)
    return index, len(different)
