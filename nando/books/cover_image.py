"""Check the user's image for a cover, crop it to its place, and convert it to four inks."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nando.books.layout.binder import Binder
from nando.books.pages.cover import Case, case_of
from nando.books.spec import WHOLE
from nando.books.trim import INCH
from nando.drawing.colour import parts_of

LEAST_DPI = 300
_MOST_CUT = 0.15
"""Largest share of an image that may be cropped to fill its place."""


class Placement(NamedTuple):
    """An image, and the left and upper edge, width and height of its place on the cover."""

    pixels: Any
    left: float
    top: float
    width: float
    height: float


def cover_image(binder: Binder) -> Placement | None:
    """Return the image of a cover with its place, bleed included; None without an image.

    The origin is the upper left corner of the trimmed cover, or of the boards of a hardcover.

    Raises
    ------
    ValueError
        If the image cannot be read, has too few pixels, or does not have the shape of its place.
    """
    cover = binder.spec.cover
    if not cover.image:
        return None
    from PIL import Image, UnidentifiedImageError

    case = case_of(binder)
    left, width = _across(case, cover.image_area)
    top, height = -case.bleed, case.height + 2 * case.bleed
    try:
        with Image.open(Path(cover.image)) as opened:
            image = opened.copy()
    except (OSError, UnidentifiedImageError) as error:
        reason = getattr(error, "strerror", None) or "it is not a readable image"
        raise ValueError(
            f"cover: image {cover.image}: {reason}; wanted a .png, .jpg or .tif next to the file "
            "that describes the book"
        ) from None
    wide, high = image.size
    scale = max(width / wide, height / high)
    needed = f"{round(LEAST_DPI * width / INCH)}x{round(LEAST_DPI * height / INCH)} pixels"
    place = f"{width / INCH:.2f}x{height / INCH:.2f} inches with bleed"
    if INCH / scale < LEAST_DPI - 0.5:
        raise ValueError(
            f"cover: image {cover.image} has {wide}x{high} pixels, {INCH / scale:.0f} per inch "
            f"on {place}; wanted {LEAST_DPI}: give an image of {needed} or more"
        )
    cut = 1 - width * height / (wide * high * scale * scale)
    if cut > _MOST_CUT:
        raise ValueError(
            f"cover: image {cover.image} of {wide}x{high} pixels would lose {cut:.0%} to fill "
            f"{place}: crop it to the shape of {needed}"
        )
    box_width, box_height = width / scale, height / scale
    x, y = (wide - box_width) / 2, (high - box_height) / 2
    box = round(x), round(y), round(x + box_width), round(y + box_height)
    return Placement(_in_inks(image.crop(box), cover.colour), left, top, width, height)


def _across(case: Case, area: str) -> tuple[float, float]:
    """Return the left edge and the width of the place of an image."""
    if area == WHOLE:
        return -case.bleed, 2 * case.panel + case.spine + 2 * case.bleed
    return case.panel + case.spine, case.panel + case.bleed


def _in_inks(image: Any, ground: str) -> Any:
    """Convert an image to cyan, magenta, yellow and black, if it is not in these inks already."""
    from PIL import Image

    if image.mode == "CMYK":
        return image
    image = image.convert("RGBA")
    paper = Image.new("RGBA", image.size, tuple(round(255 * part) for part in parts_of(ground)))
    channels = Image.alpha_composite(paper, image).convert("RGB").split()
    inks = [255 - np.asarray(channel) for channel in channels]
    black = np.minimum(np.minimum(inks[0], inks[1]), inks[2])
    left = np.maximum(255 - black, 1).astype(np.uint16)
    plates = [((ink - black).astype(np.uint16) * 255 // left).astype(np.uint8) for ink in inks]
    return Image.merge("CMYK", [Image.fromarray(plate) for plate in (*plates, black)])
