"""The command `explain`."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from nando.checks import one_of
from nando.cli.colour import painted, takes_colour
from nando.cli.options import Files, Form, Kind, output_option
from nando.cli.output import Destination, Format
from nando.cli.pipeline import INTERRUPTED, run
from nando.cli.progress import STEPS, announce_compiling, progress
from nando.cli.reading import PuzzleFiles, Read, report_bad
from nando.cli.table import Shown, fitted
from nando.cli.writers import Columns, Layout

if TYPE_CHECKING:
    from nando.drawing.printed import Section
    from nando.puzzles import Entry
    from nando.solvers.logic import Ladder, Listing, Order, Position, Walkthrough, WalkthroughStep

_PICTURES = (".html", ".svg", ".png")
_GRID_FILES = (".txt", ".sdk", ".sdx", ".sdm", ".csv", ".json")
"""Suffixes that show an argument to be a file; letters alone may be cells of a grid."""


class Part(NamedTuple):
    """The requested part of a walkthrough: one step or all steps, and the degree of hints."""

    step: int | None = None
    degree: int | None = None

    def of(self, walk: "Walkthrough | Listing") -> "Sequence[WalkthroughStep]":
        """Return the requested steps; none if the walkthrough is shorter."""
        if self == Part():
            return walk.steps
        number = self.step or 1
        return walk.steps[number - 1 : number]

    def is_beyond(self, walk: "Walkthrough | Listing") -> bool:
        """Return True if the requested step is after the last step."""
        return self.step is not None and self.step > len(walk.steps)

    def instead(self, walk: "Walkthrough | Listing") -> str:
        """Return the message for a requested step that does not exist."""
        if self.step is not None and walk.steps:
            from nando.solvers.logic.language import words_of

            words = words_of(walk.language)
            return words("walk.no_step", number=self.step, n=len(walk.steps))
        return walk.summary()

    def text(self, walk: "Walkthrough | Listing") -> str:
        """Return the requested steps in words."""
        if self == Part():
            return str(walk)
        sentences = [taken.sentence(self.degree) for taken in self.of(walk)]
        if self.degree is None:
            sentences = [f"{self.step}. {sentence}" for sentence in sentences]
        return "\n".join(sentences) or self.instead(walk)


class Style(StrEnum):
    """The program whose names of techniques are used."""

    NANDO = "nando"
    SE = "se"
    HODOKU = "hodoku"
    SUDOKUWIKI = "sudokuwiki"


class Way(NamedTuple):
    """How puzzles are explained."""

    ladder: "Ladder"
    style: str
    language: str
    every: bool
    effort: int | None
    shortest: bool
    standing: str | None
    order: "Order | None" = None

    def start(self, entry: "Entry") -> "Position | None":
        """Return the position where an entry begins, or None if it begins with the givens.

        PuzzleError if the position is wrong.
        """
        from nando.solvers.logic import LogicSolver

        assert entry.puzzle is not None
        apart = self.standing is not None
        text = self.standing if self.standing is not None else entry.text
        return LogicSolver().read_position(entry.puzzle, text, apart=apart)

    def faults(self, entry: "Entry") -> str | None:
        """Return the error of the position where an entry begins, or None."""
        try:
            self.start(entry)
        except ValueError as error:
            return str(error) if self.standing is None else f"--from: {error}"
        return None

    def of(self, read: Read) -> "Walkthrough | Listing":
        """Return the walkthrough of a puzzle from its position, or the list of its steps."""
        from nando.solvers.logic import EFFORT, list_steps, shortest, walk_through

        start = self.start(read.entry)
        wording = {"style": self.style, "language": self.language}
        if self.every:
            bound = EFFORT if self.effort is None else self.effort
            return list_steps(read.puzzle, self.ladder, start, effort=bound, **wording)
        walk = walk_through(read.puzzle, self.ladder, start, order=self.order, **wording)
        return shortest(walk) if self.shortest else walk


def explain(
    puzzles: Files = None,
    output: Annotated[
        Path | None,
        output_option("Draw into .html .svg or .png, or write .txt .csv .json .jsonl .parquet."),
    ] = None,
    form: Form = None,
    hint: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=3,
            help="Only the next step: 1 where to look, 2 the pattern, 3 the whole step.",
        ),
    ] = None,
    step: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only step N.")] = None,
    standing: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="GRID_OR_FILE",
            help="Start here: the digits entered so far, as a line or grid, or pencil marks.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every step possible now, by technique.")
    ] = False,
    effort: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="With --all: most searches for nested chains in a puzzle; default: 100000.",
        ),
    ] = None,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Leave out steps that the next fill does not need.")
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME", help="Use only these techniques, e.g. singles,pairs."),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME", help="Do without these techniques, for example x-wing,chains."
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Try techniques in this order: sudoku-explainer, hodoku, sudokuwiki, or a file "
            "with a technique on each line.",
        ),
    ] = None,
    style: Annotated[
        Style,
        typer.Option(help="Names of techniques: nando's, or those of another program."),
    ] = Style.NANDO,
    language: Annotated[str, typer.Option(help="Language of the steps: en or de.")] = "en",
    sheet: Annotated[
        bool,
        typer.Option(
            "--sheet", help="With -o FILE.html: a sheet to print, with a picture of every step."
        ),
    ] = False,
    kind: Kind = None,
) -> int:
    """Explain how a person solves a puzzle: each step with its reason, in words or pictures."""
    from nando.solvers.logic import LANGUAGES, read_order, select_techniques, standard_ladder

    if every and shortest:
        raise ValueError("--shortest is for a walk, and --all lists single steps: leave one out")
    if sheet and (form is not None or output is None or output.suffix.lower() != ".html"):
        raise ValueError("--sheet is a page of all boards: give -o FILE.html, or leave it out")
    if effort is not None and not every:
        raise ValueError("--effort bounds what --all lists: add --all, or leave it out")
    one_of("--language", language, LANGUAGES)
    standing = None if standing is None else _text(standing)
    files = PuzzleFiles(puzzles, kind, examine=lambda entry: way.faults(entry))
    part = Part(step, hint)
    if order is not None and files.kind != "sudoku":
        raise ValueError(f"--order is for Sudoku, not for {files.kind}: leave it out")
    tried = None if order is None else read_order(order)
    whole = standard_ladder(files.kind) if tried is None else tried.ladder
    ladder = select_techniques(whole, only=_names(only), without=_names(without) or ())
    way = Way(ladder, style.value, language, every, effort, shortest, standing, tried)
    destination = Destination(output, form, others=_PICTURES)
    if form is None and destination.suffix in _PICTURES:
        assert output is not None
        return _draw(files, output, part, way, as_sheet=sheet)
    if destination.form is not Format.TABLE and hint is not None:
        raise ValueError(
            f"--hint is for text output: leave it out, or leave out --format {destination.form}"
        )
    rows = _Rows(files, part, way, destination)
    status = run(files, rows.work, rows.layout(), destination, compiles=STEPS)
    return _reported(rows.beyond, part, files) or status


class _Rows:
    """The rows of explained puzzles, in the form that the destination takes.

    Attributes
    ----------
    beyond : list of str
        A message for each puzzle without the requested step.
    """

    def __init__(self, files: PuzzleFiles, part: Part, way: Way, destination: Destination) -> None:
        self.beyond: list[str] = []
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
        text = self._part.text(walk)
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


def _reported(beyond: list[str], part: Part, files: PuzzleFiles) -> int:
    """Report the puzzles without the requested step, and return the exit status."""
    if not beyond:
        return 0
    summary = f"{len(beyond):,} of {files.n_read:,} puzzles have no step {part.step}"
    return report_bad(summary, beyond, len(beyond))


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


# ---------------------------------------------------------------- pictures


def _names(text: str | None) -> list[str] | None:
    """Return the names in an option; None if the option is not given."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _draw(files: PuzzleFiles, output: Path, part: Part, way: Way, *, as_sheet: bool) -> int:
    from nando.writing import replaced_file

    suffix = output.suffix.lower()
    if suffix == ".png":
        from nando.drawing.png import check_png

        check_png()
    with replaced_file(output) as file:
        announce_compiling(*STEPS)
        walks, interrupted = _explained(files, way)
        status = files.report()
        if not walks:
            raise ValueError("no puzzle can be used, so there is nothing to draw")
        beyond = [
            f"{walk.puzzle.text}: {part.instead(walk)}" for walk in walks if part.is_beyond(walk)
        ]
        if len(beyond) == len(walks):
            raise ValueError(part.instead(walks[0]))
        status = _reported(beyond, part, files) or status
        if interrupted:
            print(f"interrupted: the first {len(walks):,} puzzles are drawn", file=sys.stderr)
            status = INTERRUPTED
        if suffix == ".html":
            _write_pages(file, walks, part, files.kind, way.language, as_sheet=as_sheet)
        elif len(walks) > 1:
            raise ValueError(f"{output}: a picture shows one puzzle, got {len(walks)}; use .html")
        else:
            _write_picture(file, walks[0], part, suffix)
    return status


def _write_pages(
    file: IO[bytes],
    walks: "Sequence[Walkthrough | Listing]",
    part: Part,
    kind: str,
    language: str,
    *,
    as_sheet: bool,
) -> None:
    """Write walks as one page, to step through or to print."""
    from nando.drawing.printed import html, title_of
    from nando.drawing.stepped import stepped_html

    write = html if as_sheet else stepped_html
    sections = [_section(walk, part) for walk in walks]
    for text in write(title_of(kind, len(walks), language), kind, sections, language):
        file.write(text.encode())


def _write_picture(file: IO[bytes], walk: "Walkthrough | Listing", part: Part, suffix: str) -> None:
    """Draw the steps of one walk as SVG or PNG."""
    from nando.drawing.png import write_picture
    from nando.drawing.printed import sheet_of

    sheet = sheet_of(_section(walk, part).panels, captions=part.degree is None)
    pixels = 64 if len(sheet.shapes) < 2_000 else 40
    write_picture(sheet, file, suffix, pixels=pixels)


def _explained(files: PuzzleFiles, way: Way) -> "tuple[list[Walkthrough | Listing], bool]":
    """Return the walks of all good puzzles, or after Ctrl-C the finished walks and True."""
    walks: list[Walkthrough | Listing] = []
    try:
        with progress("explained:", to_file=True, total=files.expected) as advance:
            for chunk in files.chunks():
                for read in chunk:
                    if read.error is None:
                        walks.append(way.of(read))
                    advance(1)
    except KeyboardInterrupt:
        if not walks:  # nothing to keep: the old file is more useful
            raise
        return walks, True
    return walks, False


def _section(walk: "Walkthrough | Listing", part: Part) -> "Section":
    from nando.drawing.boards import position
    from nando.drawing.printed import Panel, Section

    degree = part.degree or 3
    panels = [
        Panel(
            taken.number,
            taken.sentence(part.degree),
            position(taken.position, taken.step, degree),
            taken.reasons if degree == 3 else (),
        )
        for taken in part.of(walk)
    ]
    whole = part == Part()
    return Section(
        walk.puzzle.text,
        walk.summary() if whole else "",
        walk.techniques() if whole else [],
        panels or [Panel(part.step or 0, part.instead(walk), position(walk.end))],
    )
