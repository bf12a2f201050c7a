"""Locked candidates: a digit confined to where a box and a line cross.

Pointing: in the box it lies on one line, so it goes from the rest of the line. Claiming: on the
line it lies in one box, so it goes from the rest of the box.
"""

from nando.puzzles._bits import lowest_bit
from nando.puzzles._kernel import inlined_kernel, lean_kernel
from nando.solvers._logic_state import (
    BOX,
    COLUMN,
    ROW,
    add_cells,
    add_house,
    begin,
    remove_in_house,
)


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
def find_pointing(state, layout, finding, rating):
    """A digit of a box that lies on one column or row."""
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
                    others = state.positions[line * size + digit] & ~run
                    if others:
                        begin(finding, rating, 1 << digit)
                        add_house(finding, box)
                        add_house(finding, line)
                        add_cells(finding, layout, box, positions)
                        remove_in_house(finding, state, layout, line, others, 1 << digit)
                        return True
    return False


@lean_kernel
def find_claiming(state, layout, finding, rating):
    """A digit of a column or row that lies in one box."""
    size = layout.size
    order = layout.order
    for kind in (COLUMN, ROW):
        for digit in range(size):
            for which in range(size):
                line = kind * size + which
                positions = state.positions[line * size + digit]
                if positions == 0:
                    continue
                segment = lowest_bit(positions) // order
                if positions & ~((1 << order) - 1 << segment * order):
                    continue
                box = layout.house_of[layout.houses[line, segment * order], BOX]
                inside = layout.box_lines[kind, which % order]
                others = state.positions[box * size + digit] & ~inside
                if others:
                    begin(finding, rating, 1 << digit)
                    add_house(finding, line)
                    add_house(finding, box)
                    add_cells(finding, layout, line, positions)
                    remove_in_house(finding, state, layout, box, others, 1 << digit)
                    return True
    return False
