"""Pencil marks as bit masks, by cell and by house.

Each cell has a mask of its candidates, and each house and digit a mask of the positions left. Both
are kept up to date at every elimination. So are the naked and hidden singles: a solver that works
like a person looks for them first, and most of its steps are singles.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.puzzles import Sudoku
from nando.solvers.logic.finders.grid import (
    BOX,
    COLUMN,
    ROW,
    WORD,
    Grid,
    exclude,
    include,
    set_of,
    sudoku_grid,
)
from nando.solvers.variants.tables import Ints


class LogicState(NamedTuple):
    """A partly filled board with its pencil marks; all arrays are changed in place.

    Attributes
    ----------
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell from 1, 0 for a blank.
    candidates : ndarray of int64, shape (n_cells,)
        Bit d for digit d + 1; 0 where filled.
    positions : ndarray of int64, shape (n_houses * size,)
        For each house and digit, the positions left to it; 0 where placed.
    empties : ndarray of int64, shape (n_houses,)
        Positions of the blanks of each house.
    hidden : ndarray of int64, shape (n_houses,)
        Digits with a single position left in the house: its hidden singles.
    naked : ndarray of int64, shape (n_cells // WORD + 1,)
        The cells with a single candidate, as a set.
    single_in, last_in : ndarray of int64, shape (n_houses // WORD + 1,)
        The houses with a hidden single, and those with one blank, as sets of their ranks.
    n_blanks : ndarray of int64, shape (1,)
    """

    values: NDArray[np.int8]
    candidates: Ints
    positions: Ints
    empties: Ints
    hidden: Ints
    naked: Ints
    single_in: Ints
    last_in: Ints
    n_blanks: Ints


def empty_state(grid: Grid) -> LogicState:
    """Return the state of a board without a digit."""
    n_cells, (n_houses, size) = grid.n_cells, grid.houses.shape
    full = (1 << size) - 1
    return LogicState(
        values=np.zeros(n_cells, np.int8),
        candidates=np.full(n_cells, full, np.int64),
        positions=np.full(n_houses * size, full, np.int64),
        empties=np.full(n_houses, full, np.int64),
        hidden=np.zeros(n_houses, np.int64),
        naked=np.zeros(n_cells // WORD + 1, np.int64),
        single_in=np.zeros(n_houses // WORD + 1, np.int64),
        last_in=np.zeros(n_houses // WORD + 1, np.int64),
        n_blanks=np.full(1, n_cells, np.int64),
    )


def given_state(puzzle: Sudoku) -> tuple[LogicState, bool]:
    """Return the state with the givens placed, and False if they contradict each other."""
    grid = sudoku_grid(puzzle.order)
    state = empty_state(grid)
    return state, bool(place_all(state, grid, puzzle.givens.astype(np.int64)))


def state_of(grid: Grid, values: NDArray[np.int8], candidates: NDArray[np.bool_]) -> LogicState:
    """Return the state of pencil marks, which may contradict each other.

    Parameters
    ----------
    grid : Grid
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell, 0 for a blank.
    candidates : ndarray of bool, shape (n_cells, size)
        False for a filled cell.
    """
    bits = 1 << np.arange(grid.size, dtype=np.int64)
    positions = np.tensordot(candidates[grid.houses], bits, (1, 0))
    empties = (values[grid.houses] == 0) @ bits
    hidden = (positions & positions - 1 == 0) & (positions > 0)
    last = (empties & empties - 1 == 0) & (empties > 0)
    return LogicState(
        values.copy(),
        candidates @ bits,
        positions.ravel(),
        empties,
        hidden @ bits,
        set_of(candidates.sum(axis=1) == 1),
        set_of(hidden.any(axis=1)[grid.in_order]),
        set_of(last[grid.in_order]),
        np.full(1, np.count_nonzero(values == 0), np.int64),
    )


def marks_of(state: LogicState, size: int) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the values and candidates of a state, as :func:`state_of` takes them."""
    candidates = state.candidates[:, None] >> np.arange(size) & 1
    return state.values.copy(), candidates.astype(np.bool_)


@lean_kernel
def place_all(state, grid, values):
    """Reset a Sudoku to these values, 0 for a blank; return False on a contradiction."""
    size = grid.size
    full = (1 << size) - 1
    sound = True
    # `hidden` holds the digits of each house until the hidden singles are known.
    placed = state.hidden
    placed[:] = 0
    state.empties[:] = 0
    state.positions[:] = 0
    state.naked[:] = 0
    state.single_in[:] = 0
    state.last_in[:] = 0
    state.n_blanks[0] = 0
    for cell in range(grid.n_cells):
        value = values[cell]
        state.values[cell] = value
        bit = 1 << value - 1 if value > 0 else 0
        for kind in range(3):
            house = grid.house_of[cell, kind]
            sound &= placed[house] & bit == 0
            placed[house] |= bit
            if bit == 0:
                state.empties[house] |= 1 << grid.position_in[cell, kind]
    for cell in range(grid.n_cells):
        row = grid.house_of[cell, ROW]
        column = grid.house_of[cell, COLUMN]
        box = grid.house_of[cell, BOX]
        mask = 0
        if state.values[cell] == 0:
            mask = full & ~(placed[row] | placed[column] | placed[box])
            sound &= mask != 0
            state.n_blanks[0] += 1
            if mask & (mask - 1) == 0:
                include(state.naked, cell)
        state.candidates[cell] = mask
        while mask:
            digit = lowest_bit(mask)
            mask &= mask - 1
            state.positions[row * size + digit] |= 1 << grid.position_in[cell, ROW]
            state.positions[column * size + digit] |= 1 << grid.position_in[cell, COLUMN]
            state.positions[box * size + digit] |= 1 << grid.position_in[cell, BOX]
    for house in range(3 * size):
        singles = 0
        for digit in range(size):
            positions = state.positions[house * size + digit]
            if positions & (positions - 1) == 0:
                singles |= 1 << digit
        # This includes digits without any position that are not placed: a contradiction.
        singles &= ~placed[house]
        state.hidden[house] = singles
        if singles:
            include(state.single_in, grid.rank[house])
        while singles:
            sound &= state.positions[house * size + lowest_bit(singles)] != 0
            singles &= singles - 1
        empties = state.empties[house]
        if empties and empties & (empties - 1) == 0:
            include(state.last_in, grid.rank[house])
    return sound


@inlined_kernel
def place(state, grid, cell, digit):
    """Put a digit (0-based) into a blank; return False on a contradiction."""
    size = grid.size
    bit = 1 << digit
    mask = state.candidates[cell]
    if mask & bit == 0:
        return False
    sound = True
    state.candidates[cell] = 0
    state.values[cell] = digit + 1
    state.n_blanks[0] -= 1
    exclude(state.naked, cell)
    others = mask & ~bit
    while others:
        other = lowest_bit(others)
        others &= others - 1
        sound &= _leave_houses(state, grid, cell, other)
    for column in range(grid.house_of.shape[1]):
        house = grid.house_of[cell, column]
        if house < 0:
            continue
        empties = state.empties[house] & ~(1 << grid.position_in[cell, column])
        state.empties[house] = empties
        if empties == 0:
            exclude(state.last_in, grid.rank[house])
        elif empties & (empties - 1) == 0:
            include(state.last_in, grid.rank[house])
        hidden = state.hidden[house]
        if hidden & bit:
            hidden ^= bit
            state.hidden[house] = hidden
            if hidden == 0:
                exclude(state.single_in, grid.rank[house])
        # Two more bits: until the peers are done, the positions are neither empty nor single.
        state.positions[house * size + digit] |= 3 << size
    for column in range(grid.house_of.shape[1]):
        house = grid.house_of[cell, column]
        if house < 0:
            continue
        left = state.positions[house * size + digit] & grid.others_in[cell, column]
        while left:
            sound &= eliminate(state, grid, grid.houses[house, lowest_bit(left)], digit)
            left &= left - 1
    if not grid.plain:
        for i in range(grid.peer_start[cell], grid.peer_start[cell + 1]):
            peer = grid.peers[i]
            if state.candidates[peer] & bit:
                sound &= eliminate(state, grid, peer, digit)
    for column in range(grid.house_of.shape[1]):
        house = grid.house_of[cell, column]
        if house >= 0:
            state.positions[house * size + digit] = 0
    return sound


@inlined_kernel
def eliminate(state, grid, cell, digit):
    """Remove a candidate that a cell has; return False on a contradiction."""
    mask = state.candidates[cell] ^ (1 << digit)
    state.candidates[cell] = mask
    if mask & (mask - 1) == 0:
        if mask == 0:
            return False
        include(state.naked, cell)
    return _leave_houses(state, grid, cell, digit)


@inlined_kernel
def _leave_houses(state, grid, cell, digit):
    """Remove the cell from the positions of the digit in its houses; False if none is left."""
    size = grid.size
    for column in range(grid.house_of.shape[1]):
        house = grid.house_of[cell, column]
        if house < 0:
            continue
        index = house * size + digit
        left = state.positions[index] & ~(1 << grid.position_in[cell, column])
        state.positions[index] = left
        if left & (left - 1) == 0:
            if left == 0:
                return False
            state.hidden[house] |= 1 << digit
            include(state.single_in, grid.rank[house])
    return True
