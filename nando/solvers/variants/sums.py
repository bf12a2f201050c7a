"""Remove the candidates that the sums of a variant exclude.

A sum of different cells is filtered exactly: each set of digits that adds up to the remaining sum
is tried on the open cells by Hall's condition. Any other sum is filtered as if its cells did not
see each other: exactly if the possible sums fit into the bits of a word, otherwise by bounds. A
network with pairs then tries the combinations of a few open cells.

A network with groups (:mod:`nando.solvers.variants.groups`) knows more of its sums: which digits
a sum of different cells takes because a house has them nowhere else, which cells see all places of
a digit that the sum takes, and which cells of another sum differ.
"""

from nando.kernels.compile import highest_bit, lean_kernel, lowest_bit, n_bits, unsigned
from nando.solvers.variants.groups import narrow_groups
from nando.solvers.variants.work import LARGEST_EXACT, MOST_APART, narrow

MOST_TRIED = 1 << 15
"""Most pairs of a set of digits and a set of cells that are tried for one sum."""

_WIDEST = 61
"""Greatest difference of two sums that one word represents."""

_PLACE, _KEPT, _OPTIONS, _DIGIT = range(4)
"""Rows of `Work.combination`: the place of each open cell in the list of all cells of sums, the
digits that it has in some combination, those left to try, and the one that is tried."""


@lean_kernel
def narrow_sum(masks, network, work, number):
    """Remove the candidates that one sum excludes; return False if nothing fits."""
    if network.sum_distinct[number]:
        answer = _narrow_distinct(masks, network, work, number)
        if answer >= 0:
            return answer == 1
    if network.sum_group_end.size and not narrow_groups(masks, network, work, number):
        return False
    sound = _narrow_weighted(masks, network, work, number)
    if sound and network.sum_apart.size:
        sound = _narrow_apart(masks, network, work, number)
    return sound


@lean_kernel
def _narrow_distinct(masks, network, work, number):
    """Filter a sum of different cells; return 1, 0 if nothing fits, or -1 if it is too large."""
    wanted = 0
    if network.part_start.size:
        wanted = _wanted(masks, network, work, number)
        if wanted < 0:
            return 0
    left = network.sum_totals[number]
    n_open = 0
    union, taken = 0, 0
    for i in range(network.sum_start[number], network.sum_start[number + 1]):
        cell = int(network.sum_cells[unsigned(i)])
        mask = int(masks[unsigned(cell)])
        if mask & (mask - 1):
            work.open[unsigned(n_open)] = cell
            work.allowed[unsigned(n_open)] = 0
            n_open += 1
            union |= mask
        else:
            if taken & mask:
                return 0
            left -= lowest_bit(mask) + 1
            taken |= mask
    if n_open == 0:
        return int(left == 0)
    width = network.n_digits * (network.n_digits + 1) // 2 + 1
    if left <= 0 or left >= width:
        return 0
    if network.set_start.size == 0 or n_open > LARGEST_EXACT:
        return -1
    index = n_open * width + left
    first, end = network.set_start[index], network.set_start[index + 1]
    if end - first << n_open > MOST_TRIED:
        return -1
    work.unions[0] = 0
    for cells in range(1, 1 << n_open):
        mask = masks[unsigned(work.open[unsigned(lowest_bit(cells))])]
        work.unions[unsigned(cells)] = work.unions[unsigned(cells & cells - 1)] | mask
    common = -1
    excluded = ~union | taken
    wanted &= ~taken
    for i in range(first, end):
        digits = int(network.sets[unsigned(i)])
        fits = digits & excluded == 0 and wanted & ~digits == 0
        if fits and _try_set(work, n_open, digits):
            common &= digits
    if common == -1:
        return 0
    for i in range(n_open):
        cell = int(work.open[i])
        if work.allowed[i] != masks[cell]:
            narrow(masks, work, cell, int(work.allowed[i]))
    if network.seer_start.size:
        _remove_from_seers(masks, network, work, number, common)
    elif common:
        for i in range(network.sum_peer_start[number], network.sum_peer_start[number + 1]):
            cell = int(network.sum_peers[i])
            if masks[cell] & common:
                narrow(masks, work, cell, int(masks[cell]) & ~common)
    return 1


@lean_kernel
def _wanted(masks, network, work, number):
    """Return the digits that a house has only in cells of a sum; -1 if nothing fits.

    They are removed from the cells of the sum outside the house.
    """
    wanted = 0
    start = network.sum_start[number]
    for part in range(network.part_start[number], network.part_start[number + 1]):
        digits = (1 << network.n_digits) - 1
        for i in range(network.rest_start[part], network.rest_start[part + 1]):
            mask = int(masks[unsigned(network.rest_cells[unsigned(i)])])
            # A cell outside the area that is searched has no candidates, and may hold any digit.
            digits &= ~mask if mask else 0
        if digits == 0:
            continue
        wanted |= digits
        for i in range(start, network.sum_start[number + 1]):
            cell = int(network.sum_cells[unsigned(i)])
            mask = int(masks[unsigned(cell)])
            if network.part_places[part] >> (i - start) & 1 == 0 and mask & digits:
                if mask & ~digits == 0:
                    return -1
                narrow(masks, work, cell, mask & ~digits)
    return wanted


@lean_kernel
def _remove_from_seers(masks, network, work, number, common):
    """Remove each of the digits `common`, which a sum takes, from cells that see all its places."""
    start, holders = network.sum_start[number], work.holders
    for digit in range(network.n_digits):
        holders[unsigned(digit)] = 0
    for i in range(start, network.sum_start[number + 1]):
        mask = int(masks[unsigned(network.sum_cells[unsigned(i)])]) & common
        while mask:
            holders[unsigned(lowest_bit(mask))] |= 1 << i - start
            mask &= mask - 1
    for i in range(network.seer_start[number], network.seer_start[number + 1]):
        cell = int(network.seers[unsigned(i)])
        mask = int(masks[unsigned(cell)])
        left, kept = mask & common, mask
        while left:
            digit = left & -left
            left ^= digit
            if holders[unsigned(lowest_bit(digit))] & ~network.seen_places[unsigned(i)] == 0:
                kept ^= digit
        if kept != mask:
            narrow(masks, work, cell, kept)


@lean_kernel
def _try_set(work, n_open, digits):
    """Return True if the open cells can hold these digits, one each.

    `work.unions` has the candidates of each set of open cells. The digits that each cell can then
    hold are added to `work.allowed`.
    """
    unions, tight = work.unions, work.tight
    everything = (1 << n_open) - 1
    n_tight = 0
    for cells in range(1, everything + 1):
        spare = n_bits(unions[unsigned(cells)] & digits) - n_bits(cells)
        if spare < 0:
            return False
        if spare == 0 and cells != everything:
            tight[unsigned(n_tight)] = cells
            n_tight += 1
    for i in range(n_open):
        kept = unions[1 << i] & digits
        for j in range(n_tight):
            if tight[j] >> i & 1 == 0:
                kept &= ~unions[tight[j]]
        work.allowed[i] |= kept
    return True


@lean_kernel
def _narrow_weighted(masks, network, work, number):
    """Filter a sum as if none of its cells saw each other; return False if nothing fits."""
    first, end = network.sum_start[number], network.sum_start[number + 1]
    least = 0
    most = 0
    for i in range(first, end):
        weight = int(network.sum_weights[unsigned(i)])
        mask = int(masks[unsigned(network.sum_cells[unsigned(i)])])
        low, high = lowest_bit(mask) + 1, highest_bit(mask) + 1
        least += weight * (low if weight > 0 else high)
        most += weight * (high if weight > 0 else low)
    total = network.sum_totals[number]
    above, below = total - least, most - total
    if above < 0 or below < 0:
        return False
    if above == 0 and below == 0:
        return True
    if above > _WIDEST and below > _WIDEST:
        return _narrow_by_bounds(masks, network, work, number, above, below)
    return _narrow_by_sums(masks, network, work, number, above, below)


@lean_kernel
def _narrow_by_bounds(masks, network, work, number, above, below):
    """Remove digits that take a sum out of its bounds.

    The total is `above` more than the least possible sum and `below` less than the greatest.
    """
    for i in range(network.sum_start[number], network.sum_start[number + 1]):
        weight, cell = int(network.sum_weights[i]), int(network.sum_cells[i])
        up, down = (above, below) if weight > 0 else (below, above)
        size = abs(weight)
        mask = int(masks[cell])
        low = max(highest_bit(mask) - down // size, 0)
        high = min(lowest_bit(mask) + up // size, network.n_digits - 1)
        kept = mask & (2 << high) - (1 << low) if high >= low else 0
        if kept == 0:
            return False
        if kept != mask:
            narrow(masks, work, cell, kept)
    return True


@lean_kernel
def _narrow_by_sums(masks, network, work, number, above, below):
    """Keep the digits that some digits of the other cells complete to the total.

    Bit s of a word stands for a sum that is s above the least possible sum or, if the total is
    nearer to it, s below the greatest.
    """
    first, end = network.sum_start[number], network.sum_start[number + 1]
    upwards = above <= below
    reached = above if upwards else below
    within = (1 << reached + 1) - 1
    sums = 1
    for i in range(first, end):
        work.reach[unsigned(i - first)] = sums
        weight = int(network.sum_weights[unsigned(i)])
        mask = int(masks[unsigned(network.sum_cells[unsigned(i)])])
        size = abs(weight)
        rising = (weight > 0) == upwards
        base = lowest_bit(mask) if rising else highest_bit(mask)
        further = 0
        while mask:
            digit = lowest_bit(mask)
            mask &= mask - 1
            shift = size * (digit - base if rising else base - digit)
            if shift <= reached:
                further |= sums << shift
        sums = further & within
    if sums >> reached & 1 == 0:
        return False
    sums = 1 << reached
    for i in range(end - 1, first - 1, -1):
        before = work.reach[unsigned(i - first)]
        weight, cell = int(network.sum_weights[unsigned(i)]), int(network.sum_cells[unsigned(i)])
        mask = int(masks[unsigned(cell)])
        size = abs(weight)
        rising = (weight > 0) == upwards
        base = lowest_bit(mask) if rising else highest_bit(mask)
        kept = 0
        further = 0
        left = mask
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            shift = size * (digit - base if rising else base - digit)
            if shift <= reached:
                fitting = sums >> shift & before
                if fitting:
                    kept |= 1 << digit
                    further |= fitting
        sums = further
        if kept != mask:
            narrow(masks, work, cell, kept)
    return True


@lean_kernel
def _narrow_apart(masks, network, work, number):
    """Keep the digits of some combination in which cells that see each other differ.

    Sums with more open cells than :data:`MOST_APART` stay. Return False if there is none.
    """
    combination = work.combination
    left = network.sum_totals[number]
    first = network.sum_start[number]
    n = 0
    apart = False
    for place in range(first, network.sum_start[number + 1]):
        mask = int(masks[network.sum_cells[place]])
        if mask & (mask - 1) == 0:
            left -= network.sum_weights[place] * (lowest_bit(mask) + 1)
            continue
        if n == MOST_APART:
            return True
        combination[_PLACE, n] = place
        combination[_KEPT, n] = 0
        for i in range(n):
            apart |= network.sum_apart[place] >> (combination[_PLACE, i] - first) & 1 == 1
        n += 1
    if not apart:
        return True
    for k in range(n):
        digits = int(masks[network.sum_cells[combination[_PLACE, k]]])
        while digits:
            digit = digits & -digits
            digits ^= digit
            if combination[_KEPT, k] & digit == 0 and _combine(
                masks, network, combination, n, first, left, k, digit
            ):
                for i in range(n):
                    combination[_KEPT, i] |= 1 << combination[_DIGIT, i]
    for k in range(n):
        cell, kept = int(network.sum_cells[combination[_PLACE, k]]), int(combination[_KEPT, k])
        if kept == 0:
            return False
        if kept != masks[cell]:
            narrow(masks, work, cell, kept)
    return True


@lean_kernel
def _combine(masks, network, combination, n, first, left, fixed, only):
    """Search for digits of `n` open cells with the sum `left`; return True if there are any.

    The cell `fixed` has the digit of the mask `only`.
    """
    depth = 0
    combination[_OPTIONS, 0] = (
        only if fixed == 0 else masks[network.sum_cells[combination[_PLACE, 0]]]
    )
    while depth >= 0:
        weight = network.sum_weights[combination[_PLACE, depth]]
        options = int(combination[_OPTIONS, depth])
        if options == 0:
            depth -= 1
            if depth >= 0:
                weight = network.sum_weights[combination[_PLACE, depth]]
                left += weight * (combination[_DIGIT, depth] + 1)
            continue
        digit = lowest_bit(options)
        combination[_OPTIONS, depth] = options & (options - 1)
        combination[_DIGIT, depth] = digit
        rest = left - weight * (digit + 1)
        low = 0
        high = 0
        for i in range(depth + 1, n):
            place = combination[_PLACE, i]
            mask = int(only if i == fixed else masks[network.sum_cells[place]])
            size = network.sum_weights[place]
            least, most = size * (lowest_bit(mask) + 1), size * (highest_bit(mask) + 1)
            low += min(least, most)
            high += max(least, most)
        if rest < low or rest > high:
            continue
        if depth == n - 1:
            return True
        left = rest
        depth += 1
        place = combination[_PLACE, depth]
        options = int(only if depth == fixed else masks[network.sum_cells[place]])
        for i in range(depth):
            if network.sum_apart[place] >> (combination[_PLACE, i] - first) & 1:
                options &= ~(1 << combination[_DIGIT, i])
        combination[_OPTIONS, depth] = options
    return False
