"""What-ifs: assumptions that lead to a contradiction, or all of which have one consequence."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.arrays import copy_values
from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.chains.implications import longer
from nando.solvers.logic.finders.finding import Finding, add_cell, add_house, begin
from nando.solvers.logic.variants.layout import Layout
from nando.solvers.logic.variants.rule_state import (
    BROKEN,
    BROKEN_AT,
    BROKEN_DIGIT,
    CLOCK,
    N_OPEN,
    N_TRAIL,
    UNIONS,
    VariantState,
    new_finding,
    new_state,
    remove,
    takes,
)
from nando.solvers.logic.variants.trials import assume, copy_state
from nando.solvers.variants.tables import Ints

MOST_CASES = 3
"""Most cases of a dilemma."""
DEEPEST = 60
"""Most assumptions nested in each other."""

_CELL, _LEFT, _BLANKS = range(3)
"""Columns of :attr:`Trials.options`."""

NO_LIMIT = 1 << 20


class Trials(NamedTuple):
    """Workspace for trials.

    Attributes
    ----------
    state : VariantState
    step : Finding
        A step that is compared with the best so far.
    effort : ndarray of int64, shape (1,)
        Number of assumptions that nested what-ifs may still make.
    masks, touched, looked, filled : ndarray, shape (DEEPEST, ...)
        Copies of the arrays of `state` before each nested assumption.
    options : ndarray of int64, shape (DEEPEST, 3)
        For each nested assumption, its cell (`_CELL`), the candidates left to try (`_LEFT`), and
        the number of blanks (`_BLANKS`).
    exceeded : ndarray of int64, shape (2, n_cells * n_digits)
        For each candidate, the most assumptions that did not refute it, and the number of
        candidates on the grid at that time.
    """

    state: VariantState
    step: Finding
    effort: Ints
    masks: Ints
    touched: Ints
    looked: Ints
    filled: NDArray[np.bool_]
    options: Ints
    exceeded: Ints


def new_trials(layout: Layout, effort: Ints) -> Trials:
    """Return the workspace for trials, with the effort that is left."""
    state = new_state(layout)
    n = layout.grid.n_cells
    return Trials(
        state,
        new_finding(layout),
        effort,
        np.zeros((DEEPEST, n), np.int64),
        np.zeros((DEEPEST, n), np.int64),
        np.zeros((DEEPEST, state.looked.size), np.int64),
        np.zeros((DEEPEST, n), np.bool_),
        np.zeros((DEEPEST, _BLANKS + 1), np.int64),
        np.zeros((2, n * layout.grid.size), np.int64),
    )


@inlined_kernel
def _has_houses_alone(layout):
    """Return True if all rules are houses: then forcing chains find as much."""
    return layout.arc_cell.size + layout.sum_totals.size + layout.pattern_first.size == 0


@lean_kernel
def find_what_if(layout, state, trials, finding, rating):
    """Find the candidate from which the fewest digits lead to a contradiction."""
    if _has_houses_alone(layout):
        return False
    trial = trials.state
    best = NO_LIMIT
    start = -1
    for cell in range(layout.grid.n_cells):
        if state.filled[cell]:
            continue
        left = state.mask[cell]
        while left and best > 1:
            digit = lowest_bit(left)
            left &= left - 1
            copy_state(state, trial)
            broken = assume(layout, trial, finding, cell, digit, best)
            if broken and trial.counts[N_TRAIL] < best:
                best = trial.counts[N_TRAIL]
                start = cell * layout.grid.size + digit
    if start < 0:
        return False
    cell, digit = start // layout.grid.size, start % layout.grid.size
    _shorten(layout, state, trial, finding, cell, digit, best)
    n_trail = trial.counts[N_TRAIL]
    begin(finding, rating + longer(2 * n_trail + 2), 1 << digit)
    remove(state, finding, cell, 1 << digit)
    _write_trail(finding, trial)
    head = finding.head[0]
    head["ends_in"] = trial.counts[BROKEN]
    head["ends_at"] = trial.counts[BROKEN_AT]
    head["ends_digit"] = trial.counts[BROKEN_DIGIT]
    return takes(finding)


@lean_kernel
def _shorten(layout, state, trial, finding, cell, digit, best):
    """Bar the digits that the contradiction does not need; `trial` is left at the contradiction."""
    barred = trial.barred
    barred[:] = False
    # The limit is one more than the digits, so that houses and rules are checked after the last.
    best += 1
    copy_state(state, trial)
    assume(layout, trial, finding, cell, digit, best)
    place = trial.counts[N_TRAIL] - 1
    while place > 0:
        spare = trial.trail[place] // layout.grid.size
        barred[spare] = True
        copy_state(state, trial)
        if not assume(layout, trial, finding, cell, digit, best):
            barred[spare] = False
            copy_state(state, trial)
            assume(layout, trial, finding, cell, digit, best)
        else:
            best = min(best, trial.counts[N_TRAIL] + 1)
        place = min(place, trial.counts[N_TRAIL]) - 1
    barred[:] = False


@inlined_kernel
def _write_trail(finding, trial):
    """Add the digits of a trial to the literals."""
    for i in range(trial.counts[N_TRAIL]):
        finding.links[0, finding.head[0]["n_literals"]] = 2 * trial.trail[i] + 1
        finding.head[0]["n_literals"] += 1


@lean_kernel
def find_dilemma(layout, state, trials, finding, rating):
    """Find candidates that all candidates of a cell, or all positions of a digit, rule out.

    A case that leads to a contradiction rules out everything. Short ways come first.
    """
    if _has_houses_alone(layout):
        return False
    limit = 4
    while limit < NO_LIMIT:
        for cell in range(layout.grid.n_cells):
            if state.filled[cell] or n_bits(state.mask[cell]) > MOST_CASES:
                continue
            begin(finding, rating, state.mask[cell])
            add_cell(finding, cell)
            finding.lists[UNIONS, :] = 0
            left = state.mask[cell]
            while left:
                _case(layout, state, trials, finding, cell, lowest_bit(left), limit)
                left &= left - 1
            if _common(layout, state, finding, cell):
                return True
        for house in range(len(layout.grid.houses)):
            for digit in range(layout.grid.size):
                places = state.positions[house, digit]
                if places == 0 or n_bits(places) > MOST_CASES:
                    continue
                begin(finding, rating, 1 << digit)
                add_house(finding, house)
                finding.lists[UNIONS, :] = 0
                left = places
                while left:
                    cell = layout.grid.houses[house, lowest_bit(left)]
                    left &= left - 1
                    add_cell(finding, cell)
                    _case(layout, state, trials, finding, cell, digit, limit)
                if _common(layout, state, finding, -1):
                    return True
        limit = limit * 4 if limit < 60 else NO_LIMIT
    return False


@lean_kernel
def _case(layout, state, trials, finding, cell, digit, limit):
    """Follow one case, and add the candidates that it leaves to each cell."""
    trial = trials.state
    copy_state(state, trial)
    if finding.head[0]["n_literals"]:
        finding.links[0, finding.head[0]["n_literals"]] = -1
        finding.head[0]["n_literals"] += 1
    broken = assume(layout, trial, finding, cell, digit, limit)
    _write_trail(finding, trial)
    if not broken:
        for other in range(layout.grid.n_cells):
            finding.lists[UNIONS, other] |= trial.mask[other]


@lean_kernel
def _common(layout, state, finding, cell):
    """Write the candidates that no case allows, except for those of `cell`, which has the cases."""
    for other in range(layout.grid.n_cells):
        if other != cell:
            remove(state, finding, other, ~finding.lists[UNIONS, other])
    finding.head[0]["rating"] += longer(finding.head[0]["n_literals"] + 2)
    return takes(finding)


@lean_kernel
def find_deep_what_if(layout, state, trials, finding, rating):
    """Find a candidate that is false because every continuation leads to a contradiction.

    The candidates that take the fewest assumptions come first. One that took too many is tried
    again with as few only after a tenth of all candidates is gone.
    """
    exceeded = trials.exceeded
    n_left = 0
    for cell in range(layout.grid.n_cells):
        n_left += n_bits(state.mask[cell])
    budget = 4
    while budget < NO_LIMIT:
        for width in range(2, layout.grid.size + 1):
            for cell in range(layout.grid.n_cells):
                if state.filled[cell] or n_bits(state.mask[cell]) != width:
                    continue
                left = state.mask[cell]
                while left:
                    digit = lowest_bit(left)
                    left &= left - 1
                    start = cell * layout.grid.size + digit
                    if budget <= exceeded[0, start] and 10 * n_left > 9 * exceeded[1, start]:
                        continue
                    if trials.effort[0] <= 0:
                        return False
                    tried = _refute(layout, state, trials, finding, cell, digit, budget)
                    if tried == 0:
                        exceeded[0, start] = budget
                        exceeded[1, start] = n_left
                        continue
                    begin(finding, rating + longer(2 * tried + 2), 1 << digit)
                    remove(state, finding, cell, 1 << digit)
                    copy_state(state, trials.state)
                    assume(layout, trials.state, finding, cell, digit, NO_LIMIT)
                    _write_trail(finding, trials.state)
                    finding.head[0]["n_tried"] = tried
                    if takes(finding):
                        return True
        budget *= 4
    return False


@lean_kernel
def _refute(layout, state, trials, finding, cell, digit, budget):
    """Return the number of assumptions that refute a candidate, or 0 if it exceeds the budget."""
    trial = trials.state
    copy_state(state, trial)
    tried = 1
    trials.effort[0] -= 1
    if assume(layout, trial, finding, cell, digit, NO_LIMIT):
        return tried
    depth = -1
    while True:
        if trial.counts[BROKEN] == 0:
            # Continue with the cell that has the fewest candidates.
            if trial.counts[N_OPEN] == 0 or depth + 1 == DEEPEST:
                return 0
            depth += 1
            _store(trial, trials, depth, _narrowest(layout, trial))
        while trials.options[depth, _LEFT] == 0:
            depth -= 1
            if depth < 0:
                return tried
        tried += 1
        trials.effort[0] -= 1
        if tried > budget:
            return 0
        _restore(trial, trials, depth)
        option = lowest_bit(trials.options[depth, _LEFT])
        trials.options[depth, _LEFT] &= trials.options[depth, _LEFT] - 1
        assume(layout, trial, finding, trials.options[depth, _CELL], option, NO_LIMIT)


@inlined_kernel
def _narrowest(layout, state):
    best = -1
    least = 1 << 20
    for cell in range(layout.grid.n_cells):
        if not state.filled[cell] and n_bits(state.mask[cell]) < least:
            least = n_bits(state.mask[cell])
            best = cell
    return best


@lean_kernel
def _store(trial, trials, depth, cell):
    """Store the state of a trial before one of the candidates of a cell is assumed."""
    trials.options[depth, _CELL] = cell
    trials.options[depth, _LEFT] = trial.mask[cell]
    trials.options[depth, _BLANKS] = trial.counts[N_OPEN]
    copy_values(trials.masks[depth], trial.mask)
    copy_values(trials.touched[depth], trial.touched)
    copy_values(trials.filled[depth], trial.filled)
    copy_values(trials.looked[depth], trial.looked)


@lean_kernel
def _restore(trial, trials, depth):
    copy_values(trial.mask, trials.masks[depth])
    copy_values(trial.touched, trials.touched[depth])
    copy_values(trial.filled, trials.filled[depth])
    copy_values(trial.looked, trials.looked[depth])
    trial.counts[N_OPEN] = trials.options[depth, _BLANKS]
    trial.counts[BROKEN] = 0
    trial.counts[N_TRAIL] = 0
    # Later than every earlier check of a constraint.
    trial.counts[CLOCK] += 1
