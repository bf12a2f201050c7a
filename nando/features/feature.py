"""Features and groups of features; ``features.csv`` has the words of nearly all of them."""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle

Direction = Literal["harder", "easier", "either"]
Compute = Callable[[Puzzle, int, np.random.Generator], Sequence[float]]
ComputeMany = Callable[[Sequence[Puzzle], int, Iterable[np.random.Generator]], NDArray[np.float64]]


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
    direction: Direction
    source: str
    less: str = ""
    more: str = ""

    def in_words(self, *, large: bool) -> str:
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
    compute: Compute
    runs: int = 1
    compute_many: ComputeMany | None = None

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


@cache
def _table() -> dict[str, list[Feature]]:
    """Return the features in ``features.csv`` by group."""
    table: dict[str, list[Feature]] = {}
    with Path(__file__).with_name("features.csv").open(encoding="utf-8", newline="") as file:
        for group, name, definition, unit, direction, source, less, more in list(csv.reader(file))[
            1:
        ]:
            feature = Feature(
                name, definition, unit, cast(Direction, direction), source, less, more
            )
            table.setdefault(group, []).append(feature)
    return table


def listed(
    name: str,
    number: int,
    compute: Compute,
    runs: int = 1,
    compute_many: ComputeMany | None = None,
    *,
    more: Iterable[Feature] = (),
) -> FeatureGroup:
    """Return a group with the features that ``features.csv`` lists for it, and `more` of them."""
    return FeatureGroup(name, number, (*_table()[name], *more), compute, runs, compute_many)
