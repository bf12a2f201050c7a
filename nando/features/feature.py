"""Features and groups of features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nando.puzzles import Puzzle


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
    """

    name: str
    definition: str
    unit: str
    direction: Literal["harder", "easier", "either"]
    source: str


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
    """

    name: str
    number: int
    features: tuple[Feature, ...]
    compute: Callable[[Puzzle, int, np.random.Generator], Sequence[float]]
    runs: int = 1
