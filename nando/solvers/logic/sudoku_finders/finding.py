"""The step that a kernel has found, and how kernels write it.

A finder returns True with the first step that it finds. The same finder lists every step if its
finding has room for a list: then :func:`ends_search` adds each step to the list and lets the search
go on.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.state import eliminate, place

RATING, VARIANT, TIE, CELL, DIGIT, DIGITS, N_HOUSES, N_CELLS, N_PARTS, N_GONE = range(10)
N_LINKS, LISTED, ENDS_IN, N_TRIED = 10, 11, 12, 15
"""Places of :attr:`Finding.head`."""

HOUSES, CELLS, PARTS, GONE_CELLS, GONE_DIGITS, MASKS, ITEMS, CHOSEN, RICH, EXTRAS = range(10)
"""Rows of :attr:`Finding.lists`."""


Effort = NDArray[np.int64]
"""What is left of a number of searches, shape (1,)."""

_ROOM = 1 << 20
"""Words of a list of steps; if they do not suffice, the search is repeated with more."""


class Finding(NamedTuple):
    """The step that a kernel has found, and its scratch space; the arrays are changed in place.

    Attributes
    ----------
    head : ndarray of int64, shape (16,)
        Rating in tenths; variant of the technique; a number by which the greater of two equal
        steps is better; cell and digit (0-based) of a placement, -1 for none; mask of the digits of
        the pattern; lengths of the lists; and 0 if a search ends with its first step, else one more
        than the number of words that the list of steps takes. Of a what-if, kind, number and digit
        of what it ends in, and the assumptions that a nested one takes.
    lists : ndarray of int64, shape (n_rows, 4 * n_cells)
        Houses and cells of the pattern, and what it has of the rules of a variant; cells of the
        eliminations and their masks of digits; three rows for the search for subsets; cells with
        extra candidates, and these candidates; and those that the search on a variant adds.
    links : ndarray of int64, shape (2, 4 * n_cells * size)
        Links of a chain, from and to; each end is twice ``cell * size + digit``, plus one where
        the digit is true. `keep_better` does not copy them. Of a what-if, the first row has its
        literals; -1 begins another case.
    listed : ndarray of int64, shape (room,)
        The list of all steps as far as there is room: of each step the head, the lists in use and
        the links.
    """

    head: NDArray[np.int64]
    lists: NDArray[np.int64]
    links: NDArray[np.int64]
    listed: NDArray[np.int64]


def new_finding(order: int, room: int = 0) -> Finding:
    """Return room for a step on a grid of this order and, if not 0, for `room` words of a list."""
    return finding_for(order**4, order**2, room)


def finding_for(n_cells: int, size: int, room: int = 0, more_rows: int = 0) -> Finding:
    """Return room for a step on a grid of these cells and digits, as `new_finding` does."""
    finding = Finding(
        np.zeros(N_TRIED + 1, np.int64),
        np.zeros((EXTRAS + 1 + more_rows, 4 * n_cells), np.int64),
        np.empty((2, 4 * n_cells * size), np.int64),
        np.empty(room, np.int64),
    )
    finding.head[LISTED] = room > 0
    return finding


def list_all(
    new: Callable[[int], Finding], search: Callable[[Finding, Effort], object], effort: Effort
) -> Iterator[Finding]:
    """Iterate over all steps of a search, each written into the same finding.

    Parameters
    ----------
    new : callable
        Returns a finding with room for a list of as many words.
    search : callable
        Lists its steps in a finding, and counts down an effort.
    effort : ndarray of int64, shape (1,)
    """
    room = _ROOM
    while True:
        finding, left = new(room), effort.copy()
        search(finding, left)
        words = int(finding.head[LISTED]) - 1
        if words <= room:
            break
        room = words
    effort[:] = left
    return _read_list(finding)


def _read_list(finding: Finding) -> Iterator[Finding]:
    """Iterate over the listed steps, each written into the finding itself."""
    head, listed = finding.head, finding.listed
    start, end = 0, int(head[LISTED]) - 1
    while start < end:
        head[:] = listed[start : start + head.size]
        start += head.size
        for row, length in _parts(finding):
            row[:length] = listed[start : start + length]
            start += length
        yield finding


def _parts(finding: Finding) -> list[tuple[NDArray[np.int64], int]]:
    """Return the rows of a step that are listed, with their lengths."""
    head, lists, links, _ = finding
    parts = [(lists[row], int(length_of.py_func(head, row))) for row in range(GONE_DIGITS + 1)]
    return [*parts, *((ends, int(head[N_LINKS])) for ends in links)]


def digits_of(mask: int) -> tuple[int, ...]:
    """Return the digits, from 1, of a mask."""
    digits = []
    while mask:
        digits.append(lowest_bit(mask) + 1)
        mask &= mask - 1
    return tuple(digits)


@lean_kernel
def apply(state, layout, finding):
    """Apply the step of `finding`; return False if the grid is then contradictory."""
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
    """Start a step with its rating in tenths and the digits of its pattern."""
    head = finding.head
    head[RATING] = rating
    head[VARIANT] = 0
    head[TIE] = 0
    head[CELL] = -1
    head[DIGIT] = -1
    head[DIGITS] = digits
    head[N_HOUSES] = 0
    head[N_CELLS] = 0
    head[N_PARTS] = 0
    head[N_GONE] = 0
    head[N_LINKS] = 0
    head[ENDS_IN] = 0


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
    """Eliminate those of `digits` that the cell still has."""
    gone = state.candidates[cell] & digits
    if gone:
        n = finding.head[N_GONE]
        finding.lists[GONE_CELLS, n] = cell
        finding.lists[GONE_DIGITS, n] = gone
        finding.head[N_GONE] = n + 1


@inlined_kernel
def remove_in_house(finding, state, layout, house, positions, digits):
    """Eliminate `digits` at these positions of a house."""
    while positions:
        remove(finding, state, layout.houses[house, lowest_bit(positions)], digits)
        positions &= positions - 1


@inlined_kernel
def place_at(finding, cell, digit):
    """Make the step place a digit."""
    finding.head[CELL] = cell
    finding.head[DIGIT] = digit


@lean_kernel
def ends_search(finding):
    """Return True if the search ends with this step; if all are listed, list it."""
    if finding.head[LISTED] == 0:
        return True
    _list_step(finding, finding)
    return False


@lean_kernel
def _list_step(finding, step):
    """Append a step to the list of a finding, or only count its words if there is no room."""
    head = step.head
    listed = finding.listed
    n = finding.head[LISTED] - 1
    words = head.size + head[N_HOUSES] + head[N_CELLS] + head[N_PARTS]
    words += 2 * head[N_GONE] + 2 * head[N_LINKS]
    finding.head[LISTED] += words
    if n + words > listed.size:
        return
    n = _append(listed, n, head, head.size)
    for row in range(GONE_DIGITS + 1):
        n = _append(listed, n, step.lists[row], length_of(head, row))
    n = _append(listed, n, step.links[0], head[N_LINKS])
    _append(listed, n, step.links[1], head[N_LINKS])


@inlined_kernel
def length_of(head, row):
    """Return the length of one of the first rows of the lists."""
    return head[min(N_HOUSES + row, N_GONE)]


@inlined_kernel
def _append(listed, n, row, length):
    """Append the start of a row to the list; return the length of the list."""
    for i in range(length):
        listed[n + i] = row[i]
    return n + length


@lean_kernel
def keep_better(best, trial):
    """Copy `trial` over `best` if it is better; return True if so.

    It must remove something. The easier step is better, then that of the lesser variant, that which
    removes more, and that with the greater tie. `best` holds nothing while its rating is 0. If all
    steps are listed, list `trial` instead.
    """
    one, other = trial.head, best.head
    if one[N_GONE] == 0:
        return False
    if other[LISTED]:
        _list_step(best, trial)
        return False
    if other[RATING] > 0:
        harder = one[RATING] - other[RATING]
        if harder == 0:
            harder = one[VARIANT] - other[VARIANT]
        if harder == 0:
            harder = n_gone(best) - n_gone(trial)
        if harder == 0:
            harder = other[TIE] - one[TIE]
        if harder >= 0:
            return False
    for i in range(one.size):
        other[i] = one[i]
    for row in range(GONE_DIGITS + 1):
        for i in range(length_of(one, row)):
            best.lists[row, i] = trial.lists[row, i]
    return True


@inlined_kernel
def n_gone(finding):
    """Return the number of candidates that the step removes."""
    total = 0
    for i in range(finding.head[N_GONE]):
        total += n_bits(finding.lists[GONE_DIGITS, i])
    return total
