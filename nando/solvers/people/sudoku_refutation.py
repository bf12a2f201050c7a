"""Refutation-based propagation on Sudoku: naked and hidden singles, and refutations by them."""

import numpy as np

from nando.kernels.bits import n_bits
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku, Values
from nando.solvers.people.imitation import rule_of_single, write_fill
from nando.solvers.people.refutation import Refutations, no_refutations, note_run
from nando.solvers.protocol import Rule
from nando.solvers.singles import (
    N_EMPTY,
    N_OPEN,
    copy_of,
    place,
    restore,
    restore_impasse,
    shared_given_state,
)


def refute(
    puzzle: Sudoku,
    solution: Values,
    settings: tuple[int, float],
    runs: int,
    rng: np.random.Generator,
) -> Refutations:
    """Fill the puzzle `runs` times; see :class:`nando.solvers.kinds.SolverKind`."""
    given = shared_given_state(puzzle)
    played = no_refutations(puzzle.layout.n_cells, int(given.counts[N_EMPTY]))
    _fill_often(given, puzzle.layout, solution, settings, rng, runs, played)
    return played


@kernel
def _fill_often(given, layout, solution, settings, rng, runs, played):
    """Fill the puzzle `runs` times, and add up the runs."""
    state = copy_of(given)
    scratch = copy_of(given)
    for _ in range(runs):
        restore(state, given)
        unrefuted = _fill(state, scratch, layout, solution, settings, rng, played.trace)
        note_run(played, unrefuted)


@lean_kernel
def _fill(state, scratch, layout, solution, settings, rng, trace):
    """Fill the grid of `state`, a row of `trace` per cell; return the unrefuted steps."""
    count_assumption, unrefuted_score = settings
    unrefuted = 0
    for k in range(trace.shape[0]):
        options = state.counts[N_OPEN]
        cost = 0.0
        if options > 0:
            cell = int(state.open[int(rng.random() * options)])
            rule = rule_of_single(state, cell)
        else:
            cell, score = _cheapest(state, scratch, layout, solution, count_assumption, rng)
            rule = Rule.REFUTATION.value
            cost = float(score)
            if score < 0:
                unrefuted += 1
                cost = unrefuted_score
        write_fill(trace, k, cell, solution[cell], rule, options, cost)
        place(state, layout, cell, int(solution[cell]) - 1)
    return unrefuted


@lean_kernel
def _cheapest(state, scratch, layout, solution, count_assumption, rng):
    """Return the cell whose wrong candidates are refuted in the fewest steps, and their number.

    The number is -1 if no cell can be refuted. A cell is dropped once its sum exceeds the least so
    far, and cells with few candidates come first. The cell chosen has the same distribution as if
    every refutation had been played out, at a tenth of the cost.
    """
    best = 1 << 60
    chosen = -1
    ties = 0
    for n_candidates in range(2, layout.size + 1):
        if (n_candidates - 1) * count_assumption > best:
            break
        for cell in range(layout.n_cells):
            if n_bits(int(state.candidates[cell])) != n_candidates:
                continue
            score = _score(state, scratch, layout, solution, cell, count_assumption, best, rng)
            if score > best or score == 1 << 60:
                continue
            ties = ties + 1 if score == best else 1
            best = score
            if ties == 1 or rng.random() * ties < 1.0:
                chosen = cell
    if chosen >= 0:
        return chosen, best
    skipped = int(rng.random() * state.counts[N_EMPTY])
    for cell in range(layout.n_cells):
        if state.candidates[cell]:
            if skipped == 0:
                chosen = cell
                break
            skipped -= 1
    return chosen, -1


@lean_kernel
def _score(state, scratch, layout, solution, cell, count_assumption, best, rng):
    """Return the refutation score of a cell, or 2**60 if it has none or it exceeds `best`."""
    wrong = int(state.candidates[cell]) & ~(1 << int(solution[cell]) - 1)
    # The assumptions alone are a lower bound of the score.
    score = n_bits(wrong) * count_assumption
    for digit in range(layout.size):
        if wrong >> digit & 1:
            restore_impasse(scratch, state)
            steps = _refute(scratch, layout, cell, digit, best - score, rng)
            if steps < 0:
                return 1 << 60
            score += steps
            if score > best:
                return 1 << 60
    return score


@lean_kernel
def _refute(state, layout, cell, digit, bound, rng):
    """Play random singles to a contradiction; return their number without the assumption.

    Return -1 if the singles end without a contradiction, and a number above `bound` once it is
    exceeded.
    """
    steps = 0
    while place(state, layout, cell, digit):
        steps += 1
        options = state.counts[N_OPEN]
        if options == 0:
            return -1
        if steps > bound:
            break
        cell = int(state.open[int(rng.random() * options)])
        digit = int(state.digit[cell])
    return steps
