"""The model that a function uses: the shipped one, one from a file, or the caller's."""

from functools import cache
from pathlib import Path
from typing import Literal, overload

from nando import rating as _rating
from nando.rating import DifficultyRater
from nando.rating.base import Rater


@overload
def load_model(
    path: None = None, kind: Literal["sudoku"] | None = None, *, crowd: str | None = None
) -> DifficultyRater: ...


@overload
def load_model(
    path: str | Path | None = None,
    kind: str | None = None,
    *,
    crowd: str | None = None,
    player: str | None = None,
    history: str | Path | None = None,
) -> Rater: ...


def load_model(
    path: str | Path | None = None,
    kind: str | None = None,
    *,
    crowd: str | None = None,
    player: str | None = None,
    history: str | Path | None = None,
) -> Rater:
    """Load a model from a file, or one that is shipped with nando.

    A shipped model is loaded once: treat it as read-only. To fit one, start from
    ``sklearn.base.clone(model)``.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped model for the kind.
    kind : str or None
        Kind of puzzle that the model should rate. None takes the Sudoku model, or whatever the
        file holds.
    crowd : str or None
        The crowd whose times it should predict; None takes the typical one.
    player : str or None
        The player whose times it should predict; None takes the only one of the history.
    history : str, Path or None
        The player's earlier games, as :func:`nando.games.rater_for_player` reads them.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file holds no model, or one for another kind, or the history has no game with a time
        of the player.
    """
    if path is not None:
        model = _rating.load_model(path, kind, crowd=crowd)
    else:
        model = _shipped(kind or "sudoku", crowd)
    return for_person(model, player, history, crowd)


@cache
def _shipped(kind: str, crowd: str | None) -> Rater:
    return _rating.load_model(None, kind, crowd=crowd)


def chosen_model(
    model: Rater | str | Path | None,
    kind: str,
    crowd: str | None = None,
    player: str | None = None,
    history: str | Path | None = None,
) -> Rater:
    """Return the model to use, adjusted to a crowd, or to the player of a history, if given."""
    if not isinstance(model, Rater):
        if not isinstance(model, str | Path | None):
            allowed = "a model, the path of its file, or None"
            raise TypeError(f"model must be {allowed}, got {type(model).__name__}")
        return load_model(model, kind, crowd=crowd, player=player, history=history)
    if crowd is not None:
        if not isinstance(model, DifficultyRater):
            raise ValueError(f"the model {model.model_id} knows no crowds; leave out {crowd!r}")
        model = model.for_crowd(crowd)
    return for_person(model, player, history, crowd)


def for_person(
    model: Rater, player: str | None, history: str | Path | None, crowd: str | None = None
) -> Rater:
    """Return the model adjusted to the player of a history, or the model itself without one."""
    if history is None:
        if player is not None:
            raise ValueError(f"nothing is known of {player!r}: give the history of earlier games")
        return model
    if crowd is not None:
        raise ValueError("a crowd and a player contradict each other: give one of them")
    from nando.games.persons import rater_for_player

    return rater_for_player(model, history, player)
