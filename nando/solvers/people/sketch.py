"""A few games of a 9x9 Sudoku in one call, for searches that look at thousands of puzzles.

Most of a profile of few runs goes into what surrounds its kernel. A sketch solves the puzzle, plays
the technique race and the digit sweep, and counts the guesses of the exact search, in one kernel
and in room that it keeps. Its numbers are those of the solvers themselves.
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles import PuzzleError, Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.exact.bands import FOUND, GUESSES, advance_bands, new_stack, start_bands
from nando.solvers.exact.search import status
from nando.solvers.people.digit_sweep import DigitSweep, _sweep_often
from nando.solvers.people.technique_race import TechniqueRace, _race_often
from nando.solvers.protocol import STEP
from nando.solvers.sudoku.closures import scratch_of
from nando.solvers.sudoku.singles import copy_of, place_all, shared_empty_state


class Sketcher:
    """Plays few games of one puzzle after another; for one thread at a time."""

    def __init__(self) -> None:
        technique_race = TechniqueRace()
        rates = technique_race._rates, technique_race.typical_blanks, DigitSweep().line_chance
        self._settings = (sudoku_layout(3), shared_empty_state(3), rates)
        self._search = (new_stack(), np.zeros(3, np.int64), np.zeros((1, 81), np.int8))
        self._room = (np.zeros(81, STEP), np.zeros(81), scratch_of(9))

    def play(
        self, givens: NDArray[np.int8], runs: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Play so many games of each kind.

        Parameters
        ----------
        givens : ndarray of int8, shape (n, 81)
        runs : int
        rng : Generator
            Puzzles draw from it one after the other.

        Returns
        -------
        race : ndarray of float64, shape (n, 8)
            Means of the technique race, from `glance` to `beyond_blanks` of its profile.
        visits : ndarray of float64, shape (n, 3)
            Mean visits of a digit at each level of the digit sweep.
        guesses : ndarray of int64, shape (n,)
            Guesses of the exact search that proves uniqueness.

        Raises
        ------
        PuzzleError
            If a puzzle does not have exactly one solution.
        """
        race, counts = np.zeros((len(givens), 8)), np.zeros((len(givens), 7))
        guesses = np.zeros(len(givens), np.int64)
        sums = race, counts, guesses
        wrong = _play(givens, self._settings, self._search, self._room, rng, runs, sums)
        if wrong >= 0:
            raise PuzzleError(status(Sudoku.from_values(givens[wrong])))
        return race / runs, counts[:, :3] / runs, guesses


@kernel
def _play(givens, settings, search, room, rng, runs, sums):
    """Fill the sums; number of the first puzzle that has not one solution, or -1."""
    layout, empty, (rates, typical_blanks, line_chance) = settings
    stack, progress, solutions = search
    steps, order, scratch = room
    race, counts, guesses = sums
    settings_of_race = (rates, typical_blanks)
    for i in range(givens.shape[0]):
        start_bands(stack, progress, givens[i])
        advance_bands(stack, progress, 2, 1 << 62, solutions)
        if progress[FOUND] != 1:
            return i
        guesses[i] = progress[GUESSES]
        given = copy_of(empty)
        place_all(given, layout, givens[i])
        trace = steps[: given.counts[1]]
        room_of_race = (race[i], order, scratch)
        _race_often(given, layout, solutions[0], settings_of_race, rng, runs, trace, room_of_race)
        room_of_sweep = (counts[i], order)
        _sweep_often(given, layout, solutions[0], line_chance, rng, runs, trace, room_of_sweep)
    return -1
