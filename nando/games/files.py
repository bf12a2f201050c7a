"""Where the files of models of games are, and how they are read."""

from pathlib import Path
from typing import Any

from nando.games.kinds import KINDS
from nando.puzzles import Sudoku
from nando.rating.records import parsed

FORMAT = "nando fill order 2"

_WHAT = "a model of fill orders"


def read_record(text: str) -> dict[str, Any]:
    """Return the record in the text of a file of fill orders; raise ValueError without one."""
    return parsed(text, FORMAT, _WHAT)


def file_of(path: str | Path | None = None, kind: str = Sudoku.kind) -> Path:
    """Return the file of a model of fill orders: the one named, or the one shipped with nando.

    Raises
    ------
    ValueError
        Where none is shipped for a kind of puzzle.
    """
    if path is not None:
        return Path(path)
    model = KINDS[kind].model if kind in KINDS else None
    if model is None:
        raise ValueError(f"no model of fill orders is shipped for {kind!r} puzzles")
    return Path(__file__).parent / "models" / model
