"""The ladder of variants of Sudoku, made of the techniques in ``techniques.csv``.

Techniques that Sukaku Explainer has are rated as it rates them on variants. It knows no sums and
patterns; these are placed where people who solve such puzzles look for them. Unique loops and the
bivalue universal grave rely on the puzzle having one solution. All other techniques are sound for
any number of solutions.
"""

from nando.puzzles import Variant
from nando.solvers.logic.sudoku_chains import assumptions
from nando.solvers.logic.technique import Ladder, Scale, listed_ladder
from nando.solvers.logic.variants import chains, ladder, patterns, singles

VARIANT_SCALE = Scale("variant rating", "nando's ladder for variants", "what-ifs", 8.0)

VARIANT_LADDER: Ladder = listed_ladder(
    Variant.kind,
    {
        name: number
        for module in (patterns, singles, assumptions, ladder, chains)
        for name, number in vars(module).items()
    },
    folder="variants",
)
"""Techniques for variants, easiest first."""
