"""Moments of a game: the board as a person sees it before each fill.

A game is a puzzle and the order in which its blanks are filled with the solution. A moment is the
state of a game before a fill: the candidates; the singles, the ways in which they are seen, and
since when; and the cells that the next simplest techniques would fill. The candidates that filled
cells leave and the history of the game are updated at each fill. Everything else is recomputed,
which costs a few microseconds. What moments of variants share is in this file, too.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import (
    copy_values,
    inlined_kernel,
    kernel,
    lean_kernel,
    lowest_bit,
    n_bits,
)
from nando.puzzles import Sudoku
from nando.solvers.people.closures import remove_locked
from nando.solvers.people.fills.choices import refute_all
from nando.solvers.singles import SinglesState, shared_given_state

IN_ROW, IN_COLUMN, IN_BOX, NAKED = (1 << i for i in range(4))
"""Ways in which an open cell is a single, as bits: hidden in a house, naked."""

SINGLE, LOCKED, SUBSET, UNSUPPORTED = range(4)
"""Support of a fill: a single; a single after locked candidates are removed once; a single after
locked candidates and pairs are removed until nothing changes; none of these."""

LAST, BEFORE, N_FILLED, N_BLANKS, N_SINGLES = range(5)
"""Indices in `Moment.history`."""


class Moment(NamedTuple):
    """A partly filled Sudoku as a person sees it; all arrays are changed in place.

    Attributes
    ----------
    values : ndarray of int8, shape (n_cells,)
        0 where open.
    candidates : ndarray of int32, shape (n_cells,)
        Candidates that the filled cells leave: bit d for digit d + 1; 0 where filled.
    reduced : ndarray of int32, shape (n_cells,)
        Candidates after eliminations.
    lone : ndarray of int64, shape (3 * size,)
        Digits with one place in each house.
    places : ndarray of int64, shape (size,)
        Workspace: the places of each digit in a house, as bits.
    ways : ndarray of uint8, shape (n_cells,)
        Bits: hidden single in row, column, box; naked single.
    support : ndarray of uint8, shape (n_cells,)
        `SINGLE`, `LOCKED`, `SUBSET` or `UNSUPPORTED`, for open cells.
    empties : ndarray of int16, shape (3 * size,)
        Open cells of each house.
    seen_since : ndarray of int16, shape (n_cells,)
        Number of fills after which the cell became a single, -1 before that.
    placed_when_seen : ndarray of int16, shape (n_cells,)
        Number of cells that had the cell's digit at that time.
    digit_filled : ndarray of int16, shape (size,)
        Number of the last fill of each digit, -1 before that.
    refutation : ndarray of int16, shape (n_cells,)
        Number of steps that refute the wrong candidates of each cell, 0 if none do; only updated
        at impasses.
    digit_placed : ndarray of int16, shape (size,)
        Cells that have each digit.
    digit_singles : ndarray of int16, shape (size,)
        Cells that are singles now, by the digit of the solution.
    history : ndarray of int16, shape (5,)
        Last and last but one cell filled, or -1; fills so far; blanks of the puzzle; cells that
        are singles now.
    given : SinglesState
        The puzzle without a fill; never changed.
    """

    values: NDArray[np.int8]
    candidates: NDArray[np.int32]
    reduced: NDArray[np.int32]
    lone: NDArray[np.int64]
    places: NDArray[np.int64]
    ways: NDArray[np.uint8]
    support: NDArray[np.uint8]
    empties: NDArray[np.int16]
    seen_since: NDArray[np.int16]
    placed_when_seen: NDArray[np.int16]
    digit_filled: NDArray[np.int16]
    refutation: NDArray[np.int16]
    digit_placed: NDArray[np.int16]
    digit_singles: NDArray[np.int16]
    history: NDArray[np.int16]
    given: SinglesState


def first_moment(puzzle: Sudoku) -> Moment:
    """Return the moment before the first fill."""
    size, layout, given = puzzle.size, puzzle.layout, shared_given_state(puzzle)
    n_cells = layout.n_cells
    return Moment(
        values=puzzle.givens.copy(),
        candidates=given.candidates.copy(),
        reduced=np.zeros(n_cells, np.int32),
        lone=np.zeros(3 * size, np.int64),
        places=np.zeros(size, np.int64),
        ways=np.zeros(n_cells, np.uint8),
        support=np.zeros(n_cells, np.uint8),
        empties=(puzzle.givens[layout.houses] == 0).sum(axis=1).astype(np.int16),
        seen_since=np.full(n_cells, -1, np.int16),
        placed_when_seen=np.zeros(n_cells, np.int16),
        digit_filled=np.full(size, -1, np.int16),
        refutation=np.zeros(n_cells, np.int16),
        digit_placed=np.bincount(puzzle.givens, minlength=size + 1)[1:].astype(np.int16),
        digit_singles=np.zeros(size, np.int16),
        history=np.array([-1, -1, 0, n_cells - puzzle.n_givens, 0], np.int16),
        given=given,
    )


@lean_kernel
def fill(moment, layout, cell, value):
    """Put a value into an open cell."""
    moment.values[cell] = value
    moment.candidates[cell] = 0
    for i in range(layout.peers.shape[1]):
        moment.candidates[layout.peers[cell, i]] &= ~(1 << (value - 1))
    for kind in range(3):
        moment.empties[layout.house_of[cell, kind]] -= 1
    note_fill(moment, cell, value)


@inlined_kernel
def note_fill(moment, cell, value):
    """Add a fill to the history of the game."""
    moment.digit_filled[value - 1] = moment.history[N_FILLED]
    moment.digit_placed[value - 1] += 1
    moment.history[BEFORE] = moment.history[LAST]
    moment.history[LAST] = cell
    moment.history[N_FILLED] += 1


@kernel
def look(moment, layout, solution):
    """Update the singles and the support of each open cell."""
    copy_values(moment.reduced, moment.candidates)
    see_lone(moment, layout.houses, moment.reduced)
    forget_singles(moment)
    for cell in range(layout.n_cells):
        if moment.values[cell] == 0:
            moment.ways[cell] = _ways(moment, layout, cell)
            moment.support[cell] = SINGLE if moment.ways[cell] else UNSUPPORTED
            note_single(moment, cell, solution)
    parts = np.empty((2, layout.size * layout.order), np.int64)
    if remove_locked(moment.reduced, layout, parts):
        _support(moment, layout, LOCKED)
    removed = True
    while removed and _support(moment, layout, SUBSET):
        # Remove all pairs at once, so that the result does not depend on an order.
        seen = moment.reduced.copy()
        removed = remove_locked(moment.reduced, layout, parts)
        removed |= _remove_pairs(moment, seen, layout)
    if moment.history[N_SINGLES] == 0:
        refute_all(moment, layout, solution)


@lean_kernel
def see_lone(moment, houses, masks):
    """Find the digits with one place among the open cells of each house."""
    for house in range(houses.shape[0]):
        some, several = 0, 0
        for i in range(houses.shape[1]):
            cell = houses[house, i]
            if moment.values[cell] == 0:
                several |= some & masks[cell]
                some |= masks[cell]
        moment.lone[house] = some & ~several


@lean_kernel
def forget_singles(moment):
    """Count no cell as a single."""
    moment.history[N_SINGLES] = 0
    for digit in range(moment.digit_singles.size):
        moment.digit_singles[digit] = 0
    for cell in range(moment.ways.size):
        moment.ways[cell] = 0


@inlined_kernel
def note_single(moment, cell, solution):
    """Count an open cell if it is a single, and note when it became one."""
    if moment.ways[cell]:
        digit = solution[cell] - 1
        moment.history[N_SINGLES] += 1
        moment.digit_singles[digit] += 1
        if moment.seen_since[cell] < 0:
            moment.seen_since[cell] = moment.history[N_FILLED]
            moment.placed_when_seen[cell] = moment.digit_placed[digit]


@inlined_kernel
def _ways(moment, layout, cell):
    """Return the bits of the houses in which a digit fits only this cell, and of a naked single."""
    mask = int(moment.reduced[cell])
    ways = NAKED if mask & (mask - 1) == 0 else 0
    for kind in range(3):
        if moment.lone[layout.house_of[cell, kind]] & mask:
            ways |= 1 << kind
    return ways


@lean_kernel
def _support(moment, layout, level):
    """Set the support of the cells that are singles by now; return True if any has none yet."""
    see_lone(moment, layout.houses, moment.reduced)
    left = False
    for cell in range(layout.n_cells):
        if moment.values[cell] == 0 and moment.support[cell] == UNSUPPORTED:
            if _ways(moment, layout, cell):
                moment.support[cell] = level
            else:
                left = True
    return left


@lean_kernel
def _remove_pairs(moment, seen, layout):
    """Remove what the pairs in `seen` rule out; return True if any was removed."""
    removed = False
    for house in range(layout.houses.shape[0]):
        cells = layout.houses[house]
        removed |= remove_naked_pairs(seen, moment.reduced, cells)
        see_places(moment, cells, seen)
        for digit in range(layout.size):
            removed |= remove_hidden_pairs(digit, moment.places, moment.reduced, cells)
    return removed


@lean_kernel
def see_places(moment, cells, masks):
    """Find the places of each digit among the open cells of a house, as bits."""
    for digit in range(moment.places.size):
        moment.places[digit] = 0
    for k in range(cells.size):
        if moment.values[cells[k]] == 0:
            left = int(masks[cells[k]])
            while left:
                moment.places[lowest_bit(left)] |= 1 << k
                left &= left - 1


@lean_kernel
def remove_naked_pairs(seen, marks, cells):
    """Remove from `marks` what naked pairs of a house in `seen` rule out; return True if any.

    `seen` and `marks` have the candidates of each cell, and may be the same array. The closures
    cannot be used here: to them, a single and a pair are a pair, too.
    """
    removed = False
    for i in range(cells.size):
        pair = int(seen[cells[i]])
        if n_bits(pair) != 2:
            continue
        for j in range(i + 1, cells.size):
            if seen[cells[j]] != pair:
                continue
            for k in range(cells.size):
                other = cells[k]
                if k != i and k != j and int(marks[other]) & pair:
                    marks[other] &= ~pair
                    removed = True
    return removed


@lean_kernel
def remove_hidden_pairs(digit, places, marks, cells):
    """Remove from `marks` what hidden pairs of a digit and a later one in a house rule out.

    `places` has for each digit its places in the house, as bits. Return True if any was removed.
    """
    both = int(places[digit])
    if n_bits(both) != 2:
        return False
    removed = False
    for other in range(digit + 1, places.size):
        if places[other] != both:
            continue
        pair = 1 << digit | 1 << other
        for k in range(cells.size):
            cell = cells[k]
            if both >> k & 1 and int(marks[cell]) & ~pair:
                marks[cell] &= pair
                removed = True
    return removed
