"""A variant of Sudoku during solving: filled cells and pencil marks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.solvers.logic.marks import CandidateMarks
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.variants.network import Network, Origins, network_of


@dataclass(frozen=True, eq=False)
class VariantMarks(CandidateMarks[Variant]):
    """A partly filled variant with its candidates. It is immutable.

    Attributes
    ----------
    puzzle : Variant
    values : ndarray of int8, shape (n_places,)
        Digit of each filled cell, 0 for a blank and where the board has no cell.
    candidates : ndarray of bool, shape (n_places, size)
        Candidates of each cell; column d is for digit d + 1. All False for a filled cell, and where
        the board has no cell.

    Examples
    --------
    >>> marks = VariantMarks.of(Variant("4x4+killer:r1c1r1c2:3+odd:r4c4"))
    >>> marks.n_blanks, marks.digits(15), marks.house(0)
    (16, (1, 3), (0, 1, 2, 3))
    """

    _kind = Variant

    @classmethod
    def _every(cls, puzzle: Variant) -> NDArray[np.bool_]:
        network, _ = network_of(puzzle)
        every = np.zeros((puzzle.givens.size, puzzle.size), np.bool_)
        # This includes the digits of givens; `_fill_all` removes all candidates of filled cells.
        every[puzzle.places] = network.start[:, None] >> np.arange(puzzle.size) & 1
        return every

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int((self.values[self.puzzle.places] == 0).sum())

    @property
    def network(self) -> Network:
        """The constraints of the puzzle; cells are indices into ``puzzle.board.cells``."""
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
        """Return the index of the rule that a house comes from; -1 for rows and columns."""
        return layout_of(self.puzzle)[1].houses[house]

    def sees(self, place: int, other: int) -> bool:
        """Return True if two different cells cannot hold the same digit."""
        sees = layout_of(self.puzzle)[0].sees
        return bool(sees[self._cell_at[place], self._cell_at[other]])

    def bars(self, place: int, digit: int, other: int, second: int) -> bool:
        """Return True if a relation forbids `digit` in a cell together with `second` in another."""
        layout, _ = layout_of(self.puzzle)
        cell, to = self._cell_at[place], self._cell_at[other]
        for arc in range(*layout.arc_start[cell : cell + 2].tolist()):
            if layout.arc_cell[arc] == to:
                allowed = int(layout.tables[layout.arc_table[arc], digit - 1])
                return allowed >> second - 1 & 1 == 0
        return False

    def _fill_all(self, candidates: NDArray[np.bool_]) -> None:
        # Vectorised, because a samurai has many cells and givens.
        places, (layout, _) = np.array(self.puzzle.places), layout_of(self.puzzle)
        digit = np.repeat(self.values[places], np.diff(layout.peer_start))
        filled = digit > 0
        candidates[places[layout.peers[filled]], digit[filled] - 1] = False
        candidates[self.values > 0] = False

    def _peers(self, place: int) -> list[int]:
        places, (layout, _) = self.puzzle.places, layout_of(self.puzzle)
        cell = self._cell_at[place]
        first, end = layout.peer_start[cell : cell + 2].tolist()
        return [places[peer] for peer in layout.peers[first:end].tolist()]

    @cached_property
    def _cell_at(self) -> dict[int, int]:
        return {place: cell for cell, place in enumerate(self.puzzle.places)}
