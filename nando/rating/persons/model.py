"""The model of persons: fitted, and brought up to date.

From games of several players, speed and difficulty are estimated together, so that neither is
mistaken for the other: a player of hard puzzles is not called slow, and a puzzle that fast players
chose is not called easy. The features' prediction stands behind each puzzle as its prior.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from nando.rating.persons.crossed import Variances, estimate, game_weights
from nando.rating.persons.games import PlayerGames, read_player_games
from nando.rating.persons.known import KnownPlayers, as_numbers, check_dof
from nando.rating.records import above_zero

_DECIMALS = 6
"""Of a game's weight, in the model and in its file."""


class PersonModel(BaseEstimator, KnownPlayers):
    """Solving times of single players.

    Parameters
    ----------
    dof : float
        Degrees of freedom of the noise of log times, a Student t: the fewer, the less a wild
        time counts.
    variances : Variances or None
        Spread of puzzles, speeds, slopes and noise; None estimates it from the games. Those of a
        large crowd (``variances_`` of its model) suit a few games of a single player.

    Attributes
    ----------
    variances_ : Variances
    line_ : tuple of float
        Log seconds of the typical player at the mean prediction, and their slope on it.
    z_mean_ : float
        Mean prediction of the games that were fitted.
    provenance_ : dict
        What a model file says of its data; its ``name`` begins the `model_id`.

    Notes
    -----
    With the prediction `z` of a puzzle, a log time is ``a + b (z - mean z) + u - speed + slope
    (z - mean z) + noise``: `u` is what the puzzle adds to its prediction, `speed` and `slope`
    are the player's, each drawn from a normal distribution whose variance is estimated. So a
    player with one game is drawn to the typical player, and one with many is known by them.

    The reference is the model ``log t = b + a theta + e`` of Pelánek and Jarušek, Student modeling
    based on problem solving times, Int. J. Artif. Intell. Educ. 25:493-519, 2015,
    doi:10.1007/s40593-015-0048-x; there the slope belongs to the puzzle, and nothing is known of
    one that nobody has solved.

    Nobody is taken to get better or tired: leave out the games of long ago.

    Examples
    --------
    >>> games = {
    ...     "puzzle": ["p1", "p2", "p3", "p1", "p2", "p3"],
    ...     "player": ["ann", "ann", "ann", "ben", "ben", "ben"],
    ...     "seconds": [200, 310, 390, 420, 590, 880],
    ... }
    >>> model = PersonModel().fit(games, z={"p1": 5.6, "p2": 6.0, "p3": 6.4})
    >>> bool(model.predict("ann", 6.2) < model.predict("ben", 6.2))
    True
    """

    def __init__(self, *, dof: float = 5.0, variances: Variances | None = None) -> None:
        self.dof = dof
        self.variances = variances

    # ---------------------------------------------------------------- fitting

    def fit(self, rows: Any, z: ArrayLike | Mapping[Any, float]) -> Self:
        """Estimate players, puzzles and the spread of both.

        Parameters
        ----------
        rows : DataFrame, or what makes one
            A row a game, with the columns ``puzzle``, ``player`` and ``seconds``. Puzzles are
            told apart by their text; to have equivalent puzzles count as one, give their
            ``equivalence_key()`` instead.
        z : array-like of float, shape (n_games,), or mapping
            Predicted log difficulty of each game's puzzle, such as the log of
            ``DifficultyRater.predict``; or the prediction by puzzle. Of predictions of one puzzle
            that differ by the noise of their draws (less than 0.1), the first is taken.

        Raises
        ------
        ValueError
            For missing columns or players, times that are not above 0 and finite, predictions
            that are not finite or differ by more for one puzzle, and where every player has one
            game.
        """
        self._check_settings()
        log = read_player_games(rows, z)
        counts = np.bincount(log.player)
        if counts.max() < 2:
            who = f"each of {len(counts)} players" if len(counts) > 1 else "the only player"
            raise ValueError(
                f"{who} has one game, which cannot tell players from puzzles: give two or more "
                "games of at least one player"
            )
        z_mean = float(np.mean(log.z[log.puzzle]))
        if self.variances is None:
            games = as_numbers(log, z_mean)
            variances, weight = estimate(games, len(log.players), len(log.puzzles), self.dof)
        else:
            variances = Variances(*map(float, self.variances))
            weight = np.ones(len(log.seconds))
        self._settle(log, weight, variances, z_mean)
        self.provenance_ = {"name": "persons"}
        return self

    def update(self, rows: Any, z: ArrayLike | Mapping[Any, float] | None = None) -> Self:
        """Take in new games; what was known before is their prior.

        The spread (`variances_`) stays as it is, so that nothing is iterated but the weights of
        the games: the result is that of a fit to all games with these variances, in whatever
        order and portions they come.

        Parameters
        ----------
        rows : DataFrame, or what makes one
            As in :meth:`fit`; players and puzzles may be new.
        z : array-like of float, shape (n_games,), mapping, or None
            As in :meth:`fit`; None where every puzzle is known.

        Raises
        ------
        ValueError
            As :meth:`fit`, and for a new puzzle without its prediction. The model stays as it was.
        """
        self.check_fitted()
        known = dict(zip(self._log.puzzles, self._log.z.tolist(), strict=True))
        added = read_player_games(rows, known if z is None else z)
        log = self._log.joined(added)
        weight = np.concatenate([self._weight, np.ones(len(added.seconds))])
        self._settle(log, weight, self.variances_, self.z_mean_)
        return self

    def _settle(
        self, log: PlayerGames, weight: NDArray[np.float64], variances: Variances, z_mean: float
    ) -> None:
        """Weigh the games, and condition on them."""
        games, n = as_numbers(log, z_mean), (len(log.players), len(log.puzzles))
        # Rounded so that the file, which has no more digits, gives the same model.
        weight = np.round(game_weights(games, weight, variances, *n, self.dof), _DECIMALS)
        weight = np.maximum(weight, 10.0**-_DECIMALS)
        self._condition(log, weight, variances, z_mean)

    def check_fitted(self) -> None:
        """Raise where nothing was fitted yet."""
        check_is_fitted(self, "variances_")

    def _check_settings(self) -> None:
        check_dof(self.dof)
        if self.variances is not None:
            above_zero(np.array(self.variances), "variances", len(Variances._fields))

    @classmethod
    def of(cls, known: KnownPlayers) -> Self:
        """The estimator with the settings of a model, fitted as it is."""
        model = cls(dof=known.dof)
        model.provenance_ = dict(known.provenance_)
        model._condition(known._log, known._weight, known.variances_, known.z_mean_)
        return model

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild an estimator from the text of a model file.

        Raises
        ------
        ValueError
            As of :meth:`KnownPlayers.from_json`.
        """
        return cls.of(KnownPlayers.from_json(text))
