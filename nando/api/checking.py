"""The puzzles of a call, checked."""

from typing import Any

from nando.puzzles import Puzzle, PuzzleError, PuzzleLike, PuzzleTypeError, as_puzzle
from nando.puzzles.inputs import is_one, placed, several
from nando.solvers import status

BadPuzzle = PuzzleError | PuzzleTypeError
"""The error of one puzzle among several, with its place as ``index``."""


def checked_puzzle(puzzle: PuzzleLike, kind: str | None, name: str = "puzzle") -> Puzzle:
    """Return the puzzle of an argument.

    Raises
    ------
    PuzzleError
        For one without exactly one solution, listing everything wrong.
    PuzzleTypeError
        For a value of a type that no puzzle has.
    """
    read = as_puzzle(puzzle, kind, name=name)
    seen = status(read)
    if not seen.valid:
        raise PuzzleError(seen)
    return read


def checked_puzzles(
    puzzles: Any, kind: str | None, *, keep_errors: bool
) -> tuple[list[Puzzle | BadPuzzle], bool]:
    """Return the puzzles of an argument, and True if it is but one.

    Raises
    ------
    PuzzleError, PuzzleTypeError
        For the first bad puzzle; with `keep_errors` they stand in its place instead.
    """
    is_alone = is_one(puzzles)
    checked: list[Puzzle | BadPuzzle] = []
    for index, puzzle in enumerate([puzzles] if is_alone else several(puzzles)):
        name, place = ("puzzles", None) if is_alone else (f"puzzles[{index}]", index)
        try:
            checked.append(checked_puzzle(puzzle, kind, name))
        except (PuzzleError, PuzzleTypeError) as error:
            told = error if place is None else placed(error, place)
            if not keep_errors:
                raise told from None
            checked.append(told)
    return checked, is_alone
