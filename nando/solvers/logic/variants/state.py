"""The pencil marks of a variant as bit masks, and the step that a kernel writes down."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.variants.layout import Layout

Ints = NDArray[np.int64]

# Places of `counts` of a state.
N_OPEN = 0
"""Cells without a digit."""
CLOCK = 1
"""Counts the looks at sums and patterns."""
BROKEN = 2
"""Where a trial ends: 0 for nowhere, else one of the following, ..."""
BROKEN_AT = 3
"""... the cell, the house, the arc, the sum or the pattern ..."""
BROKEN_DIGIT = 4
"""... and the digit that has no position in the house, -1 for none."""
N_TRAIL = 5
"""Digits that a trial has entered."""
N_COUNTS = 6

CELL, HOUSE, ARC, SUM, PATTERN = range(1, 6)
"""Kinds of a part of the layout: of what breaks, and of a rule's part in a step."""

PART = 1 << 24
"""A part in a list: its kind times this, plus its number."""


class VariantState(NamedTuple):
    """A partly filled variant with its pencil marks; all arrays are changed in place.

    Attributes
    ----------
    mask : ndarray of int64, shape (n_cells,)
        Candidates of each cell; of a filled cell its digit.
    filled : ndarray of bool, shape (n_cells,)
    positions : ndarray of int64, shape (n_houses, n_digits)
        The positions left to each digit in each house as a mask; 0 where it is placed.
        Up to date after :func:`find_positions`.
    touched : ndarray of int64, shape (n_cells,)
        When the candidates of each cell changed last.
    looked : ndarray of int64, shape (n_arcs + n_sums + 2 * n_patterns,)
        When each arc, sum and pattern was found to remove nothing.
    barred : ndarray of bool, shape (n_cells,)
        Blanks that a trial leaves blank.
    trail : ndarray of int64, shape (n_cells,)
        In a trial, the candidates entered, ``cell * n_digits + digit``, in order.
    counts : ndarray of int64
    """

    mask: Ints
    filled: NDArray[np.bool_]
    positions: Ints
    touched: Ints
    looked: Ints
    barred: NDArray[np.bool_]
    trail: Ints
    counts: Ints


# Places of `head` of a finding.
RATING = 0
PLACE = 1
"""The candidate of a placement, ``cell * n_digits + digit``; -1 for none."""
DIGITS = 2
N_CELLS = 3
N_HOUSES = 4
N_PARTS = 5
N_LITERALS = 6
N_GONE = 7
"""How many cells lose candidates."""
PASSED_OVER = 8
"""How many steps a finder is to pass over before it takes one."""
ENDS_IN = 9
"""What a trial ends in, as in `counts` of a state: kind, number, digit."""
N_TRIED = 12
"""Assumptions of a nested what-if."""
EFFORT = 13
"""Assumptions that nested what-ifs may still make."""
VARIANT = 14
"""Which form of its technique a chain has."""
LISTS = 15
"""1 if every step is asked for, one after the other, and not the best."""
N_HEAD = 16


KEPT = 5
"""Row of `work`: what a sum or a pattern leaves of its cells."""


class VariantFinding(NamedTuple):
    """One step, and workspace; the arrays are changed in place.

    Attributes
    ----------
    head : ndarray of int64
    gone : ndarray of int64, shape (n_cells,)
        Candidates that each cell loses; all 0 where no step is written.
    cells, houses, parts : ndarray of int64
        The pattern; parts are arcs, sums and patterns of the layout, see PART.
    literals : ndarray of int64
        Of a chain, both ends of each link, or of a trial: ``2 * (cell * n_digits + digit)``, plus
        1 where the digit is there; -1 begins another branch.
    work : ndarray of int64, shape (8, n)
        Rows for searches.
    nodes : ndarray of int64
        Room for the nodes of patterns.
    best : ndarray of int64, shape (4, n)
        The head, the candidates that go, the cells and the houses of the best step so far.
    """

    head: Ints
    gone: Ints
    cells: Ints
    houses: Ints
    parts: Ints
    literals: Ints
    work: Ints
    nodes: Ints
    best: Ints


def new_state(layout: Layout) -> VariantState:
    """Return a state without candidates."""
    n = layout.n_cells
    n_looked = layout.arc_cell.size + layout.sum_totals.size + 2 * layout.pattern_first.size
    return VariantState(
        np.zeros(n, np.int64),
        np.zeros(n, np.bool_),
        np.zeros((layout.n_houses, layout.n_digits), np.int64),
        np.ones(n, np.int64),
        np.zeros(n_looked, np.int64),
        np.zeros(n, np.bool_),
        np.zeros(n, np.int64),
        np.zeros(N_COUNTS, np.int64),
    )


def new_finding(layout: Layout) -> VariantFinding:
    """Return room for one step."""
    n = layout.n_cells
    longest = int(np.diff(layout.pattern_start).max(initial=0))
    n_states = int((layout.pattern_end - layout.pattern_first).max(initial=0))
    room = max(longest + 2, 1 << min(layout.n_digits, 9) if n_states else 0) * n_states
    literals = 2 * n * layout.n_digits
    lists = np.zeros((3, n + layout.arc_cell.size + 64), np.int64)
    return VariantFinding(
        np.zeros(N_HEAD, np.int64),
        np.zeros(n, np.int64),
        lists[0],
        lists[1],
        lists[2],
        np.zeros(2 * literals + 64, np.int64),
        np.zeros((8, max(n + 2, 64)), np.int64),
        np.zeros(room, np.int64),
        np.zeros((4, lists.shape[1]), np.int64),
    )


@inlined_kernel
def begin(finding, rating, digits):
    """Start a step without cells."""
    head = finding.head
    head[RATING] = rating
    head[PLACE] = -1
    head[DIGITS] = digits
    head[N_CELLS] = 0
    head[N_HOUSES] = 0
    head[N_PARTS] = 0
    head[N_LITERALS] = 0
    head[N_GONE] = 0
    head[ENDS_IN] = 0


@inlined_kernel
def add_cell(finding, cell):
    """Add a cell of the pattern."""
    finding.cells[finding.head[N_CELLS]] = cell
    finding.head[N_CELLS] += 1


@inlined_kernel
def add_house(finding, house):
    """Add a house of the pattern."""
    finding.houses[finding.head[N_HOUSES]] = house
    finding.head[N_HOUSES] += 1


@inlined_kernel
def add_part(finding, kind, number):
    """Add an arc, a sum or a pattern of the layout."""
    finding.parts[finding.head[N_PARTS]] = kind * PART + number
    finding.head[N_PARTS] += 1


@inlined_kernel
def remove(state, finding, cell, digits):
    """Remove candidates, as far as the cell is blank and has them."""
    if not state.filled[cell]:
        new = digits & state.mask[cell] & ~finding.gone[cell]
        if new:
            if finding.gone[cell] == 0:
                finding.head[N_GONE] += 1
            finding.gone[cell] |= new


@lean_kernel
def takes(finding):
    """Return True if a finder ends with the written step, which must remove or place something.

    Else it is wiped out, and the finder goes on.
    """
    head = finding.head
    if head[N_GONE] == 0 and head[PLACE] < 0:
        return False
    if head[PASSED_OVER] == 0:
        return True
    head[PASSED_OVER] -= 1
    wipe(finding)
    return False


@lean_kernel
def offer(finding, tie):
    """Keep the written step if it is easier than the best, or as easy and removes more.

    Of two that remove as much the one of the greater `tie` is better. If steps are listed, return
    what `takes` does.
    """
    head = finding.head
    if head[LISTS]:
        return takes(finding)
    if head[N_GONE] == 0:
        return False
    n_gone = 0
    for cell in range(finding.gone.size):
        n_gone += n_bits(finding.gone[cell])
    best = finding.best[0]
    better = best[RATING] == 0 or head[RATING] < best[RATING]
    if head[RATING] == best[RATING]:
        better = n_gone > best[N_HEAD] or (n_gone == best[N_HEAD] and tie > best[N_HEAD + 1])
    if better:
        for i in range(N_HEAD):
            best[i] = head[i]
        best[N_HEAD] = n_gone
        best[N_HEAD + 1] = tie
        for cell in range(finding.gone.size):
            finding.best[1, cell] = finding.gone[cell]
        for i in range(head[N_CELLS]):
            finding.best[2, i] = finding.cells[i]
        for i in range(head[N_HOUSES]):
            finding.best[3, i] = finding.houses[i]
    wipe(finding)
    return False


@lean_kernel
def take_best(finding):
    """Write the best of the steps on offer and forget it; return False if there is none."""
    head, best = finding.head, finding.best[0]
    if best[RATING] == 0:
        return False
    for i in range(N_HEAD):
        head[i] = best[i]
    best[RATING] = 0
    for cell in range(finding.gone.size):
        finding.gone[cell] = finding.best[1, cell]
    for i in range(head[N_CELLS]):
        finding.cells[i] = finding.best[2, i]
    for i in range(head[N_HOUSES]):
        finding.houses[i] = finding.best[3, i]
    return True


@inlined_kernel
def is_new(state, cells, place):
    """Return True if a cell was touched since a constraint was last looked at."""
    looked = state.looked[place]
    new = False
    for i in range(cells.size):
        new |= state.touched[cells[i]] >= looked
    return new


@lean_kernel
def wipe(finding):
    """Forget what a step removes."""
    if finding.head[N_GONE]:
        for cell in range(finding.gone.size):
            finding.gone[cell] = 0
        finding.head[N_GONE] = 0


@lean_kernel
def fill(layout, state, cell, digit):
    """Enter a digit, and remove it from the cells that its cell sees."""
    bit = 1 << digit
    clock = state.counts[CLOCK]
    state.mask[cell] = bit
    state.filled[cell] = True
    state.touched[cell] = clock
    state.counts[N_OPEN] -= 1
    for i in range(layout.peer_start[cell], layout.peer_start[cell + 1]):
        peer = layout.peers[i]
        if state.mask[peer] & bit and not state.filled[peer]:
            state.mask[peer] &= ~bit
            state.touched[peer] = clock


@lean_kernel
def apply(layout, state, finding):
    """Apply the written step, and wipe it out; return False if a cell has no candidate left."""
    state.counts[CLOCK] += 1
    for cell in range(layout.n_cells):
        if finding.gone[cell]:
            state.mask[cell] &= ~finding.gone[cell]
            state.touched[cell] = state.counts[CLOCK]
            finding.gone[cell] = 0
            if state.mask[cell] == 0:
                return False
    finding.head[N_GONE] = 0
    if finding.head[PLACE] >= 0:
        cell = finding.head[PLACE] // layout.n_digits
        fill(layout, state, cell, finding.head[PLACE] % layout.n_digits)
        for i in range(layout.peer_start[cell], layout.peer_start[cell + 1]):
            if state.mask[layout.peers[i]] == 0:
                return False
    return True


@lean_kernel
def find_positions(layout, state):
    """Find the positions left to each digit in each house."""
    positions = state.positions
    for house in range(layout.n_houses):
        for digit in range(layout.n_digits):
            positions[house, digit] = 0
        for i in range(layout.n_digits):
            cell = layout.houses[house, i]
            if state.filled[cell]:
                continue
            left = state.mask[cell]
            while left:
                positions[house, lowest_bit(left)] |= 1 << i
                left &= left - 1


@lean_kernel
def conflict(layout, cell, digit, other, second):
    """Return True if two different candidates cannot both be true."""
    if cell == other:
        return True
    if digit == second and layout.sees[cell, other]:
        return True
    for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
        if layout.arc_cell[arc] == other:
            return layout.tables[layout.arc_table[arc], digit] >> second & 1 == 0
    return False
