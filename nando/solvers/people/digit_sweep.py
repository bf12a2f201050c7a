"""The digit sweep: how often a person goes through the digits to fill a grid.

This model is our own. A person takes one digit, looks for places where it can go, fills the cells
that are found, and takes the next digit. At first only obvious places are found: the last place for
the digit in a box, the last empty cell of a house, and with some probability the last place in a
row or column. When a whole round of the digits finds nothing, the next round is more careful: it
checks first all rows and columns, then cells with one candidate. After any find the next round is
easy again. So a puzzle costs visits of digits at three levels of care. Easy puzzles take few
rounds, and no careful ones.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, unsigned
from nando.puzzles import Sudoku
from nando.puzzles.frozen import EqualFields
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.records import between, setting
from nando.solvers import singles
from nando.solvers.people import imitation
from nando.solvers.protocol import Rule

_AT_A_GLANCE = singles.IN_BOX | singles.LAST_IN_ROW | singles.LAST_IN_COLUMN | singles.LAST_IN_BOX
_EASY, _LINES, _NAKED = range(3)


@dataclass(frozen=True, eq=False)
class DigitSweepProfile(EqualFields):
    """Statistics of many runs of :class:`DigitSweep` on a puzzle.

    Attributes
    ----------
    visits : ndarray of float64, shape (3,)
        Mean number of visits of a digit at each level: at a glance, rows and columns, cells.
    finds : ndarray of float64, shape (3,)
        Mean number of visits at each level that found something.
    stuck_steps : float
        Mean number of impasses: most careful rounds that find nothing.
    order : ndarray of float64, shape (n_cells,)
        Mean step, from 1, at which each cell was filled; 0 for givens.
    """

    visits: NDArray[np.float64]
    finds: NDArray[np.float64]
    stuck_steps: float
    order: NDArray[np.float64]


@dataclass(frozen=True)
class DigitSweep(imitation.SpreadImitation[DigitSweepProfile]):
    """The digit sweep.

    Parameters
    ----------
    line_chance : float
        Chance that an easy visit finds a place that is the last one in a row or column.

    Notes
    -----
    The digits come in one random order, round after round; complete digits are skipped. Every
    second run reverses the order of the run before. Oversights are spread evenly over the runs on
    a puzzle, so that eight runs have about the noise of thirty independent ones. In a trace
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
    n_numbers = 7
    profile_class: ClassVar[type] = DigitSweepProfile
    line_chance: float = setting(0.5, between(0, 1))

    def draw(self, puzzle: Sudoku, runs: int, rng: np.random.Generator) -> imitation.Draws:
        """Return the draws for how long cells stay unseen, and for the orders of the digits."""
        return *super().draw(puzzle, runs, rng), rng.random(((runs + 1) // 2, puzzle.size))

    def spread(self, draws: imitation.Draws) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return how long each cell stays unseen in each run, and the order of the digits."""
        digits = draws[1].argsort(axis=2)
        # One run forwards, then one backwards.
        both = np.stack([digits, digits[:, :, ::-1]], axis=2)
        return imitation.unseen_of(draws[0]), both.reshape(len(digits), -1, digits.shape[2])

    @property
    def settings(self) -> float:
        """The chance to overlook the last place for a digit in a row or column at a glance."""
        return 1.0 - self.line_chance

    @staticmethod
    def workspace(layout: SudokuLayout) -> Any:
        """Return the workspace of the kernel."""
        return np.zeros(layout.n_cells), np.zeros(layout.size, np.int64)

    def _profile(self, means: NDArray[np.float64], order: NDArray[np.float64]) -> DigitSweepProfile:
        return DigitSweepProfile(means[:3], means[3:6], float(means[6]), order)


@lean_kernel
def _sweep(state, layout, solution, overlooked, drawn, place_in_draws, trace, counts, workspace):
    """Fill the grid of `state`, a row of `trace` per cell.

    `drawn` is how long each cell stays unseen, and the order of the digits. `counts`, shape (7,),
    adds up the visits and the finds at each level, and the impasses. `workspace` has an array
    by cell and an array by digit.
    """
    size = layout.size
    unseen, digits = drawn[0][place_in_draws], drawn[1][place_in_draws]
    still_unseen, left = workspace
    for i in range(size):
        left[i] = 0
    for cell in range(layout.n_cells):
        still_unseen[cell] = unseen[cell]
        if state.candidates[cell]:
            left[int(solution[cell]) - 1] += 1
    level = _EASY
    index = 0
    vain = 0
    k = 0
    visits = 0
    while k < trace.shape[0]:
        digit = int(digits[unsigned(index)])
        index = index + 1 if index + 1 < size else 0
        vain += 1
        if left[digit]:
            counts[level] += 1.0
            visits += 1
            placed = False
            cell = _seen(state, digit, level, overlooked, still_unseen)
            while cell >= 0:
                rule = imitation.rule_of_single(state, cell)
                imitation.write_fill(trace, k, cell, digit + 1, rule, visits, level)
                k += 1
                visits = 0
                left[digit] -= 1
                placed = True
                singles.place(state, layout, cell, digit)
                cell = _seen(state, digit, level, overlooked, still_unseen)
            if placed:
                counts[3 + level] += 1.0
                level = _EASY
                vain = 0
        if vain == size:
            vain = 0
            if level < _NAKED:
                level += 1
            elif k < trace.shape[0]:
                counts[6] += 1.0
                # No remaining cell was ever open, so their draws have not been used yet.
                cell = singles.fewest_candidates_first(state.candidates, still_unseen)
                digit = int(solution[cell]) - 1
                imitation.write_fill(trace, k, cell, digit + 1, Rule.GUESS.value, visits, level)
                k += 1
                visits = 0
                left[digit] -= 1
                singles.place(state, layout, cell, digit)
                level = _EASY


sweep_all = DigitSweep.play_all = imitation.runs_of(_sweep)


@inlined_kernel
def _seen(state, digit, level, overlooked, unseen):
    """Return a cell that a visit of this level finds for the digit, or -1.

    A cell that is overlooked with chance c stays unseen for n glances if its draw is at most c **
    n. Therefore the draw is divided by c at each glance, until it exceeds c.
    """
    for i in range(state.counts[singles.N_OPEN]):
        cell = int(state.open[unsigned(i)])
        if int(state.digit[unsigned(cell)]) != digit:
            continue
        ways = int(state.ways[unsigned(cell)])
        if ways & _AT_A_GLANCE or level == _NAKED:
            return cell
        if ways & singles.HIDDEN:
            if level == _LINES:
                return cell
            if unseen[unsigned(cell)] > overlooked:
                return cell
            unseen[unsigned(cell)] /= overlooked
    return -1
