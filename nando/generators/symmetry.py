"""The orbits of a symmetry: cells that are given together."""

from functools import lru_cache
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from nando.names import Symmetry as Symmetry
from nando.puzzles.boards.board import Board

SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)


def orbits(size: int, symmetry: Symmetry) -> NDArray[np.int16]:
    """Return the cells that are given together.

    Parameters
    ----------
    size : int
        Rows of the grid.
    symmetry : {"none", "rotational", "rotational-90", "mirror", "diagonal"}
        "rotational" is a half turn, "rotational-90" a quarter turn, "mirror" exchanges left and
        right, "diagonal" rows and columns.

    Returns
    -------
    ndarray of int16, shape (n_orbits, 4)
        Each cell once; orbits of fewer than four cells are padded with -1.

    Raises
    ------
    ValueError
        For an unknown symmetry.

    Examples
    --------
    >>> orbits(2, "rotational").tolist()
    [[0, 3, -1, -1], [1, 2, -1, -1]]
    """
    if symmetry not in SYMMETRIES:
        raise ValueError(f"symmetry must be one of {', '.join(SYMMETRIES)}, got {symmetry!r}")
    grid = np.arange(size * size).reshape(size, size)
    images = images_of(grid, symmetry)
    distinct = {tuple(sorted({int(image.flat[cell]) for image in images})) for cell in grid.flat}
    padded = [orbit + (-1,) * (4 - len(orbit)) for orbit in sorted(distinct)]
    return np.array(padded, np.int16)


@lru_cache(maxsize=16)
def groups_of(board: Board, symmetry: Symmetry) -> list[list[int]]:
    """Return the numbers of the cells of a board that are given together.

    Raises
    ------
    ValueError
        If the board does not have the symmetry.
    """
    grid = np.full((board.n_rows, board.n_columns), -1)
    for number, (row, column) in enumerate(board.cells):
        grid[row, column] = number
    turns = images_of(grid, symmetry)
    if any(turn.shape != grid.shape or ((turn < 0) != (grid < 0)).any() for turn in turns):
        raise ValueError(f"the board has no {symmetry} symmetry: ask for another, or none")
    images = np.stack([turn.ravel() for turn in turns], axis=1).tolist()
    groups = {tuple(sorted(set(group))) for group in images} - {(-1,)}
    return list(map(list, sorted(groups)))


def images_of(grid: NDArray[Any], symmetry: Symmetry) -> list[NDArray[Any]]:
    """Return a grid and its images under a symmetry."""
    return {
        "none": [grid],
        "rotational": [grid, np.rot90(grid, 2)],
        "rotational-90": [np.rot90(grid, turns) for turns in range(4)],
        "mirror": [grid, np.fliplr(grid)],
        "diagonal": [grid, grid.T],
    }[symmetry]
