"""Trials: the consequences of an assumption by singles, relations, sums and patterns."""

from nando.kernels.arrays import copy_values
from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.variants.counting import count_groups
from nando.solvers.logic.variants.pattern_steps import filter_pattern
from nando.solvers.logic.variants.relation_steps import supported
from nando.solvers.logic.variants.rule_state import (
    ARC,
    BROKEN,
    BROKEN_AT,
    BROKEN_DIGIT,
    CLOCK,
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
