"""Tables that are shipped as TOML files next to the code that reads them."""

import tomllib
from importlib.resources import files
from typing import Any


def shipped_table(package: str, name: str) -> dict[str, Any]:
    """Return the table in a TOML file of a package of nando.

    Examples
    --------
    >>> shipped_table("nando.datasets", "data_sets.toml")["cloud_sudoku"]["licence"]
    'CC0-1.0'
    """
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
