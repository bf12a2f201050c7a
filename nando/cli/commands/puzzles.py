"""The commands `solve`, `canonical` and `convert`."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from nando import solvers
from nando.cli.options import Files, Form, KindOf, Output, Seed, output_option
from nando.cli.output import Destination, Layout, Shown, columns_of
from nando.cli.progress import progress
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.stream import run
from nando.names import PictureFormat, WriteFormat
from nando.records import between, setting

if TYPE_CHECKING:
    from nando.puzzles import Puzzle
    from nando.puzzles.formats.base import Format as PuzzleFormat

_SEVERAL = 2
"""Number of solutions up to which are counted, if no other is given."""
_NUMBER = re.compile("[1-9][0-9]{0,6}")


def solve(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    count: bool = setting(
        False,
        about="Only count solutions: 0, 1, or 2 for several; a number after it, such as "
        "--count 1000, counts up to it.",
    ),
    method: str = setting("exact", about="Solver, e.g. exact or refutation."),
    steps: int | None = setting(None, between(1), about="Give up a puzzle after this many steps."),
    seed: Seed = None,
    kind: KindOf = None,
) -> int:
    """Solve puzzles, one solution per line."""
    from nando.solvers.protocol import spawned

    files, most = _split_count(files) if count else (files, _SEVERAL)
    puzzles = PuzzleFiles(files, kind, check=not count)
    destination = Destination(output, form)
    limit = None if steps is None else solvers.Limit(steps=steps)

    def count_all(good: list[Read], _first_index: int) -> list[dict[str, Any]]:
        counts = [_count(read.puzzle, most, limit) for read in good]
        shown = {None: "undecided", most: f"{most}+"}
        return [{"solutions": n, "shown": shown.get(n, str(n))} for n in counts]

    def solve_all(good: list[Read], first_index: int) -> list[dict[str, Any]]:
        rows = []
        for index, read in enumerate(good, first_index):
            try:
                rng = spawned(seed or 0, index)
                solution = solvers.solve_by(read.puzzle, method, limit=limit, rng=rng)
            except solvers.UnsupportedError as error:
                raise ValueError(error) from None
            shown = solution.text or f"# line {read.entry.line}: {solution}"
            rows.append(solution.to_dict() | {"shown": shown})
        return rows

    if count:
        shown = [Shown("solutions", 9, "shown"), Shown("puzzle", 0, "puzzle")]
        columns = columns_of("solve", "solution", "outcome", "steps")
        return run(puzzles, count_all, Layout(columns, shown), destination)
    solvers.find_solver(method)  # an unknown solver is an error before anything is read
    layout = Layout(columns_of("solve", "solutions"), [Shown("", 0, "shown")])
    return run(puzzles, solve_all, layout, destination)


def _split_count(files: list[str] | None) -> tuple[list[str] | None, int]:
    """Return the files without a number among them, and this number, which follows --count."""
    numbers = [file for file in files or () if _NUMBER.fullmatch(file) and not Path(file).exists()]
    if len(numbers) > 1:
        raise ValueError(f"--count: one number is wanted, got {' and '.join(numbers)}")
    others = [file for file in files or () if file not in numbers]
    return others or None, int(numbers[0]) if numbers else _SEVERAL


def _count(puzzle: "Puzzle", most: int, limit: "solvers.Limit | None") -> int | None:
    """Return the number of solutions, at most `most`; None if the steps do not suffice."""
    result = solvers.ExactSearch(max_solutions=most).run(puzzle, limit=limit)
    return None if result.outcome is solvers.Outcome.STEP_LIMIT else result.n_solutions


def canonical(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    kind: KindOf = None,
) -> int:
    """Print the canonical form of puzzles, which all equivalent puzzles share.

    For 16x16 and 25x25 Sudokus, print a hash that all equivalent puzzles share.
    """

    def work(good: list[Read], _first_index: int) -> list[dict[str, Any]]:
        return [{"canonical": read.puzzle.equivalence_key()} for read in good]

    layout = Layout(columns_of("canonical"), [Shown("", 0, "canonical")])
    return run(PuzzleFiles(files, kind, check=False), work, layout, Destination(output, form))


def convert(
    files: Files = None,
    output: Path | None = output_option(
        "Write to this file; .gz compresses it. Pictures of several puzzles need {n} in the name."
    ),
    to: str | None = setting(
        None,
        about="Format, for example sudokupad, puzz.link, opensudoku or grid, or a picture: "
        "svg, png or pdf; default: by the suffix of the output, or one puzzle per line.",
        metavar="FORMAT",
    ),
    kind: KindOf = None,
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
    with progress("converted:", to_file=to_file, total=puzzles.estimate_total) as advance:

        def advance_over() -> Iterator["Puzzle"]:
            for puzzle in _check_writable(puzzles, chosen):
                advance(1)
                yield puzzle

        target = output if output is not None and to_file else sys.stdout
        write_puzzles(advance_over(), target, format=cast(WriteFormat, chosen.name))
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


def _check_writable(puzzles: PuzzleFiles, format: "PuzzleFormat") -> Iterator["Puzzle"]:
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
