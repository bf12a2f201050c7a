"""Games of players: read from a table, checked, and joined with others."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.arrays import Floats
from nando.puzzles.files import shortened
from nando.rating.records import above_zero, numbers

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

    def joined(self, other: Self) -> Self:
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
