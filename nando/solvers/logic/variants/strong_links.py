"""Strong links on one digit, two or three of them joined: skyscraper, kite, turbot fish and so on.

A house in which a digit has two positions, or two groups of positions, is a strong link: one end
or the other is true. If an end of one link and an end of the next lie in one house, both cannot be
true. Then one of the two outer ends is true, and a candidate that sees both is removed. If the
outer ends share a house, too, the chain is a loop, and every joint removes the digit.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, separate
from nando.solvers.logic.sudoku_finders.finding import add_cell, add_house, begin, keep_better
from nando.solvers.logic.variants.layout import BOX, LINE, OTHER
from nando.solvers.logic.variants.state import remove

WORD = 62
"""Bits of a word of a set of cells."""

MOST_LINKS = 400
"""Most links of a digit that are used."""

SIMPLE, CROSSED, BOXED, GROUPED = range(4)
"""Tenths that the kinds of house of a chain add to the rating of two links."""


@separate
@kernel
def find_strong_links(layout, state, finding, trial, length, rating):
    """Find the easiest chain of 2 or 3 strong links on a digit."""
    words = layout.n_cells // WORD + 1
    ends = np.zeros((2 * MOST_LINKS, words), np.int64)
    seen = np.zeros((2 * MOST_LINKS, words), np.int64)
    links = np.zeros((MOST_LINKS, 2), np.int64)
    # For each end, the houses other than its link's that hold all of its cells.
    inside = np.zeros((2 * MOST_LINKS, layout.n_houses // WORD + 1), np.int64)
    # For each end, the number of ends that it meets, and these.
    met = np.empty((2 * MOST_LINKS, 2 * MOST_LINKS + 1), np.int16)
    workspace = (ends, seen, links, met, inside, np.zeros(words, np.int64))
    return _search(layout, state, finding, trial, workspace, length, rating)


@lean_kernel
def _search(layout, state, finding, trial, workspace, length, rating):
    finding.head[0]["rating"] = 0
    for harder in range(4):
        improved = False
        for digit in range(layout.n_digits):
            n = _list_links(layout, state, workspace, digit, harder)
            if n >= length:
                sizes = (n, length, rating, harder)
                improved |= _join(layout, state, finding, trial, workspace, digit, sizes)
        if improved:
            return True
    return False


@lean_kernel
def _list_links(layout, state, workspace, digit, harder):
    """List the links of a digit whose kinds of house are no harder than `harder`."""
    n = 0
    for house in range(layout.n_houses):
        if harder < GROUPED and layout.house_kind[house] > (BOX if harder == BOXED else LINE):
            continue
        places = state.positions[house, digit]
        if n_bits(places) < 2:
            continue
        low = places & -places
        if n_bits(places) == 2:
            n = _add_link(layout, state, workspace, n, house, digit, low, places ^ low, 0)
        elif harder == GROUPED:
            n = _add_groups(layout, state, workspace, n, house, digit, places)
    return n


@lean_kernel
def _add_groups(layout, state, workspace, n, house, digit, places):
    """Add the links between two groups into which houses divide the positions in a house.

    Lines divide boxes. Boxes divide lines, and diagonals, which cross lines in single cells. The
    cells in which a line crosses other houses lie apart and form no group.
    """
    cut = LINE if layout.house_kind[house] == BOX else BOX
    if cut == BOX and not _is_thin(layout, house):
        return n
    left = places
    done = 0
    while left:
        cell = layout.houses[house, lowest_bit(left)]
        left &= left - 1
        for i in range(layout.cell_house_start[cell], layout.cell_house_start[cell + 1]):
            crossing = layout.cell_houses[i]
            if crossing == house or layout.house_kind[crossing] != cut:
                continue
            group = places & layout.shared[house, crossing]
            rest = places & ~group
            # Add each division once, when its group is met first.
            if rest == 0 or done == group or not _in_one(layout, house, rest, cut):
                continue
            done = group
            n = _add_link(layout, state, workspace, n, house, digit, group, rest, 1)
    return n


@lean_kernel
def _is_thin(layout, house):
    """Return True for a line, and for a further house that shares at most one cell with a line."""
    if layout.house_kind[house] != OTHER:
        return layout.house_kind[house] == LINE
    for line in range(layout.n_houses):
        if layout.house_kind[line] == LINE and n_bits(layout.shared[house, line]) > 1:
            return False
    return True


@lean_kernel
def _in_one(layout, house, places, kind):
    """Return True if another house of a kind holds these positions of a house."""
    cell = layout.houses[house, lowest_bit(places)]
    for i in range(layout.cell_house_start[cell], layout.cell_house_start[cell + 1]):
        crossing = layout.cell_houses[i]
        if crossing == house or layout.house_kind[crossing] != kind:
            continue
        if places & ~layout.shared[house, crossing] == 0:
            return True
    return False


@lean_kernel
def _add_link(layout, state, workspace, n, house, digit, first, second, grouped):
    """Add a link, with the cells of both ends and the cells that see them; return the number."""
    ends, seen, links, _, inside, _ = workspace
    if n == MOST_LINKS:
        return n
    links[n, 0] = house
    links[n, 1] = grouped
    for side in range(2):
        row = 2 * n + side
        places = second if side else first
        ends[row, :] = 0
        seen[row, :] = 0
        some = _see(layout, state, house, digit, places, seen, row)
        _list_houses(layout, house, places, inside, row)
        while places:
            cell = layout.houses[house, lowest_bit(places)]
            places &= places - 1
            ends[row, cell // WORD] |= 1 << cell % WORD
        if not some:
            return n
    return n + 1


@lean_kernel
def _see(layout, state, house, digit, places, seen, row):
    """Write the cells with the digit that see all cells of an end; return True if any."""
    some = False
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
            some = True
    return some


@lean_kernel
def _list_houses(layout, house, places, inside, row):
    """Write the houses other than this one that hold all cells of an end."""
    inside[row, :] = 0
    first = layout.houses[house, lowest_bit(places)]
    for i in range(layout.cell_house_start[first], layout.cell_house_start[first + 1]):
        other = layout.cell_houses[i]
        if other != house and places & ~layout.shared[house, other] == 0:
            inside[row, other // WORD] |= 1 << other % WORD


@inlined_kernel
def _meeting(workspace, row, other):
    """Return the first house that holds two ends, or -1."""
    inside = workspace[4]
    for k in range(inside.shape[1]):
        both = inside[row, k] & inside[other, k]
        if both:
            return k * WORD + lowest_bit(both)
    return -1


@inlined_kernel
def _apart(workspace, row, other):
    """Return True if the links of two ends share no cell."""
    ends = workspace[0]
    shared = 0
    for k in range(ends.shape[1]):
        shared |= (ends[row, k] | ends[row ^ 1, k]) & (ends[other, k] | ends[other ^ 1, k])
    return shared == 0


@inlined_kernel
def _common(workspace, row, other):
    """Return True if a cell sees two ends."""
    seen = workspace[1]
    both = 0
    for k in range(seen.shape[1]):
        both |= seen[row, k] & seen[other, k]
    return both != 0


@lean_kernel
def _join(layout, state, finding, trial, workspace, digit, sizes):
    """Try the chains of the links of a digit; return True if one is better than those before."""
    met = workspace[3]
    n, length, rating, harder = sizes
    improved = False
    for row in range(2 * n):
        met[row, 0] = 0
        for other in range(2 * n):
            if _apart(workspace, row, other) and _meeting(workspace, row, other) >= 0:
                met[row, 0] += 1
                met[row, met[row, 0]] = other
    for first in range(2 * n):
        for i in range(1, met[first, 0] + 1):
            start = np.int64(met[first, i])
            if length == 2:
                # Each chain is found in both directions.
                if first < start:
                    chain = (first, start, start)
                    if _writes(layout, state, trial, workspace, digit, chain, rating, harder):
                        improved |= keep_better(finding, trial)
                continue
            for j in range(1, met[start ^ 1, 0] + 1):
                last = np.int64(met[start ^ 1, j])
                if first < last and _apart(workspace, first, last):
                    chain = (first, start, last)
                    if _writes(layout, state, trial, workspace, digit, chain, rating, harder):
                        improved |= keep_better(finding, trial)
    return improved


@lean_kernel
def _writes(layout, state, finding, workspace, digit, chain, rating, harder):
    """Write a chain if its kinds of house are those of `harder`; return True if so."""
    ends, _, links, _, _, _ = workspace
    first, start, last = chain
    rows = (first ^ 1, first, start, start ^ 1, last, last ^ 1)
    n = 4 if last == start else 6
    loop = _meeting(workspace, first ^ 1, last ^ 1) >= 0
    if not loop and not _common(workspace, first ^ 1, last ^ 1):
        return False
    more = _harder(layout, links, chain)
    if more != harder:
        return False
    # For three links, a box is easier than rows with columns.
    add = 3 - more if n == 6 and more in (CROSSED, BOXED) else more
    begin(finding, rating + add, 1 << digit)
    workspace[5][:] = 0
    for i in range(n):
        house = links[rows[i] // 2, 0]
        _write_end(finding, ends, rows[i])
        if i % 2 == 0:
            add_house(finding, house)
        elif not loop and i < n - 1:
            house = _meeting(workspace, rows[i], rows[i + 1])
        _hold(layout, workspace, house)
    _remove_seen(state, finding, workspace, digit, first ^ 1, last ^ 1)
    if loop:
        for i in range(1, n - 1, 2):
            _remove_seen(state, finding, workspace, digit, rows[i], rows[i + 1])
    return True


@inlined_kernel
def _hold(layout, workspace, house):
    """Mark the cells of a house of the chain, or of one of its joints, as held."""
    held = workspace[5]
    for k in range(layout.n_digits):
        cell = layout.houses[house, k]
        held[cell // WORD] |= 1 << cell % WORD


@lean_kernel
def _remove_seen(state, finding, workspace, digit, row, other):
    """Remove the digit from the cells that see two ends, except for those that are held."""
    seen, held = workspace[1], workspace[5]
    for k in range(held.size):
        victims = seen[row, k] & seen[other, k] & ~held[k]
        while victims:
            remove(state, finding, k * WORD + lowest_bit(victims), 1 << digit)
            victims &= victims - 1


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
    """Return the tenths for the kinds of house of a chain; a further house counts as a group."""
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
