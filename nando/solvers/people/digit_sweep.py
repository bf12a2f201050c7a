"""The digit sweep: how often a person goes through the digits to fill a grid.

A model of ours. A person takes one digit, looks where it can go, fills what is found, and takes the
next. At first only obvious places are found: the last place for the digit in a box, the last empty
cell of a house, and with some probability the last place in a row or column. When a whole round of
the digits finds nothing, the next round looks harder: first at all rows and columns, then at cells
with one candidate. After any find the next round is an easy one again. So a puzzle costs visits of
digits at three levels of care. Easy puzzles take few rounds, and no careful ones.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import unsigned
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.solvers.exact.search import unique_solution
from nando.solvers.people.imitation import Imitation
from nando.solvers.protocol import STEP, Rule, unsupported
from nando.solvers.sudoku.singles import (
    HIDDEN,
    IN_BOX,
    LAST_IN_BOX,
    LAST_IN_COLUMN,
    LAST_IN_ROW,
    copy_of,
    fewest_candidates,
    place,
    restore,
    shared_given_state,
)

_AT_A_GLANCE = IN_BOX | LAST_IN_ROW | LAST_IN_COLUMN | LAST_IN_BOX
_EASY, _LINES, _NAKED = range(3)
_HIDDEN_SINGLE = int(Rule.HIDDEN_SINGLE)
_NAKED_SINGLE = int(Rule.NAKED_SINGLE)
_GUESS = int(Rule.GUESS)


@dataclass(frozen=True)
class DigitSweepProfile:
    """Statistics of many runs of :class:`DigitSweep` on a puzzle.

    Attributes
    ----------
    visits : ndarray of float64, shape (3,)
        Mean number of visits of a digit at each level: at a glance, rows and columns, cells.
    finds : ndarray of float64, shape (3,)
        Mean number of visits at each level that found something.
    stuck_steps : float
        Mean number of impasses: rounds in which the most careful look finds nothing.
    order : ndarray of float64, shape (n_cells,)
        Mean step, from 1, at which each cell was filled; 0 for givens.
    """

    visits: NDArray[np.float64]
    finds: NDArray[np.float64]
    stuck_steps: float
    order: NDArray[np.float64]


@dataclass(frozen=True)
class DigitSweep(Imitation[DigitSweepProfile]):
    """The digit sweep.

    Parameters
    ----------
    line_chance : float
        Chance that an easy visit finds a place that is the last one in a row or column.

    Notes
    -----
    The digits come in one random order, round after round; full ones are skipped. In a trace
    `options` is the number of visits since the cell before, and `cost` the level of the visit.

    Examples
    --------
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> profile = DigitSweep().profile(puzzle, rng=1)
    >>> bool(profile.visits[0] > 18), profile.stuck_steps
    (True, 0.0)
    """

    name: ClassVar[str] = "digit_sweep"
    line_chance: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 <= self.line_chance <= 1.0:
            raise ValueError(f"line_chance must be between 0 and 1, got {self.line_chance!r}")

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], DigitSweepProfile]:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        solution = unique_solution(puzzle)
        given = shared_given_state(puzzle)
        trace = np.zeros(int(given.counts[1]), STEP)
        counts = np.zeros(7)
        order = np.zeros(puzzle.layout.n_cells)
        chance = float(self.line_chance)
        _sweep_often(given, puzzle.layout, solution, chance, rng, runs, trace, (counts, order))
        counts /= runs
        profile = DigitSweepProfile(counts[:3], counts[3:6], float(counts[6]), order / runs)
        return solution, trace, profile


@kernel
def _sweep_often(given, layout, solution, line_chance, rng, runs, trace, sums):
    """Add up `runs` runs into the sums: counts as of one sweep, and the order of the cells."""
    counts, order = sums
    state = copy_of(given)
    room = (np.zeros(layout.size, np.int64), np.zeros(layout.size, np.int64))
    for _ in range(runs):
        restore(state, given)
        _sweep(state, layout, solution, line_chance, rng, counts, trace, room)
        for k in range(trace.shape[0]):
            order[trace[k]["cell"]] += k + 1


@lean_kernel
def _sweep(state, layout, solution, line_chance, rng, counts, trace, room):
    """Fill the grid of `state`, a row of `trace` per cell.

    `counts`, shape (7,), takes in visits and finds of each level, and impasses; `room` is two
    arrays with a place for each digit.
    """
    size = layout.size
    digits, left = room
    for i in range(size):
        digits[i] = i
        left[i] = 0
    for i in range(size):
        j = i + int(rng.random() * (size - i))
        digits[i], digits[j] = digits[j], digits[i]
    for cell in range(layout.n_cells):
        if state.candidates[cell]:
            left[int(solution[cell]) - 1] += 1
    level = _EASY
    at = 0
    vain = 0
    k = 0
    visits = 0
    while k < trace.shape[0]:
        digit = digits[unsigned(at)]
        at = at + 1 if at + 1 < size else 0
        vain += 1
        if left[digit]:
            counts[level] += 1.0
            visits += 1
            found = False
            cell = _seen(state, digit, level, line_chance, rng)
            while cell >= 0:
                hidden = int(state.ways[cell]) & HIDDEN
                rule = _HIDDEN_SINGLE if hidden else _NAKED_SINGLE
                _note(trace, k, cell, digit, rule, visits, level)
                k += 1
                visits = 0
                left[digit] -= 1
                found = True
                place(state, layout, cell, digit)
                cell = _seen(state, digit, level, line_chance, rng)
            if found:
                counts[3 + level] += 1.0
                level = _EASY
                vain = 0
        if vain == size:
            vain = 0
            if level < _NAKED:
                level += 1
            elif k < trace.shape[0]:
                counts[6] += 1.0
                cell = fewest_candidates(state, layout, rng)
                digit = int(solution[cell]) - 1
                _note(trace, k, cell, digit, _GUESS, visits, level)
                k += 1
                visits = 0
                left[digit] -= 1
                place(state, layout, cell, digit)
                level = _EASY


@inlined_kernel
def _seen(state, digit, level, line_chance, rng):
    """A cell that a visit of this level finds for the digit, -1 for none."""
    for i in range(state.counts[0]):
        cell = int(state.open[unsigned(i)])
        if int(state.digit[unsigned(cell)]) != digit:
            continue
        ways = int(state.ways[unsigned(cell)])
        if ways & _AT_A_GLANCE or level == _NAKED:
            return cell
        if ways & HIDDEN and (level == _LINES or rng.random() < line_chance):
            return cell
    return -1


@inlined_kernel
def _note(trace, k, cell, digit, rule, visits, level):
    trace[k]["step"] = k + 1
    trace[k]["cell"] = cell
    trace[k]["value"] = digit + 1
    trace[k]["rule"] = rule
    trace[k]["options"] = visits
    trace[k]["cost"] = level
