"""Runs and profiles of solvers that imitate people: they fill one cell per step, and always end."""

from abc import abstractmethod
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Values
from nando.solvers.protocol import Limit, Seed, SolveRun, check_runs, filled_run, generator

Profile = TypeVar("Profile")


class Imitation(Generic[Profile]):
    """Runs and profiles from `_play`, which fills a puzzle many times."""

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Fill the puzzle once.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        """
        solution, trace, _ = self._play(puzzle, 1, generator(rng))
        return filled_run(solution, trace, limit)

    def profile(self, puzzle: Puzzle, *, runs: int = 30, rng: Seed = None) -> Profile:
        """Fill the puzzle `runs` times and take means.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1.
        """
        check_runs(runs)
        _, _, profile = self._play(puzzle, runs, generator(rng))
        return profile

    @abstractmethod
    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], Profile]:
        """The solution, the trace of the last run with a row per filled cell, means over runs."""
