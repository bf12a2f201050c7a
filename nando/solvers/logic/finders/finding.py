"""The step that a kernel finds, the functions that write it, and those that read it.

A finder writes the first step that it finds and returns True. If the finding has room for a list,
the same finder lists every step: :func:`ends_search` then adds each step to the list, and the
search continues.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.pencil_marks import eliminate, place
from nando.solvers.logic.technique import LogicStep, Technique

_NAMES = (
    *("rating", "variant", "tie", "cell", "digit", "digits"),
    *("n_houses", "n_cells", "n_parts", "n_gone", "n_links", "n_literals"),
    *("listed", "ends_in", "ends_at", "ends_digit", "n_tried"),
)
HEAD = np.dtype([(name, np.int64) for name in _NAMES])
"""The fields of a step except for its lists.

`rating` is in tenths. `variant` is that of the technique. `tie` decides between two steps that are
equal in all else: the greater is better. `cell` and `digit` (0-based) are a placement, -1 for none.
`digits` is the mask of the digits of the pattern. The fields that begin with ``n_``, up to
`n_literals`, are the lengths of the lists, links and literals. `listed` is 0 if a search ends with
its first step, else one more than the number of words that the list of steps takes. For a what-if,
`ends_in`, `ends_at` and `ends_digit` are the kind, number and digit of the failure in which it
ends, and `n_tried` is the number of assumptions that a nested what-if takes.
"""

_LENGTHS = _NAMES.index("n_houses")
"""Index of the first length of a list among the words of the head."""

HOUSES, CELLS, PARTS, GONE_CELLS, GONE_DIGITS, MASKS, ITEMS, CHOSEN, RICH, EXTRAS = range(10)
"""Rows of :attr:`Finding.lists`."""

Effort = NDArray[np.int64]
"""The number of searches left, shape (1,)."""

_CAPACITY = 1 << 20
"""Words of a list of steps; if they do not suffice, the search is repeated with more."""


class Finding(NamedTuple):
    """The step that a kernel has found, and its workspace; the arrays are changed in place.

    Attributes
    ----------
    head : ndarray of HEAD, shape (1,)
    words : ndarray of int64, shape (17,)
        The fields of `head` as a row of numbers, in the same memory.
    lists : ndarray of int64, shape (n_rows, 4 * n_cells)
        Houses and cells of the pattern, and its parts of the rules of a variant; cells of the
        eliminations and their masks of digits; three rows for the search for subsets; cells with
        extra candidates, and these candidates; and further rows for the search on a variant.
    links : ndarray of int64, shape (2, 4 * n_cells * size)
        Links of a chain, from and to; each end is twice ``cell * size + digit``, plus one where
        the digit is true. `keep_better` does not copy them. For a what-if, the first row holds its
        literals; -1 separates cases.
    listed : ndarray of int64, shape (capacity,)
        The list of all steps that fit: the head, the lists in use and the links of each step.
    """

    head: NDArray[np.void]
    words: NDArray[np.int64]
    lists: NDArray[np.int64]
    links: NDArray[np.int64]
    listed: NDArray[np.int64]


def new_finding(order: int, capacity: int = 0) -> Finding:
    """Return an empty step for a grid of an order with a list of `capacity` words."""
    return finding_for(order**4, order**2, capacity)


def finding_for(n_cells: int, size: int, capacity: int = 0, more_rows: int = 0) -> Finding:
    """Return an empty step for a board of cells and digits, as `new_finding` does for a grid."""
    head = np.zeros(1, HEAD)
    head["listed"] = capacity > 0
    return Finding(
        head,
        head.view(np.int64),
        np.zeros((EXTRAS + 1 + more_rows, 4 * n_cells), np.int64),
        np.empty((2, 4 * n_cells * size), np.int64),
        np.empty(capacity, np.int64),
    )


@lean_kernel
def apply(state, grid, finding):
    """Apply the step of `finding`; return False if the grid is then contradictory."""
    head = finding.head[0]
    for i in range(head["n_gone"]):
        cell = finding.lists[GONE_CELLS, i]
        gone = finding.lists[GONE_DIGITS, i] & state.candidates[cell]
        while gone:
            digit = lowest_bit(gone)
            gone &= gone - 1
            if not eliminate(state, grid, cell, digit):
                return False
    if head["cell"] >= 0:
        return place(state, grid, head["cell"], head["digit"])
    return True


@inlined_kernel
def begin(finding, rating, digits):
    """Begin a step with its rating in tenths and the mask of the digits of its pattern."""
    head = finding.head[0]
    head["rating"] = rating
    head["variant"] = 0
    head["tie"] = 0
    head["cell"] = -1
    head["digit"] = -1
    head["digits"] = digits
    head["n_houses"] = 0
    head["n_cells"] = 0
    head["n_parts"] = 0
    head["n_gone"] = 0
    head["n_links"] = 0
    head["n_literals"] = 0
    head["ends_in"] = 0


@inlined_kernel
def add_house(finding, house):
    """Add a house to the pattern."""
    n = finding.head[0]["n_houses"]
    finding.lists[HOUSES, n] = house
    finding.head[0]["n_houses"] = n + 1


@inlined_kernel
def add_cell(finding, cell):
    """Add a cell to the pattern."""
    n = finding.head[0]["n_cells"]
    finding.lists[CELLS, n] = cell
    finding.head[0]["n_cells"] = n + 1


@inlined_kernel
def add_cells(finding, grid, house, positions):
    """Add the cells at these positions of a house to the pattern."""
    while positions:
        add_cell(finding, grid.houses[house, lowest_bit(positions)])
        positions &= positions - 1


@inlined_kernel
def remove(finding, state, cell, digits):
    """Eliminate the candidates of `digits`, a mask, that the cell still has."""
    gone = state.candidates[cell] & digits
    if gone:
        n = finding.head[0]["n_gone"]
        finding.lists[GONE_CELLS, n] = cell
        finding.lists[GONE_DIGITS, n] = gone
        finding.head[0]["n_gone"] = n + 1


@inlined_kernel
def remove_in_house(finding, state, grid, house, positions, digits):
    """Eliminate `digits` at these positions of a house."""
    while positions:
        remove(finding, state, grid.houses[house, lowest_bit(positions)], digits)
        positions &= positions - 1


@inlined_kernel
def sees_all(grid, cell, others):
    """Return True if a cell sees all of the others."""
    seen = True
    for other in others:
        seen &= bool(grid.sees[cell, other])
    return seen


@lean_kernel
def remove_seen(finding, state, grid, cells, digits):
    """Eliminate `digits` from the cells that see all of `cells`."""
    for cell in range(grid.n_cells):
        if sees_all(grid, cell, cells):
            remove(finding, state, cell, digits)


@inlined_kernel
def place_at(finding, cell, digit):
    """Make the step place a digit."""
    finding.head[0]["cell"] = cell
    finding.head[0]["digit"] = digit


@lean_kernel
def ends_search(finding):
    """Return True if the search ends with this step; if all are listed, add it to the list."""
    if finding.head[0]["listed"] == 0:
        return True
    _list_step(finding, finding)
    return False


@lean_kernel
def _list_step(finding, step):
    """Append a step to the list of a finding, or only count its words if there is no room."""
    head = step.head[0]
    listed = finding.listed
    n = finding.head[0]["listed"] - 1
    words = step.words.size + head["n_houses"] + head["n_cells"] + head["n_parts"]
    words += 2 * head["n_gone"] + 2 * head["n_links"]
    finding.head[0]["listed"] += words
    if n + words > listed.size:
        return
    n = _append(listed, n, step.words, step.words.size)
    for row in range(GONE_DIGITS + 1):
        n = _append(listed, n, step.lists[row], length_of(step, row))
    n = _append(listed, n, step.links[0], head["n_links"])
    _append(listed, n, step.links[1], head["n_links"])


@inlined_kernel
def length_of(finding, row):
    """Return the length of one of the first rows of the lists; the last two have the same one."""
    return finding.words[_LENGTHS + min(row, GONE_CELLS)]


@inlined_kernel
def _append(listed, n, row, length):
    """Append the start of a row to the list; return the length of the list."""
    for i in range(length):
        listed[n + i] = row[i]
    return n + length


@lean_kernel
def keep_better(best, trial):
    """Copy `trial` into `best` if it is better; return True if so.

    A step must remove something. The step with the lower rating is better, then the one with the
    lower variant, with more removals, and with the greater tie. `best` is empty while its rating is
    0. If all steps are listed, list `trial` instead.
    """
    new, old = trial.head[0], best.head[0]
    if new["n_gone"] == 0:
        return False
    if old["listed"]:
        _list_step(best, trial)
        return False
    if old["rating"] > 0:
        harder = new["rating"] - old["rating"]
        if harder == 0:
            harder = new["variant"] - old["variant"]
        if harder == 0:
            harder = n_gone(best) - n_gone(trial)
        if harder == 0:
            harder = old["tie"] - new["tie"]
        if harder >= 0:
            return False
    copy_values(best.words, trial.words)
    for row in range(GONE_DIGITS + 1):
        for i in range(length_of(trial, row)):
            best.lists[row, i] = trial.lists[row, i]
    return True


@inlined_kernel
def n_gone(finding):
    """Return the number of candidates that the step removes."""
    total = 0
    for i in range(finding.head[0]["n_gone"]):
        total += n_bits(finding.lists[GONE_DIGITS, i])
    return total


def step_of(technique: Technique, finding: Finding, size: int, places: Sequence[int]) -> LogicStep:
    """Return the step that a kernel wrote into a finding.

    Parameters
    ----------
    technique : Technique
    finding : Finding
    size : int
        Number of digits.
    places : sequence of int
        Index of each cell in the values of the puzzle.
    """
    head, lists = finding.head[0], finding.lists
    gone = lists[[GONE_CELLS, GONE_DIGITS], : head["n_gone"]].T.tolist()
    links = finding.links[:, : head["n_links"]].T.tolist()
    literals = literals_of(size, tuple(places)) if links else []
    return LogicStep(
        technique,
        int(head["rating"]) / 10,
        int(head["variant"]),
        tuple(lists[HOUSES, : head["n_houses"]].tolist()),
        tuple(places[cell] for cell in lists[CELLS, : head["n_cells"]].tolist()),
        digits_of(int(head["digits"])),
        (places[int(head["cell"])], int(head["digit"]) + 1) if head["cell"] >= 0 else None,
        tuple(
            (places[cell], digit)
            for cell, digit in sorted((cell, d) for cell, mask in gone for d in digits_of(mask))
        ),
        tuple(literals[a] + literals[b] for a, b in links),
    )


@lru_cache(maxsize=64)
def literals_of(size: int, places: tuple[int, ...]) -> list[tuple[int, int, bool]]:
    """Return the cell, the digit from 1, and True for a true candidate, of each end of a link."""
    return [*product(places, range(1, size + 1), (False, True))]


def digits_of(mask: int) -> tuple[int, ...]:
    """Return the digits, from 1, of a mask."""
    digits = []
    while mask:
        digits.append(lowest_bit(mask) + 1)
        mask &= mask - 1
    return tuple(digits)


def list_all(
    new: Callable[[int], Finding], search: Callable[[Finding, Effort], object], effort: Effort
) -> Iterator[Finding]:
    """Return an iterator over all steps of a search, each written into the same finding.

    Parameters
    ----------
    new : callable
        Takes a number of words; returns a finding with room for a list of that length.
    search : callable
        Takes a finding, in which it lists its steps, and an effort, which it counts down.
    effort : ndarray of int64, shape (1,)
    """
    capacity = _CAPACITY
    while True:
        finding, left = new(capacity), effort.copy()
        search(finding, left)
        words = int(finding.head[0]["listed"]) - 1
        if words <= capacity:
            break
        capacity = words
    effort[:] = left
    return _read_list(finding)


def _read_list(finding: Finding) -> Iterator[Finding]:
    """Yield the finding once for each listed step, which is written into it."""
    words, listed = finding.words, finding.listed
    start, end = 0, int(finding.head[0]["listed"]) - 1
    while start < end:
        words[:] = listed[start : start + words.size]
        start += words.size
        for row, length in _parts(finding):
            row[:length] = listed[start : start + length]
            start += length
        yield finding


def _parts(finding: Finding) -> list[tuple[NDArray[np.int64], int]]:
    """Return the rows of a step that are listed, with their lengths."""
    lists, links = finding.lists, finding.links
    parts = [(lists[row], int(length_of.py_func(finding, row))) for row in range(GONE_DIGITS + 1)]
    return [*parts, *((ends, int(finding.head[0]["n_links"])) for ends in links)]
