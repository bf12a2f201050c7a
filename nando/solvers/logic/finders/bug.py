"""Bivalue universal grave (BUG): a grid that would have no solution, or several.

In such a grid all blanks have two candidates and all digits two positions in every house. If only a
few extra candidates keep the grid from being a BUG, one of them is true. This relies on the puzzle
having exactly one solution.
"""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.finding import (
    CHOSEN,
    EXTRAS,
    ITEMS,
    MASKS,
    RICH,
    add_cell,
    add_house,
    begin,
    keep_better,
    remove,
    remove_seen,
    sees_all,
)
from nando.solvers.logic.finders.grid import is_barred, kind_at
from nando.solvers.logic.finders.subsets import next_subset


@lean_kernel
def find_bug(state, grid, finding, trial, rating):
    """Find a bivalue universal grave except for a few extra candidates, types 1 to 4.

    Type 1: one cell has all extra candidates. Type 2: they are of one digit. Type 3: they lie in a
    house and form a naked subset with other cells of it. Type 4: two cells of a house share another
    digit.
    """
    extras = trial.lists[EXTRAS]
    n = _bug_cells(state, grid, trial)
    if n <= 0:
        return False
    digits = 0
    for i in range(n):
        digits |= extras[i]
    finding.head[0]["rating"] = 0
    if n == 1:
        cell = trial.lists[RICH, 0]
        begin(trial, rating, digits)
        trial.head[0]["variant"] = 1
        add_cell(trial, cell)
        remove(trial, state, cell, ~digits)
        return keep_better(finding, trial)
    improved = False
    if digits & (digits - 1) == 0:
        begin(trial, rating + 1, digits)
        trial.head[0]["variant"] = 2
        remove_seen(trial, state, grid, trial.lists[RICH, :n], digits)
        for i in range(n):
            add_cell(trial, trial.lists[RICH, i])
        improved |= keep_better(finding, trial)
    if n == 2:
        improved |= _bug_type_4(state, grid, finding, trial, digits, rating + 1)
    if digits & (digits - 1):
        improved |= _bug_type_3(state, grid, finding, trial, n, digits, rating + 1)
    return improved


@lean_kernel
def _bug_cells(state, grid, trial):
    """List the cells with extra candidates; return their number, at most 0 if there is no grave."""
    size = grid.size
    n = 0
    for house in range(len(grid.houses)):
        for digit in range(size):
            positions = state.positions[house * size + digit]
            if positions == 0 or n_bits(positions) == 2:
                continue
            cell = -1
            many = 0
            left = positions
            while left:
                other = grid.houses[house, lowest_bit(left)]
                left &= left - 1
                if n_bits(state.candidates[other]) > 2:
                    cell = other
                    many += 1
            if many == 0:
                return -1
            if many > 1:
                continue
            index = 0
            while index < n and trial.lists[RICH, index] != cell:
                index += 1
            if index == n:
                trial.lists[RICH, n] = cell
                trial.lists[EXTRAS, n] = 0
                n += 1
            trial.lists[EXTRAS, index] |= 1 << digit
    # Without the extra candidates the grid must be a grave.
    for cell in range(grid.n_cells):
        mask = state.candidates[cell]
        rest = mask & ~_extra_of(trial, n, cell)
        if mask and (n_bits(rest) != 2 or is_barred(state, grid, cell, rest)):
            return -1
    for house in range(len(grid.houses)):
        for digit in range(size):
            count = n_bits(state.positions[house * size + digit])
            if count == 0:
                continue
            for i in range(n):
                inside = False
                for kind in range(grid.house_of.shape[1]):
                    inside |= grid.house_of[trial.lists[RICH, i], kind] == house
                if inside and trial.lists[EXTRAS, i] >> digit & 1:
                    count -= 1
            if count != 2:
                return -1
    return n


@inlined_kernel
def _extra_of(trial, n, cell):
    extra = 0
    for i in range(n):
        if trial.lists[RICH, i] == cell:
            extra = trial.lists[EXTRAS, i]
    return extra


@inlined_kernel
def _in_house(grid, trial, n, kind):
    """Return the house of a kind that the `n` cells with extra candidates share, or -1."""
    house = grid.house_of[trial.lists[RICH, 0], kind]
    for i in range(1, n):
        if grid.house_of[trial.lists[RICH, i], kind] != house:
            return -1
    return house


@lean_kernel
def _bug_type_4(state, grid, finding, trial, digits, rating):
    """Find two cells of a house that share exactly one other digit: one of them holds it."""
    first = trial.lists[RICH, 0]
    second = trial.lists[RICH, 1]
    mask = state.candidates[first]
    theirs = state.candidates[second]
    shared = mask & theirs & ~digits
    if n_bits(shared) != 1:
        return False
    for k in range(grid.house_of.shape[1]):
        house = _in_house(grid, trial, 2, kind_at(k))
        if house < 0:
            continue
        begin(trial, rating, digits | shared)
        trial.head[0]["variant"] = 4
        add_house(trial, house)
        add_cell(trial, first)
        add_cell(trial, second)
        remove(trial, state, first, mask & ~shared & ~trial.lists[EXTRAS, 0])
        remove(trial, state, second, theirs & ~shared & ~trial.lists[EXTRAS, 1])
        return keep_better(finding, trial)
    return False


@lean_kernel
def _bug_type_3(state, grid, finding, trial, n, digits, rating):
    """Find a naked subset of other cells of a house and the cells, which count as one cell."""
    improved = False
    for k in range(grid.house_of.shape[1]):
        house = _in_house(grid, trial, n, kind_at(k))
        if house < 0:
            continue
        m = 0
        for position in range(grid.size):
            cell = grid.houses[house, position]
            if state.candidates[cell] and sees_all(grid, cell, trial.lists[RICH, :n]):
                trial.lists[ITEMS, m] = cell
                trial.lists[MASKS, m] = state.candidates[cell]
                m += 1
        for degree in range(2, min(7, m + 1)):
            chosen = trial.lists[CHOSEN]
            chosen[0] = -1
            while next_subset(trial.lists[MASKS], m, degree - 1, degree, chosen):
                subset = 0
                for i in range(degree - 1):
                    subset |= trial.lists[MASKS, chosen[i]]
                if digits & ~subset:
                    continue
                begin(trial, rating + degree - 1, subset)
                trial.head[0]["variant"] = 3
                add_house(trial, house)
                for i in range(n):
                    add_cell(trial, trial.lists[RICH, i])
                for i in range(m):
                    inside = False
                    for j in range(degree - 1):
                        inside |= chosen[j] == i
                    if inside:
                        add_cell(trial, trial.lists[ITEMS, i])
                    else:
                        remove(trial, state, trial.lists[ITEMS, i], subset)
                improved |= keep_better(finding, trial)
    return improved
