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
from nando.solvers.logic.sudoku_finders.grid import BOX, COLUMN, ROW
from nando.solvers.logic.sudoku_finders.state import HIDDEN_IN, LAST_IN, NAKED_IN

LAST_CELL, IN_BOX, IN_LINE = range(3)
"""Kinds of hidden single: the last blank of a house; in a box; in a column or row."""


@lean_kernel
def find_hidden_single(state, grid, finding, where, rating):
    """Find a digit with one position left in a house; see :func:`houses_with_single`."""
    for kind in (BOX, COLUMN, ROW):
        houses = houses_with_single(state, kind, where)
        while houses:
            house = kind * grid.size + lowest_bit(houses)
            houses &= houses - 1
            digits = state.hidden[house]
            while digits:
                digit = lowest_bit(digits)
                digits &= digits - 1
                positions = state.positions[house * grid.size + digit]
                cell = grid.houses[house, lowest_bit(positions)]
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
def house_of_single(state, grid, where):
    """Return the first house with a hidden single, or -1: a box before a column before a row."""
    first = -1
    for kind in (ROW, COLUMN, BOX):
        houses = houses_with_single(state, kind, where)
        if houses:
            first = kind * grid.size + lowest_bit(houses)
    return first


@lean_kernel
def find_naked_single(state, grid, finding, rating):
    """Find a cell with one candidate left."""
    rows = state.summary[NAKED_IN]
    while rows:
        row = lowest_bit(rows)
        rows &= rows - 1
        columns = state.naked[row]
        while columns:
            cell = grid.houses[row, lowest_bit(columns)]
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
# direct form must leave the digit one position in another house that the second one crosses: a
# person sees both at a glance and needs no pencil marks. A list of all steps leaves singles out.


@lean_kernel
def find_locked(state, grid, finding, claiming, direct, rating):
    """Find a digit of a box that lies on one line or, if `claiming`, of a line in one box."""
    listing = finding.head[0]["listed"] > 0
    for kind in (COLUMN, ROW):
        inner_kind = kind if claiming else BOX
        outer_kind = BOX if claiming else kind
        for digit in range(grid.size):
            for i in range(grid.kind_span[inner_kind, 0], grid.kind_span[inner_kind, 1]):
                inner = grid.by_kind[i]
                positions = state.positions[inner * grid.size + digit]
                if positions == 0 or (listing and positions & (positions - 1) == 0):
                    continue
                cell = grid.houses[inner, lowest_bit(positions)]
                for column in range(grid.house_of.shape[1]):
                    outer = grid.house_of[cell, column]
                    if outer < 0 or grid.house_kind[outer] != outer_kind:
                        continue
                    if positions & ~grid.shared[inner, outer]:
                        continue
                    crossing = (inner, outer, digit)
                    if direct:
                        if _follows(state, grid, finding, crossing, rating):
                            return True
                        continue
                    others = state.positions[outer * grid.size + digit]
                    others &= ~grid.shared[outer, inner]
                    if others:
                        _begin_locked(state, grid, finding, crossing, rating)
                        remove_in_house(finding, state, grid, outer, others, 1 << digit)
                        if ends_search(finding):
                            return True
    return False


@lean_kernel
def _follows(state, grid, finding, crossing, rating):
    """Find another house of the kind to which the second one leaves a position for the digit."""
    inner, outer, digit = crossing
    kind = grid.house_kind[inner]
    for i in range(grid.kind_span[kind, 0], grid.kind_span[kind, 1]):
        other = grid.by_kind[i]
        if grid.shared[outer, other] == 0 or grid.shared[inner, other]:
            continue
        positions = state.positions[other * grid.size + digit]
        left = positions & ~grid.shared[other, outer]
        if left == 0 or left & (left - 1) or (left == positions and finding.head[0]["listed"]):
            continue
        _begin_locked(state, grid, finding, crossing, rating)
        add_house(finding, other)
        place_at(finding, grid.houses[other, lowest_bit(left)], digit)
        if ends_search(finding):
            return True
    return False


@inlined_kernel
def _begin_locked(state, grid, finding, crossing, rating):
    """Begin the step of a digit that is confined to the crossing of two houses."""
    inner, outer, digit = crossing
    begin(finding, rating, 1 << digit)
    add_house(finding, inner)
    add_house(finding, outer)
    add_cells(finding, grid, inner, state.positions[inner * grid.size + digit])
