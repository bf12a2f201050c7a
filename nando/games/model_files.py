"""The files of models of fill orders: their format, and those that are shipped with nando."""

from pathlib import Path
from typing import Any

from nando.games.kinds import KINDS
from nando.puzzles import Sudoku
from nando.rating.records import SHIPPED_MODELS, parsed

FORMAT = "nando fill order 2"


def read_record(text: str) -> dict[str, Any]:
    """Return the record in the text of a file of fill orders; ValueError if there is none."""
    return parsed(text, FORMAT, "a model of fill orders")


def file_of(path: str | Path | None = None, kind: str = Sudoku.kind) -> Path:
    """Return the file of a model of fill orders: `path`, or the file shipped with nando.

    Raises
    ------
    ValueError
        If no model is shipped for a kind of puzzle.
    """
    if path is not None:
        return Path(path)
    model = KINDS[kind].model if kind in KINDS else None
    if model is None:
        raise ValueError(f"no model of fill orders is shipped for {kind!r} puzzles")
    return SHIPPED_MODELS / model
