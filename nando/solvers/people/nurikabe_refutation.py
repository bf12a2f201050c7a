"""Refutation-based propagation on Nurikabe: local rules while they apply, else a refutation.

Pelanek 2014 uses the model for Nurikabe but does not print its rules. Here they are those of
:mod:`nando.solvers.nurikabe.local`. One of the cells that they decide is drawn at random and
coloured. At an impasse, where there is none, each open cell gets a score: the number of random
local steps that refute its wrong colour. The cell with the lowest score is coloured, with ties
broken at random, and this score is that of the impasse. If local rules refute nothing, the cell is
drawn among all open ones, as for Sudoku.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Values
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.local import LocalRules, find_local, local_rules
from nando.solvers.nurikabe.state import (
    N_SET,
    OPEN,
    NurikabeState,
    colour_cell,
    new_state,
    take_back,
    walled_cells,
)
from nando.solvers.people.imitation import write_fill
from nando.solvers.people.refutation import Refutations, no_refutations, note_run
from nando.solvers.protocol import Rule

_LOCAL_RULE = int(Rule.LOCAL_RULE)
_REFUTATION = int(Rule.REFUTATION)
_UNKNOWN = 1 << 60


class Refuted(NamedTuple):
    """A board, its local rules, and the solution with which it is coloured."""

    state: NurikabeState
    local: LocalRules
    cells: NDArray[np.int32]
    """Place of each cell of the puzzle on the walled board."""
    solution: NDArray[np.int8]


def new_refuted(puzzle: Nurikabe, solution: Values) -> Refuted:
    """Return the board with nothing but its numbers coloured."""
    state = new_state(puzzle)
    return Refuted(state, local_rules(puzzle, state), walled_cells(puzzle.shape), solution)


def refute(
    puzzle: Nurikabe,
    solution: Values,
    settings: tuple[int, float],
    runs: int,
    rng: np.random.Generator,
) -> Refutations:
    """Colour the board `runs` times; see :class:`nando.solvers.kinds.SolverKind`."""
    played = no_refutations(puzzle.n_cells, puzzle.n_cells - puzzle.n_islands)
    _colour_often(new_refuted(puzzle, solution), settings, rng, runs, played)
    return played


@kernel
def _colour_often(board, settings, rng, runs, played):
    """Colour the board `runs` times, and add up the runs."""
    for _ in range(runs):
        unrefuted = _colour(board, settings, rng, played.trace)
        note_run(played, unrefuted)


@lean_kernel
def _colour(board, settings, rng, trace):
    """Colour the board from its numbers, a row of `trace` per cell; return the unrefuted steps."""
    state = board.state
    take_back(state, state.n_islands)
    count_assumption, unrefuted_score = settings
    unrefuted = 0
    for k in range(trace.shape[0]):
        options = find_local(state, board.local)
        cost = 0.0
        rule = _LOCAL_RULE
        if options > 0:
            place = int(board.local.found[int(rng.random() * options)])
            row, column = divmod(place, state.width)
            cell = (row - 1) * (state.width - 2) + column - 1
        else:
            cell, score = _cheapest(board, count_assumption, rng)
            rule = _REFUTATION
            cost = float(score)
            if score < 0:
                unrefuted += 1
                cost = unrefuted_score
        write_fill(trace, k, cell, board.solution[cell], rule, options, cost)
        colour_cell(state, board.cells[cell], int(board.solution[cell]))
    return unrefuted


@lean_kernel
def _cheapest(board, count_assumption, rng):
    """Return the open cell whose wrong colour is refuted in the fewest steps, and their number.

    The number is -1 if no cell can be refuted. A refutation is abandoned once it exceeds the least
    number so far.
    """
    state = board.state
    best = _UNKNOWN
    chosen = -1
    ties = 0
    for cell in range(board.cells.shape[0]):
        if state.colour[board.cells[cell]] != OPEN:
            continue
        wrong = WHITE + BLACK - int(board.solution[cell])
        score = _refute(board, board.cells[cell], wrong, best - count_assumption, rng)
        if score < 0 or score + count_assumption > best:
            continue
        score += count_assumption
        ties = ties + 1 if score == best else 1
        best = score
        if ties == 1 or rng.random() * ties < 1.0:
            chosen = cell
    if chosen >= 0:
        return chosen, best
    skipped = int(rng.random() * (state.n_cells - state.counts[N_SET]))
    for cell in range(board.cells.shape[0]):
        if state.colour[board.cells[cell]] == OPEN:
            if skipped == 0:
                chosen = cell
                break
            skipped -= 1
    return chosen, -1


@lean_kernel
def _refute(board, cell, colour, bound, rng):
    """Make random local steps until a rule is broken; return their number without the assumption.

    Return -1 if they end without a contradiction, and a number above `bound` once it is exceeded.
    """
    state = board.state
    n_set = state.counts[N_SET]
    steps = 0
    while True:
        colour_cell(state, cell, colour)
        options = find_local(state, board.local)
        if options <= 0 or steps > bound:
            break
        steps += 1
        cell = board.local.found[int(rng.random() * options)]
        colour = int(board.local.demanded[cell])
    take_back(state, n_set)
    return -1 if options == 0 else steps
