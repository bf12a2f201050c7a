"""Pictures as PNG, by matplotlib, whose own font looks the same on every machine."""

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path as File
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from nando.drawing.shapes import Disc, Link, Path, Picture, Placed, Polygon, Rect, Shape, Text
from nando.drawing.svg import svg
from nando.drawing.typeface import PLAIN, Font, Typeface

if TYPE_CHECKING:
    from matplotlib.patches import Patch
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Affine2D, Transform

_DPI = 144


def check_png(output: str = "a .png", otherwise: str = "write .svg or .html") -> None:
    """Check that matplotlib is installed.

    Raises
    ------
    ValueError
        If it is not installed. The message says what needs it, and what to do instead.
    """
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        message = f"{output} needs matplotlib: pip install 'nando[plot]', or {otherwise}"
        raise ValueError(message) from error


def write_png(
    picture: Picture,
    file: IO[bytes],
    unit: float,
    *,
    typeface: Typeface = PLAIN,
    dpi: float = _DPI,
    form: str = "png",
) -> None:
    """Write a picture into a binary file, with `unit` pixels per unit of the picture.

    With `form` "pdf" it is a page of the size of the picture.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import PatchCollection
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    inches = unit / dpi
    figure = Figure((picture.width * inches, picture.height * inches), dpi=dpi)
    pixels = np.array(figure.bbox.size)
    if (np.floor(pixels + 1e-6) > np.floor(pixels)).any():
        # Rounding left a pixel incomplete, which matplotlib would cut off.
        figure.set_size_inches(*(pixels + 1e-6) / dpi)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    patches = list(_patches(picture.shapes, 72 * inches, Affine2D(), typeface))
    drawn = PatchCollection(patches, match_original=True)
    drawn.set_snap(False)  # otherwise each digit would snap to whole pixels
    axes.add_collection(drawn)
    undated = {"png": ("Software",), "pdf": ("Creator", "Producer", "CreationDate")}[form]
    figure.savefig(file, format=form, metadata=dict.fromkeys(undated))


def write_gif(
    pictures: Sequence[Picture],
    file: IO[bytes],
    seconds: float,
    *,
    unit: float,
    ground: str,
    typeface: Typeface = PLAIN,
) -> None:
    """Write a GIF that shows each picture for some seconds, in a loop.

    Frames have the size of the largest picture, with `unit` pixels per unit.
    """
    from PIL import Image  # matplotlib needs it, too

    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    frames = []
    for picture in pictures:
        shapes = (Rect(0, 0, width, height, ground), *picture.shapes)
        with BytesIO() as drawn:
            write_png(Picture(width, height, shapes), drawn, unit, typeface=typeface)
            frame = Image.open(drawn).convert("RGB")
            frames.append(frame.quantize(64, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))
    first, *others = frames
    milliseconds = round(1000 * seconds)
    first.save(file, "GIF", save_all=True, append_images=others, duration=milliseconds, loop=0)


def write_picture(
    picture: Picture, file: IO[bytes], suffix: str, *, pixels: float, title: str = ""
) -> None:
    """Write a picture as .png with `pixels` per unit, or as .svg with a title."""
    if suffix == ".png":
        write_png(picture, file, pixels)
    else:
        file.write(svg(picture, unit=40, title=title).encode())


def _patches(
    shapes: Sequence[Shape], points: float, place: "Transform", typeface: Typeface
) -> Iterator["Patch"]:
    """Yield patches; `points` is the line width of a unit, `place` maps units to the page."""
    from matplotlib.patches import PathPatch

    for shape in shapes:
        if isinstance(shape, Placed):
            yield from _patches(
                shape.picture.shapes, points * shape.scale, _inner(shape) + place, typeface
            )
        elif not isinstance(shape, Link) and (not isinstance(shape, Text) or shape.text.strip()):
            outline = place.transform_path(_outline(shape, typeface))
            yield PathPatch(outline, **_look(shape, points))


def _inner(placed: Placed) -> "Affine2D":
    """Return the map from the units of a placed picture to those of the outer picture."""
    from matplotlib.transforms import Affine2D

    return Affine2D().rotate_deg(placed.turn).scale(placed.scale).translate(*placed.origin)


def _look(shape: Shape, points: float) -> dict[str, Any]:
    if isinstance(shape, Text | Polygon):
        return {"fc": shape.fill, "lw": 0}
    if isinstance(shape, Path):
        style = (0, (2.6, 2)) if shape.dashed else "-"
        return {"fc": "none", "ec": shape.stroke, "lw": shape.line * points, "ls": style}
    assert isinstance(shape, Rect | Disc)
    return {
        "fc": shape.fill or "none",
        "ec": shape.stroke or "none",
        "lw": shape.line * points,
    }


def _outline(shape: Shape, typeface: Typeface) -> "Outline":
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Affine2D

    if isinstance(shape, Text):
        place = Affine2D().scale(shape.size, -shape.size)
        place.translate(shape.x, shape.y + typeface.cap_height / 2 * shape.size)
        font = typeface.font(shape)
        plain = font is None
        outline = _glyphs(shape.text, shape.align, font or _dejavu(shape.bold), optical=plain)
        return place.transform_path(outline)
    if isinstance(shape, Rect):
        place = Affine2D().scale(shape.width, shape.height).translate(shape.x, shape.y)
        return place.transform_path(Outline.unit_rectangle())
    if isinstance(shape, Disc):
        return Outline.circle((shape.x, shape.y), shape.radius)
    assert isinstance(shape, Path | Polygon)
    if isinstance(shape, Polygon):
        return Outline([*shape.points, shape.points[0]], closed=True)
    onward = Outline.CURVE3 if shape.curved else Outline.LINETO
    return Outline(shape.points, [Outline.MOVETO, *[onward] * (len(shape.points) - 1)])


@cache
def _glyphs(text: str, align: str, font: Font, *, optical: bool) -> "Outline":
    """Return the outline of a text of size 1, y upwards; `optical` centres the ink."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), text, size=1, prop=FontProperties(fname=font.path))
    if align == "middle" and optical:
        box = path.get_extents()
        across = -(box.x0 + box.x1) / 2
    else:
        across = -font.width(text) * {"start": 0.0, "middle": 0.5, "end": 1.0}[align]
    return Outline(np.add(path.vertices, (across, 0)), path.codes)


@cache
def _dejavu(bold: bool) -> Font:
    """Return the font that comes with matplotlib."""
    from matplotlib import get_data_path

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Font(File(get_data_path()) / "fonts" / "ttf" / name)
