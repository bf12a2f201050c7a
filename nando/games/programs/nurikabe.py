"""Programs that fill a Nurikabe."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.programs.program import Program
from nando.puzzles import Nurikabe
from nando.solvers.people.choices import Replay
from nando.solvers.people.nurikabe_choices import Feature

_BEYOND = 1e4


class Scene(NamedTuple):
    """Every open cell before every fill of a game; all arrays have the shape (n_rows,).

    Attributes
    ----------
    height, width : int
    cell : ndarray of int64
    demanded, black : ndarray of bool
        Whether a rule at one place colours the cell, and whether it will be black.
    distance : ndarray of float64
        From the last fill.
    """

    height: int
    width: int
    cell: NDArray[np.int64]
    demanded: NDArray[np.bool_]
    black: NDArray[np.bool_]
    distance: NDArray[np.float64]

    @property
    def column_first(self) -> NDArray[np.int64]:
        """Places of the cells column by column."""
        return self.cell % self.width * self.height + self.cell // self.width


def scene_of(puzzle: Nurikabe, replay: Replay) -> Scene:
    """Return what programs look at in a game."""
    table = replay.table
    height, width = puzzle.shape
    return Scene(
        height,
        width,
        replay.cells,
        table[:, Feature.DEMANDED] > 0,
        table[:, Feature.BLACK] > 0,
        np.rint(np.expm1(table[:, Feature.LOG_DISTANCE])).astype(np.float64),
    )


def _first_demanded(scene: Scene) -> NDArray[np.float64]:
    return np.where(scene.demanded, 0.0, _BEYOND)


PROGRAMS: Mapping[str, Program] = {
    "typed: rows": Program("typing", "colours row by row", lambda scene: scene.cell),
    "typed: columns": Program(
        "typing", "colours column by column", lambda scene: scene.column_first
    ),
    "typed: black by rows": Program(
        "typing",
        "colours the black cells row by row, then the white ones",
        lambda scene: scene.cell + _BEYOND * ~scene.black,
    ),
    "typed: white by rows": Program(
        "typing",
        "colours the white cells row by row, then the black ones",
        lambda scene: scene.cell + _BEYOND * scene.black,
    ),
    "typed: black by columns": Program(
        "typing",
        "colours the black cells column by column, then the white ones",
        lambda scene: scene.column_first + _BEYOND * ~scene.black,
    ),
    "first rule: rows": Program(
        "scan",
        "applies a rule at the first place row by row",
        lambda scene: _first_demanded(scene) + scene.cell,
    ),
    "first rule: columns": Program(
        "scan",
        "applies a rule at the first place column by column",
        lambda scene: _first_demanded(scene) + scene.column_first,
    ),
    "any rule": Program("singles", "applies any rule at one place", _first_demanded),
    "any cell": Program("random", "colours any cell", lambda scene: np.zeros(len(scene.cell))),
    "any black cell": Program("random", "colours any black cell", lambda scene: ~scene.black * 1.0),
}
"""Programs that an audit compares a player of Nurikabe with, by name."""
