"""Puzzles: what they are, how they are read and written. Knows no solver and no rating."""

from nando.puzzles._base import Fault, FaultKind, Puzzle, PuzzleError, Status, Values
from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.reading import Entry, read_puzzles
from nando.puzzles.sudoku import Sudoku
from nando.puzzles.writing import write_puzzles

PUZZLES: tuple[type[Puzzle], ...] = (Sudoku, Nurikabe)
"""Every puzzle kind. A new kind is one file and one name here."""

__all__ = [
    "PUZZLES",
    "Entry",
    "Fault",
    "FaultKind",
    "Nurikabe",
    "Puzzle",
    "PuzzleError",
    "Status",
    "Sudoku",
    "Values",
    "find_puzzle",
    "read_puzzles",
    "write_puzzles",
]


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
