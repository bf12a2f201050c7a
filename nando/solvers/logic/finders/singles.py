"""Naked and hidden singles, and locked candidates."""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.solvers.logic.finders.finding import (
    add_cell,
    add_cells,
    add_house,
    begin,
    ends_search,
    place_at,
    remove_in_house,
)
from nando.solvers.logic.finders.grid import BOX, COLUMN, OTHER, ROW, WORD

LAST_CELL, IN_BOX, ELSEWHERE = range(3)
"""Kinds of hidden single: the last blank of a house; in a box; in a column, row or other house."""


@lean_kernel
def find_hidden_single(state, grid, finding, where, rating):
    """Find a digit with one position left in a house; see :func:`houses_with_single`."""
    for word in range(state.single_in.size):
        houses = houses_with_single(state, grid, where, word)
        while houses:
            house = grid.in_order[word * WORD + lowest_bit(houses)]
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
def houses_with_single(state, grid, where, word):
    """Return a word of the set of the ranks of the houses with a hidden single of a kind.

    The kind is `LAST_CELL`, `IN_BOX` or `ELSEWHERE`.
    """
    houses = state.single_in[word]
    if where == LAST_CELL:
        return houses & state.last_in[word]
    return houses & (grid.boxes[word] if where == IN_BOX else ~grid.boxes[word])


@inlined_kernel
def house_of_single(state, grid, where):
    """Return the first house with a hidden single of a kind, or -1."""
    for word in range(state.single_in.size):
        houses = houses_with_single(state, grid, where, word)
        if houses:
            return grid.in_order[word * WORD + lowest_bit(houses)]
    return -1


@lean_kernel
def find_naked_single(state, _grid, finding, rating):
    """Find a cell with one candidate left."""
    for word in range(state.naked.size):
        cells = state.naked[word]
        while cells:
            cell = word * WORD + lowest_bit(cells)
            cells &= cells - 1
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
    size, columns = grid.size, grid.house_of.shape[1]
    listing = finding.head[0]["listed"] > 0
    for kind in (COLUMN, ROW):
        inner_kind = kind if claiming else BOX
        outer_kind = BOX if claiming else kind
        first, end = grid.kind_span[inner_kind, 0], grid.kind_span[inner_kind, 1]
        for digit in range(size):
            for i in range(first, end):
                inner = grid.by_kind[i]
                positions = state.positions[inner * size + digit]
                if positions == 0 or (listing and positions & (positions - 1) == 0):
                    continue
                cell = grid.houses[inner, lowest_bit(positions)]
                column = outer_kind
                while column < columns:
                    outer = grid.house_of[cell, column]
                    column = max(column + 1, OTHER)
                    if outer < 0 or positions & ~grid.shared[inner, outer]:
                        continue
                    crossing = (inner, outer, digit)
                    if grid.house_kind[outer] == outer_kind and _ends_with(
                        state, grid, finding, crossing, direct, rating
                    ):
                        return True
    return False


@lean_kernel
def _ends_with(state, grid, finding, crossing, direct, rating):
    """Write the steps of a crossing; return True if the search ends with one."""
    if direct:
        return _follows(state, grid, finding, crossing, rating)
    inner, outer, digit = crossing
    others = state.positions[outer * grid.size + digit] & ~grid.shared[outer, inner]
    if others == 0:
        return False
    _begin_locked(state, grid, finding, crossing, rating)
    remove_in_house(finding, state, grid, outer, others, 1 << digit)
    return ends_search(finding)


@inlined_kernel
def _follows(state, grid, finding, crossing, rating):
    """Find another house of the kind to which the second one leaves a position for the digit."""
    inner, outer, digit = crossing
    kind = grid.house_kind[inner]
    rest = (1 << grid.size) - 1 & ~grid.shared[outer, inner]
    while rest:
        cell = grid.houses[outer, lowest_bit(rest)]
        rest &= rest - 1
        column = kind
        while column < grid.house_of.shape[1]:
            other = grid.house_of[cell, column]
            column = max(column + 1, OTHER)
            if other < 0 or grid.house_kind[other] != kind:
                continue
            rest &= ~grid.shared[outer, other]
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
