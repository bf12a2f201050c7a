"""Remove the candidates that the sums of a variant exclude.

A sum of different cells is filtered exactly: each set of digits that adds up to the remaining sum
is tried on the open cells by Hall's condition. Any other sum is filtered as if its cells did not
see each other: exactly if the possible sums fit into the bits of a word, otherwise by bounds.
"""

from nando.kernels.bits import highest_bit, lowest_bit, n_bits, unsigned
from nando.kernels.compile import lean_kernel
from nando.solvers.variants.work import LARGEST_EXACT, narrow

MOST_TRIED = 1 << 15
"""Most pairs of a set of digits and a set of cells that are tried for one sum."""

_WIDEST = 61
"""Greatest difference of two sums that one word represents."""


@lean_kernel
def narrow_sum(masks, network, work, number):
    """Remove the candidates that one sum excludes; return False if nothing fits."""
    if network.sum_distinct[number]:
        answer = _narrow_distinct(masks, network, work, number)
        if answer >= 0:
            return answer == 1
    return _narrow_weighted(masks, network, work, number)


@lean_kernel
def _narrow_distinct(masks, network, work, number):
    """Filter a sum of different cells; return 1, 0 if nothing fits, or -1 if it is too large."""
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
    for i in range(first, end):
        digits = int(network.sets[unsigned(i)])
        if digits & excluded == 0 and _try_set(work, n_open, digits):
            common &= digits
    if common == -1:
        return 0
    for i in range(n_open):
        cell = int(work.open[i])
        if work.allowed[i] != masks[cell]:
            narrow(masks, work, cell, int(work.allowed[i]))
    if common:
        for i in range(network.sum_peer_start[number], network.sum_peer_start[number + 1]):
            cell = int(network.sum_peers[i])
            if masks[cell] & common:
                narrow(masks, work, cell, int(masks[cell]) & ~common)
    return 1


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
