"""The model of persons: the times of each player, estimated from their games.

From games of several players, speed and difficulty are estimated together, so that neither is
mistaken for the other: a player of hard puzzles is not called slow, and a puzzle that fast players
chose is not called easy. The prior of each puzzle is its prediction from the features.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.arrays import Floats
from nando.puzzles.files import shortened
from nando.rating.files import ModelFile, above_zero, numbers
from nando.rating.fitting import crossed
from nando.rating.fitting.estimator import Estimator

COLUMNS = ("puzzle", "player", "seconds")

FARTHEST = 0.1
"""Smaller differences between predictions of one puzzle are attributed to random draws."""


@dataclass(frozen=True)
class PlayerGames:
    """Solving times of players on puzzles.

    Attributes
    ----------
    players, puzzles : tuple of str
        Names in the order of their first games.
    z : ndarray of float64, shape (n_puzzles,)
        Predicted log difficulty.
    player, puzzle : ndarray of intp, shape (n_games,)
        Indices in `players` and `puzzles`.
    seconds : ndarray of float64, shape (n_games,)
    """

    players: tuple[str, ...]
    puzzles: tuple[str, ...]
    z: Floats
    player: NDArray[np.intp]
    puzzle: NDArray[np.intp]
    seconds: Floats

    def join(self, other: Self) -> Self:
        """Return these games followed by the other games.

        A puzzle in both keeps its prediction from these games.

        Raises
        ------
        ValueError
            If the two predictions of a puzzle differ by more than noise.
        """
        z = dict(zip(self.puzzles, self.z.tolist(), strict=True))
        for puzzle, value in zip(other.puzzles, other.z.tolist(), strict=True):
            if abs(z.setdefault(puzzle, value) - value) > FARTHEST:
                raise ValueError(_two_predictions(puzzle, z[puzzle], value))
        players = _first_seen([*self.players, *other.players])
        puzzles = _first_seen([*self.puzzles, *other.puzzles])
        player_of = np.array([players[name] for name in other.players], dtype=np.intp)
        puzzle_of = np.array([puzzles[name] for name in other.puzzles], dtype=np.intp)
        return type(self)(
            players=tuple(players),
            puzzles=tuple(puzzles),
            z=np.array([z[name] for name in puzzles]),
            player=np.concatenate([self.player, player_of[other.player]]),
            puzzle=np.concatenate([self.puzzle, puzzle_of[other.puzzle]]),
            seconds=np.concatenate([self.seconds, other.seconds]),
        )

    def check_repeats(self) -> None:
        """Raise ValueError if no player has two games."""
        counts = np.bincount(self.player)
        if counts.max() < 2:
            who = f"each of {len(counts)} players" if len(counts) > 1 else "the only player"
            raise ValueError(
                f"{who} has one game, which cannot tell players from puzzles: give two or more "
                "games of at least one player"
            )

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> tuple[Self, Floats]:
        """Return the games of a record, and the weight of each.

        Raises
        ------
        ValueError
            For invalid numbers, or players of the same name.
        """
        games = numbers(record["games"], "games", -1, 4)
        log = cls(
            players=tuple(map(str, record["players"])),
            puzzles=tuple(record["puzzles"]),
            z=numbers(list(record["puzzles"].values()), "z", -1),
            player=positions_in(games[:, 0], len(record["players"]), "players"),
            puzzle=positions_in(games[:, 1], len(record["puzzles"]), "puzzles"),
            seconds=above_zero(games[:, 2], "seconds", -1),
        )
        if len(set(log.players)) < len(log.players):
            raise ValueError("players must have different names")
        return log, above_zero(games[:, 3], "weights", -1)

    def record(self, weight: Floats) -> dict[str, Any]:
        """Return the player, puzzle, seconds and weight of each game as plain values."""
        games = (self.player, self.puzzle, self.seconds, weight)
        return {
            "players": list(self.players),
            "puzzles": dict(zip(self.puzzles, self.z.tolist(), strict=True)),
            "games": [list(game) for game in zip(*(c.tolist() for c in games), strict=True)],
        }


def read_player_games(rows: Any, z: ArrayLike | Mapping[Any, float]) -> PlayerGames:
    """Read games from a table with the columns `COLUMNS`, and the predictions of their puzzles.

    Parameters
    ----------
    rows : DataFrame, or what makes one
    z : array-like of float, shape (n_games,), or mapping from puzzle to float

    Raises
    ------
    ValueError
        For values that are missing, not finite or contradictory; rows are counted from 1.
    """
    import pandas as pd

    frame = pd.DataFrame(rows)
    for name in COLUMNS:
        if name not in frame.columns:
            raise ValueError(f"the games have no column {name!r}; wanted {', '.join(COLUMNS)}")
    if not len(frame):
        raise ValueError("there are no games: give at least one row")
    players, player = _positions(frame["player"], "player")
    puzzles, puzzle = _positions(frame["puzzle"], "puzzle")
    seconds = pd.to_numeric(frame["seconds"], errors="coerce").to_numpy(np.float64)
    wrong = np.flatnonzero(~(np.isfinite(seconds) & (seconds > 0)))
    if len(wrong):
        value = shortened(frame["seconds"].iloc[wrong[0]])
        raise ValueError(
            f"seconds must be finite and above 0, got {value} in row {wrong[0] + 1}"
            f"{_and_more(len(wrong) - 1)}: leave out games that were not finished"
        )
    return PlayerGames(
        players=tuple(players),
        puzzles=tuple(puzzles),
        z=_predictions(z, list(puzzles), puzzle),
        player=player,
        puzzle=puzzle,
        seconds=seconds,
    )


def name_of(value: Any) -> str:
    """Return the name of a player or puzzle in a model; a puzzle's name is its text."""
    return str(getattr(value, "text", value))


def are_many(values: Any) -> bool:
    """Return True if `values` is a list, tuple, array or Series of players or puzzles."""
    return isinstance(values, list | tuple | np.ndarray) or hasattr(values, "to_numpy")


def places(values: Any, known: Iterable[str]) -> NDArray[np.intp]:
    """Return the indices among the known names, -1 for unknown names.

    A single value gives an array without dimensions.
    """
    place = {name: i for i, name in enumerate(known)}
    if are_many(values):
        return np.array([place.get(name_of(value), -1) for value in values], dtype=np.intp)
    return np.array(place.get(name_of(values), -1), dtype=np.intp)


def positions_in(values: Floats, n: int, noun: str) -> NDArray[np.intp]:
    """Return the values as indices among `n` names.

    Raises
    ------
    ValueError
        If a value is not an index.
    """
    indices = values.astype(np.intp)
    if (indices != values).any() or (indices < 0).any() or (indices >= n).any():
        raise ValueError(f"games must name {noun} by their indices, 0 to {n - 1}")
    return indices


def _positions(column: Any, noun: str) -> tuple[dict[str, int], NDArray[np.intp]]:
    absent = np.flatnonzero(column.isna() | (column.astype(str).str.strip() == ""))
    if len(absent):
        raise ValueError(
            f"row {absent[0] + 1} has no {noun}{_and_more(len(absent) - 1)}: name one, or leave "
            "the row out"
        )
    names = [name_of(value) for value in column]
    known = _first_seen(names)
    return known, np.array([known[name] for name in names], dtype=np.intp)


def _predictions(
    z: ArrayLike | Mapping[Any, float], puzzles: list[str], puzzle: NDArray[np.intp]
) -> Floats:
    """Return the prediction of each puzzle."""
    if isinstance(z, Mapping):
        known = {name_of(name): float(value) for name, value in z.items()}
        for name in puzzles:
            if name not in known:
                raise ValueError(f"there is no z for the puzzle {shortened(name)}: give its own")
        predictions = np.array([known[name] for name in puzzles])
    else:
        of_games = np.asarray(z, dtype=np.float64)
        if not np.isfinite(of_games).all():
            raise ValueError(f"z must be finite, got {of_games[~np.isfinite(of_games)][0]}")
        if of_games.shape != puzzle.shape:
            raise ValueError(
                f"z must have one number for each of {len(puzzle)} games, got the shape "
                f"{of_games.shape}"
            )
        _, first = np.unique(puzzle, return_index=True)
        predictions = of_games[first]
        differs = np.flatnonzero(np.abs(of_games - predictions[puzzle]) > FARTHEST)
        if len(differs):
            i = differs[0]
            raise ValueError(
                _two_predictions(puzzles[puzzle[i]], predictions[puzzle[i]], of_games[i])
            )
    wrong = np.flatnonzero(~np.isfinite(predictions))
    if len(wrong):
        i = wrong[0]
        raise ValueError(
            f"z must be finite, got {predictions[i]} for the puzzle {shortened(puzzles[i])}"
        )
    return predictions


def _first_seen(names: Iterable[Hashable]) -> dict[Any, int]:
    return {name: i for i, name in enumerate(dict.fromkeys(names))}


def _two_predictions(puzzle: str, first: float, second: float) -> str:
    return (
        f"z of the puzzle {shortened(puzzle)} is {first:.6g} and {second:.6g}: a puzzle has one "
        "prediction; use the same model for all games"
    )


def _and_more(n: int) -> str:
    return f" (and {n} more)" if n else ""


FORMAT = "nando person model 1"

FOUR_IN_FIVE = 1.2816
"""Standard deviations on either side of the mean of a normal distribution."""

_DECIMALS = 6
"""Decimals of a game's weight, in the model and in its file."""


class PersonModel(Estimator, ModelFile):
    """Solving times of single players.

    Parameters
    ----------
    dof : float
        Degrees of freedom of the noise of log times, a Student t. Fewer degrees give outliers
        less weight.
    variances : Variances or None
        Spread of puzzles, speeds, slopes and noise; None estimates it from the games. Those of a
        large crowd (``variances_`` of its model) suit a few games of a single player.
    line_spread : tuple of float, or None
        The prior of the typical player: standard deviations of the level and the slope of their
        log times about the predictions, which are log seconds. None leaves the level to the games.

    Attributes
    ----------
    variances_ : Variances
    line_ : tuple of float
        Log seconds of the typical player at the mean prediction, and their slope on it.
    z_mean_ : float
        Mean prediction of the fitted games.
    provenance_ : dict
        Description of the data in a model file; its ``name`` begins the `model_id`.

    Notes
    -----
    With the prediction `z` of a puzzle, a log time is ``a + b (z - mean z) + u - speed + slope
    (z - mean z) + noise``. `u` is the effect of the puzzle; `speed` and `slope` belong to the
    player. Each is drawn from a normal distribution whose variance is estimated, so a player with
    one game is estimated close to the typical player.

    The reference is the model ``log t = b + a theta + e`` of Pelánek and Jarušek, Student modeling
    based on problem solving times, Int. J. Artif. Intell. Educ. 25:493-519, 2015,
    doi:10.1007/s40593-015-0048-x. There the slope belongs to the puzzle, and a puzzle that nobody
    has solved has no prediction.

    The model ignores practice and fatigue, so leave out old games.

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

    file_format = FORMAT
    file_kind = "a file of a person model"
    variances_: crossed.Variances
    line_: tuple[float, float]
    z_mean_: float

    def __init__(
        self,
        *,
        dof: float = 5.0,
        variances: crossed.Variances | None = None,
        line_spread: tuple[float, float] | None = None,
    ) -> None:
        self.dof = dof
        self.variances = variances
        self.line_spread = line_spread

    # ---------------------------------------------------------------- fitting

    def fit(self, rows: Any, z: ArrayLike | Mapping[Any, float]) -> Self:
        """Estimate players, puzzles and the spread of both.

        Parameters
        ----------
        rows : DataFrame, or what makes one
            A row for each game, with the columns ``puzzle``, ``player`` and ``seconds``. Puzzles
            are identified by their text. To treat equivalent puzzles as the same, pass their
            ``equivalence_key()`` instead.
        z : array-like of float, shape (n_games,), or mapping
            Predicted log difficulty of each game's puzzle, for example the log of
            ``Rater.predict``; or the prediction by puzzle. If predictions of one puzzle
            differ by less than 0.1, the noise of their draws, the first is used.

        Raises
        ------
        ValueError
            For missing columns or players, times that are not above 0 and finite, predictions that
            are not finite or differ by more for one puzzle, or if every player has one game and
            there is no `line_spread`.
        """
        self._check_settings()
        log = read_player_games(rows, z)
        if self.line_spread is None:
            log.check_repeats()
        z_mean = float(np.mean(log.z[log.puzzle]))
        if self.variances is None:
            games = self._numbers(log, z_mean)
            variances, weight = crossed.estimate(games, self.dof)
        else:
            variances = crossed.Variances(*map(float, self.variances))
            weight = np.ones(len(log.seconds))
        self._settle(log, weight, variances, z_mean)
        self.provenance_ = {"name": "persons"}
        return self

    def update(self, rows: Any, z: ArrayLike | Mapping[Any, float] | None = None) -> Self:
        """Add new games to the fitted model.

        The spread (`variances_`) is not changed; only the weights of the games are iterated. The
        result equals a fit to all games with these variances, whatever the order and the size of
        the updates.

        Parameters
        ----------
        rows : DataFrame, or what makes one
            As in :meth:`fit`; players and puzzles may be new.
        z : array-like of float, shape (n_games,), mapping, or None
            As in :meth:`fit`; None if every puzzle is known.

        Raises
        ------
        ValueError
            As :meth:`fit`, and for a new puzzle without its prediction. The model is unchanged.
        """
        self.check_fitted()
        known = dict(zip(self._log.puzzles, self._log.z.tolist(), strict=True))
        added = read_player_games(rows, known if z is None else z)
        log = self._log.join(added)
        weight = np.concatenate([self._weight, np.ones(len(added.seconds))])
        self._settle(log, weight, self.variances_, self.z_mean_)
        return self

    def _settle(
        self, log: PlayerGames, weight: Floats, variances: crossed.Variances, z_mean: float
    ) -> None:
        """Compute the weights of the games and fit all effects to them."""
        games = self._numbers(log, z_mean)
        # Rounded like the numbers in the file, so that the file gives the same model.
        weight = np.round(crossed.game_weights(games, weight, variances, self.dof), _DECIMALS)
        weight = np.maximum(weight, 10.0**-_DECIMALS)
        self._condition(log, weight, variances, z_mean)

    def _condition(
        self, log: PlayerGames, weight: Floats, variances: crossed.Variances, z_mean: float
    ) -> None:
        self._posterior = crossed.Posterior(self._numbers(log, z_mean), weight, variances)
        self._log, self._weight = log, weight
        self.variances_, self.z_mean_ = variances, z_mean
        a, b = self._posterior.mean[: crossed.N_FIXED].tolist()
        self.line_ = (a, b)

    def _numbers(self, log: PlayerGames, z_mean: float) -> crossed.Games:
        """Return the games as arrays for the estimation."""
        line = crossed.UNKNOWN
        if self.line_spread is not None:
            line = crossed.Line(z_mean, *(spread**-2.0 for spread in self.line_spread))
        x, y = log.z[log.puzzle] - z_mean, np.log(log.seconds)
        return crossed.Games(log.player, log.puzzle, x, y, len(log.players), len(log.puzzles), line)

    def _check_settings(self) -> None:
        crossed.check_dof(self.dof)
        if self.line_spread is not None:
            above_zero(np.array(self.line_spread), "line_spread", 2)
        if self.variances is not None:
            above_zero(np.array(self.variances), "variances", len(crossed.Variances._fields))

    # ---------------------------------------------------------------- predicting

    def predict(
        self, player: Any, z: ArrayLike, puzzle: Any = None, *, strict: bool = False
    ) -> Floats:
        """Predict the median seconds.

        Parameters
        ----------
        player : hashable, or sequence of them
            An unknown player is treated as the typical player.
        z : float, or array-like of float
            Predicted log difficulty of the puzzles.
        puzzle : Puzzle, str, or sequence of them, or None
            Puzzles of the fitted games; an unknown puzzle has no effect of its own.
        strict : bool
            Raise an error for unknown players.

        Returns
        -------
        float or ndarray of float64
            In the common shape of the arguments.

        Raises
        ------
        ValueError
            For predictions that are not finite, arguments of different lengths, and, if
            `strict`, an unknown player.
        """
        mean, _ = self.log_seconds(player, z, puzzle, strict=strict)
        return np.exp(mean)

    def predict_interval(
        self,
        player: Any,
        z: ArrayLike,
        coverage: float = 0.8,
        puzzle: Any = None,
        *,
        strict: bool = False,
    ) -> Floats:
        """Return the interval of seconds that should contain a share `coverage` of such games.

        Parameters
        ----------
        player, z, puzzle, strict
            As in :meth:`predict`.
        coverage : float
            Between 0 and 1.

        Returns
        -------
        ndarray of float64, shape (..., 2)

        Raises
        ------
        ValueError
            As :meth:`predict`, and for a coverage that is not between 0 and 1.

        Notes
        -----
        The interval covers the uncertainty of the player, the puzzle and the line, and the noise
        of a game. For an unknown player it covers the spread of all players. The variances are
        treated as exact.
        """
        if not 0.0 < coverage < 1.0:
            raise ValueError(f"coverage must be between 0 and 1, got {coverage!r}")
        mean, variance = self.log_seconds(player, z, puzzle, strict=strict)
        reach = crossed.half_width(variance, self.variances_.noise, self.dof, coverage)
        return np.exp(np.stack([mean - reach, mean + reach], axis=-1))

    def players(self) -> Any:
        """Return the estimates of the players.

        Returns
        -------
        DataFrame
            A row for each player: player, games, speed (log: 0 is typical, 0.1 is 10 % less time),
            speed_sd, slope (0.1 takes 10 % longer, against the typical player, for each unit of
            `z` above the mean), slope_sd.
        """
        import pandas as pd

        self.check_fitted()
        n = len(self._log.players)
        own = slice(crossed.N_FIXED, crossed.N_FIXED + 2 * n)
        mean, sd = self._posterior.mean[own], np.sqrt(self._posterior.variances()[own])
        return pd.DataFrame(
            {
                "player": list(self._log.players),
                "games": np.bincount(self._log.player, minlength=n),
                "speed": mean[::2],
                "speed_sd": sd[::2],
                "slope": mean[1::2],
                "slope_sd": sd[1::2],
            }
        )

    def puzzles(self) -> Any:
        """Return the estimates of the puzzles.

        Returns
        -------
        DataFrame
            A row for each puzzle: puzzle, games, z, log_seconds of the typical player, and
            log_seconds_sd, their standard deviation.
        """
        import pandas as pd

        self.check_fitted()
        n = len(self._log.puzzles)
        rows = crossed.design(
            np.full(n, -1), np.arange(n), self._log.z - self.z_mean_, len(self._log.players), n
        )
        return pd.DataFrame(
            {
                "puzzle": list(self._log.puzzles),
                "games": np.bincount(self._log.puzzle, minlength=n),
                "z": self._log.z,
                "log_seconds": rows @ self._posterior.mean,
                "log_seconds_sd": np.sqrt(self._posterior.variance(rows)),
            }
        )

    def n_games(self, player: Any) -> int:
        """Return the number of games of a player; 0 for an unknown player."""
        self.check_fitted()
        (place,) = places([player], self._log.players)
        return int(np.count_nonzero(self._log.player == place))

    def log_seconds(
        self, player: Any, z: ArrayLike, puzzle: Any = None, *, strict: bool = False
    ) -> tuple[Floats, Floats]:
        """Return the mean and variance of log seconds without the noise of a game.

        The parameters and errors are those of :meth:`predict`.
        """
        self.check_fitted()
        if strict:
            for name in map(name_of, player if are_many(player) else [player]):
                if name not in self._log.players:
                    raise ValueError(
                        f"unknown player {name!r}: add their games with update, or predict "
                        "for the typical player with strict=False"
                    )
        value = np.asarray(z, dtype=np.float64)
        if not np.isfinite(value).all():
            raise ValueError("z must be finite")
        by, on = places(player, self._log.players), places(puzzle, self._log.puzzles)
        try:
            by, on, value = np.broadcast_arrays(by, on, value)
        except ValueError:
            raise ValueError(
                f"player, puzzle and z have the shapes {by.shape}, {on.shape} and {value.shape}, "
                "which do not fit together"
            ) from None
        shape, by, on = value.shape, by.ravel(), on.ravel()
        x = value.ravel() - self.z_mean_
        rows = crossed.design(by, on, x, len(self._log.players), len(self._log.puzzles))
        spread = self.variances_
        variance = self._posterior.variance(rows)
        variance += np.where(on < 0, spread.puzzle, 0.0)
        variance += np.where(by < 0, spread.speed + spread.slope * x**2, 0.0)
        return (rows @ self._posterior.mean).reshape(shape), variance.reshape(shape)

    # ---------------------------------------------------------------- the model as a file

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model of a record, without its provenance."""
        dof = crossed.check_dof(record["dof"])
        spread = (float(above_zero(record["variances"][n], n)) for n in crossed.Variances._fields)
        log, weight = PlayerGames.of_record(record)
        z_mean = float(numbers(record["z_mean"], "z_mean"))
        line = record.get("line_spread")
        model = cls(dof=dof, line_spread=None if line is None else (float(line[0]), float(line[1])))
        model._check_settings()
        model._condition(log, weight, crossed.Variances(*spread), z_mean)
        return model

    def record(self) -> dict[str, Any]:
        """Return everything that moves a prediction: the settings and the games."""
        line = {} if self.line_spread is None else {"line_spread": list(self.line_spread)}
        return {
            "dof": self.dof,
            **line,
            "variances": self.variances_._asdict(),
            "z_mean": self.z_mean_,
            **self._log.record(self._weight),
        }
