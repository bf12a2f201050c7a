"""The command `convert`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from nando.cli.progress import progress
from nando.cli.reading import PuzzleFiles
from nando.names import PictureFormat, WriteFormat

if TYPE_CHECKING:
    from nando.puzzles import Puzzle
    from nando.puzzles.formats.base import Format


def convert(
    files: list[str] | None = None,
    output: Path | None = None,
    to: str | None = None,
    kind: str | None = None,
) -> int:
    """Convert puzzles to links or files of other programs."""
    from nando.puzzles import write_puzzles
    from nando.puzzles.formats.registry import FORMATS, find_format, format_of_file

    to_file = output is not None and str(output) != "-"
    picture = to or (output.suffix.lower()[1:] if output is not None else "")
    if picture in get_args(PictureFormat):
        puzzles = PuzzleFiles(files, kind, check=False)
        return _draw(puzzles, output if to_file else None, cast(PictureFormat, picture))
    if to is not None:
        chosen = find_format(to)
    else:
        chosen = format_of_file(output or "-")
        name = "" if output is None else output.name.lower().removesuffix(".gz")
        suffix = Path(name).suffix
        if to_file and suffix and suffix not in chosen.suffixes:
            known = sorted({end for format in FORMATS if format.write for end in format.suffixes})
            raise ValueError(
                f"{output}: unknown suffix; known: {', '.join(known)}, or give --to FORMAT"
            )
    puzzles = PuzzleFiles(files, kind, check=False)
    with progress("converted:", to_file=to_file, total=puzzles.expected) as advance:

        def advanced() -> Iterator["Puzzle"]:
            for puzzle in _held(puzzles, chosen):
                advance(1)
                yield puzzle

        target = output if output is not None and to_file else sys.stdout
        write_puzzles(advanced(), target, format=cast(WriteFormat, chosen.name))
    return puzzles.report()


def _draw(puzzles: PuzzleFiles, output: Path | None, form: PictureFormat) -> int:
    """Draw each puzzle into a file, or a single puzzle to standard output."""
    from nando.notebook import draw

    read = [each for chunk in puzzles.chunks() for each in chunk if each.error is None]
    name = "" if output is None else output.name
    if len(read) > 1 and _EACH not in name:
        raise ValueError(
            f"a picture shows one puzzle, got {len(read)}: put {_EACH} into the name of the file, "
            f"for example -o board-{_EACH}.{form}"
        )
    for number, each in enumerate(read, 1):
        if output is None:
            draw(each.puzzle, sys.stdout.buffer, form)
        else:
            written = name.replace(_EACH, f"{number:0{len(str(len(read)))}}")
            draw(each.puzzle, output.with_name(written), form)
    return puzzles.report()


_EACH = "{n}"
"""Stands for the number of a puzzle in the name of a picture."""


def _held(puzzles: PuzzleFiles, format: "Format") -> Iterator["Puzzle"]:
    """Yield the puzzles that a format can hold; record an error for the others."""
    for chunk in puzzles.chunks():
        for i, read in enumerate(chunk):
            if read.error is not None:
                continue
            try:
                if format.write is not None:
                    format.write(read.puzzle)
            except ValueError as error:
                chunk[i] = read._replace(error=str(error))
                continue
            yield read.puzzle
