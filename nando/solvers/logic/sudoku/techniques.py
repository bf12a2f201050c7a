"""The techniques of Sudoku and the ladders they make: data, no code."""

from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku_chains.assumptions import (
    DYNAMIC,
    NISHIO,
    PATTERNS,
    STATIC,
    WITH_CHAINS,
    WITH_DYNAMIC,
    WITH_MULTIPLE,
)
from nando.solvers.logic.technique import Ladder, Scale, Technique

SUDOKU_SCALE = Scale("SE rating", "the scale of Sukaku Explainer", "chains", 6.5)

_TWO_LINKS = Technique(
    "two strong links",
    4.0,
    "Skyscraper, kite, turbot fish, empty rectangle: two houses with two (groups of) positions for "
    "a digit are joined, so one outer end is true: remove it from cells that see both. 4.0 to 4.3.",
    kernels.STRONG_LINKS,
    2,
)
_THREE_LINKS = Technique(
    "three strong links", 5.4, "The same with three houses. 5.4 to 5.7.", kernels.STRONG_LINKS, 3
)
_WXYZ_WING = Technique(
    "WXYZ-wing",
    5.5,
    "Three cells of a house with four candidates and a cell with two of these: one of the two "
    "cannot be in both, so the other is in one of them. 5.5 or 5.6.",
    kernels.LARGE_WING,
    3,
)
_VWXYZ_WING = Technique(
    "VWXYZ-wing", 6.2, "The same with four cells. 6.2 to 6.4.", kernels.LARGE_WING, 4
)

SUKAKU_EXPLAINER: Ladder = (
    Technique("full house", 1.0, "A house has one empty cell.", kernels.HIDDEN_SINGLE, 0),
    Technique(
        "hidden single in box",
        1.2,
        "A digit has one position left in a box.",
        kernels.HIDDEN_SINGLE,
        1,
    ),
    Technique(
        "hidden single in line",
        1.5,
        "A digit has one position left in a row or column.",
        kernels.HIDDEN_SINGLE,
        2,
    ),
    Technique(
        "direct pointing",
        1.7,
        "In a box a digit lies on one line, so a neighbouring box has one position left for it.",
        kernels.DIRECT_POINTING,
    ),
    Technique(
        "direct claiming",
        1.9,
        "On a line a digit lies in one box, so a parallel line has one position left for it.",
        kernels.DIRECT_CLAIMING,
    ),
    Technique(
        "direct hidden pair",
        2.0,
        "Two digits need two cells of a house, which leaves one position to another digit.",
        kernels.DIRECT_HIDDEN_SUBSET,
        2,
    ),
    Technique("naked single", 2.3, "A cell has one candidate left.", kernels.NAKED_SINGLE),
    Technique(
        "direct hidden triplet",
        2.5,
        "Three digits need three cells of a house, which leaves one position to another digit.",
        kernels.DIRECT_HIDDEN_SUBSET,
        3,
    ),
    Technique(
        "pointing",
        2.6,
        "In a box a digit lies on one line: remove it from the rest of the line.",
        kernels.POINTING,
    ),
    Technique(
        "claiming",
        2.8,
        "On a line a digit lies in one box: remove it from the rest of the box.",
        kernels.CLAIMING,
    ),
    Technique(
        "naked pair",
        3.0,
        "Two cells of a house have two candidates: remove these from its other cells.",
        kernels.NAKED_SUBSET,
        2,
    ),
    Technique(
        "X-wing",
        3.2,
        "A digit has the same two positions on two parallel lines: remove it from the rest "
        "of the lines that cross there.",
        kernels.FISH,
        2,
    ),
    Technique(
        "hidden pair",
        3.4,
        "Two digits have two positions in a house: remove all others there.",
        kernels.HIDDEN_SUBSET,
        2,
    ),
    Technique(
        "naked triplet",
        3.6,
        "Three cells of a house have three candidates: remove these from its other cells.",
        kernels.NAKED_SUBSET,
        3,
    ),
    Technique("swordfish", 3.8, "An X-wing of three lines.", kernels.FISH, 3),
    Technique(
        "hidden triplet",
        4.0,
        "Three digits have three positions in a house: remove all others there.",
        kernels.HIDDEN_SUBSET,
        3,
    ),
    _TWO_LINKS,
    Technique(
        "XY-wing",
        4.2,
        "A pivot XY sees cells XZ and YZ: remove Z from cells that see both.",
        kernels.WING,
        2,
    ),
    Technique(
        "XYZ-wing",
        4.4,
        "A pivot XYZ sees cells XZ and YZ: remove Z from cells that see all three.",
        kernels.WING,
        3,
    ),
    Technique(
        "unique loop",
        4.5,
        "Cells with the same two candidates could swap them for a second solution, unless an "
        "extra candidate is true. 4.5 and up for a rectangle, 5.0 and up for ten cells.",
        kernels.UNIQUE_LOOP,
    ),
    Technique(
        "naked quad",
        5.0,
        "Four cells of a house have four candidates: remove these from its other cells.",
        kernels.NAKED_SUBSET,
        4,
    ),
    Technique("jellyfish", 5.2, "An X-wing of four lines.", kernels.FISH, 4),
    Technique(
        "hidden quad",
        5.4,
        "Four digits have four positions in a house: remove all others there.",
        kernels.HIDDEN_SUBSET,
        4,
    ),
    _THREE_LINKS,
    _WXYZ_WING,
    Technique(
        "bivalue universal grave",
        5.6,
        "But for a few candidates all blanks have two and all digits two positions in a house, "
        "which has no solution or several: one of the few is true. 5.6 to 6.1.",
        kernels.BIVALUE_UNIVERSAL_GRAVE,
    ),
    _VWXYZ_WING,
    Technique(
        "aligned pair exclusion",
        6.2,
        "A candidate of one cell leaves none to another, counting the pairs of digits that cells "
        "with two candidates forbid.",
        kernels.ALIGNED,
        2,
    ),
    Technique(
        "chain",
        6.5,
        "A candidate that, link by link, implies its own opposite; or a cycle of links that can be "
        "walked both ways, so that a candidate that sees two neighbours in it is false. Cycles on "
        "one digit or through cells 6.5, chains on one digit 6.6, others 7.0, and up with their "
        "length.",
        kernels.CHAIN,
    ),
    Technique(
        "aligned triplet exclusion",
        7.5,
        "A candidate of one of three cells for which the other two have none left, counting the "
        "digits that cells with two or three candidates forbid together.",
        kernels.ALIGNED,
        3,
    ),
    Technique(
        "nishio",
        7.5,
        "A digit assumed in a cell, or not there, is followed through all houses until it must be "
        "somewhere and cannot. 7.5 and up with the number of links.",
        kernels.FORCING,
        NISHIO,
    ),
    Technique(
        "multiple forcing chains",
        8.0,
        "Whichever candidate of a cell, or position of a digit in a house, is true: chains from "
        "all of them end at the same. 8.0 and up with the number of links.",
        kernels.FORCING,
        STATIC,
    ),
    Technique(
        "dynamic forcing chains",
        8.5,
        "The same, and assumptions that contradict themselves, with links that arise only when "
        "candidates are gone. 8.5 and up with the number of links.",
        kernels.FORCING,
        DYNAMIC,
    ),
    Technique(
        "dynamic forcing chains with patterns",
        9.0,
        "The same, with locked candidates, pairs and X-wings that arise on the way. 9.0 and up "
        "with the number of links.",
        kernels.FORCING,
        PATTERNS,
    ),
    Technique(
        "dynamic forcing chains with chains",
        9.5,
        "The same, with chains on the grid that an assumption leaves. 9.5 and up with the number "
        "of links, those of the nested chains included.",
        kernels.NESTED_FORCING,
        WITH_CHAINS,
    ),
    Technique(
        "dynamic forcing chains with multiple chains",
        10.0,
        "The same, with multiple forcing chains nested as well. 10.0 and up with the number of "
        "links.",
        kernels.NESTED_FORCING,
        WITH_MULTIPLE,
    ),
    Technique(
        "dynamic forcing chains with dynamic chains",
        10.5,
        "The same, with dynamic forcing chains nested. 10.5 and up with the number of links.",
        kernels.NESTED_FORCING,
        WITH_DYNAMIC,
    ),
)
"""Ladder of Sukaku Explainer, the successor of Sudoku Explainer.

It is the scale of the Sudoku Exchange bank: strong links and large wings come before chains.
"""

SUDOKU_EXPLAINER: Ladder = tuple(
    technique
    for technique in SUKAKU_EXPLAINER
    if technique not in (_TWO_LINKS, _THREE_LINKS, _WXYZ_WING, _VWXYZ_WING)
)
"""Ladder of Sudoku Explainer 1.2.1: the scale of most published ratings."""
