"""Walkthroughs as files: a page to print, one picture, or one animation; and how their steps look.

The options of pictures of steps are pencil marks, coordinates, colours, title and captions. An
animation is an SVG without a script, in which each shape is written once for each run of steps that
show it.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeGuard
from unicodedata import east_asian_width

from nando.drawing.boards import legend, origin, position
from nando.drawing.colour import COLOURS
from nando.drawing.pages import page
from nando.drawing.plain import layer_of
from nando.drawing.shapes import (
    GREY,
    INK,
    MARGIN,
    Picture,
    Placed,
    Rect,
    Shape,
    Text,
    column_number,
    move,
    row_number,
)
from nando.drawing.svg import svg
from nando.puzzles import Puzzle, Variant
from nando.puzzles.variants.genre import Genre
from nando.solvers.logic.language import LANGUAGES, Words, words_of
from nando.solvers.logic.walkthrough import span_of

_CAPTION, _LEADING, _GAP = 0.3, 0.44, 0.5
"""Size of type and height of a line of captions, and gap between panels, in cells."""


class Panel(NamedTuple):
    """A step to show: its number, its sentence, its picture, and why each of its links follows.

    `last` is the number of the last of several steps that are told together.
    """

    number: int
    sentence: str
    picture: Picture
    reasons: Sequence[str] = ()
    last: int | None = None

    @property
    def numbers(self) -> str:
        """The number of the step, or the first and the last of several."""
        return span_of(self.number, self.last or self.number)


class Section(NamedTuple):
    """A puzzle: its line, a summary, the table of its techniques, and its steps."""

    line: str
    summary: str
    techniques: Sequence[tuple[str, str, int]]
    panels: Sequence[Panel]


def page_words(language: str) -> Words:
    """Return the texts of pages of walks, in a language."""
    return words_of(language, "drawings")


def title_of(puzzles: Sequence[Puzzle], language: str = "en") -> str:
    """Return the title of a page of puzzles of one kind; that of variants names their rules."""
    names = {
        Genre.of(puzzle).name(language) if isinstance(puzzle, Variant) else puzzle.kind.capitalize()
        for puzzle in puzzles
    }
    name = names.pop() if len(names) == 1 else "Sudoku"
    return page_words(language).count("page.title", len(puzzles), kind=name)


def html(title: str, kind: str, sections: Sequence[Section], language: str = "en") -> Iterator[str]:
    """Return the parts of a page to print, in order."""
    words = page_words(language)
    return page(
        "nando.drawing",
        "web/walk.html",
        title=title,
        language=language,
        say=words,
        legend=legend(kind, words),
        sections=sections,
    )


def sheet_of(panels: Sequence[Panel], *, captions: bool = True) -> Picture:
    """Return all panels in one picture, row by row."""
    n_columns = min(len(panels), max(1, round((len(panels) * 1.6) ** 0.5)))
    width, tall = panels[0].picture.width, panels[0].picture.height
    # A character is a little more than half as wide as it is high.
    line = int((width - MARGIN) / (0.57 * _CAPTION))
    shapes: list[Shape] = []
    top = 0.0
    for start in range(0, len(panels), n_columns):
        deepest = 0.0
        for i, panel in enumerate(panels[start : start + n_columns]):
            left = i * (width + _GAP)
            shapes += move(panel.picture.shapes, left, top)
            said = _lines(f"{panel.numbers}. {panel.sentence}", line) if captions else []
            for k, text in enumerate(said):
                y = top + tall + 0.3 + k * _LEADING
                shapes.append(Text(left + MARGIN, y, text, _CAPTION, align="start"))
            deepest = max(deepest, tall + len(said) * _LEADING + _GAP)
        top += deepest
    return Picture(n_columns * (width + _GAP) - _GAP, top - _GAP + 0.15, tuple(shapes))


def _lines(text: str, most: int) -> list[str]:
    """Wrap a sentence at `most` characters; Japanese characters count nearly twice."""
    is_wide = any(east_asian_width(character) in "WF" for character in text)
    return textwrap.wrap(text, int(most / 1.8) if is_wide else most)


def animate(
    pictures: Sequence[Picture], seconds: float, *, unit: float, title: str, ground: str = "#ffffff"
) -> str:
    """Return an SVG that shows pictures of one size in a loop.

    Parameters
    ----------
    pictures : sequence of Picture
    seconds : float
        Time for which each picture is shown.
    unit : float
        Pixels per unit of the pictures.
    title : str
        Alternative text.
    ground : str
        Colour behind the pictures.
    """
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    stretches: dict[tuple[int, int, int], list[Shape]] = {}
    last: dict[Shape, tuple[int, int]] = {}
    for number, picture in enumerate(pictures):
        for shape in dict.fromkeys(picture.shapes):
            first, end = last.get(shape, (number, -1))
            last[shape] = (first if end == number - 1 else number, number)
            if end not in (-1, number - 1):
                stretches.setdefault((layer_of(shape), first, end), []).append(shape)
    for shape, (first, end) in last.items():
        stretches.setdefault((layer_of(shape), first, end), []).append(shape)
    whole = svg(Picture(width, height, ()), unit=unit, title=title)
    opening = whole.removesuffix("</svg>")
    parts = [opening, f'<rect width="{width:.4g}" height="{height:.4g}" fill="{ground}"/>']
    for (_, first, end), shapes in sorted(stretches.items(), key=lambda item: item[0]):
        inner = svg(Picture(width, height, tuple(shapes)))
        body = inner[inner.index(">") + 1 :].removesuffix("</svg>")
        parts.append(f"<g>{_animate_between(first, end + 1, len(pictures), seconds)}{body}</g>")
    return "".join([*parts, "</svg>"])


def _animate_between(first: int, end: int, n: int, seconds: float) -> str:
    """Return the animation of shapes that are visible from picture `first` until picture `end`."""
    if (first, end) == (0, n):
        return ""
    times = [(0.0, "visible" if first == 0 else "hidden")]
    times += [(first / n, "visible")] if first else []
    times += [(end / n, "hidden")] if end < n else []
    values = ";".join(value for _, value in times)
    keys = ";".join(f"{time:.6g}" for time, _ in times)
    return (
        f'<animate attributeName="visibility" calcMode="discrete" values="{values}" '
        f'keyTimes="{keys}" dur="{n * seconds:g}s" repeatCount="indefinite"/>'
    )


Coordinates = Literal["r1c1", "A1"]
Theme = Literal["light", "dark"]

N_LETTERS = 26
_LARGEST_MARK = 0.4
"""Size of the largest pencil mark, in cells."""
_TITLE, _TITLE_ROOM = 0.42, 0.85


class Figure(NamedTuple):
    """The appearance of pictures of steps.

    Attributes
    ----------
    pencil_marks : bool
        Whether the candidates that are not part of the step are shown.
    coordinates : {"r1c1", "A1"}
        Numbers for rows and columns, or letters for the rows.
    theme : {"light", "dark"}
    title : str
        Title above the picture; empty for none.
    captions : bool
        Whether the sentence of each step is below it.
    """

    pencil_marks: bool = True
    coordinates: Coordinates = "r1c1"
    theme: Theme = "light"
    title: str = ""
    captions: bool = True

    def panel(self, panel: Panel, n_rows: int) -> Panel:
        """Return a panel with the requested marks and coordinates."""
        shapes = panel.picture.shapes
        if not self.pencil_marks:
            shapes = tuple(shape for shape in shapes if not _is_mark(shape))
        if self.coordinates == "A1":
            shapes = tuple(_letter_margin(shapes))
        return panel._replace(
            sentence=self.text(panel.sentence, n_rows),
            picture=panel.picture._replace(shapes=shapes),
            reasons=[self.text(reason, n_rows) for reason in panel.reasons],
        )

    def text(self, text: str, n_rows: int) -> str:
        """Return a sentence with these coordinates."""
        return use_letters(text, n_rows) if self.coordinates == "A1" else text

    def finished(self, picture: Picture) -> Picture:
        """Return a whole picture with its title, in its theme."""
        picture = self.coloured(picture)
        if self.theme == "light":
            return picture
        ground = Rect(0, 0, picture.width, picture.height, self.ground)
        return picture._replace(shapes=(ground, *picture.shapes))

    def coloured(self, picture: Picture) -> Picture:
        """Return a picture with its title in the colours of its theme, without a background."""
        if self.title:
            picture = _add_title(picture, self.title)
        return _in_dark(picture) if self.theme == "dark" else picture

    @property
    def ground(self) -> str:
        """The colour behind the picture."""
        return _dark()["white"] if self.theme == "dark" else "#ffffff"


def focused(before: Any, step: Any, *, houses: bool = False) -> Picture:
    """Draw a step on a board without candidates, except in the cells that the step is about.

    These are the cells that it names and, on demand, all cells of its houses.
    """
    picture, columns = position(before, step), before.puzzle.shape[1]
    left, top = origin(before.puzzle)
    literals = [part for link in step.links for part in (link[:3], link[3:])]
    literals += [literal for branch in step.branches for literal in branch]
    places = {
        *step.cells,
        *(step.placement or ())[:1],
        *(cell for cell, *_ in (*step.eliminations, *literals)),
    }
    for house in step.houses if houses else ():
        places.update(before.house(house))
    about = {divmod(place, columns) for place in places}
    shapes = (
        shape
        for shape in picture.shapes
        if not _is_mark(shape) or (int(shape.y - top), int(shape.x - left)) in about
    )
    return picture._replace(shapes=tuple(shapes))


def use_letters(text: str, n_rows: int) -> str:
    """Replace the numbers of rows in a sentence on a grid by letters, in any language.

    Raises
    ------
    ValueError
        If there are more rows than letters.

    Examples
    --------
    >>> use_letters("row 2 has its 3 in r2c2 or r56c2; rows 3 and 4", 9)
    'row B has its 3 in B2 or EF2; rows C and D'
    >>> use_letters("Zeilen 3 und 4, nella riga 4, W4K7, 4行7列", 9)
    'Zeilen C und D, nella riga D, D7, D7'
    """
    if n_rows > N_LETTERS:
        raise ValueError(f"coordinates A1 have {N_LETTERS} rows, got {n_rows}; use r1c1")

    def cell(match: re.Match[str]) -> str:
        # Up to 9x9, a group of cells lists its rows without separators.
        rows = [*match[1]] if n_rows < 10 else re.split(r"\D", match[1])
        return "".join(map(_letter, rows)) + match[2]

    def row(match: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda number: _letter(number[0]), match[0])

    for cells, rows in _names():
        text = rows.sub(row, cells.sub(cell, text))
    return text


@cache
def _names() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return patterns for the names of cells and of rows in the sentences of each language."""
    patterns = []
    for language in LANGUAGES:
        words = words_of(language, "sudoku")
        joints = [words(f"list.{joint}", first="", last="") for joint in ("and", "or")]
        several = "|".join(map(re.escape, [*joints, words("list.comma")]))
        # The column of a cell, which already has its letter, does not begin a list of rows.
        listed = rf"(?<![A-Za-z\d])\d+(?:(?:{several})\d+)*"
        cell = words("cell.name", row=r"([\d+・]+)", column=r"(\d[\d+・]*)")
        several_rows = words("house.row.other", list=listed)
        rows = rf"{several_rows}|{words('house.row.one', list='[0-9]+')}"
        patterns.append((re.compile(rf"(?<![A-Za-z\d]){cell}"), re.compile(rows)))
    return patterns


def _letter(number: str) -> str:
    return chr(ord("A") + int(number) - 1)


def _is_mark(shape: Shape) -> TypeGuard[Text]:
    return (
        isinstance(shape, Text)
        and shape.fill == GREY
        and not shape.bold
        and shape.size < _LARGEST_MARK
        and min(shape.x, shape.y) > MARGIN
    )


def _letter_margin(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Yield the shapes, with letters in place of the numbers of rows."""
    rows = {row_number(i) for i in range(N_LETTERS)} - {column_number(i) for i in range(N_LETTERS)}
    for shape in shapes:
        if isinstance(shape, Text) and shape in rows:
            yield shape._replace(text=_letter(shape.text))
        else:
            yield shape


def _add_title(picture: Picture, title: str) -> Picture:
    """Return a picture below a title, in type that fits its width."""
    size = min(_TITLE, (picture.width - MARGIN) / (0.6 * max(len(title), 1)))
    heading = Text(MARGIN, 0.5, title, size, INK, True, "start")
    shapes = (heading, *move(picture.shapes, 0, _TITLE_ROOM))
    return Picture(picture.width, picture.height + _TITLE_ROOM, shapes)


def _in_dark(picture: Picture) -> Picture:
    return picture._replace(shapes=tuple(map(_dark_shape, picture.shapes)))


def _dark_shape(shape: Shape) -> Shape:
    if isinstance(shape, Placed):
        return shape._replace(picture=_in_dark(shape.picture))
    fields: dict[str, Any] = {
        name: _dark().get(COLOURS.get(value, ""), value)
        for name in ("fill", "stroke")
        if (value := getattr(shape, name, None)) is not None
    }
    changed: Shape = shape._replace(**fields)
    return changed


@cache
def _dark() -> dict[str, str]:
    """Return the dark colours of the pages by name."""
    css = (files("nando.drawing") / "web" / "colours.css").read_text(encoding="utf-8")
    dark = css[css.index("prefers-color-scheme: dark") :]
    return dict(re.findall(r"--draw-([\w-]+): (#\w+)", dark))
