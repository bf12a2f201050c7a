"""A step of the logic solver on Nurikabe: cells that get a colour, and why."""

from dataclasses import dataclass

from nando.solvers.logic.technique import Technique


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
    contradiction : str
        The contradiction, in words.
    """

    technique: Technique
    rating: float
    cells: tuple[int, ...]
    colour: int
    reason: tuple[int, ...]
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction: str = ""
