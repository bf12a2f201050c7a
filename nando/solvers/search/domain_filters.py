"""Filters that shrink the candidates of cells by the rule that a house holds each value once.

Three filters of growing strength run to the fixed point over all houses, which does not depend on
the order of the houses:

* AC-3 removes the value of a cell with one candidate from its peers.
* Hall intervals: if as many cells as an interval has values have all their candidates in it, the
  interval is removed from the other cells of the house.
* Hall sets do the same for all sets of values (generalised arc consistency, by Regin's matching).

AC-3 always runs first. The two stronger filters therefore see only the open cells of a house and
its free values, and there are equally many of both.

Source: Mackworth 1977; Puget 1998; Regin 1994. Soto et al. 2015, "A hybrid alldifferent-tabu search
algorithm for solving Sudoku puzzles", with AC-3 from the same authors' search of 2013.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import highest_bit, inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.puzzles import Sudoku, Values
from nando.puzzles.frozen import EqualFields

DomainFilter = Literal["ac3", "alldifferent", "gac"]

STRENGTHS = {"none": 0, "ac3": 1, "alldifferent": 2, "gac": 3}
"""Number of each filter. The first removes nothing; it only detects peers with the same value."""

_NONE = STRENGTHS["none"]
_AC3 = STRENGTHS["ac3"]
_HALL_INTERVALS = STRENGTHS["alldifferent"]


@dataclass(frozen=True, eq=False)
class FilteredDomains(EqualFields):
    """The candidates of a puzzle that a filter left.

    Attributes
    ----------
    candidates : ndarray of int32, shape (n_cells,)
        Bit d for value d + 1; all 0 if the filter found that there is no solution.
    consistent : bool
        False if the filter found that there is no solution.
    reduction : float
        Percentage of the candidates that were removed, not counting one for each cell. Before
        filtering, each blank has all values. 100 if no cell is open; NaN if not `consistent`.
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
        """The values, shape ``(n_cells,)``, if filtering solved the puzzle, else None."""
        return values_of(self.candidates) if (self.sizes == 1).all() else None


def filter_domains(puzzle: Sudoku, domain_filter: DomainFilter = "alldifferent") -> FilteredDomains:
    """Filter the candidates of a puzzle to the fixed point over all houses.

    Parameters
    ----------
    puzzle : Sudoku
    domain_filter : {"ac3", "alldifferent", "gac"}
        "ac3" removes the value of every cell with one candidate from its peers. "alldifferent"
        filters by Hall intervals, the bounds consistency of the paper: if as many cells as an
        interval has values have no candidate outside it, the interval is removed from the other
        cells. "gac" does the same for all sets of values; it leaves exactly the candidates that
        appear in some filling of each house.

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


class Domains(NamedTuple):
    """Candidates of all cells, and the work left for the filters.

    Attributes
    ----------
    candidates : ndarray of int32, shape (n_cells,)
        Bit d for value d + 1.
    singles : ndarray of int16, shape (n_cells,)
        Stack of cells with one candidate that has not yet been removed from their peers.
    changed : ndarray of uint8, shape (3 * size,)
        1 for houses that changed since they were filtered, else 0.
    n_singles : ndarray of int64, shape (1,)
        Number of cells on the stack.
    scratch : ndarray of int64, shape (5, size)
        Workspace of the filter of one house; its functions name the rows.
    """

    candidates: NDArray[np.int32]
    singles: NDArray[np.int16]
    changed: NDArray[np.uint8]
    n_singles: NDArray[np.int64]
    scratch: NDArray[np.int64]


def domains_of(candidates: NDArray[np.int32], size: int) -> Domains:
    """Return unfiltered domains of these candidates, which filters change in place."""
    n_cells = len(candidates)
    single = np.flatnonzero(sizes_of(candidates) == 1)
    stack = np.zeros(n_cells, np.int16)
    stack[: len(single)] = single
    return Domains(
        candidates,
        stack,
        np.ones(3 * size, np.uint8),
        np.array([len(single)], np.int64),
        np.zeros((5, size), np.int64),
    )


def given_domains(puzzle: Sudoku) -> Domains:
    """Return the domains before filtering: a given has its value, any other cell all values."""
    every = (1 << puzzle.size) - 1
    givens = puzzle.givens.astype(np.int32)
    candidates = np.where(givens > 0, 1 << np.maximum(givens - 1, 0), every).astype(np.int32)
    return domains_of(candidates, puzzle.size)


def sizes_of(candidates: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of candidates of each cell."""
    sizes: NDArray[np.int64] = _bits_of(candidates).sum(axis=1)
    return sizes


def values_of(singles: NDArray[np.int32]) -> Values:
    """Return the value of each cell if every cell has one candidate."""
    values: Values = (1 + _bits_of(singles).argmax(axis=1)).astype(np.int8)
    return values


def _bits_of(candidates: NDArray[np.int32]) -> NDArray[np.int64]:
    return (candidates[:, None] >> np.arange(25)) & 1


@lean_kernel
def propagate(domains, layout, strength):
    """Filter all changed houses to the fixed point; return False at a contradiction."""
    consistent = _propagate(domains, layout, strength)
    if not consistent:
        domains.n_singles[0] = 0
        for house in range(domains.changed.shape[0]):
            domains.changed[house] = 0
    return consistent


@inlined_kernel
def restrict(domains, layout, cell, mask):
    """Reduce a cell to the candidates in `mask`: at least one, and fewer than it has."""
    domains.candidates[cell] = mask
    for k in range(3):
        domains.changed[layout.house_of[cell, k]] = 1
    if mask & (mask - 1) == 0:
        domains.singles[domains.n_singles[0]] = cell
        domains.n_singles[0] += 1


@lean_kernel
def n_open(candidates):
    """Return the number of cells with more than one candidate."""
    total = 0
    for cell in range(candidates.shape[0]):
        mask = int(candidates[cell])
        if mask & (mask - 1):
            total += 1
    return total


@inlined_kernel
def open_cells_of(domains, layout, house, cells):
    """Write the open cells of a house into `cells`; return their number and the free values."""
    count = 0
    free = (1 << layout.size) - 1
    for i in range(layout.size):
        cell = int(layout.houses[house, i])
        mask = int(domains.candidates[cell])
        if mask & (mask - 1):
            cells[count] = cell
            count += 1
        else:
            free &= ~mask
    return count, free


@lean_kernel
def match(candidates, start, scratch):
    """Match a cell with a value along a shortest augmenting path; return False if there is none.

    Parameters
    ----------
    candidates : ndarray of int32, shape (n_cells,)
    start : int
        Index of the cell in the first row of `scratch`.
    scratch : ndarray of int64, shape (5, size)
        The open cells; the value that each holds; the index of the cell that holds each value, or
        -1; two rows of workspace. The second and third row are changed in place.
    """
    cells, held, holder, came_from, queue = scratch
    queue[0] = start
    head = 0
    tail = 1
    seen = 0
    while head < tail:
        i = queue[head]
        head += 1
        left = int(candidates[cells[i]]) & ~seen
        seen |= left
        while left:
            value = lowest_bit(left)
            left &= left - 1
            came_from[value] = i
            if holder[value] >= 0:
                queue[tail] = holder[value]
                tail += 1
                continue
            while value >= 0:
                i = came_from[value]
                before = held[i]
                held[i] = value
                holder[value] = i
                value = before
            return True
    return False


@lean_kernel
def _propagate(domains, layout, strength):
    house = 0
    while house < domains.changed.shape[0]:
        while domains.n_singles[0] > 0:
            if not _spread_single(domains, layout, strength):
                return False
        if not domains.changed[house]:
            house += 1
            continue
        domains.changed[house] = 0
        if strength > _AC3:
            if strength == _HALL_INTERVALS:
                consistent = _filter_intervals(domains, layout, house)
            else:
                consistent = _filter_sets(domains, layout, house)
            if not consistent:
                return False
            house = 0
    return True


@lean_kernel
def _spread_single(domains, layout, strength):
    """Remove the single on top of the stack from its peers; return False if a peer has it, too."""
    domains.n_singles[0] -= 1
    cell = int(domains.singles[domains.n_singles[0]])
    single = int(domains.candidates[cell])
    for k in range(layout.peers.shape[1]):
        peer = int(layout.peers[cell, k])
        mask = int(domains.candidates[peer])
        if mask == single:
            return False
        if strength > _NONE and mask & single:
            restrict(domains, layout, peer, mask & ~single)
    return True


@lean_kernel
def _filter_intervals(domains, layout, house):
    """Filter a house by Hall intervals; return False at a contradiction.

    Only the free values are numbered: placed values inside an interval make no difference to the
    open cells.
    """
    cells, bits, lows, highs, ends = domains.scratch
    count, free = open_cells_of(domains, layout, house, cells)
    left = free
    for i in range(count):
        mask = int(domains.candidates[cells[i]])
        lows[i] = n_bits(free & ((mask & -mask) - 1))
        highs[i] = n_bits(free & (2 << highest_bit(mask)) - 1) - 1
        bits[i] = left & -left
        left &= left - 1
    for i in range(count):
        ends[i] = 0
    for low in range(count - 1, -1, -1):
        # ends: for each value, the number of cells whose highest value it is and whose lowest is
        # at least `low`
        for i in range(count):
            if lows[i] == low:
                ends[highs[i]] += 1
        inside = 0
        interval = 0
        for high in range(low, count):
            inside += ends[high]
            interval |= bits[high]
            if inside > high - low + 1:
                return False
            if inside == high - low + 1:
                for i in range(count):
                    mask = int(domains.candidates[cells[i]])
                    outside = mask & ~interval
                    if outside and outside != mask:
                        restrict(domains, layout, cells[i], outside)
    return True


@lean_kernel
def _filter_sets(domains, layout, house):
    """Filter a house by Hall sets of all sizes; return False at a contradiction.

    Every open cell is matched with a free value. A further value of a cell is in some full matching
    if and only if an alternating cycle leads from the value's holder back to the cell.
    """
    cells, held, holder, _, reached = domains.scratch
    count, _ = open_cells_of(domains, layout, house, cells)
    for value in range(holder.shape[0]):
        holder[value] = -1
    for i in range(count):
        held[i] = -1
        if not match(domains.candidates, i, domains.scratch):
            return False
    for i in range(count):
        reached[i] = _holders(int(domains.candidates[cells[i]]), holder)
    for k in range(count):
        for i in range(count):
            if reached[i] >> k & 1:
                reached[i] |= reached[k]
    for i in range(count):
        mask = int(domains.candidates[cells[i]])
        kept = 0
        left = mask
        while left:
            if reached[holder[lowest_bit(left)]] >> i & 1:
                kept |= left & -left
            left &= left - 1
        if kept != mask:
            restrict(domains, layout, cells[i], kept)
    return True


@inlined_kernel
def _holders(mask, holder):
    """Return the indices of the cells that hold the values of a mask, as bits."""
    total = 0
    while mask:
        total |= 1 << holder[lowest_bit(mask)]
        mask &= mask - 1
    return total
