"""Pictures as PNG, by matplotlib, whose own font looks the same on every machine."""

from collections.abc import Sequence
from functools import cache
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from nando.drawing.shapes import Disc, Path, Picture, Rect, Shape, Text

if TYPE_CHECKING:
    from matplotlib.patches import Patch
    from matplotlib.path import Path as Outline

_DPI = 144


def check_png() -> None:
    """Find out whether there is matplotlib.

    Raises
    ------
    ValueError
        Where there is none.
    """
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ValueError(
            "a .png needs matplotlib: pip install 'nando[plot]', or write .svg or .html"
        ) from error


def write_png(picture: Picture, file: IO[bytes], unit: float) -> None:
    """Write a picture into a binary file, at `unit` pixels a cell."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import PatchCollection
    from matplotlib.figure import Figure

    inches = unit / _DPI
    figure = Figure((picture.width * inches, picture.height * inches), dpi=_DPI)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    drawn = PatchCollection(_patches(picture.shapes, 72 * inches), match_original=True)
    drawn.set_snap(False)  # digits would else move by whole pixels, each its own way
    axes.add_collection(drawn)
    figure.savefig(file, format="png", metadata={"Software": None})


def _patches(shapes: Sequence[Shape], points: float) -> list["Patch"]:
    """Patches in order; `points` of line width make a cell."""
    from matplotlib.patches import Circle, PathPatch, Polygon, Rectangle
    from matplotlib.path import Path as Outline

    patches: list[Patch] = []
    for shape in shapes:
        if isinstance(shape, Text):
            outline = _glyphs(shape.text, shape.bold, shape.centred)
            vertices = np.multiply(outline.vertices, (shape.size, -shape.size))
            vertices += (shape.x, shape.y)
            patches.append(PathPatch(Outline(vertices, outline.codes), fc=shape.fill, lw=0))
            continue
        if isinstance(shape, Path):
            onward = Outline.CURVE3 if shape.curved else Outline.LINETO
            codes = [Outline.MOVETO, *[onward] * (len(shape.points) - 1)]
            outline = Outline(shape.points, codes)
            style = (0, (2.6, 2)) if shape.dashed else "-"
            patches.append(
                PathPatch(outline, fc="none", ec=shape.stroke, lw=shape.line * points, ls=style)
            )
            continue
        if not isinstance(shape, Rect | Disc):
            patches.append(Polygon(shape.points, fc=shape.fill, lw=0))
            continue
        look: dict[str, Any] = {"fc": shape.fill or "none", "ec": shape.stroke or "none"}
        look["lw"] = shape.line * points
        if isinstance(shape, Rect):
            patches.append(Rectangle((shape.x, shape.y), shape.width, shape.height, **look))
        else:
            patches.append(Circle((shape.x, shape.y), shape.radius, **look))
    return patches


@cache
def _glyphs(text: str, bold: bool, centred: bool) -> "Outline":
    """Outline of a text of size 1, y upwards, its capitals centred on 0."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    path = TextPath((0, 0), text, size=1, prop=font)
    height = TextPath((0, 0), "1", size=1, prop=font).get_extents().y1
    box = path.get_extents()
    across = -(box.x0 + box.x1) / 2 if centred else 0.0
    return Outline(np.add(path.vertices, (across, -height / 2)), path.codes)
