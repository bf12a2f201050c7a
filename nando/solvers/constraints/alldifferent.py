"""Filtering the candidates of a Sudoku: AC-3, Hall intervals, Hall sets.

Source: Soto et al. 2015, "A hybrid alldifferent-tabu search algorithm for solving Sudoku
puzzles", with AC-3 from the same authors' search of 2013.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.solvers.sudoku.domain_filters import (
    STRENGTHS,
    given_domains,
    propagate,
    sizes_of,
    values_of,
)

DomainFilter = Literal["ac3", "alldifferent", "gac"]


@dataclass(frozen=True, eq=False)
class FilteredDomains(EqualFields):
    """The candidates of a puzzle that a filter left.

    Attributes
    ----------
    candidates : ndarray of int32, shape (n_cells,)
        Bit d for value d + 1; all 0 if the filter found that there is no solution.
    consistent : bool
        Whether no such proof was found.
    reduction : float
        Percentage of the candidates beyond one a cell that were removed, of those that all
        values make in every blank; 100 if no cell is open, not a number without consistency.
    """

    candidates: NDArray[np.int32]
    consistent: bool
    reduction: float

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of candidates of each cell, shape ``(n_cells,)``."""
        return sizes_of(self.candidates)

    @property
    def solution(self) -> Values | None:
        """The values, shape ``(n_cells,)``, where filtering solved the puzzle."""
        return values_of(self.candidates) if (self.sizes == 1).all() else None


def filter_domains(puzzle: Sudoku, domain_filter: DomainFilter = "alldifferent") -> FilteredDomains:
    """Filter the candidates of a puzzle to the fixed point over all houses.

    Parameters
    ----------
    puzzle : Sudoku
    domain_filter : {"ac3", "alldifferent", "gac"}
        AC-3 on the constraints that peers differ, which takes the value of every cell with one
        candidate from its peers; Hall intervals, the bounds consistency by which the paper
        filters alldifferent: where as many cells as an interval of values has members have no
        candidate outside of it, it is taken from the others; or the same for all sets of values,
        which leaves just the candidates that have a place in some filling of each house.

    Raises
    ------
    ValueError
        For another filter.
    TypeError
        For another kind of puzzle.

    Notes
    -----
    Hall intervals depend on the order of the values: relabelled puzzles differ. The other two
    filters do not.

    Source: Soto et al. 2015, whose table of reductions does not define them; this is our reading.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> escargot = Sudoku(
    ...     "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
    ... )
    >>> [round(filter_domains(escargot, name).reduction, 2) for name in ("ac3", "gac")]
    [64.44, 65.73]
    """
    if domain_filter not in ("ac3", "alldifferent", "gac"):
        raise ValueError(
            f"domain_filter must be 'ac3', 'alldifferent' or 'gac', got {domain_filter!r}"
        )
    if not isinstance(puzzle, Sudoku):
        raise TypeError(f"filter_domains takes a Sudoku, got {puzzle!r}")
    domains = given_domains(puzzle)
    n_cells = puzzle.layout.n_cells
    before = int(sizes_of(domains.candidates).sum()) - n_cells
    if not propagate(domains, puzzle.layout, STRENGTHS[domain_filter]):
        return FilteredDomains(np.zeros(n_cells, np.int32), False, float("nan"))
    after = int(sizes_of(domains.candidates).sum()) - n_cells
    reduction = 100.0 * (before - after) / before if before else 100.0
    return FilteredDomains(domains.candidates, True, reduction)
