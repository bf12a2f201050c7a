"""What a feature and a group of features are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nando.puzzles import Puzzle


@dataclass(frozen=True)
class Feature:
    """What one column means.

    Attributes
    ----------
    name : str
        Column name.
    definition : str
        One line.
    unit : str
    direction : {"harder", "easier", "either"}
        What a larger value was expected to mean before any data were seen.
    source : str
        Where it comes from.
    """

    name: str
    definition: str
    unit: str
    direction: Literal["harder", "easier", "either"]
    source: str


@dataclass(frozen=True)
class FeatureGroup:
    """Features that one computation gives.

    Attributes
    ----------
    name : str
        Name for `groups=`.
    number : int
        Number of the group's random stream; stored in no file, yet never changed, since it
        moves every rating.
    features : tuple of Feature
    compute : callable
        ``compute(puzzle, runs, rng)`` returns one float per feature.
    runs : int
        Runs of the solver where the caller asks for none: those the papers use.
    """

    name: str
    number: int
    features: tuple[Feature, ...]
    compute: Callable[[Puzzle, int, np.random.Generator], Sequence[float]]
    runs: int = 1
