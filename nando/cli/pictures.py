"""Write steps as pages, pictures, animations and worksheets."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, NamedTuple

from nando.cli.options import Format
from nando.cli.output import Destination, Layout, Row, Writer
from nando.cli.reading import PuzzleFiles
from nando.records import between, setting
from nando.solvers import logic
from nando.writing import replace_file, write_file

if TYPE_CHECKING:
    from nando.api.logic import Lesson
    from nando.drawing.shapes import Picture
    from nando.drawing.typeface import Typeface
    from nando.drawing.walks import Figure, Panel, Section

PICTURES = (".html", ".js", ".svg", ".png", ".gif")
"""Suffixes of files that show steps."""


class Excerpt(NamedTuple):
    """The requested part of a walkthrough: one step or all steps, and the degree of hints."""

    step: int | None = None
    degree: int | None = None

    def of(self, walk: "logic.Walkthrough | logic.Listing") -> "Sequence[logic.WalkthroughStep]":
        """Return the requested steps; none if the walkthrough is shorter."""
        if self == Excerpt():
            return walk.steps
        number = self.step or 1
        return walk.steps[number - 1 : number]

    def told(self, walk: "logic.Walkthrough | logic.Listing") -> "Sequence[logic.WalkthroughStep]":
        """Return the requested steps as they are told: those that are alike together."""
        return self.of(walk) if self != Excerpt() else walk.lines

    def is_beyond(self, walk: "logic.Walkthrough | logic.Listing") -> bool:
        """Return True if the requested step is after the last step."""
        return self.step is not None and self.step > len(walk.steps)

    def instead(self, walk: "logic.Walkthrough | logic.Listing") -> str:
        """Return the message for a requested step that does not exist."""
        if self.step is not None and walk.steps:
            from nando.solvers.logic.language import words_of

            words = words_of(walk.language)
            return words("walk.no_step", number=self.step, n=len(walk.steps))
        return walk.summary()

    def text(self, walk: "logic.Walkthrough | logic.Listing") -> str:
        """Return the requested steps in words."""
        if self == Excerpt():
            return str(walk)
        sentences = [taken.sentence(self.degree) for taken in self.of(walk)]
        if self.degree is None:
            sentences = [f"{self.step}. {sentence}" for sentence in sentences]
        return "\n".join(sentences) or self.instead(walk)


@dataclass(frozen=True)
class ShowOptions:
    """The look of pictures and pages."""

    sheet: bool = setting(
        False, about="With -o FILE.html: a sheet to print, with a picture of every step."
    )
    fragment: bool = setting(False, about="With -o FILE.html: a part to paste into another page.")
    animate: float | None = setting(
        None,
        between(0.1),
        about="With -o FILE.svg or .gif: show one step after the other; default for .gif: 2.",
        metavar="SECONDS",
    )
    pencil_marks: bool = setting(True, about="Show candidates that are not part of a step.")
    coordinates: Literal["r1c1", "A1"] = setting(
        "r1c1", about="Name cells r1c1, or A1 with letters for rows."
    )
    title: str = setting("", about="Title of pictures and pages.")
    captions: bool = setting(True, about="Write each step below its picture.")
    size: str | None = setting(None, about="Width of a picture: 800px, 80mm, 3in.", metavar="WIDTH")
    dpi: float = setting(144, between(20, 2400), about="Resolution of a .png.")
    theme: Literal["light", "dark"] = setting("light", about="Colours of a .svg or .png.")

    @cached_property
    def figure(self) -> "Figure":
        """How boards and sentences are drawn."""
        from nando.drawing.walks import Figure

        return Figure(self.pencil_marks, self.coordinates, self.theme, self.title, self.captions)

    def check(self, output: Path | None, form: object) -> None:
        """Raise ValueError for options that do not fit the output."""
        suffix = "" if output is None or form is not None else output.suffix.lower()
        if self.sheet and suffix != ".html":
            raise ValueError("--sheet is a page of all boards: give -o FILE.html, or leave it out")
        if self.fragment and (suffix != ".html" or self.sheet):
            raise ValueError("--fragment is a page inside another: give -o FILE.html, no --sheet")
        if self.animate is not None and suffix not in (".svg", ".gif"):
            raise ValueError(
                "--animate makes a moving picture: give -o FILE.svg or .gif, or leave it out"
            )
        if (self.size is not None or self.theme == "dark") and suffix not in _STILL:
            option = "--size" if self.size is not None else "--theme dark"
            raise ValueError(
                f"{option} is for .svg, .png and .gif: pages fit their window and follow the theme "
                "of the reader's system"
            )
        if self.size is not None:
            _pixels(self.size, self.dpi)


def check_drawing(suffix: str, language: str) -> None:
    """Raise ValueError if pictures of a suffix cannot be drawn, before anything is explained."""
    if suffix in (".png", ".gif"):
        from nando.drawing.png import check_png

        check_png()
        _typeface(language)


class _Walks:
    """Collects the walks of rows."""

    def __init__(self) -> None:
        self.walks: list[logic.Walkthrough | logic.Listing] = []

    def write(self, rows: Sequence[Row]) -> None:
        """Keep the walks of rows without errors."""
        self.walks += [row["walk"] for row in rows if "walk" in row]

    def close(self) -> None:
        """Do nothing: the walks are drawn together."""


@dataclass(frozen=True, kw_only=True)
class Drawing(Destination):
    """The file of pictures of walks; or a file for each step, if it has ``{n}`` in its name."""

    files: PuzzleFiles
    part: Excerpt
    look: ShowOptions

    @property
    def form(self) -> Format:
        """The format of what people see."""
        return "table"

    @contextmanager
    def open(self, layout: Layout) -> Iterator[Writer]:
        """Open the file and yield a writer of rows, whose walks are drawn when the block ends."""
        output, suffix = self.path, self.suffix
        assert output is not None
        with nullcontext() if _EACH in output.name else replace_file(output) as file:
            kept = _Walks()
            yield kept
            walks = kept.walks
            if not walks or all(map(self.part.is_beyond, walks)):
                self.files.report()
                why = "no puzzle can be used, so there is nothing to draw"
                raise ValueError(self.part.instead(walks[0]) if walks else why)
            if suffix in (".html", ".js"):
                if file is None:
                    raise ValueError(f"{output}: {_EACH} in a name is for .svg and .png")
                self._write_pages(file, walks)
            elif len(walks) > 1:
                raise ValueError(
                    f"{output}: a picture shows one puzzle, got {len(walks)}; use .html"
                )
            elif file is not None:
                self._write_picture(file, walks[0])
            elif suffix == ".gif":
                raise ValueError(f"{output}: a .gif shows all steps: leave {_EACH} out")
            else:
                self._write_each(output, walks[0])

    def _write_pages(
        self, file: IO[bytes], walks: "Sequence[logic.Walkthrough | logic.Listing]"
    ) -> None:
        """Write walks as one page, to step through or to print, or as a part of another page."""
        from nando.drawing.walks import html, title_of
        from nando.play.page import write_stepped

        show, language = self.look, walks[0].language
        write = html if show.sheet else write_stepped
        sections = [_section(walk, self.part, show.figure) for walk in walks]
        title = show.title or title_of([walk.puzzle for walk in walks], language)
        parts = write(title, self.files.kind, sections, language)
        is_script = self.suffix == ".js"
        if is_script or show.fragment:
            framed = _FRAME.format(title=escape(title), page=escape("".join(parts)))
            parts = iter([_SCRIPT.format(json.dumps(framed)) if is_script else framed])
        for text in parts:
            file.write(text.encode())

    def _write_each(self, output: Path, walk: "logic.Walkthrough | logic.Listing") -> None:
        """Draw each step in a file of its own; ``{n}`` in the name stands for its number."""
        digits = len(str(len(walk.steps)))
        for panel in _section(walk, self.part, self.look.figure).panels:
            name = output.name.replace(_EACH, f"{panel.number:0{digits}}")
            with replace_file(output.with_name(name)) as file:
                self._write_sheet(file, [panel], walk.language, panel.sentence)

    def _write_picture(self, file: IO[bytes], walk: "logic.Walkthrough | logic.Listing") -> None:
        """Draw the steps of one walk as SVG, PNG or GIF."""
        panels, show = _section(walk, self.part, self.look.figure).panels, self.look
        if show.animate is None and self.suffix != ".gif":
            title = panels[0].sentence if len(panels) == 1 and self._captions else ""
            self._write_sheet(file, panels, walk.language, show.title or title)
            return
        from nando.drawing.walks import animate, sheet_of

        sheets = [sheet_of([panel], captions=self._captions) for panel in panels]
        pictures = [show.figure.coloured(sheet) for sheet in sheets]
        unit = _unit(max(pictures, key=lambda picture: picture.width), show, 40)
        ground, seconds = show.figure.ground, show.animate or _SECONDS
        if self.suffix == ".gif":
            from nando.drawing.png import write_gif

            typeface = _typeface(walk.language)
            write_gif(pictures, file, seconds, unit=unit, ground=ground, typeface=typeface)
        else:
            title = show.title or panels[0].sentence
            file.write(animate(pictures, seconds, unit=unit, title=title, ground=ground).encode())

    @property
    def _captions(self) -> bool:
        return self.look.captions and self.part.degree is None

    def _write_sheet(
        self, file: IO[bytes], panels: "Sequence[Panel]", language: str, title: str
    ) -> None:
        from nando.drawing.png import write_png
        from nando.drawing.svg import svg
        from nando.drawing.walks import sheet_of

        show = self.look
        sheet = show.figure.finished(sheet_of(panels, captions=self._captions))
        if self.suffix == ".png":
            unit = _unit(sheet, show, 64 if len(sheet.shapes) < 2_000 else 40)
            write_png(sheet, file, unit, dpi=show.dpi, typeface=_typeface(language))
        elif show.size is not None and not show.size.endswith("px"):
            points = 72 * _inches(show.size) / sheet.width
            file.write(svg(sheet, points=points, title=title).encode())
        else:
            file.write(svg(sheet, unit=_unit(sheet, show, 40), title=title).encode())


_FRAME = (
    '<iframe class="nando" title="{title}" srcdoc="{page}" loading="lazy" '
    'style="width: 100%; height: 860px; border: 0"></iframe>\n'
)
"""A page inside another; neither changes the style of the other."""
_SCRIPT = 'document.currentScript.insertAdjacentHTML("afterend", {});\n'


def _typeface(language: str) -> "Typeface":
    """Return the typeface of a language: the usual one, unless it lacks characters."""
    from nando.books.trim import DEFAULTS, load_typeface
    from nando.drawing.typeface import PLAIN

    try:
        return load_typeface(DEFAULTS[language]) if language in DEFAULTS else PLAIN
    except ImportError as error:
        raise ValueError(f"{error}; or write .svg or .html") from None


def _unit(sheet: "Picture", show: ShowOptions, usual: float) -> float:
    """Return the number of pixels per cell."""
    return usual if show.size is None else _pixels(show.size, show.dpi) / sheet.width


_WIDTH = re.compile(r"(\d+(?:\.\d+)?)(px|mm|cm|in)")
_INCHES = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0}
_LEAST_PIXELS, _MOST_PIXELS = 50, 20_000
_LONGEST_LINE = 100
"""Most characters of the text of a puzzle above its board."""
_EACH = "{n}"
_STILL = (".svg", ".png", ".gif")
_SECONDS = 2.0
"""Time of each step in a .gif by default."""


def _inches(width: str) -> float:
    match = _WIDTH.fullmatch(width)
    assert match is not None
    return float(match[1]) * _INCHES[match[2]]


def _pixels(width: str, dpi: float) -> float:
    """Return a width in pixels; ValueError if it is not a width, or cannot be drawn."""
    match = _WIDTH.fullmatch(width)
    if match is None:
        raise ValueError(f"--size must be a width, for example 800px, 80mm or 3in, got {width!r}")
    pixels = float(match[1]) if match[2] == "px" else _inches(width) * dpi
    if not _LEAST_PIXELS <= pixels <= _MOST_PIXELS:
        raise ValueError(
            f"--size must be {_LEAST_PIXELS} to {_MOST_PIXELS:,} pixels, got {width} at {dpi:g} "
            f"dpi, which are {pixels:,.0f}"
        )
    return pixels


def _section(
    walk: "logic.Walkthrough | logic.Listing", part: Excerpt, figure: "Figure"
) -> "Section":
    from nando.drawing.boards import position
    from nando.drawing.walks import Panel, Section
    from nando.puzzles.files import shortened
    from nando.solvers.logic.walkthrough import line_of

    degree = part.degree or 3
    panels = [
        Panel(
            taken.number,
            taken.sentence(part.degree),
            position(taken.position, taken.step, degree),
            taken.reasons if degree == 3 else (),
            taken.last,
        )
        for taken in part.told(walk)
    ]
    whole, line = part == Excerpt(), line_of(walk.puzzle, walk.language, longest=0)
    panels = panels or [Panel(part.step or 0, part.instead(walk), position(walk.end))]
    return Section(
        line if len(line) <= _LONGEST_LINE else shortened(line, _LONGEST_LINE),
        walk.summary() if whole else "",
        walk.techniques() if whole else [],
        [figure.panel(panel, walk.puzzle.shape[0]) for panel in panels],
    )


_WORKSHEETS = (".html", ".pdf", ".txt")


def check_worksheet(output: Path | None) -> None:
    """Raise ValueError if a worksheet cannot be written to a file."""
    if output is not None and output.suffix.lower() not in _WORKSHEETS:
        raise ValueError(f"{output}: a lesson is written as {', '.join(_WORKSHEETS)}")
    if output is not None and output.suffix.lower() == ".pdf":
        from nando.books.pdf import check_pdf

        check_pdf()


def write_lessons(
    lessons: "Sequence[Lesson]", output: Path | None, figure: "Figure", language: str
) -> None:
    """Write a worksheet with its answers, or list the puzzles."""
    from nando.drawing.walks import page_words

    words = page_words(language)
    title = figure.title or words("lesson.title", name=_capital(lessons[0].step.name))
    task = words("lesson.task", name=lessons[0].step.name)
    if output is None or output.suffix.lower() == ".txt":
        lines = [line for lesson in lessons for line in _lines(lesson, figure)]
        text = "\n".join(lines) + "\n"
        if output is None:
            sys.stdout.write(text)
        else:
            write_file(output, text)
        return
    from nando.drawing.walks import Section, html

    asked, answered = (
        Section("", said, [], _boards(lessons, figure, answered=known))
        for said, known in ((task, False), (words("lesson.answers"), True))
    )
    puzzles = [lesson.puzzle for lesson in lessons]
    with replace_file(output) as file:
        if output.suffix.lower() == ".pdf":
            from nando.books.worksheet import write_worksheet

            write_worksheet(title, puzzles, asked, answered, file, language=language)
        else:
            for part in html(title, puzzles[0].kind, [asked, answered], language):
                file.write(part.encode())


def _boards(lessons: "Sequence[Lesson]", figure: "Figure", *, answered: bool) -> "list[Panel]":
    from nando.drawing.boards import position
    from nando.drawing.walks import Panel

    return [
        figure.panel(
            Panel(
                number,
                lesson.step.sentence() if answered else "",
                position(lesson.step.position, lesson.step.step if answered else None),
            ),
            lesson.puzzle.shape[0],
        )
        for number, lesson in enumerate(lessons, 1)
    ]


def _lines(lesson: "Lesson", figure: "Figure") -> list[str]:
    sentence = figure.text(lesson.step.sentence(), lesson.puzzle.shape[0])
    return [lesson.puzzle.text, f"  {lesson.step.number}. {sentence}"]


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
