"""The strong links of a digit, and which of them may follow each other in a chain.

A walk is a link with a direction. Its number is twice that of the link if it starts at the near
end, plus 1 if it starts at the far end. The ends of links are numbered by the walks that start
there. The words of sets of walks have an even number of bits, so that both walks of a link are in
one word.
"""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, n_bits
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
