"""Compare a half-solved Sudoku or variant with its solution."""

import numpy as np

from nando.puzzles import Values
from nando.puzzles.protocol import Fault, FaultKind
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import first_listed
from nando.solvers.logic.marks import AnyMarks


def mistakes(marks: AnyMarks, solution: Values) -> list[Fault]:
    """Return a fault with all wrong entries or, if there are none, all wrong eliminations.

    The list is empty if the solution agrees with the marks.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> from nando.solvers.logic.sudoku.marks import PencilMarks
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> values = puzzle.givens.copy()
    >>> values[2] = 1
    >>> solution = np.array([*map(int, "534678912672195348198342567859761423426853791713924856"
    ...     "961537284287419635345286179")], np.int8)
    >>> [fault.message for fault in mistakes(PencilMarks.standing(puzzle, values), solution)]
    ['wrong entry: r1c3 is not 1']
    """
    name = marks.puzzle.cell_name
    wrong = np.flatnonzero((marks.values > 0) & (marks.values != solution)).tolist()
    if wrong:
        parts = [f"{name(cell)} is not {SYMBOLS[marks.values[cell]]}" for cell in wrong]
        return [Fault(FaultKind.WRONG_ENTRY, f"wrong entry: {first_listed(parts)}", tuple(wrong))]
    # A place without a cell has no digit in the solution.
    blanks = np.flatnonzero((marks.values == 0) & (solution > 0))
    has_it = marks.candidates[blanks, solution[blanks] - 1]
    missing = blanks[~has_it].tolist()
    if missing:
        parts = [f"{SYMBOLS[solution[cell]]} from {name(cell)}" for cell in missing]
        message = f"wrong elimination: {first_listed(parts)}"
        return [Fault(FaultKind.WRONG_ELIMINATION, message, tuple(missing))]
    return []
