"""Colours of steps and reports, and conversions of ``#rrggbb`` or ``#rgb`` to numbers.

Marks differ in both colour and shape, so that they can be printed in grey.
"""

from nando.drawing.shapes import FAINT, GREY, INK

BLUE, GREEN, RED = "#0060a8", "#00735a", "#c64600"
BASE, COVER, CELL, PLACED = "#eaf2f9", "#fdf0e4", "#c3dcf0", "#ffe680"
RIVER = "#3c3c3c"

SHADES = "#e6e6e6", "#cbdcec", "#ddcfa6"
"""Tints of cells that belong together; they differ in grey, too."""
BAND, ORCHID, LIME, SKY, SAND, MINT, ROSE, LILAC = (
    "#cdcdcd",
    "#e0a4e0",
    "#9bd49b",
    "#95cbee",
    "#f2c58c",
    "#86d2c8",
    "#f0aaaa",
    "#c5baec",
)
"""Colours of lines through cells, light enough for digits on them. Lines also differ in form."""
BRIGHT, DARK = "#fdfdfd", "#0c0c0c"
"""Colours of marks that the rules call white and black; they are the same on a dark screen."""

COLOURS = {
    INK: "ink",
    GREY: "grey",
    FAINT: "faint",
    BLUE: "blue",
    GREEN: "green",
    RED: "red",
    BASE: "base",
    COVER: "cover",
    CELL: "cell",
    PLACED: "placed",
    RIVER: "river",
    SHADES[0]: "shade-1",
    SHADES[1]: "shade-2",
    SHADES[2]: "shade-3",
    BAND: "band",
    ORCHID: "orchid",
    LIME: "lime",
    SKY: "sky",
    SAND: "sand",
    MINT: "mint",
    ROSE: "rose",
    LILAC: "lilac",
    BRIGHT: "bright",
    DARK: "dark",
    "#ffffff": "white",
}
"""The names of the colours of steps and rules in ``colours.css``."""


def colour_name(colour: str | None) -> str | None:
    """Return the name of a colour, or the colour itself if it has none."""
    return None if colour is None else COLOURS.get(colour, colour)


def parts_of(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue, from 0 to 1."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def is_grey(colour: str) -> bool:
    """Return True if a colour is black, white or a shade between them."""
    return len(set(parts_of(colour))) == 1


def grey_of(colour: str) -> float:
    """Return the luma of a colour (ITU-R BT.601), from 0 for black to 1 for white."""
    red, green, blue = parts_of(colour)
    return red if red == green == blue else 0.299 * red + 0.587 * green + 0.114 * blue


def inks_of(colour: str) -> tuple[float, float, float, float]:
    """Return cyan, magenta, yellow and black, from 0 to 1, with full black replacement."""
    cyan, magenta, yellow = (1 - part for part in parts_of(colour))
    black = min(cyan, magenta, yellow)
    left = 1 - black or 1.0
    return (cyan - black) / left, (magenta - black) / left, (yellow - black) / left, black


def mix(colour: str, other: str, share: float) -> str:
    """Return a mixture of two colours; `share` is that of the other."""
    parts = (
        round(255 * ((1 - share) * a + share * b))
        for a, b in zip(parts_of(colour), parts_of(other), strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)
