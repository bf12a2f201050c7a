"""Wings: what a few cells with few candidates rule out between them.

XY- and XYZ-wing hang on a pivot. The larger wings are a bivalue cell and an almost locked set: n
cells that see each other, with n + 1 candidates.
"""

from nando.kernels.bits import n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.variants.state import (
    add_cell,
    begin,
    offer,
    remove,
    take_best,
    takes,
)


@lean_kernel
def find_wing(layout, state, finding, width, rating):
    """Find an XY-wing (pivot of `width` 2) or XYZ-wing (3): the pivot sees two bivalue pincers."""
    pincers = finding.work[0]
    for pivot in range(layout.n_cells):
        mask = state.mask[pivot]
        if state.filled[pivot] or n_bits(mask) != width:
            continue
        n = 0
        for i in range(layout.peer_start[pivot], layout.peer_start[pivot + 1]):
            peer = layout.peers[i]
            theirs = state.mask[peer]
            if n_bits(theirs) == 2 and n_bits(theirs & mask) == width - 1:
                pincers[n] = peer
                n += 1
        for i in range(n - 1):
            first = state.mask[pincers[i]]
            for j in range(i + 1, n):
                second = state.mask[pincers[j]]
                digit = first & second
                if n_bits(digit) != 1 or n_bits(first | second | mask) != 3:
                    continue
                if width == 2 and digit & mask:
                    continue
                begin(finding, rating, first | second)
                one = pincers[i]
                for k in range(layout.peer_start[one], layout.peer_start[one + 1]):
                    cell = layout.peers[k]
                    if not layout.sees[cell, pincers[j]] or cell == pivot:
                        continue
                    if width == 2 or layout.sees[cell, pivot]:
                        remove(state, finding, cell, digit)
                add_cell(finding, pivot)
                add_cell(finding, pincers[i])
                add_cell(finding, pincers[j])
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_large_wing(layout, state, finding, degree, rating):
    """Find a WXYZ-wing (`degree` 3) and so on: an almost locked set and a bivalue cell.

    The set is `degree` cells that see each other, with one digit more. A digit of the bivalue cell
    that all its cells in the set see cannot be true in both, so the other digit is true in one of
    them. If that holds for both digits, every digit of the set is locked. With up to four cells,
    sets whose largest cell has few candidates, or all, are easier.
    """
    chosen = finding.work[0]
    items = finding.work[1]
    masks = finding.work[2]
    unions = finding.work[3]
    n = 0
    for cell in range(layout.n_cells):
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
            fits = layout.sees[cell, items[chosen[i]]]
            i -= 1
        if not fits:
            continue
        unions[depth] = union
        if depth < degree - 1:
            chosen[depth + 1] = chosen[depth]
            depth += 1
            continue
        if n_bits(union) == degree + 1 and _with_bivalue(
            layout, state, finding, degree, union, rating
        ):
            return True
    return take_best(finding)


@lean_kernel
def _with_bivalue(layout, state, finding, degree, digits, rating):
    """Try the bivalue cells that see a cell of the set."""
    chosen = finding.work[0]
    items = finding.work[1]
    largest = 0
    n_digits = 0
    for i in range(degree):
        largest = max(largest, n_bits(state.mask[items[chosen[i]]]))
        n_digits += n_bits(state.mask[items[chosen[i]]])
    harder = degree - 2 - abs(3 - largest) if degree < 5 else 0
    for k in range(degree):
        near = items[chosen[k]]
        for i in range(layout.peer_start[near], layout.peer_start[near + 1]):
            cell = layout.peers[i]
            mask = state.mask[cell]
            if state.filled[cell] or n_bits(mask) != 2 or mask & ~digits:
                continue
            inside = False
            for j in range(degree):
                inside |= items[chosen[j]] == cell
            if inside:
                continue
            low = mask & -mask
            first = _all_see(layout, state, finding, degree, cell, low)
            second = _all_see(layout, state, finding, degree, cell, mask ^ low)
            if not first and not second:
                continue
            locked = digits if first and second else mask ^ low if first else low
            begin(finding, rating + harder, digits)
            while locked:
                bit = locked & -locked
                locked ^= bit
                _remove_locked(layout, state, finding, degree, cell, bit)
            for j in range(degree):
                add_cell(finding, items[chosen[j]])
            add_cell(finding, cell)
            double = first and second
            if offer(finding, 10000 * double + 1000 * largest + n_digits):
                return True
    return False


@lean_kernel
def _all_see(layout, state, finding, degree, cell, bit):
    """Return True if a cell sees all cells of the set with a digit."""
    chosen = finding.work[0]
    items = finding.work[1]
    for j in range(degree):
        mine = items[chosen[j]]
        if state.mask[mine] & bit and not layout.sees[cell, mine]:
            return False
    return True


@lean_kernel
def _remove_locked(layout, state, finding, degree, bivalue, bit):
    """Remove a digit from what sees all its cells in the set and in the bivalue cell."""
    chosen = finding.work[0]
    items = finding.work[1]
    first = bivalue
    for j in range(degree):
        if state.mask[items[chosen[j]]] & bit:
            first = items[chosen[j]]
    for i in range(layout.peer_start[first], layout.peer_start[first + 1]):
        cell = layout.peers[i]
        if state.filled[cell] or state.mask[cell] & bit == 0 or cell == bivalue:
            continue
        if state.mask[bivalue] & bit and not layout.sees[cell, bivalue]:
            continue
        if _all_see(layout, state, finding, degree, cell, bit):
            remove(state, finding, cell, bit)
