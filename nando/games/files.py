"""Models of games as files: readable JSON, named after their contents."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nando.games.kinds import KINDS
from nando.puzzles import Sudoku
from nando.rating.records import parsed

FORMAT = "nando fill order 2"

_WHAT = "a model of fill orders"
_INNERMOST = re.compile(r"[\[{][^\[\]{}]*[\]}]")


def read_record(text: str) -> dict[str, Any]:
    """Contents of the text of a file of fill orders; ValueError where it is none."""
    return parsed(text, FORMAT, _WHAT)


def identity(record: Mapping[str, Any], provenance: Mapping[str, Any]) -> str:
    """Name of the data and a hash of everything that moves a result."""
    text = json.dumps(record, sort_keys=True)
    name = provenance.get("name", "model")
    return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def written(record: Mapping[str, Any], path: str | Path | None) -> str:
    """A record as readable JSON, the innermost lists in a line; also written to `path`."""
    text = _INNERMOST.sub(
        lambda found: " ".join(found[0].split()), json.dumps(record, indent=1) + "\n"
    )
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def file_of(path: str | Path | None = None, kind: str = Sudoku.kind) -> Path:
    """The file of a model of fill orders: the one named, or the one shipped with nando.

    Raises
    ------
    ValueError
        Where none is shipped for a kind of puzzle.
    """
    if path is not None:
        return Path(path)
    if kind not in KINDS:
        raise ValueError(f"no model of fill orders is shipped for {kind!r} puzzles")
    return Path(__file__).parent / "models" / KINDS[kind].model
