"""Names of cells, numbers and colours in a language, and how they are listed in a sentence."""

from collections.abc import Iterable

from nando.puzzles.nurikabe.puzzle import BLACK, WHITE, Nurikabe
from nando.solvers.logic.language import Words, words_of

COLOURS = {WHITE: "white", BLACK: "black"}
"""Names of the colours for programs, and their keys in a table."""

_MOST = 8
"""Names of a list before it ends with a number."""


def nurikabe_words(language: str) -> Words:
    """The texts of steps on a Nurikabe, in a language."""
    return words_of(language, __package__)


class Names:
    """Names on a Nurikabe.

    Parameters
    ----------
    words : Words
    puzzle : Nurikabe

    Examples
    --------
    >>> names = Names(nurikabe_words("en"), Nurikabe("2../.../..1"))
    >>> names.number(0), names.cells([1, 2]), names.coloured("so", [1, 2], 2)
    ('the 2 at r1c1', 'r1c2 and r1c3', 'so r1c2 and r1c3 are black')
    """

    def __init__(self, words: Words, puzzle: Nurikabe) -> None:
        self.words = words
        self.puzzle = puzzle

    def cell(self, cell: int) -> str:
        """One cell."""
        return self.words.cell(cell, self.puzzle.shape[1])

    def cells(self, numbers: Iterable[int]) -> str:
        """Cells as a list in a sentence, cut where it is long."""
        return self.listed(map(self.cell, numbers))

    def listed(self, names: Iterable[str]) -> str:
        """Names as a list in a sentence, cut where it is long."""
        return self.words.first_listed([*names], _MOST)

    def number(self, cell: int) -> str:
        """The number in a cell, with its article."""
        number = int(self.puzzle.numbers[cell])
        key = "number.unknown" if number < 0 else "number.known"
        return self.words(key, number=number, cell=self.cell(cell))

    def colour(self, colour: int) -> str:
        """A colour."""
        return self.words(f"colour.{COLOURS[colour]}")

    def coloured(self, key: str, cells: tuple[int, ...] | list[int], colour: int) -> str:
        """The colour of cells as a sentence (key ``found``) or as a conclusion (``so``)."""
        return self.words.count(f"{key}.{COLOURS[colour]}", len(cells), cells=self.cells(cells))
