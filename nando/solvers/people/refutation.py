"""Refutation-based propagation (SiSuS): what is seen at a glance, else the cheapest refutation.

This is a model of a person without advanced techniques. On Sudoku a cell among the naked and hidden
singles is drawn at random and filled. At an impasse, where there is no single, each empty cell gets
a score: the number of steps that refute its wrong candidates, by following random singles to a
contradiction. The cell with the lowest score is filled, and this score is that of the impasse.

On Nurikabe, the rules of :mod:`nando.solvers.nurikabe.local` take the place of singles, since
Pelanek 2014 does not print his. At an impasse the score of an open cell is the number of random
local steps that refute its wrong colour; ties are broken at random. If local rules refute nothing,
the cell is drawn among all open ones, as for Sudoku.

Source: Krivanek 2011 (master thesis, Masaryk University); Pelanek 2014, arXiv:1403.7373.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, n_bits
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers import singles
from nando.solvers.exact.search import unique_solution
from nando.solvers.kinds import part_for
from nando.solvers.nurikabe import state as nurikabe
from nando.solvers.nurikabe.local import LocalRules, find_local, local_rules
from nando.solvers.people.imitation import Imitation, rule_of_single, write_fill
from nando.solvers.protocol import STEP, Rule

TOTAL, LARGEST, IMPASSES, UNREFUTED = range(4)
"""Indices in :attr:`Refutations.sums`."""


class Refutations(NamedTuple):
    """Sums over runs; all arrays are changed in place.

    Attributes
    ----------
    trace : ndarray of STEP, shape (n_blanks,)
        The last run.
    sums : ndarray of float64, shape (4,)
        Sum of the scores of impasses; sum of the largest score of each run; number of impasses;
        number of those at which nothing could be refuted.
    possibilities : ndarray of float64, shape (n_blanks,)
        Number of cells that could be filled without a refutation, before each step.
    order : ndarray of float64, shape (n_cells,)
        Step, from 1, at which each cell was filled.
    """

    trace: NDArray[np.void]
    sums: NDArray[np.float64]
    possibilities: NDArray[np.float64]
    order: NDArray[np.float64]


def no_refutations(n_cells: int, n_blanks: int) -> Refutations:
    """Return empty sums."""
    return Refutations(np.zeros(n_blanks, STEP), np.zeros(4), np.zeros(n_blanks), np.zeros(n_cells))


@inlined_kernel
def note_run(played, unrefuted):
    """Add the run of the trace to the sums."""
    trace = played.trace
    sums = played.sums
    worst = 0.0
    for k in range(trace.shape[0]):
        played.possibilities[k] += trace[k]["options"]
        played.order[trace[k]["cell"]] += k + 1
        if trace[k]["rule"] == Rule.REFUTATION.value:
            sums[IMPASSES] += 1.0
            sums[TOTAL] += trace[k]["cost"]
            worst = max(worst, trace[k]["cost"])
    sums[LARGEST] += worst
    sums[UNREFUTED] += unrefuted


@dataclass(frozen=True, eq=False)
class RefutationProfile(EqualFields):
    """Statistics of many runs of :class:`Refutation` on a puzzle; means over runs.

    Attributes
    ----------
    refutation_sum : float
        Sum of the scores of the impasses, in steps of the refuted assumptions.
    refutation_max : float
        Largest score of an impasse.
    stuck_steps : float
        Number of impasses.
    unrefuted_steps : float
        Number of impasses at which no cell could be refuted by singles alone.
    possibilities : ndarray of float64, shape (n_blanks,)
        Number of cells that a single could fill, before each step; 0 at an impasse.
    order : ndarray of float64, shape (n_cells,)
        Step, from 1, at which each cell was filled; 0 for givens.
    """

    refutation_sum: float
    refutation_max: float
    stuck_steps: float
    unrefuted_steps: float
    possibilities: NDArray[np.float64]
    order: NDArray[np.float64]

    def dependency(self, steps: int = 25) -> float:
        """Return the mean number of possibilities over the first `steps` steps; larger is easier.

        Source: Pelanek 2014, Table 2.
        """
        if steps < 1:
            raise ValueError(f"steps must be at least 1, got {steps}")
        return float(self.possibilities[:steps].mean()) if self.possibilities.size else 0.0


@dataclass(frozen=True)
class Refutation(Imitation[RefutationProfile]):
    """Refutation-based propagation, SiSuS.

    Parameters
    ----------
    count_assumption : bool
        Count the refuted assumption itself as a step. The papers do not say; counting it agrees
        slightly better with human times on all sets tried.
    unrefuted_score : float
        Score of an impasse at which no cell can be refuted by singles (AI Escargot has some); the
        cell is then drawn among all empty ones.

    Notes
    -----
    The trace has one row per filled cell: `options` is the number of cells a single could fill
    and `cost` the score of an impasse, 0 for singles. Steps of a run are filled cells.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "...6..4..7....36......91.8...........5.18...3...3.6.45.4.2...6.9.3.......2....1.."
    ... )
    >>> run = Refutation().run(puzzle, rng=1)
    >>> run.outcome.value, run.steps
    ('solved', 58)
    """

    name: ClassVar[str] = "refutation"
    count_assumption: bool = True
    unrefuted_score: float = 100.0

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], RefutationProfile]:
        refute = part_for(self, puzzle, "refute")
        solution = unique_solution(puzzle)
        settings = int(self.count_assumption), float(self.unrefuted_score)
        played: Refutations = refute(puzzle, solution, settings, runs, rng)
        total, largest, impasses, unrefuted = (played.sums / runs).tolist()
        profile = RefutationProfile(
            total, largest, impasses, unrefuted, played.possibilities / runs, played.order / runs
        )
        return solution, played.trace, profile


def refute(
    puzzle: Sudoku,
    solution: Values,
    settings: tuple[int, float],
    runs: int,
    rng: np.random.Generator,
) -> Refutations:
    """Fill the puzzle `runs` times; see :class:`nando.solvers.kinds.SolverKind`."""
    given = singles.shared_given_state(puzzle)
    played = no_refutations(puzzle.layout.n_cells, int(given.counts[singles.N_EMPTY]))
    _fill_often(given, puzzle.layout, solution, settings, rng, runs, played)
    return played


@kernel
def _fill_often(given, layout, solution, settings, rng, runs, played):
    """Fill the puzzle `runs` times, and add up the runs."""
    state = singles.copy_of(given)
    scratch = singles.copy_of(given)
    for _ in range(runs):
        singles.restore(state, given)
        unrefuted = _fill(state, scratch, layout, solution, settings, rng, played.trace)
        note_run(played, unrefuted)


@lean_kernel
def _fill(state, scratch, layout, solution, settings, rng, trace):
    """Fill the grid of `state`, a row of `trace` per cell; return the unrefuted steps."""
    count_assumption, unrefuted_score = settings
    unrefuted = 0
    for k in range(trace.shape[0]):
        options = state.counts[singles.N_OPEN]
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
        singles.place(state, layout, cell, int(solution[cell]) - 1)
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
    skipped = int(rng.random() * state.counts[singles.N_EMPTY])
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
            singles.restore_impasse(scratch, state)
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
    while singles.place(state, layout, cell, digit):
        steps += 1
        options = state.counts[singles.N_OPEN]
        if options == 0:
            return -1
        if steps > bound:
            break
        cell = int(state.open[int(rng.random() * options)])
        digit = int(state.digit[cell])
    return steps


_LOCAL_RULE = int(Rule.LOCAL_RULE)
_REFUTATION = int(Rule.REFUTATION)
_UNKNOWN = 1 << 60


class Refuted(NamedTuple):
    """A board, its local rules, and the solution with which it is coloured."""

    state: nurikabe.NurikabeState
    local: LocalRules
    cells: NDArray[np.int32]
    """Place of each cell of the puzzle on the walled board."""
    solution: NDArray[np.int8]


def new_refuted(puzzle: Nurikabe, solution: Values) -> Refuted:
    """Return the board with nothing but its numbers coloured."""
    state = nurikabe.new_state(puzzle)
    return Refuted(state, local_rules(puzzle, state), nurikabe.walled_cells(puzzle.shape), solution)


def refute_colours(
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
    nurikabe.take_back(state, state.n_islands)
    count_assumption, unrefuted_score = settings
    unrefuted = 0
    for k in range(trace.shape[0]):
        options = find_local(state, board.local)
        cost = 0.0
        rule = _LOCAL_RULE
        if options > 0:
            chosen = int(board.local.found[int(rng.random() * options)])
            row, column = divmod(chosen, state.width)
            cell = (row - 1) * (state.width - 2) + column - 1
        else:
            cell, score = _cheapest_colour(board, count_assumption, rng)
            rule = _REFUTATION
            cost = float(score)
            if score < 0:
                unrefuted += 1
                cost = unrefuted_score
        write_fill(trace, k, cell, board.solution[cell], rule, options, cost)
        nurikabe.colour_cell(state, board.cells[cell], int(board.solution[cell]))
    return unrefuted


@lean_kernel
def _cheapest_colour(board, count_assumption, rng):
    """Return the open cell whose wrong colour is refuted in the fewest steps, and their number.

    The number is -1 if no cell can be refuted. A refutation is abandoned once it exceeds the least
    number so far.
    """
    state = board.state
    best = _UNKNOWN
    chosen = -1
    ties = 0
    for cell in range(board.cells.shape[0]):
        if state.colour[board.cells[cell]] != nurikabe.OPEN:
            continue
        wrong = WHITE + BLACK - int(board.solution[cell])
        score = _refute_colour(board, board.cells[cell], wrong, best - count_assumption, rng)
        if score < 0 or score + count_assumption > best:
            continue
        score += count_assumption
        ties = ties + 1 if score == best else 1
        best = score
        if ties == 1 or rng.random() * ties < 1.0:
            chosen = cell
    if chosen >= 0:
        return chosen, best
    skipped = int(rng.random() * (state.n_cells - state.counts[nurikabe.N_SET]))
    for cell in range(board.cells.shape[0]):
        if state.colour[board.cells[cell]] == nurikabe.OPEN:
            if skipped == 0:
                chosen = cell
                break
            skipped -= 1
    return chosen, -1


@lean_kernel
def _refute_colour(board, cell, colour, bound, rng):
    """Make random local steps until a rule is broken; return their number without the assumption.

    Return -1 if they end without a contradiction, and a number above `bound` once it is exceeded.
    """
    state = board.state
    n_set = state.counts[nurikabe.N_SET]
    steps = 0
    while True:
        nurikabe.colour_cell(state, cell, colour)
        options = find_local(state, board.local)
        if options <= 0 or steps > bound:
            break
        steps += 1
        cell = board.local.found[int(rng.random() * options)]
        colour = int(board.local.demanded[cell])
    nurikabe.take_back(state, n_set)
    return -1 if options == 0 else steps
