"""Steps from several rules at once: what the rules of an area together leave of the candidates.

A candidate is false if each way to go on from it within a scope ends where a rule of the scope
cannot be obeyed. A person looks through the few ways that there are. The exact search does, with
the constraints of the scope alone.

An area may also be chosen for a candidate. A person who suspects one follows the rules near by, and
leaves aside those that do not matter. Here the exact search refutes it on the whole grid, then
without some cells and all that touches them, those far away first, as long as the cases remain few.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, lean_kernel, lowest_bit, n_bits
from nando.puzzles import Variant
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.variants import STARTED, Memory, advance_variant, new_memory
from nando.solvers.logic.finders.finding import add_cell, begin
from nando.solvers.logic.variants.layout import Layout, layout_of
from nando.solvers.logic.variants.rule_state import (
    CLOCK,
    SCOPE,
    UNIONS,
    UNIT,
    add_part,
    remove,
    remove_seen,
    takes,
)
from nando.solvers.logic.variants.scopes import (
    MOST_WAYS,
    Scopes,
    close_area,
    has_way_without,
    keep_way,
    open_area,
    recall,
    scopes_of,
)
from nando.solvers.logic.variants.what_ifs import AT_ONCE, begin_search, refute
from nando.solvers.variants.network import Network, with_pairs
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import CELLS, Work, forget, narrow, new_work

FEW, SEVERAL, WIDE, MANY, LARGE = range(5)
"""Degrees: few cells and cases, several, those of two houses, many cases, a chosen area."""

LIMITS = np.array(
    [
        (12, 4, 1 << 40),
        (24, 8, 500_000),
        (40, 8, 500_000),
        (40, 200, 500_000),
        (68, 200, 600_000),
    ]
)
"""For each degree, the most cells of a scope, the most cases of a candidate, and the most cases of
a walk, which take some five seconds, and in chosen areas up to twenty."""

MOST_CELLS, CASES, _WORK = range(3)
"""Columns of `LIMITS`."""

MOST_SOUGHT = 60
"""Most cases in which a filling is searched for, though more than a step allows."""


class Areas(NamedTuple):
    """The scopes of a variant, and memory for the steps in them.

    Attributes
    ----------
    layout : Layout
    network : Network
        With all sums that follow by the 45 rule, and sums that are added up.
    scopes : Scopes
    looked : ndarray of int64, shape (n_degrees, n_scopes)
        Time at which each scope was found to remove nothing.
    work : Work
        Empty between two calls.
    spent : ndarray of int64, shape (n_degrees,)
        Cases looked at so far at each degree.
    n_ways : ndarray of int64, shape (n_scopes,)
    ways : ndarray of int8
        Fillings found of each scope, `n_ways` from ``MOST_WAYS * scopes.start`` on. No search is
        needed for a candidate of one that is still possible.
    sought : ndarray of int64
        For each cell of each scope, the candidates that a long search found in no filling.
    inside : Network
        The houses and overlaps of one scope, which the next three arrays change.
    own_houses : ndarray of int64, shape (n_words,)
        The houses of the scope as bits.
    house_bits, overlaps : ndarray of int64
    start, grid : ndarray of int64, shape (n_cells,)
        The candidates before any case: of a scope, 0 in cells outside, and of the whole grid.
    memory : Memory
        Of the search, which remembers where contradictions were met.
    near, used : ndarray of int64, shape (n_cells,)
        Cells of an area that is being chosen, near ones first, and marks of cells.
    units : ndarray of int64, shape (n_units,)
        The units of that area.
    vain : ndarray of int64, shape (n_cells * n_digits,)
        For each candidate that only too large an area refutes, the number of candidates on the
        grid at that time, else 0.
    effort : ndarray of int64, shape (1,)
        What is left for choosing areas, in `AT_ONCE` cases.
    """

    layout: Layout
    network: Network
    scopes: Scopes
    looked: Ints
    work: Work
    spent: Ints
    n_ways: Ints
    ways: NDArray[np.int8]
    sought: Ints
    inside: Network
    own_houses: Ints
    house_bits: Ints
    overlaps: Ints
    start: Ints
    grid: Ints
    memory: Memory
    near: Ints
    used: Ints
    units: Ints
    vain: Ints
    effort: Ints


def areas_of(puzzle: Variant) -> Areas:
    """Return the scopes of a variant, none of which was looked at."""
    network, scopes = scopes_of(puzzle)
    n_scopes, n_places = scopes.start.size - 1, scopes.cells.size
    house_bits, overlaps = network.house_bits.copy(), network.overlaps.copy()
    return Areas(
        layout_of(puzzle)[0],
        network,
        scopes,
        looked=np.zeros((len(LIMITS), n_scopes), np.int64),
        work=new_work(network),
        spent=np.zeros(len(LIMITS), np.int64),
        n_ways=np.zeros(n_scopes, np.int64),
        ways=np.zeros(MOST_WAYS * n_places, np.int8),
        sought=np.zeros(n_places, np.int64),
        inside=with_pairs(network)._replace(
            house_bits=_shown(house_bits), overlaps=_shown(overlaps)
        ),
        own_houses=np.zeros(house_bits.shape[1], np.int64),
        house_bits=house_bits,
        overlaps=overlaps,
        start=np.zeros(network.n_cells, np.int64),
        grid=np.zeros(network.n_cells, np.int64),
        memory=new_memory(network, range(network.n_cells), network.n_cells),
        near=np.zeros(network.n_cells, np.int64),
        used=np.zeros(network.n_cells, np.int64),
        units=np.zeros(scopes.own_start.size - 1, np.int64),
        vain=np.zeros(network.n_cells * network.n_digits, np.int64),
        effort=np.full(1, LIMITS[LARGE, _WORK] // AT_ONCE, np.int64),
    )


def _shown(array: Ints) -> Ints:
    """Return a read-only view, since the arrays of a network are read-only."""
    view = array.view()
    view.setflags(write=False)
    return view


@lean_kernel
def find_joint(areas, state, finding, degree, rating):
    """Find candidates that the rules of a scope rule out together."""
    scopes, looked = areas.scopes, areas.looked
    for scope in range(scopes.start.size - 1):
        cells = scopes.cells[scopes.start[scope] : scopes.start[scope + 1]]
        if cells.size > LIMITS[degree, MOST_CELLS]:
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
        _rule_out(work, state, finding)
        if finding.head[0]["n_gone"] == 0:
            _lock(work, state, finding, rating)
        close_area(areas)
        if finding.head[0]["n_gone"] == 0:
            # With fewer cases nothing is found either.
            for other in range(len(LIMITS)):
                if LIMITS[other, CASES] <= LIMITS[degree, CASES]:
                    looked[other, scope] = state.counts[CLOCK] + 1
            continue
        for cell in cells:
            add_cell(finding, cell)
        add_part(finding, SCOPE, scope)
        if takes(finding):
            return True
    return False


@lean_kernel
def _rule_out(work, state, finding):
    """Remove the candidates of a scope from which no way leads on."""
    areas, scope, cells, _ = work
    start = areas.start
    sought = areas.sought[areas.scopes.start[scope] :]
    recall(work, state, finding)
    left = 0
    for cell in cells:
        left |= state.mask[cell] & ~finding.lists[UNIONS, cell]
    if left == 0 or not _opens(work, state):
        return
    for i in range(cells.size):
        cell = cells[i]
        if state.filled[cell]:
            continue
        remove(state, finding, cell, ~start[cell])
        left = start[cell]
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            if finding.lists[UNIONS, cell] >> digit & 1:
                continue
            copy_values(areas.memory.stack[0], start)
            narrow(areas.memory.stack[0], areas.work, cell, 1 << digit)
            outcome = _search(work, finding, sought[i] >> digit & 1 == 0)
            if outcome == 0:
                remove(state, finding, cell, 1 << digit)
            elif outcome < 0:
                sought[i] |= 1 << digit


@lean_kernel
def _lock(work, state, finding, rating):
    """Remove a digit that the scope must hold from the cells that see all its places."""
    areas, _, cells, _ = work
    masks = areas.memory.stack[0]
    some = 0
    for cell in cells:
        some |= state.mask[cell]
    while some:
        digit = lowest_bit(some)
        some &= some - 1
        begin(finding, rating, 1 << digit)
        remove_seen(areas.layout, state, finding, cells, digit)
        if finding.head[0]["n_gone"] and not has_way_without(work, digit) and _opens(work, state):
            copy_values(masks, areas.start)
            for cell in cells:
                if masks[cell] >> digit & 1:
                    narrow(masks, areas.work, cell, int(masks[cell]) & ~(1 << digit))
            if _search(work, finding, True) == 0:
                return
        finding.head[0]["n_gone"] = 0


@lean_kernel
def _opens(work, state):
    """Write what a scope leaves without cases; return False if nothing fits."""
    areas, scope, cells, _ = work
    scopes = areas.scopes
    units = scopes.units[scopes.unit_start[scope] : scopes.unit_start[scope + 1]]
    areas.used[:] = 0
    for cell in cells:
        areas.used[cell] = 1
    open_area(areas, state.mask, areas.used, units)
    return propagate(areas.start, areas.inside, areas.work)


@lean_kernel
def _search(work, finding, is_long):
    """Search for a filling of a scope; return 1, 0 if there is none, or -1 if that is open.

    The first masks of the memory are where it begins. That there is none must show in the cases of
    a step; a long search tries more to find one.
    """
    areas, _, _, degree = work
    progress = areas.memory.progress
    cases = LIMITS[degree, CASES]
    progress[DEPTH] = progress[FOUND] = progress[GUESSES] = 0
    progress[STARTED] = 1
    limit = max(cases, MOST_SOUGHT) if is_long else cases
    advance_variant(areas.memory, areas.inside, areas.work, (1, limit))
    forget(areas.work, CELLS, 0)
    areas.spent[degree] += progress[GUESSES] + 1
    if progress[FOUND]:
        keep_way(work, finding)
        return 1
    return 0 if progress[DEPTH] < 0 and progress[GUESSES] < cases else -1


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
                        continue
                    begin(finding, rating, 0)
                    _rule_out_all(areas, state, trials, finding, n_cells, cases)
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
def _rule_out_all(areas, state, trials, finding, n_cells, cases):
    """Remove the candidates of its cells that a chosen area refutes."""
    possible = finding.lists[UNIONS]
    possible[:] = 0
    for cell in areas.near[:n_cells]:
        left = 0 if state.filled[cell] else int(state.mask[cell])
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            if possible[cell] >> digit & 1:
                continue
            if _refutes(areas, state, trials, (n_cells, 0, 0), cell, digit, cases):
                remove(state, finding, cell, 1 << digit)
            elif areas.memory.progress[FOUND]:
                for other in areas.near[:n_cells]:
                    possible[other] |= 1 << areas.memory.solutions[0, other] - 1


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
            if _refutes(areas, state, trials, (n, first, end), cell, digit, cases):
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
        # Finer steps leave aside some cells more, seldom more than this.
        if step == 1 or n > LIMITS[LARGE, MOST_CELLS] + 6 * step:
            return n
        step = max(step // 3, 1)


@lean_kernel
def _refutes(areas, state, trials, part, cell, digit, cases):
    """Return True if the near cells refute a digit of one of them in so many cases.

    `part` is the number of cells, and the first and the end of those that are left aside.
    """
    used = areas.used
    n, first, end = part
    progress = areas.memory.progress
    n_units = _gather(areas, n, first, end)
    if n_units == 0:
        return False
    used[cell] = 1
    open_area(areas, state.mask, used, areas.units[:n_units])
    copy_values(areas.memory.stack[0], areas.start)
    narrow(areas.memory.stack[0], areas.work, cell, 1 << digit)
    progress[DEPTH] = progress[FOUND] = progress[GUESSES] = 0
    progress[STARTED] = 1
    advance_variant(areas.memory, areas.inside, areas.work, (1, cases))
    forget(areas.work, CELLS, 0)
    close_area(areas)
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
