"""Locked candidates: a digit confined to where a box and a line cross.

Pointing: in the box it lies on one line, so it goes from the rest of the line. Claiming: on the
line it lies in one box, so it goes from the rest of the box. Direct, this is seen only where it
leaves the digit one position in a house: a person who sees both in one glance writes no pencil
mark.
"""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku.finding import (
    add_cells,
    add_house,
    begin,
    place_at,
    remove_in_house,
)
from nando.solvers.logic.sudoku.state import BOX, COLUMN, ROW


@inlined_kernel
def crossing(layout, box, kind, i):
    """The i-th row or column of a box: its house, and the positions it shares with the box."""
    order = layout.order
    size = layout.size
    band = (box - 2 * size) // order
    stack = (box - 2 * size) % order
    run = (1 << order) - 1
    if kind == ROW:
        return band * order + i, run << stack * order
    return size + stack * order + i, run << band * order


@lean_kernel
def find_pointing(state, layout, finding, direct, rating):
    """A digit of a box that lies on one column or row.

    Direct, it leaves one position to a neighbouring box; else it goes from the rest of the line.
    """
    size = layout.size
    for kind in (COLUMN, ROW):
        for digit in range(size):
            for box in range(2 * size, 3 * size):
                positions = state.positions[box * size + digit]
                if positions == 0:
                    continue
                for i in range(layout.order):
                    if positions & ~layout.box_lines[kind, i]:
                        continue
                    line, run = crossing(layout, box, kind, i)
                    if direct:
                        other = _single_in_boxes(state, layout, box, kind, i, digit)
                        if other < 0:
                            continue
                        _begin_locked(finding, layout, rating, digit, box, line, positions)
                        left = state.positions[other * size + digit] & ~layout.box_lines[kind, i]
                        _place_in(finding, layout, other, left, digit)
                        return True
                    others = state.positions[line * size + digit] & ~run
                    if others:
                        _begin_locked(finding, layout, rating, digit, box, line, positions)
                        remove_in_house(finding, state, layout, line, others, 1 << digit)
                        return True
    return False


@inlined_kernel
def _single_in_boxes(state, layout, box, kind, i, digit):
    """Another box on the i-th line of a box with one position for a digit off that line, or -1."""
    size = layout.size
    order = layout.order
    which = box - 2 * size
    first = which // order * order if kind == ROW else which % order
    step = 1 if kind == ROW else order
    for other in range(2 * size + first, 2 * size + first + order * step, step):
        left = state.positions[other * size + digit] & ~layout.box_lines[kind, i]
        if other != box and left and left & (left - 1) == 0:
            return other
    return -1


@lean_kernel
def find_claiming(state, layout, finding, direct, rating):
    """A digit of a column or row that lies in one box.

    Direct, it leaves one position to a parallel line; else it goes from the rest of the box.
    """
    size = layout.size
    order = layout.order
    for kind in (COLUMN, ROW):
        for digit in range(size):
            for line in range(kind * size, kind * size + size):
                positions = state.positions[line * size + digit]
                if positions == 0:
                    continue
                segment = lowest_bit(positions) // order
                run = (1 << order) - 1 << segment * order
                if positions & ~run:
                    continue
                box = layout.house_of[layout.houses[line, segment * order], BOX]
                if direct:
                    # Bands and stacks start at multiples of the order, whatever the kind.
                    first = line // order * order
                    for other in range(first, first + order):
                        left = state.positions[other * size + digit] & ~run
                        if other != line and left and left & (left - 1) == 0:
                            _begin_locked(finding, layout, rating, digit, line, box, positions)
                            _place_in(finding, layout, other, left, digit)
                            return True
                    continue
                others = state.positions[box * size + digit]
                others &= ~layout.box_lines[kind, line % order]
                if others:
                    _begin_locked(finding, layout, rating, digit, line, box, positions)
                    remove_in_house(finding, state, layout, box, others, 1 << digit)
                    return True
    return False


@inlined_kernel
def _begin_locked(finding, layout, rating, digit, inside, across, positions):
    """Start the step of a digit that is confined to where a house crosses another."""
    begin(finding, rating, 1 << digit)
    add_house(finding, inside)
    add_house(finding, across)
    add_cells(finding, layout, inside, positions)


@inlined_kernel
def _place_in(finding, layout, house, left, digit):
    """Let the step place the digit at its one position left in another house."""
    add_house(finding, house)
    place_at(finding, layout.houses[house, lowest_bit(left)], digit)
