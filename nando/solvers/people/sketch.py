"""A few games of a 9x9 Sudoku in one call, for searches that look at thousands of puzzles.

Most of a profile of few runs goes into what surrounds its kernel. A sketch solves the puzzle, plays
the technique race and the digit sweep, and counts the guesses of the exact search, in one kernel
and in room that it keeps. Its numbers are those of the solvers themselves.
"""

import numpy as np

from nando.kernels.compile import kernel
from nando.puzzles import PuzzleError, Sudoku, Values
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.exact.bands import FOUND, GUESSES, advance_bands, new_stack, start_bands
from nando.solvers.exact.search import status
from nando.solvers.people.digit_sweep import DigitSweep, sweep_all
from nando.solvers.people.spread import stacked
from nando.solvers.people.technique_race import TechniqueRace, new_memory, race_all
from nando.solvers.protocol import STEP
from nando.solvers.sudoku.closures import scratch_of
from nando.solvers.sudoku.singles import empty_state


class Sketcher:
    """Plays few games of one puzzle after another; for one thread at a time.

    Attributes
    ----------
    race : ndarray of float64, shape (8,)
        Sums over the runs of the technique race, from `glance` to `beyond_blanks` of its profile.
    visits : ndarray of float64, shape (3,)
        Sums over the runs of the digit sweep: visits of a digit at each level.
    guesses : int
        Guesses of the exact search that proves uniqueness.
    """

    def __init__(self) -> None:
        self._race, self._sweep = TechniqueRace(), DigitSweep()
        overlooked = 1.0 - self._sweep.line_chance
        self._settings = (sudoku_layout(3), empty_state(3), self._race.settings, overlooked)
        self._search = (new_stack(), np.zeros(3, np.int64), np.zeros((1, 81), np.int8))
        self._room = (np.zeros(81, STEP), np.zeros((1, 81)), (scratch_of(9), new_memory(81)))
        self._sums = (np.zeros((1, self._race.n_numbers)), np.zeros((1, self._sweep.n_numbers)))
        self.race = self._sums[0][0]
        self.visits = self._sums[1][0, :3]
        self.guesses = 0

    def play(self, givens: Values, runs: int, rng: np.random.Generator) -> None:
        """Play so many games of each kind.

        Parameters
        ----------
        givens : ndarray of int8, shape (81,)
        runs : int
        rng : Generator

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        """
        for sums in self._sums:
            sums[:] = 0.0
        drawn = (
            *self._race.spread(stacked([self._race.draws(9, runs, rng)])),
            *self._sweep.spread(stacked([self._sweep.draws(9, runs, rng)])),
        )
        rows = givens.reshape(1, 81)
        if not _play(rows, self._settings, self._search, self._room, drawn, self._sums):
            raise PuzzleError(status(Sudoku.from_values(givens)))
        self.guesses = int(self._search[1][GUESSES])


@kernel
def _play(givens, settings, search, room, drawn, sums):
    layout, empty, race_settings, overlooked = settings
    stack, progress, solutions = search
    trace, order, race_room = room
    unseen, overseen, digits = drawn
    race, counts = sums
    start_bands(stack, progress, givens[0])
    advance_bands(stack, progress, 2, 1 << 62, solutions)
    if progress[FOUND] != 1:
        return False
    totals = (race, order)
    race_all(empty, layout, givens, solutions, race_settings, unseen, trace, totals, race_room)
    totals = (counts, order)
    sweep_all(empty, layout, givens, solutions, overlooked, overseen, digits, trace, totals)
    return True
