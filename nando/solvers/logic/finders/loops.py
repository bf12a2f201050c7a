"""Unique rectangles and loops, and the bivalue universal grave (BUG).

All of them rely on the puzzle having exactly one solution. If cells could swap digits for a second
one, or if the grid would have no solution or several, one of the extra candidates is true.

A loop steps from cell to cell through their houses, each house it enters holds exactly two of its
cells, and all cells have the same two candidates. In a BUG all blanks have two candidates and all
digits two positions in every house.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
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
    remove_in_house,
    remove_seen,
    sees_all,
)
from nando.solvers.logic.finders.grid import is_barred, kind_at
from nando.solvers.logic.finders.subsets import chosen_sets, next_subset


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


_CELL, _KIND, _EXTRAS, _MANY, _LEFT = range(5)
"""Rows of a path: its cells, the kind of house through which each was entered, the extra candidates
so far, the number of cells with extra candidates, and rows with the positions of successors not yet
tried in the row, column, box and so on."""


@kernel
def find_unique_loop(state, grid, finding, trial, rating):
    """Find the easiest unique loop, types 1 to 4.

    Type 1: one cell has extra candidates. Type 2: they are of one digit. Type 3: the two cells that
    have them form a naked or hidden subset with others of their house. Type 4: one of the two
    digits is confined, in a house, to these two cells.
    """
    improved = False
    finding.head[0]["rating"] = 0
    path = np.empty((_LEFT + grid.house_of.shape[1], grid.n_cells + 1), np.int64)
    parities = np.zeros(len(grid.houses), np.int64)
    for start in range(grid.n_cells):
        pair = state.candidates[start]
        if n_bits(pair) == 2:
            improved |= _walk(state, grid, finding, trial, path, parities, (start, pair, rating))
    return improved


@lean_kernel
def _walk(state, grid, finding, trial, path, parities, walk):
    """Follow every path of the pair whose first cell is the bivalue cell of the lowest number.

    Each house holds at most one cell at an even and one at an odd position of the path; `parities`
    has 1 for the former and 2 for the latter.
    """
    start, pair, rating = walk
    n_kinds = grid.house_of.shape[1]
    improved = False
    depth = 0
    path[_EXTRAS, 0] = 0
    path[_MANY, 0] = 0
    _enter(state, grid, path, parities, 0, start, -1, pair)
    while depth >= 0:
        kind = 0
        while kind < n_kinds and path[_LEFT + kind, depth] == 0:
            kind += 1
        if kind == n_kinds:
            for k in range(n_kinds):
                if grid.house_of[path[_CELL, depth], k] >= 0:
                    parities[grid.house_of[path[_CELL, depth], k]] &= ~(1 + depth % 2)
            depth -= 1
            continue
        left = path[_LEFT + kind, depth]
        path[_LEFT + kind, depth] = left & (left - 1)
        house = grid.house_of[path[_CELL, depth], kind]
        cell = grid.houses[house, lowest_bit(left)]
        if cell == start:
            if depth >= 3 and _closed(state, grid, path, parities, depth, pair):
                improved |= _read_loop(state, grid, finding, trial, path, (depth + 1, pair, rating))
            continue
        mask = state.candidates[cell]
        if mask == pair and cell < start:
            continue
        extras = path[_EXTRAS, depth] | mask & ~pair
        many = path[_MANY, depth] + (mask != pair)
        if many > 2 and n_bits(extras) > 1:
            continue
        parity = 1 + (depth + 1) % 2
        free = True
        for k in range(n_kinds):
            if grid.house_of[cell, k] >= 0:
                free &= parities[grid.house_of[cell, k]] & parity == 0
        if free:
            depth += 1
            path[_EXTRAS, depth] = extras
            path[_MANY, depth] = many
            _enter(state, grid, path, parities, depth, cell, kind, pair)
    return improved


@inlined_kernel
def _enter(state, grid, path, parities, depth, cell, entered, pair):
    """Add a cell to the path; its successors are the cells with both digits in other houses."""
    path[_CELL, depth] = cell
    path[_KIND, depth] = entered
    low = lowest_bit(pair)
    high = lowest_bit(pair & (pair - 1))
    for kind in range(grid.house_of.shape[1]):
        house = grid.house_of[cell, kind]
        if house < 0:
            path[_LEFT + kind, depth] = 0
            continue
        parities[house] |= 1 + depth % 2
        both = state.positions[house * grid.size + low]
        both &= state.positions[house * grid.size + high]
        both &= ~(1 << grid.position_in[cell, kind])
        path[_LEFT + kind, depth] = 0 if kind == entered else both


@inlined_kernel
def _closed(state, grid, path, parities, depth, pair):
    """Return True if every house of the path holds one of its cells at either parity.

    No other rule may exclude a candidate if the cells hold the digits of the pair.
    """
    for i in range(depth + 1):
        cell = path[_CELL, i]
        for k in range(grid.house_of.shape[1]):
            if grid.house_of[cell, k] >= 0 and parities[grid.house_of[cell, k]] != 3:
                return False
        if is_barred(state, grid, cell, pair):
            return False
    return True


@inlined_kernel
def _begin_loop(trial, path, loop, variant, digits, harder):
    """Begin the step of a loop: six cells are rated 0.1 above four, eight 0.2, more 0.5."""
    length, pair, rating = loop
    longer = 0 if length == 4 else 1 if length == 6 else 2 if length == 8 else 5
    begin(trial, rating + longer + harder, pair | digits)
    trial.head[0]["variant"] = variant
    for i in range(length):
        add_cell(trial, path[_CELL, i])


@lean_kernel
def _read_loop(state, grid, finding, trial, path, loop):
    """Write the steps that a loop allows; return True if one is better than the best before."""
    length, pair, _ = loop
    extras = path[_EXTRAS, length - 1]
    many = path[_MANY, length - 1]
    if many == 0:
        return False
    rich = trial.lists[RICH]
    n = 0
    for i in range(length):
        if state.candidates[path[_CELL, i]] != pair:
            rich[n] = path[_CELL, i]
            n += 1
    if many == 1:
        _begin_loop(trial, path, loop, 1, 0, 0)
        remove(trial, state, rich[0], pair)
        return keep_better(finding, trial)
    improved = False
    if n_bits(extras) == 1:
        _begin_loop(trial, path, loop, 2, extras, 0)
        remove_seen(trial, state, grid, rich[:many], extras)
        improved |= keep_better(finding, trial)
    if many > 2:
        return improved
    for k in range(grid.house_of.shape[1]):
        kind = kind_at(k)
        house = grid.house_of[rich[0], kind]
        if house < 0 or grid.house_of[rich[1], kind] != house:
            continue
        improved |= _type_4(state, grid, finding, trial, path, loop, kind)
        if n_bits(extras) > 1:
            improved |= _type_3(state, grid, finding, trial, path, loop, kind)
    return improved


@lean_kernel
def _type_4(state, grid, finding, trial, path, loop, kind):
    """Find a digit of the pair that is confined to the two cells: remove the other from both."""
    _, pair, _ = loop
    house = grid.house_of[trial.lists[RICH, 0], kind]
    here = _two_positions(grid, trial, kind)
    improved = False
    left = pair
    while left:
        digit = left & -left
        left ^= digit
        if state.positions[house * grid.size + lowest_bit(digit)] == here:
            _begin_loop(trial, path, loop, 4, 0, 0)
            add_house(trial, house)
            remove(trial, state, trial.lists[RICH, 0], pair ^ digit)
            remove(trial, state, trial.lists[RICH, 1], pair ^ digit)
            improved |= keep_better(finding, trial)
    return improved


@inlined_kernel
def _two_positions(grid, trial, kind):
    """Return the mask of the positions of the two rich cells in their house of a kind."""
    return (
        1 << grid.position_in[trial.lists[RICH, 0], kind]
        | 1 << (grid.position_in[trial.lists[RICH, 1], kind])
    )


@lean_kernel
def _type_3(state, grid, finding, trial, path, loop, kind):
    """Find naked and hidden subsets in which the two rich cells count as one cell."""
    _, pair, _ = loop
    house = grid.house_of[trial.lists[RICH, 0], kind]
    here = _two_positions(grid, trial, kind)
    extras = (
        state.candidates[trial.lists[RICH, 0]] | state.candidates[trial.lists[RICH, 1]]
    ) & ~pair
    n_blanks = n_bits(state.empties[house])
    two = house, here, extras
    improved = False
    for degree in range(n_bits(extras), n_blanks // 2 + 1):
        improved |= _naked_type_3(state, grid, finding, trial, path, loop, two, degree)
    for degree in range(max(2, n_bits(extras)), (n_blanks - 1) // 2 + 1):
        improved |= _hidden_type_3(state, grid, finding, trial, path, loop, two, degree)
    return improved


@lean_kernel
def _naked_type_3(state, grid, finding, trial, path, loop, two, degree):
    """Find naked subsets of the extra candidates and `degree - 1` other cells of the house.

    `two` is the house of the two rich cells, their positions in it, and their extra candidates.
    """
    house, here, extras = two
    others = state.empties[house] & ~here
    chosen = trial.lists[CHOSEN]
    n = 0
    left = others
    while left:
        position = lowest_bit(left)
        left &= left - 1
        mask = state.candidates[grid.houses[house, position]]
        if n_bits(mask) > 1 and n_bits(mask | extras) <= degree:
            trial.lists[MASKS, n] = mask
            trial.lists[ITEMS, n] = position
            n += 1
    improved = False
    chosen[0] = -1
    while n >= degree - 1 and next_subset(trial.lists[MASKS], n, degree - 1, degree, chosen):
        subset, cells = chosen_sets(trial, degree - 1)
        if extras & ~subset:
            continue
        _begin_loop(trial, path, loop, 3, subset, degree - 1)
        add_house(trial, house)
        remove_in_house(trial, state, grid, house, others & ~cells, subset)
        improved |= keep_better(finding, trial)
    return improved


@lean_kernel
def _hidden_type_3(state, grid, finding, trial, path, loop, two, degree):
    """Find hidden subsets: outside the two cells, the pair and `degree - 2` digits share cells.

    These are `degree - 1` cells. `two` is as for :func:`_naked_type_3`.
    """
    _, pair, _ = loop
    house, here, extras = two
    size = grid.size
    chosen = trial.lists[CHOSEN]
    pair_cells = 0
    for digit in range(size):
        if pair >> digit & 1:
            pair_cells |= state.positions[house * size + digit] & ~here
    n = 0
    for digit in range(size):
        positions = state.positions[house * size + digit] & ~here
        if (pair | extras) >> digit & 1 or positions == 0:
            continue
        if n_bits(positions | pair_cells) <= degree - 1:
            trial.lists[MASKS, n] = positions
            trial.lists[ITEMS, n] = digit
            n += 1
    improved = False
    chosen[0] = -1
    while n >= degree - 2:
        digits = pair
        cells = pair_cells
        if degree > 2:
            if not next_subset(trial.lists[MASKS], n, degree - 2, degree - 1, chosen):
                break
            more_cells, more_digits = chosen_sets(trial, degree - 2)
            cells |= more_cells
            digits |= more_digits
        if n_bits(cells) == degree - 1:
            _begin_loop(trial, path, loop, 3, digits, degree - 2)
            add_house(trial, house)
            remove_in_house(trial, state, grid, house, cells, ~digits)
            improved |= keep_better(finding, trial)
        if degree == 2:
            break
    return improved
