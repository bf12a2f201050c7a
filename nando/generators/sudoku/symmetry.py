"""Which cells of a square grid are given together: the orbits of a symmetry."""

from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from nando.names import Symmetry as Symmetry

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
        Each cell once; -1 where an orbit has fewer than four cells.

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


def images_of(grid: NDArray[Any], symmetry: Symmetry) -> list[NDArray[Any]]:
    """Return a grid and its images under all that a symmetry does with it."""
    return {
        "none": [grid],
        "rotational": [grid, np.rot90(grid, 2)],
        "rotational-90": [np.rot90(grid, turns) for turns in range(4)],
        "mirror": [grid, np.fliplr(grid)],
        "diagonal": [grid, grid.T],
    }[symmetry]
