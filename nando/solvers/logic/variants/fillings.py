"""Fillings of a scope that a search has found: while one is possible, so are its candidates.

The kernels take the areas, the number of the scope, its cells, and the cases of a step.
"""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.variants.rule_state import UNIONS

MOST_WAYS = 40
"""Most fillings of a scope that are kept."""


@lean_kernel
def recall(work, state, finding):
    """Drop the fillings of a scope that are no longer possible; gather the digits of the others."""
    areas, scope, cells, _ = work
    ways = areas.ways[MOST_WAYS * areas.scopes.start[scope] :]
    for cell in cells:
        finding.lists[UNIONS, cell] = 0
    n_kept = 0
    for way in range(areas.n_ways[scope]):
        possible = True
        i = 0
        while possible and i < cells.size:
            possible = state.mask[cells[i]] >> ways[way * cells.size + i] & 1 == 1
            i += 1
        if possible:
            for i in range(cells.size):
                digit = ways[way * cells.size + i]
                ways[n_kept * cells.size + i] = digit
                finding.lists[UNIONS, cells[i]] |= 1 << int(digit)
                areas.latest[cells[i]] = digit
            n_kept += 1
    areas.n_ways[scope] = n_kept


@lean_kernel
def keep_way(work, trial, finding):
    """Note the filling in the masks of the trial."""
    areas, scope, cells, _ = work
    n_ways = areas.n_ways[scope]
    ways = areas.ways[MOST_WAYS * areas.scopes.start[scope] + n_ways * cells.size :]
    for i in range(cells.size):
        finding.lists[UNIONS, cells[i]] |= trial.mask[cells[i]]
        areas.latest[cells[i]] = lowest_bit(trial.mask[cells[i]])
        if n_ways < MOST_WAYS:
            ways[i] = lowest_bit(trial.mask[cells[i]])
    if n_ways < MOST_WAYS:
        areas.n_ways[scope] += 1


@inlined_kernel
def has_way_without(work, digit):
    """Return True if a known filling of a scope lacks a digit."""
    areas, scope, cells, _ = work
    ways = areas.ways[MOST_WAYS * areas.scopes.start[scope] :]
    for way in range(areas.n_ways[scope]):
        lacks = True
        for i in range(cells.size):
            lacks &= ways[way * cells.size + i] != digit
        if lacks:
            return True
    return False
