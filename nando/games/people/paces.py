"""The times of fills: people and machines as predictors of every delay.

A person has a pace. A delay is longer if fewer cells can be seen, and if the filled cell is hard to
see; the strength of both effects differs between people. The rest of a delay has a wide spread and
long tails, and there are pauses. A machine keeps its pace: its delays are almost constant, or drawn
evenly between two bounds, whatever the cell. Typing the solution of a solver is like this.

Delays that both would produce are not evidence against a player: lognormal delays with a person's
spread, but independent of the puzzle, are human, especially on easy puzzles.

All probabilities are those of the interval of delays that the log's clock cannot distinguish.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.said import Said, figure, say
from nando.solvers.people.fills.choices import Replay
from nando.solvers.people.fills.features import Feature

SHARE = 0.04
"""Share of the weights that returns to the initial weights after each fill, since haste follows
calm."""
MACHINE_SHARE = 0.01

_PACES = np.geomspace(0.5, 60.0, 15)
"""Median seconds of a person for a fill of medium difficulty."""
_SPREADS = ((0.3, 0.05), (0.45, 0.2), (0.65, 0.25), (0.9, 0.25), (1.25, 0.25))
"""Standard deviations of log seconds, each with its share of people."""
_SHAPES = ((0.0, 0.0), (0.3, 0.15), (0.6, 0.3), (1.0, 0.4))
"""Increase of log seconds with the search and with the effort for the filled cell."""
_AT_ONCE = ((0.002, 0.9), (0.15, 0.1))
"""Shares of fills that are entered together with the previous fill, each with its share of people;
some apps accept several cells at once."""
_PAUSES = (0.03, 30.0, 0.8)
"""Share of fills after a pause, the median seconds of pauses, and the scale of their logarithm."""

_STEADY_PACES = np.geomspace(0.02, 30.0, 40)
_STEADY_SPREADS = (0.02, 0.05, 0.1, 0.2, 0.3)
_EVEN_FROM = np.geomspace(0.1, 20.0, 20)
_EVEN_RATIOS = (1.5, 2.0, 3.0, 5.0)
_HALTS = (0.03, 3.0, 1.0)
"""Share of a machine's delays that are irregular, so that a single one does not clear it, and the
median seconds and scale of these."""

_FINEST = 0.05
"""Least difference of delays in seconds that is evidence."""
_VISIBLE = (3.0, 1.0, 0.4, 0.2)
"""Relative visibility of the last cell of a house, a hidden single of a box, a hidden single of a
line, and a naked single; the next number is that of other cells."""
_HARDLY = 0.01
"""The same ease of any other cell."""
_NEAR = 2.0
"""Factor of the visibility near the last fill: in its house, or of its digit."""
_LEAST = 1e-300


class Difficulty(NamedTuple):
    """The difficulty of the fills of a game, in arrays of shape (n_moves,).

    Attributes
    ----------
    search : ndarray of float64
        Minus the logarithm of the visibility of all open cells.
    effort : ndarray of float64
        Minus the logarithm of the visibility of the filled cell.
    """

    search: Floats
    effort: Floats


def difficulty(replay: Replay) -> Difficulty:
    """Return the difficulty of the fills of a game of Sudoku."""
    table = replay.table
    lines = table[:, Feature.ROW_SINGLE] + table[:, Feature.COLUMN_SINGLE]
    ways = [
        table[:, Feature.LAST_IN_HOUSE] > 0,
        table[:, Feature.BOX_SINGLE] > 0,
        lines > 0,
        table[:, Feature.NAKED_SINGLE] > 0,
    ]
    near = table[:, [Feature.SAME_DIGIT, Feature.SAME_ROW, Feature.SAME_COLUMN, Feature.SAME_BOX]]
    seen = np.select(ways, _VISIBLE, _HARDLY) * np.where(near.any(axis=1), _NEAR, 1.0)
    return Difficulty(
        -np.log(np.add.reduceat(seen, replay.starts[:-1])), -np.log(seen[replay.chosen])
    )


class _Person(NamedTuple):
    """Predictors of people's delays; arrays of shape (n_tellers,)."""

    pace: Floats
    scale: Floats
    search: Floats
    effort: Floats
    at_once: Floats
    weights: Floats


@cache
def people() -> _Person:
    """Return all combinations of the properties in which people differ."""
    rows = [
        (np.log(pace), spread * np.sqrt(3) / np.pi, *shape, at_once, spread_share * once_share)
        for pace in _PACES
        for spread, spread_share in _SPREADS
        for shape in _SHAPES
        for at_once, once_share in _AT_ONCE
    ]
    table = np.array(rows, np.float64)
    table[:, -1] /= table[:, -1].sum()
    return _Person(*np.ascontiguousarray(table.T))


def people_log_chances(delays: Floats, width: float, difficulty: Difficulty) -> Floats:
    """Return the log probability of each delay under each of `people`, (n_moves, n_tellers).

    Parameters
    ----------
    delays : ndarray of float64, shape (n_moves,)
        Seconds; NaN if unknown, which makes the row NaN.
    width : float
        Seconds that the clock cannot distinguish; see :func:`clock_width`.
    difficulty : Difficulty
    """
    low, high = _bounds(delays, width)
    who = people()
    typical = _typical(difficulty)
    usual = _logistic((np.log(high)[:, None] - typical) / who.scale)
    usual -= _logistic((np.log(low)[:, None] - typical) / who.scale)
    share, pause, scale = _PAUSES
    paused = _logistic((np.log(high) - np.log(pause)) / scale)
    paused -= _logistic((np.log(low) - np.log(pause)) / scale)
    at_once = (low <= _LEAST)[:, None] * who.at_once
    chance = (1 - share - who.at_once) * usual + share * paused[:, None] + at_once
    return np.asarray(np.log(np.maximum(chance, _LEAST)))


def typical_seconds(difficulty: Difficulty, weights: Floats) -> Floats:
    """Return the median seconds of each fill, shape ``(n_moves,)``, under the given weights.

    Parameters
    ----------
    difficulty : Difficulty
    weights : ndarray of float64, shape (n_moves, n_tellers)
        Weights of `people`.
    """
    return np.asarray(np.exp(np.einsum("ij,ij->i", _typical(difficulty), weights)))


def _typical(difficulty: Difficulty) -> Floats:
    """Return the log of the typical seconds of each fill for each of `people`."""
    who = people()
    return np.asarray(
        who.pace
        + who.search * (difficulty.search[:, None] + 2.0)
        + who.effort * (difficulty.effort[:, None] - 0.5)
    )


def machine_weights() -> Floats:
    """Return the weights of the machines' paces: half for steady, half for even paces."""
    steady = len(_STEADY_PACES) * len(_STEADY_SPREADS)
    even = len(_EVEN_FROM) * len(_EVEN_RATIOS)
    return np.repeat([0.5 / steady, 0.5 / even], [steady, even])


def machine_log_chances(delays: Floats, width: float) -> Floats:
    """Return each delay's log probability at a machine's paces, shape ``(n_moves, n_tellers)``."""
    from scipy.special import ndtr

    low, high = (bound[:, None] for bound in _bounds(delays, width))
    pace = np.repeat(np.log(_STEADY_PACES), len(_STEADY_SPREADS))
    spread = np.tile(_STEADY_SPREADS, len(_STEADY_PACES))
    steady = ndtr((np.log(high) - pace) / spread) - ndtr((np.log(low) - pace) / spread)
    start = np.repeat(_EVEN_FROM, len(_EVEN_RATIOS))
    end = start * np.tile(_EVEN_RATIOS, len(_EVEN_FROM))
    within = np.clip(np.minimum(high, end) - np.maximum(low, start), 0.0, None) / (end - start)
    share, halt, scale = _HALTS
    halted = _logistic((np.log(high) - np.log(halt)) / scale)
    halted -= _logistic((np.log(low) - np.log(halt)) / scale)
    chance = (1 - share) * np.hstack([steady, within]) + share * halted
    return np.asarray(np.log(np.maximum(chance, _LEAST)))


FINGERS = 0.08
"""Seconds for a fill that no fingers keep up: in 1,089 real games on a phone, ten fills in a row
never took less than 0.66 s each, and a keyboard is at most eight times as fast."""
_TOGETHER = 0.05
_STAMP = 0.001
"""Fills at one time stamp were entered by the app, not by a hand."""


@cache
def too_fast() -> NDArray[np.bool_]:
    """Return which paces of machines are faster than fingers, shape (n_paces,)."""
    steady = np.repeat(_STEADY_PACES < FINGERS, len(_STEADY_SPREADS))
    return np.concatenate([steady, np.zeros(len(_EVEN_FROM) * len(_EVEN_RATIOS), bool)])


def by_hand(delays: Floats, digits: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which fills were entered one by one, so that they show how fast a hand is.

    An app may enter several cells with one digit at once, or the last digits of a game. A run of
    fast fills at the end counts as the app's if it has less than half of the fills.

    Parameters
    ----------
    delays : ndarray of float64, shape (n_moves,)
        Seconds; NaN if unknown.
    digits : ndarray of int, shape (n_moves,)
    """
    single = np.isfinite(delays) & (delays >= _STAMP)
    repeated = np.concatenate([[False], digits[1:] == digits[:-1]])
    single &= ~(repeated & (delays < _TOGETHER))
    slow = np.flatnonzero(~(delays < FINGERS))
    last = slow[-1] + 1 if len(slow) else 0
    if 2 * last > len(delays):
        single[last:] = False
    return np.asarray(single)


@cache
def machine_words(teller: int) -> Said:
    """Return the words for a machine's pace that follow "a machine that"."""
    n_steady = len(_STEADY_PACES) * len(_STEADY_SPREADS)
    if teller < n_steady:
        pace, spread = divmod(teller, len(_STEADY_SPREADS))
        return say(
            "pace.steady",
            seconds=figure(_STEADY_PACES[pace], ".2g"),
            share=figure(100 * _STEADY_SPREADS[spread], ".0f"),
        )
    start, ratio = divmod(teller - n_steady, len(_EVEN_RATIOS))
    low = _EVEN_FROM[start]
    high = low * _EVEN_RATIOS[ratio]
    return say("pace.even", low=figure(low, ".2g"), high=figure(high, ".2g"))


def clock_width(seconds: Floats) -> float:
    """Return the seconds that the clock of a game cannot distinguish, for example 1 or 0.1."""
    for width in (1.0, 0.1):
        if len(seconds) and np.allclose(seconds / width, np.round(seconds / width), atol=1e-6):
            return width
    return _FINEST


def _bounds(delays: Floats, width: float) -> tuple[Floats, Floats]:
    return np.maximum(delays - width / 2, _LEAST), delays + width / 2


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(x))
