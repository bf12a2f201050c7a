"""Exact search for 9x9 Sudoku on bands: 27 cells of one digit in one word.

The candidates of a digit in a band (three rows) are a 27-bit word, nine bits a row. In each box
of the band the digit stands in another row, so the three rows are a permutation of the three
boxes: of the nine mini-rows (a row within a box) only those survive that belong to a permutation
all of whose mini-rows are still possible. One look-up in a table of 512 entries does this, and
the same table does it for the three columns of a stack. Hidden singles and locked candidates
of all houses follow from repeating both; naked singles are counted in bit planes.
"""

from itertools import permutations

import numpy as np

from nando.puzzles._bits import lowest_bit
from nando.puzzles._kernel import kernel

_ROW = 0x1FF
_BAND = 0x7FFFFFF
_COLUMN = 0x40201  # times a nine-bit row: the row in all three rows of a band


def _permuted() -> np.ndarray:
    """For nine bits (three groups of three), the union of the permutations they contain."""
    masks = np.arange(512)
    union = np.zeros(512, np.int64)
    for order in permutations(range(3)):
        mask = sum(1 << 3 * group + place for group, place in enumerate(order))
        union |= np.where(masks & mask == mask, mask, 0)
    return union


def _spread(group: int, place: int, width: int) -> np.ndarray:
    """For nine bits 3g + p of :func:`_permuted`, `width` bits at ``group * g + place * p``."""
    bits = np.arange(512)
    cells = np.zeros(512, np.int64)
    for g in range(3):
        for p in range(3):
            cells |= (_PERMUTED[bits] >> 3 * g + p & 1) * (width << group * g + place * p)
    return cells


def _cells_left() -> np.ndarray:
    """For each cell, the cells of each band its digit may still have, shape (81, 3).

    Bits beyond those of a band are set, so that they stay as they are.
    """
    left = np.full((81, 3), -1, np.int64)
    for cell in range(81):
        row, column = divmod(cell, 9)
        own = 1 << 9 * (row % 3) + column
        left[cell] &= ~((1 << column) * _COLUMN)
        left[cell, row // 3] &= ~(_ROW << 9 * (row % 3))
        left[cell, row // 3] &= ~((7 << column // 3 * 3) * _COLUMN)
        left[cell, row // 3] |= own
    return left


_PERMUTED = _permuted()
_MINI_ROWS = _spread(3, 9, 0b111)
"""For mini-row bits 3 * box + row of a band, its cells that a permutation keeps."""
_MINI_COLUMNS = _spread(9, 1, 0b1)
"""For mini-column bits 3 * band + column of a stack, what stays, at 9 * band + column."""
_LONE = np.array([row if row.bit_count() == 1 else 0 for row in range(512)], np.int64)
_LEFT = _cells_left()


FULL, NOT_FULL = -1, -2
"""What a propagation says in place of a cell."""

DEPTH, FOUND, GUESSES = range(3)
"""Where the numbers of a search stand in its `progress`."""


def new_stack() -> np.ndarray:
    """Room for the states of one search: a guess solves a cell, so 81 levels are enough."""
    return np.zeros((82, 32), np.int64)


@kernel
def count_bands(puzzles, limit, counts, guesses):
    """Solutions up to `limit`, and guesses, of each row of `puzzles`, shape (n, 81)."""
    stack = np.zeros((82, 32), np.int64)
    solutions = np.zeros((2, 81), np.int8)
    progress = np.zeros(3, np.int64)
    for i in range(puzzles.shape[0]):
        start_bands(stack, progress, puzzles[i])
        advance_bands(stack, progress, limit, 1 << 62, solutions)
        counts[i] = progress[FOUND]
        guesses[i] = progress[GUESSES]


@kernel
def start_bands(stack, progress, givens):
    """Put the givens at the bottom of the stack; a conflict leaves nothing to search."""
    progress[DEPTH] = 0 if start(stack[0], givens) else -1
    progress[FOUND] = 0
    progress[GUESSES] = 0


@kernel
def advance_bands(stack, progress, limit, most_guesses, solutions):
    """Search on until `limit` solutions, `most_guesses` guesses, or the end (depth -1).

    `solutions`, shape (n, 81), gets the first n.
    """
    depth = progress[DEPTH]
    found = progress[FOUND]
    guesses = progress[GUESSES]
    while depth >= 0 and found < limit and guesses < most_guesses:
        state = stack[depth]
        cell, digit = propagate(state)
        if cell < 0:
            if cell == FULL:
                if found < solutions.shape[0]:
                    write(state, solutions[found])
                found += 1
            depth -= 1
            continue
        # The guess is tried one level up; this level goes on without it afterwards.
        guesses += 1
        above = stack[depth + 1]
        for i in range(31):
            above[i] = state[i]
        fill_cell(above, cell, digit)
        forbid(state, cell, digit)
        state[30] = 1 << digit
        depth += 1
    progress[DEPTH] = depth
    progress[FOUND] = found
    progress[GUESSES] = guesses


@kernel
def fill_cell(state, cell, digit):
    """Put a digit (0-based) into an open cell; what follows is left to :func:`propagate`."""
    for band in range(3):
        state[9 * band + digit] &= _LEFT[cell, band]
    state[30] |= 1 << digit


@kernel
def forbid(state, cell, digit):
    """Take a candidate (0-based digit) away."""
    state[9 * (cell // 27) + digit] &= ~(1 << cell % 27)


@kernel
def start(state, givens):
    """Words of the givens: 27 of candidates (band by band), 3 of solved cells, dirty digits.

    False where a given excludes an equal one.
    """
    state[:27] = _BAND
    for band in range(3):
        given = 0
        for place in range(27):
            cell = 27 * band + place
            digit = int(givens[cell]) - 1
            if digit >= 0:
                for other in range(3):
                    state[9 * other + digit] &= _LEFT[cell, other]
                # The upper bits remember whose cell it is.
                state[9 * band + digit] |= 1 << 27 + place
                given |= 1 << place
        state[27 + band] = given
    for band in range(3):
        given = state[27 + band]
        for digit in range(9):
            word = state[9 * band + digit]
            own = word >> 27
            if own & ~word:
                return False
            state[9 * band + digit] = word & _BAND & (~given | own)
        state[27 + band] = 0
    state[30] = _ROW
    return True


@kernel
def propagate(state):
    """Follow all singles and locked candidates; the cell and digit to guess next.

    The cell is FULL where nothing is left, NOT_FULL where the grid cannot be filled.
    """
    dirty = state[30]
    state[30] = 0
    while True:
        while dirty:
            digit = lowest_bit(dirty)
            dirty &= dirty - 1
            a = state[digit]
            b = state[9 + digit]
            c = state[18 + digit]
            while True:
                # The rows of each band are a permutation of its boxes.
                a &= _MINI_ROWS[_mini_rows(a)]
                b &= _MINI_ROWS[_mini_rows(b)]
                c &= _MINI_ROWS[_mini_rows(c)]
                if a == 0 or b == 0 or c == 0:
                    return NOT_FULL, 0
                # The bands of each stack are a permutation of its columns.
                columns = _any_row(a) | _any_row(b) << 9 | _any_row(c) << 18
                left = _MINI_COLUMNS[_mini_columns(columns)]
                middle = _MINI_COLUMNS[_mini_columns(columns >> 3)]
                right = _MINI_COLUMNS[_mini_columns(columns >> 6)]
                if left == 0 or middle == 0 or right == 0:
                    return NOT_FULL, 0
                kept = left | middle << 3 | right << 6
                if kept == columns:
                    break
                a &= (kept & 511) * _COLUMN
                b &= (kept >> 9 & 511) * _COLUMN
                c &= (kept >> 18 & 511) * _COLUMN
            state[digit] = a
            state[9 + digit] = b
            state[18 + digit] = c
            # A lone cell in its row is filled: it loses its other candidates.
            for band in range(3):
                word = a
                if band == 1:
                    word = b
                elif band == 2:
                    word = c
                lone = (
                    _LONE[word & 511] | _LONE[word >> 9 & 511] << 9 | _LONE[word >> 18 & 511] << 18
                )
                new = lone & ~state[27 + band]
                if new:
                    state[27 + band] |= new
                    # Without a branch the nine words are one vector operation.
                    for other in range(9):
                        held = state[9 * band + other]
                        state[9 * band + other] = held & ~new
                        dirty |= (1 << other) * (held & new != 0)
                    state[9 * band + digit] = word
                    dirty &= ~(1 << digit)
        # Naked singles, from the number of candidates of each cell in bit planes.
        pair_band = -1
        pairs = 0
        for band in range(3):
            once = 0
            twice = 0
            thrice = 0
            for digit in range(9):
                word = state[9 * band + digit]
                thrice |= twice & word
                twice |= once & word
                once |= word
            if once != _BAND:
                return NOT_FULL, 0
            single = once & ~twice & ~state[27 + band]
            if single:
                state[27 + band] |= single
                for digit in range(9):
                    mine = state[9 * band + digit] & single
                    while mine:
                        cell = 27 * band + lowest_bit(mine)
                        mine &= mine - 1
                        for other in range(3):
                            state[9 * other + digit] &= _LEFT[cell, other]
                        dirty |= 1 << digit
            elif pairs == 0:
                pairs = twice & ~thrice
                pair_band = band
        if dirty:
            continue
        if pairs:
            cell = 27 * pair_band + lowest_bit(pairs)
            bit = pairs & -pairs
            for digit in range(9):
                if state[9 * pair_band + digit] & bit:
                    return cell, digit
        return _fewest(state)


@kernel
def _mini_rows(word):
    """Which mini-rows of a band have a cell: bits 3 * box + row."""
    any_cell = word | word >> 1 | word >> 2
    return any_cell & 0o111 | any_cell >> 8 & 0o222 | any_cell >> 16 & 0o444


@kernel
def _any_row(word):
    """Which columns of a band have a cell."""
    return (word | word >> 9 | word >> 18) & _ROW


@kernel
def _mini_columns(columns):
    """Which columns of the first stack each band has: bits 3 * band + column."""
    return columns & 0o7 | columns >> 6 & 0o70 | columns >> 12 & 0o700


@kernel
def _fewest(state):
    """An unsolved cell with the fewest candidates and its first digit; -1 where all are solved."""
    fewest = 10
    best = FULL
    best_digit = 0
    for band in range(3):
        open_cells = _BAND & ~state[27 + band]
        while open_cells:
            bit = open_cells & -open_cells
            open_cells &= open_cells - 1
            count = 0
            first = -1
            for digit in range(9):
                if state[9 * band + digit] & bit:
                    count += 1
                    if first < 0:
                        first = digit
            if count < fewest:
                fewest = count
                best = 27 * band + lowest_bit(bit)
                best_digit = first
    return best, best_digit


@kernel
def write(state, solution):
    for digit in range(9):
        for band in range(3):
            word = state[9 * band + digit]
            while word:
                solution[27 * band + lowest_bit(word)] = digit + 1
                word &= word - 1
