"""The loop of the logic solver: the first rung of a ladder that finds a step, again and again.

A ladder is an array with a row for each technique: the kernel that finds it, its degree and its
least rating in tenths. `find_step` skips the techniques of `NESTED_FORCING`: few puzzles need them,
and their kernel takes as long to compile as the rest of the ladder.
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.solvers.logic import kernel_numbers
from nando.solvers.logic.kernel_numbers import (
    ALIGNED,
    BIVALUE_UNIVERSAL_GRAVE,
    CHAIN,
    FORCING,
    HIDDEN_SINGLE,
    LARGE_WING,
    NAKED_SUBSET,
    STRONG_LINKS,
    UNIQUE_LOOP,
)
from nando.solvers.logic.sudoku_chains import assumptions
from nando.solvers.logic.sudoku_chains.chain import find_chain
from nando.solvers.logic.sudoku_chains.forcing import find_forcing
from nando.solvers.logic.sudoku_finders.aligned import find_aligned
from nando.solvers.logic.sudoku_finders.bug import find_bug
from nando.solvers.logic.sudoku_finders.by_number import find_by_houses
from nando.solvers.logic.sudoku_finders.finding import Finding, apply
from nando.solvers.logic.sudoku_finders.grid import Grid
from nando.solvers.logic.sudoku_finders.loops import find_unique_loop
from nando.solvers.logic.sudoku_finders.singles import (
    house_of_single,
)
from nando.solvers.logic.sudoku_finders.state import LogicState, place, place_all
from nando.solvers.logic.sudoku_finders.subsets import (
    find_naked_subset,
)
from nando.solvers.logic.sudoku_finders.wings import find_large_wing
from nando.solvers.logic.technique import Ladder, Scale, read_ladder

SOLVED, STUCK, CONTRADICTION = range(3)
"""Outcomes of a run."""


def rate_all(
    state: LogicState,
    grid: Grid,
    givens: NDArray[np.int64],
    ladder: NDArray[np.int64],
    finding: Finding,
    trial: Finding,
    counts: NDArray[np.int64],
    results: NDArray[np.int64],
) -> None:
    """Solve every row of `givens`.

    For puzzle i, row i of `counts` receives the uses of each rung, and row i of `results` the
    outcome and the rating of the hardest step in tenths.
    """
    _rate_or_find(state, grid, givens, ladder, finding, trial, (counts, results), False)


def find_step(
    state: LogicState,
    grid: Grid,
    ladder: NDArray[np.int64],
    finding: Finding,
    trial: Finding,
) -> int:
    """Write the first step into `finding`; return the rung that finds it, or -1 if none does."""
    rows = (_NO_ROWS, _NO_ROWS)
    return int(_rate_or_find(state, grid, _NO_ROWS, ladder, finding, trial, rows, True))


_NO_ROWS = np.zeros((0, 0), np.int64)


@lean_kernel
def _rate_or_find(state, grid, givens, ladder, finding, trial, rows, finds):
    """Do what `find_step` or `rate_all` does: two kernels would take LLVM seconds each."""
    if finds:
        return _find_step(state, grid, ladder, finding, trial)
    counts, results = rows
    n_hidden = 0
    while n_hidden < ladder.shape[0] and ladder[n_hidden, 0] == HIDDEN_SINGLE:
        n_hidden += 1
    for i in range(givens.shape[0]):
        outcome = SOLVED if place_all(state, grid, givens[i]) else CONTRADICTION
        hardest = 0
        while outcome == SOLVED and state.n_blanks[0]:
            rung = _first_hidden(state, grid, ladder, n_hidden)
            if rung < n_hidden:
                rating = ladder[rung, 2]
                sound = _fill_hidden(state, grid, ladder[rung, 1])
            else:
                rung += _find_step(state, grid, ladder[n_hidden:], finding, trial)
                if rung < n_hidden:
                    outcome = STUCK
                    break
                rating = finding.head[0]["rating"]
                sound = apply(state, grid, finding)
            counts[i, rung] += 1
            hardest = max(hardest, rating)
            if not sound:
                outcome = CONTRADICTION
        results[i, 0] = outcome
        results[i, 1] = hardest
    return -1


@inlined_kernel
def _first_hidden(state, grid, ladder, n_hidden):
    """Return the first rung for hidden singles that finds one, or `n_hidden` if none does."""
    first = n_hidden
    for rung in range(n_hidden - 1, -1, -1):
        if house_of_single(state, grid, ladder[rung, 1]) >= 0:
            first = rung
    return first


@inlined_kernel
def _fill_hidden(state, grid, where):
    """Place a hidden single without writing the step."""
    house = house_of_single(state, grid, where)
    digit = lowest_bit(state.hidden[house])
    position = lowest_bit(state.positions[house * grid.size + digit])
    return place(state, grid, grid.houses[house, position], digit)


@lean_kernel
def _find_step(state, grid, ladder, finding, trial):
    for rung in range(ladder.shape[0]):
        if _finds(state, grid, ladder[rung], finding, trial):
            return rung
    return -1


@lean_kernel
def _finds(state, grid, rung, finding, trial):
    """Run the kernel of a rung; return True if it found a step."""
    if find_by_houses(state, grid, rung, finding, trial):
        return True
    number, degree, rating = rung[0], rung[1], rung[2]
    if number == NAKED_SUBSET:
        return find_naked_subset(state, grid, finding, degree, rating)
    if number == LARGE_WING:
        return find_large_wing(state, grid, finding, trial, degree, rating)
    if number == UNIQUE_LOOP:
        return find_unique_loop(state, grid, finding, trial, rating)
    if number == BIVALUE_UNIVERSAL_GRAVE:
        return find_bug(state, grid, finding, trial, rating)
    if number == ALIGNED:
        return find_aligned(state, grid, finding, degree, rating)
    if number == CHAIN:
        return find_chain(state, grid, finding, rating)
    if number == FORCING:
        return find_forcing(state, grid, finding, degree, rating)
    return False


# The ladders of Sudoku, made of the techniques in ``techniques.csv``

SUDOKU_SCALE = Scale("SE rating", "the scale of Sukaku Explainer", "chains", 6.5)

SUKAKU_EXPLAINER: Ladder = read_ladder(Sudoku.kind, vars(assumptions) | vars(kernel_numbers))
"""Ladder of Sukaku Explainer, the successor of Sudoku Explainer.

It is the scale of the Sudoku Exchange bank: strong links and large wings come before chains.
"""

SUDOKU_EXPLAINER: Ladder = tuple(
    technique
    for technique in SUKAKU_EXPLAINER
    if technique.kernel not in (STRONG_LINKS, LARGE_WING)
)
"""Ladder of Sudoku Explainer 1.2.1: the scale of most published ratings."""
