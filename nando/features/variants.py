"""The features of variants: what opens each cell, and the steps that a puzzle needs."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import listed
from nando.features.sudoku import FAMILIES
from nando.puzzles import Puzzle, Variant
from nando.solvers import logic

if TYPE_CHECKING:
    from nando.solvers.logic.house_walk import HouseWalker

_FAMILIES: dict[str, tuple[str, ...]] = {
    **FAMILIES,
    "larger": (*FAMILIES["larger"], "naked quintuplet", "UVWXYZ-wing", "TUVWXYZ-wing"),
    "together": (
        "rules together",
        "rules of an area",
        "rules of a larger area",
        "cases of an area",
        "cases of a larger area",
        "classes of a line",
        "cases of a line",
    ),
    "what_ifs": ("what-if", "dilemma"),
    "next_to_digit": ("relation to a digit",),
    "relations": ("relation",),
    "small_sums": ("sum of two cells",),
    "sums": ("sum of three cells", "larger sum", "digit of a cage"),
    "unions": ("innie or outie", "innies or outies", "larger innies or outies"),
    "patterns": ("pattern", "pattern without repeats"),
}
"""The techniques whose uses are counted together, grouped as for Sudoku."""

_FAMILIES["locked"] = ("locked candidates",)

_SATURATING = ("chains", "together", "what_ifs")
_MANY = 4.0
"""Number of steps of these families from which a further one counts less than half: nobody who has
to try digits removes forty candidates by forty what-ifs, as the ladder may."""


_race_solver = cache(lambda: solvers.VariantRace())


@cache
def _walker() -> "HouseWalker":
    """Return the ladder without nested chains and deep what-ifs, which take seconds."""
    from nando.solvers.logic.house_walk import HouseWalker
    from nando.solvers.logic.kernel_numbers import DEEP_WHAT_IF, NESTED_FORCING

    slow = NESTED_FORCING, DEEP_WHAT_IF
    return HouseWalker(tuple(t for t in logic.VARIANT_LADDER if t.kernel not in slow), 0)


@cache
def _family_of() -> NDArray[np.float64]:
    """Return 1 for each technique of a family, shape ``(n_families, n_techniques)``."""
    ladder = _walker().ladder
    return np.array(
        [[float(rung.name in names) for rung in ladder] for names in _FAMILIES.values()]
    )


def _race(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    means = _race_solver().means_many(puzzles, runs=runs, rngs=rngs)
    blanks = [
        len(puzzle.places) - puzzle.n_givens for puzzle in puzzles if isinstance(puzzle, Variant)
    ]
    return np.column_stack([blanks, means])


def _ladder(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    del runs, rngs
    ratings = _walker().rate([puzzle for puzzle in puzzles if isinstance(puzzle, Variant)])
    counts = ratings.uses @ _family_of().T
    many = [list(_FAMILIES).index(name) for name in _SATURATING]
    counts[:, many] = _MANY * np.log1p(counts[:, many] / _MANY)
    return np.column_stack([counts, ~ratings.solved])


VARIANT_GROUPS = (
    listed("variant_race", 50, _race, 8),
    listed("variant_ladder", 51, _ladder),
)
"""Every feature group that only variants have."""
