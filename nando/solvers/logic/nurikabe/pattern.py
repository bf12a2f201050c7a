"""The roles of cells in a step on a Nurikabe, for words and drawings."""

from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.shading import Shading
from nando.solvers.logic.nurikabe.step import NurikabeStep

_WHOLE = (kernels.TOTAL, kernels.ENCLOSED, kernels.UNREACHABLE, kernels.BLOCK_COUNT)
"""Techniques for which one must look at the whole board."""

_WHAT_IFS = (kernels.REFUTATION, kernels.DILEMMA, kernels.DEEP_REFUTATION)


def is_what_if(step: NurikabeStep) -> bool:
    """Whether the step makes an assumption."""
    return step.technique.kernel in _WHAT_IFS


def place_of(step: NurikabeStep, shading: Shading) -> tuple[int, ...]:
    """Cells to look at first: an island, or a row; none for the whole board."""
    if step.technique.kernel in _WHOLE:
        return ()
    numbered = shading.numbers_in(step.reason)
    if numbered:
        return shading.island(numbered[0])
    row = (step.reason or step.cells)[0] // shading.puzzle.shape[1]
    width = shading.puzzle.shape[1]
    return tuple(range(row * width, (row + 1) * width))
