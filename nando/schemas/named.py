"""The schemas by the names of commands and files."""

from typing import Any

from nando.schemas import files, rows, steps
from nando.schemas.schema import NAMED, named_schema

__all__ = ["SCHEMAS", "load_schema"]

del files, rows, steps  # which name their schemas

SCHEMAS = tuple(sorted(NAMED))
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
    return named_schema(name)
