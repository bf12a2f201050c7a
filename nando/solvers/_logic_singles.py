"""Steps that fill a cell at once: singles, and locked candidates or hidden subsets before one.

The direct steps place the digit that an elimination would leave alone in a house, without noting
the elimination itself: a person who sees both in one glance writes no pencil mark.
"""

from nando.puzzles._bits import lowest_bit, n_bits
from nando.puzzles._kernel import lean_kernel
from nando.solvers._logic_locked import crossing
from nando.solvers._logic_state import (
    BOX,
    CHOSEN,
    COLUMN,
    HIDDEN_IN,
    ITEMS,
    LAST_IN,
    MASKS,
    NAKED_IN,
    ROW,
    add_cell,
    add_cells,
    add_house,
    begin,
    place_at,
)
from nando.solvers._logic_subsets import digits_in_few_positions, next_subset


@lean_kernel
def find_hidden_single(state, layout, finding, where, rating):
    """A digit with one position left in a house.

    `where` is 0 for the last blank of a house, 1 for a box, 2 for a column or row.
    """
    for kind in (BOX, COLUMN, ROW):
        houses = state.summary[HIDDEN_IN + kind]
        if where == 0:
            houses &= state.summary[LAST_IN + kind]
        if houses and (where == 0 or (where == 1) == (kind == BOX)):
            house = kind * layout.size + lowest_bit(houses)
            digit = lowest_bit(state.hidden[house])
            at = lowest_bit(state.positions[house * layout.size + digit])
            cell = layout.houses[house, at]
            begin(finding, rating, 1 << digit)
            add_house(finding, house)
            add_cell(finding, cell)
            place_at(finding, cell, digit)
            return True
    return False


@lean_kernel
def find_naked_single(state, layout, finding, rating):
    """A cell with one candidate left."""
    rows = state.summary[NAKED_IN]
    if rows == 0:
        return False
    row = lowest_bit(rows)
    cell = layout.houses[row, lowest_bit(state.naked[row])]
    mask = state.candidates[cell]
    begin(finding, rating, mask)
    add_cell(finding, cell)
    place_at(finding, cell, lowest_bit(mask))
    return True


@lean_kernel
def find_direct_pointing(state, layout, finding, rating):
    """A digit confined to one line of a box, so that a neighbouring box has one position left."""
    size = layout.size
    order = layout.order
    for kind in (COLUMN, ROW):
        for digit in range(size):
            for box in range(2 * size, 3 * size):
                positions = state.positions[box * size + digit]
                if positions == 0:
                    continue
                for i in range(order):
                    if positions & ~layout.box_lines[kind, i]:
                        continue
                    line, _ = crossing(layout, box, kind, i)
                    for j in range(order):
                        # The boxes that the line crosses.
                        which = box - 2 * size
                        if kind == ROW:
                            which = which // order * order + j
                        else:
                            which = which % order + j * order
                        other = 2 * size + which
                        if other == box:
                            continue
                        left = state.positions[other * size + digit]
                        left &= ~layout.box_lines[kind, i]
                        if left and left & (left - 1) == 0:
                            begin(finding, rating, 1 << digit)
                            add_house(finding, box)
                            add_house(finding, line)
                            add_house(finding, other)
                            add_cells(finding, layout, box, positions)
                            cell = layout.houses[other, lowest_bit(left)]
                            place_at(finding, cell, digit)
                            return True
    return False


@lean_kernel
def find_direct_claiming(state, layout, finding, rating):
    """A digit confined to one box of a line, so that a parallel line has one position left."""
    size = layout.size
    order = layout.order
    for kind in (COLUMN, ROW):
        for digit in range(size):
            for which in range(size):
                house = kind * size + which
                positions = state.positions[house * size + digit]
                if positions == 0:
                    continue
                segment = lowest_bit(positions) // order
                run = (1 << order) - 1 << segment * order
                if positions & ~run:
                    continue
                band = which // order * order
                for other in range(kind * size + band, kind * size + band + order):
                    left = state.positions[other * size + digit] & ~run
                    if other != house and left and left & (left - 1) == 0:
                        begin(finding, rating, 1 << digit)
                        add_house(finding, house)
                        add_house(
                            finding, layout.house_of[layout.houses[house, segment * order], BOX]
                        )
                        add_house(finding, other)
                        add_cells(finding, layout, house, positions)
                        place_at(finding, layout.houses[other, lowest_bit(left)], digit)
                        return True
    return False


@lean_kernel
def find_direct_hidden_subset(state, layout, finding, degree, rating):
    """A hidden pair or triplet that leaves one position in its house to another digit."""
    size = layout.size
    masks = finding.lists[MASKS]
    items = finding.lists[ITEMS]
    chosen = finding.lists[CHOSEN]
    for k in range(3):
        kind = BOX if k == 0 else COLUMN if k == 1 else ROW
        for house in range(kind * size, kind * size + size):
            if n_bits(state.empties[house]) <= degree:
                continue
            n = digits_in_few_positions(state, layout, finding, house, degree)
            if n < degree:
                continue
            chosen[0] = -1
            while next_subset(masks, n, degree, degree, chosen):
                cells = 0
                digits = 0
                for i in range(degree):
                    cells |= masks[chosen[i]]
                    digits |= 1 << items[chosen[i]]
                for digit in range(size):
                    if digits >> digit & 1:
                        continue
                    left = state.positions[house * size + digit] & ~cells
                    if left and left & (left - 1) == 0:
                        begin(finding, rating, digits)
                        add_house(finding, house)
                        add_cells(finding, layout, house, cells)
                        place_at(finding, layout.houses[house, lowest_bit(left)], digit)
                        return True
    return False
