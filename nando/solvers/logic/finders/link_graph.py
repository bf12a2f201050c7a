"""Chains of strong links on one digit: skyscraper, kite, turbot fish, empty rectangle and longer.

A house in which a digit has two positions, or two groups of positions, is a strong link: one end
or the other is true. Links are joined where an end of one and an end of the next share a house,
so that both cannot be true. Then one of the two outer ends is true, and a candidate that sees both
is removed. If the outer ends share a house, too, the chain is a loop, and every joint removes the
digit.

First come the links of a digit, and which of them may follow each other. A walk is a link with a
direction. Its number is twice that of the link if it starts at the near end, plus 1 if it starts at
the far end. The ends of links are numbered by the walks that start there. The words of sets of
walks have an even number of bits, so that both walks of a link are in one word.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.finding import (
    ITEMS,
    add_cells,
    add_house,
    begin,
    keep_better,
    remove,
)
from nando.solvers.logic.finders.grid import BOX, COLUMN, OTHER, ROW, WORD

WALKS = 62
"""Bits of a word of a set of walks."""

_NEAR_ENDS = (1 << WALKS) // 3
"""Every second bit, from the first."""

HOUSE, CLASS, _NEAR, _FAR, _END_HOUSES = range(5)
"""Rows of ``links``: house, class (bit of its kind of house, or GROUPED), positions of the near and
the far end; then, for each end, the houses of each column of `Grid.house_of` that hold it. A unique
negative number stands for none, or for a house that does not hold the whole end."""

GROUPED = 1 << OTHER


@inlined_kernel
def end_house(links, grid, end, column):
    """Return the house of a column that holds an end, or a unique negative number."""
    return links[_END_HOUSES + (end & 1) * grid.house_of.shape[1] + column, end >> 1]


@lean_kernel
def list_links(state, grid, links, digit, listing):
    """List the strong links of a digit; return their number.

    Three or more positions in the crossing of a box and a line form links only if all steps are
    listed: the digit is locked there, which removes as much.
    """
    n = 0
    for house in range(len(grid.houses)):
        mask = state.positions[house * grid.size + digit]
        if mask & (mask - 1) == 0:
            continue
        kind = grid.house_kind[house]
        if n_bits(mask) == 2:
            # Two positions on one line of a box are a link of that line.
            if kind != BOX or not _is_on_a_line(grid, house, mask):
                near = mask & -mask
                n = _add_link(grid, links, n, house, near, mask ^ near)
            continue
        # Boxes cut lines into segments, and diagonals, which cross lines in single cells.
        first = mask & _crossing(grid, house, mask, BOX) if kind != BOX else 0
        if first == mask or (kind == BOX and _is_on_a_line(grid, house, mask)):
            left = mask if listing else 0
            while left:
                n = _add_link(grid, links, n, house, left & -left, mask & ~(left & -left))
                left &= left - 1
        elif kind == BOX:
            n = _add_box_links(grid, links, n, house, mask)
        elif _is_division(grid, house, first, mask ^ first, BOX) and (
            kind != OTHER or _is_thin(grid, house)
        ):
            near, far = first, mask ^ first
            if listing and far & (far - 1) == 0:
                # Of two equal directions, the one from a single cell is listed.
                near, far = far, near
            n = _add_link(grid, links, n, house, near, far)
    return n


@inlined_kernel
def _crossing(grid, house, mask, column):
    """Return the positions of a house in the house of a column that holds the first of `mask`."""
    other = grid.house_of[grid.houses[house, lowest_bit(mask)], column]
    return grid.shared[house, other] if other >= 0 else 0


@inlined_kernel
def _is_on_a_line(grid, house, mask):
    """Return True if these positions of a box lie in one row or column."""
    row = _crossing(grid, house, mask, ROW)
    return mask & ~row == 0 or mask & ~_crossing(grid, house, mask, COLUMN) == 0


@inlined_kernel
def _is_division(grid, house, near, far, column):
    """Return True if the positions in `far` lie in one house of a column, and `near` are some."""
    return near != 0 and far & ~_crossing(grid, house, far, column) == 0


@lean_kernel
def _is_thin(grid, house):
    """Return True for a further house that shares at most one cell with any line."""
    thin = True
    for line in range(len(grid.houses)):
        thin &= grid.house_kind[line] >= BOX or n_bits(grid.shared[house, line]) < 2
    return thin


@lean_kernel
def _add_box_links(grid, links, n, house, mask):
    """Add the links of three or more positions of a box, on a row and a column or on two lines.

    The positions do not lie on one line. Return the number of links.
    """
    left = mask
    while left:
        row = mask & _crossing(grid, house, left, ROW)
        left &= left - 1
        column = mask & _crossing(grid, house, mask ^ row, COLUMN)
        if mask & ~(row | column):
            continue
        # At most one row and column hold all positions, and none of the two holds all.
        near = row & ~column
        far = column & ~row
        # The crossing position may belong to either end, and to both: a further house may hold all
        # of an end but this position.
        if near & (near - 1) and far & (far - 1):
            return _add_link(grid, links, n, house, row, column)
        if near & (near - 1) == 0:
            n = _add_link(grid, links, n, house, near, column)
        if far & (far - 1) == 0:
            n = _add_link(grid, links, n, house, far, row)
        return n
    for kind in (ROW, COLUMN):
        near = mask & _crossing(grid, house, mask, kind)
        far = mask ^ near
        if not _is_division(grid, house, near, far, kind):
            continue
        # The near end is that on the first line.
        if _line(grid, house, near, kind) > _line(grid, house, far, kind):
            near, far = far, near
        n = _add_link(grid, links, n, house, near, far)
    return n


@inlined_kernel
def _line(grid, house, mask, kind):
    """Return the line of a kind that holds the first of these positions of a house."""
    return grid.house_of[grid.houses[house, lowest_bit(mask)], kind]


@inlined_kernel
def _add_link(grid, links, n, house, near, far):
    """Add a link between two groups of positions of a house; return the number of links."""
    columns = grid.house_of.shape[1]
    links[HOUSE, n] = house
    links[CLASS, n] = GROUPED if n_bits(near | far) > 2 else 1 << grid.house_kind[house]
    links[_NEAR, n] = near
    links[_FAR, n] = far
    for end in range(2):
        positions = far if end else near
        for column in range(columns):
            other = grid.house_of[grid.houses[house, lowest_bit(positions)], column]
            if other == house:
                other = -1
            elif other >= 0 and positions & (positions - 1):
                other = other if positions & ~grid.shared[house, other] == 0 else -1
            row = _END_HOUSES + end * columns + column
            links[row, n] = other if other >= 0 else -1 - 2 * n - end
    return n + 1


@inlined_kernel
def connect(grid, links, n, having, sets):
    """Find, for each walk, those that may follow it, be in its chain, and end a chain it begins.

    A walk may end a chain if it closes a loop, or if a cell outside both links sees the outer
    ends. `common` receives, for each end, the other ends that some cell, of those with the digit
    in `having`, sees together with it. Return False if there are none: then no chain removes
    anything.
    """
    follows, apart, ending, common, in_house, of_house, near = sets
    words = (2 * n - 1) // WALKS + 1
    columns = grid.house_of.shape[1]
    for house in range(len(grid.houses)):
        for k in range(words):
            in_house[house, k] = 0
            of_house[house, k] = 0
    for end in range(2 * n):
        word = end // WALKS
        bit = 1 << end % WALKS
        of_house[links[HOUSE, end >> 1], word] |= bit
        for column in range(columns):
            house = end_house(links, grid, end, column)
            if house >= 0:
                in_house[house, word] |= bit
        for k in range(words):
            common[end, k] = 0
    some = False
    for word in range(having.size):
        cells = having[word]
        while cells:
            cell = word * WORD + lowest_bit(cells)
            cells &= cells - 1
            some |= _add_seen(grid, links, n, cell, (common, in_house, of_house, near))
    if not some:
        return False
    for link in range(n):
        for k in range(words):
            near[k] = 0
        left = links[_NEAR, link] | links[_FAR, link]
        while left:
            cell = grid.houses[links[HOUSE, link], lowest_bit(left)]
            left &= left - 1
            for column in range(columns):
                house = grid.house_of[cell, column]
                for k in range(words if house >= 0 else 0):
                    near[k] |= of_house[house, k]
        for end in range(2 * link, 2 * link + 2):
            for k in range(words):
                meets = 0
                for column in range(columns):
                    house = end_house(links, grid, end, column)
                    if house >= 0:
                        meets |= in_house[house, k]
                follows[end ^ 1, k] = meets & ~near[k]
                apart[end, k] = ~near[k]
                # The last walk of a chain arrives at the end at which the opposite walk starts.
                ends = common[end, k] | meets
                ending[end, k] = (ends & _NEAR_ENDS) << 1 | ends >> 1 & _NEAR_ENDS
    return True


@inlined_kernel
def _add_seen(grid, links, n, cell, sets):
    """Record the ends that a cell outside their links sees together; return True if it sees two."""
    common, in_house, of_house, seen = sets
    words = (2 * n - 1) // WALKS + 1
    n_seen = 0
    for k in range(words):
        ends = 0
        own = 0
        for column in range(grid.house_of.shape[1]):
            house = grid.house_of[cell, column]
            if house >= 0:
                ends |= in_house[house, k]
                own |= of_house[house, k]
        # The cells of a Sudoku see an end through a house that holds it.
        if not grid.plain:
            for end in range(k * WALKS, min(2 * n, (k + 1) * WALKS)):
                ends |= _sees_end(grid, links, end, cell) << end % WALKS
        seen[k] = ends & ~own
        n_seen += n_bits(seen[k])
    if n_seen < 2:
        return False
    for k in range(words):
        left = seen[k]
        while left:
            end = k * WALKS + lowest_bit(left)
            left &= left - 1
            for m in range(words):
                common[end, m] |= seen[m]
    return True


@inlined_kernel
def _sees_end(grid, links, end, cell):
    """Return 1 if a cell sees all cells of an end, else 0."""
    left = links[_FAR if end & 1 else _NEAR, end >> 1]
    sees = 1
    while left:
        sees &= grid.sees[cell, grid.houses[links[HOUSE, end >> 1], lowest_bit(left)]]
        left &= left - 1
    return sees


@inlined_kernel
def seeing(grid, links, end, cells, word):
    """Return those of the cells, a word of a set, that see all of an end."""
    left = links[_FAR if end & 1 else _NEAR, end >> 1]
    while left:
        cells &= grid.seen_from[grid.houses[links[HOUSE, end >> 1], lowest_bit(left)], word]
        left &= left - 1
    return cells


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
