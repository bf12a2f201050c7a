"""Several steps in one picture, with their sentences below them."""

import textwrap
from collections.abc import Sequence

from nando.drawing.grid import MARGIN
from nando.drawing.shapes import Picture, Shape, Text, moved
from nando.drawing.walks.printed import Panel

_CAPTION, _LEADING, _GAP = 0.3, 0.44, 0.5
"""Type and line of a caption, and room between panels, in cells."""


def sheet_of(panels: Sequence[Panel], *, captions: bool = True) -> Picture:
    """All panels in one picture, row by row."""
    n_columns = min(len(panels), max(1, round((len(panels) * 1.6) ** 0.5)))
    width, tall = panels[0].picture.width, panels[0].picture.height
    # A character of the type is a little over half as wide as it is high.
    line = int((width - MARGIN) / (0.57 * _CAPTION))
    shapes: list[Shape] = []
    top = 0.0
    for start in range(0, len(panels), n_columns):
        deepest = 0.0
        for i, panel in enumerate(panels[start : start + n_columns]):
            left = i * (width + _GAP)
            shapes += moved(panel.picture.shapes, left, top)
            said = textwrap.wrap(f"{panel.number}. {panel.sentence}", line) if captions else []
            for k, text in enumerate(said):
                y = top + tall + 0.3 + k * _LEADING
                shapes.append(Text(left + MARGIN, y, text, _CAPTION, align="start"))
            deepest = max(deepest, tall + len(said) * _LEADING + _GAP)
        top += deepest
    return Picture(n_columns * (width + _GAP) - _GAP, top - _GAP + 0.15, tuple(shapes))
