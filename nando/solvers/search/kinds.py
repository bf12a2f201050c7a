"""How search methods run on each kind of puzzle. A new kind is a folder here and one entry."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nando.on_demand import OnDemand
from nando.puzzles import Nurikabe, Sudoku
from nando.solvers.search.boards import Board
from nando.solvers.search.harmony_memory import HarmonyMemory, Improvise


class SearchKind(NamedTuple):
    """How search methods run on a kind of puzzle.

    Attributes
    ----------
    board : callable
        Takes a puzzle, how a move is picked and a generator: a board to anneal on.
    improvise : callable
        Takes a puzzle, an empty harmony memory, the fitness and a generator: fills the memory, and
        gives what improvises from it.
    """

    board: Callable[[Any, str, np.random.Generator], Board]
    improvise: Callable[[Any, HarmonyMemory, str, np.random.Generator], Improvise]


def _sudoku() -> SearchKind:
    from nando.solvers.search.sudoku.annealing import SudokuBoard
    from nando.solvers.search.sudoku.harmony import begin_values

    return SearchKind(SudokuBoard, begin_values)


def _nurikabe() -> SearchKind:
    from nando.solvers.search.nurikabe.annealing import NurikabeBoard
    from nando.solvers.search.nurikabe.harmony import begin_colours

    return SearchKind(NurikabeBoard, begin_colours)


KINDS = OnDemand({Sudoku.kind: _sudoku, Nurikabe.kind: _nurikabe})
"""The kinds of puzzle that these methods run on, by name."""
