"""Names of the colours of steps, by which pages show them light on dark as well."""

from nando.drawing.nurikabe.steps import RIVER
from nando.drawing.shapes import FAINT, GREY, INK
from nando.drawing.style import BASE, BLUE, CELL, COVER, GREEN, PLACED, RED

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
    "#ffffff": "white",
}
"""The colours of steps, by the names that they have in ``colours.css``."""


def colour_name(colour: str | None) -> str | None:
    """The name of a colour; one without a name is told as it is."""
    return None if colour is None else COLOURS.get(colour, colour)
