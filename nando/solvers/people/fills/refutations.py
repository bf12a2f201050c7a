"""Refutations at an impasse: assume a wrong digit and reach a contradiction."""

from nando.kernels.bits import n_bits
from nando.kernels.compile import kernel, lean_kernel
from nando.solvers.singles import N_OPEN, copy_of, place, restore, restore_impasse

MOST_STEPS = 12
"""Longer refutations are not followed; people do not follow them either."""
MOST_CANDIDATES = 2
"""Cells with more candidates are not tried."""


@kernel
def refute_all(moment, layout, solution):
    """Write the number of steps that refute the wrong candidates of each open cell, 0 if none do.

    Call this at an impasse. An assumption counts as a step. Singles follow it, the newest first,
    until a cell has no candidate or a house no place for a digit.
    """
    _refute_each(moment, copy_of(moment.given), copy_of(moment.given), layout, solution)


@lean_kernel
def _refute_each(moment, impasse, scratch, layout, solution):
    """Fill `impasse`, which has only the givens; refute on `scratch`."""
    for cell in range(layout.n_cells):
        moment.refutation[cell] = 0
        if moment.values[cell] and int(impasse.candidates[cell]):
            place(impasse, layout, cell, int(moment.values[cell]) - 1)
    restore(scratch, impasse)
    for cell in range(layout.n_cells):
        wrong = int(moment.candidates[cell])
        if wrong == 0 or n_bits(wrong) > MOST_CANDIDATES:
            continue
        wrong &= ~(1 << int(solution[cell]) - 1)
        total = 0
        for digit in range(layout.size):
            if wrong >> digit & 1:
                restore_impasse(scratch, impasse)
                steps = _refute(scratch, layout, cell, digit)
                if steps == 0:
                    total = 0
                    break
                total += steps
        moment.refutation[cell] = total


@lean_kernel
def _refute(state, layout, cell, digit):
    """Return the number of steps to a contradiction, or 0 if none is found."""
    steps = 1
    while place(state, layout, cell, digit):
        count = int(state.counts[N_OPEN])
        if count == 0 or steps == MOST_STEPS:
            return 0
        steps += 1
        cell = int(state.open[count - 1])
        digit = int(state.digit[cell])
    return steps
