"""Replay a step of a walk through a variant on marks from which fewer candidates were removed."""

import numpy as np

from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.sudoku_chains.assumptions import PATTERNS
from nando.solvers.logic.sudoku_chains.trails import links_hold
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.state import find_positions, new_finding
from nando.solvers.logic.variants.walk import every_step, state_of, step_of
from nando.solvers.logic.variants.what_ifs import new_trials, try_what_if

_NO_EFFORT = np.zeros(1, np.int64)
_ON_THESE_MARKS = (kernels.DILEMMA, kernels.DEEP_WHAT_IF)
"""Techniques whose cases are not followed again: their steps stay where all else is as it was."""


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
    left = {(cell, digit) for cell, digit in step.eliminations if marks.candidates[cell, digit - 1]}
    if step.eliminations and not left:
        return None
    if np.array_equal(taken_at.candidates, marks.candidates):
        return step
    technique = step.technique
    if technique.kernel in _ON_THESE_MARKS:
        return None
    if technique.kernel == kernels.WHAT_IF:
        return _what_if(step, marks)
    if technique.kernel == kernels.NAKED_SINGLE:
        return step if len(marks.digits(step.cells[0])) == 1 else None
    if step.links:
        is_chain = technique.kernel == kernels.CHAIN
        if not is_chain and technique.degree >= PATTERNS:
            return None
        return step if links_hold(step, taken_at, marks, is_chain=is_chain) else None
    for other in every_step(marks, (technique,), _NO_EFFORT):
        if (
            other.placement == step.placement
            and other.variant == step.variant
            and left <= set(other.eliminations)
            and (set(other.cells) == set(step.cells) or _has_parts_of(other, step))
        ):
            return other
    return None


def _has_parts_of(other: LogicStep, step: LogicStep) -> bool:
    """Return True if a step uses the houses, rules and digits of another, from the same cell."""
    return (other.houses, other.rules, other.digits, other.cells[:1]) == (
        step.houses,
        step.rules,
        step.digits,
        step.cells[:1],
    )


def _what_if(step: LogicStep, marks: PencilMarks) -> LogicStep | None:
    """Return the what-if of the same candidate, or None if it leads to no contradiction."""
    layout, _ = layout_of(marks.puzzle)
    state, sound = state_of(marks)
    if not sound:
        return None
    find_positions(layout, state)
    finding = new_finding(layout)
    ((place, digit),) = step.eliminations
    cell = marks.puzzle.places.index(place)
    rating = round(10 * step.technique.rating)
    trials = new_trials(layout, _NO_EFFORT.copy())
    if not try_what_if(layout, state, trials, finding, cell, digit - 1, rating):
        return None
    return step_of(step.technique, marks.puzzle, finding)
