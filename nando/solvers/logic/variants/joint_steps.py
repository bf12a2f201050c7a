"""Steps from several rules at once: what the rules of a scope together leave of the candidates.

A candidate is false if each way to go on from it within the scope ends where a rule of the scope
cannot be obeyed. A person looks through the few ways that there are.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.finders.finding import add_cell, begin
from nando.solvers.logic.variants.pattern_steps import filter_pattern
from nando.solvers.logic.variants.relation_steps import supported
from nando.solvers.logic.variants.rule_state import (
    CLOCK,
    KEPT,
    SCOPE,
    UNIONS,
    add_part,
    remove,
    remove_seen,
    takes,
)
from nando.solvers.logic.variants.sum_steps import bound_sum, filter_sum
from nando.solvers.logic.variants.what_ifs import DEEPEST

FEW, SEVERAL, WIDE, MANY = range(4)
"""Degrees: few cells and cases, several, those of two houses, and many cases."""

LIMITS = np.array([(12, 4), (24, 8), (40, 8), (24, 160)])
"""For each degree, the most cells of a scope, and the most cases of a candidate."""

MOST_BLANKS = 5
"""Most blanks of a sum whose combinations are listed; of others only the bounds are used."""

_CELL, _LEFT = range(2)
"""Columns of `Trials.options`: the cell that is tried, and the digits that are left to try."""


@lean_kernel
def find_joint(layout, scopes, looked, state, trials, finding, degree, rating):
    """Find candidates that the rules of a scope rule out together.

    ``looked[degree, scope]`` is the time at which a scope was found to remove nothing.
    """
    for scope in range(scopes.start.size - 1):
        cells = scopes.cells[scopes.start[scope] : scopes.start[scope + 1]]
        if cells.size > LIMITS[degree, 0]:
            break
        new = False
        for cell in cells:
            new |= state.touched[cell] >= looked[degree, scope]
        if not new:
            continue
        work = (layout, scopes, scope, cells, LIMITS[degree, 1])
        begin(finding, rating, 0)
        _rule_out(work, state, trials, finding)
        if finding.head[0]["n_gone"] == 0:
            _lock(work, state, trials, finding, rating)
        if finding.head[0]["n_gone"] == 0:
            looked[degree, scope] = state.counts[CLOCK] + 1
            continue
        for cell in cells:
            add_cell(finding, cell)
        add_part(finding, SCOPE, scope)
        if takes(finding):
            return True
    return False


@lean_kernel
def _rule_out(work, state, trials, finding):
    """Remove the candidates of a scope from which no way leads on."""
    cells = work[3]
    trial = trials.state
    for cell in cells:
        finding.lists[UNIONS, cell] = 0
    for cell in cells:
        left = state.mask[cell]
        if state.filled[cell]:
            continue
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            if finding.lists[UNIONS, cell] >> digit & 1:
                continue
            _start(state, trial, cells)
            trial.mask[cell] = 1 << digit
            outcome = _search(work, trials, finding)
            if outcome > 0:
                for other in cells:
                    finding.lists[UNIONS, other] |= trial.mask[other]
            elif outcome == 0:
                remove(state, finding, cell, 1 << digit)


@lean_kernel
def _lock(work, state, trials, finding, rating):
    """Remove a digit that the scope must hold from the cells that see all its places."""
    layout, _, _, cells, _ = work
    trial = trials.state
    some = 0
    for cell in cells:
        some |= state.mask[cell]
    while some:
        digit = lowest_bit(some)
        some &= some - 1
        begin(finding, rating, 1 << digit)
        remove_seen(layout, state, finding, cells, digit)
        if finding.head[0]["n_gone"] == 0:
            continue
        _start(state, trial, cells)
        empty = False
        for cell in cells:
            trial.mask[cell] &= ~(1 << digit)
            empty |= trial.mask[cell] == 0
        if empty or _search(work, trials, finding) != 0:
            finding.head[0]["n_gone"] = 0
            continue
        return


@inlined_kernel
def _start(state, trial, cells):
    for cell in cells:
        trial.mask[cell] = state.mask[cell]


@lean_kernel
def _search(work, trials, finding):
    """Search for a filling of a scope; return 1, 0 if there is none, or -1 after so many cases.

    The filling is left in the masks of the trial.
    """
    layout, scopes, scope, cells, cases = work
    trial = trials.state
    depth = 0
    tried = 0
    while True:
        if _narrow(layout, scopes, trial, finding, scope, cells):
            best = -1
            least = 1 << 20
            for cell in cells:
                size = n_bits(trial.mask[cell])
                if 1 < size < least:
                    least = size
                    best = cell
            if best < 0:
                return 1
            if depth == DEEPEST:
                return -1
            trials.options[depth, _CELL] = best
            trials.options[depth, _LEFT] = trial.mask[best]
            for i in range(cells.size):
                trials.masks[depth, i] = trial.mask[cells[i]]
            depth += 1
        while depth and trials.options[depth - 1, _LEFT] == 0:
            depth -= 1
        if depth == 0:
            return 0
        tried += 1
        if tried > cases:
            return -1
        for i in range(cells.size):
            trial.mask[cells[i]] = trials.masks[depth - 1, i]
        left = trials.options[depth - 1, _LEFT]
        trial.mask[trials.options[depth - 1, _CELL]] = left & -left
        trials.options[depth - 1, _LEFT] = left & (left - 1)


@lean_kernel
def _narrow(layout, scopes, trial, finding, scope, cells):
    """Remove what pairs of cells, houses, sums and patterns of a scope exclude, one by one.

    Return False if nothing fits.
    """
    changed = True
    while changed:
        changed = False
        for cell in cells:
            mask = trial.mask[cell]
            if mask == 0:
                return False
            alone = mask & (mask - 1) == 0
            if alone:
                for other in cells:
                    if trial.mask[other] & mask and layout.grid.sees[cell, other]:
                        trial.mask[other] &= ~mask
                        changed = True
                        if trial.mask[other] == 0:
                            return False
        for cell in cells:
            for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
                to = layout.arc_cell[arc]
                if not _holds(cells, to):
                    continue
                gone = trial.mask[to] & ~supported(layout, arc, trial.mask[cell])
                if gone:
                    trial.mask[to] &= ~gone
                    changed = True
                    if trial.mask[to] == 0:
                        return False
        if changed:
            continue
        for i in range(scopes.house_start[scope], scopes.house_start[scope + 1]):
            house = scopes.houses[i]
            once = 0
            twice = 0
            for cell in layout.grid.houses[house]:
                twice |= once & trial.mask[cell]
                once |= trial.mask[cell]
            if once != (1 << layout.grid.size) - 1:
                return False
            for cell in layout.grid.houses[house]:
                lone = trial.mask[cell] & ~twice
                if lone and lone != trial.mask[cell]:
                    trial.mask[cell] = lone
                    changed = True
        if changed:
            continue
        for i in range(scopes.sum_start[scope], scopes.sum_start[scope + 1]):
            number = scopes.sums[i]
            start, end = layout.sum_start[number], layout.sum_start[number + 1]
            n_open = 0
            for j in range(start, end):
                mask = trial.mask[layout.sum_cells[j]]
                n_open += mask & (mask - 1) != 0
            if n_open > MOST_BLANKS:
                if end - start > 30:
                    continue
                bound_sum(layout, trial, finding, number)
            else:
                filter_sum(layout, trial, finding, number)
            for j in range(start, end):
                kept = finding.lists[KEPT, j - start]
                if trial.mask[layout.sum_cells[j]] & ~kept:
                    trial.mask[layout.sum_cells[j]] &= kept
                    changed = True
                    if trial.mask[layout.sum_cells[j]] == 0:
                        return False
        if changed:
            continue
        for i in range(scopes.pattern_start[scope], scopes.pattern_start[scope + 1]):
            number = scopes.patterns[i]
            filter_pattern(layout, trial, finding, number)
            start = layout.pattern_start[number]
            for j in range(start, layout.pattern_start[number + 1]):
                kept = finding.lists[KEPT, j - start]
                if trial.mask[layout.pattern_cells[j]] & ~kept:
                    trial.mask[layout.pattern_cells[j]] &= kept
                    changed = True
                    if trial.mask[layout.pattern_cells[j]] == 0:
                        return False
    return True


@inlined_kernel
def _holds(cells, cell):
    held = False
    for other in cells:
        held |= other == cell
    return held
