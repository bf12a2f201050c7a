"""The command `canonical`."""

from pathlib import Path
from typing import Any

from nando.cli.output import Destination, Format
from nando.cli.pipeline import run
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown
from nando.cli.writers import Layout

_LAYOUT = Layout(
    {"line": int, "puzzle": str, "canonical": str, "error": str, "file": str},
    [Shown("", 0, "canonical")],
)


def canonical(
    files: list[str] | None = None,
    output: Path | None = None,
    form: Format | None = None,
    kind: str | None = None,
) -> int:
    """Print the canonical form of puzzles, which all equivalent puzzles share.

    For 16x16 and 25x25 Sudokus, print a hash that all equivalent puzzles share.
    """

    def work(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        del first_index
        return [{"canonical": read.puzzle.equivalence_key()} for read in good]

    return run(PuzzleFiles(files, kind, check=False), work, _LAYOUT, Destination(output, form))
