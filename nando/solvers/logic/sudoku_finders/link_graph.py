"""The strong links of a digit, and which of them may follow each other in a chain.

A walk is a link with a direction. Its number is twice that of the link if it starts at the near
end, plus 1 if it starts at the far end. The ends of links are numbered by the walks that start
there. The words of sets of walks have an even number of bits, so that both walks of a link are in
one word.
"""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.state import BOX, COLUMN, ROW

WALKS = 62
"""Bits of a word of a set of walks."""

_NEAR_ENDS = (1 << WALKS) // 3
"""Every second bit, from the first."""

HOUSE, CLASS, _NEAR, _FAR = 0, 1, 2, 3
"""Rows of ``links``: house, class (bit of its kind of house, or GROUPED), positions of the near and
the far end."""

END_HOUSES = (4, 7)
"""First of the three rows of ``links`` with the row, column and box that hold the near, or the far,
end. A unique negative number stands for a house that does not hold the whole end."""

GROUPED = 8


@lean_kernel
def list_links(state, layout, links, digit, listing):
    """List the strong links of a digit; return their number.

    Three or more positions in the crossing of a box and a line form links only if all steps are
    listed: the digit is locked there, which removes as much.
    """
    size = layout.size
    order = layout.order
    run = (1 << order) - 1
    n = 0
    for house in range(3 * size):
        mask = state.positions[house * size + digit]
        if mask == 0:
            continue
        near = mask & -mask
        if listing and n_bits(mask) > 2 and _is_locked(layout, house, mask):
            left = mask
            while left:
                n = _add_link(layout, links, n, house, left & -left, mask & ~(left & -left))
                left &= left - 1
        elif n_bits(mask) == 2:
            # Two positions on one line of a box are a link of that line.
            if house < 2 * size or not _on_a_line(layout, mask):
                n = _add_link(layout, links, n, house, near, mask ^ near)
        elif house < 2 * size:
            # The positions may lie in two of the segments that boxes cut out of the line.
            near = mask & run << lowest_bit(mask) // order * order
            far = mask ^ near
            if far and far & ~(run << lowest_bit(far) // order * order) == 0:
                if listing and far & (far - 1) == 0:
                    near, far = (
                        far,
                        near,
                    )  # of two equal directions, the one from a single cell is listed
                n = _add_link(layout, links, n, house, near, far)
        else:
            n = _add_box_links(layout, links, n, house, mask)
    return n


@inlined_kernel
def _is_locked(layout, house, mask):
    """Return True if these positions of a house lie in the crossing of a box and a line."""
    if house >= 2 * layout.size:
        return _on_a_line(layout, mask)
    return mask & ~((1 << layout.order) - 1 << lowest_bit(mask) // layout.order * layout.order) == 0


@inlined_kernel
def _on_a_line(layout, mask):
    """Return True if these positions of a box lie on one row or column of it."""
    for i in range(layout.order):
        if mask & ~layout.box_lines[0, i] == 0 or mask & ~layout.box_lines[1, i] == 0:
            return True
    return False


@lean_kernel
def _add_box_links(layout, links, n, house, mask):
    """Add the links of three or more positions of a box, on a row and a column or on two lines.

    Return the number of links.
    """
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
    """Add a link between two groups of positions of a house; return the number of links."""
    links[HOUSE, n] = house
    links[CLASS, n] = GROUPED if n_bits(near | far) > 2 else 1 << house // layout.size
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
            links[END_HOUSES[end] + kind, n] = -1 - 2 * n - end if shared == house else shared
    return n + 1


@lean_kernel
def connect(state, layout, links, n, digit, sets):
    """Find, for each walk, those that may follow it, be in its chain, and end a chain it begins.

    A walk may end a chain if it closes a loop, or if a position outside both links sees the outer
    ends. `common` receives, for each end, the other ends that some position outside their links
    sees together with it. Return False if there are none: then no chain removes anything.
    """
    follows, apart, ending, common, in_house, of_house, seen = sets
    size = layout.size
    words = (2 * n - 1) // WALKS + 1
    for house in range(3 * size):
        for k in range(words):
            in_house[house, k] = 0
            of_house[house, k] = 0
    for end in range(2 * n):
        word = end // WALKS
        bit = 1 << end % WALKS
        of_house[links[HOUSE, end >> 1], word] |= bit
        for kind in range(3):
            house = links[END_HOUSES[end & 1] + kind, end >> 1]
            if house >= 0:
                in_house[house, word] |= bit
        for k in range(words):
            common[end, k] = 0
    some = False
    for row in range(size):
        left = state.positions[row * size + digit]
        while left:
            cell = layout.houses[row, lowest_bit(left)]
            left &= left - 1
            some |= _add_seen(layout, cell, words, common, in_house, of_house, seen)
    if not some:
        return False
    for link in range(n):
        for k in range(words):
            seen[k] = 0
        left = links[_NEAR, link] | links[_FAR, link]
        while left:
            cell = layout.houses[links[HOUSE, link], lowest_bit(left)]
            left &= left - 1
            for kind in range(3):
                for k in range(words):
                    seen[k] |= of_house[layout.house_of[cell, kind], k]
        for end in range(2 * link, 2 * link + 2):
            for k in range(words):
                meets = 0
                for kind in range(3):
                    house = links[END_HOUSES[end & 1] + kind, link]
                    if house >= 0:
                        meets |= in_house[house, k]
                follows[end ^ 1, k] = meets & ~seen[k]
                apart[end, k] = ~seen[k]
                # The last walk of a chain arrives at the end at which the opposite walk starts.
                ends = common[end, k] | meets
                ending[end, k] = (ends & _NEAR_ENDS) << 1 | ends >> 1 & _NEAR_ENDS
    return True


@inlined_kernel
def _add_seen(layout, cell, words, common, in_house, of_house, seen):
    """Record the ends that a cell outside their links sees together; return True if it sees two."""
    row = layout.house_of[cell, ROW]
    column = layout.house_of[cell, COLUMN]
    box = layout.house_of[cell, BOX]
    n_seen = 0
    for k in range(words):
        ends = in_house[row, k] | in_house[column, k] | in_house[box, k]
        seen[k] = ends & ~(of_house[row, k] | of_house[column, k] | of_house[box, k])
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
