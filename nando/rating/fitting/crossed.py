"""Players crossed with puzzles: a mixed model of log times, its posterior and its variances.

A game's log time is a line in the puzzle's predicted difficulty, plus an effect of the puzzle,
minus the player's speed, plus the player's own slope, plus noise:

    y = a + b x + u[puzzle] - speed[player] + slope[player] x + e,    x = z - mean z

Given the variances this is one Gaussian (Henderson's mixed-model equations); its precision is
sparse, and the larger of the two sides, puzzles or players, is eliminated block by block.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve
from scipy.special import gammaincinv, ndtr

from nando.arrays import Floats
from nando.puzzles.files import shortened

Indices = NDArray[np.intp]

N_FIXED = 2
LARGEST_CORE = 6_000
"""Largest number of effects that may remain after the elimination, for one dense inverse."""

_NODES = 128
"""Number of normal components that approximate a Student t in the quantiles of a sum."""
_MOST_STEPS = 100

_CHANGE_OF_VARIANCES, _MOST_STEPS_OF_VARIANCES = 1e-4, 500
"""Change of a log variance at which the iteration of variances ends, and its most steps."""
_CHANGE_OF_WEIGHTS, _MOST_STEPS_OF_WEIGHTS = 1e-7, 200
"""The same for the iteration of the weights of games."""
_A_CHUNK = 4_000_000
"""Most numbers in memory at once while the variances of many rows are computed."""

_MOST_DOF = 1_000


class Variances(NamedTuple):
    """Components of the variance of log times.

    Attributes
    ----------
    puzzle : float
        Variance of the puzzles' effects.
    speed : float
        Variance between players.
    slope : float
        Variance of the players' own slopes on the predicted log time.
    noise : float
        Squared scale of a game's noise, a Student t; its variance is larger by dof / (dof - 2).
    """

    puzzle: float
    speed: float
    slope: float
    noise: float


GUESS = Variances(puzzle=0.25**2, speed=0.4**2, slope=0.15**2, noise=0.35**2)
"""Initial variances, which are kept if the games contain no information about them.

The noise is about that of equivalent puzzles on the web portal, and the variance of puzzles about
that of the residuals of ratings. Two in three players are within a factor of 1.5 of the typical
speed.
"""
N_GUESSED = Variances(4, 4, 4, 4)
"""Weight of the guess in puzzles, players, slopes and games: a scaled inverse chi-square prior."""


class Line(NamedTuple):
    """The prior of the typical player's line.

    Attributes
    ----------
    level : float
        Expected `a`.
    level_precision, slope_precision : float
        Precisions of `a` and `b`; `b` is about 1 for a prediction in log seconds.
    """

    level: float = 0.0
    level_precision: float = 0.0
    slope_precision: float = 1.0


UNKNOWN = Line()
"""A prior that leaves the level of the line to the games."""


class Games(NamedTuple):
    """Games as arrays.

    Attributes
    ----------
    player, puzzle : ndarray of intp, shape (n_games,)
        Indices; -1 for an unknown player or puzzle.
    x : ndarray of float64, shape (n_games,)
        Predicted log difficulty minus its mean.
    y : ndarray of float64, shape (n_games,)
        Log seconds.
    n_players, n_puzzles : int
    line : Line
    """

    player: Indices
    puzzle: Indices
    x: Floats
    y: Floats
    n_players: int
    n_puzzles: int
    line: Line = UNKNOWN

    @property
    def design(self) -> sparse.csr_matrix:
        """The design matrix of the games."""
        return design(self.player, self.puzzle, self.x, self.n_players, self.n_puzzles)


def design(
    player: Indices, puzzle: Indices, x: Floats, n_players: int, n_puzzles: int
) -> sparse.csr_matrix:
    """Return the design matrix with a row for each game and a column for each effect.

    The effects are a, b, the speed and slope of each player, and each puzzle. Effects of players
    and puzzles at -1 are left out.
    """
    n = len(x)
    rows = np.arange(n)
    by, on = rows[player >= 0], rows[puzzle >= 0]
    place = N_FIXED + 2 * player[by]
    ones = np.ones(n)
    return sparse.csr_matrix(
        (
            np.concatenate([ones, x, -ones[by], x[by], ones[on]]),
            (
                np.concatenate([rows, rows, by, by, on]),
                np.concatenate(
                    [
                        np.zeros(n, dtype=np.intp),
                        np.ones(n, dtype=np.intp),
                        place,
                        place + 1,
                        N_FIXED + 2 * n_players + puzzle[on],
                    ]
                ),
            ),
        ),
        shape=(n, N_FIXED + 2 * n_players + n_puzzles),
    )


class Posterior:
    """The Gaussian of all effects, given games, their weights and the variances.

    Parameters
    ----------
    games : Games
    weight : ndarray of float64, shape (n_games,)
        Weight of each game; its noise has the variance ``variances.noise / weight``.
    variances : Variances
    n_players, n_puzzles : int

    Attributes
    ----------
    mean : ndarray of float64, shape (n_effects,)
        Means of the effects, in the order of the columns of :func:`design`.

    Raises
    ------
    ValueError
        If there are too many players and too many puzzles.

    Notes
    -----
    Source: C. R. Henderson, Best linear unbiased estimation and prediction under a selection
    model, Biometrics 31:423-447, 1975. The matrix that is inverted has the order of the smaller
    side: twice the players, or the puzzles.
    """

    def __init__(self, games: Games, weight: Floats, variances: Variances) -> None:
        rows, n_players, n_puzzles = games.design, games.n_players, games.n_puzzles
        own = np.tile([1 / variances.speed, 1 / variances.slope], n_players)
        prior = np.concatenate([games.line[1:], own, np.full(n_puzzles, 1 / variances.puzzle)])
        scaled = rows.multiply((weight / variances.noise)[:, None]).tocsr()
        precision = (rows.T @ scaled + sparse.diags(prior)).tocsr()
        pull = scaled.T @ games.y
        pull[0] += games.line.level * games.line.level_precision
        pull[1] += games.line.slope_precision
        self._core, self._rest, block = _sides(n_players, n_puzzles)
        self._inverse = _block_inverse(precision[self._rest][:, self._rest], block)
        crossing = precision[self._rest][:, self._core]
        self._carried = (self._inverse @ crossing).tocsr()
        core = precision[self._core][:, self._core] - crossing.T @ self._carried
        factor = cho_factor(core.toarray())
        self._covariance = cho_solve(factor, np.eye(len(self._core)))
        self.mean = np.empty(len(prior))
        self.mean[self._core] = cho_solve(
            factor, pull[self._core] - self._carried.T @ pull[self._rest]
        )
        self.mean[self._rest] = (
            self._inverse @ pull[self._rest] - self._carried @ self.mean[self._core]
        )

    def variance(self, rows: sparse.csr_matrix) -> Floats:
        """Return the variance of each row's sum of effects, shape (n_rows,)."""
        rest = rows[:, self._rest]
        variances = np.asarray((rest @ self._inverse).multiply(rest).sum(axis=1)).ravel()
        seen = (rows[:, self._core] - rest @ self._carried).tocsr()
        step = max(1, _A_CHUNK // len(self._core))
        for first in range(0, rows.shape[0], step):
            part = seen[first : first + step].toarray()
            variances[first : first + step] += np.einsum("ij,ij->i", part @ self._covariance, part)
        return np.asarray(np.maximum(variances, 0.0))

    def variances(self) -> Floats:
        """Return the variance of each effect, shape (n_effects,)."""
        return self.variance(sparse.identity(len(self.mean), format="csr"))


def estimate(games: Games, dof: float) -> tuple[Variances, Floats]:
    """Estimate variances by restricted maximum likelihood with a weak prior, robust to outliers.

    The result includes the weights of the games in the last iteration.

    Parameters
    ----------
    games : Games
    dof : float
        Degrees of freedom of the noise, a Student t.

    Notes
    -----
    Expectation and maximisation: the expectation is over the effects (for REML these include the
    fixed line) and the weights of games in turn (Pinheiro, Liu and Wu, Efficient algorithms for
    robust estimation in linear mixed-effects models using the multivariate t distribution,
    J. Comput. Graph. Stat. 10:249-276, 2001; there t is the distribution of a whole player, here
    of a game). The prior counts as `N_GUESSED` observations of `GUESS`. It decides if some
    variances cannot be separated, with one player or with puzzles that nobody shares.
    """
    rows, n_players, n_puzzles = games.design, games.n_players, games.n_puzzles
    guess, counted = np.array(GUESS), np.array(N_GUESSED)
    n = np.array([n_puzzles, n_players, n_players, len(games.y)])
    weight = np.ones(len(games.y))
    logs = np.log(guess)
    for _ in range(_MOST_STEPS_OF_VARIANCES):
        variances = Variances(*np.exp(logs).tolist())
        posterior = Posterior(games, weight, variances)
        squares = posterior.mean**2 + posterior.variances()
        misfit = (games.y - rows @ posterior.mean) ** 2 + posterior.variance(rows)
        weight = (dof + 1) / (dof + misfit / variances.noise)
        players = squares[N_FIXED : N_FIXED + 2 * n_players]
        sums = np.array(
            [
                squares[N_FIXED + 2 * n_players :].sum(),
                players[::2].sum(),
                players[1::2].sum(),
                (weight * misfit).sum(),
            ]
        )
        before, logs = logs, np.log((sums + counted * guess) / (n + counted))
        if np.abs(logs - before).max() < _CHANGE_OF_VARIANCES:
            break
    return Variances(*np.exp(logs).tolist()), weight


def game_weights(games: Games, weight: Floats, variances: Variances, dof: float) -> Floats:
    """Iterate the weights of games until they agree with the effects.

    The weight is 1 for a typical time and near 0 for an outlier.

    Notes
    -----
    Source: Lange, Little and Taylor, Robust statistical modeling using the t distribution,
    J. Am. Stat. Assoc. 84:881-896, 1989, section 3.
    """
    rows = games.design
    for _ in range(_MOST_STEPS_OF_WEIGHTS):
        posterior = Posterior(games, weight, variances)
        misfit = (games.y - rows @ posterior.mean) ** 2 + posterior.variance(rows)
        before, weight = weight, (dof + 1) / (dof + misfit / variances.noise)
        if np.abs(weight - before).max() < _CHANGE_OF_WEIGHTS:
            break
    return weight


def half_width(variance: Floats, noise: float, dof: float, coverage: float) -> Floats:
    """Return half the width of the central interval of a normal variable plus a Student t.

    Parameters
    ----------
    variance : ndarray of float64
        Variance of the normal variable.
    noise, dof : float
        Squared scale and degrees of freedom of the t.
    coverage : float

    Notes
    -----
    The t is a mixture of normal variables, one for each weight that a game may have, and so is
    the sum. Its coverage is concave in the half width, so Newton's steps never overshoot.
    """
    weight = gammaincinv(dof / 2, (np.arange(_NODES) + 0.5) / _NODES) / (dof / 2)
    sd = np.sqrt(variance[..., None] + noise / weight)
    reach = np.zeros(variance.shape)
    for _ in range(_MOST_STEPS):
        ratio = reach[..., None] / sd
        missing = coverage - (2 * ndtr(ratio) - 1).mean(axis=-1)
        rise = (np.sqrt(2 / np.pi) * np.exp(-(ratio**2) / 2) / sd).mean(axis=-1)
        step = missing / rise
        reach = reach + step
        if (np.abs(step) < 1e-10).all():
            break
    return reach


def _sides(n_players: int, n_puzzles: int) -> tuple[Indices, Indices, int]:
    """Return the effects to keep, the effects to eliminate, and the block size of the latter."""
    fixed = np.arange(N_FIXED)
    players = N_FIXED + np.arange(2 * n_players)
    puzzles = N_FIXED + 2 * n_players + np.arange(n_puzzles)
    if N_FIXED + min(2 * n_players, n_puzzles) > LARGEST_CORE:
        raise ValueError(
            f"{n_players:,} players and {n_puzzles:,} puzzles are too many for one model: take at "
            f"most {LARGEST_CORE // 2 - 1:,} players, or {LARGEST_CORE - N_FIXED:,} puzzles"
        )
    if 2 * n_players <= n_puzzles:
        return np.concatenate([fixed, players]), puzzles, 1
    return np.concatenate([fixed, puzzles]), players, 2


def _block_inverse(matrix: sparse.csr_matrix, size: int) -> sparse.csr_matrix:
    """Invert a block diagonal matrix with blocks of 1 by 1 or 2 by 2."""
    diagonal = matrix.diagonal()
    if size == 1:
        return sparse.diags(1 / diagonal).tocsr()
    first, second, beside = diagonal[::2], diagonal[1::2], matrix.diagonal(1)[::2]
    blocks = np.array([[second, -beside], [-beside, first]]) / (first * second - beside**2)
    n = len(first)
    return sparse.bsr_matrix(
        (np.ascontiguousarray(blocks.transpose(2, 0, 1)), np.arange(n), np.arange(n + 1))
    ).tocsr()


def check_dof(dof: Any) -> float:
    """Return the degrees of freedom of the noise as a float.

    Raises
    ------
    ValueError
        Unless they are a number above 2 and at most 1,000.
    """
    if isinstance(dof, int | float) and 2.0 < dof <= _MOST_DOF:
        return dof
    raise ValueError(
        f"dof must be above 2 and at most {_MOST_DOF:,} (normal noise), got {shortened(repr(dof))}"
    )
