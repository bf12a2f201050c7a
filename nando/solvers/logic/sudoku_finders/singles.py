"""Naked and hidden singles, and locked candidates."""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    add_cell,
    add_cells,
    add_house,
    begin,
    ends_search,
    place_at,
    remove_in_house,
)
from nando.solvers.logic.sudoku_finders.state import BOX, COLUMN, HIDDEN_IN, LAST_IN, NAKED_IN, ROW

LAST_CELL, IN_BOX, IN_LINE = range(3)
"""Kinds of hidden single: the last blank of a house; in a box; in a column or row."""


@lean_kernel
def find_hidden_single(state, layout, finding, where, rating):
    """Find a digit with one position left in a house; see :func:`houses_with_single`."""
    for kind in (BOX, COLUMN, ROW):
        houses = houses_with_single(state, kind, where)
        while houses:
            house = kind * layout.size + lowest_bit(houses)
            houses &= houses - 1
            digits = state.hidden[house]
            while digits:
                digit = lowest_bit(digits)
                digits &= digits - 1
                positions = state.positions[house * layout.size + digit]
                cell = layout.houses[house, lowest_bit(positions)]
                begin(finding, rating, 1 << digit)
                add_house(finding, house)
                add_cell(finding, cell)
                place_at(finding, cell, digit)
                if ends_search(finding):
                    return True
    return False


@inlined_kernel
def houses_with_single(state, kind, where):
    """Return the mask of the houses of a kind with a hidden single of the kind `where`.

    `where` is `LAST_CELL`, `IN_BOX` or `IN_LINE`.
    """
    houses = state.summary[HIDDEN_IN + kind]
    if where == LAST_CELL:
        return houses & state.summary[LAST_IN + kind]
    return houses if (where == IN_BOX) == (kind == BOX) else 0


@inlined_kernel
def house_of_single(state, layout, where):
    """Return the first house with a hidden single, or -1: a box before a column before a row."""
    first = -1
    for kind in (ROW, COLUMN, BOX):
        houses = houses_with_single(state, kind, where)
        if houses:
            first = kind * layout.size + lowest_bit(houses)
    return first


@lean_kernel
def find_naked_single(state, layout, finding, rating):
    """Find a cell with one candidate left."""
    rows = state.summary[NAKED_IN]
    while rows:
        row = lowest_bit(rows)
        rows &= rows - 1
        columns = state.naked[row]
        while columns:
            cell = layout.houses[row, lowest_bit(columns)]
            columns &= columns - 1
            mask = state.candidates[cell]
            begin(finding, rating, mask)
            add_cell(finding, cell)
            place_at(finding, cell, lowest_bit(mask))
            if ends_search(finding):
                return True
    return False


# Locked candidates: a digit confined to the crossing of a box and a line.
#
# Pointing: in a box the digit lies on one line, so it is removed from the rest of the line.
# Claiming: on a line the digit lies in one box, so it is removed from the rest of the box. The
# direct form must leave the digit one position in a parallel house: a person sees both at a glance
# and needs no pencil marks.


@inlined_kernel
def crossing(layout, claiming, kind, which, position):
    """Find the house that crosses another at one of its positions.

    Parameters
    ----------
    claiming : bool
        True for line `which` of this kind, which crosses boxes; False for box `which`, which
        crosses lines of this kind.
    position : int

    Returns
    -------
    inside, outer, shared : int
        Mask of the positions of the house in the crossing; the house that it crosses; mask of the
        positions there.
    """
    order, size = layout.order, layout.size
    run = (1 << order) - 1
    if claiming:
        first = position // order * order
        box = layout.house_of[layout.houses[kind * size + which, first], BOX]
        return run << first, box, layout.box_lines[kind, which % order]
    band, stack = which // order, which % order
    if kind == ROW:
        i = position // order
        return layout.box_lines[ROW, i], band * order + i, run << stack * order
    i = position % order
    return layout.box_lines[COLUMN, i], size + stack * order + i, run << band * order


@inlined_kernel
def _parallel(layout, claiming, kind, which, j):
    """Return the j-th house that crosses the same boxes, or the same lines of a kind."""
    order, size = layout.order, layout.size
    if claiming:
        return kind * size + which // order * order + j
    if kind == ROW:
        return 2 * size + which // order * order + j
    return 2 * size + j * order + which % order


@lean_kernel
def find_locked(state, layout, finding, claiming, direct, rating):
    """Find a digit of a box that lies on one line or, if `claiming`, of a line in one box."""
    size, order = layout.size, layout.order
    for kind in (COLUMN, ROW):
        for digit in range(size):
            for which in range(size):
                inner = (kind if claiming else BOX) * size + which
                positions = state.positions[inner * size + digit]
                if positions == 0:
                    continue
                inside, outer, shared = crossing(
                    layout, claiming, kind, which, lowest_bit(positions)
                )
                if positions & ~inside:
                    continue
                if not direct:
                    others = state.positions[outer * size + digit] & ~shared
                    if others == 0:
                        continue
                    _begin_locked(finding, layout, rating, digit, inner, outer, positions)
                    remove_in_house(finding, state, layout, outer, others, 1 << digit)
                    if ends_search(finding):
                        return True
                    continue
                for j in range(order):
                    other = _parallel(layout, claiming, kind, which, j)
                    left = state.positions[other * size + digit] & ~inside
                    if other == inner or left == 0 or left & (left - 1):
                        continue
                    _begin_locked(finding, layout, rating, digit, inner, outer, positions)
                    add_house(finding, other)
                    place_at(finding, layout.houses[other, lowest_bit(left)], digit)
                    if ends_search(finding):
                        return True
    return False


@inlined_kernel
def _begin_locked(finding, layout, rating, digit, inner, outer, positions):
    """Begin the step of a digit that is confined to the crossing of two houses."""
    begin(finding, rating, 1 << digit)
    add_house(finding, inner)
    add_house(finding, outer)
    add_cells(finding, layout, inner, positions)
