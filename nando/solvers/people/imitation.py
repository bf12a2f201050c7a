"""What the solvers that imitate people share: they fill a cell a step, and always end."""

from abc import abstractmethod
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Values
from nando.solvers.protocol import Limit, Seed, SolveRun, check_runs, filled_run, generator

Profile = TypeVar("Profile")


class Imitation(Generic[Profile]):
    """Runs and profiles from `_trace` and `_profile`, which dispatch on the kind of puzzle."""

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Fill the puzzle once.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        """
        return filled_run(*self._trace(puzzle, rng), limit)

    def profile(self, puzzle: Puzzle, *, runs: int = 30, rng: Seed = None) -> Profile:
        """Fill the puzzle `runs` times and take means.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        ValueError
            Where `runs` is below 1.
        """
        check_runs(runs)
        return self._profile(puzzle, runs, generator(rng))

    @abstractmethod
    def _trace(self, puzzle: Puzzle, rng: Seed) -> tuple[Values, NDArray[np.void]]:
        """A solution, and a row of the trace per filled cell."""

    @abstractmethod
    def _profile(self, puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Profile:
        """Means over runs."""
