"""Pencil marks of a Sudoku as bit masks, by cell and by house.

Each cell has a mask of its candidates, and each house and digit a mask of the positions left. Both
are kept up to date at every elimination. So are the naked and hidden singles: a solver that works
like a person looks for them first, and most of its steps are singles.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.solvers.logic.sudoku_finders.grid import BOX, COLUMN, ROW, sudoku_grid

LAST_IN, HIDDEN_IN, NAKED_IN, N_EMPTY = 0, 3, 6, 7
"""Indices in :attr:`LogicState.summary`; the first two begin an entry per kind of house."""


class LogicState(NamedTuple):
    """A partly filled Sudoku with its pencil marks; all arrays are changed in place.

    Attributes
    ----------
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell from 1, 0 for a blank.
    candidates : ndarray of int64, shape (n_cells,)
        Bit d for digit d + 1; 0 where filled.
    positions : ndarray of int64, shape (3 * size * size,)
        For each house and digit, the positions left to it; 0 where placed.
    empties : ndarray of int64, shape (3 * size,)
        Positions of the blanks of each house.
    hidden : ndarray of int64, shape (3 * size,)
        Digits with a single position left in the house: its hidden singles.
    naked : ndarray of int64, shape (size,)
        For each row, the columns of the cells with a single candidate: its naked singles.
    summary : ndarray of int64, shape (8,)
        Masks of the houses of each kind with one blank, and of those with a hidden single; the
        mask of the rows with a naked single; the number of blanks.
    """

    values: NDArray[np.int8]
    candidates: NDArray[np.int64]
    positions: NDArray[np.int64]
    empties: NDArray[np.int64]
    hidden: NDArray[np.int64]
    naked: NDArray[np.int64]
    summary: NDArray[np.int64]


def empty_state(order: int) -> LogicState:
    """Return the state of a grid without a digit."""
    grid = sudoku_grid(order)
    n, size = grid.n_cells, grid.size
    full = (1 << size) - 1
    return LogicState(
        values=np.zeros(n, np.int8),
        candidates=np.full(n, full, np.int64),
        positions=np.full(3 * size * size, full, np.int64),
        empties=np.full(3 * size, full, np.int64),
        hidden=np.zeros(3 * size, np.int64),
        naked=np.zeros(size, np.int64),
        summary=np.array([0, 0, 0, 0, 0, 0, 0, n], np.int64),
    )


def given_state(puzzle: Sudoku) -> tuple[LogicState, bool]:
    """Return the state with the givens placed, and False if they contradict each other."""
    state = empty_state(puzzle.order)
    givens = puzzle.givens.astype(np.int64)
    return state, bool(place_all(state, sudoku_grid(puzzle.order), givens))


def state_of(values: NDArray[np.int8], candidates: NDArray[np.bool_]) -> LogicState:
    """Return the state of pencil marks, which may contradict each other.

    Parameters
    ----------
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell, 0 for a blank.
    candidates : ndarray of bool, shape (n_cells, size)
        False for a filled cell.
    """
    size = candidates.shape[1]
    grid = sudoku_grid(math.isqrt(size))
    bits = 1 << np.arange(size, dtype=np.int64)
    in_house = candidates[grid.houses]
    positions = np.tensordot(in_house, bits, (1, 0))
    empties = in_house.any(axis=2) @ bits
    hidden = (positions & positions - 1 == 0) & (positions > 0)
    naked = (candidates.sum(axis=1) == 1).reshape(size, size)
    last = (empties & empties - 1 == 0) & (empties > 0)
    of_kinds = [flags.reshape(3, size) @ bits for flags in (last, hidden.any(axis=1))]
    n_empty = np.count_nonzero(values == 0)
    return LogicState(
        values.copy(),
        candidates @ bits,
        positions.ravel(),
        empties,
        hidden @ bits,
        naked @ bits,
        np.array([*of_kinds[0], *of_kinds[1], naked.any(axis=1) @ bits, n_empty], np.int64),
    )


@lean_kernel
def place_all(state, grid, values):
    """Reset the state to these values, 0 for a blank; return False on a contradiction."""
    size = grid.size
    full = (1 << size) - 1
    sound = True
    # `hidden` holds the digits of each house until the hidden singles are known.
    placed = state.hidden
    placed[:] = 0
    state.empties[:] = 0
    state.positions[:] = 0
    state.naked[:] = 0
    state.summary[:] = 0
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
            state.summary[N_EMPTY] += 1
            if mask & (mask - 1) == 0:
                state.naked[row] |= 1 << grid.position_in[cell, ROW]
                state.summary[NAKED_IN] |= 1 << row
        state.candidates[cell] = mask
        while mask:
            digit = lowest_bit(mask)
            mask &= mask - 1
            state.positions[row * size + digit] |= 1 << grid.position_in[cell, ROW]
            state.positions[column * size + digit] |= 1 << grid.position_in[cell, COLUMN]
            state.positions[box * size + digit] |= 1 << grid.position_in[cell, BOX]
    for kind in range(3):
        for which in range(size):
            house = kind * size + which
            singles = 0
            for digit in range(size):
                positions = state.positions[house * size + digit]
                if positions & (positions - 1) == 0:
                    singles |= 1 << digit
            # This includes digits without any position that are not placed: a contradiction.
            singles &= ~placed[house]
            state.hidden[house] = singles
            left = singles
            while left:
                sound &= state.positions[house * size + lowest_bit(left)] != 0
                left &= left - 1
            empties = state.empties[house]
            state.summary[HIDDEN_IN + kind] |= (singles != 0) << which
            state.summary[LAST_IN + kind] |= (
                empties != 0 and empties & (empties - 1) == 0
            ) << which
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
    state.summary[N_EMPTY] -= 1
    row = grid.house_of[cell, ROW]
    naked = state.naked[row] & ~(1 << grid.position_in[cell, ROW])
    state.naked[row] = naked
    if naked == 0:
        state.summary[NAKED_IN] &= ~(1 << row)
    others = mask & ~bit
    while others:
        other = lowest_bit(others)
        others &= others - 1
        sound &= _leave_houses(state, grid, cell, other)

    for kind in range(3):
        house = grid.house_of[cell, kind]
        empties = state.empties[house] & ~(1 << grid.position_in[cell, kind])
        state.empties[house] = empties
        which = 1 << house - kind * size
        if empties & (empties - 1) == 0:
            if empties:
                state.summary[LAST_IN + kind] |= which
            else:
                state.summary[LAST_IN + kind] &= ~which
        hidden = state.hidden[house]
        if hidden & bit:
            hidden ^= bit
            state.hidden[house] = hidden
            if hidden == 0:
                state.summary[HIDDEN_IN + kind] &= ~which
    # Until the peers are done, the digit's positions are full masks: not empty, not single.
    in_row = _take_positions(state, grid, cell, ROW, digit)
    in_column = _take_positions(state, grid, cell, COLUMN, digit)
    in_box = _take_positions(state, grid, cell, BOX, digit)
    for kind in range(3):
        peers = in_row if kind == ROW else in_column if kind == COLUMN else in_box
        house = grid.house_of[cell, kind]
        while peers:
            peer = grid.houses[house, lowest_bit(peers)]
            peers &= peers - 1
            # Peers in the box may already have lost the digit on a line.
            if state.candidates[peer] & bit:
                sound &= eliminate(state, grid, peer, digit)
    for kind in range(3):
        state.positions[grid.house_of[cell, kind] * size + digit] = 0
    return sound


@inlined_kernel
def _take_positions(state, grid, cell, kind, digit):
    """Return the positions of a digit in a house without a cell, and set all bits for a while."""
    index = grid.house_of[cell, kind] * grid.size + digit
    positions = state.positions[index] & ~(1 << grid.position_in[cell, kind])
    state.positions[index] = -1
    return positions


@inlined_kernel
def eliminate(state, grid, cell, digit):
    """Remove a candidate that a cell has; return False on a contradiction."""
    mask = state.candidates[cell] ^ (1 << digit)
    state.candidates[cell] = mask
    if mask & (mask - 1) == 0:
        if mask == 0:
            return False
        row = grid.house_of[cell, ROW]
        state.naked[row] |= 1 << grid.position_in[cell, ROW]
        state.summary[NAKED_IN] |= 1 << row
    return _leave_houses(state, grid, cell, digit)


@inlined_kernel
def _leave_houses(state, grid, cell, digit):
    """Remove the cell from the positions of the digit in its houses; False if none is left."""
    size = grid.size
    for kind in range(3):
        house = grid.house_of[cell, kind]
        index = house * size + digit
        left = state.positions[index] & ~(1 << grid.position_in[cell, kind])
        state.positions[index] = left
        if left & (left - 1) == 0:
            if left == 0:
                return False
            state.hidden[house] |= 1 << digit
            state.summary[HIDDEN_IN + kind] |= 1 << house - kind * size
    return True
