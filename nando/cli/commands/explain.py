"""The command `explain`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nando.checks import one_of
from nando.cli import pictures
from nando.cli.options import Files, Form, KindOf, output_option
from nando.cli.output import Columns, Destination, Layout, Shown, paint, takes_colour, wrap
from nando.cli.progress import STEPS, announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read, report_bad
from nando.cli.stream import run
from nando.names import Style
from nando.records import between, setting
from nando.solvers import logic

if TYPE_CHECKING:
    from nando.drawing.walks import Figure
    from nando.names import Language
    from nando.puzzles import Entry, Puzzle

_GRID_FILES = (".txt", ".sdk", ".sdx", ".sdm", ".csv", ".json")
"""Suffixes that show an argument to be a file; letters alone may be cells of a grid."""


@dataclass(frozen=True)
class LessonOptions:
    """The puzzles of a worksheet on one technique."""

    lesson: str | None = setting(
        None,
        about="Find puzzles in the files, or make them, in which this step is the hardest and "
        "comes once, early: a worksheet as .html .pdf or .txt.",
        metavar="NAME",
    )
    count: int = setting(6, between(1, 100), about="Number of puzzles of a --lesson.")
    seed: int = setting(0, between(0), about="With --lesson: seed of the puzzles that are made.")


@dataclass(frozen=True)
class WayOptions:
    """How puzzles are explained: from where, by which techniques, and in which words."""

    standing: str | None = setting(
        None,
        about="Start here: the digits entered so far, as a line or grid, or pencil marks.",
        named="from",
        metavar="GRID_OR_FILE",
    )
    every: bool = setting(False, about="List every step possible now, by technique.", named="all")
    effort: int | None = setting(
        None,
        between(1),
        about="With --all: maximum searches for nested chains in a puzzle; default: 100000.",
        metavar="N",
    )
    whole: bool = setting(False, about="Show steps that nothing later needs, too.")
    only: str | None = setting(
        None, about="Use only these techniques, e.g. singles,pairs.", metavar="NAME,NAME"
    )
    without: str | None = setting(
        None, about="Do without these techniques, for example x-wing,chains.", metavar="NAME,NAME"
    )
    order: str | None = setting(
        None,
        about="Try techniques in this order: sudoku-explainer, hodoku, sudokuwiki, or a file with "
        "a technique on each line.",
        metavar="NAME|FILE",
    )
    style: Style = setting(
        "nando", about="Names of techniques: nando's, or those of another program."
    )
    language: str = setting(
        "en", about="Language of the steps: en, de, fr, es, it, pt, nl, pl or ja."
    )

    def check(self) -> None:
        """Raise ValueError for options that contradict each other, or an unknown language."""
        if self.every and self.whole:
            raise ValueError("--whole is for a walk, and --all lists single steps: leave one out")
        if self.effort is not None and not self.every:
            raise ValueError("--effort bounds what --all lists: add --all, or leave it out")
        one_of("--language", self.language, logic.LANGUAGES)

    def way(self, kind: str, standing: str | None = None) -> "Way":
        """Return how puzzles of a kind are explained, from the position in a text, if any.

        Raises
        ------
        OSError, ValueError
            For a file that cannot be read, an unknown technique, or an order for another kind.
        """
        if self.order is not None and kind != "sudoku":
            raise ValueError(f"--order is for Sudoku, not for {kind}: leave it out")
        tried = None if self.order is None else logic.read_order(self.order)
        whole = logic.standard_ladder(kind) if tried is None else tried.ladder
        without = _names(self.without) or ()
        ladder = logic.select_techniques(whole, only=_names(self.only), without=without)
        return Way(self, ladder, tried, standing)


_WAY, _LESSON, _SHOW = WayOptions(), LessonOptions(), pictures.ShowOptions()


def explain(
    puzzles: Files = None,
    output: Path | None = output_option(
        "Draw into .html .js .svg .png or .gif, or write .txt .csv .json .jsonl .parquet."
    ),
    form: Form = None,
    hint: int | None = setting(
        None,
        between(1, 3),
        about="Only the next step: 1 where to look, 2 the pattern, 3 the whole step.",
    ),
    step: int | None = setting(None, between(1), about="Only step N.", metavar="N"),
    explained: WayOptions = _WAY,
    worksheet: LessonOptions = _LESSON,
    look: pictures.ShowOptions = _SHOW,
    kind: KindOf = None,
) -> int:
    """Explain how a person solves a puzzle: each step with its reason, in words or pictures."""
    if worksheet.lesson is not None:
        pictures.check_worksheet(output)
    look.check(output, form)
    explained.check()
    standing = None if explained.standing is None else _text(explained.standing)
    if worksheet.lesson is not None:
        return _lesson(
            PuzzleFiles(puzzles, kind) if puzzles else None, output, explained, worksheet, look
        )
    files = PuzzleFiles(puzzles, kind, examine=lambda entry: way.faults(entry))
    way = explained.way(files.kind, standing)
    part = pictures.Excerpt(step, hint)
    destination = Destination(output, form, others=pictures.PICTURES)
    if form is None and destination.suffix in pictures.PICTURES:
        pictures.check_drawing(destination.suffix, explained.language)
        destination = pictures.Drawing(output, files=files, part=part, look=look)
    elif destination.form != "table" and hint is not None:
        raise ValueError(
            f"--hint is for text output: leave it out, or leave out --format {destination.form}"
        )
    rows = _Rows(files, part, way, destination, look.figure)
    at_once = 1 if isinstance(destination, pictures.Drawing) else None
    status = run(files, rows.work, rows.layout(), destination, compiles=STEPS, at_once=at_once)
    return _report_beyond(rows.beyond, part, files) or status


def _lesson(
    files: PuzzleFiles | None,
    output: Path | None,
    explained: WayOptions,
    worksheet: LessonOptions,
    look: pictures.ShowOptions,
) -> int:
    """Write a worksheet on a technique, and return the exit status."""
    assert worksheet.lesson is not None
    from nando.api.logic import lessons

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
    pictures.write_lessons(examples, output, look.figure, explained.language)
    return files.report() if files else 0


def _good_puzzles(files: PuzzleFiles) -> "Iterator[Puzzle]":
    return (read.puzzle for chunk in files.chunks() for read in chunk if read.error is None)


class Way(NamedTuple):
    """How puzzles are explained, with the techniques that are tried and the text to start from."""

    options: WayOptions
    ladder: "logic.Ladder"
    order: "logic.Order | None"
    standing: str | None

    def start(self, entry: "Entry") -> "logic.Position | None":
        """Return the position where an entry begins, or None if it begins with the givens.

        PuzzleError if the position is wrong.
        """
        assert entry.puzzle is not None
        apart = self.standing is not None
        text = self.standing if self.standing is not None else entry.text
        return logic.LogicSolver().read_position(entry.puzzle, text, apart=apart)

    def faults(self, entry: "Entry") -> str | None:
        """Return the error of the position where an entry begins, or None."""
        try:
            self.start(entry)
        except ValueError as error:
            return str(error) if self.standing is None else f"--from: {error}"
        return None

    def of(self, read: Read) -> "logic.Walkthrough | logic.Listing":
        """Return the walkthrough of a puzzle from its position, or the list of its steps."""
        start, options = self.start(read.entry), self.options
        wording = {"style": options.style, "language": options.language}
        if options.every:
            bound = logic.EFFORT if options.effort is None else options.effort
            return logic.list_steps(read.puzzle, self.ladder, start, effort=bound, **wording)
        walk = logic.walk_through(read.puzzle, self.ladder, start, order=self.order, **wording)
        return walk if options.whole else logic.shorten(walk)


def _names(text: str | None) -> list[str] | None:
    """Return the names in an option; None if the option is not given."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _report_beyond(beyond: list[str], part: pictures.Excerpt, files: PuzzleFiles) -> int:
    """Report the puzzles without the requested step, and return the exit status."""
    if not beyond:
        return 0
    summary = f"{len(beyond):,} of {files.n_read:,} puzzles have no step {part.step}"
    return report_bad(summary, beyond)


@dataclass
class _Rows:
    """The rows of explained puzzles, in the form that the destination takes.

    Attributes
    ----------
    beyond : list of str
        A message for each puzzle without the requested step.
    """

    files: PuzzleFiles
    part: pictures.Excerpt
    way: Way
    destination: Destination
    figure: "Figure"
    beyond: list[str] = field(default_factory=list)
    n_shown: int = 0

    def work(self, good: list[Read], _first_index: int) -> list[dict[str, Any]]:
        """Return the rows of a chunk."""
        return [self._row(read) for read in good]

    def _row(self, read: Read) -> dict[str, Any]:
        walk, part = self.way.of(read), self.part
        row: dict[str, Any] = {**walk.to_dict(), "steps": len(walk.steps)}
        is_beyond = part.is_beyond(walk)
        if is_beyond:
            self.beyond.append(f"{self.files.place_in_words(read)}: {part.instead(walk)}")
        if isinstance(self.destination, pictures.Drawing):
            row["walk"] = walk
        elif self.destination.is_json:
            row["steps"] = [taken.to_dict() for taken in part.of(walk)]
        elif not self.destination.is_for_people:
            steps = (taken.step for taken in walk.steps)
            hardest = max(steps, key=lambda step: step.rating, default=None)
            row["hardest_technique"] = None if hardest is None else hardest.technique.name
        elif is_beyond:
            row["error"] = part.instead(walk)
        else:
            row["shown"] = ("\n\n" if self.n_shown else "") + self._show(walk)
            self.n_shown += 1
        return row

    def _show(self, walk: "logic.Walkthrough | logic.Listing") -> str:
        """Return the text of a walk as a terminal or a file shows it."""
        text = self.figure.text(self.part.text(walk), walk.puzzle.shape[0])
        if self.destination.file is not None:
            return text
        text = wrap(text, sys.stdout)
        return _paint(text, walk) if takes_colour(sys.stdout) else text

    def layout(self) -> Layout:
        """Return the columns of the rows."""
        rating, options = logic.scale_of(self.files.kind).column, self.way.options
        as_json = self.destination.is_json
        steps: Columns = {"steps": list} if as_json else {"hardest_technique": str, "steps": int}
        whole: Columns = (
            {"blanks": int, "complete": bool} if options.every else {rating: float, "solved": bool}
        )
        if self.way.order is not None and not options.every:
            whole = {**whole, "order": str, "score": float, "steps_without_score": int}
        if not options.every:
            whole = {**whole, "left_out": int}
        columns: Columns = {"line": int, "puzzle": str, **whole, **steps, "error": str, "file": str}
        return Layout(columns, [Shown("", 0, "shown")])


def _paint(text: str, walk: "logic.Walkthrough | logic.Listing") -> str:
    """Return the text of a walk with the names of its steps in colour.

    Steps that fill and steps that remove candidates have different colours. The first line of a
    step begins with its number and its name.
    """
    told = {taken.numbers: taken for taken in walk.lines}
    lines = []
    for line in text.split("\n"):
        head, dot, rest = line.partition(". ")
        taken = told.get(head.strip()) if dot else None
        if taken is not None and rest.casefold().startswith(taken.name.casefold()):
            name, rest = rest[: len(taken.name)], rest[len(taken.name) :]
            role = "removes" if logic.opens_paragraph(taken.step) else "fills"
            line = f"{paint(head + '.', 'number')} {paint(name, role)}{rest}"
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
