"""Naked and hidden subsets, n cells of a house that share n digits, and fish."""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.finding import (
    CHOSEN,
    ITEMS,
    MASKS,
    add_cells,
    add_house,
    begin,
    ends_search,
    place_at,
    remove_in_house,
)


@inlined_kernel
def next_subset(masks, n, degree, width, chosen):
    """Advance `chosen` to the next `degree` of `n` masks whose union has `width` bits.

    Start with ``chosen[0] = -1``. Return False when there is none left. Naked subsets (masks of
    candidates), hidden subsets (of positions), fish (of lines) and almost locked sets (`width` one
    more than `degree`) use this search.
    """
    level = degree - 1 if chosen[0] >= 0 else 0
    while level >= 0:
        chosen[level] += 1
        if chosen[level] > n - degree + level:
            level -= 1
            continue
        union = 0
        for i in range(level + 1):
            union |= masks[chosen[i]]
        if n_bits(union) > width:
            continue
        if level < degree - 1:
            chosen[level + 1] = chosen[level]
            level += 1
        elif n_bits(union) == width:
            return True
    return False


@inlined_kernel
def chosen_sets(finding, degree):
    """Return the union of the chosen masks, and the set of the chosen items."""
    union = 0
    items = 0
    for i in range(degree):
        index = finding.lists[CHOSEN, i]
        union |= finding.lists[MASKS, index]
        items |= 1 << finding.lists[ITEMS, index]
    return union, items


@inlined_kernel
def digits_in_few_positions(state, grid, finding, house, degree):
    """List the digits with 2 to `degree` positions in a house as items; return their number."""
    n = 0
    size = grid.size
    for digit in range(size):
        mask = state.positions[house * size + digit]
        if mask & (mask - 1) and n_bits(mask) <= degree:
            finding.lists[MASKS, n] = mask
            finding.lists[ITEMS, n] = digit
            n += 1
    return n


@inlined_kernel
def cells_of_few_candidates(state, grid, finding, house, degree):
    """List the cells of a house with 2 to `degree` candidates; return their number.

    The items are their positions in the house.
    """
    n = 0
    empties = state.empties[house]
    while empties:
        position = lowest_bit(empties)
        empties &= empties - 1
        mask = state.candidates[grid.houses[house, position]]
        if mask & (mask - 1) and n_bits(mask) <= degree:
            finding.lists[MASKS, n] = mask
            finding.lists[ITEMS, n] = position
            n += 1
    return n


@lean_kernel
def find_naked_subset(state, grid, finding, degree, rating):
    """Find `degree` cells of a house with `degree` candidates between them."""
    size = grid.size
    masks = finding.lists[MASKS]
    chosen = finding.lists[CHOSEN]
    for house in grid.in_order:
        # The blanks that a larger subset leaves are a hidden subset, which is found sooner.
        if n_bits(state.empties[house]) < 2 * degree:
            continue
        n = cells_of_few_candidates(state, grid, finding, house, degree)
        if n < degree:
            continue
        chosen[0] = -1
        while next_subset(masks, n, degree, degree, chosen):
            digits, cells = chosen_sets(finding, degree)
            others = 0
            for digit in range(size):
                if digits >> digit & 1:
                    others |= state.positions[house * size + digit]
            others &= ~cells
            if others:
                begin(finding, rating, digits)
                add_house(finding, house)
                add_cells(finding, grid, house, cells)
                remove_in_house(finding, state, grid, house, others, digits)
                if ends_search(finding):
                    return True
    return False


@lean_kernel
def find_hidden_subset(state, grid, finding, degree, direct, rating):
    """Find `degree` digits of a house with `degree` positions between them.

    If `direct`, they must leave another digit one position; otherwise other digits are removed from
    their positions.
    """
    size = grid.size
    masks = finding.lists[MASKS]
    chosen = finding.lists[CHOSEN]
    # On a Sudoku, the blanks that a larger subset leaves are a naked subset, found sooner.
    most = degree if direct or not grid.plain else 2 * degree
    for house in grid.in_order:
        if n_bits(state.empties[house]) <= most:
            continue
        n = digits_in_few_positions(state, grid, finding, house, degree)
        if n < degree:
            continue
        chosen[0] = -1
        while next_subset(masks, n, degree, degree, chosen):
            cells, digits = chosen_sets(finding, degree)
            if not direct:
                _begin_hidden(finding, grid, rating, house, digits, cells)
                remove_in_house(finding, state, grid, house, cells, ~digits)
                if finding.head[0]["n_gone"] and ends_search(finding):
                    return True
                continue
            for digit in range(size):
                positions = state.positions[house * size + digit]
                left = positions & ~cells
                if left == 0 or left & (left - 1) or left == positions:
                    continue
                _begin_hidden(finding, grid, rating, house, digits, cells)
                place_at(finding, grid.houses[house, lowest_bit(left)], digit)
                if ends_search(finding):
                    return True
    return False


@inlined_kernel
def _begin_hidden(finding, grid, rating, house, digits, cells):
    """Begin the step of digits that need the same number of cells of a house."""
    begin(finding, rating, digits)
    add_house(finding, house)
    add_cells(finding, grid, house, cells)


# Fish (X-wing, swordfish, jellyfish): n parallel lines with a digit on only n crossing lines


@lean_kernel
def find_fish(state, grid, finding, degree, rating):
    """Find a digit that has the same `degree` positions on `degree` parallel lines.

    The digit is removed from the rest of the crossing lines. Cells are listed by line of the base,
    or by line of the cover on a variant.
    """
    size = grid.size
    masks = finding.lists[MASKS]
    items = finding.lists[ITEMS]
    chosen = finding.lists[CHOSEN]
    for band in range(grid.bands.shape[0]):
        base = grid.bands[band]
        cover = grid.bands[band ^ 1]
        for digit in range(size):
            n = 0
            n_open = 0
            for line in range(size):
                mask = state.positions[base[line] * size + digit]
                n_open += mask != 0
                if mask & (mask - 1) and n_bits(mask) <= degree:
                    masks[n] = mask
                    items[n] = line
                    n += 1
            # On a Sudoku, the lines that a larger fish leaves are a fish, too, and found sooner.
            if n < degree or (grid.plain and n_open < 2 * degree):
                continue
            chosen[0] = -1
            while next_subset(masks, n, degree, degree, chosen):
                crossings, lines = chosen_sets(finding, degree)
                begin(finding, rating, 1 << digit)
                left = crossings
                while left:
                    house = cover[lowest_bit(left)]
                    left &= left - 1
                    others = state.positions[house * size + digit] & ~lines
                    remove_in_house(finding, state, grid, house, others, 1 << digit)
                if finding.head[0]["n_gone"]:
                    _add_lines(finding, state, grid, digit, base, lines, crossings)
                    _add_lines(finding, state, grid, digit, cover, crossings, lines)
                    if ends_search(finding):
                        return True
    return False


@inlined_kernel
def _add_lines(finding, state, grid, digit, band, lines, crossings):
    """Add lines of a band to the pattern, and their cells if cells are listed by these lines."""
    size = grid.size
    is_base = finding.head[0]["n_houses"] == 0
    while lines:
        house = band[lowest_bit(lines)]
        lines &= lines - 1
        add_house(finding, house)
        if is_base == grid.plain:
            positions = state.positions[house * size + digit]
            add_cells(finding, grid, house, positions & crossings)
