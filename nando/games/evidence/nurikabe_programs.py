"""Programs that fill a Nurikabe.

They are compared with people colour by colour, so no program prefers a colour.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.evidence.reading import ENTERED, Program
from nando.puzzles import Nurikabe
from nando.solvers.people.fills.choices import Replay
from nando.solvers.people.fills.nurikabe import Feature

_BEYOND = 1e4


class Scene(NamedTuple):
    """Every open cell before every fill of a game; all arrays have the shape (n_rows,).

    Attributes
    ----------
    height, width : int
    cell : ndarray of int64
    demanded : ndarray of bool
        Whether a rule at one place colours the cell.
    """

    height: int
    width: int
    cell: NDArray[np.int64]
    demanded: NDArray[np.bool_]

    @property
    def column_first(self) -> NDArray[np.int64]:
        """Position of each cell in an order by columns."""
        return self.cell % self.width * self.height + self.cell // self.width


def scene_of(puzzle: Nurikabe, replay: Replay) -> Scene:
    """Return the data by which programs choose in a game."""
    height, width = puzzle.shape
    return Scene(height, width, replay.cells, replay.table[:, Feature.DEMANDED] > 0)


def _first_demanded(scene: Scene) -> Floats:
    return np.where(scene.demanded, 0.0, _BEYOND)


PROGRAMS: Mapping[str, Program] = {
    "typed: rows": Program("typing", "colours row by row", lambda scene: scene.cell, ENTERED),
    "typed: columns": Program(
        "typing", "colours column by column", lambda scene: scene.column_first, ENTERED
    ),
    "typed: rows from the end": Program(
        "typing", "colours row by row from the end", lambda scene: -scene.cell, ENTERED
    ),
    "typed: columns from the end": Program(
        "typing",
        "colours column by column from the end",
        lambda scene: -scene.column_first,
        ENTERED,
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
    "any cell": Program(
        "random", "colours any cell", lambda scene: np.zeros(len(scene.cell)), ENTERED
    ),
}
"""Programs with which an audit compares players of Nurikabe, by name."""
