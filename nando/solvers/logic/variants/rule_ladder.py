"""The loop of the logic solver on variants: the first rung that finds a step, again and again."""

import numpy as np

from nando.kernels.compile import lean_kernel
from nando.puzzles import Variant
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains import assumptions
from nando.solvers.logic.finders import singles
from nando.solvers.logic.finders.by_number import find_by_houses
from nando.solvers.logic.finders.finding import Finding
from nando.solvers.logic.technique import Ladder, Scale, read_ladder
from nando.solvers.logic.variants import joint_steps, relation_steps
from nando.solvers.logic.variants.layout import Layout
from nando.solvers.logic.variants.relation_steps import (
    find_large_wing,
    find_naked_subset,
    find_pattern,
    find_relation,
    find_ruled_out,
)
from nando.solvers.logic.variants.rule_state import N_OPEN, VariantState, apply
from nando.solvers.logic.variants.sum_steps import find_needed, find_sum
from nando.solvers.logic.variants.what_ifs import Trials, find_dilemma, find_what_if
from nando.solvers.variants.tables import Ints


def find_step(
    layout: Layout, state: VariantState, trials: Trials, ladder: Ints, finding: Finding
) -> int:
    """Find the first rung with a step, and write the step; return -1 if none has one."""
    return int(_climb_or_find(layout, state, trials, ladder, finding, _NO_COUNTS, True))


def climb(
    layout: Layout,
    state: VariantState,
    trials: Trials,
    ladder: Ints,
    finding: Finding,
    counts: Ints,
) -> int:
    """Solve the puzzle as far as possible; return the hardest rating in tenths.

    `counts`, shape (n_rungs,), counts the uses of each rung.
    """
    return int(_climb_or_find(layout, state, trials, ladder, finding, counts, False))


_NO_COUNTS = np.zeros(0, np.int64)


@lean_kernel
def _climb_or_find(layout, state, trials, ladder, finding, counts, finds):
    """Do what `find_step` or `climb` does; the ladder of Nurikabe says why both have a loop."""
    hardest = 0
    while finds or state.counts[N_OPEN] > 0:
        rung = _find_step(layout, state, trials, ladder, finding)
        if finds:
            return rung
        if rung < 0:
            break
        counts[rung] += 1
        hardest = max(hardest, finding.head[0]["rating"])
        if not apply(layout, state, finding):
            break
    return hardest


@lean_kernel
def _find_step(layout, state, trials, ladder, finding):
    for rung in range(ladder.shape[0]):
        if _finds(layout, state, trials, ladder[rung], finding):
            return rung
    return -1


@lean_kernel
def _finds(layout, state, trials, rung, finding):
    """Run the kernel of a rung; return True if it found a step."""
    if find_by_houses(state.marks, layout.grid, rung, finding, trials.step):
        return True
    number, degree, rating = rung[0], rung[1], rung[2]
    if number == kernels.RELATION:
        return find_relation(layout, state, finding, degree, rating)
    if number == kernels.LOCKED:
        return find_ruled_out(layout, state, finding, rating)
    if number == kernels.SUM:
        return find_sum(layout, state, finding, (0, layout.n_sums), degree, rating)
    if number == kernels.NEEDED:
        return find_needed(layout, state, finding, rating)
    if number == kernels.UNION:
        unions = (layout.n_sums, layout.sum_totals.size)
        return find_sum(layout, state, finding, unions, degree, rating)
    if number == kernels.PATTERN:
        return find_pattern(layout, state, finding, degree, rating)
    if number == kernels.NAKED_SUBSET:
        return find_naked_subset(layout, state, finding, degree, rating)
    if number == kernels.LARGE_WING:
        return find_large_wing(layout, state, finding, trials.step, degree, rating)
    if number == kernels.WHAT_IF:
        return find_what_if(layout, state, trials, finding, rating)
    if number == kernels.DILEMMA:
        return find_dilemma(layout, state, trials, finding, rating)
    return False


# The ladder of variants of Sudoku, made of the techniques in ``ladders/variant.csv``

VARIANT_SCALE = Scale("variant rating", "nando's ladder for variants", "what-ifs", 8.0)

VARIANT_LADDER: Ladder = read_ladder(
    Variant.kind,
    vars(joint_steps) | vars(singles) | vars(relation_steps) | vars(assumptions) | vars(kernels),
)
"""Techniques for variants, easiest first."""
