"""Cases of an area that is chosen for a candidate: the cells whose rules refute it.

A person who suspects a candidate follows the rules near by, and leaves aside those that do not
matter. Here the exact search refutes it on the whole grid, then without some cells and all that
touches them, those far away first, as long as the cases remain few.
"""

from nando.kernels.compile import copy_values, lean_kernel, lowest_bit, n_bits
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.variants import STARTED, advance_variant
from nando.solvers.logic.finders.finding import add_cell, begin
from nando.solvers.logic.variants.joint_steps import CASES, LARGE, LIMITS, MOST_CELLS
from nando.solvers.logic.variants.rule_state import UNIT, add_part, remove, takes
from nando.solvers.logic.variants.scopes import close_area, open_area
from nando.solvers.logic.variants.what_ifs import AT_ONCE, begin_search, refute
from nando.solvers.variants.work import CELLS, forget, narrow

MOST_TRIED = 256
"""Most assumptions on the whole grid after which an area is chosen."""

MOST_MISSED = 40
"""Most candidates on a grid that so many assumptions do not refute, before the search ends."""


@lean_kernel
def find_chosen(layout, areas, memory, state, trials, finding, rating):
    """Find a candidate that the rules of some cells refute in the cases of a large area.

    Those that take the fewest assumptions on the whole grid come first, as for deep what-ifs.
    """
    if areas.scopes.start.size == 1 or trials.effort[0] < 0:
        return False
    n_left = begin_search(areas, state)
    search = (areas, memory, n_left)
    n_missed = 0
    budget = 1
    while budget <= MOST_TRIED:
        for width in range(2, layout.grid.size + 1):
            for cell in range(layout.grid.n_cells):
                if state.filled[cell] or n_bits(state.mask[cell]) != width:
                    continue
                left = state.mask[cell]
                while left:
                    digit = lowest_bit(left)
                    left &= left - 1
                    vain = areas.vain[cell * layout.grid.size + digit]
                    if 10 * n_left > 9 * vain and vain:
                        continue
                    memory.progress[GUESSES] = 0
                    tried = refute(layout, search, trials, cell, digit, budget)
                    if tried == 0:
                        n_missed += memory.progress[GUESSES] == MOST_TRIED
                        if n_missed == MOST_MISSED or trials.effort[0] < 0:
                            return False
                        continue
                    areas.vain[cell * layout.grid.size + digit] = n_left
                    cases = min(LIMITS[LARGE, CASES], 8 * tried + 40)
                    n_cells = _choose(areas, state, trials, cell, digit, cases)
                    if n_cells > LIMITS[LARGE, MOST_CELLS]:
                        close_area(areas)
                        continue
                    begin(finding, rating, 0)
                    remove(state, finding, cell, 1 << digit)
                    others = state.mask[cell] & ~(1 << digit)
                    while others:
                        other = lowest_bit(others)
                        others &= others - 1
                        if _refutes(areas, state, trials, (n_cells, 0, 0), other, cases):
                            remove(state, finding, cell, 1 << other)
                    close_area(areas)
                    n_units = _gather(areas, n_cells, 0, 0)
                    for other in areas.near[:n_cells]:
                        add_cell(finding, other)
                    for unit in areas.units[:n_units]:
                        add_part(finding, UNIT, unit)
                    if takes(finding):
                        return True
        budget *= 4
    return False


@lean_kernel
def _choose(areas, state, trials, cell, digit, cases):
    """Leave aside the cells that a refutation does not need; return the number of those left.

    They are then the first of `areas.near`, with `cell` before all others.
    """
    near, used = areas.near, areas.used
    _sort_by_distance(areas, cell)
    n = near.size
    step = max(n // 4, 1)
    while True:
        end = n
        while end > 1:
            first = max(end - step, 1)
            if _refutes(areas, state, trials, (n, first, end), digit, cases):
                n_kept = 1
                for i in range(1, n):
                    if i == first:
                        end = n_kept
                    if used[near[i]]:
                        near[n_kept] = near[i]
                        n_kept += 1
                n = n_kept
            else:
                end = first
        if step == 1:
            return n
        step = max(step // 3, 1)


@lean_kernel
def _refutes(areas, state, trials, part, digit, cases):
    """Return True if cells refute a digit of the first of them in so many cases.

    `part` is the number of cells, and the first and the end of those that are left aside.
    """
    near, used = areas.near, areas.used
    n, first, end = part
    progress = areas.memory.progress
    n_units = _gather(areas, n, first, end)
    if n_units == 0:
        return False
    used[near[0]] = 1
    open_area(areas, state.mask, used, areas.units[:n_units])
    copy_values(areas.memory.stack[0], areas.start)
    narrow(areas.memory.stack[0], areas.work, near[0], 1 << digit)
    progress[DEPTH] = progress[FOUND] = progress[GUESSES] = 0
    progress[STARTED] = 1
    advance_variant(areas.memory, areas.inside, areas.work, (1, cases))
    forget(areas.work, CELLS, 0)
    trials.effort[0] -= (progress[GUESSES] + AT_ONCE) // AT_ONCE
    return progress[DEPTH] < 0 and progress[FOUND] == 0 and progress[GUESSES] < cases


@lean_kernel
def _gather(areas, n, first, end):
    """List the units that lie in the near cells without some; return the number of units.

    The cells of these units are marked as used.
    """
    scopes, near, used, units = areas.scopes, areas.near, areas.used, areas.units
    used[:] = 0
    for i in range(n):
        used[near[i]] = i < first or i >= end
    n_units = 0
    for unit in range(units.size):
        within = True
        for i in range(scopes.own_start[unit], scopes.own_start[unit + 1]):
            within &= used[scopes.own_cells[i]] != 0
        if within:
            units[n_units] = unit
            n_units += 1
    used[:] = 0
    for unit in units[:n_units]:
        for i in range(scopes.own_start[unit], scopes.own_start[unit + 1]):
            used[scopes.own_cells[i]] = 1
    return n_units


@lean_kernel
def _sort_by_distance(areas, cell):
    """Write all cells, near ones first.

    A step leads from a cell to those in a sum, pattern or line with it.
    """
    scopes, near, reached = areas.scopes, areas.near, areas.used
    reached[:] = 0
    reached[cell] = 1
    near[0] = cell
    n = 1
    first = 0
    while first < n:
        # All cells that a step leads to from those of the last distance.
        last, first = first, n
        for unit in range(len(areas.network.houses), areas.units.size):
            cells = scopes.own_cells[scopes.own_start[unit] : scopes.own_start[unit + 1]]
            touches = False
            for other in cells:
                touches |= reached[other] == 1
            for other in cells:
                if touches and reached[other] == 0:
                    reached[other] = 2
                    near[n] = other
                    n += 1
        for other in near[last:first]:
            reached[other] = 3
        for other in near[first:n]:
            reached[other] = 1
    for other in range(near.size):
        if reached[other] == 0:
            near[n] = other
            n += 1
