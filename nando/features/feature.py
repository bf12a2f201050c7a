"""Features and groups of features; ``features.csv`` describes nearly all of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.puzzles import Puzzle
from nando.tables import load_rows

Direction = Literal["harder", "easier", "either"]
Compute = Callable[[Puzzle, int, np.random.Generator], Sequence[float]]
Rows = Callable[
    [Sequence[Puzzle], int, Iterable[np.random.Generator]],
    Sequence[Sequence[float]] | NDArray[np.float64],
]


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
    direction: Direction
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
    rows : callable
        ``rows(puzzles, runs, rngs)`` returns the features of each puzzle, using a generator for
        each before the next is requested. Generators are not iterated if the group needs no random
        numbers.
    runs : int
        Default number of runs of the solver, that of the papers.
    """

    name: str
    number: int
    features: tuple[Feature, ...]
    rows: Rows
    runs: int = 1


@cache
def listing() -> dict[str, list[Feature]]:
    """Return the features in ``features.csv`` by group."""
    table: dict[str, list[Feature]] = {}
    for row in load_rows("nando.features", "features.csv"):
        table.setdefault(row.pop("group"), []).append(Feature(**cast(Any, row)))
    return table


def listed(
    name: str, number: int, rows: Rows, runs: int = 1, *, more: Iterable[Feature] = ()
) -> FeatureGroup:
    """Return a group with the features that ``features.csv`` lists for it, and `more` features."""
    return FeatureGroup(name, number, (*listing()[name], *more), rows, runs)


def each(compute: Compute) -> Rows:
    """Turn a function of one puzzle, a number of runs and a generator into one of many puzzles."""

    @wraps(compute)
    def rows(
        puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
    ) -> list[Sequence[float]]:
        return [compute(puzzle, runs, rng) for puzzle, rng in zip(puzzles, rngs, strict=True)]

    return rows


def from_profile(solver: Callable[[], Any], *columns: str, steps: int | None = None) -> Rows:
    """Return the rows of a solver's profiles.

    Parameters
    ----------
    solver : callable
        Returns the solver.
    *columns : str
        Each an attribute of a profile, after the name of a function of numpy if it is applied.
    steps : int, optional
        Most steps of each run.
    """

    @each
    def rows(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
        bound = {} if steps is None else {"limit": solvers.Limit(steps=steps)}
        profile = solver().profile(puzzle, runs=runs, rng=rng, **bound)
        return [_column(profile, *column.split()) for column in columns]

    return rows


def _column(profile: Any, *words: str) -> float:
    *functions, attribute = words
    value = getattr(profile, attribute)
    for function in functions:
        value = getattr(np, function)(value)
    return float(value)


def from_runs(
    solver: Callable[[], Any], steps: int, columns: Callable[[Any], Sequence[float]]
) -> Rows:
    """Return the rows of a function of a solver's runs, each of at most `steps`."""

    @each
    def rows(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
        instance, limit = solver(), solvers.Limit(steps=steps)
        return columns([instance.run(puzzle, limit=limit, rng=rng) for _ in range(runs)])

    return rows
