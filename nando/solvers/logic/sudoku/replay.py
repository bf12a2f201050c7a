"""Replay a step of a walk on marks from which fewer candidates were removed."""

import numpy as np

from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.sudoku.ladder import SUKAKU_EXPLAINER
from nando.solvers.logic.sudoku.walk import every_step
from nando.solvers.logic.sudoku_chains.assumptions import (
    DYNAMIC,
    PATTERNS,
    STATIC,
    WITH_DYNAMIC,
    WITH_MULTIPLE,
)
from nando.solvers.logic.sudoku_chains.trails import links_hold, pattern_behind
from nando.solvers.logic.technique import Ladder, LogicStep

_NO_EFFORT = np.zeros(1, np.int64)
"""No searches for nested chains: the techniques replayed here need none."""


def replayed(step: LogicStep, taken_at: PencilMarks, marks: PencilMarks) -> LogicStep | None:
    """Return the step as it follows from other marks, or None if that is not known.

    Parameters
    ----------
    step : LogicStep
    taken_at : PencilMarks
        The marks before it in the walk.
    marks : PencilMarks
        The marks from which it should follow. The same cells are filled, and no candidate is
        missing.
    """
    left = tuple((c, d) for c, d in step.eliminations if marks.candidates[c, d - 1])
    if len(left) < len(step.eliminations) and not left:
        return None
    if step.links:
        same = np.array_equal(taken_at.candidates, marks.candidates)
        return step if same or _links_hold(step, taken_at, marks) else None
    if step.technique.kernel == kernels.NAKED_SINGLE:
        return step if len(marks.digits(step.cells[0])) == 1 else None
    for other in every_step(marks, (step.technique,), _NO_EFFORT):
        is_same = other.placement == step.placement and other.variant == step.variant
        alike = set(other.cells) == set(step.cells) or (
            other.houses == step.houses and other.digits == step.digits
        )
        if is_same and alike and set(left) <= set(other.eliminations):
            return other
    return None


def _links_hold(step: LogicStep, taken_at: PencilMarks, marks: PencilMarks) -> bool:
    """Return True if every link of a chain still holds and no assumption is missing."""
    patterns = _patterns_in(step)
    return links_hold(
        step,
        taken_at,
        marks,
        is_chain=step.technique.kernel == kernels.CHAIN,
        by_pattern=lambda end, starts: (
            pattern_behind(end, starts, marks, patterns, every_step) is not None
        ),
    )


def _patterns_in(step: LogicStep) -> Ladder:
    """Return the techniques other than links that assumptions of a chain may use, easiest first."""
    kernel, degree = step.technique.kernel, step.technique.degree
    allowed: list[tuple[int, int]] = []
    if kernel == kernels.NESTED_FORCING or (kernel, degree) == (kernels.FORCING, PATTERNS):
        allowed += [(kernels.POINTING, 0), (kernels.CLAIMING, 0), (kernels.NAKED_SUBSET, 2)]
        allowed += [(kernels.HIDDEN_SUBSET, 2), (kernels.FISH, 2)]
    if kernel == kernels.NESTED_FORCING:
        allowed.append((kernels.CHAIN, 0))
        nested = {WITH_MULTIPLE: (STATIC,), WITH_DYNAMIC: (STATIC, DYNAMIC)}.get(degree, ())
        allowed += [(kernels.FORCING, kind) for kind in nested]
    return tuple(t for t in SUKAKU_EXPLAINER if (t.kernel, t.degree) in allowed)
