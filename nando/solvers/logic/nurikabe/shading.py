"""A Nurikabe during solving: white, black and open cells."""

from dataclasses import dataclass
from typing import Self

from nando.puzzles import Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe.puzzle import WHITE, Nurikabe
from nando.solvers.logic.nurikabe.step import NurikabeStep


@dataclass(frozen=True, eq=False)
class Shading(EqualFields):
    """A partly shaded Nurikabe. It is immutable.

    Attributes
    ----------
    puzzle : Nurikabe
    values : ndarray of int8, shape (n_cells,)
        1 white, 2 black, 0 open.

    Examples
    --------
    >>> shading = Shading.of(Nurikabe(".3..1/...../..2../...../.4.2."))
    >>> shading.n_blanks
    20
    >>> shading.island(1)
    (1,)
    """

    puzzle: Nurikabe
    values: Values

    @classmethod
    def of(cls, puzzle: Nurikabe) -> Self:
        """Return the board before the first step: only the numbers are white."""
        return cls(puzzle, puzzle.givens.copy())

    @classmethod
    def read(cls, text: str, puzzle: Nurikabe | None = None) -> Self | None:
        """Return the coloured cells in a text, as :func:`nando.puzzles.read_standing` reads them.

        None for a text that tells nothing but a puzzle.

        Raises
        ------
        PuzzleError
            For a text that is not a Nurikabe, or is one of another puzzle.
        """
        from nando.puzzles import read_standing  # only where a text is read: readers are many

        found = read_standing(text, puzzle, Nurikabe)
        if found is None:
            return None
        assert isinstance(found.puzzle, Nurikabe)
        return cls(found.puzzle, found.entries)

    def after(self, step: NurikabeStep) -> Self:
        """Return the board after the step."""
        values = self.values.copy()
        values[list(step.cells)] = step.colour
        return type(self)(self.puzzle, values)

    @property
    def n_blanks(self) -> int:
        """Number of open cells."""
        return int((self.values == 0).sum())

    @property
    def n_white(self) -> int:
        """Number of white cells."""
        return int((self.values == WHITE).sum())

    def island(self, cell: int) -> tuple[int, ...]:
        """Return the cells joined to a cell by cells of its colour, in order."""
        return tuple(sorted(self.puzzle._part(cell, self.values.tolist())))

    def numbers_in(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of the cells that have a number."""
        return tuple(cell for cell in cells if self.puzzle.numbers[cell])
