"""Solving puzzles by any method."""

from dataclasses import replace
from typing import TYPE_CHECKING

from nando.api.checking import checked_puzzle
from nando.checks import seed_of
from nando.names import Kind, Method
from nando.puzzles import PuzzleLike

if TYPE_CHECKING:
    from nando.solvers import Solution


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
    from nando.solvers import Limit, solve_by
    from nando.solvers.protocol import spawned

    limit = None if steps is None else Limit(steps=steps)
    used = seed_of(seed)
    solution = solve_by(checked_puzzle(puzzle, kind), method, limit=limit, rng=spawned(used, 0))
    return replace(solution, seed=used)
