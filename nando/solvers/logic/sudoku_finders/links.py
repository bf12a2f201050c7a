"""Chains of strong links on one digit: skyscraper, kite, turbot fish, empty rectangle and longer.

A house in which a digit has two positions, or two groups of positions, is a strong link: one end
or the other is true. Links are joined where an end of one and an end of the next share a house,
so that both cannot be true. Then one of the two outer ends is true, and a candidate that sees both
is removed. If the outer ends share a house, too, the chain is a loop, and every joint removes the
digit.
"""

import numpy as np

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, separate
from nando.solvers.logic.sudoku_finders.finding import (
    ITEMS,
    add_cells,
    add_house,
    begin,
    keep_better,
    remove,
)
from nando.solvers.logic.sudoku_finders.link_graph import (
    CLASS,
    END_HOUSES,
    GROUPED,
    HOUSE,
    WALKS,
    connect,
    list_links,
)
from nando.solvers.logic.sudoku_finders.state import BOX, COLUMN, ROW


@separate
@kernel
def find_strong_links(state, layout, finding, trial, length, rating):
    """Find the easiest chain of `length` strong links on a digit.

    Chains of parallel lines only are rated lowest. For two links, rows with columns add 0.1, a box
    0.2 and a group 0.3; for more, a box adds 0.1 and rows with columns 0.2.
    """
    most = (3 * layout.order if finding.head[0]["listed"] else 4) * layout.size
    words = (2 * most - 1) // WALKS + 1
    links = np.empty((10, most), np.int64)
    sets = (
        np.empty((2 * most, words), np.int64),
        np.empty((2 * most, words), np.int64),
        np.empty((2 * most, words), np.int64),
        np.empty((2 * most, words), np.int64),
        np.empty((3 * layout.size, words), np.int64),
        np.empty((3 * layout.size, words), np.int64),
        np.empty(words, np.int64),
    )
    left = np.empty((length, words), np.int64)
    return _search(state, layout, finding, trial, (links, sets, left), length, rating)


@lean_kernel
def _search(state, layout, finding, trial, workspace, length, rating):
    """Try the chains of every digit."""
    links, sets, _ = workspace
    improved = False
    finding.head[0]["rating"] = 0
    for digit in range(layout.size):
        n = list_links(state, layout, links, digit, finding.head[0]["listed"] > 0)
        if n >= length and connect(state, layout, links, n, digit, sets):
            improved |= _join(state, layout, finding, trial, digit, (n, length, rating), workspace)
    return improved


@inlined_kernel
def _meeting(links, walk, other):
    """Return the house in which a walked link ends and another starts, or -1."""
    mine = END_HOUSES[1 - (walk & 1)]
    theirs = END_HOUSES[other & 1]
    for kind in (COLUMN, ROW, BOX):
        house = links[mine + kind, walk >> 1]
        if house == links[theirs + kind, other >> 1]:
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


@lean_kernel
def _join(state, layout, finding, trial, digit, sizes, workspace):
    """Try every chain of the links; return True if one is better than the best before."""
    n, length, shortest = sizes
    links, sets, left = workspace
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
            loop = _meeting(links, walk, first) >= 0
            if not _is_seen(sets, walks, length, loop):
                continue
            begin(trial, rating, 1 << digit)
            _remove_seen(state, layout, trial, links, digit, length, loop)
            if trial.head[0]["n_gone"]:
                for i in range(length):
                    house = links[HOUSE, walks[i] >> 1]
                    add_house(trial, house)
                    add_cells(trial, layout, house, state.positions[house * layout.size + digit])
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
def _is_seen(sets, walks, length, loop):
    """Return True if a position sees both ends of the chain, or both ends at a joint of a loop."""
    common = sets[3]
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
def _remove_seen(state, layout, trial, links, digit, length, loop):
    """Remove the digit from cells that see both ends of the chain, or of any joint of a loop."""
    walks = trial.lists[ITEMS]
    for joint in range(length if loop else 1):
        # The first joint is the one between the outer ends, which closes a loop.
        walk = walks[length - 1 - joint]
        other = walks[(length - joint) % length]
        mine = END_HOUSES[1 - (walk & 1)]
        theirs = END_HOUSES[other & 1]
        for kind in range(3):
            house = links[mine + kind, walk >> 1]
            if house < 0:
                continue
            left = state.positions[house * layout.size + digit]
            while left:
                cell = layout.houses[house, lowest_bit(left)]
                left &= left - 1
                seen = False
                met = False
                for k in range(3):
                    own = layout.house_of[cell, k]
                    seen |= own == links[theirs + k, other >> 1]
                    met |= k < kind and own == links[mine + k, walk >> 1]
                if seen and not met and not _held(layout, links, walks, length, loop, cell):
                    remove(trial, state, cell, 1 << digit)


@inlined_kernel
def _held(layout, links, walks, length, loop, cell):
    """Return True if a cell lies in a house of the chain or, unless it is a loop, of a joint."""
    for i in range(length):
        house = links[HOUSE, walks[i] >> 1]
        joint = -1
        if i and not loop:
            joint = _meeting(links, walks[i - 1], walks[i])
        for kind in range(3):
            own = layout.house_of[cell, kind]
            if own in (house, joint):
                return True
    return False
