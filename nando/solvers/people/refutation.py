"""Refutation-based propagation (SiSuS): singles while there are any, else the cheapest refutation.

A model of a person without advanced techniques. A cell that a naked or hidden single fills is
chosen at random and filled. Where there is none, each empty cell is given the number of steps
that refute its wrong candidates, each refuted by following singles at random until something
breaks; the cell with the least number is filled, and the number is what the stuck step costs.
On Nurikabe, rules seen at a glance take the place of singles:
:mod:`nando.solvers.people.nurikabe.refutation`.

Source: Krivanek 2011 (master thesis, Masaryk University); Pelanek 2014, arXiv:1403.7373.
"""

from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import n_bits
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.exact.search import unique_solution
from nando.solvers.people.imitation import Imitation
from nando.solvers.people.nurikabe.refutation import colour_often, colour_once, new_refuted
from nando.solvers.protocol import (
    STEP,
    Rule,
    Seed,
    generator,
    unsupported,
)
from nando.solvers.sudoku.singles import (
    HIDDEN,
    copy_of,
    given_state,
    place,
    restore,
    restore_stuck,
    shared_given_state,
)

_HIDDEN_SINGLE = int(Rule.HIDDEN_SINGLE)
_NAKED_SINGLE = int(Rule.NAKED_SINGLE)
_REFUTATION = int(Rule.REFUTATION)


@dataclass(frozen=True)
class RefutationProfile:
    """What many runs of :class:`Refutation` say about a puzzle; means over runs.

    Attributes
    ----------
    refutation_sum : float
        Sum of the scores of the stuck steps, in steps of the refuted assumptions.
    refutation_max : float
        Largest score of a stuck step.
    stuck_steps : float
        Number of steps without a single.
    unrefuted_steps : float
        Number of stuck steps at which no cell could be refuted by singles alone.
    possibilities : ndarray of float64, shape (n_blanks,)
        Cells that a single could fill, before each step; 0 at a stuck step.
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
        """Mean number of possibilities over the first `steps` steps; larger is easier.

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
        Whether the refuted assumption is itself a step. The papers do not say; counting it
        agrees slightly better with human times on all sets tried.
    unrefuted_score : float
        Score of a stuck step at which no cell can be refuted by singles (AI Escargot has
        such steps); the cell is then drawn among all empty ones.

    Notes
    -----
    The trace has one row per filled cell: `options` is the number of cells a single could fill
    and `cost` the score of a stuck step, 0 for singles. Steps of a run are filled cells.

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

    @singledispatchmethod
    def _trace(self, puzzle: Puzzle, rng: Seed) -> tuple[Values, NDArray[np.void]]:
        raise unsupported(self, puzzle)

    @singledispatchmethod
    def _profile(self, puzzle: Puzzle, runs: int, rng: np.random.Generator) -> RefutationProfile:
        raise unsupported(self, puzzle)

    @_trace.register
    def _(self, puzzle: Sudoku, rng: Seed) -> tuple[Values, NDArray[np.void]]:
        solution = unique_solution(puzzle)
        state = given_state(puzzle)
        trace = np.zeros(int(state.counts[1]), STEP)
        _fill(state, copy_of(state), puzzle.layout, solution, self._settings, generator(rng), trace)
        return solution, trace

    @_profile.register
    def _(self, puzzle: Sudoku, runs: int, rng: np.random.Generator) -> RefutationProfile:
        solution = unique_solution(puzzle)
        given = shared_given_state(puzzle)
        possibilities = np.zeros(int(given.counts[1]))
        order = np.zeros(puzzle.layout.n_cells)
        sums = _fill_often(
            given, puzzle.layout, solution, self._settings, rng, runs, possibilities, order
        )
        total, largest, stuck, unrefuted = (float(value) / runs for value in sums)
        return RefutationProfile(
            total, largest, stuck, unrefuted, possibilities / runs, order / runs
        )

    @_trace.register
    def _(self, puzzle: Nurikabe, rng: Seed) -> tuple[Values, NDArray[np.void]]:
        solution = unique_solution(puzzle)
        trace = np.zeros(puzzle.n_cells - puzzle.n_islands, STEP)
        colour_once(new_refuted(puzzle, solution), self._settings, generator(rng), trace)
        return solution, trace

    @_profile.register
    def _(self, puzzle: Nurikabe, runs: int, rng: np.random.Generator) -> RefutationProfile:
        board = new_refuted(puzzle, unique_solution(puzzle))
        possibilities = np.zeros(puzzle.n_cells - puzzle.n_islands)
        order = np.zeros(puzzle.n_cells)
        sums = colour_often(board, self._settings, rng, runs, possibilities, order)
        total, largest, stuck, unrefuted = (float(value) / runs for value in sums)
        return RefutationProfile(
            total, largest, stuck, unrefuted, possibilities / runs, order / runs
        )

    @property
    def _settings(self) -> tuple[int, float]:
        return int(self.count_assumption), float(self.unrefuted_score)


@kernel
def _fill_often(given, layout, solution, settings, rng, runs, possibilities, order):
    """Add up `runs` runs into `possibilities` and `order`; return the sums over stuck steps."""
    state = copy_of(given)
    scratch = copy_of(given)
    trace = np.zeros(given.counts[1], STEP)
    total = 0.0
    largest = 0.0
    stuck = 0
    unrefuted = 0
    for _ in range(runs):
        restore(state, given)
        unrefuted += _fill(state, scratch, layout, solution, settings, rng, trace)
        worst = 0.0
        for k in range(trace.shape[0]):
            possibilities[k] += trace[k]["options"]
            order[trace[k]["cell"]] += k + 1
            if trace[k]["rule"] == _REFUTATION:
                stuck += 1
                total += trace[k]["cost"]
                worst = max(worst, trace[k]["cost"])
        largest += worst
    return total, largest, float(stuck), float(unrefuted)


@lean_kernel
def _fill(state, scratch, layout, solution, settings, rng, trace):
    """Fill the grid of `state`, a row of `trace` per cell; return the unrefuted steps."""
    unrefuted = 0
    for k in range(trace.shape[0]):
        options = state.counts[0]
        cost = 0.0
        if options > 0:
            cell = int(state.open[int(rng.random() * options)])
            rule = _HIDDEN_SINGLE if int(state.ways[cell]) & HIDDEN else _NAKED_SINGLE
        else:
            cell, score = _cheapest(state, scratch, layout, solution, settings[0], rng)
            rule = _REFUTATION
            cost = float(score)
            if score < 0:
                unrefuted += 1
                cost = settings[1]
        trace[k]["step"] = k + 1
        trace[k]["cell"] = cell
        trace[k]["value"] = solution[cell]
        trace[k]["rule"] = rule
        trace[k]["options"] = options
        trace[k]["cost"] = cost
        place(state, layout, cell, int(solution[cell]) - 1)
    return unrefuted


@lean_kernel
def _cheapest(state, scratch, layout, solution, count_assumption, rng):
    """Cell whose wrong candidates are refuted in the fewest steps, and that number.

    The number is -1 where no cell can be refuted. A cell is dropped once its sum exceeds the
    least so far, and cells with few candidates come first: the cell chosen has the same
    distribution as if every refutation had been played out, at a tenth of the cost.
    """
    best = 1 << 60
    chosen = -1
    ties = 0
    for wanted in range(2, layout.size + 1):
        if (wanted - 1) * count_assumption > best:
            break
        for cell in range(layout.n_cells):
            if n_bits(int(state.candidates[cell])) != wanted:
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
    skipped = int(rng.random() * state.counts[1])
    for cell in range(layout.n_cells):
        if state.candidates[cell]:
            if skipped == 0:
                chosen = cell
                break
            skipped -= 1
    return chosen, -1


@lean_kernel
def _score(state, scratch, layout, solution, cell, count_assumption, best, rng):
    """Refutation score of a cell, or 2**60 where it cannot be had or exceeds `best`."""
    wrong = int(state.candidates[cell]) & ~(1 << int(solution[cell]) - 1)
    # The assumptions alone are a floor under the score.
    score = n_bits(wrong) * count_assumption
    for digit in range(layout.size):
        if wrong >> digit & 1:
            restore_stuck(scratch, state)
            steps = _refute(scratch, layout, cell, digit, best - score, rng)
            if steps < 0:
                return 1 << 60
            score += steps
            if score > best:
                return 1 << 60
    return score


@lean_kernel
def _refute(state, layout, cell, digit, bound, rng):
    """Random singles played until a contradiction: their number, the assumption not counted.

    -1 where the singles end without one; some number above `bound` once it must exceed it.
    """
    steps = 0
    while place(state, layout, cell, digit):
        steps += 1
        options = state.counts[0]
        if options == 0:
            return -1
        if steps > bound:
            break
        cell = int(state.open[int(rng.random() * options)])
        digit = int(state.digit[cell])
    return steps
