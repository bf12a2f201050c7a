"""The features of Sudoku behind the rating, and the givens, the baseline of every comparison."""

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import each, listed
from nando.puzzles import Puzzle
from nando.solvers import logic

FAMILIES: dict[str, tuple[str, ...]] = {
    "direct": (
        "direct pointing",
        "direct claiming",
        "direct hidden pair",
        "direct hidden triplet",
    ),
    "locked": ("pointing", "claiming"),
    "pairs": ("naked pair", "hidden pair", "X-wing"),
    "larger": (
        "naked triplet",
        "hidden triplet",
        "swordfish",
        "two strong links",
        "XY-wing",
        "XYZ-wing",
        "unique loop",
        "naked quad",
        "jellyfish",
        "hidden quad",
        "three strong links",
        "WXYZ-wing",
        "bivalue universal grave",
        "VWXYZ-wing",
        "aligned pair exclusion",
    ),
    "chains": (
        "chain",
        "aligned triplet exclusion",
        "nishio",
        "multiple forcing chains",
        "dynamic forcing chains",
        "dynamic forcing chains with patterns",
    ),
}
"""The techniques beyond singles whose uses are counted together."""

_sweep = cache(lambda: solvers.DigitSweep())
_race = cache(lambda: solvers.TechniqueRace())


@cache
def _solver() -> "solvers.LogicSolver":
    """Return the ladder without chains nested in chains.

    Nested chains take a thousand times as long as all the rest. `technique_stuck` marks the few
    puzzles that need them.
    """
    from nando.solvers.logic.kernel_numbers import NESTED_FORCING

    return solvers.LogicSolver(
        tuple(t for t in logic.SUKAKU_EXPLAINER if t.kernel != NESTED_FORCING)
    )


@cache
def _family_of() -> NDArray[np.bool_]:
    """Return True for each technique of a family, shape ``(n_families, n_techniques)``."""
    ladder = _solver().ladder
    return np.array([[rung.name in names for rung in ladder] for names in FAMILIES.values()])


@each
def _givens(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    givens = puzzle.givens[puzzle.givens > 0]
    per_value = np.bincount(givens, minlength=puzzle.shape[0] + 1)[1:]
    return float(givens.size), float(per_value.min()), float(per_value.std())


def _digit_sweep(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    return np.log1p(_sweep().means_many(puzzles, runs=runs, rngs=rngs)[:, :3])


def _technique_race(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    means = _race().means_many(puzzles, runs=runs, rngs=rngs)
    blanks = [puzzle.givens.size - np.count_nonzero(puzzle.givens) for puzzle in puzzles]
    return np.column_stack([blanks, means])


def _techniques(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    from nando.solvers.exact.search import unique_solutions

    del runs, rngs
    for shape in {puzzle.shape for puzzle in puzzles}:
        unique_solutions(tuple(puzzle for puzzle in puzzles if puzzle.shape == shape))
    ratings = _solver().rate_many(puzzles)
    return np.column_stack([ratings.uses @ _family_of().T.astype(float), ~ratings.solved])


SUDOKU_GROUPS = (
    listed("givens", 0, _givens),
    listed("digit_sweep", 10, _digit_sweep, 8),
    listed("technique_race", 40, _technique_race, 16),
    listed("techniques", 41, _techniques),
)
"""Groups of Sudoku; see :data:`nando.features.GROUPS`."""
