"""Exact search for 9x9 Sudoku: candidates of all digits in vectors, guesses of permutations.

:mod:`nando.solvers.exact.words` propagates the rules. After that, a digit has in each band, and in
each stack of boxes, one or more of the six permutations of rows (columns) and boxes. The search
guesses in the band or stack with the fewest permutations over all digits, at the digit with the
fewest. A guess therefore fixes up to three cells. The states of all permutations but the first wait
on a stack.
"""

from itertools import permutations

import numpy as np

from nando.kernels.compile import kernel, lean_kernel, lowest_bit, n_bits
from nando.puzzles import Sudoku
from nando.solvers.exact.words import BAND, N_WORDS, ROW, ROWS, narrow, narrow_triples, open_givens

_WIDTH = 48
"""Words of a state, with padding that keeps states on separate cache lines."""

_DEPTH = 54 * 5 + 1
"""Most waiting states: up to five for each digit in each band and stack."""


def _permutations() -> tuple[np.ndarray, np.ndarray]:
    """Return the number of permutations in nine bits (three groups of three), and these."""
    masks = np.arange(512)
    contained = np.zeros((512, 6), np.int64)
    n_contained = np.zeros(512, np.int64)
    for order in permutations(range(3)):
        mask = sum(1 << 3 * group + place for group, place in enumerate(order))
        has = np.flatnonzero(masks & mask == mask)
        contained[has, n_contained[has]] = mask
        n_contained[has] += 1
    return n_contained, contained


def _spread(group: int, place: int, width: int) -> np.ndarray:
    """Return for nine bits 3g + p `width` bits each, at ``group * g + place * p``."""
    bits = np.arange(512)
    cells = np.zeros(512, np.int64)
    for g in range(3):
        for p in range(3):
            cells |= (bits >> 3 * g + p & 1) * (width << group * g + place * p)
    return cells


_N_PERMUTATIONS, _PERMUTATIONS = _permutations()
_ROW_CELLS = _spread(3, 9, 0b111)
"""For mini-row bits 3 * box + row, their cells in a band."""
_STACK_COLUMNS = _spread(9, 1, 0b1)
"""For mini-column bits 3 * band + column, columns of the first stack at 9 * band + column."""


DEPTH, FOUND, GUESSES = range(3)
"""Indices of the numbers of a search in its `progress`."""


class BandSearch:
    """Search on the bands of a 9x9 Sudoku; see :class:`nando.solvers.kinds.Search`."""

    patience = 1 << 62

    def __init__(self, puzzle: Sudoku) -> None:
        self.progress = np.zeros(3, np.int64)
        self.solutions = np.zeros((2, 81), np.int8)
        self._stack = new_stack()
        start_bands(self._stack, self.progress, puzzle.givens)

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        advance_bands(self._stack, self.progress, limit, most_guesses, self.solutions)


def new_stack() -> np.ndarray:
    """Return the workspace of a search: its states, and two rows for the mini-rows and columns."""
    return np.empty((_DEPTH + 2, _WIDTH), np.int32)


def new_states(count: int) -> np.ndarray:
    """Return the workspace for `count` states."""
    return np.empty((count, _WIDTH), np.int32)


@kernel
def count_bands(puzzles, limit, counts, guesses, firsts):
    """Count solutions up to `limit`, and guesses, of each row of `puzzles`, shape (n, 81).

    `firsts`, of the same shape or without rows, receives the first solution of each.
    """
    stack = np.empty((_DEPTH + 2, _WIDTH), np.int32)
    solutions = np.zeros((2, 81), np.int8)
    progress = np.zeros(3, np.int64)
    for i in range(puzzles.shape[0]):
        start_bands(stack, progress, puzzles[i])
        advance_bands(stack, progress, limit, 1 << 62, solutions)
        counts[i] = progress[FOUND]
        guesses[i] = progress[GUESSES]
        if i < firsts.shape[0]:
            for cell in range(81):
                firsts[i, cell] = solutions[0, cell]


@lean_kernel
def start_bands(stack, progress, givens):
    """Put the givens at the bottom of the stack; a conflict leaves nothing to search."""
    progress[DEPTH] = 0 if open_givens(stack[0], givens) else -1
    progress[FOUND] = 0
    progress[GUESSES] = 0


@lean_kernel
def advance_bands(stack, progress, limit, most_guesses, solutions):
    """Continue until `limit` solutions, `most_guesses` guesses, or the end (depth -1).

    `solutions`, shape (n, 81), receives the first n.
    """
    depth = progress[DEPTH]
    n_found = progress[FOUND]
    guesses = progress[GUESSES]
    rows = stack[_DEPTH]
    columns = stack[_DEPTH + 1]
    while depth >= 0 and n_found < limit and guesses < most_guesses:
        state = stack[depth]
        if not _settle(state, rows, columns):
            depth -= 1
            continue
        place, digit, minis = _fewest_permutations(rows, columns)
        if place < 0:
            if n_found < solutions.shape[0]:
                write(state, solutions[n_found])
            n_found += 1
            depth -= 1
            continue
        guesses += 1
        # The permutation that is tried first is on top.
        last = _N_PERMUTATIONS[minis] - 1
        for i in range(1, last + 1):
            above = stack[depth + i]
            for j in range(N_WORDS):
                above[j] = state[j]
        for i in range(last + 1):
            _guess(stack[depth + i], place, digit, _PERMUTATIONS[minis, last - i])
        depth += last
    progress[DEPTH] = depth
    progress[FOUND] = n_found
    progress[GUESSES] = guesses


@lean_kernel
def _settle(state, rows, columns):
    """Apply all rules until nothing changes; return False at a contradiction."""
    while narrow(state):
        changed = narrow_triples(state, rows, columns)
        if changed <= 0:
            return changed == 0
    return False


@lean_kernel
def _fewest_permutations(rows, columns):
    """Return the band (or 3 + the stack) and digit to guess, and its mini-rows (-columns) there.

    The band is -1 if each digit has one permutation everywhere: then the grid is full.
    """
    fewest = 1000
    place = -1
    left = 0
    middle = 0
    right = 0
    for digit in range(9):
        own = _columns_of(columns, digit)
        left += n_bits(own & 0o7007007)
        middle += n_bits(own & 0o70070070)
        right += n_bits(own & 0o700700700)
    for i in range(6):
        count = left
        if i < 3:
            count = 0
            for digit in range(9):
                count += n_bits(int(rows[4 * digit + i]))
        elif i == 4:
            count = middle
        elif i == 5:
            count = right
        if 27 < count < fewest:
            fewest = count
            place = i
    fewest = 7
    best = 0
    best_minis = 0
    for digit in range(9):
        if place < 3:
            minis = int(rows[4 * digit + place]) * 0x10101 >> 16 & ROW
        else:
            minis = (
                _columns_of(columns, digit) >> 3 * (place - 3) & 0o7007007
            ) * 0o10101 >> 12 & ROW
        count = _N_PERMUTATIONS[minis]
        if 1 < count < fewest:
            fewest = count
            best = digit
            best_minis = minis
    return place, best, best_minis


@lean_kernel
def _columns_of(columns, digit):
    """Return the columns of a digit in all bands: bits 9 * band + column."""
    return (
        int(columns[4 * digit])
        | int(columns[4 * digit + 1]) << 9
        | int(columns[4 * digit + 2]) << 18
    )


@lean_kernel
def _guess(state, place, digit, permutation):
    """Restrict a digit to one permutation in band `place`, or in stack `place` - 3."""
    if place < 3:
        state[4 * digit + place] &= _ROW_CELLS[permutation]
        return
    stack = 3 * (place - 3)
    kept = _STACK_COLUMNS[permutation] << stack
    others = ROW & ~(0b111 << stack)
    for band in range(3):
        state[4 * digit + band] &= (kept >> 9 * band & ROW | others) * ROWS


@lean_kernel
def fill_cell(state, cell, digit):
    """Put a digit (0-based) into an open cell; :func:`narrow` propagates it."""
    place = cell % 27
    others = BAND & ~(ROW << place // 9 * 9)
    state[4 * digit + cell // 27] &= others | 1 << place


@lean_kernel
def forbid(state, cell, digit):
    """Eliminate a candidate (0-based digit)."""
    state[4 * digit + cell // 27] &= BAND & ~(1 << cell % 27)


@lean_kernel
def write(state, solution):
    """Write the digits of a state in which each cell has one candidate."""
    for digit in range(9):
        for band in range(3):
            word = int(state[4 * digit + band])
            while word:
                solution[27 * band + lowest_bit(word)] = digit + 1
                word &= word - 1
