"""How many candidates could come back before a rule no longer removes what a step removed."""

from nando.kernels.compile import lean_kernel
from nando.solvers.logic.finders.finding import Finding
from nando.solvers.logic.kernel_numbers import PATTERN, RELATION
from nando.solvers.logic.variants.layout import Layout
from nando.solvers.logic.variants.relation_steps import (
    LOOSE,
    filter_exactly,
    filter_pattern,
    supported,
)
from nando.solvers.logic.variants.rule_state import KEPT, VariantState
from nando.solvers.logic.variants.sum_steps import filter_sum
from nando.solvers.variants.tables import Ints


def give_back(
    layout: Layout, state: VariantState, finding: Finding, rung: Ints, cells: Ints, masks: Ints
) -> bool:
    """Give candidates back to the cells of a step of one rule, and return True if that is known.

    As many come back as leave the step what it removes: whole cells first, then single candidates.

    Parameters
    ----------
    layout, state, finding
        Of the variant. The masks of the cells in `state` are changed; the rest is workspace.
    rung : ndarray of int64, shape (2,)
        Kernel and degree of the step: a relation, a sum, or a pattern.
    cells : ndarray of int64, shape (n,)
        The cells of the step.
    masks : ndarray of int64, shape (3, n)
        For each cell, its candidates before the step, those that may come back, and those that the
        step removes. The first and the last row are changed in place, into the candidates with
        those that came back, and what the rule removes from these.
    """
    return bool(_give_back(layout, state, finding, rung, cells, masks))


@lean_kernel
def _give_back(layout, state, finding, rung, cells, masks):
    """Do what `give_back` does."""
    before, more, gone = masks[0], masks[1], masks[2]
    for i in range(cells.size):
        state.mask[cells[i]] = before[i]
    number = -1
    while True:
        number = _next_part(layout, rung[0], cells, number + 1)
        if number < 0:
            return False
        if _removes(layout, state, finding, rung, number, cells, gone):
            break
    for i in range(cells.size):
        state.mask[cells[i]] |= more[i]
    if not _removes(layout, state, finding, rung, number, cells, gone):
        for i in range(cells.size):
            state.mask[cells[i]] = before[i]
        for i in range(cells.size):
            _give_back_to(layout, state, finding, rung, number, cells, gone, (i, more[i]))
        _removes(layout, state, finding, rung, number, cells, gone)
    for i in range(cells.size):
        before[i] = state.mask[cells[i]]
        gone[i] = before[i] & ~finding.lists[KEPT, i]
    return True


@lean_kernel
def _give_back_to(layout, state, finding, rung, number, cells, gone, cell):
    """Give candidates back to one cell, all at once or one by one."""
    place, more = cell
    state.mask[cells[place]] |= more
    if more == 0 or _removes(layout, state, finding, rung, number, cells, gone):
        return
    state.mask[cells[place]] &= ~more
    while more:
        bit = more & -more
        more &= more - 1
        state.mask[cells[place]] |= bit
        if not _removes(layout, state, finding, rung, number, cells, gone):
            state.mask[cells[place]] &= ~bit


@lean_kernel
def _removes(layout, state, finding, rung, number, cells, gone):
    """Write the digits that a part of the layout leaves; return False if some of `gone` do."""
    if rung[0] == RELATION:
        _relate(layout, state, finding, cells)
    elif rung[0] != PATTERN:
        filter_sum(layout, state, finding, number)
    elif rung[1] == LOOSE:
        filter_pattern(layout, state, finding, number)
    else:
        filter_exactly(layout, state, finding, number)
    left = 0
    for i in range(cells.size):
        left |= finding.lists[KEPT, i] & gone[i]
    return left == 0


@lean_kernel
def _relate(layout, state, finding, cells):
    """Write the digits that relations to the first cell leave to it and to the others."""
    first = cells[0]
    for i in range(cells.size):
        finding.lists[KEPT, i] = state.mask[cells[i]]
        for arc in range(layout.arc_start[first], layout.arc_start[first + 1]):
            if layout.arc_cell[arc] == cells[i]:
                finding.lists[KEPT, i] &= supported(layout, arc, state.mask[first])


@lean_kernel
def _next_part(layout, kernel, cells, number):
    """Return the first sum or pattern of some cells, from `number` on, or -1; 0 for relations."""
    if kernel == RELATION:
        return 0 if number == 0 else -1
    start, members = layout.sum_start, layout.sum_cells
    if kernel == PATTERN:
        start, members = layout.pattern_start, layout.pattern_cells
    for part in range(number, start.size - 1):
        if start[part + 1] - start[part] == cells.size:
            same = True
            for i in range(cells.size):
                same &= members[start[part] + i] == cells[i]
            if same:
                return part
    return -1
