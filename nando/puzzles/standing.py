"""Half-solved Sudokus: entered digits and pencil marks as a text has them."""

import numpy as np

from nando.puzzles.formats.format import Standing
from nando.puzzles.formats.grids import SquareRows
from nando.puzzles.formats.marks import standing_of_marks
from nando.puzzles.formats.one_line import found_on
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError
from nando.puzzles.reading import read_puzzle
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.sudoku.rows import GridRows, cells_of


def read_standing(text: str, puzzle: Sudoku | None = None) -> Standing | None:
    """Read the entered digits and pencil marks of a text.

    Parameters
    ----------
    text : str
        A candidate grid, a library line of HoDoKu, a link of SudokuWiki; or, where the puzzle is
        known, also a line or grid with the digits entered so far.
    puzzle : Sudoku or None
        The puzzle, where the text does not tell givens from entries.

    Returns
    -------
    Standing or None
        None for a text that tells nothing but a puzzle.

    Raises
    ------
    PuzzleError
        For a text that is not a Sudoku, or is one of another puzzle.

    Examples
    --------
    >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> read_standing(line) is None
    True
    >>> read_standing("534" + line[3:], Sudoku(line)).entries[:4].tolist()
    [5, 3, 4, 0]
    """
    found = _found(text)
    if puzzle is None:
        return found if found is not None and _tells_more(found) else None
    if found is None:
        read = read_puzzle(text, Sudoku)
        assert isinstance(read, Sudoku)
        found = Standing(read, read.givens.copy(), None)
    given, entries = puzzle.givens, found.entries
    if entries.size != given.size:
        message = f"another puzzle: {entries.size} cells, where the puzzle has {given.size}"
        raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
    other = np.flatnonzero((given > 0) & (entries > 0) & (entries != given)).tolist()
    if other:
        cell = other[0]
        message = (
            f"another puzzle: {puzzle.cell_name(cell)} is {entries[cell]}, "
            f"where the puzzle gives {given[cell]}"
        )
        raise PuzzleError([Fault(FaultKind.CONFLICTING_GIVENS, message, tuple(other))])
    return Standing(puzzle, np.where(given > 0, given, entries), found.candidates)


def _found(text: str) -> Standing | None:
    """What a text has in a format of its own; None for plain digits."""
    line = text.strip()
    if "\n" not in line:
        known = found_on(line)
        if known is None or known[0].read_standing is None:
            return None
        return known[0].read_standing(known[1])
    rows = GridRows()
    for number, part in enumerate(line.splitlines(), 1):
        if part.strip() and not SquareRows.is_frame(part.strip()):
            rows.add(number, part.strip(), cells_of(part))
    if not rows.has_candidates or not rows.status.valid:
        return None
    return standing_of_marks([cell for row in rows.cells for cell in row])


def _tells_more(found: Standing) -> bool:
    """Whether there is anything but givens."""
    return found.candidates is not None or not np.array_equal(found.entries, found.puzzle.givens)
