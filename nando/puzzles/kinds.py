"""The kinds of puzzle. A new kind has files of its own here, and one entry in `PUZZLES`."""

from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.protocol import Puzzle
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

PUZZLES: tuple[type[Puzzle], ...] = (Sudoku, Nurikabe, Variant)
"""Every puzzle kind."""


def find_puzzle(kind: str | type[Puzzle]) -> type[Puzzle]:
    """Return the puzzle class with the name `kind`; a class is returned unchanged.

    Raises
    ------
    ValueError
        For an unknown kind; the message lists the known ones.
    """
    if isinstance(kind, type):
        return kind
    for puzzle in PUZZLES:
        if puzzle.kind == kind:
            return puzzle
    known = ", ".join(puzzle.kind for puzzle in PUZZLES)
    raise ValueError(f"unknown puzzle kind {kind!r}; known: {known}")
