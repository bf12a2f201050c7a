"""What a person must work out where no single is left: eliminations between rounds of singles.

Filling naked and hidden singles until none is left ends in the same grid whatever the order, and
the logic ladder is deterministic, so the moments without a single, and what gets a person past
them, are the same in every run. They are found once for a puzzle and written down as a script.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.puzzles import Sudoku, Values
from nando.solvers.logic.sudoku import ladder
from nando.solvers.logic.sudoku.state import (
    CELL,
    GONE_CELLS,
    GONE_DIGITS,
    N_EMPTY,
    N_GONE,
    RATING,
    apply,
    empty_state,
    logic_layout,
    new_finding,
    place,
    place_all,
)
from nando.solvers.logic.sudoku.techniques import SUKAKU_EXPLAINER

BEYOND_RATING = 10.0
"""Rating that stands for a step which no technique of the ladder finds."""

N_STEPS, RATINGS, FIRST_DEED, FORCED = range(4)
"""Columns of :attr:`Script.moments`."""

_SINGLES = (ladder.HIDDEN_SINGLE, ladder.NAKED_SINGLE)


class Script(NamedTuple):
    """The moments of a puzzle at which no single is left, in order.

    Attributes
    ----------
    moments : ndarray of int64, shape (n_moments + 1, 4)
        Number of steps; sum of their ratings in tenths; first row in `deeds`; the cell that they
        fill in the end, or -1 where they leave a single. The last row only ends the last moment.
    deeds : ndarray of int64, shape (n_deeds, 2)
        Cell and digit (0-based) of each candidate removed.
    """

    moments: NDArray[np.int64]
    deeds: NDArray[np.int64]


NOTHING = Script(np.zeros((1, 4), np.int64), np.zeros((0, 2), np.int64))
"""Script of a puzzle that singles solve."""


@cache
def rungs(singles: bool) -> NDArray[np.int64]:
    """Rows of the ladder for `find_step`: what is above singles, after them or without them."""
    first = [t for t in SUKAKU_EXPLAINER if singles and t.kernel in _SINGLES]
    rest = [t for t in SUKAKU_EXPLAINER if t.kernel not in _SINGLES]
    rows = [(t.kernel, t.degree, round(t.rating * 10)) for t in (*first, *rest)]
    return np.array(rows, np.int64)


def script_of(puzzle: Sudoku, solution: Values) -> Script:
    """Work a puzzle out with the whole ladder, singles first."""
    order, n_cells = puzzle.order, puzzle.layout.n_cells
    script = Script(
        np.zeros((n_cells + 1, 4), np.int64), np.zeros((n_cells * puzzle.size, 2), np.int64)
    )
    n_moments = _write(
        empty_state(order),
        logic_layout(order),
        puzzle.givens,
        solution,
        rungs(True),
        new_finding(order),
        new_finding(order),
        script,
    )
    n_deeds = int(script.moments[n_moments, FIRST_DEED])
    return Script(script.moments[: n_moments + 1].copy(), script.deeds[:n_deeds].copy())


@lean_kernel
def _write(state, layout, givens, solution, rungs, finding, trial, script):
    """Solve `givens` and fill the script; return its number of moments."""
    moments, deeds = script
    place_all(state, layout, givens)
    n_moments = 0
    n_deeds = 0
    open_moment = False
    while state.summary[N_EMPTY]:
        rung = ladder.find_step(state, layout, rungs, finding, trial)
        head = finding.head
        is_single = rung >= 0 and (
            rungs[rung, 0] == ladder.HIDDEN_SINGLE or rungs[rung, 0] == ladder.NAKED_SINGLE
        )
        if is_single:
            if open_moment:
                n_moments += 1
                open_moment = False
            apply(state, layout, finding)
            continue
        if not open_moment:
            open_moment = True
            moments[n_moments, FIRST_DEED] = n_deeds
            moments[n_moments, FORCED] = -1
        moments[n_moments, N_STEPS] += 1
        if rung < 0:
            cell = _fewest(state, layout)
            moments[n_moments, RATINGS] += round(10 * BEYOND_RATING)
            moments[n_moments, FORCED] = cell
            place(state, layout, cell, int(solution[cell]) - 1)
        else:
            moments[n_moments, RATINGS] += head[RATING]
            n_deeds = note_gone(state, finding, deeds, n_deeds)
            moments[n_moments, FORCED] = head[CELL]
            apply(state, layout, finding)
        if moments[n_moments, FORCED] >= 0:
            n_moments += 1
            open_moment = False
    moments[n_moments, FIRST_DEED] = n_deeds
    return n_moments


@lean_kernel
def note_gone(state, finding, deeds, n_deeds):
    """Write the candidates that a step removes, after the first `n_deeds`; return their number."""
    for i in range(finding.head[N_GONE]):
        cell = finding.lists[GONE_CELLS, i]
        gone = finding.lists[GONE_DIGITS, i] & state.candidates[cell]
        while gone:
            deeds[n_deeds, 0] = cell
            deeds[n_deeds, 1] = lowest_bit(gone)
            gone &= gone - 1
            n_deeds += 1
    return n_deeds


@lean_kernel
def _fewest(state, layout):
    """The first empty cell with the fewest candidates."""
    fewest = layout.size + 1
    chosen = -1
    for cell in range(layout.n_cells):
        bits = n_bits(state.candidates[cell])
        if 0 < bits < fewest:
            fewest = bits
            chosen = cell
    return chosen
