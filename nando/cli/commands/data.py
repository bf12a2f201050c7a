"""The commands `features`, `datasets` and `schema`."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nando import schemas
from nando.cli.options import Files, Form, Jobs, KindOf, Output, Runs, Seed
from nando.cli.output import Destination, Layout, Shown, columns_of
from nando.cli.progress import RATING, progress
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.stream import run
from nando.records import setting

if TYPE_CHECKING:
    from nando.datasets.base import DataSet


def features(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    groups: str | None = setting(None, about="Feature groups to compute.", metavar="NAME,NAME"),
    runs: Runs = None,
    jobs: Jobs = None,
    seed: Seed = None,
    kind: KindOf = None,
) -> int:
    """Compute features of puzzles."""
    from nando.features import FeatureExtractor, default_groups
    from nando.rating.result import plain

    puzzles = PuzzleFiles(files, kind)
    chosen = [name.strip() for name in groups.split(",")] if groups else None
    extractor = FeatureExtractor(
        chosen or default_groups(puzzles.kind), runs=runs, random_state=seed or 0, n_jobs=jobs
    )
    extractor.checked()
    names = extractor.columns

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        table = extractor.table([read.puzzle for read in good], first_index=first_index)
        return [
            {name: plain(value) for name, value in zip(names, row, strict=True)} for row in table
        ]

    columns = {"line": int, "puzzle": str, **dict.fromkeys(names, float), "error": str, "file": str}
    shown = [Shown("line", 6, "place"), *(Shown(name, max(len(name), 10), name) for name in names)]
    return run(puzzles, work, Layout(columns, shown), Destination(output, form), compiles=RATING)


_SHOWN = (
    Shown("name", -12, "name"),
    Shown("here", -4, "here"),
    Shown("licence", -7, "licence_shown"),
    Shown("summary", 0, "summary"),
)


def datasets(
    name: str | None = typer.Argument(
        None, metavar="NAME", show_default=False, help="A data set to describe."
    ),
    fetch: bool = setting(False, about="Download it if missing."),
    output: Output = None,
    form: Form = None,
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
        Destination(output, form).write(Layout(columns_of("datasets"), _SHOWN), rows)
        return 0
    data_set, _ = DATASETS[name]
    print(data_set.description().strip())
    if data_set.files:
        print("\nLooked for in:")
        print("\n".join(f"  {folder}" for folder in data_set.folders()))
    for file in data_set.files:
        path = _fetch(data_set, file.name) if fetch else data_set.find(file.name)
        print(f"  {file.name}: {path or 'not here; fetch it with --fetch'}")
    return 0


def _fetch(data_set: "DataSet", name: str) -> Path:
    with progress(f"fetching {name}", to_file=True, unit="", stages=True):
        return data_set.path(name)


def schema(
    name: str | None = typer.Argument(
        None, metavar="NAME", show_default=False, help="A schema, e.g. rate or model."
    ),
) -> int:
    """Print the JSON schema of an output or a file; without a name, list the schemas."""
    print(
        "\n".join(schemas.SCHEMAS)
        if name is None
        else json.dumps(schemas.load_schema(name), indent=2)
    )
    return 0
