"""Counting in a trial: cells that share as many digits, and digits that a line or cage needs."""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.variants.rule_state import (
    BROKEN,
    BROKEN_AT,
    BROKEN_DIGIT,
    CLOCK,
    GROUP,
    IN_HOUSE,
)

MOST_DIGITS = 9
"""Most digits of a board on which sets of digits are counted."""


@lean_kernel
def count_groups(layout, state, since):
    """Count in the groups that changed since a time; return True if candidates are removed.

    A row has room for four low digits. A renban of four cells with four digits left needs them all.
    """
    some = False
    now = state.counts[CLOCK]
    if layout.grid.size > MOST_DIGITS:
        return False
    for group in range(layout.group_start.size - 1):
        cells = layout.group_cells[layout.group_start[group] : layout.group_start[group + 1]]
        new = False
        for cell in cells:
            new |= state.touched[cell] >= since
        if not new:
            continue
        if not (_share(state, cells) and _hold(layout, state, cells)):
            n_houses = len(layout.grid.houses)
            state.counts[BROKEN] = IN_HOUSE if group < n_houses else GROUP
            state.counts[BROKEN_AT] = group if group < n_houses else group - n_houses
            state.counts[BROKEN_DIGIT] = -1
            return False
        for cell in cells:
            some |= state.touched[cell] >= now
    return some


@lean_kernel
def _share(state, cells):
    """Keep digits for as many cells of a group that have no others; return False if none fit."""
    sizes = 0
    some = 0
    for size in range(1, cells.size):
        n = 0
        for cell in cells:
            n += n_bits(state.mask[cell]) <= size
        sizes |= int(n >= size) << size
    for cell in cells:
        some |= state.mask[cell]
    digits = some if sizes else 0
    while digits:
        digits = (digits - 1) & some
        size = n_bits(digits)
        if sizes >> size & 1 == 0:
            continue
        n = 0
        for cell in cells:
            n += state.mask[cell] & ~digits == 0
        if n > size:
            return False
        if n < size:
            continue
        for cell in cells:
            if state.mask[cell] & digits and state.mask[cell] & ~digits:
                state.mask[cell] &= ~digits
                state.touched[cell] = state.counts[CLOCK]
    return True


@lean_kernel
def _hold(layout, state, cells):
    """Place the digits of a group that has no others; return False if it has too few."""
    union = 0
    for cell in cells:
        union |= state.mask[cell]
    if n_bits(union) != cells.size:
        return n_bits(union) > cells.size
    while union:
        digit = lowest_bit(union)
        union &= union - 1
        n = 0
        first = -1
        for cell in cells:
            if state.mask[cell] >> digit & 1:
                first = cell
                n += 1
        if n == 1 and state.mask[first] != 1 << digit:
            state.mask[first] = 1 << digit
            state.touched[first] = state.counts[CLOCK]
        for i in range(layout.grid.peer_start[first], layout.grid.peer_start[first + 1]):
            peer = layout.grid.peers[i]
            seen = state.mask[peer] >> digit & 1 == 1
            k = 0
            while seen and k < cells.size:
                here = state.mask[cells[k]] >> digit & 1 == 1
                seen = cells[k] != peer and (not here or layout.grid.sees[peer, cells[k]])
                k += 1
            if seen:
                state.mask[peer] &= ~(1 << digit)
                state.touched[peer] = state.counts[CLOCK]
    return True
