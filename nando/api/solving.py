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
        Give up after so many steps.
    seed : int or None
        Of a solver that draws at random; None draws a new one, which the solution keeps.
    kind : str or None
        Kind of the puzzle; None recognises that of a text, and takes numbers as a Sudoku.

    Returns
    -------
    Solution
        The same as ``nando solve`` writes.

    Raises
    ------
    PuzzleError
        Naming everything that is wrong with the puzzle.
    PuzzleTypeError
        For a value that is no puzzle.
    ValueError, TypeError
        For an unknown solver, or one that does not run on the kind; for steps or a seed that make
        no sense.

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
