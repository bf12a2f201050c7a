"""The ladder of Nurikabe, of the techniques in ``techniques.csv``.

No public ladder for Nurikabe is rated against people, so these ratings only order the techniques:
what is seen at one cell or one island comes first, then reach, then the river as a whole, then
what-ifs, of which longer ones rate higher. All are sound for any number of solutions.
"""

from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.shading import Shading
from nando.solvers.logic.nurikabe.step import NurikabeStep
from nando.solvers.logic.technique import Ladder, Scale, listed_ladder

NURIKABE_SCALE = Scale("ladder rating", "nando's ladder for Nurikabe", "what-ifs", 5.0)


NURIKABE_LADDER: Ladder = listed_ladder(Nurikabe.kind, vars(kernels))
"""Techniques for Nurikabe, easiest first."""

_WHOLE = (kernels.TOTAL, kernels.ENCLOSED, kernels.UNREACHABLE, kernels.BLOCK_COUNT)
"""Techniques for which one must look at the whole board."""

_WHAT_IFS = (kernels.REFUTATION, kernels.DILEMMA, kernels.DEEP_REFUTATION)


def is_what_if(step: NurikabeStep) -> bool:
    """Return True if the step makes an assumption."""
    return step.technique.kernel in _WHAT_IFS


def place_of(step: NurikabeStep, shading: Shading) -> tuple[int, ...]:
    """Return the cells to look at first: an island, or a row; none for the whole board."""
    if step.technique.kernel in _WHOLE:
        return ()
    numbered = shading.numbers_in(step.reason)
    if numbered:
        return shading.island(numbered[0])
    row = (step.reason or step.cells)[0] // shading.puzzle.shape[1]
    width = shading.puzzle.shape[1]
    return tuple(range(row * width, (row + 1) * width))
