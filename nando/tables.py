"""Tables that are shipped as TOML or CSV files next to the code that reads them."""

import csv
import tomllib
from importlib.resources import files
from typing import Any


def load_table(package: str, name: str) -> dict[str, Any]:
    """Return the table in a TOML file of a package of nando.

    Examples
    --------
    >>> load_table("nando.datasets", "data_sets.toml")["cloud_sudoku"]["licence"]
    'CC0-1.0'
    """
    return tomllib.loads(_text(package, name))


def load_rows(package: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file of a package of nando, by the names of their columns.

    Examples
    --------
    >>> load_rows("nando.solvers.logic", "ladders/sudoku.csv")[0]["name"]
    'full house'
    """
    return list(csv.DictReader(_text(package, name).splitlines()))


def _text(package: str, name: str) -> str:
    return (files(package) / name).read_text(encoding="utf-8")
