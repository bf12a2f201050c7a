"""The command `explain`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class WayOptions:
    """How puzzles are explained: from where, by which techniques, and in which words."""

    standing: str | None = None
    every: bool = False
    effort: int | None = None
    shortest: bool = False
    only: str | None = None
    without: str | None = None
    order: str | None = None
    style: Style = Style.NANDO
    language: str = "en"

    def check(self) -> None:
        """Raise ValueError for options that contradict each other, or an unknown language."""
        from nando.solvers.logic import LANGUAGES

        if self.every and self.shortest:
            raise ValueError(
                "--shortest is for a walk, and --all lists single steps: leave one out"
            )
        if self.effort is not None and not self.every:
            raise ValueError("--effort bounds what --all lists: add --all, or leave it out")
        one_of("--language", self.language, LANGUAGES)

    def way(self, kind: str, standing: str | None = None) -> Way:
        """Return how puzzles of a kind are explained, from the position in a text, if any.

        Raises
        ------
        OSError, ValueError
            For a file that cannot be read, an unknown technique, or an order for another kind.
        """
        from nando.solvers.logic import read_order, select_techniques, standard_ladder

        if self.order is not None and kind != "sudoku":
            raise ValueError(f"--order is for Sudoku, not for {kind}: leave it out")
        tried = None if self.order is None else read_order(self.order)
        whole = standard_ladder(kind) if tried is None else tried.ladder
        without = _names(self.without) or ()
        ladder = select_techniques(whole, only=_names(self.only), without=without)
        return Way(
            ladder,
            self.style.value,
            self.language,
            self.every,
            self.effort,
            self.shortest,
            standing,
            tried,
        )


@dataclass(frozen=True)
class LessonOptions:
    """The puzzles of a worksheet on one technique."""

    lesson: str | None = None
    count: int = 6
    seed: int = 0


@dataclass(frozen=True)
class ShowOptions:
    """The look of pictures and pages."""

    sheet: bool = False
    fragment: bool = False
    animate: float | None = None
    pencil_marks: bool = True
    coordinates: CellNames = CellNames.NUMBERS
    title: str = ""
    captions: bool = True
    size: str | None = None
    dpi: float = 144
    theme: Theme = Theme.LIGHT

    def show(self) -> Show:
        """Return how steps are shown."""
        from nando.drawing.figures import Figure

        figure = Figure(
            self.pencil_marks, self.coordinates.value, self.theme.value, self.title, self.captions
        )
        return Show(figure, self.size, self.dpi, self.animate, self.sheet, self.fragment)


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
    show = look.show()
    if worksheet.lesson is not None:
        check_output(output)
    show.check(output, form)
    explained.check()
    standing = None if explained.standing is None else _text(explained.standing)
    if worksheet.lesson is not None:
        return _lesson(puzzles, output, explained, worksheet, show)
    files = PuzzleFiles(puzzles, kind, examine=lambda entry: way.faults(entry))
    way = explained.way(files.kind, standing)
    part = Part(step, hint)
    destination = Destination(output, form, others=PICTURES)
    if form is None and destination.suffix in PICTURES:
        assert output is not None
        return draw(files, output, part, way, show)
    if destination.form is not Format.TABLE and hint is not None:
        raise ValueError(
            f"--hint is for text output: leave it out, or leave out --format {destination.form}"
        )
    rows = _Rows(files, part, way, destination, show.figure)
    tasks = (*STEPS, "every") if explained.every else STEPS
    status = run(files, rows.work, rows.layout(), destination, compiles=tasks)
    return reported(rows.beyond, part, files) or status


def _lesson(
    puzzles: list[str] | None,
    output: Path | None,
    explained: WayOptions,
    worksheet: LessonOptions,
    show: Show,
) -> int:
    """Write a worksheet on a technique, and return the exit status."""
    assert worksheet.lesson is not None
    way = WayOptions(style=explained.style, order=explained.order).way("sudoku")
    way = way._replace(language=explained.language)
    files = PuzzleFiles(puzzles, "sudoku") if puzzles else None
    bank = None if files is None else _good_puzzles(files)
    found = find_lessons(worksheet.lesson, bank, worksheet.count, worksheet.seed, way)
    write_lesson(found, output, show.figure, explained.language)
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
