"""Wings: a few cells with few candidates that rule out a digit together.

XY- and XYZ-wings have a pivot. The larger wings are a bivalue cell and an almost locked set: n
cells of a house with n + 1 candidates.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.finding import (
    CHOSEN,
    ITEMS,
    MASKS,
    add_cell,
    add_house,
    begin,
    ends_search,
    keep_better,
    remove,
    remove_seen,
)
from nando.solvers.logic.finders.grid import WORD
from nando.solvers.logic.finders.subsets import cells_of_few_candidates, next_subset


@lean_kernel
def find_wing(state, grid, finding, width, rating):
    """Find an XY-wing (pivot of `width` 2) or XYZ-wing (3): the pivot sees two bivalue pincers."""
    candidates = state.candidates
    pincers = finding.lists[ITEMS]
    for pivot in range(grid.n_cells):
        mask = candidates[pivot]
        if n_bits(mask) != width:
            continue
        n = 0
        for i in range(grid.peer_start[pivot], grid.peer_start[pivot + 1]):
            peer = grid.peers[i]
            theirs = candidates[peer]
            if n_bits(theirs) == 2 and n_bits(theirs & mask) == width - 1:
                pincers[n] = peer
                n += 1
        for i in range(n - 1):
            pincer = pincers[i]
            first = candidates[pincer]
            for j in range(i + 1, n):
                second = candidates[pincers[j]]
                digit = first & second
                if n_bits(digit) != 1 or n_bits(first | second | mask) != 3:
                    continue
                if width == 2 and digit & mask:
                    continue
                begin(finding, rating, first | second)
                for k in range(grid.peer_start[pincer], grid.peer_start[pincer + 1]):
                    cell = grid.peers[k]
                    if not grid.sees[cell, pincers[j]] or cell == pivot:
                        continue
                    if width == 2 or grid.sees[cell, pivot]:
                        remove(finding, state, cell, digit)
                if finding.head[0]["n_gone"]:
                    add_cell(finding, pivot)
                    add_cell(finding, pincer)
                    add_cell(finding, pincers[j])
                    if ends_search(finding):
                        return True
    return False


@lean_kernel
def find_w_wing(state, grid, finding, rating):
    """Find a W-wing: two cells with the same pair, joined by the two places of one of its digits.

    The other digit of the pair is then in one of the two cells.
    """
    candidates = state.candidates
    for cell in range(grid.n_cells):
        pair = candidates[cell]
        if n_bits(pair) != 2:
            continue
        for other in range(cell + 1, grid.n_cells):
            if candidates[other] != pair or grid.sees[cell, other]:
                continue
            for joint in (pair & -pair, pair & (pair - 1)):
                begin(finding, rating, pair)
                remove_seen(finding, state, grid, (cell, other), pair ^ joint)
                near, far = _joint(state, grid, cell, other, lowest_bit(joint))
                if finding.head[0]["n_gone"] and near < grid.n_cells:
                    for each in (cell, near, far, other):
                        add_cell(finding, each)
                    if ends_search(finding):
                        return True
    return False


@inlined_kernel
def _joint(state, grid, cell, other, digit):
    """Return the first two cells, the only places of a digit, of which two others see one each."""
    near, far = grid.n_cells, grid.n_cells
    for house in range(grid.houses.shape[0]):
        places = state.positions[house * grid.size + digit]
        if n_bits(places) == 2:
            low = grid.houses[house, lowest_bit(places)]
            high = grid.houses[house, lowest_bit(places & (places - 1))]
            for one, two in ((low, high), (high, low)):
                seen = grid.sees[cell, one] and grid.sees[two, other]
                if seen and (one, two) < (near, far):
                    near, far = one, two
    return near, far


@kernel
def find_large_wing(state, grid, finding, trial, degree, rating):
    """Find a WXYZ-wing (`degree` 3) or VWXYZ-wing (4): an almost locked set and a bivalue cell.

    A digit of the bivalue cell that all its cells in the set see cannot be true in both, so the
    other digit is true in one of them. If that holds for both digits, every digit of the set is
    locked. The easiest wing is written: its set has a largest cell with the fewest or the most
    candidates.
    """
    words = grid.seen_from.shape[1]
    sets = (
        np.zeros((grid.size, words), np.int64),
        np.zeros((grid.size, words), np.int64),
        np.empty((grid.size, words), np.int64),
        np.empty(words, np.int64),
    )
    return _search(state, grid, finding, trial, sets, degree, rating)


@lean_kernel
def _search(state, grid, finding, trial, sets, degree, rating):
    """Try every almost locked set of a house with every bivalue cell.

    `sets` is a tuple of sets of cells. The first three have a row per digit: the cells that have
    the digit, the bivalue cells among them, and the cells that see all cells of the almost locked
    set that have it. The last one is a single set for `_list_ends`.
    """
    having, bivalue, _, ends = sets
    words = having.shape[1]
    size = grid.size
    masks = finding.lists[MASKS]
    items = finding.lists[ITEMS]
    chosen = finding.lists[CHOSEN]
    _list_cells(state, grid, having, bivalue)
    improved = False
    finding.head[0]["rating"] = 0
    for house in range(3 * size):
        n = cells_of_few_candidates(state, grid, finding, house, degree + 1)
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
                trial.lists[ITEMS, i] = grid.houses[house, items[chosen[i]]]
            harder = degree - 2 - abs(3 - largest)
            if improved and rating + harder > finding.head[0]["rating"]:
                continue
            if not _list_ends(state, grid, trial, sets, degree, digits):
                continue
            for k in range(words):
                while ends[k]:
                    cell = k * WORD + lowest_bit(ends[k])
                    ends[k] &= ends[k] - 1
                    if state.candidates[cell] & ~digits:
                        continue
                    if _wing(state, grid, trial, sets, (degree, digits, cell), rating + harder):
                        add_house(trial, house)
                        improved |= keep_better(finding, trial)
    return improved


@inlined_kernel
def _list_cells(state, grid, having, bivalue):
    """List the cells of each digit, and those of them with two candidates."""
    for cell in range(grid.n_cells):
        mask = state.candidates[cell]
        bit = 1 << cell % WORD
        pair = bit if n_bits(mask) == 2 else 0
        while mask:
            digit = lowest_bit(mask)
            mask &= mask - 1
            having[digit, cell // WORD] |= bit
            bivalue[digit, cell // WORD] |= pair


@inlined_kernel
def _list_ends(state, grid, trial, sets, degree, digits):
    """List the bivalue cells that see all cells of the set with one of their digits.

    Return False if there are none. These cells are not in the set: they would see themselves.
    """
    _, bivalue, seen, ends = sets
    words = ends.size
    for k in range(words):
        ends[k] = 0
    some = 0
    while digits:
        digit = lowest_bit(digits)
        digits &= digits - 1
        for k in range(words):
            seen[digit, k] = -1
        for i in range(degree):
            cell = trial.lists[ITEMS, i]
            if state.candidates[cell] >> digit & 1:
                for k in range(words):
                    seen[digit, k] &= grid.seen_from[cell, k]
        for k in range(words):
            ends[k] |= seen[digit, k] & bivalue[digit, k]
            some |= ends[k]
    return some != 0


@lean_kernel
def _wing(state, grid, trial, sets, wing, rating):
    """Write the wing of the set and a bivalue cell; return True if it removes anything."""
    having, _, seen, _ = sets
    degree, digits, cell = wing
    words = having.shape[1]
    mask = state.candidates[cell]
    low = mask & -mask
    high = mask ^ low
    low_restricted = seen[lowest_bit(low), cell // WORD] >> cell % WORD & 1
    high_restricted = seen[lowest_bit(high), cell // WORD] >> cell % WORD & 1
    both = low_restricted and high_restricted
    # The digits that the wing locks: one digit of the bivalue cell, or all digits of the set.
    locked = digits if both else high if low_restricted else low
    begin(trial, rating, digits)
    for k in range(words):
        victims = 0
        left = locked
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            victims |= _victims(grid, having, seen, digit, k, cell, mask)
        while victims:
            victim = k * WORD + lowest_bit(victims)
            victims &= victims - 1
            gone = 0
            left = locked
            while left:
                digit = lowest_bit(left)
                left &= left - 1
                theirs = _victims(grid, having, seen, digit, k, cell, mask)
                gone |= (theirs >> victim % WORD & 1) << digit
            remove(trial, state, victim, gone)
    if trial.head[0]["n_gone"] == 0:
        return False
    for i in range(degree):
        add_cell(trial, trial.lists[ITEMS, i])
    add_cell(trial, cell)
    return True


@inlined_kernel
def _victims(grid, having, seen, digit, k, cell, mask):
    """Return word `k` of the set of the cells that lose a digit if the wing locks it."""
    victims = having[digit, k] & seen[digit, k]
    if mask >> digit & 1:
        victims &= grid.seen_from[cell, k]
    if k == cell // WORD:
        victims &= ~(1 << cell % WORD)
    return victims
