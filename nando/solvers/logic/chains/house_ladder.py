"""The ladder on houses: the first rung that finds a step, again and again.

To these searches a variant is a grid whose houses have any shape. Its other rules on two cells are
further weak links. The searches ignore sums and patterns.

A ladder is an array with a row for each technique: the kernel that finds it, its degree and its
least rating in tenths. `find_step` skips the techniques of `NESTED_FORCING`: few puzzles need them,
and their kernel takes as long to compile as the rest of the ladder.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.chain import find_chain, list_chains
from nando.solvers.logic.chains.forcing import find_forcing
from nando.solvers.logic.chains.nested import find_nested_forcing
from nando.solvers.logic.finders.aligned import find_aligned
from nando.solvers.logic.finders.by_number import find_by_houses
from nando.solvers.logic.finders.finding import Finding, apply
from nando.solvers.logic.finders.grid import Grid
from nando.solvers.logic.finders.loops import find_bug, find_unique_loop
from nando.solvers.logic.finders.pencil_marks import LogicState, place, place_all
from nando.solvers.logic.finders.singles import house_of_single
from nando.solvers.logic.finders.subsets import find_naked_subset
from nando.solvers.logic.finders.wings import find_large_wing, find_w_wing
from nando.solvers.variants.tables import Ints

SOLVED, STUCK, CONTRADICTION = range(3)
"""Outcomes of a run."""


def rate_all(
    state: LogicState,
    grid: Grid,
    givens: Ints,
    ladder: Ints,
    finding: Finding,
    trial: Finding,
    counts: Ints,
    results: Ints,
) -> None:
    """Solve every row of `givens`; a row without a cell goes on from `state` as it stands.

    For puzzle i, row i of `counts` receives the uses of each rung, and row i of `results` the
    outcome, the rating of the hardest step in tenths, and the number of blanks left.
    """
    _rate_or_find(state, grid, givens, ladder, finding, trial, (counts, results), False)


def find_step(
    state: LogicState,
    grid: Grid,
    ladder: Ints,
    finding: Finding,
    trial: Finding,
) -> int:
    """Write the first step into `finding`; return the rung that finds it, or -1 if none does."""
    rows = (_NO_ROWS, _NO_ROWS)
    return int(_rate_or_find(state, grid, _NO_ROWS, ladder, finding, trial, rows, True))


def search(
    state: LogicState, grid: Grid, finding: Finding, trial: Finding, effort: Ints, rung: Ints
) -> bool:
    """Find the easiest step of any technique on houses and write it; return False if there is none.

    Parameters
    ----------
    state : LogicState
    grid : Grid
    finding, trial : Finding
        The step, and one that is compared with it. If `finding` lists all steps, it lists the
        shortest chains of each kind.
    effort : ndarray of int64, shape (1,)
        Number of searches for nested chains that are left.
    rung : ndarray of int64, shape (3,)
    """
    number, degree, rating = rung.tolist()
    if number == kernels.NESTED_FORCING:
        return bool(find_nested_forcing(state, grid, finding, effort, degree, rating))
    if number == kernels.CHAIN and finding.head[0]["listed"]:
        list_chains(state, grid, finding, rating)
        return True
    return find_step(state, grid, rung[None], finding, trial) >= 0


_NO_ROWS = np.zeros((0, 0), np.int64)


@lean_kernel
def _rate_or_find(state, grid, givens, ladder, finding, trial, rows, finds):
    """Do what `find_step` or `rate_all` does: two kernels would take LLVM seconds each."""
    if finds:
        return _find_step(state, grid, ladder, finding, trial)
    counts, results = rows
    n_hidden = 0
    while n_hidden < ladder.shape[0] and ladder[n_hidden, 0] == kernels.HIDDEN_SINGLE:
        n_hidden += 1
    for i in range(givens.shape[0]):
        sound = givens.shape[1] == 0 or place_all(state, grid, givens[i])
        outcome = SOLVED if sound else CONTRADICTION
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
        results[i, 2] = state.n_blanks[0]
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
    if number == kernels.NAKED_SUBSET:
        return find_naked_subset(state, grid, finding, degree, rating)
    if number == kernels.LARGE_WING:
        return find_large_wing(state, grid, finding, trial, degree, rating)
    if number == kernels.W_WING:
        return find_w_wing(state, grid, finding, rating)
    if number == kernels.UNIQUE_LOOP:
        return find_unique_loop(state, grid, finding, trial, rating)
    if number == kernels.BIVALUE_UNIVERSAL_GRAVE:
        return find_bug(state, grid, finding, trial, rating)
    if number == kernels.ALIGNED:
        return find_aligned(state, grid, finding, degree, rating)
    if number == kernels.CHAIN:
        return find_chain(state, grid, finding, rating)
    if number == kernels.FORCING:
        return find_forcing(state, grid, finding, degree, rating)
    return False
