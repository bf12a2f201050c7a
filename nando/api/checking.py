"""Checks of the puzzles that are passed to a function."""

from typing import Any

from nando.puzzles import Puzzle, PuzzleError, PuzzleLike, PuzzleTypeError, as_puzzle
from nando.puzzles.inputs import is_one, placed, several
from nando.solvers import status

BadPuzzle = PuzzleError | PuzzleTypeError
"""The error of a puzzle; among several puzzles, its ``index`` is the puzzle's place."""


def checked_puzzle(puzzle: PuzzleLike, kind: str | None, name: str = "puzzle") -> Puzzle:
    """Return the puzzle of an argument.

    Raises
    ------
    PuzzleError
        If it does not have exactly one solution. The message lists everything that is wrong.
    PuzzleTypeError
        If the value is of a type that cannot be a puzzle.
    """
    read = as_puzzle(puzzle, kind, name=name)
    seen = status(read)
    if not seen.valid:
        raise PuzzleError(seen)
    return read


def checked_puzzles(
    puzzles: Any, kind: str | None, *, keep_errors: bool
) -> tuple[list[Puzzle | BadPuzzle], bool]:
    """Return the puzzles of an argument, and True if the argument is a single puzzle.

    Raises
    ------
    PuzzleError, PuzzleTypeError
        For the first bad puzzle. With `keep_errors`, the list has the error instead.
    """
    is_alone = is_one(puzzles)
    checked: list[Puzzle | BadPuzzle] = []
    for index, puzzle in enumerate([puzzles] if is_alone else several(puzzles)):
        name, place = ("puzzles", None) if is_alone else (f"puzzles[{index}]", index)
        try:
            checked.append(checked_puzzle(puzzle, kind, name))
        except (PuzzleError, PuzzleTypeError) as error:
            indexed = error if place is None else placed(error, place)
            if not keep_errors:
                raise indexed from None
            checked.append(indexed)
    return checked, is_alone
