"""A partly filled Sudoku whose naked and hidden singles are kept up to date.

Both models of a person who looks for singles (refutation, search time) fill thousands of grids
per puzzle. The work of filling a cell is therefore proportional to the candidates that it removes.
For each house and digit one integer holds the number of places left and the sum of their cells;
when one place is left, the sum *is* the cell.

The state of the logic solver (`nando.solvers.logic.finders.pencil_marks`) is another: its masks of
positions take 1.5 times as long to keep up to date, measured by filling 200 puzzles, and it has no
list of singles from which to draw.
"""

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import (
    copy_rows,
    copy_values,
    inlined_kernel,
    kernel,
    lean_kernel,
    lowest_bit,
    n_bits,
    unsigned,
)
from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout

IN_ROW, IN_COLUMN, IN_BOX, NAKED, LAST_IN_ROW, LAST_IN_COLUMN, LAST_IN_BOX = (
    1 << i for i in range(7)
)
"""Ways to see that a cell can be filled, as bits: hidden single in a house, naked single, and
last empty cell of a house."""

N_WAYS = 7
HIDDEN = IN_ROW | IN_COLUMN | IN_BOX

N_OPEN, N_EMPTY = range(2)
"""Indices of :attr:`SinglesState.counts`."""

COUNT_BIT = 16
"""The bit at which the number of cells begins in :attr:`SinglesState.places` and `empties`."""

_ONE = 1 << COUNT_BIT
"""One cell, in the same arrays."""
_SUM = _ONE - 1
"""Mask of the sum of the cells."""
_PLACED = 1 << 30
"""A digit that its house has, in `places`."""


def rates_of_ways(box: float, line: float, naked: float, last: float) -> NDArray[np.float64]:
    """Return the rate at which a cell is found by each combination of ways, shape ``(2**7,)``.

    Parameters
    ----------
    box, line, naked, last : float
        Rate of a hidden single in a box, and in a row or column; of a naked single; and of each
        house in which the cell is the last empty one.
    """
    of_way = {
        IN_ROW: line,
        IN_COLUMN: line,
        IN_BOX: box,
        NAKED: naked,
        LAST_IN_ROW: last,
        LAST_IN_COLUMN: last,
        LAST_IN_BOX: last,
    }
    combinations = np.arange(1 << N_WAYS)
    return np.asarray(sum(np.where(combinations & way, rate, 0.0) for way, rate in of_way.items()))


class SinglesState(NamedTuple):
    """A partly filled Sudoku with its singles; all arrays are changed in place.

    Attributes
    ----------
    candidates : ndarray of int32, shape (n_cells,)
        Bit d for digit d + 1; 0 where filled.
    cells : ndarray of int64, shape (size, words)
        The cells with each candidate, as bits; a word is as in the layout's `peer_bits`.
    places : ndarray of int32, shape (3 * size * size,)
        For each house and digit, the number of places from bit `COUNT_BIT` up, and below it the
        sum of their cells.
    empties : ndarray of int32, shape (3 * size,)
        The same for the empty cells of a house.
    ways : ndarray of uint8, shape (n_cells,)
        Bits of the ways in which the cell can be filled now.
    digit : ndarray of int8, shape (n_cells,)
        The digit (0-based) these ways give.
    open : ndarray of int16, shape (n_cells,)
        The cells that can be filled, in the first ``counts[N_OPEN]`` entries.
    slot : ndarray of int16, shape (n_cells,)
        Index of each cell in `open`, or -1 if it is not there.
    counts : ndarray of int64, shape (2,)
        Number of cells that can be filled (`N_OPEN`) and of empty cells (`N_EMPTY`).
    """

    candidates: NDArray[np.int32]
    cells: NDArray[np.int64]
    places: NDArray[np.int32]
    empties: NDArray[np.int32]
    ways: NDArray[np.uint8]
    digit: NDArray[np.int8]
    open: NDArray[np.int16]
    slot: NDArray[np.int16]
    counts: NDArray[np.int64]


@cache
def shared_empty_state(order: int) -> SinglesState:
    """Return the state of a grid with no digit in it; shared, so never to be changed."""
    layout = sudoku_layout(order)
    n, size = layout.n_cells, layout.size
    all_cells = np.bitwise_or.reduce(layout.peer_bits)
    whole = size * _ONE + layout.houses.sum(axis=1, dtype=np.int32)
    return SinglesState(
        candidates=np.full(n, (1 << size) - 1, np.int32),
        cells=np.tile(all_cells, (size, 1)),
        places=np.repeat(whole, size).astype(np.int32),
        empties=whole.astype(np.int32),
        ways=np.zeros(n, np.uint8),
        digit=np.zeros(n, np.int8),
        open=np.zeros(n, np.int16),
        slot=np.full(n, -1, np.int16),
        counts=np.array([0, n], np.int64),
    )


@lru_cache(maxsize=256)
def _given(puzzle: Sudoku) -> tuple[SinglesState, bool]:
    """Return the state with the givens placed, and True if they led to no contradiction."""
    state: SinglesState = copy_of(shared_empty_state(puzzle.order))
    sound = place_all(state, puzzle.layout, puzzle.givens)
    return state, bool(sound)


def shared_given_state(puzzle: Sudoku) -> SinglesState:
    """Return the state of the puzzle with its givens placed; shared, so never to be changed."""
    return _given(puzzle)[0]


def given_state(puzzle: Sudoku) -> SinglesState:
    """Return the state of the puzzle with its givens placed."""
    state: SinglesState = copy_of(shared_given_state(puzzle))
    return state


@kernel
def copy_of(state):
    """Return a copy of a state that shares no array with it."""
    return SinglesState(
        state.candidates.copy(),
        state.cells.copy(),
        state.places.copy(),
        state.empties.copy(),
        state.ways.copy(),
        state.digit.copy(),
        state.open.copy(),
        state.slot.copy(),
        state.counts.copy(),
    )


@lean_kernel
def restore(target, source):
    """Make `target` equal to `source`, in place."""
    copy_values(target.candidates, source.candidates)
    copy_rows(target.cells, source.cells)
    copy_values(target.places, source.places)
    copy_values(target.empties, source.empties)
    copy_values(target.ways, source.ways)
    copy_values(target.digit, source.digit)
    copy_values(target.open, source.open)
    copy_values(target.slot, source.slot)
    copy_values(target.counts, source.counts)


@inlined_kernel
def restore_impasse(target, source):
    """Restore `target` from a `source` at an impasse, except for its ways."""
    for i in range(target.counts[N_OPEN]):
        target.slot[target.open[i]] = -1
    copy_values(target.candidates, source.candidates)
    copy_rows(target.cells, source.cells)
    copy_values(target.places, source.places)
    copy_values(target.empties, source.empties)
    copy_values(target.counts, source.counts)


@lru_cache(maxsize=256)
def singles_suffice(puzzle: Sudoku) -> bool:
    """Return True if naked and hidden singles fill the puzzle, which then has one solution."""
    given, sound = _given(puzzle)
    return sound and bool(_fill_singles(copy_of(given), puzzle.layout))


@lean_kernel
def _fill_singles(state, layout):
    while state.counts[N_OPEN] > 0:
        cell = int(state.open[state.counts[N_OPEN] - 1])
        if not place(state, layout, cell, int(state.digit[cell])):
            return False
    return state.counts[N_EMPTY] == 0


@lean_kernel
def place_all(state, layout, values):
    """Place all values above 0; return True if the singles found no contradiction."""
    sound = True
    for cell in range(layout.n_cells):
        if values[cell] > 0:
            sound &= place(state, layout, cell, int(values[cell]) - 1)
    return sound


@inlined_kernel
def _see(state, cell, digit, way):
    """Note one more way to fill a cell."""
    index = unsigned(cell)
    if state.slot[index] < 0:
        count = state.counts[N_OPEN]
        state.open[unsigned(count)] = cell
        state.slot[index] = count
        state.digit[index] = digit
        state.counts[N_OPEN] = count + 1
    state.ways[index] |= way


@inlined_kernel
def place(state, layout, cell, digit):
    """Put a digit (0-based) into an empty cell and record the singles that this creates.

    Return False as soon as a cell has no candidate left (its `digit` is then -1) or a house has no
    place for a digit. The state is then invalid until it is restored.
    """
    index = unsigned(cell)
    size = layout.size
    slot = int(state.slot[index])
    if slot >= 0:
        last = state.counts[N_OPEN] - 1
        moved = int(state.open[unsigned(last)])
        state.open[unsigned(slot)] = moved
        state.slot[unsigned(moved)] = slot
        state.slot[index] = -1
        state.counts[N_OPEN] = last
    state.ways[index] = 0
    state.counts[N_EMPTY] -= 1
    mask = int(state.candidates[index])
    if mask >> digit & 1 == 0:
        state.digit[cell] = -1
        return False

    # Remove the cell's other candidates.
    state.candidates[index] = 0
    others = mask & ~(1 << digit)
    for kind in range(3):
        house = int(layout.house_of[index, unsigned(kind)])
        state.places[unsigned(house * size + digit)] = _PLACED
        left = int(state.empties[unsigned(house)]) - _ONE - cell
        state.empties[unsigned(house)] = left
        if left >> COUNT_BIT == 1:
            # The lone cell is a naked single, now or once this digit is removed from it.
            lone = left & _SUM
            mask = int(state.candidates[unsigned(lone)])
            if mask & (mask - 1) == 0 and mask:
                _see(state, lone, lowest_bit(mask), LAST_IN_ROW << kind)
    word = unsigned(cell >> 5)
    gone = ~(1 << (cell & 31))
    state.cells[unsigned(digit), word] &= gone
    while others:
        other = lowest_bit(others)
        others &= others - 1
        state.cells[unsigned(other), word] &= gone
        if not _leave(state, layout, cell, other):
            return False

    # Remove the digit from the cell's peers.
    for i in range(state.cells.shape[1]):
        word = unsigned(i)
        seen = state.cells[unsigned(digit), word] & layout.peer_bits[index, word]
        state.cells[unsigned(digit), word] ^= seen
        while seen:
            peer = 32 * i + lowest_bit(seen)
            seen &= seen - 1
            if not _lose(state, layout, peer, digit):
                return False
    return True


@inlined_kernel
def eliminate(state, layout, cell, digit):
    """Remove a candidate (0-based) that an empty cell has; return False as `place` does."""
    state.cells[digit, cell >> 5] ^= 1 << (cell & 31)
    return _lose(state, layout, cell, digit)


@inlined_kernel
def _lose(state, layout, cell, digit):
    """Update the state when a cell loses a candidate, except for `state.cells`."""
    mask = int(state.candidates[unsigned(cell)]) ^ (1 << digit)
    state.candidates[unsigned(cell)] = mask
    if mask & (mask - 1) == 0:
        if mask == 0:
            state.digit[cell] = -1
            return False
        _see_naked(state, layout, cell, lowest_bit(mask))
    return _leave(state, layout, cell, digit)


@inlined_kernel
def _leave(state, layout, cell, digit):
    """Take a cell from the places of a digit in its houses; return True if each has one left."""
    for kind in range(3):
        house = int(layout.house_of[unsigned(cell), unsigned(kind)])
        index = unsigned(house * layout.size + digit)
        left = int(state.places[index]) - _ONE - cell
        state.places[index] = left
        if left < 2 * _ONE:
            if left == 0:
                return False
            _see(state, left & _SUM, digit, IN_ROW << kind)
    return True


@inlined_kernel
def _see_naked(state, layout, cell, digit):
    """Note a naked single, and the houses in which it is the last empty cell."""
    way = NAKED
    for kind in range(3):
        house = int(layout.house_of[unsigned(cell), unsigned(kind)])
        if int(state.empties[unsigned(house)]) >> COUNT_BIT == 1:
            way |= LAST_IN_ROW << kind
    _see(state, cell, digit, way)


@lean_kernel
def fewest_candidates(state, layout, rng):
    """Return an empty cell with the fewest candidates; break ties at random."""
    fewest = layout.size + 1
    ties = 0
    chosen = -1
    for cell in range(layout.n_cells):
        bits = n_bits(int(state.candidates[cell]))
        if bits == 0:
            continue
        if bits < fewest:
            fewest = bits
            ties = 0
        if bits == fewest:
            ties += 1
            if ties == 1 or rng.random() * ties < 1.0:
                chosen = cell
    return chosen


@lean_kernel
def fewest_candidates_first(candidates, place_in_line):
    """Return the cell with the fewest candidates; break ties by `place_in_line`.

    Cells without candidates are skipped; -1 if there are no others.
    """
    fewest = 64
    chosen = -1
    for cell in range(candidates.size):
        bits = n_bits(int(candidates[cell]))
        if bits == 0 or bits > fewest:
            continue
        if bits < fewest or place_in_line[cell] < place_in_line[chosen]:
            fewest = bits
            chosen = cell
    return chosen
