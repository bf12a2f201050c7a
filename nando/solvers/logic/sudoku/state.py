"""Pencil marks of a Sudoku as bit masks, both ways round, and the step found on them.

For each cell the mask of its candidates; for each house and digit the mask of the positions left.
Both are kept up to date at every elimination, and so are the naked and hidden singles: a solver
that works like a person asks for those first, and most of its steps are nothing else.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout

ROW, COLUMN, BOX = range(3)
"""Kinds of house, in the order of the layout."""

WORD = 63
"""Bits of a word of a set; a 64th would be its sign."""

LAST_IN, HIDDEN_IN, NAKED_IN, N_EMPTY = 0, 3, 6, 7
"""Places of :attr:`LogicState.summary`; the first two have one place per kind of house."""

RATING, VARIANT, CELL, DIGIT, DIGITS, N_HOUSES, N_CELLS, N_GONE, N_LINKS = range(9)
"""Places of :attr:`Finding.head`."""

HOUSES, CELLS, GONE_CELLS, GONE_DIGITS, MASKS, ITEMS, CHOSEN = range(7)
"""Rows of :attr:`Finding.lists`."""


class LogicLayout(NamedTuple):
    """What the kernels must know of the grid; one object per order, arrays read-only.

    All whole numbers here are int64: a kernel is compiled anew for each width it is given.

    Attributes
    ----------
    order, size, n_cells : int
    houses, house_of, peers : ndarray of int64
        As in :class:`nando.puzzles.sudoku.layout.SudokuLayout`.
    position_in : ndarray of int64, shape (n_cells, 3)
        Position of each cell within its row, column and box.
    sees : ndarray of bool, shape (n_cells, n_cells)
        Whether two cells share a house; a cell does not see itself.
    box_lines : ndarray of int64, shape (2, order)
        Mask of the positions of a box that lie on its i-th row, and on its i-th column.
    """

    order: int
    size: int
    n_cells: int
    houses: NDArray[np.int64]
    house_of: NDArray[np.int64]
    peers: NDArray[np.int64]
    position_in: NDArray[np.int64]
    sees: NDArray[np.bool_]
    box_lines: NDArray[np.int64]


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
        Which houses of each kind have one blank, which have a hidden single, which rows have a
        naked single (as masks), and the number of blanks.
    """

    values: NDArray[np.int8]
    candidates: NDArray[np.int64]
    positions: NDArray[np.int64]
    empties: NDArray[np.int64]
    hidden: NDArray[np.int64]
    naked: NDArray[np.int64]
    summary: NDArray[np.int64]


class Finding(NamedTuple):
    """The step a kernel has found, and room to look for it; both arrays are changed in place.

    Attributes
    ----------
    head : ndarray of int64, shape (9,)
        Rating in tenths; variant of the technique; cell and digit (0-based) of a placement, -1
        for none; mask of the digits of the pattern; lengths of the lists.
    lists : ndarray of int64, shape (7, 4 * n_cells)
        Houses and cells of the pattern; cells of the eliminations and their masks of digits; and
        three rows that the search for subsets writes on.
    links : ndarray of int64, shape (2, 4 * n_cells * size)
        Links of a chain, from and to; each end is twice ``cell * size + digit`` and one more
        where the digit is true. Not kept by `keep_better`.
    """

    head: NDArray[np.int64]
    lists: NDArray[np.int64]
    links: NDArray[np.int64]


@cache
def logic_layout(order: int) -> LogicLayout:
    """Layout of an order, 3, 4 or 5."""
    plain = sudoku_layout(order)
    n, size = order, plain.size
    cells = np.arange(plain.n_cells)
    row, column = cells // size, cells % size
    sees = np.zeros((plain.n_cells, plain.n_cells), np.bool_)
    sees[cells[:, None], plain.peers] = True
    run = (1 << n) - 1
    layout = LogicLayout(
        order,
        size,
        plain.n_cells,
        plain.houses.astype(np.int64),
        plain.house_of.astype(np.int64),
        plain.peers.astype(np.int64),
        position_in=np.stack([column, row, row % n * n + column % n], axis=1),
        sees=sees,
        box_lines=np.array(
            [
                [run << i * n for i in range(n)],
                [sum(1 << i * n + j for i in range(n)) for j in range(n)],
            ]
        ),
    )
    for array in layout[3:]:
        array.setflags(write=False)
    return layout


def empty_state(order: int) -> LogicState:
    """State of a grid with no digit in it."""
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
    """State of the puzzle with its givens placed, and whether they left every house possible."""
    state = empty_state(puzzle.order)
    givens = puzzle.givens.astype(np.int64)
    return state, bool(place_all(state, logic_layout(puzzle.order), givens))


def new_finding(order: int) -> Finding:
    """Room for a step on a grid of this order."""
    return Finding(
        np.zeros(9, np.int64),
        np.zeros((7, 4 * order**4), np.int64),
        np.zeros((2, 4 * order**6), np.int64),
    )


@lean_kernel
def place_all(state, layout, values):
    """Place all values above 0; whether no contradiction came up."""
    sound = True
    for cell in range(layout.n_cells):
        if values[cell] > 0:
            sound &= place(state, layout, cell, values[cell] - 1)
    return sound


@lean_kernel
def reset(state, layout):
    """Empty the grid, in place."""
    full = (1 << layout.size) - 1
    state.values[:] = 0
    state.candidates[:] = full
    state.positions[:] = full
    state.empties[:] = full
    state.hidden[:] = 0
    state.naked[:] = 0
    state.summary[:] = 0
    state.summary[N_EMPTY] = layout.n_cells


@inlined_kernel
def place(state, layout, cell, digit):
    """Put a digit (0-based) into a blank; False where the grid is then contradictory."""
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
        # Until the peers are done no position is left in the house and yet none is missing.
        state.positions[house * size + digit] = -1
        hidden = state.hidden[house]
        if hidden & bit:
            hidden ^= bit
            state.hidden[house] = hidden
            if hidden == 0:
                state.summary[HIDDEN_IN + kind] &= ~which

    others = mask & ~bit
    while others:
        other = lowest_bit(others)
        others &= others - 1
        sound &= _leave_houses(state, layout, cell, other)
    for i in range(layout.peers.shape[1]):
        peer = layout.peers[cell, i]
        if state.candidates[peer] & bit:
            sound &= eliminate(state, layout, peer, digit)
    for kind in range(3):
        state.positions[layout.house_of[cell, kind] * size + digit] = 0
    return sound


@inlined_kernel
def eliminate(state, layout, cell, digit):
    """Take a candidate, which must be there, from a cell; False on a contradiction."""
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
    """Take the cell from the positions of the digit in its houses."""
    size = layout.size
    for kind in range(3):
        house = layout.house_of[cell, kind]
        at = house * size + digit
        left = state.positions[at] & ~(1 << layout.position_in[cell, kind])
        state.positions[at] = left
        if left & (left - 1) == 0:
            if left == 0:
                return False
            state.hidden[house] |= 1 << digit
            state.summary[HIDDEN_IN + kind] |= 1 << house - kind * size
    return True


@lean_kernel
def apply(state, layout, finding):
    """Do the step of `finding`; False where the grid is then contradictory."""
    head = finding.head
    for i in range(head[N_GONE]):
        cell = finding.lists[GONE_CELLS, i]
        gone = finding.lists[GONE_DIGITS, i] & state.candidates[cell]
        while gone:
            digit = lowest_bit(gone)
            gone &= gone - 1
            if not eliminate(state, layout, cell, digit):
                return False
    if head[CELL] >= 0:
        return place(state, layout, head[CELL], head[DIGIT])
    return True


@inlined_kernel
def begin(finding, rating, digits):
    """Start a step: its rating in tenths and the digits of its pattern; nothing removed yet."""
    head = finding.head
    head[RATING] = rating
    head[VARIANT] = 0
    head[CELL] = -1
    head[DIGIT] = -1
    head[DIGITS] = digits
    head[N_HOUSES] = 0
    head[N_CELLS] = 0
    head[N_GONE] = 0
    head[N_LINKS] = 0


@inlined_kernel
def add_house(finding, house):
    """Add a house to the pattern."""
    n = finding.head[N_HOUSES]
    finding.lists[HOUSES, n] = house
    finding.head[N_HOUSES] = n + 1


@inlined_kernel
def add_cell(finding, cell):
    """Add a cell to the pattern."""
    n = finding.head[N_CELLS]
    finding.lists[CELLS, n] = cell
    finding.head[N_CELLS] = n + 1


@inlined_kernel
def add_cells(finding, layout, house, positions):
    """Add the cells at these positions of a house to the pattern."""
    while positions:
        add_cell(finding, layout.houses[house, lowest_bit(positions)])
        positions &= positions - 1


@inlined_kernel
def remove(finding, state, cell, digits):
    """Add to the eliminations those of `digits` that the cell still has."""
    gone = state.candidates[cell] & digits
    if gone:
        n = finding.head[N_GONE]
        finding.lists[GONE_CELLS, n] = cell
        finding.lists[GONE_DIGITS, n] = gone
        finding.head[N_GONE] = n + 1


@inlined_kernel
def remove_in_house(finding, state, layout, house, positions, digits):
    """Add to the eliminations `digits` at these positions of a house."""
    while positions:
        remove(finding, state, layout.houses[house, lowest_bit(positions)], digits)
        positions &= positions - 1


@inlined_kernel
def place_at(finding, cell, digit):
    """Let the step place a digit."""
    finding.head[CELL] = cell
    finding.head[DIGIT] = digit


@lean_kernel
def keep_better(best, trial):
    """Copy `trial` over `best` where it is easier, or as easy and removes more; return whether.

    `best` holds nothing while its rating is 0.
    """
    rating = trial.head[RATING]
    if trial.head[N_GONE] == 0:
        return False
    if best.head[RATING] > 0:
        if rating > best.head[RATING]:
            return False
        if rating == best.head[RATING]:
            if trial.head[VARIANT] > best.head[VARIANT]:
                return False
            same = trial.head[VARIANT] == best.head[VARIANT]
            if same and n_gone(trial) <= n_gone(best):
                return False
    for i in range(best.head.size):
        best.head[i] = trial.head[i]
    for i in range(trial.head[N_HOUSES]):
        best.lists[HOUSES, i] = trial.lists[HOUSES, i]
    for i in range(trial.head[N_CELLS]):
        best.lists[CELLS, i] = trial.lists[CELLS, i]
    for i in range(trial.head[N_GONE]):
        best.lists[GONE_CELLS, i] = trial.lists[GONE_CELLS, i]
        best.lists[GONE_DIGITS, i] = trial.lists[GONE_DIGITS, i]
    return True


@inlined_kernel
def n_gone(finding):
    """Number of candidates the step removes."""
    total = 0
    for i in range(finding.head[N_GONE]):
        total += n_bits(finding.lists[GONE_DIGITS, i])
    return total
