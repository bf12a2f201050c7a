"""Chains of strong links on one digit: skyscraper, kite, turbot fish, empty rectangle and longer.

A house in which a digit has two positions, or two groups of positions, is a strong link: one end
or the other is true. Links are joined where an end of one and an end of the next share a house,
so that both cannot be true. Then one of the two outer ends is true, and a candidate that sees both
is removed. If the outer ends share a house, too, the chain is a loop, and every joint removes the
digit.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit
from nando.solvers.logic.finders.finding import (
    ITEMS,
    add_cells,
    add_house,
    begin,
    keep_better,
    remove,
)
from nando.solvers.logic.finders.grid import BOX, COLUMN, ROW, WORD
from nando.solvers.logic.finders.link_graph import (
    CLASS,
    GROUPED,
    HOUSE,
    WALKS,
    connect,
    end_house,
    list_links,
    seeing,
)


@kernel
def find_strong_links(state, grid, finding, trial, length, rating):
    """Find the easiest chain of `length` strong links on a digit.

    Chains of parallel lines only are rated lowest. For two links, rows with columns add 0.1, a box
    0.2 and a group 0.3; for more, a box adds 0.1 and rows with columns 0.2.
    """
    n_houses, columns = len(grid.houses), grid.house_of.shape[1]
    most = (grid.size if finding.head[0]["listed"] else 2) * n_houses
    words = (2 * most - 1) // WALKS + 1
    links = np.empty((4 + 2 * columns, most), np.int64)
    cell_words = grid.seen_from.shape[1]
    sets = (
        np.empty((2 * most, words), np.int64),
        np.empty((2 * most, words), np.int64),
        np.empty((2 * most, words), np.int64),
        np.empty((2 * most, words), np.int64),
        np.empty((n_houses, words), np.int64),
        np.empty((n_houses, words), np.int64),
        np.empty(words, np.int64),
    )
    having = np.zeros((grid.size, cell_words), np.int64)
    for cell in range(grid.n_cells):
        mask = state.candidates[cell]
        while mask:
            having[lowest_bit(mask), cell // WORD] |= 1 << cell % WORD
            mask &= mask - 1
    left = np.empty((length, words), np.int64)
    return _search(state, grid, finding, trial, (links, sets, left, having), length, rating)


@inlined_kernel
def _search(state, grid, finding, trial, workspace, length, rating):
    """Try the chains of every digit."""
    links, sets, left, having = workspace
    improved = False
    finding.head[0]["rating"] = 0
    for digit in range(grid.size):
        n = list_links(state, grid, links, digit, finding.head[0]["listed"] > 0)
        if n >= length and connect(grid, links, n, having[digit], sets):
            sizes = (n, length, rating)
            work = (links, sets, left, having[digit])
            improved |= _join(state, grid, finding, trial, digit, sizes, work)
    return improved


@inlined_kernel
def _meeting(links, grid, end, other):
    """Return the house in which two ends of links lie, a column before a row, or -1."""
    for k in range(grid.house_of.shape[1]):
        column = COLUMN if k == ROW else ROW if k == COLUMN else k
        house = end_house(links, grid, end, column)
        if house == end_house(links, grid, other, column):
            return house
    return -1


@inlined_kernel
def _harder(links, walks, length):
    """Return the tenths that the kinds of house of a chain add to its rating."""
    classes = 0
    for i in range(length):
        classes |= links[CLASS, walks[i] >> 1]
    if classes & GROUPED:
        return 3
    if classes >> BOX & 1:
        return 2 if length == 2 else 1
    if classes >> ROW & 1 and classes >> COLUMN & 1:
        return 1 if length == 2 else 2
    return 0


@inlined_kernel
def _join(state, grid, finding, trial, digit, sizes, workspace):
    """Try every chain of the links; return True if one is better than the best before."""
    n, length, shortest = sizes
    links, sets, left, having = workspace
    follows, _, _, common, _, _, _ = sets
    words = (2 * n - 1) // WALKS + 1
    walks = trial.lists[ITEMS]
    improved = False
    for first in range(2 * n):
        walks[0] = first
        depth = 1
        _list_next(sets, left, words, walks, depth, length)
        while depth:
            walk = _take_next(left, words, depth)
            if walk < 0:
                depth -= 1
                continue
            last = depth == length - 1
            # Each chain is found in both directions: use the one that starts with the lesser walk.
            if last and walk < first:
                continue
            walks[depth] = walk
            if not last:
                depth += 1
                _list_next(sets, left, words, walks, depth, length)
                continue
            rating = shortest + _harder(links, walks, length)
            if 0 < finding.head[0]["rating"] < rating:
                continue
            loop = follows[walk, first // WALKS] >> first % WALKS & 1
            if not _is_seen(common, walks, length, loop):
                continue
            begin(trial, rating, 1 << digit)
            _remove_seen(state, grid, trial, links, digit, (length, loop), having)
            if trial.head[0]["n_gone"]:
                for i in range(length):
                    house = links[HOUSE, walks[i] >> 1]
                    add_house(trial, house)
                    add_cells(trial, grid, house, state.positions[house * grid.size + digit])
                improved |= keep_better(finding, trial)
    return improved


@inlined_kernel
def _list_next(sets, left, words, walks, depth, length):
    """List the walks that may come at position `depth` of the chain."""
    follows, apart, ending, _, _, _, _ = sets
    for k in range(words):
        some = follows[walks[depth - 1], k]
        for i in range(depth - 1):
            some &= apart[walks[i], k]
        if depth == length - 1:
            some &= ending[walks[0], k]
        left[depth, k] = some


@inlined_kernel
def _is_seen(common, walks, length, loop):
    """Return True if a position sees both ends of the chain, or both ends at a joint of a loop."""
    seen = False
    for joint in range(length if loop else 1):
        end = walks[length - 1 - joint] ^ 1
        start = walks[(length - joint) % length]
        seen |= common[end, start // WALKS] >> start % WALKS & 1
    return seen


@inlined_kernel
def _take_next(left, words, depth):
    """Remove the first of the listed walks and return it; -1 if there is none."""
    for k in range(words):
        if left[depth, k]:
            walk = k * WALKS + lowest_bit(left[depth, k])
            left[depth, k] &= left[depth, k] - 1
            return walk
    return -1


@lean_kernel
def _remove_seen(state, grid, trial, links, digit, shape, having):
    """Remove the digit from cells that see both ends of the chain, or of any joint of a loop.

    Cells in a house of the chain or, unless it is a loop, of a joint keep it.
    """
    length, loop = shape
    walks = trial.lists[ITEMS]
    for word in range(having.size):
        cells = 0
        # The first joint is the one between the outer ends, which closes a loop.
        for joint in range(length if loop else 1):
            both = seeing(grid, links, walks[length - 1 - joint] ^ 1, having[word], word)
            cells |= seeing(grid, links, walks[(length - joint) % length], both, word)
        for i in range(length if cells else 0):
            cells &= ~grid.cells_of[links[HOUSE, walks[i] >> 1], word]
            if i and not loop:
                cells &= ~grid.cells_of[_meeting(links, grid, walks[i - 1] ^ 1, walks[i]), word]
        while cells:
            remove(trial, state, word * WORD + lowest_bit(cells), 1 << digit)
            cells &= cells - 1
