"""The features of Sudoku by the steps of the logic solver, on the scale of Sukaku Explainer."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from nando import solvers
from nando.features.feature import Feature, each, listed
from nando.puzzles import Puzzle, Sudoku
from nando.solvers.logic.sudoku.techniques import SUKAKU_EXPLAINER

_solver = cache(lambda: solvers.LogicSolver(SUKAKU_EXPLAINER))


@each
def _logic(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Sudoku)
    steps = list(_solver().steps(puzzle))
    filled = sum(step.placement is not None for step in steps)
    hardest = max((step.rating for step in steps), default=0.0)
    uses = Counter(step.technique.name for step in steps)
    return (
        hardest,
        round(sum(step.rating for step in steps), 1),
        float(len(steps)),
        float(filled < int((puzzle.givens == 0).sum())),
        float(sum(step.rating == hardest for step in steps)),
        *(float(uses[technique.name]) for technique in SUKAKU_EXPLAINER),
    )


def _uses(technique: str) -> str:
    """Return the name of the feature that counts the uses of a technique."""
    return f"uses_{technique.lower().replace(' ', '_').replace('-', '_')}"


_SERATE = "nando, solvers.LogicSolver, on the scale of Sukaku Explainer"

LOGIC = listed(
    "logic",
    9,
    _logic,
    more=(
        Feature(
            _uses(technique.name),
            f"number of its steps by {technique.name}, rated from {technique.rating:.1f}",
            "steps",
            "harder" if technique.rating > 1.5 else "either",
            _SERATE,
        )
        for technique in SUKAKU_EXPLAINER
    ),
)
