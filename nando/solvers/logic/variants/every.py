"""Every step that the marks of a variant allow, by each technique."""

from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from nando.solvers.logic.technique import Ladder, Technique, rungs_of
from nando.solvers.logic.variants import ladder as kernels
from nando.solvers.logic.variants.chains import SEARCHES, TRUSTING, every, trusts
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.state import (
    EFFORT,
    LISTS,
    PASSED_OVER,
    find_positions,
    new_finding,
    wipe,
)
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.logic.variants.walk import state_of, step_of
from nando.solvers.logic.variants.what_ifs import new_trials

_ONE = (kernels.WHAT_IF, kernels.DILEMMA, kernels.DEEP_WHAT_IF)
"""Techniques of which the first step stands for all."""


def every_step(
    marks: VariantMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[VariantStep]:
    """Yield the steps of each technique of a ladder, the easiest first; each pattern once.

    A step is left out where an easier one has its conclusion and looks at no other cells. Of
    what-ifs, the shortest stands for all, and is left out where easier steps have its conclusion.
    Nested chains and what-ifs are counted down from `effort`, an array of one number.
    """
    listed: list[VariantStep] = []
    for technique in ladder:
        for step in _steps_of(marks, technique, effort):
            if not any(_covers(before, step) for before in listed):
                listed.append(step)
                yield step


def _steps_of(
    marks: VariantMarks, technique: Technique, effort: NDArray[np.int64]
) -> Iterator[VariantStep]:
    if technique.kernel in SEARCHES:
        found = list(_searched(marks, technique, effort))
        yield from sorted(found, key=lambda step: (step.rating, step.cells, step.eliminations))
        return
    layout, _ = layout_of(marks.puzzle)
    state, sound = state_of(marks)
    finding, trials, rungs = new_finding(layout), new_trials(layout), rungs_of((technique,))
    for n_known in range(1) if technique.kernel in _ONE else count():
        finding.head[PASSED_OVER] = n_known
        finding.head[LISTS] = 1
        finding.head[EFFORT] = effort[0]
        if not sound or kernels.find_step(layout, state, trials, rungs, finding) < 0:
            break
        yield step_of(technique, marks.puzzle, finding)
        wipe(finding)
    if technique.kernel == kernels.DEEP_WHAT_IF:
        effort[0] = max(int(finding.head[EFFORT]), 0)


def _searched(
    marks: VariantMarks, technique: Technique, effort: NDArray[np.int64]
) -> Iterator[VariantStep]:
    """Yield the steps of chains and of what else Sudoku's searches find."""
    layout, _ = layout_of(marks.puzzle)
    state, sound = state_of(marks)
    if not sound or (technique.kernel in TRUSTING and not trusts(marks.puzzle)):
        return
    find_positions(layout, state)
    finding, (rung,) = new_finding(layout), rungs_of((technique,))
    for _ in every(marks.puzzle, effort, state, rung, finding):
        yield step_of(technique, marks.puzzle, finding)


def _covers(easier: VariantStep, step: VariantStep) -> bool:
    """Return True if an easier step has the conclusion of another, and looks at no more."""
    if easier.placement != step.placement or not set(easier.eliminations) >= set(step.eliminations):
        return False
    return step.technique.kernel in _ONE or set(easier.cells) <= set(step.cells)
