"""The command `explain`."""

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nando.checks import one_of
from nando.cli.lessons import check_output, find_lessons, write_lesson
from nando.cli.output import Destination, Format
from nando.cli.pipeline import run
from nando.cli.progress import STEPS
from nando.cli.reading import PuzzleFiles, Read
from nando.cli.table import Shown, fitted, painted, takes_colour
from nando.cli.walks import PICTURES, Part, Show, Way, draw, reported
from nando.cli.writers import Columns, Layout

if TYPE_CHECKING:
    from nando.drawing.figures import Figure
    from nando.puzzles import Puzzle
    from nando.solvers.logic import Listing, Walkthrough

_GRID_FILES = (".txt", ".sdk", ".sdx", ".sdm", ".csv", ".json")
"""Suffixes that show an argument to be a file; letters alone may be cells of a grid."""


class CellNames(StrEnum):
    """How cells are named."""

    NUMBERS = "r1c1"
    LETTERS = "A1"


class Theme(StrEnum):
    """Colours of a picture."""

    LIGHT = "light"
    DARK = "dark"


class Style(StrEnum):
    """The program whose names of techniques are used."""

    NANDO = "nando"
    SE = "se"
    HODOKU = "hodoku"
    SUDOKUWIKI = "sudokuwiki"


def explain(
    puzzles: list[str] | None = None,
    output: Path | None = None,
    form: Format | None = None,
    hint: int | None = None,
    step: int | None = None,
    standing: str | None = None,
    every: bool = False,
    effort: int | None = None,
    shortest: bool = False,
    only: str | None = None,
    without: str | None = None,
    order: str | None = None,
    style: Style = Style.NANDO,
    language: str = "en",
    sheet: bool = False,
    lesson: str | None = None,
    count: int = 6,
    seed: int = 0,
    fragment: bool = False,
    animate: float | None = None,
    pencil_marks: bool = True,
    coordinates: CellNames = CellNames.NUMBERS,
    title: str = "",
    captions: bool = True,
    size: str | None = None,
    dpi: float = 144,
    theme: Theme = Theme.LIGHT,
    kind: str | None = None,
) -> int:
    """Explain how a person solves a puzzle: each step with its reason, in words or pictures."""
    from nando.drawing import figures
    from nando.solvers.logic import LANGUAGES, read_order, select_techniques, standard_ladder

    if every and shortest:
        raise ValueError("--shortest is for a walk, and --all lists single steps: leave one out")
    figure = figures.Figure(pencil_marks, coordinates.value, theme.value, title, captions)
    show = Show(figure, size, dpi, animate, sheet, fragment)
    if lesson is not None:
        check_output(output)
    show.check(output, form)
    if effort is not None and not every:
        raise ValueError("--effort bounds what --all lists: add --all, or leave it out")
    one_of("--language", language, LANGUAGES)
    standing = None if standing is None else _text(standing)
    if lesson is not None:
        tried = None if order is None else read_order(order)
        way = Way(standard_ladder("sudoku"), style.value, language, False, None, False, None, tried)
        files = PuzzleFiles(puzzles, "sudoku") if puzzles else None
        bank = None if files is None else _good_puzzles(files)
        write_lesson(find_lessons(lesson, bank, count, seed, way), output, figure, language)
        return files.report() if files else 0
    files = PuzzleFiles(puzzles, kind, examine=lambda entry: way.faults(entry))
    part = Part(step, hint)
    if order is not None and files.kind != "sudoku":
        raise ValueError(f"--order is for Sudoku, not for {files.kind}: leave it out")
    tried = None if order is None else read_order(order)
    whole = standard_ladder(files.kind) if tried is None else tried.ladder
    ladder = select_techniques(whole, only=_names(only), without=_names(without) or ())
    way = Way(ladder, style.value, language, every, effort, shortest, standing, tried)
    destination = Destination(output, form, others=PICTURES)
    if form is None and destination.suffix in PICTURES:
        assert output is not None
        return draw(files, output, part, way, show)
    if destination.form is not Format.TABLE and hint is not None:
        raise ValueError(
            f"--hint is for text output: leave it out, or leave out --format {destination.form}"
        )
    rows = _Rows(files, part, way, destination, figure)
    status = run(files, rows.work, rows.layout(), destination, compiles=STEPS)
    return reported(rows.beyond, part, files) or status


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
            self.beyond.append(f"{self._files.told_place(read)}: {self._part.instead(walk)}")
        if self._form is Format.JSON:
            row["steps"] = [taken.to_dict() for taken in self._part.of(walk)]
        elif self._form is not Format.TABLE:
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

        rating, way, as_json = (
            scale_of(self._files.kind).column,
            self._way,
            self._form is Format.JSON,
        )
        steps: Columns = {"steps": list} if as_json else {"hardest_technique": str, "steps": int}
        whole: Columns = (
            {"blanks": int, "complete": bool} if way.every else {rating: float, "solved": bool}
        )
        if way.order is not None and not way.every:
            whole = {**whole, "order": str, "score": float, "steps_without_score": int}
        if way.shortest or (as_json and not way.every):
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
            what = "removes" if opens_paragraph(taken.step) else "fills"
            line = f"{painted(head + '.', 'number')} {painted(name, what)}{rest}"
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


def _names(text: str | None) -> list[str] | None:
    """Return the names in an option; None if the option is not given."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
