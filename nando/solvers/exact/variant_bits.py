"""Exact search for variants whose only constraint is that cells differ, on sets of cells as bits.

The cells that may hold a digit are two words. One pass over the digits finds all naked singles, and
a digit is removed from all peers of its cell at once. In each house that changed for a digit, a
hidden single is filled. If two or three places are left, the digit is removed from all cells that
see each of them: these are locked candidates, whatever the shape of the houses.

The search itself, with its guesses and weights, is that of :mod:`nando.solvers.exact.variants`, but
two to four times as fast. It is written twice: a loop made for both would need five functions for
each, and be no shorter.

A state has for each digit the two words of its cells and the houses in which they changed; then the
two words of the cells whose peers have lost their digit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import (
    copy_values,
    inlined_kernel,
    lean_kernel,
    lowest_bit,
    n_bits,
    unsigned,
)
from nando.puzzles import Variant
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.variants.bits import BitNetwork
from nando.solvers.variants.tables import Ints

PATIENCE = 100_000_000
"""Guesses times cells after which a search without a limit gives up: some ten seconds."""
_LOCKED = 3
"""Most places of a digit in a house whose common peers lose the digit."""


class _Memory(NamedTuple):
    """States of each depth, the cell and digit guessed there, and weights of the cells."""

    stack: Ints
    guesses: Ints
    weights: Ints


class BitSearch:
    """Search for the solutions of a variant; see :class:`nando.solvers.kinds.Search`."""

    def __init__(self, puzzle: Variant, network: BitNetwork) -> None:
        n_cells = len(puzzle.board.cells)
        self.patience = PATIENCE // n_cells
        self.solutions = np.zeros((2, puzzle.givens.size), np.int8)
        self._network = network
        self._memory = _new_memory(network, n_cells)
        self._givens = puzzle.givens[None]
        self._numbers = np.zeros((1, 3), np.int64)
        self.progress = self._numbers[0]

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        advance_bits(
            self._memory,
            self._network,
            self._givens,
            self._numbers,
            (limit, most_guesses),
            self.solutions,
        )


def count_on_bits(puzzles: Sequence[Variant], network: BitNetwork, limit: int) -> NDArray[np.int64]:
    """Return the number of solutions, at most `limit`, of puzzles of one network.

    The number is -1 for a puzzle that takes too many guesses.
    """
    givens = np.stack([puzzle.givens for puzzle in puzzles])
    givens.setflags(write=False)
    numbers = np.zeros((len(puzzles), 3), np.int64)
    n_cells = len(puzzles[0].board.cells)
    memory, most = _new_memory(network, n_cells), (limit, PATIENCE // n_cells)
    advance_bits(memory, network, givens, numbers, most, np.zeros((2, givens.shape[1]), np.int8))
    counts: NDArray[np.int64] = numbers[:, FOUND]
    return np.where((numbers[:, DEPTH] < 0) | (counts >= limit), counts, -1)


def _new_memory(network: BitNetwork, n_cells: int) -> _Memory:
    return _Memory(
        np.zeros((n_cells + 1, network.start.size), np.int64),
        np.zeros((n_cells + 1, 2), np.int64),
        np.zeros(128, np.int64),
    )


@lean_kernel
def advance_bits(memory, network, givens, progress, most, solutions):
    """Continue the search for each row of givens.

    Each search ends at `most`, a number of solutions and one of guesses, or at the end (depth -1),
    and has a row of `progress`. `solutions` receives the first two of the last row. A search can be
    continued only if it is the only row.
    """
    for i in range(givens.shape[0]):
        if progress[i, DEPTH] == 0 and progress[i, GUESSES] == 0 and progress[i, FOUND] == 0:
            copy_values(memory.weights, network.weights)
            _open(memory.stack[0], network, givens[i])
        _advance(memory, network, progress[i], most, solutions)


@lean_kernel
def _open(state, network, givens):
    """Write the state of givens; a contradiction leaves a cell without a candidate."""
    copy_values(state, network.start)
    for word in range(2):
        cells = network.cells[word]
        while cells:
            cell = 64 * word + lowest_bit(cells)
            cells &= cells - 1
            digit = int(givens[network.places[cell]])
            if digit:
                _fill(state, network, digit - 1, cell)


@lean_kernel
def _advance(memory, network, progress, most, solutions):
    """Continue the search whose states are in `memory`."""
    stack, guesses, weights = memory
    limit, most_guesses = most
    depth = progress[DEPTH]
    while depth >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        state = stack[depth]
        if _settle(state, network, weights):
            cell, digit = _cell_to_guess(state, network, weights)
            if cell >= 0:
                above = stack[depth + 1]
                copy_values(above, state)
                guesses[depth, 0] = cell
                guesses[depth, 1] = digit
                progress[GUESSES] += 1
                depth += 1
                _fill(above, network, digit, cell)
                continue
            if progress[FOUND] < 2:
                _write(state, network, solutions[progress[FOUND]])
            progress[FOUND] += 1
        depth -= 1
        if depth >= 0:
            cell, digit = guesses[depth, 0], guesses[depth, 1]
            stack[depth, 3 * digit + 2] |= _remove(
                stack[depth], network, digit, cell >> 6, 1 << (cell & 63)
            )
    progress[DEPTH] = depth


@lean_kernel
def _settle(state, network, weights):
    """Apply all rules until nothing changes; return False at a contradiction, after blaming it."""
    n = state.size // 3
    while True:
        placed, n_open = False, 0
        for word in range(2):
            some, several = 0, 0
            for digit in range(n):
                cells = state[unsigned(3 * digit + word)]
                several |= some & cells
                some |= cells
            if some != network.cells[unsigned(word)]:
                _blame(weights, word, network.cells[unsigned(word)] & ~some)
                return False
            n_open |= several
            naked = some & ~several & ~state[unsigned(3 * n + word)]
            if naked:
                placed = True
                state[unsigned(3 * n + word)] |= naked
                for digit in range(n):
                    cells = state[unsigned(3 * digit + word)] & naked
                    while cells:
                        _place(state, network, digit, 64 * word + lowest_bit(cells))
                        cells &= cells - 1
        if placed:
            continue
        changed = 0
        digit = 0
        while n_open and digit < n and changed == 0:
            changed = _settle_digit(state, network, weights, digit)
            digit += 1
        if changed <= 0:
            return changed == 0


@inlined_kernel
def _settle_digit(state, network, weights, digit):
    """Apply the rules to the houses in which a digit changed.

    Return 1 if that excludes something, 0 if not, and -1 if a house has no place for the digit.
    """
    n = state.size // 3
    changed = 0
    houses = state[unsigned(3 * digit + 2)]
    while houses:
        house = lowest_bit(houses)
        houses &= houses - 1
        low = state[unsigned(3 * digit)] & network.houses[unsigned(2 * house)]
        high = state[unsigned(3 * digit + 1)] & network.houses[unsigned(2 * house + 1)]
        count = n_bits(low) + n_bits(high)
        if count == 0:
            for word in range(2):
                _blame(weights, word, network.houses[unsigned(2 * house + word)])
            return -1
        if count == 1:
            if low & ~state[unsigned(3 * n)] | high & ~state[unsigned(3 * n + 1)]:
                cell = lowest_bit(low) if low else 64 + lowest_bit(high)
                _fill(state, network, digit, cell)
                changed = 1
        elif count <= _LOCKED:
            seen = _lock(state, network, digit, low, high)
            houses |= seen
            changed |= int(seen != 0)
    state[unsigned(3 * digit + 2)] = 0
    return changed


@inlined_kernel
def _lock(state, network, digit, low, high):
    """Remove a digit from all cells that see each of its places; return the houses of those cells.

    `low` and `high` are the two words of the places.
    """
    seen_low, seen_high = state[unsigned(3 * digit)], state[unsigned(3 * digit + 1)]
    cells = low
    for word in range(2):
        while cells:
            cell = 64 * word + lowest_bit(cells)
            cells &= cells - 1
            seen_low &= network.peers[unsigned(2 * cell)]
            seen_high &= network.peers[unsigned(2 * cell + 1)]
        cells = high
    houses = _remove(state, network, digit, 0, seen_low)
    return houses | _remove(state, network, digit, 1, seen_high)


@inlined_kernel
def _remove(state, network, digit, word, cells):
    """Remove a digit from cells that may hold it; return their houses."""
    state[unsigned(3 * digit + word)] ^= cells
    houses = 0
    while cells:
        houses |= network.cell_houses[unsigned(64 * word + lowest_bit(cells))]
        cells &= cells - 1
    return houses


@inlined_kernel
def _place(state, network, digit, cell):
    """Remove the digit of a cell from its peers."""
    houses = state[unsigned(3 * digit + 2)]
    for word in range(2):
        cells = state[unsigned(3 * digit + word)] & network.peers[unsigned(2 * cell + word)]
        houses |= _remove(state, network, digit, word, cells)
    state[unsigned(3 * digit + 2)] = houses & ~network.cell_houses[unsigned(cell)]


@inlined_kernel
def _fill(state, network, digit, cell):
    """Remove all other digits from a cell."""
    word, place = cell >> 6, cell & 63
    houses = network.cell_houses[unsigned(cell)]
    for other in range(state.size // 3):
        if other != digit:
            has = state[unsigned(3 * other + word)] >> place & 1
            state[unsigned(3 * other + word)] ^= has << place
            state[unsigned(3 * other + 2)] |= houses & -has


@lean_kernel
def _blame(weights, word, cells):
    """Add 1 to the weights of the cells of a word."""
    while cells:
        weights[64 * word + lowest_bit(cells)] += 1
        cells &= cells - 1


@lean_kernel
def _cell_to_guess(state, network, weights):
    """Return the cell with the fewest candidates for its weight, and one of them; -1 if none."""
    n = state.size // 3
    fewest, weight = n + 1, 1
    chosen = -1
    for word in range(2):
        # The numbers of candidates of all cells, in binary.
        ones, twos, fours, eights = 0, 0, 0, 0
        for digit in range(n):
            cells = state[unsigned(3 * digit + word)]
            pairs = ones & cells
            ones ^= cells
            fourth = twos & pairs
            twos ^= pairs
            eights |= fours & fourth
            fours ^= fourth
        left = network.cells[word] & ~state[3 * n + word]
        while left:
            place = lowest_bit(left)
            left &= left - 1
            cell = 64 * word + place
            count = (ones >> place & 1) + (twos >> place & 1) * 2
            count += (fours >> place & 1) * 4 + (eights >> place & 1) * 8
            if count * weight < fewest * weights[unsigned(cell)]:
                fewest = count
                weight = weights[unsigned(cell)]
                chosen = cell
    digit = 0
    if chosen >= 0:
        while state[3 * digit + (chosen >> 6)] >> (chosen & 63) & 1 == 0:
            digit += 1
    return chosen, digit


@lean_kernel
def _write(state, network, solution):
    """Write the digits of a state in which each cell has one candidate."""
    for digit in range(state.size // 3):
        for word in range(2):
            cells = state[3 * digit + word]
            while cells:
                solution[network.places[64 * word + lowest_bit(cells)]] = digit + 1
                cells &= cells - 1
