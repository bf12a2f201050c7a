"""Chains, aligned exclusion and uniqueness on variants, found by the searches for Sudoku.

To these searches a variant is a grid whose houses have any shape. Its other rules on two cells are
further weak links. The searches ignore sums and patterns.
"""

from nando.puzzles import Variant
from nando.solvers.logic.kernel_numbers import (
    ALIGNED,
    BIVALUE_UNIVERSAL_GRAVE,
    CHAIN,
    FORCING,
    NESTED_FORCING,
    UNIQUE_LOOP,
)
from nando.solvers.logic.sudoku_chains.chain import find_chain, list_chains
from nando.solvers.logic.sudoku_chains.forcing import find_forcing
from nando.solvers.logic.sudoku_chains.nested import find_nested_forcing
from nando.solvers.logic.sudoku_finders.aligned import find_aligned
from nando.solvers.logic.sudoku_finders.bug import find_bug
from nando.solvers.logic.sudoku_finders.finding import Finding
from nando.solvers.logic.sudoku_finders.grid import Grid
from nando.solvers.logic.sudoku_finders.loops import find_unique_loop
from nando.solvers.logic.sudoku_finders.state import LogicState
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.variants.tables import Ints

SEARCHES = ALIGNED, UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE, CHAIN, FORCING, NESTED_FORCING
"""Techniques of the searches."""

TRUSTING = UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE
"""Searches that rely on the puzzle having a single solution."""


def trusts(puzzle: Variant) -> bool:
    """Return True if the searches in `TRUSTING` are sound for a puzzle.

    They need two digits that can be exchanged wherever houses and pairs of cells allow it. Sums and
    patterns could distinguish the two solutions.
    """
    layout, _ = layout_of(puzzle)
    return layout.sum_totals.size + layout.pattern_first.size == 0


def search(
    grid: Grid, marks: LogicState, finding: Finding, trial: Finding, effort: Ints, rung: Ints
) -> bool:
    """Find the easiest step of a rung and write it; return False if there is none.

    Parameters
    ----------
    grid : Grid
    marks : LogicState
    finding, trial : Finding
        The step, and one that is compared with it. If `finding` lists all steps, it lists the
        shortest chains of each kind.
    effort : ndarray of int64, shape (1,)
        Number of searches for nested chains that are left.
    rung : ndarray of int64, shape (3,)
    """
    number, degree, rating = rung.tolist()
    if number == ALIGNED:
        return bool(find_aligned(marks, grid, finding, degree, rating))
    if number == UNIQUE_LOOP:
        return bool(find_unique_loop(marks, grid, finding, trial, rating))
    if number == BIVALUE_UNIVERSAL_GRAVE:
        return bool(find_bug(marks, grid, finding, trial, rating))
    if number == CHAIN and finding.head[0]["listed"]:
        list_chains(marks, grid, finding, rating)
        return True
    if number == CHAIN:
        return bool(find_chain(marks, grid, finding, rating))
    if number == FORCING:
        return bool(find_forcing(marks, grid, finding, degree, rating))
    return bool(find_nested_forcing(marks, grid, finding, effort, degree, rating))
