"""Chains of strong links on one digit: skyscraper, kite, turbot fish, empty rectangle and longer.

A house in which a digit has two positions, or two groups of positions, is a strong link: one end
or the other is true. Links are joined where an end of one and an end of the next share a house,
so that both cannot be true. Then one of the two outer ends is true, and whatever sees both goes;
where the outer ends share a house too the chain is a loop, and every joint removes the digit.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.sudoku.finding import (
    CHOSEN,
    ITEMS,
    N_GONE,
    RATING,
    add_cells,
    add_house,
    begin,
    keep_better,
    remove,
)
from nando.solvers.logic.sudoku.state import BOX, COLUMN, ROW

_HOUSE, _CLASS, _NEAR, _FAR = 0, 1, 2, 3
"""Rows of ``links``: house, class (bit of its kind of house, 8 where grouped), positions of the
two ends."""

_END_HOUSES = (4, 7)
"""First of the three rows with the row, column and box that the near or far end lies in; a number
below 0, found nowhere else, where it lies in none."""

_GROUPED = 8


@kernel
def find_strong_links(state, layout, finding, trial, length, rating):
    """The easiest chain of `length` strong links on a digit.

    Chains of parallel lines only are rated lowest. For two links, rows with columns add 0.1, a box
    0.2 and a group 0.3; for more, a box adds 0.1 and rows with columns 0.2.
    """
    most = 4 * layout.size
    links = np.empty((10, most), np.int64)
    apart = np.empty((most, most), np.bool_)
    after = np.empty((2 * most, 2 * most), np.int64)
    n_after = np.empty(2 * most, np.int64)
    found = False
    finding.head[RATING] = 0
    for digit in range(layout.size):
        n = _list_links(state, layout, links, digit)
        if n >= length:
            _connect(layout, links, n, apart, after, n_after)
            graph = (links, apart, after, n_after)
            found |= _join(state, layout, finding, trial, digit, (n, length, rating), graph)
    return found


@lean_kernel
def _list_links(state, layout, links, digit):
    """List the strong links of a digit: how many."""
    size = layout.size
    order = layout.order
    run = (1 << order) - 1
    n = 0
    for house in range(3 * size):
        mask = state.positions[house * size + digit]
        if mask == 0:
            continue
        near = mask & -mask
        if n_bits(mask) == 2:
            # On one line of a box it is the link of that line.
            if house < 2 * size or not _on_a_line(layout, mask):
                n = _add_link(layout, links, n, house, near, mask ^ near)
        elif house < 2 * size:
            # Two of the segments that boxes cut out of the line.
            near = mask & run << lowest_bit(mask) // order * order
            far = mask ^ near
            if far and far & ~(run << lowest_bit(far) // order * order) == 0:
                n = _add_link(layout, links, n, house, near, far)
        else:
            n = _add_box_links(layout, links, n, house, mask)
    return n


@inlined_kernel
def _on_a_line(layout, mask):
    """Whether these positions of a box lie on one row or column of it."""
    for i in range(layout.order):
        if mask & ~layout.box_lines[0, i] == 0 or mask & ~layout.box_lines[1, i] == 0:
            return True
    return False


@lean_kernel
def _add_box_links(layout, links, n, house, mask):
    """Links of three or more positions of a box: on a row and a column of it, or on two lines."""
    order = layout.order
    for i in range(order):
        for j in range(order):
            row = mask & layout.box_lines[0, i]
            column = mask & layout.box_lines[1, j]
            if mask & ~(row | column):
                continue
            near = row & ~column
            far = column & ~row
            if near == 0 or far == 0:
                return n
            if near & (near - 1) and far & (far - 1):
                return _add_link(layout, links, n, house, near, far)
            # The crossing position may belong to either end.
            if near & (near - 1) == 0:
                n = _add_link(layout, links, n, house, near, column)
            if far & (far - 1) == 0:
                n = _add_link(layout, links, n, house, far, row)
            return n
    for kind in range(2):
        near = 0
        far = 0
        for i in range(order):
            line = mask & layout.box_lines[kind, i]
            if near == 0:
                near = line
            elif far == 0:
                far = line
        if far and mask == near | far:
            n = _add_link(layout, links, n, house, near, far)
    return n


@inlined_kernel
def _add_link(layout, links, n, house, near, far):
    """Note a link between two groups of positions of a house."""
    links[_HOUSE, n] = house
    links[_CLASS, n] = _GROUPED if n_bits(near | far) > 2 else 1 << house // layout.size
    links[_NEAR, n] = near
    links[_FAR, n] = far
    for end in range(2):
        positions = far if end else near
        for kind in range(3):
            shared = layout.house_of[layout.houses[house, lowest_bit(positions)], kind]
            left = positions & (positions - 1)
            while left:
                if layout.house_of[layout.houses[house, lowest_bit(left)], kind] != shared:
                    shared = house
                left &= left - 1
            links[_END_HOUSES[end] + kind, n] = -1 - 2 * n - end if shared == house else shared
    return n + 1


@lean_kernel
def _connect(layout, links, n, apart, after, n_after):
    """Which links share no position, and which follow each other.

    A link that is walked from its near end has twice its number, from its far end one more; row e
    of `after` lists what may follow when link ``e // 2`` was walked that way.
    """
    size = layout.size
    for i in range(n):
        apart[i, i] = False
        house = links[_HOUSE, i]
        rows = 0
        columns = 0
        boxes = 0
        left = links[_NEAR, i] | links[_FAR, i]
        while left:
            cell = layout.houses[house, lowest_bit(left)]
            left &= left - 1
            rows |= 1 << layout.house_of[cell, ROW]
            columns |= 1 << layout.house_of[cell, COLUMN] - size
            boxes |= 1 << layout.house_of[cell, BOX] - 2 * size
        for j in range(i):
            other = links[_HOUSE, j]
            if other < size:
                disjoint = rows >> other & 1 == 0
            elif other < 2 * size:
                disjoint = columns >> other - size & 1 == 0
            else:
                disjoint = boxes >> other - 2 * size & 1 == 0
            apart[i, j] = disjoint
            apart[j, i] = disjoint
    for walk in range(2 * n):
        m = 0
        mine = _END_HOUSES[1 - (walk & 1)]
        row = links[mine + ROW, walk >> 1]
        column = links[mine + COLUMN, walk >> 1]
        box = links[mine + BOX, walk >> 1]
        for link in range(n):
            if not apart[walk >> 1, link]:
                continue
            for end in range(2):
                theirs = _END_HOUSES[end]
                if (
                    links[theirs + ROW, link] == row
                    or links[theirs + COLUMN, link] == column
                    or links[theirs + BOX, link] == box
                ):
                    after[walk, m] = 2 * link + end
                    m += 1
        n_after[walk] = m


@inlined_kernel
def _meeting(links, walk, other):
    """House in which the last end of one walked link meets the first end of another, or -1."""
    mine = _END_HOUSES[1 - (walk & 1)]
    theirs = _END_HOUSES[other & 1]
    for kind in (COLUMN, ROW, BOX):
        house = links[mine + kind, walk >> 1]
        if house == links[theirs + kind, other >> 1]:
            return house
    return -1


@inlined_kernel
def _harder(links, walks, length, wanted):
    """What the first `length` links of a chain of `wanted` add to its rating, in tenths."""
    classes = 0
    for i in range(length):
        classes |= links[_CLASS, walks[i] >> 1]
    if classes & _GROUPED:
        return 3
    if classes >> BOX & 1:
        return 2 if wanted == 2 else 1
    if classes >> ROW & 1 and classes >> COLUMN & 1:
        return 1 if wanted == 2 else 2
    return 0


@lean_kernel
def _join(state, layout, finding, trial, digit, sizes, graph):
    """Try every chain of the links; whether a better one than before was found."""
    n, length, shortest = sizes
    links, apart, after, n_after = graph
    walks = trial.lists[ITEMS]
    tried = finding.lists[CHOSEN]
    found = False
    depth = 0
    tried[0] = 0
    while depth >= 0:
        if tried[depth] == (n_after[walks[depth - 1]] if depth else 2 * n):
            depth -= 1
            continue
        walk = after[walks[depth - 1], tried[depth]] if depth else tried[0]
        tried[depth] += 1
        # Each chain is met in both directions: take the one that starts with the lesser link.
        if depth == length - 1 and walk < walks[0]:
            continue
        distinct = True
        for i in range(depth - 1):
            distinct &= apart[walk >> 1, walks[i] >> 1]
        if not distinct:
            continue
        walks[depth] = walk
        rating = shortest + _harder(links, walks, depth + 1, length)
        if depth == length - 1 and 0 < finding.head[RATING] < rating:
            continue
        if depth < length - 1:
            depth += 1
            tried[depth] = 0
            continue
        begin(trial, rating, 1 << digit)
        loop = _meeting(links, walk, walks[0]) >= 0
        _remove_seen(state, layout, trial, links, digit, length, loop)
        if trial.head[N_GONE]:
            for i in range(length):
                house = links[_HOUSE, walks[i] >> 1]
                add_house(trial, house)
                add_cells(trial, layout, house, state.positions[house * layout.size + digit])
            found |= keep_better(finding, trial)
    return found


@lean_kernel
def _remove_seen(state, layout, trial, links, digit, length, loop):
    """Remove the digit from what sees both ends of the chain, or both of any joint of a loop."""
    walks = trial.lists[ITEMS]
    for joint in range(length if loop else 1):
        # The joint after the last link closes the loop, or would.
        walk = walks[length - 1 - joint]
        other = walks[(length - joint) % length]
        mine = _END_HOUSES[1 - (walk & 1)]
        theirs = _END_HOUSES[other & 1]
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
                    at = layout.house_of[cell, k]
                    seen |= at == links[theirs + k, other >> 1]
                    met |= k < kind and at == links[mine + k, walk >> 1]
                if seen and not met and not _held(layout, links, walks, length, loop, cell):
                    remove(trial, state, cell, 1 << digit)


@inlined_kernel
def _held(layout, links, walks, length, loop, cell):
    """Whether a cell lies in a house of the chain, or of a joint where it is no loop."""
    for i in range(length):
        house = links[_HOUSE, walks[i] >> 1]
        joint = -1
        if i and not loop:
            joint = _meeting(links, walks[i - 1], walks[i])
        for kind in range(3):
            at = layout.house_of[cell, kind]
            if at in (house, joint):
                return True
    return False
