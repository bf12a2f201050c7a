"""The order in which solvers come to the cells of a puzzle, as the place of each cell in a list."""

from collections.abc import Callable
from typing import Any

import numpy as np

from nando.arrays import Floats
from nando.puzzles import Nurikabe, Puzzle, Sudoku
from nando.solvers import Annealing, BruteForce, Limit, LogicSolver, Refutation, Relaxation
from nando.solvers.logic.nurikabe.walk import walk_places

Places = Callable[[Any, int, np.random.Generator], Floats]
"""Place of each cell in a solver's order, the mean of some runs."""

_NURIKABE_COOLING = 0.999
_NURIKABE_ANNEALING = Limit(steps=100_000)
"""Budget of a run of annealing; where it ends first, the last swaps so far count."""


def refutation_places(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Floats:
    """Return the mean order of refutation-based propagation, SiSuS."""
    return Refutation().profile(puzzle, runs=runs, rng=rng).order


def brute_force_places(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Floats:
    """Return the mean order of the thesis's brute force list."""
    return BruteForce().profile(puzzle, runs=runs, rng=rng).order


def annealing_places(puzzle: Sudoku, runs: int, rng: np.random.Generator) -> Floats:
    """Return the mean order of the last swaps of simulated annealing."""
    return Annealing().profile(puzzle, runs=runs, rng=rng).order


def nurikabe_annealing_places(puzzle: Nurikabe, runs: int, rng: np.random.Generator) -> Floats:
    """Return the mean order of annealing with the thesis's cooling for Nurikabe and a budget."""
    annealing = Annealing.thesis_nurikabe(_NURIKABE_COOLING)
    return annealing.profile(puzzle, runs=runs, rng=rng, limit=_NURIKABE_ANNEALING).order


def logic_places(puzzle: Nurikabe, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, always the easiest step; cells of one step are ties."""
    del runs, rng
    places, _ = walk_places(puzzle)
    return np.where(puzzle.givens == 0, 1.0 + places * puzzle.n_cells, 0.0)


def relaxation_places(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Floats:
    """Return the cells that stay fixed in most relaxations first."""
    fixedness = Relaxation().profile(puzzle, runs=runs, rng=rng).fixedness
    return np.where(np.asarray(puzzle.givens) == 0, 2.0 - fixedness, 0.0)


def ladder_places(puzzle: Sudoku, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, which always takes the easiest step.

    Cells that it does not solve come last.
    """
    del runs, rng
    cells = LogicSolver().run(puzzle).trace["cell"]
    places = np.where(np.asarray(puzzle.givens) == 0, 1.0 + len(cells), 0.0)
    places[cells] = np.arange(1.0, len(cells) + 1)
    return places
