"""The command `datasets`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from nando.cli.output import Destination, Format
from nando.cli.progress import progress
from nando.cli.table import Shown
from nando.cli.writers import Layout

if TYPE_CHECKING:
    from nando.datasets.base import DataSet

_LAYOUT = Layout(
    {"name": str, "here": str, "licence": str, "summary": str},
    (
        Shown("name", -12, "name"),
        Shown("here", -4, "here"),
        Shown("licence", -7, "licence_shown"),
        Shown("summary", 0, "summary"),
    ),
)


def datasets(
    name: str | None = None,
    fetch: bool = False,
    output: Path | None = None,
    form: Format | None = None,
) -> int:
    """List the data sets, describe one, or download it."""
    from nando.datasets import DATASETS

    if name is not None and name not in DATASETS:
        raise ValueError(f"unknown data set {name!r}; known: {', '.join(DATASETS)}")
    if name is None:
        rows = [
            {
                "name": data_set.name,
                "here": "yes" if data_set.is_available() else "no",
                "licence": data_set.licence,
                "licence_shown": re.split("[:,;]", data_set.licence)[0],
                "summary": data_set.summary,
            }
            for data_set, _ in DATASETS.values()
        ]
        Destination(output, form).write(_LAYOUT, rows)
        return 0
    data_set, _ = DATASETS[name]
    print(data_set.description().strip())
    if data_set.files:
        print("\nLooked for in:")
        print("\n".join(f"  {folder}" for folder in data_set.folders()))
    for file in data_set.files:
        path = _fetched(data_set, file.name) if fetch else data_set.find(file.name)
        print(f"  {file.name}: {path or 'not here; fetch it with --fetch'}")
    return 0


def _fetched(data_set: "DataSet", name: str) -> Path:
    with progress(f"fetching {name}", to_file=True, unit="", stages=True):
        return data_set.path(name)
