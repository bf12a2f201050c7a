"""The command `features`."""

from typing import Annotated, Any

import typer

from nando.cli.options import Files, Form, Jobs, Kind, Output, Runs, Seed
from nando.cli.output import Destination
from nando.cli.pipeline import run
from nando.cli.progress import RATING
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown
from nando.cli.writers import Layout


def features(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    groups: Annotated[
        str | None, typer.Option(metavar="NAME,NAME", help="Feature groups to compute.")
    ] = None,
    runs: Runs = None,
    jobs: Jobs = None,
    seed: Seed = None,
    kind: Kind = None,
) -> int:
    """Compute features of puzzles."""
    from nando.features import FeatureExtractor, default_groups
    from nando.rating.rating import plain

    puzzles = PuzzleFiles(files, kind)
    wanted = [name.strip() for name in groups.split(",")] if groups else None
    extractor = FeatureExtractor(
        wanted or default_groups(puzzles.kind), runs=runs, random_state=seed or 0, n_jobs=jobs
    )
    extractor.checked()
    names = extractor.columns

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        table = extractor.table([read.puzzle for read in good], first_index=first_index)
        return [
            {name: plain(value) for name, value in zip(names, row, strict=True)} for row in table
        ]

    return run(puzzles, work, _layout(names), Destination(output, form), compiles=RATING)


def _layout(names: list[str]) -> Layout:
    return Layout(
        {
            "line": int,
            "puzzle": str,
            **dict.fromkeys(names, float),
            "error": str,
            "file": str,
        },
        [Shown("line", 6, "place"), *(Shown(name, max(len(name), 10), name) for name in names)],
    )
