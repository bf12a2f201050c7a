"""The six grades are intervals of the common scale, so they are the same for every model.

The unit of the scale is a look: the time needed to find a lone hidden single in a box. The
boundaries were set once, between the six levels of a publisher (Sudoku of the Day), and agree with
what a puzzle needs:

=============  ==========  ============================================================
grade          looks from  what it needs, as a rule
=============  ==========  ============================================================
beginner                0  hidden singles in boxes, several of them open all the time
easy                   15  the same with fewer of them open, and now and then a line
medium                 28  hidden singles in lines, and locked candidates once or twice
tricky                 49  naked singles and pairs as well
fiendish               68  more pairs and locked candidates, and now and then a triplet
diabolical             95  triplets, wings, fish, and from there on chains
=============  ==========  ============================================================

The crowd affects the minutes of a puzzle but never its grade.
"""

from typing import get_args

import numpy as np

from nando.arrays import Floats
from nando.names import Grade

GRADES: tuple[Grade, ...] = get_args(Grade)
"""Names of the grades, easiest first."""

LOOKS = (15.0, 28.0, 49.0, 68.0, 95.0)
"""Lower boundary of each grade after the first."""

_LEAST, _MOST = 8.0, 400.0
"""Lowest and highest looks of puzzles to generate for the first and the last grade."""


def grades_of(log_difficulty: Floats) -> list[str]:
    """Return the grade of each puzzle by the logarithm of its looks."""
    return [GRADES[i] for i in np.searchsorted(np.log(LOOKS), log_difficulty, side="right")]


def looks_of(grade: str) -> tuple[float, float]:
    """Return the least and most looks of the puzzles of a grade.

    Raises
    ------
    ValueError
        For an unknown grade.
    """
    number = number_of(grade)
    bounds = (_LEAST, *LOOKS, _MOST)
    return bounds[number], bounds[number + 1]


def number_of(grade: str) -> int:
    """Return the number of a grade, from 0.

    Raises
    ------
    ValueError
        For an unknown grade.
    """
    if grade not in GRADES:
        raise ValueError(f"unknown grade {grade!r}; known: {', '.join(GRADES)}")
    return GRADES.index(grade)
