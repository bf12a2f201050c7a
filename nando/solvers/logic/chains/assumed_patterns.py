"""Locked candidates, pairs and X-wings that arise while an assumption is followed.

Only patterns that eliminations of the assumption made possible count; these eliminations are their
parents. The finders of the same patterns cannot be used here: they write a step without parents,
and stop at the first. Even without parents, starting them again after each step takes 1.1 to 3.2
times as long as one pass over all patterns (:mod:`nando.solvers.people.closures`).
"""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.chains.deductions import (
    add_parent,
    begin_parents,
    conclude,
    end_parents,
    n_parents,
)
from nando.solvers.logic.finders.grid import BOX, COLUMN, OTHER, ROW, WORD

_MOST_SEEING = 6
"""Most positions of a digit in a house for which the cells that see all of them are searched."""


@lean_kernel
def find_patterns(state, grid, graph, assumption):
    """Turn off the candidates that the easiest kind of pattern removes; return True if any."""
    if grid.plain:
        if _find_locked(state, grid, graph, assumption):
            return True
    elif _find_seen(state, grid, graph, assumption):
        return True
    if _find_hidden_pairs(state, grid, graph, assumption):
        return True
    if _find_naked_pairs(state, grid, graph, assumption):
        return True
    return _find_x_wings(state, grid, graph, assumption)


@inlined_kernel
def _add_gone(state, grid, graph, assumption, house, digit, positions):
    """Make the digit's eliminations at these positions of a house parents."""
    size = grid.size
    place = house * size + digit
    gone = state.positions[place] & ~assumption.positions[place] & positions
    while gone:
        cell = grid.houses[house, lowest_bit(gone)]
        gone &= gone - 1
        add_parent(assumption, 2 * graph.number[cell * size + digit])


@inlined_kernel
def _turn_off(grid, graph, assumption, house, positions, digits):
    """Conclude that digits are off at positions of a house; return True if one was not known.

    Nothing is concluded without a parent.
    """
    some = False
    while n_parents(assumption) and positions:
        cell = grid.houses[house, lowest_bit(positions)]
        positions &= positions - 1
        some |= _turn_off_in(grid, graph, assumption, cell, digits)
    return some


@inlined_kernel
def _turn_off_in(grid, graph, assumption, cell, digits):
    """Conclude that digits are off in a cell; return True if one was not known."""
    some = False
    left = assumption.candidates[cell] & digits
    while left:
        literal = 2 * graph.number[cell * grid.size + lowest_bit(left)]
        left &= left - 1
        if assumption.n_behind[literal] == 0:
            conclude(assumption, literal, literal, -1)
            some = True
    return some


@lean_kernel
def _find_locked(state, grid, graph, assumption):
    """Find a digit of a box that lies on one line, then one of a line in one box."""
    size = grid.size
    some = False
    for claiming in (False, True):
        for kind in (COLUMN, ROW):
            inner_kind = kind if claiming else BOX
            outer_kind = BOX if claiming else kind
            for digit in range(size):
                for index in range(grid.kind_span[inner_kind, 0], grid.kind_span[inner_kind, 1]):
                    inner = grid.by_kind[index]
                    positions = assumption.positions[inner * size + digit]
                    if positions & (positions - 1) == 0:
                        continue
                    outer = grid.house_of[grid.houses[inner, lowest_bit(positions)], outer_kind]
                    inside = grid.shared[inner, outer]
                    others = assumption.positions[outer * size + digit] & ~grid.shared[outer, inner]
                    if positions & ~inside or others == 0:
                        continue
                    begin_parents(assumption)
                    _add_gone(state, grid, graph, assumption, inner, digit, ~inside)
                    used = _turn_off(grid, graph, assumption, outer, others, 1 << digit)
                    end_parents(assumption, used)
                    some |= used
    return some


@lean_kernel
def _find_seen(state, grid, graph, assumption):
    """Find cells of a variant that all positions of a digit in a house see."""
    size = grid.size
    some = False
    for kind in (BOX, ROW, COLUMN, OTHER):
        for digit in range(size):
            for index in range(grid.kind_span[kind, 0], grid.kind_span[kind, 1]):
                house = grid.by_kind[index]
                positions = assumption.positions[house * size + digit]
                if positions & (positions - 1) == 0 or n_bits(positions) > _MOST_SEEING:
                    continue
                begin_parents(assumption)
                _add_gone(state, grid, graph, assumption, house, digit, ~positions)
                used = _turn_off_seen(grid, graph, assumption, house, positions, 1 << digit)
                end_parents(assumption, used)
                some |= used
    return some


@lean_kernel
def _turn_off_seen(grid, graph, assumption, house, positions, digits):
    """Conclude that digits are off in the cells that see all these positions of a house.

    Return True if one was not known. Nothing is concluded without a parent.
    """
    some = False
    if n_parents(assumption) == 0:
        return some
    first = grid.houses[house, lowest_bit(positions)]
    for word in range(grid.seen_from.shape[1]):
        cells = grid.seen_from[first, word]
        others = positions & (positions - 1)
        while others:
            cells &= grid.seen_from[grid.houses[house, lowest_bit(others)], word]
            others &= others - 1
        while cells:
            cell = word * WORD + lowest_bit(cells)
            cells &= cells - 1
            some |= _turn_off_in(grid, graph, assumption, cell, digits)
    return some


@lean_kernel
def _find_hidden_pairs(state, grid, graph, assumption):
    """Find two digits with the same two positions in a house."""
    size = grid.size
    some = False
    for house in grid.by_kind:
        if n_bits(state.empties[house]) <= 4:
            continue
        for second in range(1, size):
            positions = assumption.positions[house * size + second]
            if n_bits(positions) != 2:
                continue
            for first in range(second):
                if assumption.positions[house * size + first] != positions:
                    continue
                begin_parents(assumption)
                left = state.empties[house] & ~positions
                while left:
                    position = left & -left
                    left ^= position
                    _add_gone(state, grid, graph, assumption, house, first, position)
                    _add_gone(state, grid, graph, assumption, house, second, position)
                others = ~(1 << first | 1 << second)
                used = _turn_off(grid, graph, assumption, house, positions, others)
                end_parents(assumption, used)
                some |= used
    return some


@lean_kernel
def _find_naked_pairs(state, grid, graph, assumption):
    """Find two cells of a house with the same two candidates."""
    size = grid.size
    some = False
    for house in grid.by_kind:
        if n_bits(state.empties[house]) < 4:
            continue
        for j in range(1, size):
            second = grid.houses[house, j]
            pair = assumption.candidates[second]
            if n_bits(pair) != 2:
                continue
            for i in range(j):
                first = grid.houses[house, i]
                if assumption.candidates[first] != pair:
                    continue
                begin_parents(assumption)
                for cell in (first, second):
                    gone = state.candidates[cell] & ~pair
                    while gone:
                        add_parent(assumption, 2 * graph.number[cell * size + lowest_bit(gone)])
                        gone &= gone - 1
                here = 1 << i | 1 << j
                if grid.plain:
                    others = state.empties[house] & ~here
                    used = _turn_off(grid, graph, assumption, house, others, pair)
                else:
                    used = _turn_off_seen(grid, graph, assumption, house, here, pair)
                end_parents(assumption, used)
                some |= used
    return some


@lean_kernel
def _find_x_wings(state, grid, graph, assumption):
    """Find a digit with the same two positions on two parallel lines."""
    size = grid.size
    some = False
    for band in range(grid.bands.shape[0]):
        base = grid.bands[band]
        cover = grid.bands[band ^ 1]
        for j in range(1, size):
            for i in range(j):
                for digit in range(size):
                    positions = assumption.positions[base[j] * size + digit]
                    if n_bits(positions) != 2:
                        continue
                    if assumption.positions[base[i] * size + digit] != positions:
                        continue
                    n_lines = 0
                    for line in base:
                        n_lines += state.positions[line * size + digit] != 0
                    if n_lines < 4:
                        continue
                    begin_parents(assumption)
                    _add_gone(state, grid, graph, assumption, base[i], digit, ~positions)
                    _add_gone(state, grid, graph, assumption, base[j], digit, ~positions)
                    used = False
                    while positions:
                        house = cover[lowest_bit(positions)]
                        positions &= positions - 1
                        others = assumption.positions[house * size + digit] & ~(1 << i | 1 << j)
                        used |= _turn_off(grid, graph, assumption, house, others, 1 << digit)
                    end_parents(assumption, used)
                    some |= used
    return some
