"""What-ifs: assumptions that lead to a contradiction, or all of which have one consequence.

Deep ones try every continuation of an assumption. The exact search looks for the continuations: its
constraints are checked only where something changed, and it goes on where contradictions were met
before.
"""

from typing import NamedTuple

import numpy as np

from nando.kernels.compile import copy_values, inlined_kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.variants import STARTED, advance_variant
from nando.solvers.logic.chains.link_sets import longer
from nando.solvers.logic.finders.finding import Finding, add_cell, add_house, begin
from nando.solvers.logic.variants.layout import Layout
from nando.solvers.logic.variants.rule_state import (
    BROKEN,
    BROKEN_AT,
    BROKEN_DIGIT,
    N_TRAIL,
    UNIONS,
    VariantState,
    new_finding,
    new_state,
    remove,
    takes,
)
from nando.solvers.logic.variants.trials import assume, copy_state
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import CELLS, enlist_all, forget, narrow

MOST_CASES = 3
"""Most cases of a dilemma."""

NO_LIMIT = 1 << 20

MOST_ASSUMED = 1_024
"""Most assumptions that are made to refute a candidate; a quarter while nearly all are left."""

AT_ONCE = 10
"""Assumptions that count as one of the effort; a search for nested chains takes as long as many."""


class Trials(NamedTuple):
    """Workspace for trials.

    Attributes
    ----------
    state : VariantState
    step : Finding
        A step that is compared with the best so far.
    effort : ndarray of int64, shape (1,)
        Number of assumptions that nested what-ifs may still make.
    exceeded : ndarray of int64, shape (2, n_cells * n_digits)
        For each candidate, the most assumptions that did not refute it, and the number of
        candidates on the grid at that time.
    """

    state: VariantState
    step: Finding
    effort: Ints
    exceeded: Ints


def new_trials(layout: Layout, effort: Ints) -> Trials:
    """Return the workspace for trials, with the effort that is left."""
    n = layout.grid.n_cells
    return Trials(
        new_state(layout),
        new_finding(layout),
        effort,
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
    write_trail(finding, trial)
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
def write_trail(finding, trial):
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
    write_trail(finding, trial)
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
def find_deep_what_if(layout, areas, memory, state, trials, finding, rating):
    """Find a candidate that is false because every continuation leads to a contradiction.

    The candidates that take the fewest assumptions come first. One that took too many is tried
    again with as few only after a tenth of all candidates is gone, and one of a known solution is
    not tried at all. `layout` is that of the state; the areas have further sums.
    """
    n_left = begin_search(areas, state)
    search = (areas, memory, n_left)
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
                    tried = refute(layout, search, trials, cell, digit, budget)
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
def begin_search(areas, state):
    """Write what all constraints leave of the candidates; return the number of candidates."""
    copy_values(areas.grid, state.mask)
    enlist_all(areas.grid, areas.network, areas.work)
    propagate(areas.grid, areas.network, areas.work)
    n_left = 0
    for mask in state.mask:
        n_left += n_bits(mask)
    return n_left


@lean_kernel
def refute(layout, search, trials, cell, digit, budget):
    """Return the number of assumptions that refute a candidate, or 0 if that is not shown.

    `search` is the areas, the memory and the number of candidates, as `begin_search` left them.
    """
    areas, memory, n_left = search
    start = areas.grid
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
