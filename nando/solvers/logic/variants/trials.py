"""Trials: the consequences of an assumption by singles, relations, sums and patterns.

A trial may also count: cells that share as many digits, and digits that a line or cage needs.
"""

from nando.kernels.compile import copy_values, inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.variants.relation_steps import filter_pattern, supported
from nando.solvers.logic.variants.rule_state import (
    ARC,
    BROKEN,
    BROKEN_AT,
    BROKEN_DIGIT,
    CLOCK,
    GROUP,
    IN_CELL,
    IN_HOUSE,
    KEPT,
    N_TRAIL,
    PATTERN,
    SUM,
    fill,
    is_new,
)
from nando.solvers.logic.variants.sum_steps import blanks_of, filter_sum

MOST_BLANKS = 5
"""Most blanks of a sum that a trial uses."""

MOST_DIGITS = 9
"""Most digits of a board on which sets of digits are counted."""


@lean_kernel
def copy_state(state, trial):
    """Copy `state` into `trial`, with an empty trail."""
    copy_values(trial.mask, state.mask)
    copy_values(trial.filled, state.filled)
    copy_values(trial.touched, state.touched)
    copy_values(trial.looked, state.looked)
    copy_values(trial.counts, state.counts)
    trial.counts[CLOCK] += 1
    trial.counts[BROKEN] = 0
    trial.counts[N_TRAIL] = 0


@lean_kernel
def assume(layout, state, finding, cell, digit, limit):
    """Enter a digit and all that follow; return True if that leads to a contradiction.

    The trial stops once `limit` digits are entered.
    """
    _enter(layout, state, cell, digit)
    return follow(layout, state, finding, limit)


@lean_kernel
def follow(layout, state, finding, limit):
    """Enter all digits that follow; return True if that leads to a contradiction."""
    since = state.counts[CLOCK]
    while state.counts[BROKEN] == 0 and state.counts[N_TRAIL] < limit:
        if _naked(layout, state, limit):
            continue
        if state.counts[BROKEN] or state.counts[N_TRAIL] >= limit:
            break
        if _hidden(layout, state, limit):
            continue
        if state.counts[BROKEN] or state.counts[N_TRAIL] >= limit:
            break
        state.counts[CLOCK] += 1
        if _filtered(layout, state, finding):
            continue
        if state.counts[BROKEN] or not layout.has_splits:
            break
        if not count_groups(layout, state, since):
            break
        since = state.counts[CLOCK]
        state.counts[CLOCK] += 1
    return state.counts[BROKEN] != 0


@inlined_kernel
def _break(state, kind, number, digit):
    if state.counts[BROKEN] == 0:
        state.counts[BROKEN] = kind
        state.counts[BROKEN_AT] = number
        state.counts[BROKEN_DIGIT] = digit


@lean_kernel
def _enter(layout, state, cell, digit):
    """Enter a digit, and restrict the cells that see it or are related to it."""
    state.trail[state.counts[N_TRAIL]] = cell * layout.grid.size + digit
    state.counts[N_TRAIL] += 1
    fill(layout, state, cell, digit)
    for i in range(layout.grid.peer_start[cell], layout.grid.peer_start[cell + 1]):
        peer = layout.grid.peers[i]
        if state.mask[peer] == 0 or (state.filled[peer] and state.mask[peer] == 1 << digit):
            _break(state, IN_CELL, peer, -1)
            return
    for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
        to = layout.arc_cell[arc]
        allowed = layout.tables[layout.arc_table[arc], digit]
        if state.mask[to] & ~allowed:
            state.mask[to] &= allowed
            state.touched[to] = state.counts[CLOCK]
            if state.mask[to] == 0:
                _break(state, ARC, arc, -1)
                return


@lean_kernel
def _naked(layout, state, limit):
    """Enter the digits of cells with a single candidate; return True if there are any."""
    some = False
    for cell in range(layout.grid.n_cells):
        mask = state.mask[cell]
        if not state.filled[cell] and mask & (mask - 1) == 0 and not (mask and state.barred[cell]):
            if mask == 0:
                _break(state, IN_CELL, cell, -1)
                return False
            _enter(layout, state, cell, lowest_bit(mask))
            some = True
            if state.counts[BROKEN] or state.counts[N_TRAIL] >= limit:
                return False
    return some


@lean_kernel
def _hidden(layout, state, limit):
    """Enter digits with one position in a house; return True if there are any."""
    n = layout.grid.size
    full = (1 << n) - 1
    some = False
    for house in range(len(layout.grid.houses)):
        once = 0
        twice = 0
        done = 0
        for i in range(n):
            cell = layout.grid.houses[house, i]
            mask = state.mask[cell]
            twice |= once & mask
            once |= mask
            if state.filled[cell]:
                done |= mask
        if once != full:
            _break(state, IN_HOUSE, house, lowest_bit(full & ~once))
            return False
        singles = once & ~twice & ~done
        if singles:
            for i in range(n):
                cell = layout.grid.houses[house, i]
                mine = state.mask[cell] & singles
                if mine and not state.filled[cell] and not state.barred[cell]:
                    _enter(layout, state, cell, lowest_bit(mine))
                    some = True
                    if state.counts[BROKEN] or state.counts[N_TRAIL] >= limit:
                        return False
    return some


@lean_kernel
def _filtered(layout, state, finding):
    """Remove candidates that open relations, sums and patterns exclude; return True if any."""
    some = False
    clock = state.counts[CLOCK]
    for cell in range(layout.grid.n_cells):
        if state.filled[cell]:
            continue
        for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
            to = layout.arc_cell[arc]
            if state.filled[to] or state.touched[cell] < state.looked[arc]:
                continue
            gone = state.mask[to] & ~supported(layout, arc, state.mask[cell])
            state.looked[arc] = clock + 1
            if gone:
                some = True
                if _gone(state, to, gone):
                    _break(state, ARC, arc, -1)
                    return False
    n_sums = layout.sum_totals.size
    for number in range(n_sums):
        cells = layout.sum_cells[layout.sum_start[number] : layout.sum_start[number + 1]]
        index = layout.arc_cell.size + number
        if is_new(state, cells, index) and blanks_of(layout, state, number) <= MOST_BLANKS:
            filter_sum(layout, state, finding, number)
            state.looked[index] = clock + 1
            some |= _leaves(state, finding, cells, SUM, number)
            if state.counts[BROKEN]:
                return False
    for number in range(layout.pattern_first.size):
        start, end = layout.pattern_start[number], layout.pattern_start[number + 1]
        cells = layout.pattern_cells[start:end]
        index = layout.arc_cell.size + n_sums + number
        if is_new(state, cells, index):
            filter_pattern(layout, state, finding, number)
            state.looked[index] = clock + 1
            some |= _leaves(state, finding, cells, PATTERN, number)
            if state.counts[BROKEN]:
                return False
    return some


@lean_kernel
def _leaves(state, finding, cells, kind, number):
    """Remove the candidates that a sum or pattern does not keep; return True if any."""
    some = False
    for i in range(cells.size):
        gone = state.mask[cells[i]] & ~finding.lists[KEPT, i]
        if gone:
            some = True
            if _gone(state, cells[i], gone):
                _break(state, kind, number, -1)
                break
    return some


@inlined_kernel
def _gone(state, cell, gone):
    """Remove candidates of a cell; return True if none is left."""
    state.mask[cell] &= ~gone
    state.touched[cell] = state.counts[CLOCK]
    return state.mask[cell] == 0


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
