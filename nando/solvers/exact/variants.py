"""Exact search for variants of Sudoku: propagation, then a guess where the fewest options are left.

A guess is a digit of a cell; once it is refuted, the digit is removed and propagation continues.
The cell with the fewest candidates relative to its weight is chosen. The weight is at first half
the number of cells to which it is joined, and grows by one at each failure that concerns the cell.
If a few guesses do not suffice, the search begins again with the sums that follow by the 45 rule.
After some hundreds, sums are also added up and know which of their cells differ. From then on the
weight of a cell grows, too, when the guess of its digit fails.
If the only constraint is that cells differ, :mod:`nando.solvers.exact.variant_bits` is faster.

Source: Boussemart, Hemery, Lecoutre and Sais 2004 (weights).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.kernels.compile import copy_values, lean_kernel, lowest_bit, n_bits, unsigned
from nando.puzzles import Variant
from nando.puzzles.boards.constraints import Candidates
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.variant_bits import PATIENCE, BitSearch, count_on_bits
from nando.solvers.kinds import Search
from nando.solvers.variants.bits import bit_network
from nando.solvers.variants.groups import with_groups
from nando.solvers.variants.innies import derived_sums
from nando.solvers.variants.network import Network, network_of, with_sums
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import (
    CELLS,
    HOUSES,
    KIND,
    NUMBER,
    SUMS,
    enlist_all,
    forget,
    narrow,
    new_work,
)

STARTED = 3
"""Further index in `progress`: 1 once all constraints were listed."""
_EASY = 20
"""Guesses after which the sums of the 45 rule are derived."""
_HARD = 500
"""Guesses after which sums know which of their cells differ."""


def quick_search(puzzle: Variant) -> Search:
    """Return the fastest search for a variant."""
    bits = bit_network(puzzle.board, puzzle.rules)
    return VariantSearch(puzzle) if bits is None else BitSearch(puzzle, bits)


class Memory(NamedTuple):
    """Memory of a search; all arrays are changed in place.

    Attributes
    ----------
    stack : ndarray of int64, shape (n_cells + 1, n_cells)
        Candidates at each depth.
    guesses : ndarray of int64, shape (n_cells + 1, 2)
        Cell and digit guessed at each depth.
    weights : ndarray of int64, shape (n_cells,)
    preferred : ndarray of int64, shape (n_cells,)
        Digits of each cell that are guessed first, as masks; none at the start.
    progress : ndarray of int64, shape (4,)
    solutions : ndarray of int8, shape (2, n_values)
        The first two solutions, digits from 1.
    places : ndarray of int64, shape (n_cells,)
        The index of each cell in a solution.
    """

    stack: Ints
    guesses: Ints
    weights: Ints
    preferred: Ints
    progress: Ints
    solutions: NDArray[np.int8]
    places: Ints


def new_memory(network: Network, places: ArrayLike, n_values: int) -> Memory:
    """Return the memory of a search that begins with the candidates of a network."""
    n_cells = network.n_cells
    stack = np.empty((n_cells + 1, n_cells), np.int64)
    stack[0] = network.start
    return Memory(
        stack,
        np.zeros((n_cells + 1, 2), np.int64),
        first_weights(network),
        np.zeros(n_cells, np.int64),
        np.zeros(4, np.int64),
        np.zeros((2, n_values), np.int8),
        np.array(places, np.int64),
    )


class VariantSearch:
    """Search for the solutions of a variant; see :class:`nando.solvers.kinds.Search`."""

    def __init__(self, puzzle: Variant) -> None:
        self._puzzle = puzzle
        self._network = network_of(puzzle)[0]
        self._further = [_EASY, _HARD] if len(self._network.sum_totals) else []
        self.patience = PATIENCE // self._network.n_cells
        self._work = new_work(self._network)
        self._memory = new_memory(self._network, puzzle.places, puzzle.givens.size)
        self.progress, self.solutions = self._memory.progress, self._memory.solutions

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        while self._further:
            self._advance(limit, min(most_guesses, self._further[0]))
            depth, n_found, guesses, _ = self.progress.tolist()
            if depth < 0 or n_found >= limit or guesses >= most_guesses:
                return
            is_hard = self._further.pop(0) == _HARD
            if is_hard and n_found < 2:
                self._begin_again(with_groups(self._network))
            elif n_found == 0:
                derived = [own[:3] for own in derived_sums(self._puzzle)]
                self._begin_again(with_sums(self._network, derived))
        self._advance(limit, most_guesses)

    def _begin_again(self, network: Network) -> None:
        """Begin again with more sums; a solution that was found is found again."""
        self._network = network
        self._work = new_work(network)
        self._memory.stack[0] = network.start
        self.progress[DEPTH] = self.progress[STARTED] = self.progress[FOUND] = 0

    def _advance(self, limit: int, most_guesses: int) -> None:
        advance_variant(self._memory, self._network, self._work, (limit, most_guesses))


def count_alike(puzzles: Sequence[Variant], limit: int) -> NDArray[np.int64]:
    """Return the number of solutions, at most `limit`, of variants with the same board and rules.

    They may differ in their givens. The number is -1 for a puzzle that takes too many guesses.
    """
    bits = bit_network(puzzles[0].board, puzzles[0].rules)
    if bits is not None:
        return count_on_bits(puzzles, bits, limit)
    network = network_of(puzzles[0])[0]
    n_cells, n = network.n_cells, network.n_digits
    free = np.full(n_cells, (1 << n) - 1, np.int64)
    for _, own in puzzles[0].constraints:
        if isinstance(own, Candidates):
            free[puzzles[0].board.number_of[own.cell]] &= own.mask
    places = np.array(puzzles[0].places, np.int64)
    givens = np.stack([puzzle.givens[places] for puzzle in puzzles]).astype(np.int64)
    starts = np.where(givens > 0, free & 1 << np.maximum(givens - 1, 0), free)
    counts = np.zeros(len(puzzles), np.int64)
    memory, most = new_memory(network, places, puzzles[0].givens.size), (limit, PATIENCE // n_cells)
    _count_each(starts, memory, network, new_work(network), first_weights(network), most, counts)
    return counts


def first_weights(network: Network) -> Ints:
    """Return the weights of the cells at the start of a search."""
    joined: Ints = np.diff(network.peer_start) + np.diff(network.arc_start)
    return np.maximum(joined // 2, 1)


@lean_kernel
def _count_each(starts, memory, network, work, first_weights, most, counts):
    progress = memory.progress
    limit, _ = most
    for i in range(starts.shape[0]):
        copy_values(memory.stack[0], starts[i])
        copy_values(memory.weights, first_weights)
        for j in range(progress.size):
            progress[j] = 0
        forget(work, CELLS, 0)
        advance_variant(memory, network, work, most)
        ended = progress[DEPTH] < 0 or progress[FOUND] >= limit
        counts[i] = progress[FOUND] if ended else -1


@lean_kernel
def advance_variant(memory, network, work, most):
    """Continue until `most`, a number of solutions and one of guesses, or the end (depth -1)."""
    stack, guesses, weights, preferred, progress, solutions, places = memory
    limit, most_guesses = most
    depth = progress[DEPTH]
    if progress[STARTED] == 0:
        progress[STARTED] = 1
        enlist_all(stack[0], network, work)
    while depth >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        masks = stack[depth]
        if propagate(masks, network, work):
            cell, digit = cell_to_guess(masks, network, weights)
            if cell >= 0:
                if masks[cell] & preferred[cell]:
                    digit = lowest_bit(int(masks[cell] & preferred[cell]))
                above = stack[depth + 1]
                copy_values(above, masks)
                guesses[depth, 0] = cell
                guesses[depth, 1] = digit
                progress[GUESSES] += 1
                depth += 1
                narrow(above, work, cell, 1 << digit)
                continue
            if progress[FOUND] < 2:
                for i in range(network.n_cells):
                    solutions[progress[FOUND], places[i]] = lowest_bit(int(masks[i])) + 1
            progress[FOUND] += 1
        else:
            blame(network, work, weights)
            if network.sum_group_end.size and depth > 0:
                weights[guesses[depth - 1, 0]] += 1
        depth -= 1
        if depth >= 0:
            cell = guesses[depth, 0]
            narrow(stack[depth], work, cell, int(stack[depth, cell]) & ~(1 << guesses[depth, 1]))
    progress[DEPTH] = depth


@lean_kernel
def cell_to_guess(masks, network, weights):
    """Return the cell with the fewest candidates for its weight, and one of them; -1 if none."""
    fewest = network.n_digits + 1
    weight = 1
    chosen = -1
    for cell in range(network.n_cells):
        count = n_bits(int(masks[unsigned(cell)]))
        if count > 1 and count * weight < fewest * weights[unsigned(cell)]:
            fewest = count
            weight = weights[unsigned(cell)]
            chosen = cell
    if chosen < 0:
        return -1, 0
    return chosen, lowest_bit(int(masks[chosen]))


@lean_kernel
def blame(network, work, weights):
    """Add 1 to the weight of the cell, or of the cells of the constraint, that failed last."""
    kind, number = work.counts[KIND], work.counts[NUMBER]
    if kind == CELLS:
        weights[number] += 1
    elif kind == HOUSES:
        for i in range(network.n_digits):
            weights[network.houses[number, i]] += 1
    elif kind == SUMS:
        for i in range(network.sum_start[number], network.sum_start[number + 1]):
            weights[network.sum_cells[i]] += 1
    else:
        for i in range(network.pattern_start[number], network.pattern_start[number + 1]):
            weights[network.pattern_cells[i]] += 1
