"""The model that a function uses: the shipped one, one from a file, or the caller's."""

from functools import cache
from pathlib import Path

from nando import rating as _rating
from nando.rating import DifficultyRater
from nando.rating.base import Rater


def load_model(
    path: str | Path | None = None, kind: str | None = None, *, crowd: str | None = None
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

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file holds no model, or one for another kind.
    """
    if path is not None:
        return _rating.load_model(path, kind, crowd=crowd)
    return _shipped(kind or "sudoku", crowd)


@cache
def _shipped(kind: str, crowd: str | None) -> Rater:
    return _rating.load_model(None, kind, crowd=crowd)


def chosen_model(model: Rater | str | Path | None, kind: str, crowd: str | None = None) -> Rater:
    """Return the model to use, adjusted to `crowd` if one is named."""
    if not isinstance(model, Rater):
        if not isinstance(model, str | Path | None):
            allowed = "a model, the path of its file, or None"
            raise TypeError(f"model must be {allowed}, got {type(model).__name__}")
        return load_model(model, kind, crowd=crowd)
    if crowd is None:
        return model
    if not isinstance(model, DifficultyRater):
        raise ValueError(f"the model {model.model_id} knows no crowds; leave out {crowd!r}")
    return model.for_crowd(crowd)
