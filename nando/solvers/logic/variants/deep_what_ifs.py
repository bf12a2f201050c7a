"""Deep what-ifs: candidates that are false because every continuation is contradictory.

The exact search looks for the continuations: its constraints are checked only where something
changed, and it goes on where contradictions were met before.
"""

from nando.kernels.arrays import copy_values
from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.variants import STARTED, advance_variant
from nando.solvers.logic.chains.implications import longer
from nando.solvers.logic.finders.finding import begin
from nando.solvers.logic.variants.rule_state import remove, takes
from nando.solvers.logic.variants.trials import assume, copy_state
from nando.solvers.logic.variants.what_ifs import NO_LIMIT, write_trail
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.work import CELLS, enlist_all, forget, narrow

MOST_ASSUMED = 1_024
"""Most assumptions that are made to refute a candidate; a quarter while nearly all are left."""

AT_ONCE = 10
"""Assumptions that count as one of the effort; a search for nested chains takes as long as many."""


@lean_kernel
def find_deep_what_if(layout, areas, memory, state, trials, finding, rating):
    """Find a candidate that is false because every continuation leads to a contradiction.

    The candidates that take the fewest assumptions come first. One that took too many is tried
    again with as few only after a tenth of all candidates is gone, and one of a known solution is
    not tried at all. `layout` is that of the state; the areas have further sums.
    """
    start = trials.masks[0]
    copy_values(start, state.mask)
    enlist_all(start, areas.network, areas.work)
    propagate(start, areas.network, areas.work)
    n_left = 0
    for cell in range(layout.grid.n_cells):
        n_left += n_bits(state.mask[cell])
    search = (areas, memory, start, n_left)
    # Where nearly all candidates are left, more assumptions have solved no puzzle.
    is_full = 10 * n_left > 9 * layout.grid.n_cells * layout.grid.size
    budget = 1
    while budget <= (MOST_ASSUMED // 4 if is_full else MOST_ASSUMED):
        for width in range(2, layout.grid.size + 1):
            for cell in range(layout.grid.n_cells):
                if state.filled[cell] or n_bits(state.mask[cell]) != width:
                    continue
                left = state.mask[cell]
                while left:
                    digit = lowest_bit(left)
                    left &= left - 1
                    tried = _refute(layout, search, trials, cell, digit, budget)
                    if trials.effort[0] < 0:
                        return False
                    if tried == 0:
                        continue
                    begin(finding, rating + longer(2 * tried + 2), 1 << digit)
                    remove(state, finding, cell, 1 << digit)
                    copy_state(state, trials.state)
                    assume(layout, trials.state, finding, cell, digit, NO_LIMIT)
                    write_trail(finding, trials.state)
                    finding.head[0]["n_tried"] = tried
                    if takes(finding):
                        return True
        budget *= 4
    return False


@lean_kernel
def _refute(layout, search, trials, cell, digit, budget):
    """Return the number of assumptions that refute a candidate, or 0 if that is not shown.

    `search` is the areas, the memory, the candidates to begin with and their number.
    """
    areas, memory, start, n_left = search
    exceeded, progress = trials.exceeded, memory.progress
    index = cell * layout.grid.size + digit
    if budget <= exceeded[0, index] and 10 * n_left > 9 * exceeded[1, index]:
        return 0
    progress[DEPTH] = -1
    progress[FOUND] = progress[GUESSES] = 0
    progress[STARTED] = 1
    if start[cell] >> digit & 1:
        progress[DEPTH] = 0
        copy_values(memory.stack[0], start)
        narrow(memory.stack[0], areas.work, cell, 1 << digit)
        advance_variant(memory, areas.network, areas.work, (1, budget))
        forget(areas.work, CELLS, 0)
    tried = progress[GUESSES] + 1
    trials.effort[0] -= (tried + AT_ONCE - 1) // AT_ONCE
    if progress[FOUND]:
        # No candidate of a solution can be refuted.
        for other in range(layout.grid.n_cells):
            place = other * layout.grid.size + memory.solutions[0, memory.places[other]] - 1
            exceeded[0, place] = NO_LIMIT
            exceeded[1, place] = 0
    elif progress[DEPTH] < 0:
        return tried
    else:
        exceeded[0, index] = budget
        exceeded[1, index] = n_left
    return 0
