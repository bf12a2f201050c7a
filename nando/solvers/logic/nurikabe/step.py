"""A step of the logic solver on Nurikabe: cells that get a colour, and why."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from nando.solvers.logic.technique import Technique


class Broken(Enum):
    """What is wrong with a board that can no longer be solved."""

    POOL = "pool"
    JOINED = "joined"
    TOO_LARGE = "too_large"
    SHUT_IN = "shut_in"
    NUMBERLESS = "numberless"
    RIVER_APART = "river_apart"
    NO_ROOM = "no_room"


class Contradiction(NamedTuple):
    """A rule that a board can no longer keep.

    Attributes
    ----------
    rule : Broken
    cells : tuple of int
        The first cell of the block, or the cells with the numbers of the islands.
    wanted, size : int
        Cells that an island should have, and those that it would have.
    """

    rule: Broken
    cells: tuple[int, ...] = ()
    wanted: int = 0
    size: int = 0


@dataclass(frozen=True)
class NurikabeStep:
    """One step: cells that get a colour, and why.

    Attributes
    ----------
    technique : Technique
    rating : float
    cells : tuple of int
        Cells decided, row by row from 0.
    colour : int
        What they become: 1 white, 2 black.
    reason : tuple of int
        Cells to look at: the island, the block, the parts of the river that would fall apart; in
        a dilemma the cell that has either colour.
    supposed : tuple of (cell, colour)
        In a what-if, the assumed colour, then its consequences up to the contradiction.
    contradiction : Contradiction or None
        The rule that the board of a what-if can no longer keep.
    """

    technique: Technique
    rating: float
    cells: tuple[int, ...]
    colour: int
    reason: tuple[int, ...]
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction: Contradiction | None = None
