"""The features of a puzzle, by group.

A feature group is one solver (or none) and the names it always returns, in the same order, so
that fitting and predicting cannot disagree about columns. A new feature is a row of
``features.csv``; a new group is one function and one entry of a tuple that `KINDS` names. The
function imports its solver when it runs: the solvers of all groups take half a second to import.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import FeatureGroup, listed, listing
from nando.features.further import FURTHER_GROUPS, METHOD_GROUPS
from nando.features.nurikabe import NURIKABE_GROUPS
from nando.features.sudoku import SUDOKU_GROUPS
from nando.features.variants import VARIANT_GROUPS
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Variant


def _exact(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    from nando.solvers.exact.search import unique_solutions

    del runs, rngs
    if len({puzzle.shape for puzzle in puzzles}) == 1 and isinstance(puzzles[0], Sudoku):
        return np.log1p(unique_solutions(tuple(puzzles)).guesses)[:, None]
    return np.log1p([[solvers.ExactSearch().run(puzzle).steps] for puzzle in puzzles])


EXACT = listed("exact", 3, _exact)
"""Features of the exact search."""


class FeaturesKind(NamedTuple):
    """The features of a kind of puzzle.

    Attributes
    ----------
    groups : tuple of FeatureGroup
        All groups that can be computed.
    default : tuple of str
        Names of the groups that are computed by default. The table in docs/performance.md shows
        what each group contributes and costs.
    version : int
        Version of the columns, by which caches of ratings know them. Raise it with every change
        that moves a number; ``tests/features/test_golden.py`` notices such changes.
    """

    groups: tuple[FeatureGroup, ...]
    default: tuple[str, ...]
    version: int = 1


def _as_listed(*groups: FeatureGroup) -> tuple[FeatureGroup, ...]:
    """Return groups in the order of ``features.csv``."""
    names = list(listing())
    return tuple(sorted(groups, key=lambda group: names.index(group.name)))


KINDS: dict[str, FeaturesKind] = {
    Sudoku.kind: FeaturesKind(
        groups=_as_listed(EXACT, *SUDOKU_GROUPS, *FURTHER_GROUPS, *METHOD_GROUPS),
        default=(
            "givens",
            "refutation",
            "dependency",
            "search_time",
            "digit_sweep",
            "ladder_race",
            "exact",
            "technique_race",
            "techniques",
        ),
    ),
    Nurikabe.kind: FeaturesKind(
        groups=(EXACT, *NURIKABE_GROUPS),
        default=("nurikabe_static", "nurikabe_ladder", "exact", "nurikabe_refutation"),
    ),
    Variant.kind: FeaturesKind(
        groups=(EXACT, *VARIANT_GROUPS),
        default=("exact", "variant_race", "variant_ladder"),
        version=10,
    ),
}
"""The kinds of puzzle that have features, by name."""

GROUPS: dict[str, FeatureGroup] = {
    group.name: group for kind in KINDS.values() for group in kind.groups
}
"""Every feature group by name."""

DEFAULT_GROUPS = KINDS["sudoku"].default
"""Groups computed for Sudoku by default."""


def default_groups(kind: str) -> tuple[str, ...]:
    """Return the groups computed for a kind of puzzle by default.

    Raises
    ------
    ValueError
        For a kind without features.
    """
    if kind not in KINDS:
        raise ValueError(f"no features for {kind!r} puzzles; known: {', '.join(KINDS)}")
    return KINDS[kind].default


def kinds_of(groups: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of puzzle that have all these groups; without groups, all kinds."""
    names = {group.name for group in find_groups(groups)}
    return tuple(
        name for name, kind in KINDS.items() if names <= {group.name for group in kind.groups}
    )


def feature_names(groups: Sequence[str] = DEFAULT_GROUPS) -> list[str]:
    """Return the column names of the groups, in order.

    Raises
    ------
    ValueError
        For an unknown group.
    """
    return [feature.name for group in find_groups(groups) for feature in group.features]


def groups_of(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the groups that give these columns, in the order of :data:`GROUPS`.

    Raises
    ------
    ValueError
        For a column that no group gives.
    """
    names = set(columns)
    giving = tuple(
        group.name
        for group in GROUPS.values()
        if names & {feature.name for feature in group.features}
    )
    unknown = sorted(names - set(feature_names(giving)))
    if unknown:
        raise ValueError(f"no feature is called {unknown[0]!r}")
    return giving


def find_groups(groups: Iterable[str]) -> list[FeatureGroup]:
    """Return the groups of these names.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.
    """
    unknown = [name for name in groups if name not in GROUPS]
    if unknown:
        raise ValueError(f"unknown feature group {unknown[0]!r}; known: {', '.join(GROUPS)}")
    return [GROUPS[name] for name in groups]
