"""Steps from patterns along a line: clues outside the grid, lines between circles, quadruples."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.finders.finding import add_cell, begin
from nando.solvers.logic.variants.rule_state import (
    CLOCK,
    KEPT,
    PATTERN,
    add_part,
    is_new,
    remove,
    takes,
)
from nando.solvers.variants.propagation import read_pattern

LOOSE, EXACT = range(2)
"""Degrees: without, or with, the fact that cells which see each other hold different digits."""

MOST_DIGITS = 9
"""Most digits of a board on which exact patterns are searched for."""


@lean_kernel
def find_pattern(layout, state, finding, degree, rating):
    """Find a pattern that rules out a candidate."""
    n_patterns = layout.pattern_first.size
    base = layout.arc_cell.size + layout.sum_totals.size + degree * n_patterns
    for number in range(n_patterns):
        start, end = layout.pattern_start[number], layout.pattern_start[number + 1]
        blanks = False
        for i in range(start, end):
            blanks |= not state.filled[layout.pattern_cells[i]]
        if not blanks or not is_new(state, layout.pattern_cells[start:end], base + number):
            continue
        if degree == LOOSE:
            filter_pattern(layout, state, finding, number)
        elif not filter_exactly(layout, state, finding, number):
            continue
        begin(finding, rating, 0)
        n_gone = 0
        for i in range(start, end):
            cell = layout.pattern_cells[i]
            gone = state.mask[cell] & ~finding.lists[KEPT, i - start]
            remove(state, finding, cell, gone)
            add_cell(finding, cell)
            n_gone += gone != 0
        if n_gone == 0:
            state.looked[base + number] = state.counts[CLOCK] + 1
            continue
        add_part(finding, PATTERN, number)
        if takes(finding):
            return True
    return False


@lean_kernel
def filter_pattern(layout, state, finding, number):
    """Write into the workspace the digits that each cell has on some way through the automaton."""
    read_pattern(state.mask, layout, state.reading, finding.lists[KEPT], number)


@lean_kernel
def filter_exactly(layout, state, finding, number):
    """Filter as `filter_pattern` does, but without repeated digits; return False if not applicable.

    It is applicable if all cells see each other and the digits are few enough.
    """
    start = layout.pattern_start[number]
    k = layout.pattern_start[number + 1] - start
    if layout.grid.size > MOST_DIGITS or k > layout.grid.size:
        return False
    for i in range(start, start + k):
        for j in range(start, i):
            if not layout.grid.sees[layout.pattern_cells[i], layout.pattern_cells[j]]:
                return False
    first = layout.pattern_first[number]
    n_states = layout.pattern_end[number] - first
    nodes = state.nodes
    n_sets = 1 << layout.grid.size
    nodes[: n_sets * n_states] = 0
    nodes[0] = 1
    # A set of digits comes after all of its subsets.
    for used in range(n_sets):
        i = n_bits(used)
        if i >= k:
            continue
        mask = state.mask[layout.pattern_cells[start + i]] & ~used
        for s in range(n_states):
            if nodes[used * n_states + s] == 0:
                continue
            left = mask
            while left:
                digit = lowest_bit(left)
                left &= left - 1
                to = layout.moves[first + s, digit]
                if to >= 0:
                    nodes[(used | 1 << digit) * n_states + to - first] = 1
    finding.lists[KEPT, :k] = 0
    for used in range(n_sets - 1, -1, -1):
        i = n_bits(used)
        if i > k:
            continue
        if i == k:
            for s in range(n_states):
                if nodes[used * n_states + s] and layout.accepting[first + s]:
                    nodes[used * n_states + s] = 2
            continue
        mask = state.mask[layout.pattern_cells[start + i]] & ~used
        for s in range(n_states):
            if nodes[used * n_states + s] == 0:
                continue
            left = mask
            while left:
                digit = lowest_bit(left)
                left &= left - 1
                to = layout.moves[first + s, digit]
                if to >= 0 and nodes[(used | 1 << digit) * n_states + to - first] == 2:
                    nodes[used * n_states + s] = 2
                    finding.lists[KEPT, i] |= 1 << digit
    return True
