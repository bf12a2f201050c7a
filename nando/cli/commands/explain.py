"""The command `explain`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nando.cli.lessons import check_output, write_lesson
from nando.cli.output import Columns, Destination, Format, Layout
from nando.cli.pictures import PICTURES, ShowOptions, draw
from nando.cli.progress import STEPS, announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.stream import run
from nando.cli.table import Shown, fitted, painted, takes_colour
from nando.cli.walks import Part, Way, WayOptions, reported

if TYPE_CHECKING:
    from nando.drawing.figures import Figure
    from nando.names import Language
    from nando.puzzles import Puzzle
    from nando.solvers.logic import Listing, Walkthrough

_GRID_FILES = (".txt", ".sdk", ".sdx", ".sdm", ".csv", ".json")
"""Suffixes that show an argument to be a file; letters alone may be cells of a grid."""


@dataclass(frozen=True)
class LessonOptions:
    """The puzzles of a worksheet on one technique."""

    lesson: str | None = None
    count: int = 6
    seed: int = 0


_WAY, _LESSON, _SHOW = WayOptions(), LessonOptions(), ShowOptions()


def explain(
    puzzles: list[str] | None = None,
    output: Path | None = None,
    form: Format | None = None,
    hint: int | None = None,
    step: int | None = None,
    explained: WayOptions = _WAY,
    worksheet: LessonOptions = _LESSON,
    look: ShowOptions = _SHOW,
    kind: str | None = None,
) -> int:
    """Explain how a person solves a puzzle: each step with its reason, in words or pictures."""
    if worksheet.lesson is not None:
        check_output(output)
    look.check(output, form)
    explained.check()
    standing = None if explained.standing is None else _text(explained.standing)
    if worksheet.lesson is not None:
        return _lesson(puzzles, output, explained, worksheet, look)
    files = PuzzleFiles(puzzles, kind, examine=lambda entry: way.faults(entry))
    way = explained.way(files.kind, standing)
    part = Part(step, hint)
    destination = Destination(output, form, others=PICTURES)
    if form is None and destination.suffix in PICTURES:
        assert output is not None
        return draw(files, output, part, way, look)
    if destination.form != "table" and hint is not None:
        raise ValueError(
            f"--hint is for text output: leave it out, or leave out --format {destination.form}"
        )
    rows = _Rows(files, part, way, destination, look.figure)
    tasks = (*STEPS, "every", "nested") if explained.every else STEPS
    status = run(files, rows.work, rows.layout(), destination, compiles=tasks)
    return reported(rows.beyond, part, files) or status


def _lesson(
    puzzles: list[str] | None,
    output: Path | None,
    explained: WayOptions,
    worksheet: LessonOptions,
    look: ShowOptions,
) -> int:
    """Write a worksheet on a technique, and return the exit status."""
    assert worksheet.lesson is not None
    from nando.api.lessons import lessons

    files = PuzzleFiles(puzzles, "sudoku") if puzzles else None
    bank = None if files is None else _good_puzzles(files)
    announce_compiling(*STEPS)
    with progress("found:", to_file=True, total=worksheet.count) as advance:
        examples = lessons(
            worksheet.lesson,
            bank,
            count=worksheet.count,
            seed=worksheet.seed,
            order=explained.order,
            style=explained.style,
            language=cast("Language", explained.language),
            advance=advance,
        )
    write_lesson(examples, output, look.figure, explained.language)
    return files.report() if files else 0


def _good_puzzles(files: PuzzleFiles) -> "Iterator[Puzzle]":
    return (read.puzzle for chunk in files.chunks() for read in chunk if read.error is None)


class _Rows:
    """The rows of explained puzzles, in the form that the destination takes.

    Attributes
    ----------
    beyond : list of str
        A message for each puzzle without the requested step.
    """

    def __init__(
        self,
        files: PuzzleFiles,
        part: Part,
        way: Way,
        destination: Destination,
        figure: "Figure",
    ) -> None:
        self.beyond: list[str] = []
        self._figure = figure
        self._files = files
        self._part = part
        self._way = way
        self._form = destination.form
        self._to_terminal = destination.file is None
        self._coloured = self._to_terminal and takes_colour(sys.stdout)
        self._n_shown = 0

    def work(self, good: list[Read], _first_index: int) -> list[dict[str, Any]]:
        """Return the rows of a chunk."""
        return [self._row(read) for read in good]

    def _row(self, read: Read) -> dict[str, Any]:
        walk = self._way.of(read)
        row: dict[str, Any] = {**walk.to_dict(), "steps": len(walk.steps)}
        is_beyond = self._part.is_beyond(walk)
        if is_beyond:
            self.beyond.append(f"{self._files.place_in_words(read)}: {self._part.instead(walk)}")
        if self._form in ("json", "jsonl"):
            row["steps"] = [taken.to_dict() for taken in self._part.of(walk)]
        elif self._form != "table":
            steps = (taken.step for taken in walk.steps)
            hardest = max(steps, key=lambda step: step.rating, default=None)
            row["hardest_technique"] = None if hardest is None else hardest.technique.name
        elif is_beyond:
            row["error"] = self._part.instead(walk)
        else:
            row["shown"] = ("\n\n" if self._n_shown else "") + self._shown(walk)
            self._n_shown += 1
        return row

    def _shown(self, walk: "Walkthrough | Listing") -> str:
        """Return the text of a walk as a terminal or a file shows it."""
        text = self._figure.text(self._part.text(walk), walk.puzzle.shape[0])
        if self._to_terminal:
            text = fitted(text, sys.stdout)
        return _painted(text, walk) if self._coloured else text

    def layout(self) -> Layout:
        """Return the columns of the rows."""
        from nando.solvers.logic import scale_of

        rating, options = scale_of(self._files.kind).column, self._way.options
        as_json = self._form in ("json", "jsonl")
        steps: Columns = {"steps": list} if as_json else {"hardest_technique": str, "steps": int}
        whole: Columns = (
            {"blanks": int, "complete": bool} if options.every else {rating: float, "solved": bool}
        )
        if self._way.order is not None and not options.every:
            whole = {**whole, "order": str, "score": float, "steps_without_score": int}
        if options.shortest or (as_json and not options.every):
            whole = {**whole, "left_out": int}
        columns: Columns = {"line": int, "puzzle": str, **whole, **steps, "error": str, "file": str}
        return Layout(columns, [Shown("", 0, "shown")])


def _painted(text: str, walk: "Walkthrough | Listing") -> str:
    """Return the text of a walk with the names of its steps in colour.

    Steps that fill and steps that remove candidates have different colours. The first line of a
    step begins with its number and its name.
    """
    from nando.solvers.logic import opens_paragraph

    by_number = {taken.number: taken for taken in walk.steps}
    lines = []
    for line in text.split("\n"):
        head, dot, rest = line.partition(". ")
        # A continuation line of a step begins with more spaces.
        is_item = dot and head.strip().isdigit() and not line.startswith("   ")
        if is_item and int(head) in by_number:
            taken = by_number[int(head)]
            name, rest = rest[: len(taken.name)], rest[len(taken.name) :]
            role = "removes" if opens_paragraph(taken.step) else "fills"
            line = f"{painted(head + '.', 'number')} {painted(name, role)}{rest}"
        lines.append(line)
    return "\n".join(lines)


def _text(argument: str) -> str:
    """Return the text of the file named by `argument`, or else `argument`, which is a grid."""
    from nando.puzzles.files import read_text

    path = Path(argument[:255])
    if "\n" not in argument and path.is_file():
        return read_text(path)
    if "\n" not in argument and argument and path.is_dir():
        raise IsADirectoryError(21, "Is a directory; --from takes a grid or a file", argument)
    if path.suffix.lower() in _GRID_FILES:
        raise FileNotFoundError(2, "No such file; --from takes a grid or a file", argument)
    return argument
