"""The eliminations that resolve each impasse of a puzzle.

An impasse is a moment without a single. Filling singles ends in the same grid whatever the order,
and the logic ladder is deterministic. So the impasses of a puzzle, and the steps that resolve them,
are the same in every run. They are found once and kept as a script.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import lean_kernel
from nando.puzzles import Sudoku, Values
from nando.solvers.logic.sudoku import ladder
from nando.solvers.logic.sudoku.finding import (
    CELL,
    GONE_CELLS,
    GONE_DIGITS,
    N_GONE,
    RATING,
    apply,
    new_finding,
)
from nando.solvers.logic.sudoku.state import N_EMPTY, empty_state, logic_layout, place, place_all
from nando.solvers.logic.sudoku.techniques import SUKAKU_EXPLAINER
from nando.solvers.logic.technique import rungs_of

BEYOND_RATING = 10.0
"""Rating of a step that no technique of the ladder finds."""

N_STEPS, RATINGS, FIRST_ELIMINATION, FORCED = range(4)
"""Columns of :attr:`Script.impasses`."""

_SINGLES = (ladder.HIDDEN_SINGLE, ladder.NAKED_SINGLE)


class Script(NamedTuple):
    """The impasses of a puzzle, in order.

    Attributes
    ----------
    impasses : ndarray of int64, shape (n_impasses + 1, 4)
        Number of steps; sum of their ratings in tenths; first row in `eliminations`; the cell that
        they fill in the end, or -1 where they leave a single. The last row only ends the last
        impasse.
    eliminations : ndarray of int64, shape (n_eliminations, 2)
        Cell and digit (0-based) of each candidate removed.
    """

    impasses: NDArray[np.int64]
    eliminations: NDArray[np.int64]


NOTHING = Script(np.zeros((1, 4), np.int64), np.zeros((0, 2), np.int64))
"""Script of a puzzle that singles solve."""


@cache
def rungs(singles: bool) -> NDArray[np.int64]:
    """The ladder for kernels: what is above singles, after them or without them."""
    first = tuple(t for t in SUKAKU_EXPLAINER if singles and t.kernel in _SINGLES)
    rest = tuple(t for t in SUKAKU_EXPLAINER if t.kernel not in _SINGLES)
    return rungs_of(first + rest)


def script_of(puzzle: Sudoku, solution: Values) -> Script:
    """Work a puzzle out with the whole ladder, singles first."""
    order, n_cells = puzzle.order, puzzle.layout.n_cells
    script = Script(
        np.zeros((n_cells + 1, 4), np.int64), np.zeros((n_cells * puzzle.size, 2), np.int64)
    )
    n_impasses = _write(
        empty_state(order),
        logic_layout(order),
        puzzle.givens,
        solution,
        rungs(True),
        new_finding(order),
        new_finding(order),
        script,
    )
    n_eliminations = int(script.impasses[n_impasses, FIRST_ELIMINATION])
    return Script(
        script.impasses[: n_impasses + 1].copy(), script.eliminations[:n_eliminations].copy()
    )


@lean_kernel
def _write(state, layout, givens, solution, rungs, finding, trial, script):
    """Solve `givens` and fill the script; return its number of impasses."""
    impasses, eliminations = script
    place_all(state, layout, givens)
    n_impasses = 0
    n_eliminations = 0
    at_impasse = False
    while state.summary[N_EMPTY]:
        rung = ladder.find_step(state, layout, rungs, finding, trial)
        head = finding.head
        is_single = rung >= 0 and (
            rungs[rung, 0] == ladder.HIDDEN_SINGLE or rungs[rung, 0] == ladder.NAKED_SINGLE
        )
        if is_single:
            if at_impasse:
                n_impasses += 1
                at_impasse = False
            apply(state, layout, finding)
            continue
        if not at_impasse:
            at_impasse = True
            impasses[n_impasses, FIRST_ELIMINATION] = n_eliminations
            impasses[n_impasses, FORCED] = -1
        impasses[n_impasses, N_STEPS] += 1
        if rung < 0:
            cell = _fewest(state, layout)
            impasses[n_impasses, RATINGS] += round(10 * BEYOND_RATING)
            impasses[n_impasses, FORCED] = cell
            place(state, layout, cell, int(solution[cell]) - 1)
        else:
            impasses[n_impasses, RATINGS] += head[RATING]
            n_eliminations = note_eliminations(state, finding, eliminations, n_eliminations)
            impasses[n_impasses, FORCED] = head[CELL]
            apply(state, layout, finding)
        if impasses[n_impasses, FORCED] >= 0:
            n_impasses += 1
            at_impasse = False
    impasses[n_impasses, FIRST_ELIMINATION] = n_eliminations
    return n_impasses


@lean_kernel
def note_eliminations(state, finding, eliminations, n):
    """Write the candidates that a step removes, after the first `n`; return their number."""
    for i in range(finding.head[N_GONE]):
        cell = finding.lists[GONE_CELLS, i]
        gone = finding.lists[GONE_DIGITS, i] & state.candidates[cell]
        while gone:
            eliminations[n, 0] = cell
            eliminations[n, 1] = lowest_bit(gone)
            gone &= gone - 1
            n += 1
    return n


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
