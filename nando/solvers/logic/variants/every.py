"""List every step that the techniques of a ladder find on the marks of a variant."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from nando.solvers.logic.sudoku_finders.finding import Finding
from nando.solvers.logic.sudoku_finders.reading import list_all
from nando.solvers.logic.technique import Ladder, Technique, rungs_of
from nando.solvers.logic.variants import ladder as kernels
from nando.solvers.logic.variants.chains import SEARCHES, TRUSTING, grid_of, search, trusts
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.state import find_positions, new_finding
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.logic.variants.walk import state_of, step_of
from nando.solvers.logic.variants.what_ifs import new_trials

_ONE = (kernels.WHAT_IF, kernels.DILEMMA, kernels.DEEP_WHAT_IF)
"""Techniques of which only the first step is listed."""


def every_step(
    marks: VariantMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[VariantStep]:
    """Yield the steps of each technique of a ladder, the easiest first; each pattern once.

    A step is left out if an easier one has its conclusion and uses no other cells. Only the
    shortest what-if of a kind is listed, unless an easier step has its conclusion. The number in
    `effort`, shape (1,), is counted down by nested chains and what-ifs.
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
    puzzle, number = marks.puzzle, technique.kernel
    layout, _ = layout_of(puzzle)
    state, sound = state_of(marks)
    if not sound or (number in TRUSTING and not trusts(puzzle)):
        return iter(())
    rungs = rungs_of((technique,))
    find_positions(layout, state)

    def find(finding: Finding, left: NDArray[np.int64]) -> bool:
        if number in SEARCHES:
            trial = new_finding(layout)
            return search(grid_of(puzzle), state.marks, finding, trial, left, rungs[0])
        return kernels.find_step(layout, state, new_trials(layout, left), rungs, finding) >= 0

    if number in _ONE:
        finding = new_finding(layout)
        first = [step_of(technique, puzzle, finding)] if find(finding, effort) else []
        effort[:] = np.maximum(effort, 0)
        return iter(first)
    listed = list_all(partial(new_finding, layout), find, effort)
    steps = (step_of(technique, puzzle, finding) for finding in listed)
    if number in SEARCHES:
        return iter(sorted(steps, key=lambda step: (step.rating, step.cells, step.eliminations)))
    return steps


def _covers(easier: VariantStep, step: VariantStep) -> bool:
    """Return True if an easier step has the conclusion of another and uses no other cells."""
    if easier.placement != step.placement or not set(easier.eliminations) >= set(step.eliminations):
        return False
    return step.technique.kernel in _ONE or set(easier.cells) <= set(step.cells)
