"""The puzzle of a call, checked."""

from nando.puzzles import Puzzle, PuzzleError, find_puzzle, read_puzzle
from nando.solvers import status


def checked_puzzle(puzzle: Puzzle | str, kind: str | None) -> Puzzle:
    """The puzzle, after whatever is wrong with it was told."""
    if isinstance(puzzle, str):
        puzzle = read_puzzle(puzzle, None if kind is None else find_puzzle(kind))
    found = status(puzzle)
    if not found.valid:
        raise PuzzleError(found)
    return puzzle
