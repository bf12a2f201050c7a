"""Steps from sums: candidates in no combination, and digits that every combination has."""

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.solvers.logic.finders.finding import MASKS, add_cell, add_house, begin, place_at
from nando.solvers.logic.variants.rule_state import (
    CLOCK,
    HIGH,
    KEPT,
    LEFT,
    LOW,
    PICKED,
    SUM,
    USED,
    add_part,
    is_new,
    remove,
    remove_seen,
    takes,
)

MOST_NODES = 4000
"""Most nodes of the search for a combination, which then counts as possible."""


@lean_kernel
def find_sum(layout, state, finding, numbers, most, rating):
    """Find a sum with up to `most` blanks that rules out a candidate.

    `numbers` are the first number of a sum to try, and the end.
    """
    for number in range(numbers[0], numbers[1]):
        n_open = blanks_of(layout, state, number)
        if 0 < n_open <= most and _removes(layout, state, finding, number, rating):
            return True
    return False


@lean_kernel
def blanks_of(layout, state, number):
    """Return the number of blanks of a sum."""
    n_open = 0
    for i in range(layout.sum_start[number], layout.sum_start[number + 1]):
        n_open += not state.filled[layout.sum_cells[i]]
    return n_open


@lean_kernel
def _removes(layout, state, finding, number, rating):
    index = layout.arc_cell.size + number
    start, end = layout.sum_start[number], layout.sum_start[number + 1]
    if not is_new(state, layout.sum_cells[start:end], index):
        return False
    begin(finding, rating, 0)
    filter_sum(layout, state, finding, number)
    n_gone = 0
    rest = False
    for i in range(start, end):
        cell = layout.sum_cells[i]
        kept = finding.lists[KEPT, i - start]
        gone = state.mask[cell] & ~kept
        remove(state, finding, cell, gone)
        add_cell(finding, cell)
        n_gone += gone != 0
        if not state.filled[cell] and kept and kept & (kept - 1) == 0:
            place_at(finding, cell, lowest_bit(kept))
            rest = True
    if blanks_of(layout, state, number) == 1 and rest:
        # The digit that remains is entered at once.
        finding.head[0]["n_gone"] = 0
    elif n_gone == 0:
        state.looked[index] = state.counts[CLOCK] + 1
        return False
    else:
        finding.head[0]["cell"] = -1
    add_part(finding, SUM, number)
    return takes(finding)


@lean_kernel
def filter_sum(layout, state, finding, number):
    """Write into the workspace the digits that each cell has in some combination."""
    work = finding.lists
    start = layout.sum_start[number]
    k = layout.sum_start[number + 1] - start
    for i in range(k):
        work[KEPT, i] = 0
        work[MASKS, i] = state.mask[layout.sum_cells[start + i]]
    for i in range(k):
        mask = work[MASKS, i]
        while mask:
            digit = lowest_bit(mask)
            mask &= mask - 1
            if work[KEPT, i] >> digit & 1:
                continue
            own = work[MASKS, i]
            work[MASKS, i] = 1 << digit
            outcome = combine(layout, finding, number, 0)
            work[MASKS, i] = own
            if outcome > 0:
                for j in range(k):
                    work[KEPT, j] |= 1 << work[PICKED, j]
            elif outcome < 0:
                work[KEPT, i] |= 1 << digit


@lean_kernel
def combine(layout, finding, number, needed):
    """Search for digits within the masks of the workspace that have the sum.

    All digits of `needed` must be among them. Return 1 and write the digits into the workspace, or
    return 0 if there are none, or -1 if the search is too long.
    """
    work = finding.lists
    start = layout.sum_start[number]
    k = layout.sum_start[number + 1] - start
    work[LOW, k] = 0
    work[HIGH, k] = 0
    for i in range(k - 1, -1, -1):
        mask = work[MASKS, i]
        if mask == 0:
            return 0
        weight = layout.sum_weights[start + i]
        least = weight * (lowest_bit(mask) + 1)
        most = weight * _highest(mask)
        work[LOW, i] = work[LOW, i + 1] + min(least, most)
        work[HIGH, i] = work[HIGH, i + 1] + max(least, most)
    left = layout.sum_totals[number]
    depth = 0
    nodes = 0
    work[USED, 0] = 0
    work[LEFT, 0] = work[MASKS, 0]
    while depth >= 0:
        options = work[LEFT, depth]
        if options == 0:
            depth -= 1
            if depth >= 0:
                left += layout.sum_weights[start + depth] * (work[PICKED, depth] + 1)
            continue
        digit = lowest_bit(options)
        work[LEFT, depth] = options & (options - 1)
        nodes += 1
        if nodes > MOST_NODES:
            return -1
        rest = left - layout.sum_weights[start + depth] * (digit + 1)
        if rest < work[LOW, depth + 1] or rest > work[HIGH, depth + 1]:
            continue
        work[PICKED, depth] = digit
        used = work[USED, depth] | 1 << digit
        if depth == k - 1:
            if needed & ~used == 0:
                return 1
            continue
        left = rest
        depth += 1
        work[USED, depth] = used
        options = work[MASKS, depth]
        cell = layout.sum_cells[start + depth]
        for j in range(depth):
            if layout.grid.sees[cell, layout.sum_cells[start + j]]:
                options &= ~(1 << work[PICKED, j])
        work[LEFT, depth] = options
    return 0


@inlined_kernel
def _highest(mask):
    """Return the highest digit of a mask, from 1."""
    digit = 0
    while mask:
        mask >>= 1
        digit += 1
    return digit


@lean_kernel
def find_needed(layout, state, finding, rating):
    """Find a digit in every combination of a cage: remove it from cells that see all its places.

    Conversely, if a house has a digit only in the cage, combinations without it are removed.
    """
    work = finding.lists
    for number in range(layout.n_sums):
        start, end = layout.sum_start[number], layout.sum_start[number + 1]
        k = end - start
        n_open = blanks_of(layout, state, number)
        if n_open < 2 or k > layout.grid.size:
            continue
        union = 0
        for i in range(k):
            work[MASKS, i] = state.mask[layout.sum_cells[start + i]]
            if not state.filled[layout.sum_cells[start + i]]:
                union |= work[MASKS, i]
        while union:
            digit = lowest_bit(union)
            union &= union - 1
            if _needs(layout, state, finding, number, digit, rating):
                return True
    return False


@lean_kernel
def _needs(layout, state, finding, number, digit, rating):
    """Try both kinds of step for one digit of a cage."""
    work = finding.lists
    start = layout.sum_start[number]
    k = layout.sum_start[number + 1] - start
    first = -1
    held = False
    n_places = 0
    for i in range(k):
        cell = layout.sum_cells[start + i]
        if state.mask[cell] >> digit & 1:
            held |= state.filled[cell]
            first = cell
            n_places += 1
    if held or first < 0:
        return False
    house = _house_within(layout, state, number, first, digit)
    if house >= 0:
        begin(finding, rating, 1 << digit)
        if _without(layout, state, finding, number, digit):
            add_house(finding, house)
            add_part(finding, SUM, number)
            if takes(finding):
                return True
    if n_places == 1:
        return False
    # Search only if something could be removed, since each digit takes a search.
    begin(finding, rating, 1 << digit)
    remove_seen(layout, state, finding, layout.sum_cells[start : start + k], digit)
    if finding.head[0]["n_gone"] == 0:
        return False
    for i in range(k):
        work[MASKS, i] = state.mask[layout.sum_cells[start + i]] & ~(1 << digit)
    outcome = combine(layout, finding, number, 0)
    for i in range(k):
        work[MASKS, i] = state.mask[layout.sum_cells[start + i]]
        add_cell(finding, layout.sum_cells[start + i])
    if outcome != 0:
        return False
    add_part(finding, SUM, number)
    return takes(finding)


@lean_kernel
def _house_within(layout, state, number, first, digit):
    """Return a house whose positions of a digit all lie in a sum, or -1."""
    start, end = layout.sum_start[number], layout.sum_start[number + 1]
    for h in range(layout.cell_house_start[first], layout.cell_house_start[first + 1]):
        house = layout.cell_houses[h]
        left = state.positions[house, digit]
        within = left != 0
        while left and within:
            cell = layout.grid.houses[house, lowest_bit(left)]
            left &= left - 1
            within = False
            for i in range(start, end):
                within |= layout.sum_cells[i] == cell
        if within:
            return house
    return -1


@lean_kernel
def _without(layout, state, finding, number, digit):
    """Remove the candidates that occur only in combinations without a digit; return True if any."""
    work = finding.lists
    start = layout.sum_start[number]
    k = layout.sum_start[number + 1] - start
    some = False
    for i in range(k):
        cell = layout.sum_cells[start + i]
        add_cell(finding, cell)
        if state.filled[cell]:
            continue
        own = work[MASKS, i]
        mask = own
        while mask:
            other = lowest_bit(mask)
            mask &= mask - 1
            work[MASKS, i] = 1 << other
            if combine(layout, finding, number, 1 << digit) == 0:
                remove(state, finding, cell, 1 << other)
                some = True
        work[MASKS, i] = own
    return some
