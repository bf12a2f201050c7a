"""Replay a step of a walk on marks from which fewer candidates were removed."""

import numpy as np

from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.assumptions import (
    DYNAMIC,
    PATTERNS,
    STATIC,
    WITH_DYNAMIC,
    WITH_MULTIPLE,
)
from nando.solvers.logic.chains.trails import links_hold, pattern_behind
from nando.solvers.logic.house_walk import every_step
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import Ladder, LogicStep, standard_ladder
from nando.solvers.logic.variants.variant_board import VariantBoard

_NO_EFFORT = np.zeros(1, np.int64)
"""No nested searches: the techniques replayed here need none."""


def replay(step: LogicStep, taken_at: PencilMarks, marks: PencilMarks) -> LogicStep | None:
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
    kernel = step.technique.kernel
    left = {(cell, digit) for cell, digit in step.eliminations if marks.candidates[cell, digit - 1]}
    if step.eliminations and not left:
        return None
    same = np.array_equal(taken_at.candidates, marks.candidates)
    if same and (step.links or kernel in kernels.WHAT_IFS):
        return step
    if step.links:
        return step if holds(step, taken_at, marks) else None
    if kernel in kernels.WHAT_IFS:  # the cases of others are not followed again
        again = VariantBoard(marks, 0).repeat_what_if
        return again(step) if kernel == kernels.WHAT_IF else None
    if kernel == kernels.NAKED_SINGLE:
        return step if len(marks.digits(step.cells[0])) == 1 else None
    for other in every_step(marks, (step.technique,), _NO_EFFORT):
        is_same = other.placement == step.placement and other.variant == step.variant
        alike = set(other.cells) == set(step.cells) or _pattern(other) == _pattern(step)
        if is_same and alike and left <= set(other.eliminations):
            return other
    return step if same else None


def _pattern(step: LogicStep) -> tuple[object, ...]:
    """Return the houses, digits and rules of a step, and the cell from which rules are applied."""
    return step.houses, step.digits, step.rules, step.cells[: 1 if step.rules else 0]


def holds(step: LogicStep, taken_at: PencilMarks, marks: PencilMarks) -> bool:
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
        allowed += [(kernels.POINTING, 0), (kernels.CLAIMING, 0), (kernels.LOCKED, 0)]
        allowed += [(kernels.NAKED_SUBSET, 2), (kernels.HIDDEN_SUBSET, 2), (kernels.FISH, 2)]
    if kernel == kernels.NESTED_FORCING:
        allowed.append((kernels.CHAIN, 0))
        nested = {WITH_MULTIPLE: (STATIC,), WITH_DYNAMIC: (STATIC, DYNAMIC)}.get(degree, ())
        allowed += [(kernels.FORCING, kind) for kind in nested]
    ladder = standard_ladder(step.technique.kind)
    return tuple(t for t in ladder if (t.kernel, t.degree) in allowed)
