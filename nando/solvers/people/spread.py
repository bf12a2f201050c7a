"""Runs whose draws are spread evenly, so that few of them have the mean of many.

All that is drawn in such a run is how long each cell stays unseen: one number for each, whatever
the order in which cells come up. Over the runs on a puzzle the numbers of a cell are one from each
n-th part, in an order of their own (a Latin hypercube; McKay, Beckman and Conover 1979). What a
cell by itself does to the mean then hardly varies, and that is most of what varies: a mean of n
runs is as steady as one of two to four times as many independent runs. Each run by itself is drawn
as an independent one, so means are not biased.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku, Values
from nando.solvers.exact.search import unique_solutions
from nando.solvers.people.imitation import Imitation
from nando.solvers.protocol import check_runs, unsupported

Profile = TypeVar("Profile")

Draws = tuple[NDArray[np.float64], ...]
"""Numbers from 0 up to 1, not 1 itself, of all runs on a puzzle, or on several."""


class SpreadImitation(Imitation[Profile], Generic[Profile]):
    """Runs and profiles of many Sudokus at once, from `_draws` and `_play_many`."""

    name: ClassVar[str]

    def profile_many(
        self, puzzles: Sequence[Puzzle], *, runs: int = 30, rngs: Iterable[np.random.Generator]
    ) -> list[Profile]:
        """What :meth:`profile` returns, for each puzzle with a generator of its own.

        Parameters
        ----------
        puzzles : sequence of Puzzle
        runs : int
        rngs : iterable of Generator
            As many, each used before the next is asked for.

        Raises
        ------
        PuzzleError
            If a puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1.
        """
        check_runs(runs)
        drawn = [
            self._draws(self._checked(puzzle), runs, rng)
            for puzzle, rng in zip(puzzles, rngs, strict=True)
        ]
        of_size: dict[int, list[int]] = {}
        for i, puzzle in enumerate(puzzles):
            of_size.setdefault(len(puzzle.givens), []).append(i)
        profiles: dict[int, Profile] = {}
        for same in of_size.values():
            alike = tuple(self._checked(puzzles[i]) for i in same)
            found = self._play_many(alike, _stacked([drawn[i] for i in same]))[2]
            profiles |= zip(same, found, strict=True)
        return [profiles[i] for i in range(len(puzzles))]

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], Profile]:
        alike = (self._checked(puzzle),)
        solutions, trace, profiles = self._play_many(
            alike, _stacked([self._draws(alike[0], runs, rng)])
        )
        return solutions[0], trace, profiles[0]

    def _checked(self, puzzle: Puzzle) -> Sudoku:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        return puzzle

    @abstractmethod
    def _draws(self, puzzle: Sudoku, runs: int, rng: np.random.Generator) -> Draws:
        """All that the runs on a puzzle draw."""

    @abstractmethod
    def _play_many(
        self, puzzles: tuple[Sudoku, ...], draws: Draws
    ) -> tuple[Values, NDArray[np.void], list[Profile]]:
        """Solutions of puzzles of one size, the trace of the last run, and the profiles."""


def solutions_of(puzzles: tuple[Sudoku, ...]) -> tuple[Values, Values]:
    """Givens and solutions of puzzles of one size, shape ``(n_puzzles, n_cells)``."""
    return np.stack([puzzle.givens for puzzle in puzzles]), unique_solutions(puzzles).values


def unseen_of(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """How long each cell stays unseen in each run, as a chance: the share of such looks.

    Parameters
    ----------
    drawn : ndarray of float64, shape (n_puzzles, runs + 1, n_cells)
        First where the parts of a cell begin, then where in its part each run is.

    Returns
    -------
    ndarray of float64, shape (n_puzzles, runs, n_cells)
        Above 0 and up to 1; each by itself uniform.
    """
    runs = drawn.shape[1] - 1
    shift = np.floor(drawn[:, :1] * runs)
    unseen = (_parts(runs, drawn.shape[2]) + shift + (1.0 - drawn[:, 1:])) / runs
    unseen -= unseen > 1.0
    return np.asarray(unseen)


@cache
def _parts(runs: int, n_cells: int) -> NDArray[np.float64]:
    """The n-th part of each run and cell: for each cell the runs in another order."""
    runs_by_cell = np.repeat(np.arange(float(runs))[:, None], n_cells, axis=1)
    return np.random.default_rng(0).permuted(runs_by_cell, axis=0)


def _stacked(draws: Sequence[Draws]) -> Draws:
    return tuple(np.stack(same) for same in zip(*draws, strict=True))
