"""The loop of the logic solver on Nurikabe: the first rung that finds a step, again and again.

A ladder is an array with a row for each technique: the kernel that finds it, its degree and its
least rating in tenths. A new kernel takes a number at the end and a line in `_find_step`.
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.solvers.logic.nurikabe import reach_steps, river
from nando.solvers.logic.nurikabe.what_ifs import (
    find_deep_refutation,
    find_dilemma,
    find_refutation,
)
from nando.solvers.nurikabe.state import N_SET, NurikabeState, colour_cell

(
    BETWEEN,
    COMPLETE,
    POOL,
    RIVER_EXIT,
    ISLAND_EXIT,
    OVERSIZE,
    SHARED_EXIT,
    TOTAL,
    ENCLOSED,
    UNREACHABLE,
    RIVER_BOTTLENECK,
    FILLED_REACH,
    ISLAND_BOTTLENECK,
    STRANDED,
    BLOCK_BREAKER,
    BLOCK_COUNT,
    REFUTATION,
    DILEMMA,
    DEEP_REFUTATION,
) = range(19)
"""Numbers of the kernels."""


def climb(
    state: NurikabeState,
    groups: reach_steps.Groups,
    ladder: NDArray[np.int64],
    finding: reach_steps.NurikabeFinding,
    counts: NDArray[np.int64],
) -> int:
    """Solve the puzzle as far as possible; return the hardest rating in tenths.

    `counts`, shape (n_rungs,), counts the uses of each rung.
    """
    return int(_climb_or_find(state, groups, ladder, finding, counts, False))


def find_step(
    state: NurikabeState,
    groups: reach_steps.Groups,
    ladder: NDArray[np.int64],
    finding: reach_steps.NurikabeFinding,
) -> int:
    """Find the first rung with a step, and write the step; return -1 if none has one."""
    return int(_climb_or_find(state, groups, ladder, finding, _NO_COUNTS, True))


_NO_COUNTS = np.zeros(0, np.int64)


@lean_kernel
def _climb_or_find(state, groups, ladder, finding, counts, finds):
    """Do what `find_step` or `climb` does: two kernels would take LLVM seconds each.

    The ladder of variants has the same loop. One loop in Python for both, which calls kernels,
    would make rating a Nurikabe take a tenth longer, and a variant 3 %.
    """
    hardest = 0
    while finds or state.counts[N_SET] < state.n_cells:
        rung = _find_step(state, groups, ladder, finding)
        if finds:
            return rung
        if rung < 0:
            break
        counts[rung] += 1
        hardest = max(hardest, finding.head[reach_steps.RATING])
        apply(state, finding)
    return hardest


@lean_kernel
def apply(state, finding):
    """Colour the cells of a step."""
    for i in range(finding.head[reach_steps.N_CELLS]):
        colour_cell(state, finding.cells[i], finding.head[reach_steps.COLOUR])


@lean_kernel
def _find_step(state, groups, ladder, finding):
    reach_steps.find_groups(state, groups)
    for rung in range(ladder.shape[0]):
        if _finds(state, groups, ladder[rung], finding):
            return rung
    return -1


@lean_kernel
def _finds(state, groups, rung, finding):
    """Run the kernel of a rung; return True if it found a step."""
    number, degree, rating = rung[0], rung[1], rung[2]
    if number == BETWEEN:
        return river.find_between(state, groups, finding, degree, rating)
    if number == COMPLETE:
        return river.find_complete(state, groups, finding, degree, rating)
    if number == POOL:
        return river.find_pool(state, finding, rating)
    if number == RIVER_EXIT:
        return river.find_river_exit(state, groups, finding, rating)
    if number == ISLAND_EXIT:
        return river.find_island_exit(state, groups, finding, rating)
    if number == OVERSIZE:
        return river.find_oversize(state, groups, finding, rating)
    if number == SHARED_EXIT:
        return river.find_shared_exit(state, groups, finding, rating)
    if number == TOTAL:
        return river.find_total(state, finding, rating)
    if number == ENCLOSED:
        return river.find_enclosed(state, groups, finding, rating)
    if number == UNREACHABLE:
        return reach_steps.find_unreachable(state, groups, finding, degree, rating)
    if number == RIVER_BOTTLENECK:
        return river.find_river_bottleneck(state, groups, finding, degree, rating)
    if number == FILLED_REACH:
        return reach_steps.find_filled_reach(state, groups, finding, degree, rating)
    if number == ISLAND_BOTTLENECK:
        return reach_steps.find_island_bottleneck(state, groups, finding, degree, rating)
    if number == STRANDED:
        return reach_steps.find_stranded(state, groups, finding, degree, rating)
    if number == BLOCK_BREAKER:
        return reach_steps.find_block_breaker(state, groups, finding, rating)
    if number == BLOCK_COUNT:
        return river.find_block_count(state, groups, finding, rating)
    if number == REFUTATION:
        return find_refutation(state, finding, degree, rating)
    if number == DILEMMA:
        return find_dilemma(state, finding, rating)
    if number == DEEP_REFUTATION:
        return find_deep_refutation(state, finding, rating)
    return False
