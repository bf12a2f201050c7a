"""XY- and XYZ-wings: a pivot with two pincers that it sees."""

from nando.kernels.bits import n_bits
from nando.kernels.compile import lean_kernel
from nando.solvers.logic.variants.state import add_cell, begin, remove, takes


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
