"""Decide whether a puzzle has a solution other than the known one.

There are two methods, the cheap one first:

- *Exchanges.* In two rows of a band, the cells of some columns may hold the same set of digits in
  both rows. Exchanging the rows in these columns gives another grid. One cell of each such set must
  be given, so the last given of a set is needed. The same holds for two columns of a stack.
- *Search.* It guesses only in cells that cannot have their known digit. Once all open cells can,
  their known digits complete another solution: they do not conflict with each other, nor with the
  filled cells. Therefore most of the grid is never searched.
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import lean_kernel
from nando.solvers.exact.bands import fill_cell, forbid, new_states
from nando.solvers.exact.lanes import narrow, open_givens
from nando.solvers.exact.words import N_WORDS

_DEPTH = 8 * 81 + 1
"""Most waiting states: at most eight for each cell."""

_PAIRS = np.array([(0, 1), (0, 2), (1, 2)])
N_SETS = 2 * 9 * 4
"""Most sets of cells to exchange: each has at least two columns of one of nine pairs of rows."""


def new_alternatives() -> NDArray[np.int32]:
    """Return the workspace for the states of a search; the last one is the known solution."""
    return new_states(_DEPTH + 1)


@lean_kernel
def know(states, solution):
    """Set the known solution."""
    open_givens(states[_DEPTH], solution)


@lean_kernel
def has_another(states, givens, cell, digit):
    """Return True if a solution of `givens` differs from the known digit in an open cell."""
    if not open_givens(states[0], givens):
        return False
    forbid(states[0], cell, digit)
    depth = 0
    while depth >= 0:
        state = states[depth]
        if not narrow(state):
            depth -= 1
            continue
        guessed = _cell_to_guess(state, states[_DEPTH])
        if guessed < 0:
            return True
        band, place = guessed // 27, guessed % 27
        last = 8
        while not state[4 * last + band] >> place & 1:
            last -= 1
        for other in range(last):
            if state[4 * other + band] >> place & 1:
                depth += 1
                for i in range(N_WORDS):
                    states[depth, i] = state[i]
                fill_cell(states[depth], guessed, other)
        fill_cell(state, guessed, last)
    return False


@lean_kernel
def _cell_to_guess(state, known):
    """Return an open cell with few candidates that cannot have its known digit, or -1."""
    fewest = 10
    best = -1
    for band in range(3):
        once = 0
        twice = 0
        lost = 0
        for digit in range(9):
            word = int(state[4 * digit + band])
            twice |= once & word
            once |= word
            lost |= int(known[4 * digit + band]) & ~word
        lost &= twice
        while lost:
            place = lowest_bit(lost)
            lost &= lost - 1
            count = 0
            for digit in range(9):
                count += int(state[4 * digit + band]) >> place & 1
            if count < fewest:
                fewest = count
                best = 27 * band + place
                if count == 2:
                    return best
    return best


@lean_kernel
def find_exchanges(solution, givens, sets_of, n_given):
    """Find the sets of cells to exchange, and the number of givens of each.

    Parameters
    ----------
    solution, givens : ndarray of int8, shape (81,)
    sets_of : ndarray of int64, shape (81, 4)
        Receives the four sets of each cell: two for pairs of rows, two for pairs of columns.
    n_given : ndarray of int64, shape (N_SETS + 9,)
        Receives the number of givens of each set; the rest is workspace.
    """
    place_of = n_given[N_SETS:]
    n_sets = 0
    for kind in range(2):
        along, across = (1, 9) if kind == 0 else (9, 1)
        for pair in range(9):
            first = pair // 3 * 3 + _PAIRS[pair % 3, 0]
            second = pair // 3 * 3 + _PAIRS[pair % 3, 1]
            for i in range(9):
                place_of[solution[second * across + i * along] - 1] = i
            done = 0
            for start in range(9):
                if done >> start & 1:
                    continue
                n_given[n_sets] = 0
                i = start
                while not done >> i & 1:
                    done |= 1 << i
                    for line, partner in ((first, second), (second, first)):
                        cell = line * across + i * along
                        sets_of[cell, 2 * kind + (partner - line) % 3 - 1] = n_sets
                        if givens[cell] > 0:
                            n_given[n_sets] += 1
                    i = place_of[solution[first * across + i * along] - 1]
                n_sets += 1
