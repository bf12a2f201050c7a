"""Steps of the logic solver on Sudoku, which those on variants extend."""

from dataclasses import dataclass

from nando.solvers.logic.technique import Technique


@dataclass(frozen=True)
class LogicStep:
    """One step: its pattern and its conclusion.

    Attributes
    ----------
    technique : Technique
    rating : float
    variant : int
        Type, 1 to 4, of a unique loop or bivalue universal grave. Of a chain: 1 a cycle on one
        digit, 2 through cells, 3 both; 4 a forcing chain on one digit, 5 through cells as well.
        Of nishio, multiple and dynamic forcing chains: 1 a candidate on or off, 2 the candidates
        of a cell, 3 the positions of a digit in a house, 4 a contradiction. Else 0.
    houses, cells, digits : tuple of int
        The pattern; houses are numbered rows, columns, boxes, digits from 1.
    placement : (cell, digit) or None
    eliminations : tuple of (cell, digit)
        Candidates removed, apart from those a placement rules out.
    links : tuple of (cell, digit, on, cell, digit, on)
        Links of a chain; empty for other steps. If the first candidate is true (`on`) or false,
        the second one is true or false, too, given the other links that lead to it. Each link
        comes after those that lead to its start. A cycle is listed once round, from a candidate
        that is true.
        Forcing chains are listed one after the other, one for each assumption. No link of a chain
        leads to its assumption. An assumption that is itself the conclusion has no chain. A
        contradiction is one chain, to a candidate that is true as well as false.
    """

    technique: Technique
    rating: float
    variant: int
    houses: tuple[int, ...]
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    placement: tuple[int, int] | None
    eliminations: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int, bool, int, int, bool], ...] = ()
