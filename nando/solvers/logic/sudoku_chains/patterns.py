"""Locked candidates, pairs and X-wings that arise while an assumption is followed.

Only those count that an elimination of the assumption made possible: these eliminations are their
parents. The finders of the same patterns cannot serve here. They stop at the first step, and they
meet pairs and X-wings in another order, in which chains would have other lengths.
"""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_chains.deductions import (
    add_parent,
    begin_parents,
    conclude,
    end_parents,
    n_parents,
)
from nando.solvers.logic.sudoku_finders.locked import crossing
from nando.solvers.logic.sudoku_finders.state import BOX, COLUMN, ROW, WORD

_MOST_SEEING = 6
"""Most positions of a digit that are looked at together."""


@lean_kernel
def find_patterns(state, layout, graph, made):
    """Turn off what the first kind of pattern rules out; return True if there is any."""
    if layout.order:
        if _find_locked(state, layout, graph, made):
            return True
    elif _find_seen(state, layout, graph, made):
        return True
    if _find_hidden_pairs(state, layout, graph, made):
        return True
    if _find_naked_pairs(state, layout, graph, made):
        return True
    return _find_x_wings(state, layout, graph, made)


@inlined_kernel
def _add_gone(state, layout, graph, made, house, digit, positions):
    """Make the digit's eliminations at these positions of a house parents."""
    size = layout.size
    place = house * size + digit
    gone = state.positions[place] & ~made.positions[place] & positions
    while gone:
        cell = layout.houses[house, lowest_bit(gone)]
        gone &= gone - 1
        add_parent(made, 2 * graph.number[cell * size + digit])


@inlined_kernel
def _turn_off(layout, graph, made, house, positions, digits):
    """Conclude that digits are off at positions of a house; return True if one was not known.

    Without a parent nothing is concluded.
    """
    some = False
    while n_parents(made) and positions:
        cell = layout.houses[house, lowest_bit(positions)]
        positions &= positions - 1
        some |= _turn_off_in(layout, graph, made, cell, digits)
    return some


@inlined_kernel
def _turn_off_in(layout, graph, made, cell, digits):
    """Conclude that digits are off in a cell; return True if one was not known."""
    some = False
    left = made.candidates[cell] & digits
    while left:
        literal = 2 * graph.number[cell * layout.size + lowest_bit(left)]
        left &= left - 1
        if made.n_behind[literal] == 0:
            conclude(made, literal, literal, -1)
            some = True
    return some


@lean_kernel
def _find_locked(state, layout, graph, made):
    """Find a digit of a box that lies on one line, then one of a line in one box."""
    size = layout.size
    some = False
    for claiming in (False, True):
        for kind in (COLUMN, ROW):
            for digit in range(size):
                for which in range(size):
                    inner = (kind if claiming else BOX) * size + which
                    positions = made.positions[inner * size + digit]
                    if positions & (positions - 1) == 0:
                        continue
                    inside, outer, shared = crossing(
                        layout, claiming, kind, which, lowest_bit(positions)
                    )
                    others = made.positions[outer * size + digit] & ~shared
                    if positions & ~inside or others == 0:
                        continue
                    begin_parents(made)
                    _add_gone(state, layout, graph, made, inner, digit, ~inside)
                    used = _turn_off(layout, graph, made, outer, others, 1 << digit)
                    end_parents(made, used)
                    some |= used
    return some


@lean_kernel
def _find_seen(state, layout, graph, made):
    """Find cells of a variant that all positions of a digit in a house see."""
    size = layout.size
    some = False
    for k in range(layout.houses_from.size - 1):
        # In `in_order` columns come before rows.
        of_kind = 0 if k == 0 else 2 if k == 1 else 1 if k == 2 else k
        for digit in range(size):
            for at in range(layout.houses_from[of_kind], layout.houses_from[of_kind + 1]):
                house = layout.in_order[at]
                positions = made.positions[house * size + digit]
                if positions & (positions - 1) == 0 or n_bits(positions) > _MOST_SEEING:
                    continue
                begin_parents(made)
                _add_gone(state, layout, graph, made, house, digit, ~positions)
                used = _turn_off_seen(layout, graph, made, house, positions, 1 << digit)
                end_parents(made, used)
                some |= used
    return some


@lean_kernel
def _turn_off_seen(layout, graph, made, house, positions, digits):
    """Conclude that digits are off where all these positions of a house are seen.

    Return True if one was not known. Without a parent nothing is concluded.
    """
    some = False
    if n_parents(made) == 0:
        return some
    first = layout.houses[house, lowest_bit(positions)]
    for word in range(layout.seen_from.shape[1]):
        cells = layout.seen_from[first, word]
        others = positions & (positions - 1)
        while others:
            cells &= layout.seen_from[layout.houses[house, lowest_bit(others)], word]
            others &= others - 1
        while cells:
            cell = word * WORD + lowest_bit(cells)
            cells &= cells - 1
            some |= _turn_off_in(layout, graph, made, cell, digits)
    return some


@lean_kernel
def _find_hidden_pairs(state, layout, graph, made):
    """Find two digits with the same two positions in a house."""
    size = layout.size
    some = False
    for house in layout.in_order:
        if n_bits(state.empties[house]) <= 4:
            continue
        for second in range(1, size):
            positions = made.positions[house * size + second]
            if n_bits(positions) != 2:
                continue
            for first in range(second):
                if made.positions[house * size + first] != positions:
                    continue
                begin_parents(made)
                left = state.empties[house] & ~positions
                while left:
                    position = left & -left
                    left ^= position
                    _add_gone(state, layout, graph, made, house, first, position)
                    _add_gone(state, layout, graph, made, house, second, position)
                others = ~(1 << first | 1 << second)
                used = _turn_off(layout, graph, made, house, positions, others)
                end_parents(made, used)
                some |= used
    return some


@lean_kernel
def _find_naked_pairs(state, layout, graph, made):
    """Find two cells of a house with the same two candidates."""
    size = layout.size
    some = False
    for house in layout.in_order:
        if n_bits(state.empties[house]) < 4:
            continue
        for j in range(1, size):
            second = layout.houses[house, j]
            pair = made.candidates[second]
            if n_bits(pair) != 2:
                continue
            for i in range(j):
                first = layout.houses[house, i]
                if made.candidates[first] != pair:
                    continue
                begin_parents(made)
                for cell in (first, second):
                    gone = state.candidates[cell] & ~pair
                    while gone:
                        add_parent(made, 2 * graph.number[cell * size + lowest_bit(gone)])
                        gone &= gone - 1
                here = 1 << i | 1 << j
                if layout.order:
                    others = state.empties[house] & ~here
                    used = _turn_off(layout, graph, made, house, others, pair)
                else:
                    used = _turn_off_seen(layout, graph, made, house, here, pair)
                end_parents(made, used)
                some |= used
    return some


@lean_kernel
def _find_x_wings(state, layout, graph, made):
    """Find a digit with the same two positions on two parallel lines."""
    size = layout.size
    some = False
    for band in range(layout.bands.shape[0]):
        base = layout.bands[band]
        cover = layout.bands[band ^ 1]
        for j in range(1, size):
            for i in range(j):
                for digit in range(size):
                    positions = made.positions[base[j] * size + digit]
                    if n_bits(positions) != 2:
                        continue
                    if made.positions[base[i] * size + digit] != positions:
                        continue
                    n_lines = 0
                    for line in base:
                        n_lines += state.positions[line * size + digit] != 0
                    if n_lines < 4:
                        continue
                    begin_parents(made)
                    _add_gone(state, layout, graph, made, base[i], digit, ~positions)
                    _add_gone(state, layout, graph, made, base[j], digit, ~positions)
                    used = False
                    while positions:
                        house = cover[lowest_bit(positions)]
                        positions &= positions - 1
                        others = made.positions[house * size + digit] & ~(1 << i | 1 << j)
                        used |= _turn_off(layout, graph, made, house, others, 1 << digit)
                    end_parents(made, used)
                    some |= used
    return some
