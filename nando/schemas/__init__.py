"""JSON schemas of what commands write, of the dialect 2020-12.

Each has the name of the command or file that it describes, and follows from a class.
"""

import json
from pathlib import Path
from typing import Any

from nando.schemas import files, rows, steps
from nando.schemas.schema import NAMED, named_schema

__all__ = ["SCHEMAS", "load_schema"]

del files, rows, steps  # which name their schemas
_FOLDER = Path(__file__).parent

SCHEMAS = tuple(sorted([*NAMED, *(path.stem for path in _FOLDER.glob("*.json"))]))
"""Names of the schemas, each that of a command or of a file."""


def load_schema(name: str) -> dict[str, Any]:
    """Return the JSON schema of a command's output, or of a file.

    That of a command describes one object: a line of the output on a pipe or in a ``.jsonl`` file,
    or an item of the list in a ``.json`` file. That of a model, manifest or other file describes
    the whole file.

    Parameters
    ----------
    name : str
        One of :data:`SCHEMAS`, for example ``"rate"``.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.

    Examples
    --------
    >>> load_schema("rate")["properties"]["line"]["type"]
    'integer'
    """
    if name not in SCHEMAS:
        raise ValueError(f"no schema {name!r}; known: {', '.join(SCHEMAS)}")
    if name in NAMED:
        return named_schema(name)
    schema: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return schema
