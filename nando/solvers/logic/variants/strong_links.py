"""Strong links on one digit, two or three of them joined: skyscraper, kite, turbot fish and so on.

A house in which a digit has two positions, or two groups of positions, is a strong link: one end
or the other is true. Where all cells of an end of one see all cells of an end of the next, both
cannot be true; then one of the two outer ends is true, and whatever sees both goes.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.solvers.logic.variants.layout import BOX, LINE, OTHER
from nando.solvers.logic.variants.state import (
    add_cell,
    add_house,
    begin,
    remove,
    takes,
)

WORD = 62
"""Bits of a word of a set of cells."""

MOST_LINKS = 400
"""Most links of a digit that are looked at."""

SIMPLE, CROSSED, BOXED, GROUPED = range(4)
"""What the kinds of house of a chain add to the rating of two links, in tenths."""


@kernel
def find_strong_links(layout, state, finding, length, rating):
    """Find the easiest chain of 2 or 3 strong links on a digit."""
    words = layout.n_cells // WORD + 1
    ends = np.zeros((2 * MOST_LINKS, words), np.int64)
    seen = np.zeros((2 * MOST_LINKS, words), np.int64)
    links = np.zeros((MOST_LINKS, 2), np.int64)
    # For each end, how many it meets, and which.
    met = np.empty((2 * MOST_LINKS, 2 * MOST_LINKS + 1), np.int16)
    return _search(layout, state, finding, (ends, seen, links, met), length, rating)


@lean_kernel
def _search(layout, state, finding, room, length, rating):
    for harder in range(4):
        for digit in range(layout.n_digits):
            n = _list_links(layout, state, room, digit, harder)
            if n >= length and _join(
                layout, state, finding, room, digit, n, length, rating, harder
            ):
                return True
    return False


@lean_kernel
def _list_links(layout, state, room, digit, harder):
    """List the links of a digit, as far as their kinds allow."""
    n = 0
    for house in range(layout.n_houses):
        if harder < GROUPED and layout.house_kind[house] > (BOX if harder == BOXED else LINE):
            continue
        places = state.positions[house, digit]
        if n_bits(places) < 2:
            continue
        low = places & -places
        if n_bits(places) == 2:
            n = _add_link(layout, state, room, n, house, digit, low, places ^ low, 0)
        elif harder == GROUPED:
            n = _add_groups(layout, state, room, n, house, digit, places)
    return n


@lean_kernel
def _add_groups(layout, state, room, n, house, digit, places):
    """Add the ways to cut the positions of a digit in a house where another house crosses it."""
    left = places
    done = 0
    while left:
        cell = layout.houses[house, lowest_bit(left)]
        left &= left - 1
        for i in range(layout.cell_house_start[cell], layout.cell_house_start[cell + 1]):
            crossing = layout.cell_houses[i]
            if crossing == house:
                continue
            group = 0
            for k in range(layout.n_digits):
                if places >> k & 1:
                    other = layout.houses[house, k]
                    for h in range(
                        layout.cell_house_start[other], layout.cell_house_start[other + 1]
                    ):
                        if layout.cell_houses[h] == crossing:
                            group |= 1 << k
            rest = places & ~group
            # Each cut once: where the group has the first position, or is met first.
            if rest == 0 or n_bits(rest) > 3 or n_bits(group) > 3 or done == group:
                continue
            done = group
            n = _add_link(layout, state, room, n, house, digit, group, rest, 1)
    return n


@lean_kernel
def _add_link(layout, state, room, n, house, digit, first, second, grouped):
    """Add a link, with the cells of both ends and what all of them see."""
    ends, seen, links, _ = room
    if n == MOST_LINKS:
        return n
    links[n, 0] = house
    links[n, 1] = grouped
    for side in range(2):
        row = 2 * n + side
        left = second if side else first
        for k in range(ends.shape[1]):
            ends[row, k] = 0
            seen[row, k] = -1
        while left:
            cell = layout.houses[house, lowest_bit(left)]
            left &= left - 1
            ends[row, cell // WORD] |= 1 << cell % WORD
        for k in range(ends.shape[1]):
            seen[row, k] = 0
        _see(layout, state, house, digit, second if side else first, seen, row)
        some = 0
        for k in range(ends.shape[1]):
            some |= seen[row, k]
        if some == 0:
            return n
    return n + 1


@lean_kernel
def _see(layout, state, house, digit, places, seen, row):
    """Write the cells with the digit that all cells of an end see."""
    first = layout.houses[house, lowest_bit(places)]
    for i in range(layout.peer_start[first], layout.peer_start[first + 1]):
        cell = layout.peers[i]
        if state.filled[cell] or state.mask[cell] >> digit & 1 == 0:
            continue
        left = places & (places - 1)
        sees = True
        while left and sees:
            sees = layout.sees[cell, layout.houses[house, lowest_bit(left)]]
            left &= left - 1
        if sees:
            seen[row, cell // WORD] |= 1 << cell % WORD


@inlined_kernel
def _meets(room, row, other):
    """Return True if all cells of an end see all cells of another."""
    ends, seen, _, _ = room
    outside = 0
    for k in range(ends.shape[1]):
        outside |= ends[other, k] & ~seen[row, k]
    return outside == 0


@inlined_kernel
def _common(room, row, other):
    """Return True if a cell sees two ends."""
    _, seen, _, _ = room
    both = 0
    for k in range(seen.shape[1]):
        both |= seen[row, k] & seen[other, k]
    return both != 0


@lean_kernel
def _join(layout, state, finding, room, digit, n, length, rating, harder):
    """Try the chains of the links of a digit."""
    met = room[3]
    for row in range(2 * n):
        met[row, 0] = 0
        for other in range(2 * n):
            if other // 2 != row // 2 and _meets(room, row, other):
                met[row, 0] += 1
                met[row, met[row, 0]] = other
    for first in range(2 * n):
        for i in range(1, met[first, 0] + 1):
            start = np.int64(met[first, i])
            if length == 2:
                # Each chain is met from both sides.
                if first < start and _writes(
                    layout, state, finding, room, digit, (first, start, start), rating, harder
                ):
                    return True
                continue
            for j in range(1, met[start ^ 1, 0] + 1):
                last = np.int64(met[start ^ 1, j])
                if first < last and last // 2 != first // 2:
                    chain = (first, start, last)
                    if _writes(layout, state, finding, room, digit, chain, rating, harder):
                        return True
    return False


@lean_kernel
def _writes(layout, state, finding, room, digit, chain, rating, harder):
    """Write the chain that removes something, if it is as hard as it should be."""
    ends, seen, links, _ = room
    first, start, last = chain
    if not _common(room, first ^ 1, last ^ 1):
        return False
    more = _harder(layout, links, chain)
    if more != harder:
        return False
    # Of three links, a box is easier than rows with columns.
    three = last != start
    add = 3 - more if three and more in (CROSSED, BOXED) else more
    begin(finding, rating + add, 1 << digit)
    for k in range(seen.shape[1]):
        victims = seen[first ^ 1, k] & seen[last ^ 1, k]
        while victims:
            remove(state, finding, k * WORD + lowest_bit(victims), 1 << digit)
            victims &= victims - 1
    _write_end(finding, ends, first ^ 1)
    _write_end(finding, ends, first)
    _write_end(finding, ends, start)
    _write_end(finding, ends, start ^ 1)
    if three:
        _write_end(finding, ends, last)
        _write_end(finding, ends, last ^ 1)
    add_house(finding, links[first // 2, 0])
    add_house(finding, links[start // 2, 0])
    if three:
        add_house(finding, links[last // 2, 0])
    return takes(finding)


@inlined_kernel
def _write_end(finding, ends, row):
    """Add the cells of an end."""
    for k in range(ends.shape[1]):
        cells = ends[row, k]
        while cells:
            add_cell(finding, k * WORD + lowest_bit(cells))
            cells &= cells - 1


@inlined_kernel
def _harder(layout, links, chain):
    """Return what the kinds of house of a chain add; a further house counts as a group."""
    first, start, last = chain
    grouped = links[first // 2, 1] | links[start // 2, 1] | links[last // 2, 1]
    if grouped:
        return GROUPED
    a, b, c = links[first // 2, 0], links[start // 2, 0], links[last // 2, 0]
    kinds = layout.house_kind
    if OTHER in (kinds[a], kinds[b], kinds[c]):
        return GROUPED
    if kinds[a] != LINE or kinds[b] != LINE or kinds[c] != LINE:
        return BOXED
    crossed = layout.house_across[a] != layout.house_across[b]
    crossed |= layout.house_across[b] != layout.house_across[c]
    return CROSSED if crossed else SIMPLE
