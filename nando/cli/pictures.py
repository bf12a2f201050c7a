"""Write steps as pages, pictures and animations."""

import json
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from nando.checks import how_many
from nando.cli.progress import STEPS, announce_compiling
from nando.cli.reading import PuzzleFiles
from nando.cli.stream import INTERRUPTED
from nando.cli.walks import Part, Way, explained, reported
from nando.writing import replaced_file

if TYPE_CHECKING:
    from nando.drawing.figures import Figure
    from nando.drawing.shapes import Picture
    from nando.drawing.typeface import Typeface
    from nando.drawing.walks import Section
    from nando.puzzles import Puzzle
    from nando.solvers.logic import Listing, Walkthrough

PICTURES = (".html", ".js", ".svg", ".png", ".gif")
"""Suffixes of files that show steps."""


@dataclass(frozen=True)
class ShowOptions:
    """The look of pictures and pages."""

    sheet: bool = False
    fragment: bool = False
    animate: float | None = None
    pencil_marks: bool = True
    coordinates: Literal["r1c1", "A1"] = "r1c1"
    title: str = ""
    captions: bool = True
    size: str | None = None
    dpi: float = 144
    theme: Literal["light", "dark"] = "light"

    @cached_property
    def figure(self) -> "Figure":
        """How boards and sentences are drawn."""
        from nando.drawing.figures import Figure

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


def draw(files: PuzzleFiles, output: Path, part: Part, way: Way, show: ShowOptions) -> int:
    """Explain puzzles and show them in a file, or in a file for each step; return the status."""
    suffix = output.suffix.lower()
    if suffix in (".png", ".gif"):
        from nando.drawing.png import check_png

        check_png()
        _typeface(way.options.language)  # an error before anything is explained
    announce_compiling(*STEPS)
    each = _EACH in output.name
    with nullcontext() if each else replaced_file(output) as file:
        walks, interrupted = explained(files, way)
        status = files.report()
        if not walks:
            raise ValueError("no puzzle can be used, so there is nothing to draw")
        beyond = [
            f"{walk.puzzle.text}: {part.instead(walk)}" for walk in walks if part.is_beyond(walk)
        ]
        if len(beyond) == len(walks):
            raise ValueError(part.instead(walks[0]))
        status = reported(beyond, part, files) or status
        if interrupted:
            print(
                f"interrupted: the first {how_many(len(walks), 'puzzle is', 'puzzles are')} drawn",
                file=sys.stderr,
            )
            status = INTERRUPTED
        if suffix in (".html", ".js"):
            if file is None:
                raise ValueError(f"{output}: {_EACH} in a name is for .svg and .png")
            _write_pages(file, walks, part, files.kind, show, is_script=suffix == ".js")
        elif len(walks) > 1:
            raise ValueError(f"{output}: a picture shows one puzzle, got {len(walks)}; use .html")
        elif file is None and suffix != ".gif":
            _write_each(output, walks[0], part, show)
        elif file is None:
            raise ValueError(f"{output}: a .gif shows all steps: leave {_EACH} out")
        else:
            _write_picture(file, walks[0], part, suffix, show)
    return status


def _write_pages(
    file: IO[bytes],
    walks: "Sequence[Walkthrough | Listing]",
    part: Part,
    kind: str,
    show: ShowOptions,
    *,
    is_script: bool,
) -> None:
    """Write walks as one page, to step through or to print, or as a part of another page."""
    from nando.drawing.walks import html, stepped_html, title_of

    write = html if show.sheet else stepped_html
    sections = [_section(walk, part, show.figure) for walk in walks]
    language = walks[0].language
    title = show.title or title_of([walk.puzzle for walk in walks], language)
    parts = write(title, kind, sections, language)
    if is_script or show.fragment:
        framed = _FRAME.format(title=escape(title), page=escape("".join(parts)))
        parts = iter([_SCRIPT.format(json.dumps(framed)) if is_script else framed])
    for text in parts:
        file.write(text.encode())


_FRAME = (
    '<iframe class="nando" title="{title}" srcdoc="{page}" loading="lazy" '
    'style="width: 100%; height: 860px; border: 0"></iframe>\n'
)
"""A page inside another; neither changes the style of the other."""
_SCRIPT = 'document.currentScript.insertAdjacentHTML("afterend", {});\n'


def _write_picture(
    file: IO[bytes], walk: "Walkthrough | Listing", part: Part, suffix: str, show: ShowOptions
) -> None:
    """Draw the steps of one walk as SVG, PNG or GIF."""
    from nando.drawing.walks import sheet_of

    panels = _section(walk, part, show.figure).panels
    captions = show.captions and part.degree is None
    if show.animate is not None or suffix == ".gif":
        from nando.drawing.png import write_gif
        from nando.drawing.walks import animated_svg

        pictures = [show.figure.coloured(sheet_of([panel], captions=captions)) for panel in panels]
        unit = _unit(max(pictures, key=lambda picture: picture.width), show, 40)
        title, ground = show.title or panels[0].sentence, show.figure.ground
        seconds = show.animate or _SECONDS
        if suffix == ".gif":
            typeface = _typeface(walk.language)
            write_gif(pictures, file, seconds, unit=unit, ground=ground, typeface=typeface)
            return
        text = animated_svg(pictures, seconds, unit=unit, title=title, ground=ground)
        file.write(text.encode())
        return
    sheet = show.figure.finished(sheet_of(panels, captions=captions))
    title = show.title or (panels[0].sentence if len(panels) == 1 else "")
    _write_sheet(file, sheet, suffix, show, walk.language, title if captions else show.title)


def _write_each(output: Path, walk: "Walkthrough | Listing", part: Part, show: ShowOptions) -> None:
    """Write each step to a file of its own; ``{n}`` in the name stands for its number."""
    from nando.drawing.walks import sheet_of

    panels = _section(walk, part, show.figure).panels
    captions = show.captions and part.degree is None
    digits = len(str(len(panels)))
    for panel in panels:
        name = output.name.replace(_EACH, f"{panel.number:0{digits}}")
        picture = show.figure.finished(sheet_of([panel], captions=captions))
        with replaced_file(output.with_name(name)) as file:
            suffix = output.suffix.lower()
            _write_sheet(file, picture, suffix, show, walk.language, panel.sentence)


def _typeface(language: str) -> "Typeface":
    """Return the typeface of a language: the usual one, unless it lacks characters."""
    from nando.books.typefaces import DEFAULTS, load_typeface
    from nando.drawing.typeface import PLAIN

    try:
        return load_typeface(DEFAULTS[language]) if language in DEFAULTS else PLAIN
    except ImportError as error:
        raise ValueError(f"{error}; or write .svg or .html") from None


def _write_sheet(
    file: IO[bytes], sheet: "Picture", suffix: str, show: ShowOptions, language: str, title: str
) -> None:
    from nando.drawing.png import write_png
    from nando.drawing.svg import svg

    if suffix == ".png":
        unit = _unit(sheet, show, 64 if len(sheet.shapes) < 2_000 else 40)
        write_png(sheet, file, unit, dpi=show.dpi, typeface=_typeface(language))
    elif show.size is not None and not show.size.endswith("px"):
        points = 72 * _inches(show.size) / sheet.width
        file.write(svg(sheet, points=points, title=title).encode())
    else:
        file.write(svg(sheet, unit=_unit(sheet, show, 40), title=title).encode())


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


def _line_of(puzzle: "Puzzle", language: str) -> str:
    """Return the text of a puzzle, or if it is too long for a line, its kind or its beginning."""
    from nando.puzzles import Variant
    from nando.puzzles.files import shortened
    from nando.puzzles.variants.genre import Genre

    if len(puzzle.text) <= _LONGEST_LINE:
        return puzzle.text
    if isinstance(puzzle, Variant):
        return Genre.of(puzzle).name(language)
    return shortened(puzzle.text, _LONGEST_LINE)


def _section(walk: "Walkthrough | Listing", part: Part, figure: "Figure") -> "Section":
    from nando.drawing.boards import position
    from nando.drawing.walks import Panel, Section

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
    panels = panels or [Panel(part.step or 0, part.instead(walk), position(walk.end))]
    return Section(
        _line_of(walk.puzzle, walk.language),
        walk.summary() if whole else "",
        walk.techniques() if whole else [],
        [figure.panel(panel, walk.puzzle.shape[0]) for panel in panels],
    )
