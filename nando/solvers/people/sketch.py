"""Sketches: a few games of several 9x9 Sudokus in one call, for searches that rate thousands.

A profile of few runs spends most of its time outside its kernel. A sketch solves the puzzles, plays
the technique race and the digit sweep, and counts the guesses of the exact search, all in one
kernel and with workspace that is reused. Its numbers are those of the solvers themselves.

All puzzles are played with the same draws. A sketch therefore depends on the puzzle alone. Over
many puzzles its noise is that of independent draws.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles import PuzzleError, Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.exact.bands import FOUND, GUESSES, advance_bands, new_stack, start_bands
from nando.solvers.exact.search import status
from nando.solvers.people.digit_sweep import DigitSweep, sweep_all
from nando.solvers.people.imitation import stack
from nando.solvers.people.technique_race import TechniqueRace, race_all
from nando.solvers.protocol import STEP
from nando.solvers.singles import shared_empty_state

_TOGETHER = 64
"""Puzzles in one call of the kernel."""


@cache
def _draw_for(runs: int) -> tuple[NDArray[Any], ...]:
    """Return the draws in the form of the kernel, the same for each puzzle of a call."""
    race, sweep, rng = TechniqueRace(), DigitSweep(), np.random.default_rng(0)
    nothing = Sudoku.from_values(np.zeros(81, np.int8))
    of_race, of_sweep = race.draw(nothing, runs, rng), sweep.draw(nothing, runs, rng)
    return (
        *race.spread(stack([of_race] * _TOGETHER)),
        *sweep.spread(stack([of_sweep] * _TOGETHER)),
    )


class Sketcher:
    """Plays few games of one puzzle after another; for one thread at a time."""

    def __init__(self) -> None:
        self._race, self._sweep = TechniqueRace(), DigitSweep()
        layout, both = sudoku_layout(3), (self._race, self._sweep)
        self._board = (shared_empty_state(3), layout)
        self._settings = tuple(each.settings for each in both)
        self._search = (new_stack(), np.zeros(3, np.int64))
        self._workspace = (np.zeros(81, STEP), *(each.workspace(layout) for each in both))

    def play(
        self, givens: NDArray[np.int8], runs: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Play `runs` games of each kind.

        Parameters
        ----------
        givens : ndarray of int8, shape (n, 81)
        runs : int

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
        race = np.zeros((len(givens), self._race.n_numbers))
        counts = np.zeros((len(givens), self._sweep.n_numbers))
        guesses = np.zeros(len(givens), np.int64)
        for first in range(0, len(givens), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            drawn = tuple(each[: len(givens[part])] for each in _draw_for(runs))
            sums = race[part], counts[part], guesses[part]
            kept = self._search, self._workspace
            wrong = _play(self._board, givens[part], self._settings, *kept, drawn, sums)
            if wrong >= 0:
                raise PuzzleError(status(Sudoku.from_values(givens[first + wrong])))
        return race / runs, counts[:, :3] / runs, guesses


@kernel
def _play(board, givens, settings, search, workspace, drawn, sums):
    """Fill the sums; return the index of the first puzzle without exactly one solution, or -1."""
    empty, layout = board
    of_race, overlooked = settings
    stack, progress = search
    trace, at_race, at_sweep = workspace
    race, counts, guesses = sums
    solutions = np.zeros(givens.shape, np.int8)
    for i in range(givens.shape[0]):
        start_bands(stack, progress, givens[i])
        advance_bands(stack, progress, 2, 1 << 62, solutions[i : i + 1])
        if progress[FOUND] != 1:
            return i
        guesses[i] = progress[GUESSES]
    order = np.zeros(givens.shape)
    totals = (race, order)
    race_all(empty, layout, givens, solutions, of_race, drawn[:1], trace, totals, at_race)
    totals = (counts, order)
    sweep_all(empty, layout, givens, solutions, overlooked, drawn[1:], trace, totals, at_sweep)
    return -1
