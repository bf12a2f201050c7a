"""The techniques of Nurikabe and the ladder they make: data, no code.

No public ladder for Nurikabe is rated against people, so these ratings only order the techniques:
what is seen at one cell or one island comes first, then reach, then the river as a whole, then
what-ifs, of which longer ones rate higher. All are sound for any number of solutions.
"""

from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.shading import Shading
from nando.solvers.logic.nurikabe.step import NurikabeStep
from nando.solvers.logic.technique import Ladder, Scale, Technique

NURIKABE_SCALE = Scale("ladder rating", "nando's ladder for Nurikabe", "what-ifs", 5.0)


def _technique(name: str, rating: float, sentence: str, kernel: int, degree: int = 0) -> Technique:
    return Technique(name, rating, sentence, kernel, degree, Nurikabe.kind)


NURIKABE_LADDER: Ladder = (
    _technique(
        "between numbers",
        1.0,
        "A cell next to two numbers would join their islands: it is river.",
        kernels.BETWEEN,
    ),
    _technique(
        "island of one", 1.0, "Around a 1 there is river on all sides.", kernels.COMPLETE, 0
    ),
    _technique(
        "between islands",
        1.2,
        "A cell next to two islands would join them: it is river.",
        kernels.BETWEEN,
        1,
    ),
    _technique(
        "complete island",
        1.2,
        "An island has all its cells: there is river around it.",
        kernels.COMPLETE,
        1,
    ),
    _technique(
        "pool", 1.3, "Three cells of a 2x2 block are river: the fourth is white.", kernels.POOL
    ),
    _technique(
        "single exit of the river",
        1.5,
        "A part of the river has one way out to the rest.",
        kernels.RIVER_LIBERTY,
    ),
    _technique(
        "single exit of an island",
        1.5,
        "White cells that lack more, or a number, have one way out.",
        kernels.ISLAND_LIBERTY,
    ),
    _technique(
        "island too large",
        1.8,
        "A cell would make an island larger than its number: it is river.",
        kernels.OVERSIZE,
    ),
    _technique(
        "total",
        1.8,
        "All white cells, or all cells of the river, are found: the rest has the other colour.",
        kernels.TOTAL,
    ),
    _technique(
        "cut off from the river",
        2.0,
        "White cells cut some cells off from the river: they are white.",
        kernels.ENCLOSED,
    ),
    _technique(
        "shared neighbour",
        2.2,
        "An island needs one more cell: a cell that touches every place for it is river.",
        kernels.SHARED_LIBERTY,
    ),
    _technique(
        "unreachable", 2.4, "Cells that no island can grow to are river.", kernels.UNREACHABLE, 0
    ),
    _technique(
        "river bottleneck",
        2.8,
        "Without a cell the river would be cut in two: it is river.",
        kernels.RIVER_BOTTLENECK,
        0,
    ),
    _technique(
        "only room left",
        2.8,
        "An island can grow to no more cells than it lacks: all of them are white.",
        kernels.FILLED_REACH,
        0,
    ),
    _technique(
        "island bottleneck",
        3.0,
        "Without a cell an island could not get all its cells: it is white.",
        kernels.ISLAND_BOTTLENECK,
        0,
    ),
    _technique(
        "unreachable by pledge",
        3.2,
        "White cells that one island alone can grow to are its own; with that, cells no island "
        "can grow to are river.",
        kernels.UNREACHABLE,
        1,
    ),
    _technique(
        "stranded cells",
        3.4,
        "Without a cell, white cells would have no way to a number: it is white.",
        kernels.STRANDED,
    ),
    _technique(
        "island bottleneck by pledge",
        3.6,
        "White cells that one island alone can grow to are its own; without a cell it could not "
        "have them and all its cells.",
        kernels.ISLAND_BOTTLENECK,
        1,
    ),
    _technique(
        "only breaker of a block",
        3.8,
        "One island alone can keep a 2x2 block from being all river, and only by way of a cell: "
        "it is white.",
        kernels.BLOCK_BREAKER,
    ),
    _technique(
        "river too short",
        4.0,
        "Without a cell the river would have too few cells: it is river.",
        kernels.RIVER_BOTTLENECK,
        1,
    ),
    _technique(
        "counted blocks",
        4.2,
        "As many white cells are left as 2x2 blocks side by side need: elsewhere is river.",
        kernels.BLOCK_COUNT,
    ),
    _technique(
        "what-if near by",
        5.0,
        "One colour of a cell leads to a contradiction by pools, touching islands and single "
        "liberties alone. 5.0, and 0.1 more for each doubling of the way.",
        kernels.REFUTATION,
        0,
    ),
    _technique(
        "what-if",
        6.0,
        "One colour of a cell leads to a contradiction by all the rules. 6.0, and 0.1 more for "
        "each doubling of the way.",
        kernels.REFUTATION,
        1,
    ),
    _technique(
        "dilemma",
        7.0,
        "Cells have the same colour whichever a certain cell has.",
        kernels.DILEMMA,
    ),
    _technique(
        "deep what-if",
        8.0,
        "One colour of a cell leads to a contradiction, with what-ifs on the way.",
        kernels.DEEP_REFUTATION,
    ),
)
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
