"""Check puzzles, and solve them."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nando import solvers
from nando.checks import seed_of
from nando.names import Kind, Method
from nando.puzzles import Puzzle, PuzzleError, PuzzleLike, PuzzleTypeError
from nando.puzzles.inputs import as_text, is_one, placed, several
from nando.puzzles.reading import guess_of
from nando.solvers.exact.search import read_checked, status

if TYPE_CHECKING:
    from nando.solvers import Solution

BadPuzzle = PuzzleError | PuzzleTypeError
"""The error of a puzzle; ``index`` is the index of the puzzle among several."""


def check_puzzle(puzzle: PuzzleLike, kind: str | None, name: str = "puzzle") -> Puzzle:
    """Return the puzzle that an argument describes.

    Raises
    ------
    PuzzleError
        If it does not have exactly one solution. The message lists everything that is wrong.
    PuzzleTypeError
        If the value is of a type that cannot be a puzzle.
    """
    read = read_checked(puzzle, kind, name=name)
    seen = status(read)
    if not seen.valid:
        text = as_text(puzzle) if kind is None else None
        guess = "" if text is None else guess_of(text, read.kind)
        *faults, last = seen.faults
        raise PuzzleError([*faults, replace(last, message=last.message + guess)])
    return read


def check_puzzles(
    puzzles: Any, kind: str | None, *, keep_errors: bool
) -> tuple[list[Puzzle | BadPuzzle], bool]:
    """Return the puzzles that an argument describes, and True if it is a single puzzle.

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
            checked.append(check_puzzle(puzzle, kind, name))
        except (PuzzleError, PuzzleTypeError) as error:
            indexed = error if place is None else placed(error, place)
            if not keep_errors:
                raise indexed from None
            checked.append(indexed)
    return checked, is_alone


def solve(
    puzzle: PuzzleLike,
    *,
    method: Method = "exact",
    steps: int | None = None,
    seed: int | None = 0,
    kind: Kind | None = None,
) -> "Solution":
    """Solve a puzzle.

    Parameters
    ----------
    puzzle : text, array, list, Puzzle, or a result that holds one
        With exactly one solution; see :func:`nando.puzzles.as_puzzle`.
    method : str
        Name of a solver; see :data:`nando.solvers.SOLVERS`.
    steps : int or None
        Number of steps after which to give up; None sets no limit.
    seed : int or None
        Seed of a solver that draws at random. None draws a new seed, which the solution keeps.
    kind : str or None
        Kind of the puzzle; None recognises that of a text, and takes numbers as a Sudoku.

    Returns
    -------
    Solution
        The result that ``nando solve`` writes.

    Raises
    ------
    PuzzleError
        If the puzzle is wrong. The message lists everything that is wrong.
    PuzzleTypeError
        If the value is not a puzzle.
    ValueError, TypeError
        If the solver is unknown or does not run on the kind, or `steps` or `seed` is invalid.

    Examples
    --------
    >>> print(solve(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... ))
    534678912672195348198342567859761423426853791713924856961537284287419635345286179
    """
    from nando.solvers.protocol import spawned

    limit = None if steps is None else solvers.Limit(steps=steps)
    used = seed_of(seed)
    solution = solvers.solve_by(
        check_puzzle(puzzle, kind), method, limit=limit, rng=spawned(used, 0)
    )
    return replace(solution, seed=used)
