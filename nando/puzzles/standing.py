"""Read half-solved puzzles: entered digits, pencil marks and coloured cells."""

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.formats.base import Kind, Standing
from nando.puzzles.formats.candidate_grids import standing_of_marks
from nando.puzzles.formats.grids import is_frame
from nando.puzzles.formats.json_values import value_of
from nando.puzzles.formats.one_line import find_on, of_kind
from nando.puzzles.formats.programs import f_puzzles, pzpr, sudokupad
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe, read_shading
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError
from nando.puzzles.reading import read_puzzle
from nando.puzzles.sudoku.rows import GridRows, cells_of

_COLOURS = {"#": BLACK, "+": WHITE}


def read_standing(text: str, puzzle: Puzzle | None = None, kind: Kind = None) -> Standing | None:
    """Read the entered digits, pencil marks or coloured cells of a text.

    Parameters
    ----------
    text : str
        A candidate grid, a library line of HoDoKu, a link of SudokuWiki, f-puzzles, SudokuPad or
        Penpa+, the JSON of f-puzzles or SudokuPad, or a file of pzpr. If the puzzle is given, also
        a line or grid with the digits entered so far, or for a Nurikabe with ``#`` for black and
        ``+`` for white cells.
    puzzle : Puzzle or None
        The puzzle, needed if the text does not distinguish givens from entries.
    kind : type of Puzzle or None
        Kind of the puzzle, if `puzzle` is None; None recognises it.

    Returns
    -------
    Standing or None
        None for a text that holds only the givens of a puzzle.

    Raises
    ------
    PuzzleError
        If the text is not a half-solved puzzle of the kind, or is a position of another puzzle.

    Examples
    --------
    >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> read_standing(line) is None
    True
    >>> read_standing("534" + line[3:], Sudoku(line)).entries[:4].tolist()
    [5, 3, 4, 0]
    >>> read_standing("2+#/.../..1", Nurikabe("2../.../..1")).entries.tolist()
    [1, 1, 2, 0, 0, 0, 0, 0, 1]
    """
    kind = kind if puzzle is None else type(puzzle)
    standing = _of_format(text.strip(), kind, puzzle)
    if standing is not None:
        of_kind(standing.puzzle, kind)
    if puzzle is None:
        if standing is None or not _has_more(standing):
            return None
        read_puzzle(text, kind)  # raises an error for drawings that may be a rule
        return standing
    if standing is None:
        standing = _plain(text, puzzle)
    _check_same(standing, puzzle)
    given = puzzle.givens
    return Standing(puzzle, np.where(given > 0, given, standing.entries), standing.candidates)


def _of_format(text: str, kind: Kind, puzzle: Puzzle | None) -> Standing | None:
    """Return the position of a text in a format that holds positions; None for plain digits."""
    if pzpr.is_file(text):
        text = "/".join(line.strip() for line in text.splitlines())
    if text.startswith("{"):
        value = value_of(text)
        if f_puzzles.is_value(value):
            return f_puzzles.standing_of_value(value)
        return sudokupad.standing_of_value(value) if sudokupad.is_value(value) else None
    if "\n" not in text:
        known = find_on(text)
        if known is None or known[0].read_standing is None:
            return None
        return known[0].read_standing(known[1], kind)
    if kind is Nurikabe:
        return None
    rows = GridRows()
    for number, part in enumerate(text.splitlines(), 1):
        if part.strip() and not is_frame(part.strip()):
            rows.add(number, part.strip(), cells_of(part))
    if not rows.has_candidates or not rows.status.valid:
        return None
    return standing_of_marks(rows.marks, puzzle)


def _plain(text: str, puzzle: Puzzle) -> Standing:
    """Return the position of a line or grid with digits or coloured cells; PuzzleError if wrong."""
    if not isinstance(puzzle, Nurikabe):
        read = read_puzzle(text, type(puzzle))
        return Standing(read, read.givens.copy(), None)
    numbers, cells = read_shading(text)
    read = Nurikabe.from_rows(numbers)
    colours = np.array([_COLOURS.get(cell, 0) for row in cells for cell in row], np.int8)
    return Standing(read, np.where(read.givens > 0, read.givens, colours), None)


def _check_same(standing: Standing, puzzle: Puzzle) -> None:
    """Raise PuzzleError for a position of another puzzle; it may leave givens blank."""
    if standing.puzzle.shape != puzzle.shape:
        sizes = ["x".join(map(str, board.shape)) for board in (standing.puzzle, puzzle)]
        message = f"another puzzle: {sizes[0]} cells, where the puzzle has {sizes[1]}"
        raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
    clashes: list[tuple[int, str]]
    numbers: NDArray[np.integer]
    if isinstance(puzzle, Nurikabe):
        assert isinstance(standing.puzzle, Nurikabe)
        numbers = puzzle.numbers.ravel()
        there = standing.puzzle.numbers.ravel()
        other = np.flatnonzero((there != 0) & (there != numbers)).tolist()
        black = np.flatnonzero((numbers != 0) & (standing.entries == BLACK)).tolist()
        clashes = [(cell, _number(there[cell])) for cell in other]
        clashes += [(cell, "black") for cell in black]
    else:
        numbers, digits = puzzle.givens, standing.entries
        other = np.flatnonzero((numbers > 0) & (digits > 0) & (digits != numbers)).tolist()
        entered = puzzle.solution_text(digits)
        clashes = [(cell, entered[cell]) for cell in other]
    if clashes:
        cell, seen = clashes[0]
        given = f"gives {_number(numbers[cell])}" if numbers[cell] else "has no number"
        message = f"another puzzle: {puzzle.cell_name(cell)} is {seen}, where the puzzle {given}"
        cells = tuple(cell for cell, _ in clashes)
        raise PuzzleError([Fault(FaultKind.CONFLICTING_GIVENS, message, cells)])


def _number(value: int) -> str:
    return "?" if value < 0 else str(value)


def _has_more(standing: Standing) -> bool:
    """Return True if a position has entries or candidates as well as givens."""
    has_entries = not np.array_equal(standing.entries, standing.puzzle.givens)
    return has_entries or standing.candidates is not None
