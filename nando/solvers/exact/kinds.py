"""The exact search of each kind of puzzle. A new kind is a file here and one entry."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nando.on_demand import OnDemand
from nando.puzzles import Nurikabe, Sudoku


class Search(Protocol):
    """A search that can be resumed."""

    progress: NDArray[np.int64]
    """Depth (-1 at the end), solutions found, guesses."""
    solutions: NDArray[np.int8]
    """The first two solutions, shape (2 or more, n_cells)."""

    @property
    def patience(self) -> int:
        """Guesses after which a search without another limit gives up: some seconds."""
        ...

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        ...


def _sudoku() -> Callable[[Any], Search]:
    from nando.solvers.exact.sudoku import sudoku_search

    return sudoku_search


def _nurikabe() -> Callable[[Any], Search]:
    from nando.solvers.exact.nurikabe.search import NurikabeSearch

    return NurikabeSearch


SEARCHES = OnDemand({Sudoku.kind: _sudoku, Nurikabe.kind: _nurikabe})
"""The searches, by kind of puzzle."""
