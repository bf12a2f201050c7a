"""One step of a solution as shapes, in units of a cell, for SVG and PNG to draw.

Everything is told apart twice, by colour and by form, so that it also reads in grey. What is drawn
depends on the kind of puzzle: `picture` and `legend` find the drawing by its name.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from nando.solvers.logic.walk import Step

INK, GREY, FAINT = "#1a1a1a", "#595959", "#9a9a9a"
BLUE, GREEN, RED = "#0060a8", "#00735a", "#c64600"
BASE, COVER, CELL, PLACED = "#eaf2f9", "#fdf0e4", "#c3dcf0", "#ffe680"

THIN, THICK = 0.012, 0.048
"""Widths of the lines between cells and of borders."""

MARGIN = 0.62
"""Room for the numbers of rows and columns, on the left and on top."""


class Rect(NamedTuple):
    """A rectangle, filled, framed or both."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None
    stroke: str | None = None
    line: float = 0.0
    dashed: bool = False


class Disc(NamedTuple):
    """A circle, filled, framed or both."""

    x: float
    y: float
    radius: float
    fill: str | None
    stroke: str | None = None
    line: float = 0.0


class Path(NamedTuple):
    """Straight lines, or a curve of three points where `curved`."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    line: float
    dashed: bool = False
    curved: bool = False


class Head(NamedTuple):
    """A filled triangle."""

    points: tuple[tuple[float, float], ...]
    fill: str


class Text(NamedTuple):
    """Text around a point, or to the right of it; `size` of the type."""

    x: float
    y: float
    text: str
    size: float
    fill: str = INK
    bold: bool = False
    centred: bool = True


Shape = Rect | Disc | Path | Head | Text


class Picture(NamedTuple):
    """Shapes in the order they are drawn, in a frame."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def picture(before: Any, step: "Step | None" = None, degree: int = 3) -> Picture:
    """The grid before a step, with what a hint of this degree shows of the step.

    Degree 1 shows where to look, 2 the pattern, 3 also what follows.
    """
    picture: Picture = _drawing(before.puzzle.kind).picture(before, step, degree)
    return picture


def frame(puzzle: Any) -> "list[Shape]":
    """The lines of an empty grid, and the numbers of its rows and columns."""
    return list(_drawing(puzzle.kind).frame(puzzle))


def given_text(puzzle: Any, cell: int) -> str:
    """What is printed in the cell of a given."""
    text: str = _drawing(puzzle.kind).given_text(puzzle, cell)
    return text


def legend(kind: str) -> "Sequence[tuple[str, list[Shape]]]":
    """What the marks of a kind's pictures mean, each with a sample in a cell of size 1."""
    samples: Sequence[tuple[str, list[Shape]]] = _drawing(kind).LEGEND
    return samples


def _drawing(kind: str) -> Any:
    """The module that draws a kind of puzzle."""
    from importlib import import_module

    return import_module(f"nando.drawing.{kind}")
