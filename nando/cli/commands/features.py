"""The command `features`."""

from pathlib import Path
from typing import Any

from nando.cli.options import Jobs
from nando.cli.output import Destination, Format
from nando.cli.pipeline import run
from nando.cli.progress import RATING
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown
from nando.cli.writers import Layout


def features(
    files: list[str] | None = None,
    output: Path | None = None,
    form: Format | None = None,
    groups: str | None = None,
    runs: int | None = None,
    jobs: Jobs = None,
    seed: int | None = None,
    kind: str | None = None,
) -> int:
    """Compute features of puzzles."""
    from nando.features import FeatureExtractor, default_groups
    from nando.rating.rating import plain

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
