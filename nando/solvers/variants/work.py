"""The work left for propagation: cells that changed, and constraints to look at again."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, unsigned
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.variants.network import Network
from nando.solvers.variants.rows import Ints

CELLS, SUMS, PATTERNS, KIND, NUMBER, HOUSES = range(6)
"""Places in `Work.counts`. `HOUSES` is none: with the first three it is a kind of failure."""

Flags = NDArray[np.uint8]

LARGEST_EXACT = 16
"""Most open cells of a sum whose sets of digits are tried."""


class Work(NamedTuple):
    """Lists of work, and memory of the propagators; all arrays are changed in place.

    Attributes
    ----------
    cells, sums, patterns : ndarray of int64
        Numbers that are to be looked at, in the first ``counts[i]`` places.
    has_cell, has_sum, has_pattern : ndarray of uint8
        1 for numbers in these lists, else 0.
    houses, touched : ndarray of int64, shape (n_words,)
        Houses that are to be looked at, and those that changed since their overlaps were, as bits.
    counts : ndarray of int64, shape (5,)
        Lengths of the three lists; kind and number of the cell or constraint that failed last.
    open, allowed, reach : ndarray of int64
        For the cells of one sum: numbers of those without a digit, digits that they may hold, and
        sums of the cells before each.
    unions, tight : ndarray of int64
        For the sets of open cells of one sum: digits that the cells of a set may hold; sets with as
        many digits as cells.
    states : ndarray of int64, shape (longest + 1, most_states + 1)
        For one pattern: the states before each cell, after their number.
    marks : ndarray of uint8, shape (longest + 1, most_states)
        1 for the states in these lists, 2 for those from which the pattern can be completed.
    """

    cells: Ints
    sums: Ints
    patterns: Ints
    has_cell: Flags
    has_sum: Flags
    has_pattern: Flags
    houses: Ints
    touched: Ints
    counts: Ints
    open: Ints
    allowed: Ints
    reach: Ints
    unions: Ints
    tight: Ints
    states: Ints
    marks: Flags


def new_work(network: Network) -> Work:
    """Return empty lists of work for a network; `enlist_all` fills them."""
    sizes = network.n_cells, len(network.sum_totals), len(network.pattern_first)
    longest_sum = int(np.diff(network.sum_start).max(initial=0))
    longest = int(np.diff(network.pattern_start).max(initial=0))
    most_states = int((network.pattern_end - network.pattern_first).max(initial=0))
    n_sets = 1 << min(longest_sum, LARGEST_EXACT) if longest_sum else 0
    lists = [np.zeros(size, np.int64) for size in sizes]
    flags = [np.zeros(size, np.uint8) for size in sizes]
    arrays: list[Any] = [
        *lists,
        *flags,
        *np.zeros((2, network.house_bits.shape[1]), np.int64),
        np.zeros(5, np.int64),
        np.zeros(longest_sum, np.int64),
        np.zeros(longest_sum, np.int64),
        np.zeros(longest_sum + 1, np.int64),
        np.zeros(n_sets, np.int64),
        np.zeros(n_sets, np.int64),
        np.zeros((longest + 1, most_states + 1), np.int64),
        np.zeros((longest + 1, most_states), np.uint8),
    ]
    return Work(*arrays)


@inlined_kernel
def narrow(masks, work, cell, kept):
    """Leave a cell the candidates `kept`, fewer than it has, and list the cell."""
    at = unsigned(cell)
    masks[at] = kept
    if work.has_cell[at] == 0:
        work.has_cell[at] = 1
        count = work.counts[CELLS]
        work.cells[unsigned(count)] = cell
        work.counts[CELLS] = count + 1


@inlined_kernel
def enlist(numbers, flags, counts, kind, number):
    """List a constraint of one kind unless it is listed."""
    at = unsigned(number)
    if flags[at] == 0:
        flags[at] = 1
        count = counts[unsigned(kind)]
        numbers[unsigned(count)] = number
        counts[unsigned(kind)] = count + 1


@lean_kernel
def enlist_all(masks, network, work):
    """List every cell that is not free or has relations, every sum and every pattern."""
    full = (1 << network.n_digits) - 1
    for cell in range(network.n_cells):
        if masks[cell] != full or network.arc_start[cell] < network.arc_start[cell + 1]:
            narrow(masks, work, cell, int(masks[cell]))
    for number in range(network.sum_totals.size):
        enlist(work.sums, work.has_sum, work.counts, SUMS, number)
    for number in range(network.pattern_first.size):
        enlist(work.patterns, work.has_pattern, work.counts, PATTERNS, number)


@inlined_kernel
def latest(numbers, flags, counts, kind):
    """Take the number that was listed last from its list, which is not empty."""
    count = counts[kind] - 1
    counts[kind] = count
    number = int(numbers[unsigned(count)])
    flags[unsigned(number)] = 0
    return number


@inlined_kernel
def first_house(work):
    """Take the first house from those to be looked at, and note that it changed; -1 for none."""
    for word in range(work.houses.size):
        houses = work.houses[unsigned(word)]
        if houses:
            lowest = houses & -houses
            work.houses[unsigned(word)] = houses ^ lowest
            work.touched[unsigned(word)] |= lowest
            return 32 * word + lowest_bit(lowest)
    return -1


@lean_kernel
def forget(work, kind, number):
    """Empty all lists after a failure, and note where it was."""
    while work.counts[CELLS] > 0:
        latest(work.cells, work.has_cell, work.counts, CELLS)
    while work.counts[SUMS] > 0:
        latest(work.sums, work.has_sum, work.counts, SUMS)
    while work.counts[PATTERNS] > 0:
        latest(work.patterns, work.has_pattern, work.counts, PATTERNS)
    for word in range(work.houses.size):
        work.houses[word] = 0
        work.touched[word] = 0
    work.counts[KIND] = kind
    work.counts[NUMBER] = number
