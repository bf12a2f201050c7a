"""Steps from several rules at once: what the rules of a scope together leave of the candidates.

A candidate is false if each way to go on from it within the scope ends where a rule of the scope
cannot be obeyed. A person looks through the few ways that there are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Variant
from nando.solvers.logic.finders.finding import CHOSEN, ITEMS, add_cell, begin
from nando.solvers.logic.variants.layout import Layout
from nando.solvers.logic.variants.relation_steps import filter_pattern, supported
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
from nando.solvers.logic.variants.scopes import (
    MOST_WAYS,
    Scopes,
    has_way_without,
    keep_way,
    recall,
    scopes_of,
)
from nando.solvers.logic.variants.sum_steps import bound_sum, filter_sum
from nando.solvers.logic.variants.what_ifs import DEEPEST
from nando.solvers.variants.network import Network
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import CELLS, Work, latest, new_work

FEW, SEVERAL, WIDE, MANY, LARGE = range(5)
"""Degrees: few cells and cases, several, those of two houses, many cases, those of three houses."""

LIMITS = np.array(
    [
        (12, 4, 1 << 40),
        (24, 8, 1_500_000),
        (40, 8, 1_500_000),
        (40, 200, 1_500_000),
        (60, 200, 300_000),
    ]
)
"""For each degree, the most cells of a scope, the most cases of a candidate, and how often the
rules of a scope are applied in a walk, which takes some five seconds."""

_MOST_CELLS, _CASES, _WORK = range(3)
"""Columns of `LIMITS`."""

MOST_BLANKS = 5
"""Most blanks of a sum with repeats whose combinations are listed; others are bounded."""

MOST_BOUND = 30
"""Most cells of a sum whose bounds are used."""

MOST_SOUGHT = 60
"""Most cases in which a filling is searched for, though more than a step allows."""

_CELL, _LEFT = range(2)
"""Columns of `Trials.options`: the place of the cell that is tried, and the digits left to try."""


class Areas(NamedTuple):
    """The scopes of a variant, and memory for the steps in them.

    Attributes
    ----------
    layout : Layout
    network : Network
        Both have all sums that follow by the 45 rule, in the same order.
    scopes : Scopes
    looked : ndarray of int64, shape (n_degrees, n_scopes)
        Time at which each scope was found to remove nothing.
    work : Work
        What the sums of different digits need; empty between two calls.
    spent : ndarray of int64, shape (n_degrees,)
        How often the rules of a scope were applied at each degree.
    n_ways : ndarray of int64, shape (n_scopes,)
    ways : ndarray of int8
        Fillings found of each scope, `n_ways` from ``MOST_WAYS * scopes.start`` on. No search is
        needed for a candidate of one that is still possible.
    latest : ndarray of int64, shape (n_cells,)
        The digit of each cell in the latest filling, which is tried first.
    sought : ndarray of int64
        For each cell of each scope, the candidates that a long search found in no filling.
    """

    layout: Layout
    network: Network
    scopes: Scopes
    looked: Ints
    work: Work
    spent: Ints
    n_ways: Ints
    ways: NDArray[np.int8]
    latest: Ints
    sought: Ints


def areas_of(puzzle: Variant) -> Areas:
    """Return the scopes of a variant, none of which was looked at."""
    network, layout, scopes = scopes_of(puzzle)
    n_scopes, n_places = scopes.start.size - 1, scopes.cells.size
    return Areas(
        layout,
        network,
        scopes,
        looked=np.zeros((len(LIMITS), n_scopes), np.int64),
        work=new_work(network),
        spent=np.zeros(len(LIMITS), np.int64),
        n_ways=np.zeros(n_scopes, np.int64),
        ways=np.zeros(MOST_WAYS * n_places, np.int8),
        latest=np.zeros(layout.grid.n_cells, np.int64),
        sought=np.zeros(n_places, np.int64),
    )


@lean_kernel
def find_joint(areas, state, trials, finding, degree, rating):
    """Find candidates that the rules of a scope rule out together."""
    scopes, looked = areas.scopes, areas.looked
    for scope in range(scopes.start.size - 1):
        cells = scopes.cells[scopes.start[scope] : scopes.start[scope + 1]]
        if cells.size > LIMITS[degree, _MOST_CELLS]:
            break
        if areas.spent[degree] > LIMITS[degree, _WORK]:
            break
        new = False
        for cell in cells:
            new |= state.touched[cell] >= looked[degree, scope]
        if not new:
            continue
        work = (areas, scope, cells, degree)
        begin(finding, rating, 0)
        _rule_out(work, state, trials, finding)
        if finding.head[0]["n_gone"] == 0:
            _lock(work, state, trials, finding, rating)
        if finding.head[0]["n_gone"] == 0:
            # With fewer cases nothing is found either.
            for other in range(len(LIMITS)):
                if LIMITS[other, _CASES] <= LIMITS[degree, _CASES]:
                    looked[other, scope] = state.counts[CLOCK] + 1
            continue
        for cell in cells:
            add_cell(finding, cell)
        add_part(finding, SCOPE, scope)
        if takes(finding):
            return True
    return False


@lean_kernel
def _prepare(work, finding):
    """Write the place of each cell in the scope, -1 for others, and the places each cell sees."""
    areas, _, cells, _ = work
    layout = areas.layout
    finding.lists[ITEMS, : layout.grid.n_cells] = -1
    for i in range(cells.size):
        finding.lists[ITEMS, cells[i]] = i
        near = 0
        for j in range(cells.size):
            near |= int(layout.grid.sees[cells[i], cells[j]]) << j
        finding.lists[CHOSEN, i] = near


@lean_kernel
def _rule_out(work, state, trials, finding):
    """Remove the candidates of a scope from which no way leads on."""
    areas, scope, cells, _ = work
    trial = trials.state
    sought = areas.sought[areas.scopes.start[scope] :]
    _prepare(work, finding)
    recall(work, state, finding)
    left = 0
    for i in range(cells.size):
        trial.mask[cells[i]] = state.mask[cells[i]]
        trials.masks[DEEPEST - 1, i] = state.mask[cells[i]]
        left |= state.mask[cells[i]] & ~finding.lists[UNIONS, cells[i]]
    if left == 0 or not _narrow(work, trial, finding, (1 << cells.size) - 1):
        return
    # What remains is where each trial begins.
    for i in range(cells.size):
        trials.masks[DEEPEST - 1, i] = trial.mask[cells[i]]
    for i in range(cells.size):
        cell = cells[i]
        if state.filled[cell]:
            continue
        remove(state, finding, cell, ~trials.masks[DEEPEST - 1, i])
        left = trials.masks[DEEPEST - 1, i]
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            if finding.lists[UNIONS, cell] >> digit & 1:
                continue
            for j in range(cells.size):
                trial.mask[cells[j]] = trials.masks[DEEPEST - 1, j]
            trial.mask[cell] = 1 << digit
            outcome = _search(work, trials, finding, 1 << i, sought[i] >> digit & 1 == 0)
            if outcome > 0:
                keep_way(work, trial, finding)
            elif outcome == 0:
                remove(state, finding, cell, 1 << digit)
            else:
                sought[i] |= 1 << digit


@lean_kernel
def _lock(work, state, trials, finding, rating):
    """Remove a digit that the scope must hold from the cells that see all its places."""
    areas, _, cells, _ = work
    layout = areas.layout
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
        if has_way_without(work, digit):
            finding.head[0]["n_gone"] = 0
            continue
        left = 0
        for i in range(cells.size):
            trial.mask[cells[i]] = trials.masks[DEEPEST - 1, i] & ~(1 << digit)
            left |= int(trial.mask[cells[i]] != trials.masks[DEEPEST - 1, i]) << i
        outcome = _search(work, trials, finding, left, True)
        if outcome == 0:
            return
        if outcome > 0:
            keep_way(work, trial, finding)
        finding.head[0]["n_gone"] = 0


@lean_kernel
def _search(work, trials, finding, new, is_long):
    """Search for a filling of a scope; return 1, 0 if there is none, or -1 if that is open.

    `new` are the places of the cells that differ from the start of the trial. The filling is left
    in the masks of the trial. That there is none must show in the cases of a step. A long search
    tries more to find one; a short one ends as soon as the cases cannot be enough.
    """
    areas, _, cells, degree = work
    trial = trials.state
    cases = LIMITS[degree, _CASES]
    depth = 0
    tried = 0
    pending = 0
    limit = max(cases, MOST_SOUGHT) if is_long else cases
    while True:
        if _narrow(work, trial, finding, new):
            best = -1
            least = 1 << 20
            for i in range(cells.size):
                size = n_bits(trial.mask[cells[i]])
                if 1 < size < least:
                    least = size
                    best = i
            if best < 0:
                return 1
            if depth == DEEPEST - 1:
                return -1
            pending += least
            if not is_long and tried + pending > cases:
                return -1
            trials.options[depth, _CELL] = best
            trials.options[depth, _LEFT] = trial.mask[cells[best]]
            for i in range(cells.size):
                trials.masks[depth, i] = trial.mask[cells[i]]
            depth += 1
        while depth and trials.options[depth - 1, _LEFT] == 0:
            depth -= 1
        if depth == 0:
            return 0 if tried <= cases else -1
        tried += 1
        pending -= 1
        if tried > limit:
            return -1
        for i in range(cells.size):
            trial.mask[cells[i]] = trials.masks[depth - 1, i]
        left = trials.options[depth - 1, _LEFT]
        place = trials.options[depth - 1, _CELL]
        first = left & 1 << areas.latest[cells[place]]
        if first == 0:
            first = left & -left
        trial.mask[cells[place]] = first
        trials.options[depth - 1, _LEFT] = left & ~first
        new = 1 << place


@lean_kernel
def _narrow(work, trial, finding, new):
    """Remove what pairs of cells, houses, sums and patterns of a scope exclude, one by one.

    `new` are the places of the cells that changed. Return False if nothing fits.
    """
    areas, scope, cells, degree = work
    layout, scopes = areas.layout, areas.scopes
    areas.spent[degree] += 1
    recent = 0
    while new:
        recent |= new
        while new:
            i = lowest_bit(new)
            new &= new - 1
            further = _pair(layout, cells, trial, finding, i)
            if further < 0:
                return False
            new |= further
            recent |= further
        new = 0
        for k in range(scopes.house_start[scope], scopes.house_start[scope + 1]):
            new = _keep_house(layout, trial, finding, scopes.houses[k], new)
            if new < 0:
                return False
        if new:
            continue
        for k in range(scopes.sum_start[scope], scopes.sum_start[scope + 1]):
            number = scopes.sums[k]
            start, end = layout.sum_start[number], layout.sum_start[number + 1]
            members = layout.sum_cells[start:end]
            if not _holds_one(finding, members, recent):
                continue
            n_open = 0
            if not areas.network.sum_distinct[number]:
                for cell in members:
                    n_open += trial.mask[cell] & (trial.mask[cell] - 1) != 0
                if n_open <= MOST_BLANKS:
                    filter_sum(layout, trial, finding, number)
                elif end - start <= MOST_BOUND:
                    bound_sum(layout, trial, finding, number)
                else:
                    continue
                new = _keep(members, trial, finding, new)
            if new >= 0 and (areas.network.sum_distinct[number] or n_open > MOST_BLANKS):
                new = _keep_sum(areas, trial, finding, number, new)
            if new < 0:
                return False
        for k in range(scopes.pattern_start[scope], scopes.pattern_start[scope + 1]):
            number = scopes.patterns[k]
            start, end = layout.pattern_start[number], layout.pattern_start[number + 1]
            members = layout.pattern_cells[start:end]
            if _holds_one(finding, members, recent | new):
                filter_pattern(layout, trial, finding, number)
                new = _keep(members, trial, finding, new)
                if new < 0:
                    return False
        # Sums and patterns are checked again where they changed something.
        recent = 0
    return True


@inlined_kernel
def _holds_one(finding, members, places):
    held = False
    for cell in members:
        held |= places >> finding.lists[ITEMS, cell] & 1 == 1
    return held


@lean_kernel
def _keep_sum(areas, trial, finding, number, new):
    """Keep the combinations of a sum of different digits; return as `_keep` does."""
    work = areas.work
    sound = narrow_sum(trial.mask, areas.network, work, number)
    while work.counts[CELLS] > 0:
        cell = latest(work.cells, work.has_cell, work.counts, CELLS)
        if finding.lists[ITEMS, cell] >= 0:
            new |= 1 << finding.lists[ITEMS, cell]
            sound &= trial.mask[cell] != 0
    return new if sound else -1


@lean_kernel
def _keep(members, trial, finding, new):
    """Keep the digits in the workspace; return the places that changed, or -1 if nothing fits."""
    for i in range(members.size):
        cell = members[i]
        kept = trial.mask[cell] & finding.lists[KEPT, i]
        if kept == 0:
            return -1
        if kept != trial.mask[cell]:
            trial.mask[cell] = kept
            new |= 1 << finding.lists[ITEMS, cell]
    return new


@lean_kernel
def _keep_house(layout, trial, finding, house, new):
    """Enter the digits that have one place in a house; return as `_keep` does."""
    once = 0
    twice = 0
    for cell in layout.grid.houses[house]:
        twice |= once & trial.mask[cell]
        once |= trial.mask[cell]
    if once != (1 << layout.grid.size) - 1:
        return -1
    for cell in layout.grid.houses[house]:
        lone = trial.mask[cell] & ~twice
        if lone and lone != trial.mask[cell]:
            if lone & (lone - 1):
                return -1
            trial.mask[cell] = lone
            new |= 1 << finding.lists[ITEMS, cell]
    return new


@lean_kernel
def _pair(layout, cells, trial, finding, place):
    """Remove what a cell excludes in others; return the places that changed, or -1."""
    cell = cells[place]
    mask = trial.mask[cell]
    if mask == 0:
        return -1
    new = 0
    if mask & (mask - 1) == 0:
        near = finding.lists[CHOSEN, place]
        while near:
            i = lowest_bit(near)
            near &= near - 1
            if trial.mask[cells[i]] & mask:
                trial.mask[cells[i]] &= ~mask
                new |= 1 << i
                if trial.mask[cells[i]] == 0:
                    return -1
    for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
        i = finding.lists[ITEMS, layout.arc_cell[arc]]
        if i >= 0:
            kept = trial.mask[cells[i]] & supported(layout, arc, mask)
            if kept == 0:
                return -1
            if kept != trial.mask[cells[i]]:
                trial.mask[cells[i]] = kept
                new |= 1 << i
    return new
