"""A filled board that annealing moves about on, for every kind of puzzle."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Values

Schedule = tuple[float, float, bool]
"""Factor of the temperature, where it ends, whether accepted moves alone cool."""


class Board(Protocol):
    """Values for every cell, moved in place."""

    counts: NDArray[np.int64]
    """Cost; moves so far."""
    most_steps: int
    """Moves of a run without a limit."""

    @property
    def n_movable(self) -> int:
        """Cells that some move changes."""
        ...

    @property
    def n_free(self) -> int:
        """Cells that are not given."""
        ...

    def move(
        self, temperature: float, schedule: Schedule, moves: int, costs: NDArray[np.float64]
    ) -> tuple[bool, float]:
        """Try so many moves: whether one improved, and the temperature at the end.

        Ends early at cost 0 and at the lowest temperature. `costs`, where it has room, gets the
        cost after each move.
        """
        ...

    def values(self) -> Values:
        """The values as they stand."""
        ...

    def moved(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By cell: the move that last changed it, 0 for none, and the cost after that."""
        ...
