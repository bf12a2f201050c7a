"""Lists of cells that are made before a game, in the order in which a solver fills them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nando.arrays import Floats
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Variant
from nando.solvers import LogicSolver, Relaxation
from nando.solvers.logic.nurikabe.walk import walk_places

Places = Callable[[Any, int, np.random.Generator], Floats]
"""Returns the mean position of each cell in a solver's order over some runs."""


def solver_places(
    solver: Any, puzzle: Puzzle, runs: int, rng: np.random.Generator, **options: Any
) -> Floats:
    """Return the mean order in which a solver fills the cells; options are those of `profile`."""
    order: Floats = solver.profile(puzzle, runs=runs, rng=rng, **options).order
    return order


def logic_places(puzzle: Nurikabe, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, easiest step first; cells of one step are ties."""
    del runs, rng
    places, _ = walk_places(puzzle)
    return np.where(puzzle.givens == 0, 1.0 + places * puzzle.n_cells, 0.0)


def relaxation_places(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Floats:
    """Return the cells that stay fixed in most relaxations first."""
    fixedness = Relaxation().profile(puzzle, runs=runs, rng=rng).fixedness
    return np.where(np.asarray(puzzle.givens) == 0, 2.0 - fixedness, 0.0)


def ladder_places(puzzle: Sudoku | Variant, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, which always takes the easiest step.

    Cells that it does not solve come last.
    """
    del runs, rng
    cells = LogicSolver().run(puzzle).trace["cell"]
    places = np.where(np.asarray(puzzle.givens) == 0, 1.0 + len(cells), 0.0)
    places[cells] = np.arange(1.0, len(cells) + 1)
    return places


class Listed(NamedTuple):
    """A list of cells that a solver makes before the game, as the mean of some runs."""

    places: Places
    runs: int = 30
