"""What Sudoku Explainer, HoDoKu and SudokuWiki call each family."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nando.names import Style

STYLES: dict[Style, str] = {
    "nando": "nando's own names",
    "se": "Sudoku Explainer and Sukaku Explainer",
    "hodoku": "HoDoKu",
    "sudokuwiki": "SudokuWiki",
}
"""The styles of names, and whose they are."""


class _Names(NamedTuple):
    """The names of a family; None where a program has none, and the step keeps a plainer one."""

    se: str | None
    hodoku: str | None
    sudokuwiki: str | None


_LONGEST_LOOP = 50
"""Cells of the longest unique loop of a 25x25."""


def _names() -> Iterator[tuple[str, _Names]]:
    """Yield the names of each family: those of the table, and of unique loops by their length."""
    with (Path(__file__).parent / "names.csv").open(encoding="utf-8", newline="") as file:
        for family, *names in list(csv.reader(file))[1:]:
            yield family, _Names(*(name or None for name in names))
    for n in (1, 2, 3, 4):
        for size in range(8, _LONGEST_LOOP + 1, 2):
            own = _Names(f"Unique Loop {size} type {n}", None, "Extended Unique Rectangle")
            yield f"unique loop type {n}: {size} cells", own


NAMES = dict(_names())
"""The names of every family.

Neither Explainer knows fins: it describes the chain that it has found. SudokuWiki has no fins of
jellyfish.
"""


def styled_name(style: str, family: str, plain: str) -> str:
    """Return what a program calls a step of a family, or else of its plain technique.

    Raises
    ------
    ValueError
        For an unknown style.
    """
    if style not in STYLES or style == "nando":
        raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")
    # The Explainers tell chains by their links, whatever pattern these make.
    wanted = (plain, family) if style == "se" and plain in _SE_TELLS else (family, plain)
    for name in wanted:
        found: str | None = getattr(NAMES[name], style)
        if found is not None:
            return found
    return plain[0].upper() + plain[1:]


_SE_TELLS = ("forcing X-chain", "forcing chain")
