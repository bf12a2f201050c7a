"""The state of a variant: its pencil marks, what rules need besides, and the step of a kernel."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.solvers.logic.finders.finding import (
    EXTRAS,
    GONE_CELLS,
    GONE_DIGITS,
    PARTS,
    Finding,
    ends_search,
    finding_for,
)
from nando.solvers.logic.finders.pencil_marks import LogicState, eliminate, empty_state, place
from nando.solvers.logic.variants.layout import Layout
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import Reading, new_reading

# Indices in `counts` of a state.
N_OPEN = 0
"""Cells without a digit."""
CLOCK = 1
"""Time, which advances when a step is applied and when a trial filters."""
BROKEN = 2
"""Kind of the failure in which a trial ends, 0 for none."""
BROKEN_AT = 3
"""Number of the cell, house, arc, sum or pattern that fails."""
BROKEN_DIGIT = 4
"""The digit without a position in a house that fails, else -1."""
N_TRAIL = 5
"""Number of digits that a trial has entered."""
N_COUNTS = 6

IN_CELL, IN_HOUSE, ARC, SUM, PATTERN, GROUP, SCOPE, SPLIT, UNIT = range(1, 10)
"""Kinds of failure, and kinds of parts of the layout that a step uses."""

PART = 1 << 24
"""A list stores a part as its kind times this, plus its number."""


class VariantState(NamedTuple):
    """A partly filled variant with its pencil marks; all arrays are changed in place.

    Attributes
    ----------
    mask : ndarray of int64, shape (n_cells,)
        Candidates of each cell; the digit of a filled cell.
    filled : ndarray of bool, shape (n_cells,)
    marks : LogicState
        The pencil marks; a trial does not use them.
    positions : ndarray of int64, shape (n_houses, n_digits)
        The positions of `marks`: a mask of those left to each digit in each house, 0 if it is
        placed.
    touched : ndarray of int64, shape (n_cells,)
        Time at which the candidates of each cell changed last.
    looked : ndarray of int64, shape (n_arcs + n_sums + 2 * n_patterns,)
        Time at which each arc, sum and pattern was found to remove nothing.
    barred : ndarray of bool, shape (n_cells,)
        Blanks that a trial must leave blank.
    trail : ndarray of int64, shape (n_cells,)
        In a trial, the candidates entered, ``cell * n_digits + digit``, in order.
    counts : ndarray of int64
    nodes : ndarray of int64
        Workspace for the nodes of exact patterns.
    reading : Reading
        Workspace for other patterns.
    """

    mask: Ints
    filled: NDArray[np.bool_]
    marks: LogicState
    positions: Ints
    touched: Ints
    looked: Ints
    barred: NDArray[np.bool_]
    trail: Ints
    counts: Ints
    nodes: Ints
    reading: Reading


KEPT, PICKED, LEFT, LOW, HIGH, USED, UNIONS = range(EXTRAS + 1, EXTRAS + 8)
"""Further rows of :attr:`Finding.lists`: the digits that a sum or pattern leaves to its cells; five
for the search for a combination; and the digits that each cell may hold in some case."""


def new_state(layout: Layout, marks: LogicState | None = None) -> VariantState:
    """Return the state of pencil marks, or one without any for trials."""
    grid = layout.grid
    marks = empty_state(grid) if marks is None else marks
    values = marks.values.astype(np.int64)
    n_looked = layout.arc_cell.size + layout.sum_totals.size + 2 * layout.pattern_first.size
    short = np.diff(layout.pattern_start) <= grid.size
    n_states = int((layout.pattern_end - layout.pattern_first)[short].max(initial=0))
    n_nodes = (1 << min(grid.size, 9)) * n_states
    counts = np.zeros(N_COUNTS, np.int64)
    counts[N_OPEN], counts[CLOCK] = marks.n_blanks[0], 1
    return VariantState(
        marks.candidates | (values > 0) * (1 << np.maximum(values - 1, 0)),
        values > 0,
        marks,
        marks.positions.reshape(-1, grid.size),
        np.ones(grid.n_cells, np.int64),
        np.zeros(n_looked, np.int64),
        np.zeros(grid.n_cells, np.bool_),
        np.zeros(grid.n_cells, np.int64),
        counts,
        np.zeros(n_nodes, np.int64),
        new_reading(layout),
    )


def new_finding(layout: Layout, capacity: int = 0) -> Finding:
    """Return an empty step with a list of `capacity` words."""
    longest = int(np.diff(layout.pattern_start).max(initial=0))
    width = max(layout.grid.n_cells, longest)
    return finding_for(width, layout.grid.size, capacity, UNIONS - EXTRAS)


@inlined_kernel
def add_part(finding, kind, number):
    """Add a part of the layout, for example a sum, to the step."""
    finding.lists[PARTS, finding.head[0]["n_parts"]] = kind * PART + number
    finding.head[0]["n_parts"] += 1


@inlined_kernel
def remove(state, finding, cell, digits):
    """Remove the candidates among `digits` that a blank has, in addition to others of the step."""
    lists = finding.lists
    gone = state.marks.candidates[cell] & digits
    if gone:
        n = finding.head[0]["n_gone"]
        index = 0
        while index < n and lists[GONE_CELLS, index] != cell:
            index += 1
        if index == n:
            finding.head[0]["n_gone"] = n + 1
            lists[GONE_CELLS, index] = cell
            lists[GONE_DIGITS, index] = 0
        lists[GONE_DIGITS, index] |= gone


@lean_kernel
def remove_seen(layout, state, finding, cells, digit):
    """Remove a digit from the cells that see all of `cells` that have it."""
    first = -1
    for cell in cells:
        if state.mask[cell] >> digit & 1:
            first = cell
    if first < 0:
        return
    for i in range(layout.grid.peer_start[first], layout.grid.peer_start[first + 1]):
        peer = layout.grid.peers[i]
        seen = state.marks.candidates[peer] >> digit & 1 == 1
        k = 0
        while seen and k < cells.size:
            seen = layout.grid.sees[peer, cells[k]] or state.mask[cells[k]] >> digit & 1 == 0
            k += 1
        if seen:
            remove(state, finding, peer, 1 << digit)


@inlined_kernel
def takes(finding):
    """Return True if the search ends with this step, which must remove or place something."""
    head = finding.head[0]
    return (head["n_gone"] > 0 or head["cell"] >= 0) and ends_search(finding)


@inlined_kernel
def is_new(state, cells, place):
    """Return True if a cell changed since the constraint at index `place` was last checked."""
    looked = state.looked[place]
    new = False
    for i in range(cells.size):
        new |= state.touched[cells[i]] >= looked
    return new


@lean_kernel
def fill(layout, state, cell, digit):
    """Enter a digit, and remove it from the cells that its cell sees."""
    bit = 1 << digit
    clock = state.counts[CLOCK]
    state.mask[cell] = bit
    state.filled[cell] = True
    state.touched[cell] = clock
    state.counts[N_OPEN] -= 1
    for i in range(layout.grid.peer_start[cell], layout.grid.peer_start[cell + 1]):
        peer = layout.grid.peers[i]
        if state.mask[peer] & bit and not state.filled[peer]:
            state.mask[peer] &= ~bit
            state.touched[peer] = clock


@lean_kernel
def apply(layout, state, finding):
    """Apply the written step; return False if the board is then contradictory."""
    head, lists = finding.head[0], finding.lists
    marks, grid = state.marks, layout.grid
    state.counts[CLOCK] += 1
    sound = True
    for i in range(head["n_gone"]):
        cell = lists[GONE_CELLS, i]
        gone = lists[GONE_DIGITS, i] & marks.candidates[cell]
        state.mask[cell] &= ~gone
        state.touched[cell] = state.counts[CLOCK]
        while gone:
            sound &= eliminate(marks, grid, cell, lowest_bit(gone))
            gone &= gone - 1
    if head["cell"] >= 0:
        fill(layout, state, head["cell"], head["digit"])
        sound &= place(marks, grid, head["cell"], head["digit"])
    if not sound:
        state.counts[BROKEN] = IN_CELL
    return sound


@lean_kernel
def conflict(layout, cell, digit, other, second):
    """Return True if two different candidates cannot both be true."""
    if cell == other:
        return True
    if digit == second and layout.grid.sees[cell, other]:
        return True
    for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
        if layout.arc_cell[arc] == other:
            return layout.tables[layout.arc_table[arc], digit] >> second & 1 == 0
    return False
