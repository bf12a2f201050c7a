"""Fish: X-wing, swordfish and jellyfish, a digit confined to as many lines either way."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.finding import (
    CHOSEN,
    ITEMS,
    MASKS,
    N_GONE,
    add_cells,
    add_house,
    begin,
    ends_search,
    remove_in_house,
)
from nando.solvers.logic.sudoku_finders.state import COLUMN, ROW
from nando.solvers.logic.sudoku_finders.subsets import next_subset


@lean_kernel
def find_fish(state, layout, finding, degree, rating):
    """Find a digit that has the same `degree` positions on `degree` parallel lines.

    It goes from the rest of the crossing lines. Columns are the base first, then rows.
    """
    size = layout.size
    masks = finding.lists[MASKS]
    items = finding.lists[ITEMS]
    chosen = finding.lists[CHOSEN]
    for base in (COLUMN, ROW):
        cover = ROW + COLUMN - base
        for digit in range(size):
            n = 0
            n_open = 0
            for line in range(size):
                mask = state.positions[(base * size + line) * size + digit]
                n_open += mask != 0
                if mask & (mask - 1) and n_bits(mask) <= degree:
                    masks[n] = mask
                    items[n] = line
                    n += 1
            # In fewer lines a fish is found sooner as the smaller fish it leaves.
            if n < degree or n_open < 2 * degree:
                continue
            chosen[0] = -1
            while next_subset(masks, n, degree, degree, chosen):
                lines = 0
                crossings = 0
                for i in range(degree):
                    lines |= 1 << items[chosen[i]]
                    crossings |= masks[chosen[i]]
                begin(finding, rating, 1 << digit)
                left = crossings
                while left:
                    house = cover * size + lowest_bit(left)
                    left &= left - 1
                    others = state.positions[house * size + digit] & ~lines
                    remove_in_house(finding, state, layout, house, others, 1 << digit)
                if finding.head[N_GONE]:
                    _note_fish(finding, state, layout, digit, base, lines, crossings)
                    if ends_search(finding):
                        return True
    return False


@inlined_kernel
def _note_fish(finding, state, layout, digit, base, lines, crossings):
    """Add base houses and their cells, then cover houses, to the pattern."""
    size = layout.size
    while lines:
        house = base * size + lowest_bit(lines)
        lines &= lines - 1
        add_house(finding, house)
        add_cells(finding, layout, house, state.positions[house * size + digit])
    while crossings:
        add_house(finding, (ROW + COLUMN - base) * size + lowest_bit(crossings))
        crossings &= crossings - 1
