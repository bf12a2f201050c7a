"""Pencil marks of a Sudoku as bit masks, by cell and by house.

Each cell has a mask of its candidates, and each house and digit a mask of the positions left. Both
are kept up to date at every elimination. So are the naked and hidden singles: a solver that works
like a person looks for them first, and most of its steps are singles.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout

ROW, COLUMN, BOX = range(3)
"""Kinds of house, in the order of the layout. A variant may have more of them."""

WORD = 63
"""Bits of a word of a set; a 64th would be its sign."""

LAST_IN, HIDDEN_IN, NAKED_IN, N_EMPTY = 0, 3, 6, 7
"""Indices in :attr:`LogicState.summary`; the first two begin an entry per kind of house."""


class LogicLayout(NamedTuple):
    """The geometry of a grid as the kernels need it; one object per order, arrays read-only.

    All integers are int64, because a kernel is compiled again for another width. Chains and some
    other searches also run on variants. There a cell may lie in more than three kinds of house, or
    in none of a kind (-1), and may exclude candidates of other cells by a rule.

    Attributes
    ----------
    order : int
        0 for a variant, whose houses have any shape.
    size, n_cells : int
    houses, house_of : ndarray of int64
        As in :class:`nando.puzzles.sudoku.layout.SudokuLayout`.
    peer_start, peers : ndarray of int64
        The cells that cell i sees are ``peers[peer_start[i] : peer_start[i + 1]]``.
    position_in : ndarray of int64, shape (n_cells, n_kinds)
        Position of each cell within its row, column and box.
    sees : ndarray of bool, shape (n_cells, n_cells)
        True if two cells cannot hold the same digit; a cell does not see itself.
    seen_from : ndarray of int64, shape (n_cells, n_cells // WORD + 1)
        The cells that each cell sees, as a set.
    box_lines : ndarray of int64, shape (2, order)
        Mask of the positions of a box that lie on its i-th row, and on its i-th column.
    others_in : ndarray of int64, shape (n_cells, n_kinds)
        Positions of the other cells of each house of a cell that lie in none of its houses before,
        in the order box, row, column and further kinds.
    houses_from : ndarray of int64, shape (n_kinds + 1,)
        Index in `in_order` at which the houses of each kind begin.
    in_order : ndarray of int64, shape (n_houses,)
        The boxes, then the columns, the rows and the houses of further kinds.
    bands : ndarray of int64, shape (n_bands, size)
        Sets of parallel lines for fish: the columns of a grid, then its rows. The lines of band
        b cross those of band ``b ^ 1``.
    arc_from, arc_cell : ndarray of int64, shapes (n_cells + 1,) and (n_arcs,)
        For each cell, the cells in which it excludes candidates by a rule other than a house.
    arc_bars : ndarray of int64, shape (n_arcs, size)
        For each digit of the cell, the mask of the candidates that it excludes there.
    most_barred : int
        Most candidates that a single candidate excludes, including those of its own cell.
    """

    order: int
    size: int
    n_cells: int
    houses: NDArray[np.int64]
    house_of: NDArray[np.int64]
    peer_start: NDArray[np.int64]
    peers: NDArray[np.int64]
    position_in: NDArray[np.int64]
    sees: NDArray[np.bool_]
    seen_from: NDArray[np.int64]
    box_lines: NDArray[np.int64]
    others_in: NDArray[np.int64]
    houses_from: NDArray[np.int64]
    in_order: NDArray[np.int64]
    bands: NDArray[np.int64]
    arc_from: NDArray[np.int64]
    arc_cell: NDArray[np.int64]
    arc_bars: NDArray[np.int64]
    most_barred: int


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


@inlined_kernel
def kind_at(k):
    """Return the k-th kind of house in the order of most searches."""
    return BOX if k == 0 else ROW if k == 1 else COLUMN if k == 2 else k


@inlined_kernel
def is_barred(state, layout, cell, digits):
    """Return True if a digit in the cell excludes a candidate by a rule other than a house."""
    for arc in range(layout.arc_from[cell], layout.arc_from[cell + 1]):
        left = digits
        while left:
            barred = layout.arc_bars[arc, lowest_bit(left)]
            left &= left - 1
            if state.candidates[layout.arc_cell[arc]] & barred:
                return True
    return False


@cache
def logic_layout(order: int) -> LogicLayout:
    """Return the layout of an order, 3, 4 or 5."""
    plain = sudoku_layout(order)
    n, size = order, plain.size
    cells = np.arange(plain.n_cells)
    row, column = cells // size, cells % size
    sees = np.zeros((plain.n_cells, plain.n_cells), np.bool_)
    sees[cells[:, None], plain.peers] = True
    seen_from = np.zeros((plain.n_cells, plain.n_cells // WORD + 1), np.int64)
    for cell, peer in np.argwhere(sees).tolist():
        seen_from[cell, peer // WORD] |= 1 << peer % WORD
    run = (1 << n) - 1
    position_in = np.stack([column, row, row % n * n + column % n], axis=1)
    in_box = np.stack([run << column // n * n, run << row // n * n], axis=1)
    lines = np.arange(size)
    layout = LogicLayout(
        order,
        size,
        plain.n_cells,
        plain.houses.astype(np.int64),
        plain.house_of.astype(np.int64),
        np.arange(plain.n_cells + 1) * plain.peers.shape[1],
        plain.peers.astype(np.int64).ravel(),
        position_in=position_in,
        sees=sees,
        seen_from=seen_from,
        box_lines=np.array(
            [
                [run << i * n for i in range(n)],
                [sum(1 << i * n + j for i in range(n)) for j in range(n)],
            ]
        ),
        others_in=(1 << size) - 1 & ~np.hstack([in_box, 1 << position_in[:, 2:]]),
        houses_from=np.arange(4) * size,
        in_order=np.concatenate([lines + 2 * size, lines + size, lines]),
        bands=np.stack([lines + size, lines]),
        arc_from=np.zeros(plain.n_cells + 1, np.int64),
        arc_cell=np.zeros(0, np.int64),
        arc_bars=np.zeros((0, size), np.int64),
        most_barred=size - 1 + plain.peers.shape[1],
    )
    for array in layout[3:-1]:
        array.setflags(write=False)
    return layout


def empty_state(order: int) -> LogicState:
    """Return the state of a grid without a digit."""
    layout = logic_layout(order)
    n, size = layout.n_cells, layout.size
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
    return state, bool(place_all(state, logic_layout(puzzle.order), givens))


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
    layout = logic_layout(math.isqrt(size))
    bits = 1 << np.arange(size, dtype=np.int64)
    in_house = candidates[layout.houses]
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
def place_all(state, layout, values):
    """Reset the state to these values, 0 for a blank; return False on a contradiction."""
    size = layout.size
    full = (1 << size) - 1
    sound = True
    # `hidden` holds the digits of each house until the hidden singles are known.
    placed = state.hidden
    placed[:] = 0
    state.empties[:] = 0
    state.positions[:] = 0
    state.naked[:] = 0
    state.summary[:] = 0
    for cell in range(layout.n_cells):
        value = values[cell]
        state.values[cell] = value
        bit = 1 << value - 1 if value > 0 else 0
        for kind in range(3):
            house = layout.house_of[cell, kind]
            sound &= placed[house] & bit == 0
            placed[house] |= bit
            if bit == 0:
                state.empties[house] |= 1 << layout.position_in[cell, kind]
    for cell in range(layout.n_cells):
        row = layout.house_of[cell, ROW]
        column = layout.house_of[cell, COLUMN]
        box = layout.house_of[cell, BOX]
        mask = 0
        if state.values[cell] == 0:
            mask = full & ~(placed[row] | placed[column] | placed[box])
            sound &= mask != 0
            state.summary[N_EMPTY] += 1
            if mask & (mask - 1) == 0:
                state.naked[row] |= 1 << layout.position_in[cell, ROW]
                state.summary[NAKED_IN] |= 1 << row
        state.candidates[cell] = mask
        while mask:
            digit = lowest_bit(mask)
            mask &= mask - 1
            state.positions[row * size + digit] |= 1 << layout.position_in[cell, ROW]
            state.positions[column * size + digit] |= 1 << layout.position_in[cell, COLUMN]
            state.positions[box * size + digit] |= 1 << layout.position_in[cell, BOX]
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
def place(state, layout, cell, digit):
    """Put a digit (0-based) into a blank; return False on a contradiction."""
    size = layout.size
    bit = 1 << digit
    mask = state.candidates[cell]
    if mask & bit == 0:
        return False
    sound = True
    state.candidates[cell] = 0
    state.values[cell] = digit + 1
    state.summary[N_EMPTY] -= 1
    row = layout.house_of[cell, ROW]
    naked = state.naked[row] & ~(1 << layout.position_in[cell, ROW])
    state.naked[row] = naked
    if naked == 0:
        state.summary[NAKED_IN] &= ~(1 << row)
    others = mask & ~bit
    while others:
        other = lowest_bit(others)
        others &= others - 1
        sound &= _leave_houses(state, layout, cell, other)

    for kind in range(3):
        house = layout.house_of[cell, kind]
        empties = state.empties[house] & ~(1 << layout.position_in[cell, kind])
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
    in_row = _take_positions(state, layout, cell, ROW, digit)
    in_column = _take_positions(state, layout, cell, COLUMN, digit)
    in_box = _take_positions(state, layout, cell, BOX, digit)
    for kind in range(3):
        peers = in_row if kind == ROW else in_column if kind == COLUMN else in_box
        house = layout.house_of[cell, kind]
        while peers:
            peer = layout.houses[house, lowest_bit(peers)]
            peers &= peers - 1
            # Peers in the box may already have lost the digit on a line.
            if state.candidates[peer] & bit:
                sound &= eliminate(state, layout, peer, digit)
    for kind in range(3):
        state.positions[layout.house_of[cell, kind] * size + digit] = 0
    return sound


@inlined_kernel
def _take_positions(state, layout, cell, kind, digit):
    """Return the positions of a digit in a house without a cell, and set all bits for a while."""
    index = layout.house_of[cell, kind] * layout.size + digit
    positions = state.positions[index] & ~(1 << layout.position_in[cell, kind])
    state.positions[index] = -1
    return positions


@inlined_kernel
def eliminate(state, layout, cell, digit):
    """Remove a candidate that a cell has; return False on a contradiction."""
    mask = state.candidates[cell] ^ (1 << digit)
    state.candidates[cell] = mask
    if mask & (mask - 1) == 0:
        if mask == 0:
            return False
        row = layout.house_of[cell, ROW]
        state.naked[row] |= 1 << layout.position_in[cell, ROW]
        state.summary[NAKED_IN] |= 1 << row
    return _leave_houses(state, layout, cell, digit)


@inlined_kernel
def _leave_houses(state, layout, cell, digit):
    """Remove the cell from the positions of the digit in its houses; False if none is left."""
    size = layout.size
    for kind in range(3):
        house = layout.house_of[cell, kind]
        index = house * size + digit
        left = state.positions[index] & ~(1 << layout.position_in[cell, kind])
        state.positions[index] = left
        if left & (left - 1) == 0:
            if left == 0:
                return False
            state.hidden[house] |= 1 << digit
            state.summary[HIDDEN_IN + kind] |= 1 << house - kind * size
    return True
