"""Features and groups of features."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle

THESIS = "Krivanek 2011"
SURVEY = "Pelanek 2014"
"""Sources of several groups."""


@dataclass(frozen=True)
class Feature:
    """The definition of a column.

    Attributes
    ----------
    name : str
        Column name.
    definition : str
        One line.
    unit : str
    direction : {"harder", "easier", "either"}
        Expected meaning of a larger value, stated before any data were seen.
    source : str
        Its source.
    less, more : str
        What a small and a large value mean to a player, as the reasons of a rating say it; empty
        for a column that no shipped model gives as a reason.
    """

    name: str
    definition: str
    unit: str
    direction: Literal["harder", "easier", "either"]
    source: str
    less: str = ""
    more: str = ""

    def told(self, *, large: bool) -> str:
        """Return what a value means to a player, or the definition if there are no words for it."""
        words = self.more if large else self.less
        definition = self.definition.partition(" (")[0].partition(",")[0]
        return words or f"{'large' if large else 'small'} {definition}"


@dataclass(frozen=True)
class FeatureGroup:
    """Features that are computed together.

    Attributes
    ----------
    name : str
        Name for `groups=`.
    number : int
        Number of the group's random stream. It must never change: ratings depend on it.
    features : tuple of Feature
    compute : callable
        ``compute(puzzle, runs, rng)`` returns one float per feature.
    runs : int
        Default number of runs of the solver, that of the papers.
    compute_many : callable or None
        ``compute_many(puzzles, runs, rngs)`` returns what `compute` does, in a row for each puzzle.
        None if this would not be faster than single calls.
    """

    name: str
    number: int
    features: tuple[Feature, ...]
    compute: Callable[[Puzzle, int, np.random.Generator], Sequence[float]]
    runs: int = 1
    compute_many: (
        Callable[[Sequence[Puzzle], int, Iterable[np.random.Generator]], NDArray[np.float64]] | None
    ) = None

    def rows(
        self, puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
    ) -> Sequence[Sequence[float]] | NDArray[np.float64]:
        """Return the features of each puzzle, using a separate generator for each.

        Parameters
        ----------
        puzzles : sequence of Puzzle
        runs : int
        rngs : iterable of Generator
            One for each puzzle, used before the next is requested. Not iterated if the group
            needs no random numbers.
        """
        if self.compute_many is not None:
            return self.compute_many(puzzles, runs, rngs)
        pairs = zip(puzzles, rngs, strict=True)
        return [self.compute(puzzle, runs, rng) for puzzle, rng in pairs]
