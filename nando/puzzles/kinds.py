"""The kinds of puzzle there are. A new kind is a folder here and one name in `PUZZLES`."""

import re

from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.sudoku.puzzle import Sudoku

PUZZLES: tuple[type[Puzzle], ...] = (Sudoku, Nurikabe)
"""Every puzzle kind."""


def find_puzzle(kind: str) -> type[Puzzle]:
    """The puzzle class of a kind's name.

    Raises
    ------
    ValueError
        For an unknown kind; the message lists the known ones.
    """
    for puzzle in PUZZLES:
        if puzzle.kind == kind:
            return puzzle
    known = ", ".join(puzzle.kind for puzzle in PUZZLES)
    raise ValueError(f"unknown puzzle kind {kind!r}; known: {known}")


def kind_of_line(line: str) -> str | None:
    """The kind of the puzzle that a line of a file holds, alone or among other columns.

    None where no kind reads it; the row of a grid is of no kind by itself.

    Examples
    --------
    >>> kind_of_line("2..../...3./...../.2.../....2,90"), kind_of_line("." * 81)
    ('nurikabe', 'sudoku')
    >>> kind_of_line("53..7....") is None
    True
    """
    for puzzle in PUZZLES:
        for part in (line, *re.split(r'[,;\s"]+', line)):
            if puzzle.is_whole(part):
                try:
                    puzzle.parse(part)
                except PuzzleError:
                    continue
                return puzzle.kind
    return None
