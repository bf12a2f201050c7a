"""Large wings: a bivalue cell and an almost locked set, n cells with n + 1 candidates.

On a variant these cells see each other. On a Sudoku they lie in a house, and sets are found in
another order: see :mod:`nando.solvers.logic.finders.wings`.
"""

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.finders.finding import (
    CELLS,
    CHOSEN,
    ITEMS,
    MASKS,
    add_cell,
    begin,
    keep_better,
)
from nando.solvers.logic.variants.rule_state import UNIONS, remove_seen


@lean_kernel
def find_large_wing(layout, state, finding, trial, degree, rating):
    """Find a WXYZ-wing (`degree` 3) and so on: an almost locked set and a bivalue cell.

    The set is `degree` cells that see each other and have `degree` + 1 digits. A digit of the
    bivalue cell that all its cells in the set see cannot be true in both, so the other digit is
    true in one of them. If that holds for both digits, every digit of the set is locked. With up to
    four cells, sets whose largest cell has few candidates, or all, are easier.
    """
    chosen = trial.lists[CHOSEN]
    items = trial.lists[ITEMS]
    masks = trial.lists[MASKS]
    unions = trial.lists[UNIONS]
    improved = False
    finding.head[0]["rating"] = 0
    n = 0
    for cell in range(layout.grid.n_cells):
        if not state.filled[cell] and 2 <= n_bits(state.mask[cell]) <= degree + 1:
            items[n] = cell
            masks[n] = state.mask[cell]
            n += 1
    depth = 0
    chosen[0] = -1
    while depth >= 0:
        chosen[depth] += 1
        if chosen[depth] > n - degree + depth:
            depth -= 1
            continue
        cell = items[chosen[depth]]
        union = masks[chosen[depth]] | (unions[depth - 1] if depth else 0)
        fits = n_bits(union) <= degree + 1
        i = depth - 1
        while fits and i >= 0:
            fits = layout.grid.sees[cell, items[chosen[i]]]
            i -= 1
        if not fits:
            continue
        unions[depth] = union
        if depth < degree - 1:
            chosen[depth + 1] = chosen[depth]
            depth += 1
            continue
        if n_bits(union) == degree + 1:
            improved |= _with_bivalue(layout, state, finding, trial, (degree, union, rating))
    return improved


@lean_kernel
def _with_bivalue(layout, state, finding, trial, locked_set):
    """Try the bivalue cells that see a cell of the set; return True if one makes a better step."""
    degree, digits, rating = locked_set
    chosen = trial.lists[CHOSEN]
    items = trial.lists[ITEMS]
    improved = False
    largest = 0
    n_digits = 0
    for i in range(degree):
        largest = max(largest, n_bits(state.mask[items[chosen[i]]]))
        n_digits += n_bits(state.mask[items[chosen[i]]])
    harder = degree - 2 - abs(3 - largest) if degree < 5 else 0
    for k in range(degree):
        near = items[chosen[k]]
        for i in range(layout.grid.peer_start[near], layout.grid.peer_start[near + 1]):
            cell = layout.grid.peers[i]
            mask = state.mask[cell]
            if state.filled[cell] or n_bits(mask) != 2 or mask & ~digits:
                continue
            inside = False
            for j in range(degree):
                inside |= items[chosen[j]] == cell
            if inside:
                continue
            low = mask & -mask
            first = _all_see(layout, state, trial, degree, cell, low)
            second = _all_see(layout, state, trial, degree, cell, mask ^ low)
            if not first and not second:
                continue
            locked = digits if first and second else mask ^ low if first else low
            begin(trial, rating + harder, digits)
            for j in range(degree):
                add_cell(trial, items[chosen[j]])
            add_cell(trial, cell)
            while locked:
                cells = trial.lists[CELLS, : degree + 1]
                remove_seen(layout, state, trial, cells, lowest_bit(locked))
                locked &= locked - 1
            double = first and second
            trial.head[0]["tie"] = 10000 * double + 1000 * largest + n_digits
            improved |= keep_better(finding, trial)
    return improved


@lean_kernel
def _all_see(layout, state, finding, degree, cell, bit):
    """Return True if a cell sees all cells of the set with a digit."""
    chosen = finding.lists[CHOSEN]
    items = finding.lists[ITEMS]
    for j in range(degree):
        mine = items[chosen[j]]
        if state.mask[mine] & bit and not layout.grid.sees[cell, mine]:
            return False
    return True
