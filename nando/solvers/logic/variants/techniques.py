"""The techniques of variants of Sudoku and the ladder they make: data, no code.

Techniques that Sukaku Explainer has are rated as it rates them on variants. It knows no sums and no
patterns: these are placed where people who solve such puzzles look for them.
"""

from nando.puzzles import Variant
from nando.solvers.logic.technique import Ladder, Scale, Technique
from nando.solvers.logic.variants import ladder as kernels
from nando.solvers.logic.variants.patterns import EXACT, LOOSE
from nando.solvers.logic.variants.relations import NEXT_TO_DIGIT, OPEN
from nando.solvers.logic.variants.singles import ELSEWHERE, FULL, IN_BOX
from nando.solvers.logic.variants.trials import RULES, SINGLES

VARIANT_SCALE = Scale("variant rating", "nando's ladder for variants", "what-ifs", 8.0)


def _technique(name: str, rating: float, sentence: str, kernel: int, degree: int = 0) -> Technique:
    return Technique(name, rating, sentence, kernel, degree, Variant.kind)


VARIANT_LADDER: Ladder = (
    _technique("full house", 1.0, "A house has one empty cell.", kernels.HIDDEN_SINGLE, FULL),
    _technique(
        "relation to a digit",
        1.1,
        "A rule on neighbours or a line, next to a digit, rules out candidates.",
        kernels.RELATION,
        NEXT_TO_DIGIT,
    ),
    _technique(
        "hidden single in box",
        1.2,
        "A digit has one position left in a box or region.",
        kernels.HIDDEN_SINGLE,
        IN_BOX,
    ),
    _technique(
        "hidden single",
        1.5,
        "A digit has one position left in a row, a column or another house.",
        kernels.HIDDEN_SINGLE,
        ELSEWHERE,
    ),
    _technique(
        "rest of a sum",
        1.6,
        "A sum has one empty cell, which is the rest.",
        kernels.SUM,
        1,
    ),
    _technique(
        "direct pointing",
        1.7,
        "In a box a digit lies on one line, so a neighbouring box has one position left for it.",
        kernels.DIRECT_LOCKED,
        0,
    ),
    _technique(
        "direct claiming",
        1.9,
        "On a line a digit lies in one box, so a parallel line has one position left for it.",
        kernels.DIRECT_LOCKED,
        1,
    ),
    _technique(
        "direct hidden pair",
        2.0,
        "Two digits need two cells of a house, which leaves one position to another digit.",
        kernels.DIRECT_HIDDEN_SUBSET,
        2,
    ),
    _technique(
        "sum of two cells",
        2.1,
        "A sum with two empty cells rules out candidates.",
        kernels.SUM,
        2,
    ),
    _technique("naked single", 2.3, "A cell has one candidate left.", kernels.NAKED_SINGLE),
    _technique(
        "relation",
        2.4,
        "All candidates of a cell rule out a candidate of another by a rule on the two cells.",
        kernels.RELATION,
        OPEN,
    ),
    _technique(
        "direct hidden triplet",
        2.5,
        "Three digits need three cells of a house, which leaves one position to another digit.",
        kernels.DIRECT_HIDDEN_SUBSET,
        3,
    ),
    _technique(
        "innie or outie",
        2.5,
        "Houses less the cages in them leave a single cell, or cages less houses.",
        kernels.UNION,
        1,
    ),
    _technique(
        "sum of three cells",
        2.6,
        "A sum with three empty cells rules out candidates.",
        kernels.SUM,
        3,
    ),
    _technique(
        "pattern",
        2.8,
        "A clue on a line of cells rules out candidates.",
        kernels.PATTERN,
        LOOSE,
    ),
    _technique(
        "locked candidates",
        2.9,
        "All positions of a digit in a house rule out a candidate elsewhere.",
        kernels.LOCKED,
    ),
    _technique(
        "naked pair",
        3.0,
        "Two cells of a group have two candidates: remove these from cells that see both.",
        kernels.NAKED_SUBSET,
        2,
    ),
    _technique(
        "larger sum",
        3.1,
        "A sum with more than three empty cells rules out candidates.",
        kernels.SUM,
        99,
    ),
    _technique(
        "X-wing",
        3.2,
        "A digit has the same two positions on two parallel lines: remove it from the rest "
        "of the lines that cross there.",
        kernels.FISH,
        2,
    ),
    _technique(
        "digit of a cage",
        3.3,
        "Every combination of a cage has a digit: remove it from what sees all its places. Or a "
        "house has a digit in the cage alone: combinations without it go.",
        kernels.NEEDED,
    ),
    _technique(
        "hidden pair",
        3.4,
        "Two digits have two positions in a house: remove all others there.",
        kernels.HIDDEN_SUBSET,
        2,
    ),
    _technique(
        "innies or outies",
        3.5,
        "Houses less the cages in them leave two or three cells, or cages less houses.",
        kernels.UNION,
        3,
    ),
    _technique(
        "naked triplet",
        3.6,
        "Three cells of a group have three candidates: remove these from cells that see them.",
        kernels.NAKED_SUBSET,
        3,
    ),
    _technique("swordfish", 3.8, "An X-wing of three lines.", kernels.FISH, 3),
    _technique(
        "pattern without repeats",
        3.9,
        "A clue on a line rules out candidates, counting that no digit repeats on it.",
        kernels.PATTERN,
        EXACT,
    ),
    _technique(
        "hidden triplet",
        4.0,
        "Three digits have three positions in a house: remove all others there.",
        kernels.HIDDEN_SUBSET,
        3,
    ),
    _technique(
        "two strong links",
        4.0,
        "Skyscraper, kite, turbot fish, empty rectangle: two houses with two (groups of) "
        "positions for a digit are joined, so one outer end is true. 4.0 to 4.3.",
        kernels.STRONG_LINKS,
        2,
    ),
    _technique(
        "XY-wing",
        4.2,
        "A pivot XY sees cells XZ and YZ: remove Z from cells that see both.",
        kernels.WING,
        2,
    ),
    _technique(
        "XYZ-wing",
        4.4,
        "A pivot XYZ sees cells XZ and YZ: remove Z from cells that see all three.",
        kernels.WING,
        3,
    ),
    _technique(
        "larger innies or outies",
        4.6,
        "Houses less the cages in them leave up to six cells, or cages less houses.",
        kernels.UNION,
        6,
    ),
    _technique(
        "naked quad",
        5.0,
        "Four cells of a group have four candidates: remove these from cells that see them.",
        kernels.NAKED_SUBSET,
        4,
    ),
    _technique("jellyfish", 5.2, "An X-wing of four lines.", kernels.FISH, 4),
    _technique(
        "hidden quad",
        5.4,
        "Four digits have four positions in a house: remove all others there.",
        kernels.HIDDEN_SUBSET,
        4,
    ),
    _technique(
        "three strong links",
        5.4,
        "The same with three houses. 5.4 to 5.7.",
        kernels.STRONG_LINKS,
        3,
    ),
    _technique(
        "WXYZ-wing",
        5.5,
        "Three cells of a house with four candidates and a cell with two of these: one of the two "
        "cannot be in both, so the other is in one of them. 5.5 or 5.6.",
        kernels.LARGE_WING,
        3,
    ),
    _technique(
        "naked quintuplet",
        5.6,
        "Five cells of a group have five candidates: remove these from cells that see them.",
        kernels.NAKED_SUBSET,
        5,
    ),
    _technique(
        "VWXYZ-wing",
        6.2,
        "The same with four cells. 6.2 to 6.4.",
        kernels.LARGE_WING,
        4,
    ),
    _technique(
        "X-chain",
        6.6,
        "A candidate that, link by link on one digit, implies its own opposite. 6.6, and up with "
        "its length.",
        kernels.CHAIN,
        0,
    ),
    _technique(
        "chain",
        7.0,
        "A candidate that, link by link, implies its own opposite. 7.0, and up with its length.",
        kernels.CHAIN,
        1,
    ),
    _technique(
        "what-if by singles",
        8.0,
        "A candidate leads to a contradiction by singles and by rules next to digits. 8.0, and "
        "up with the length of the way.",
        kernels.WHAT_IF,
        SINGLES,
    ),
    _technique(
        "what-if",
        8.5,
        "A candidate leads to a contradiction by singles and all rules. 8.5, and up with the "
        "length of the way.",
        kernels.WHAT_IF,
        RULES,
    ),
    _technique(
        "dilemma",
        9.0,
        "All candidates of a cell, or all positions of a digit, have one consequence. 9.0, and up "
        "with the length of the ways.",
        kernels.DILEMMA,
    ),
    _technique(
        "deep what-if",
        10.0,
        "A candidate leads to a contradiction, with what-ifs on the way. 10.0, and up with their "
        "number.",
        kernels.DEEP_WHAT_IF,
    ),
)
"""Techniques for variants, easiest first."""
