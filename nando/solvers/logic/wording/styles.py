"""The names that Sudoku Explainer, HoDoKu and SudokuWiki use for each family."""

from collections.abc import Iterator
from typing import NamedTuple

from nando.names import Style
from nando.tables import load_rows

STYLES: dict[Style, str] = {
    "nando": "nando's own names",
    "se": "Sudoku Explainer and Sukaku Explainer",
    "hodoku": "HoDoKu",
    "sudokuwiki": "SudokuWiki",
}
"""The styles of names, and the programs that they belong to."""


class _Names(NamedTuple):
    """The names of a family; None if a program has none, so that a plainer name is used."""

    se: str | None
    hodoku: str | None
    sudokuwiki: str | None


_LONGEST_LOOP = 50
"""Number of cells of the longest unique loop of a 25x25."""


def _names() -> Iterator[tuple[str, _Names]]:
    """Yield the names of each family: those of the table, and of unique loops by their length."""
    for row in load_rows("nando.solvers.logic.wording", "names.csv"):
        yield row.pop("family"), _Names(**{style: name or None for style, name in row.items()})
    for n in (1, 2, 3, 4):
        for size in range(8, _LONGEST_LOOP + 1, 2):
            own = _Names(f"Unique Loop {size} type {n}", None, "Extended Unique Rectangle")
            yield f"unique loop type {n}: {size} cells", own


NAMES = dict(_names())
"""The names of every family.

Neither Explainer knows fins; each describes the chain that it has found. SudokuWiki has no finned
jellyfish.
"""


def styled_name(style: str, family: str, plain: str) -> str:
    """Return a program's name for the family of a step, or else for its plain technique.

    Raises
    ------
    ValueError
        For an unknown style.
    """
    if style not in STYLES or style == "nando":
        raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")
    # The Explainers name chains by their links, whatever pattern these form.
    candidates = (plain, family) if style == "se" and plain in _SE_CHAINS else (family, plain)
    for name in candidates:
        styled: str | None = getattr(NAMES[name], style)
        if styled is not None:
            return styled
    return plain[0].upper() + plain[1:]


_SE_CHAINS = ("forcing X-chain", "forcing chain")
