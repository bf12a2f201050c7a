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
from nando.solvers.people.digit_sweep import DigitSweep, _sweep_often
from nando.solvers.people.technique_race import TechniqueRace, _race_often
from nando.solvers.protocol import STEP
from nando.solvers.sudoku.closures import scratch_of
from nando.solvers.sudoku.singles import copy_of, empty_state, place_all


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
        technique_race = TechniqueRace()
        rates = technique_race._rates, technique_race.typical_blanks, DigitSweep().line_chance
        self._settings = (sudoku_layout(3), empty_state(3), rates)
        self._search = (new_stack(), np.zeros(3, np.int64), np.zeros((1, 81), np.int8))
        self._room = (np.zeros(81, STEP), np.zeros(81), scratch_of(9))
        self._counts = np.zeros(7)
        self.race = np.zeros(8)
        self.visits = self._counts[:3]
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
        self.race[:] = 0.0
        self._counts[:] = 0.0
        sums = self.race, self._counts
        if not _play(givens, self._settings, self._search, self._room, rng, runs, sums):
            raise PuzzleError(status(Sudoku.from_values(givens)))
        self.guesses = int(self._search[1][GUESSES])


@kernel
def _play(givens, settings, search, room, rng, runs, sums):
    layout, empty, (rates, typical_blanks, line_chance) = settings
    stack, progress, solutions = search
    steps, order, scratch = room
    race, counts = sums
    start_bands(stack, progress, givens)
    advance_bands(stack, progress, 2, 1 << 62, solutions)
    if progress[FOUND] != 1:
        return False
    given = copy_of(empty)
    place_all(given, layout, givens)
    trace = steps[: given.counts[1]]
    _race_often(
        given,
        layout,
        solutions[0],
        (rates, typical_blanks),
        rng,
        runs,
        trace,
        (race, order, scratch),
    )
    _sweep_often(given, layout, solutions[0], line_chance, rng, runs, trace, (counts, order))
    return True
