"""Aligned exclusion: combinations of digits in two or three cells that cannot be true together.

A candidate is removed if all combinations with it are excluded.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.finding import add_cell, begin, ends_search, remove
from nando.solvers.logic.finders.grid import WORD


@kernel
def find_aligned(state, grid, finding, degree, rating):
    """Find an aligned pair (`degree` 2) or triplet (3) exclusion.

    A combination is excluded if it takes all candidates from a cell with at most `degree`
    candidates that all the cells see, or if it puts the same digit in two cells that see each
    other.
    """
    words = grid.seen_from.shape[1]
    excluders = np.zeros((grid.n_cells, words), np.int64)
    bases = np.empty(grid.n_cells, np.int64)
    common = np.empty(grid.n_cells, np.int64)
    few = np.zeros((3, words), np.int64)
    n = _list_excluders(state, grid, excluders, bases, few, degree)
    sets = (excluders, bases, common, few, n)
    if degree == 2:
        return _find_pair(state, grid, finding, sets, rating)
    return _find_triplet(state, grid, finding, sets, rating)


@lean_kernel
def _list_excluders(state, grid, excluders, bases, few, degree):
    """Find the cells with few candidates that each cell sees; list the cells that see any.

    Return the length of the list.
    """
    for cell in range(grid.n_cells):
        if 2 <= n_bits(state.candidates[cell]) <= degree:
            few[0, cell // WORD] |= 1 << cell % WORD
    n = 0
    for cell in range(grid.n_cells):
        if n_bits(state.candidates[cell]) < 2:
            continue
        some = 0
        for k in range(excluders.shape[1]):
            excluders[cell, k] = grid.seen_from[cell, k] & few[0, k]
            some |= excluders[cell, k]
        if some:
            bases[n] = cell
            n += 1
    return n


@inlined_kernel
def _n_shared(excluders, first, second):
    """Return the number of cells that exclude digits from both of two cells."""
    n_shared = 0
    for k in range(excluders.shape[1]):
        n_shared += n_bits(excluders[first, k] & excluders[second, k])
    return n_shared


@inlined_kernel
def _common(excluders, common, first, second, third):
    """List the cells that exclude digits from all three cells; return their number."""
    m = 0
    for k in range(excluders.shape[1]):
        shared = excluders[first, k] & excluders[second, k] & excluders[third, k]
        while shared:
            common[m] = k * WORD + lowest_bit(shared)
            shared &= shared - 1
            m += 1
    return m


@lean_kernel
def _find_pair(state, grid, finding, sets, rating):
    """Try every two cells."""
    excluders, bases, common, _, n_bases = sets
    for i in range(n_bases):
        for j in range(i + 1, n_bases):
            first, second = bases[i], bases[j]
            if _n_shared(excluders, first, second) > 1:
                m = _common(excluders, common, first, second, second)
                cells = (first, second, -1)
                if _exclude(state, grid, finding, common, m, rating, cells):
                    return True
    return False


@lean_kernel
def _find_triplet(state, grid, finding, sets, rating):
    """Try every two cells with a third that may itself exclude digits from one of the two."""
    excluders, bases, common, few, n_bases = sets
    words = excluders.shape[1]
    for j in range(1, n_bases):
        second = bases[j]
        for i in range(j):
            first = bases[i]
            if _n_shared(excluders, first, second) < 2:
                continue
            _see_several(grid, excluders, few, first, second)
            digits = state.candidates[first] | state.candidates[second]
            for k in range(words):
                left = (excluders[first, k] | excluders[second, k]) & few[2, k]
                while left:
                    third = k * WORD + lowest_bit(left)
                    left &= left - 1
                    if third in (first, second):
                        continue
                    m = _common(excluders, common, first, second, third)
                    outside = ~(digits | state.candidates[third])
                    within = False
                    for index in range(m):
                        within |= state.candidates[common[index]] & outside == 0
                    if not within:
                        continue
                    cells = (first, second, third)
                    if _exclude(state, grid, finding, common, m, rating, cells):
                        return True
    return False


@inlined_kernel
def _see_several(grid, excluders, few, first, second):
    """Write into ``few[2]`` the cells that see several common excluders of two cells."""
    words = excluders.shape[1]
    for k in range(words):
        few[1, k] = 0
        few[2, k] = 0
    for k in range(words):
        left = excluders[first, k] & excluders[second, k]
        while left:
            cell = k * WORD + lowest_bit(left)
            left &= left - 1
            for m in range(words):
                few[2, m] |= few[1, m] & grid.seen_from[cell, m]
                few[1, m] |= grid.seen_from[cell, m]


@lean_kernel
def _exclude(state, grid, finding, common, m, rating, cells):
    """Write the step for two or three cells and the `m` cells in `common`; return True to end.

    For a pair, the third cell is -1: it acts as a cell with a candidate that no other cell has.
    """
    first, second, third = cells
    ones = state.candidates[first]
    twos = state.candidates[second]
    threes = state.candidates[third] if third >= 0 else 1 << grid.size
    meet = bool(grid.sees[first, second])
    first_meets = third >= 0 and bool(grid.sees[first, third])
    second_meets = third >= 0 and bool(grid.sees[second, third])
    fits_one = 0
    fits_two = 0
    fits_three = 0
    one_left = ones
    while one_left:
        one = one_left & -one_left
        one_left ^= one
        two_left = twos & ~one if meet else twos
        while two_left:
            two = two_left & -two_left
            two_left ^= two
            if fits_one & one and fits_two & two and fits_three == threes:
                continue
            three_left = threes
            if first_meets:
                three_left &= ~one
            if second_meets:
                three_left &= ~two
            for i in range(m):
                rest = state.candidates[common[i]] & ~(one | two)
                if rest & (rest - 1) == 0:
                    three_left &= ~rest if rest else 0
            if three_left:
                fits_one |= one
                fits_two |= two
                fits_three |= three_left
                if fits_one == ones and fits_two == twos and fits_three == threes:
                    return False
    begin(finding, rating, ones | twos | (threes if third >= 0 else 0))
    add_cell(finding, first)
    add_cell(finding, second)
    remove(finding, state, first, ~fits_one)
    remove(finding, state, second, ~fits_two)
    if third >= 0:
        add_cell(finding, third)
        remove(finding, state, third, ~fits_three)
    for i in range(m):
        add_cell(finding, common[i])
    return finding.head[0]["n_gone"] > 0 and ends_search(finding)
