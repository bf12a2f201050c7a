"""The ladders of Sudoku, made of the techniques in ``ladders/sudoku.csv``."""

from nando.puzzles import Sudoku
from nando.solvers.logic import kernel_numbers
from nando.solvers.logic.chains import assumptions
from nando.solvers.logic.kernel_numbers import LARGE_WING, STRONG_LINKS
from nando.solvers.logic.technique import Ladder, Scale, read_ladder

SUDOKU_SCALE = Scale("SE rating", "the scale of Sukaku Explainer", "chains", 6.5)

SUKAKU_EXPLAINER: Ladder = read_ladder(Sudoku.kind, vars(assumptions) | vars(kernel_numbers))
"""Ladder of Sukaku Explainer, the successor of Sudoku Explainer.

It is the scale of the Sudoku Exchange bank: strong links and large wings come before chains.
"""

SUDOKU_EXPLAINER: Ladder = tuple(
    technique
    for technique in SUKAKU_EXPLAINER
    if technique.kernel not in (STRONG_LINKS, LARGE_WING)
)
"""Ladder of Sudoku Explainer 1.2.1: the scale of most published ratings."""
