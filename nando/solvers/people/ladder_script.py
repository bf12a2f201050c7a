"""The eliminations that resolve each impasse of a puzzle.

An impasse is a moment without a single. Filling singles ends in the same grid whatever the order,
and the logic ladder is deterministic. So the impasses of a puzzle, and the steps that resolve them,
are the same in every run. They are found once and stored as a script.

The loops over steps are in Python: a kernel that calls `find_step` would compile the whole ladder
again, and a step takes longer than the call.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import n_bits
from nando.puzzles import Sudoku, Values
from nando.solvers.logic.chains.house_ladder import find_step
from nando.solvers.logic.finders.finding import GONE_CELLS, GONE_DIGITS, Finding, apply, new_finding
from nando.solvers.logic.finders.grid import sudoku_grid
from nando.solvers.logic.finders.pencil_marks import LogicState, given_state
from nando.solvers.logic.kernel_numbers import HIDDEN_SINGLE, NAKED_SINGLE
from nando.solvers.logic.sudoku_ladder import SUKAKU_EXPLAINER
from nando.solvers.logic.technique import rungs_of

BEYOND_RATING = 10.0
"""Rating of a step that no technique of the ladder finds."""

N_STEPS, RATINGS, FIRST_ELIMINATION, FORCED = range(4)
"""Columns of :attr:`Script.impasses`."""

_SINGLES = (HIDDEN_SINGLE, NAKED_SINGLE)


class Script(NamedTuple):
    """The impasses of a puzzle, in order.

    Attributes
    ----------
    impasses : ndarray of int64, shape (n_impasses + 1, 4)
        Number of steps; sum of their ratings in tenths; first row in `eliminations`; the cell that
        they finally fill, or -1 if they leave a single. The last row only marks the end of the
        last impasse.
    eliminations : ndarray of int64, shape (n_eliminations, 2)
        Cell and digit (0-based) of each candidate removed.
    """

    impasses: NDArray[np.int64]
    eliminations: NDArray[np.int64]


NOTHING = Script(np.zeros((1, 4), np.int64), np.zeros((0, 2), np.int64))
"""Script of a puzzle that singles solve."""


@cache
def rungs(singles: bool) -> NDArray[np.int64]:
    """Return the ladder for kernels, with the singles first or without them."""
    first = tuple(t for t in SUKAKU_EXPLAINER if singles and t.kernel in _SINGLES)
    rest = tuple(t for t in SUKAKU_EXPLAINER if t.kernel not in _SINGLES)
    return rungs_of(first + rest)


def script_of(puzzle: Sudoku, solution: Values) -> Script:
    """Solve a puzzle with the whole ladder, singles first, and return its impasses."""
    layout, ladder = sudoku_grid(puzzle.order), rungs(True)
    finding, trial = new_finding(puzzle.order), new_finding(puzzle.order)
    state, _ = given_state(puzzle)
    impasses: list[list[int]] = []
    eliminations: list[tuple[int, int]] = []
    at_impasse = False
    while state.n_blanks[0]:
        rung = find_step(state, layout, ladder, finding, trial)
        if rung >= 0 and ladder[rung, 0] in _SINGLES:
            at_impasse = False
            apply(state, layout, finding)
            continue
        if not at_impasse:
            impasses.append([0, 0, len(eliminations), -1])
        if rung < 0:
            cell = _fewest(state)
            fill_step(finding, cell, int(solution[cell]) - 1)
            finding.head[0]["rating"] = round(10 * BEYOND_RATING)
        impasse = impasses[-1]
        impasse[N_STEPS] += 1
        impasse[RATINGS] += int(finding.head[0]["rating"])
        impasse[FORCED] = int(finding.head[0]["cell"])
        eliminations += eliminations_of(finding, state)
        at_impasse = impasse[FORCED] < 0
        apply(state, layout, finding)
    impasses.append([0, 0, len(eliminations), 0])
    return Script(np.array(impasses, np.int64), np.array(eliminations, np.int64).reshape(-1, 2))


def eliminations_of(finding: Finding, state: LogicState) -> list[tuple[int, int]]:
    """Return the cell and digit (0-based) of each candidate that a step removes."""
    cells, masks = finding.lists[[GONE_CELLS, GONE_DIGITS], : finding.head[0]["n_gone"]]
    gone = masks & state.candidates[cells]
    return [
        (cell, digit)
        for cell, mask in zip(cells.tolist(), gone.tolist(), strict=True)
        for digit in range(mask.bit_length())
        if mask >> digit & 1
    ]


def fill_step(finding: Finding, cell: int, digit: int) -> None:
    """Write a step that only fills a cell; the digit is 0-based."""
    finding.words[:] = 0
    finding.head[0]["cell"], finding.head[0]["digit"] = cell, digit


def _fewest(state: LogicState) -> int:
    """Return the first empty cell with the fewest candidates.

    In Python, as the loop that calls it: few puzzles need this, and the kernel of
    `nando.solvers.singles` would be compiled for it in half a second.
    """
    candidates = state.candidates.tolist()
    empty = [cell for cell, mask in enumerate(candidates) if mask]
    return min(empty, key=lambda cell: n_bits(candidates[cell]))
