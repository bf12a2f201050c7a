"""The work left for propagation: cells that changed, and constraints to check again."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, unsigned
from nando.solvers.variants.network import Network
from nando.solvers.variants.tables import Ints

CELLS, SUMS, PATTERNS, KIND, NUMBER, HOUSES = range(6)
"""Indices in `Work.counts`, except for `HOUSES`: like the first three, it is a kind of failure."""

Flags = NDArray[np.uint8]

MOST_APART = 5
"""Most open cells of a sum with repeats whose combinations are tried."""

LARGEST_EXACT = 16
"""Most open cells of a sum whose sets of digits are tried."""


class Reading(NamedTuple):
    """Memory for one pattern; both arrays are changed in place.

    Attributes
    ----------
    states : ndarray of int64, shape (longest + 1, most_states + 1)
        The number of states before each cell, then these states.
    marks : ndarray of uint8, shape (longest + 1, most_states)
        1 for the states in these lists, 2 for those from which the pattern can be completed, else
        0.
    """

    states: Ints
    marks: Flags


def new_reading(network: Any) -> Reading:
    """Return memory for any pattern of a network, or of a layout for the techniques."""
    longest = int(np.diff(network.pattern_start).max(initial=0))
    most_states = int((network.pattern_end - network.pattern_first).max(initial=0))
    return Reading(
        np.zeros((longest + 1, most_states + 1), np.int64),
        np.zeros((longest + 1, most_states), np.uint8),
    )


class Work(NamedTuple):
    """Lists of work, and memory of the propagators; all arrays are changed in place.

    Attributes
    ----------
    cells, sums, patterns : ndarray of int64
        Numbers of the cells and constraints to check, in the first ``counts[i]`` entries.
    has_cell, has_sum, has_pattern : ndarray of uint8
        1 for numbers in these lists, else 0.
    houses, touched : ndarray of int64, shape (n_words,)
        Houses to check, and houses that changed since their overlaps were checked, as bits.
    counts : ndarray of int64, shape (5,)
        Lengths of the three lists; kind and number of the cell or constraint that failed last.
    open, allowed, reach : ndarray of int64
        For the cells of one sum: the numbers of open cells, the digits that each of these may
        hold, and the possible sums of the cells before each cell.
    unions, tight : ndarray of int64
        For the sets of open cells of one sum: the digits that the cells of each set may hold, and
        a list of the sets with as many digits as cells.
    combination : ndarray of int64, shape (4, MOST_APART)
        For the open cells of a sum with repeats.
    holders : ndarray of int64, shape (n_digits,)
        For each digit, the places in one sum of different cells that may hold it, as bits.
    kept : ndarray of int64, shape (longest,)
        For one pattern: the digits that it leaves to each of its cells, as masks.
    reading : Reading
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
    combination: Ints
    holders: Ints
    kept: Ints
    reading: Reading


def new_work(network: Network) -> Work:
    """Return empty lists of work for a network; `enlist_all` fills them."""
    sizes = network.n_cells, len(network.sum_totals), len(network.pattern_first)
    longest_sum = int(np.diff(network.sum_start).max(initial=0))
    longest = int(np.diff(network.pattern_start).max(initial=0))
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
        np.zeros((4, MOST_APART), np.int64),
        np.zeros(network.n_digits, np.int64),
        np.zeros(longest, np.int64),
        new_reading(network),
    ]
    return Work(*arrays)


@inlined_kernel
def narrow(masks, work, cell, kept):
    """Reduce a cell to the candidates `kept`, fewer than it has, and list the cell."""
    index = unsigned(cell)
    masks[index] = kept
    if work.has_cell[index] == 0:
        work.has_cell[index] = 1
        count = work.counts[CELLS]
        work.cells[unsigned(count)] = cell
        work.counts[CELLS] = count + 1


@inlined_kernel
def enlist(numbers, flags, counts, kind, number):
    """List a constraint of one kind unless it is already listed."""
    index = unsigned(number)
    if flags[index] == 0:
        flags[index] = 1
        count = counts[unsigned(kind)]
        numbers[unsigned(count)] = number
        counts[unsigned(kind)] = count + 1


@lean_kernel
def enlist_all(masks, network, work):
    """List every cell that lacks a candidate or has relations, every sum and every pattern."""
    full = (1 << network.n_digits) - 1
    for cell in range(network.n_cells):
        if masks[cell] != full or network.arc_start[cell] < network.arc_start[cell + 1]:
            narrow(masks, work, cell, int(masks[cell]))
    enlist_constraints(network, work)


@inlined_kernel
def enlist_constraints(network, work):
    """List every sum and every pattern that is not listed."""
    for number in range(network.sum_totals.size):
        enlist(work.sums, work.has_sum, work.counts, SUMS, number)
    for number in range(network.pattern_first.size):
        enlist(work.patterns, work.has_pattern, work.counts, PATTERNS, number)


@inlined_kernel
def latest(numbers, flags, counts, kind):
    """Remove the last number from a list that is not empty, and return it."""
    count = counts[kind] - 1
    counts[kind] = count
    number = int(numbers[unsigned(count)])
    flags[unsigned(number)] = 0
    return number


@inlined_kernel
def earliest(numbers, flags, counts, kind):
    """Remove the first number from a list that is not empty, and return it."""
    number = int(numbers[0])
    count = counts[kind] - 1
    counts[kind] = count
    for i in range(count):
        numbers[unsigned(i)] = numbers[unsigned(i + 1)]
    flags[unsigned(number)] = 0
    return number


@inlined_kernel
def first_house(work):
    """Remove the first house to check, mark it as changed, and return it; -1 if there is none."""
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
    """Empty all lists after a failure, and record the cell or constraint that failed."""
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
