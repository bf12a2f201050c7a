"""A variant of Sudoku during solving: filled cells and pencil marks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Values, Variant
from nando.puzzles.frozen import EqualFields
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.variants.network import Network, Origins, network_of


@dataclass(frozen=True, eq=False)
class VariantMarks(EqualFields):
    """A partly filled variant with its candidates. It is immutable.

    Attributes
    ----------
    puzzle : Variant
    values : ndarray of int8, shape (n_places,)
        Digit of each filled cell, 0 for a blank and where the board has no cell.
    candidates : ndarray of bool, shape (n_places, size)
        Whether a blank may be a digit, counted from 0; False where filled and where there is no
        cell.

    Examples
    --------
    >>> marks = VariantMarks.of(Variant("4x4+killer:r1c1r1c2:3+odd:r4c4"))
    >>> marks.n_blanks, marks.digits(15), marks.house(0)
    (16, (1, 3), (0, 1, 2, 3))
    """

    puzzle: Variant
    values: Values
    candidates: NDArray[np.bool_]

    @classmethod
    def of(cls, puzzle: Variant) -> Self:
        """Return the marks before the first step.

        A cell has all candidates that no given in a house or a group of different cells rules
        out, and that marks on the cell itself allow.
        """
        return cls.standing(puzzle, puzzle.givens)

    @classmethod
    def standing(
        cls, puzzle: Variant, values: Values, candidates: NDArray[np.bool_] | None = None
    ) -> Self:
        """Return the marks of a half-solved grid as they stand, right or wrong.

        Parameters
        ----------
        puzzle : Variant
        values : ndarray of int8, shape (n_places,)
            Digit of each filled cell, 0 for a blank; givens are filled in anyway.
        candidates : ndarray of bool, shape (n_places, size), or None
            The pencil marks. None, and a blank without any, take all digits. Marks that a filled
            cell or a rule on a single cell rules out are dropped.

        Raises
        ------
        ValueError
            For arrays of other shapes, digits that the grid does not have, and a filled cell that
            contradicts a given.
        """
        n, given = puzzle.size, puzzle.givens
        if values.shape != given.shape:
            raise ValueError(f"values must have shape {given.shape}, got {values.shape}")
        if candidates is not None and candidates.shape != (given.size, n):
            raise ValueError(
                f"candidates must have shape ({given.size}, {n}), got {candidates.shape}"
            )
        if values.min() < 0 or values.max() > n:
            raise ValueError(f"values must be 0 to {n}, got {values.min()} to {values.max()}")
        other = np.flatnonzero((given > 0) & (values > 0) & (given != values))
        if other.size:
            raise ValueError(f"{puzzle.cell_name(int(other[0]))} is given: it cannot be changed")
        network, _ = network_of(puzzle)
        filled = np.where(given > 0, given, values).astype(np.int8)
        marks = np.zeros((given.size, n), np.bool_)
        marks[puzzle.places] = (network.start[:, None] >> np.arange(n) & 1).astype(np.bool_)
        # The mask of a given is its digit alone, which a filled cell does not show.
        if candidates is not None:
            kept = candidates.copy()
            kept[~kept.any(axis=1)] = True
            marks &= kept
        made = cls(puzzle, filled, marks)
        for place in np.flatnonzero(filled).tolist():
            made._fill(marks, place, int(filled[place]))
        return made

    @classmethod
    def read(cls, text: str, puzzle: Variant | None = None) -> Self | None:
        """Return the marks in a text, as :func:`nando.puzzles.read_standing` reads them.

        None for a text that tells nothing but a puzzle.

        Raises
        ------
        PuzzleError
            For a text that is not a variant, or is one of another puzzle.
        """
        from nando.puzzles import read_standing  # only where a text is read: readers are many

        found = read_standing(text, puzzle, Variant)
        if found is None:
            return None
        assert isinstance(found.puzzle, Variant)
        return cls.standing(found.puzzle, found.entries, found.candidates)

    def after(self, step: VariantStep) -> Self:
        """Return the marks after the step."""
        values, candidates = self.values.copy(), self.candidates.copy()
        for place, digit in step.eliminations:
            candidates[place, digit - 1] = False
        if step.placement is not None:
            place, digit = step.placement
            values[place] = digit
            self._fill(candidates, place, digit)
        return type(self)(self.puzzle, values, candidates)

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int((self.values[self.puzzle.places] == 0).sum())

    def digits(self, place: int) -> tuple[int, ...]:
        """Return the candidates of a cell."""
        return self._digits[place]

    @cached_property
    def _digits(self) -> list[tuple[int, ...]]:
        return [
            tuple(digit for digit, may_be in enumerate(row, 1) if may_be)
            for row in self.candidates.tolist()
        ]

    @property
    def network(self) -> Network:
        """The constraints of the puzzle; its cells are places of ``puzzle.board.cells``."""
        return network_of(self.puzzle)[0]

    @property
    def origins(self) -> Origins:
        """The rules that the constraints follow from."""
        return network_of(self.puzzle)[1]

    def house(self, house: int) -> tuple[int, ...]:
        """Return the cells of a house."""
        places = self.puzzle.places
        return tuple(places[cell] for cell in layout_of(self.puzzle)[0].houses[house].tolist())

    def houses_of(self, places: tuple[int, ...]) -> set[int]:
        """Return the houses that hold all of the cells."""
        layout, _ = layout_of(self.puzzle)
        start = layout.cell_house_start
        houses = (
            layout.cell_houses[start[cell] : start[cell + 1]].tolist()
            for cell in (self._cell_at[place] for place in places)
        )
        return set.intersection(*map(set, houses))

    def rule_of_house(self, house: int) -> int:
        """Return the place of the rule that a house comes from; -1 for rows and columns."""
        return layout_of(self.puzzle)[1].houses[house]

    def places(self, house: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a house that may be a digit."""
        return tuple(place for place in self.house(house) if self.candidates[place, digit - 1])

    def sees(self, place: int, other: int) -> bool:
        """Return True if two different cells cannot hold the same digit."""
        return other in self._peers(place)

    def bars(self, place: int, digit: int, other: int, second: int) -> bool:
        """Return True if a relation of two cells keeps a digit in one from a digit in the other."""
        layout, _ = layout_of(self.puzzle)
        cell, to = self._cell_at[place], self._cell_at[other]
        for arc in range(*layout.arc_start[cell : cell + 2].tolist()):
            if layout.arc_cell[arc] == to:
                allowed = int(layout.tables[layout.arc_table[arc], digit - 1])
                return allowed >> second - 1 & 1 == 0
        return False

    def _peers(self, place: int) -> list[int]:
        places, (layout, _) = self.puzzle.places, layout_of(self.puzzle)
        cell = self._cell_at[place]
        first, end = layout.peer_start[cell : cell + 2].tolist()
        return [places[peer] for peer in layout.peers[first:end].tolist()]

    @cached_property
    def _cell_at(self) -> dict[int, int]:
        return {place: cell for cell, place in enumerate(self.puzzle.places)}

    def _fill(self, candidates: NDArray[np.bool_], place: int, digit: int) -> None:
        candidates[place] = False
        candidates[self._peers(place), digit - 1] = False
