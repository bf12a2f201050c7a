"""Wings: what a few cells with few candidates rule out between them.

XY- and XYZ-wing hang on a pivot. The larger wings are a bivalue cell and an almost locked set: n
cells of a house with n + 1 candidates.
"""

import numpy as np

from nando.kernels.bits import n_bits
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.sudoku.finders.subsets import cells_of_few_candidates, next_subset
from nando.solvers.logic.sudoku.finding import (
    CHOSEN,
    ITEMS,
    MASKS,
    N_GONE,
    RATING,
    add_cell,
    add_house,
    begin,
    keep_better,
    remove,
)


@lean_kernel
def find_wing(state, layout, finding, width, rating):
    """XY-wing (pivot of width 2) or XYZ-wing (3): pincers of two candidates that the pivot sees."""
    candidates = state.candidates
    pincers = finding.lists[ITEMS]
    for pivot in range(layout.n_cells):
        mask = candidates[pivot]
        if n_bits(mask) != width:
            continue
        n = 0
        for i in range(layout.peers.shape[1]):
            peer = layout.peers[pivot, i]
            theirs = candidates[peer]
            if n_bits(theirs) == 2 and n_bits(theirs & mask) == width - 1:
                pincers[n] = peer
                n += 1
        for i in range(n - 1):
            first = candidates[pincers[i]]
            for j in range(i + 1, n):
                second = candidates[pincers[j]]
                digit = first & second
                if n_bits(digit) != 1 or n_bits(first | second | mask) != 3:
                    continue
                if width == 2 and digit & mask:
                    continue
                begin(finding, rating, first | second)
                for k in range(layout.peers.shape[1]):
                    cell = layout.peers[pincers[i], k]
                    if not layout.sees[cell, pincers[j]] or cell == pivot:
                        continue
                    if width == 2 or layout.sees[cell, pivot]:
                        remove(finding, state, cell, digit)
                if finding.head[N_GONE]:
                    add_cell(finding, pivot)
                    add_cell(finding, pincers[i])
                    add_cell(finding, pincers[j])
                    return True
    return False


@kernel
def find_large_wing(state, layout, finding, trial, degree, rating):
    """WXYZ-wing (`degree` 3) or VWXYZ-wing (4): an almost locked set and a bivalue cell.

    A digit of the bivalue cell that all its cells in the set see cannot be true in both, so the
    other digit is true in one of them. If that holds for both digits, every digit of the set is
    locked. The easiest is taken: sets whose largest cell has the fewest or the most candidates.
    """
    bivalue = np.empty(layout.n_cells, np.int64)
    return _search(state, layout, finding, trial, bivalue, degree, rating)


@lean_kernel
def _search(state, layout, finding, trial, bivalue, degree, rating):
    """Try every almost locked set of a house with every bivalue cell."""
    size = layout.size
    masks = finding.lists[MASKS]
    items = finding.lists[ITEMS]
    chosen = finding.lists[CHOSEN]
    n_bivalue = 0
    for cell in range(layout.n_cells):
        if n_bits(state.candidates[cell]) == 2:
            bivalue[n_bivalue] = cell
            n_bivalue += 1
    found = False
    finding.head[RATING] = 0
    for house in range(3 * size):
        n = cells_of_few_candidates(state, layout, finding, house, degree + 1)
        if n < degree:
            continue
        chosen[0] = -1
        while next_subset(masks, n, degree, degree + 1, chosen):
            digits = 0
            largest = 0
            for i in range(degree):
                mask = masks[chosen[i]]
                digits |= mask
                largest = max(largest, n_bits(mask))
                trial.lists[ITEMS, i] = layout.houses[house, items[chosen[i]]]
            harder = degree - 2 - abs(3 - largest)
            if found and rating + harder > finding.head[RATING]:
                continue
            for k in range(n_bivalue):
                cell = bivalue[k]
                if state.candidates[cell] & ~digits or _in_set(trial, degree, cell):
                    continue
                if _wing(state, layout, trial, degree, digits, cell, rating + harder):
                    add_house(trial, house)
                    found |= keep_better(finding, trial)
    return found


@inlined_kernel
def _in_set(trial, degree, cell):
    inside = False
    for i in range(degree):
        inside |= trial.lists[ITEMS, i] == cell
    return inside


@inlined_kernel
def _sees_all(state, layout, trial, degree, cell, digit):
    """Whether a cell sees all cells of the set that have a digit (a mask of one bit)."""
    for i in range(degree):
        other = trial.lists[ITEMS, i]
        if state.candidates[other] & digit and not layout.sees[cell, other]:
            return False
    return True


@lean_kernel
def _wing(state, layout, trial, degree, digits, cell, rating):
    """Write the wing of the set in `trial` and a bivalue cell; whether it removes anything."""
    mask = state.candidates[cell]
    low = mask & -mask
    high = mask ^ low
    low_restricted = _sees_all(state, layout, trial, degree, cell, low)
    high_restricted = _sees_all(state, layout, trial, degree, cell, high)
    if not (low_restricted or high_restricted):
        return False
    begin(trial, rating, digits)
    both = low_restricted and high_restricted
    # What the wing locks: one digit of the bivalue cell, or all digits of the set.
    locked = digits if both else high if low_restricted else low
    for victim in range(layout.n_cells):
        left = state.candidates[victim] & locked
        if left == 0 or victim == cell or _in_set(trial, degree, victim):
            continue
        gone = 0
        while left:
            digit = left & -left
            left ^= digit
            if digit & mask and not layout.sees[victim, cell]:
                continue
            if _sees_all(state, layout, trial, degree, victim, digit):
                gone |= digit
        if gone:
            remove(trial, state, victim, gone)
    for i in range(degree):
        add_cell(trial, trial.lists[ITEMS, i])
    add_cell(trial, cell)
    return trial.head[N_GONE] > 0
