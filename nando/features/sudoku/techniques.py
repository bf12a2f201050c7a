"""Feature groups of Sudoku behind the rating: the technique race, and the techniques needed."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nando.features.feature import Feature, FeatureGroup
from nando.puzzles import Puzzle, Sudoku

if TYPE_CHECKING:
    from nando.solvers import LogicSolver, TechniqueRace

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

_MEANING = {
    "direct": "locked candidates, hidden pairs and triplets that fill a cell at once",
    "locked": "locked candidates",
    "pairs": "pairs and X-wings",
    "larger": "triplets, quads, larger fish, wings, strong links, loops",
    "chains": "chains, forcing chains, and what is as hard",
}


@cache
def _race() -> "TechniqueRace":
    from nando.solvers import TechniqueRace

    return TechniqueRace()


@cache
def _solver() -> "LogicSolver":
    """Return the ladder without chains nested in chains.

    Nested chains take a thousand times as long as all the rest. `technique_stuck` marks the few
    puzzles that need them.
    """
    from nando.solvers import LogicSolver
    from nando.solvers.logic.sudoku.ladder import NESTED_FORCING
    from nando.solvers.logic.sudoku.techniques import SUKAKU_EXPLAINER

    return LogicSolver(tuple(t for t in SUKAKU_EXPLAINER if t.kernel != NESTED_FORCING))


@cache
def _family_of() -> NDArray[np.bool_]:
    """Return True if a technique is of a family, shape ``(n_families, n_techniques)``."""
    ladder = _solver().ladder
    return np.array([[rung.name in names for rung in ladder] for names in FAMILIES.values()])


def _technique_race(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    row: list[float] = _technique_race_of_many([puzzle], runs, [rng])[0].tolist()
    return row


def _technique_race_of_many(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    means = _race().means_many(puzzles, runs=runs, rngs=rngs)
    blanks = [puzzle.givens.size - np.count_nonzero(puzzle.givens) for puzzle in puzzles]
    return np.column_stack([blanks, means])


def _techniques(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    row: list[float] = _techniques_of_many([puzzle], runs, [rng])[0].tolist()
    return row


def _techniques_of_many(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    from nando.solvers.exact.search import unique_solutions

    del runs, rngs
    for puzzle in puzzles:
        if not isinstance(puzzle, Sudoku):
            from nando.solvers import UnsupportedError

            raise UnsupportedError(
                f"the feature group 'techniques' is for Sudoku, got {puzzle.kind!r}"
            )
    for shape in {puzzle.shape for puzzle in puzzles}:
        unique_solutions(tuple(puzzle for puzzle in puzzles if puzzle.shape == shape))
    found = _solver().rate_many(puzzles)
    return np.column_stack([found.uses @ _family_of().T.astype(float), ~found.solved])


_OURS = "nando, solvers.TechniqueRace"
_SERATE = "nando, solvers.LogicSolver, in the order of Sukaku Explainer"

TECHNIQUE_GROUPS = (
    FeatureGroup(
        "technique_race",
        40,
        (
            Feature("race_fills", "number of cells to fill", "cells", "harder", _OURS),
            *(
                Feature(
                    f"race_{name}",
                    f"mean time of looking for singles while the best of them is seen {how}",
                    "time of a lone box hidden single",
                    "harder",
                    _OURS,
                )
                for name, how in (
                    ("glance", "at a glance"),
                    ("lines", "along a row or column"),
                    ("cells", "only by the candidates of its cell"),
                )
            ),
            *(
                Feature(
                    f"race_{name}",
                    f"mean number of fills at an impasse that {how}",
                    "fills",
                    "harder",
                    _OURS,
                )
                for name, how in (
                    ("locked", "locked candidates open"),
                    ("pairs", "pairs open, and locked candidates do not"),
                    ("triplets", "triplets or X-wings open, and nothing easier does"),
                    ("beyond", "none of these opens"),
                )
            ),
            Feature(
                "race_beyond_blanks",
                "mean sum, over the fills that nothing opens, of the empty cells by 27",
                "cells",
                "harder",
                _OURS,
            ),
        ),
        _technique_race,
        16,
        _technique_race_of_many,
    ),
    FeatureGroup(
        "techniques",
        41,
        (
            *(
                Feature(
                    f"technique_{family}",
                    f"steps of the human-style solver by {_MEANING[family]}",
                    "steps",
                    "harder",
                    _SERATE,
                )
                for family in FAMILIES
            ),
            Feature(
                "technique_stuck",
                "1 where even dynamic forcing chains do not suffice, else 0",
                "0 or 1",
                "harder",
                _SERATE,
            ),
        ),
        _techniques,
        compute_many=_techniques_of_many,
    ),
)
"""Groups of Sudoku; see :data:`nando.features.GROUPS`."""
