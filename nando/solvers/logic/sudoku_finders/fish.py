"""Fish (X-wing, swordfish, jellyfish): n parallel lines with a digit on only n crossing lines."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    CHOSEN,
    ITEMS,
    MASKS,
    add_cells,
    add_house,
    begin,
    ends_search,
    remove_in_house,
)
from nando.solvers.logic.sudoku_finders.subsets import chosen_sets, next_subset


@lean_kernel
def find_fish(state, layout, finding, degree, rating):
    """Find a digit that has the same `degree` positions on `degree` parallel lines.

    The digit is removed from the rest of the crossing lines. Cells are listed by line of the base,
    or by line of the cover on a variant.
    """
    size = layout.houses.shape[1]
    masks = finding.lists[MASKS]
    items = finding.lists[ITEMS]
    chosen = finding.lists[CHOSEN]
    for band in range(layout.bands.shape[0]):
        base = layout.bands[band]
        cover = layout.bands[band ^ 1]
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
            if n < degree or (layout.order and n_open < 2 * degree):
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
                    remove_in_house(finding, state, layout, house, others, 1 << digit)
                if finding.head[0]["n_gone"]:
                    _add_lines(finding, state, layout, digit, base, lines, crossings)
                    _add_lines(finding, state, layout, digit, cover, crossings, lines)
                    if ends_search(finding):
                        return True
    return False


@inlined_kernel
def _add_lines(finding, state, layout, digit, band, lines, crossings):
    """Add lines of a band to the pattern, and their cells if cells are listed by these lines."""
    size = layout.houses.shape[1]
    is_base = finding.head[0]["n_houses"] == 0
    while lines:
        house = band[lowest_bit(lines)]
        lines &= lines - 1
        add_house(finding, house)
        if is_base == (layout.order > 0):
            positions = state.positions[house * size + digit]
            add_cells(finding, layout, house, positions & crossings)
