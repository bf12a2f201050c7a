"""The order in which a Sudoku is filled as a chain of choices among open cells.

This module provides :class:`nando.solvers.people.fills.choices.Choices`. The loops over fills are
kernels, and variants have their own, because their moments consist of other arrays. A single loop
in Python for both would call a kernel for each fill. A fill would then take 21 microseconds on a
Sudoku and 48 on a variant, of which the call alone takes 5 and 10.
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku, Values
from nando.solvers.people.fills.choices import (
    Replay,
    copied,
    draw,
    new_draws,
    new_replay,
    new_sample,
    row_of,
)
from nando.solvers.people.fills.features import FEATURES, Feature, describe_all
from nando.solvers.people.fills.moments import fill, first_moment, look

__all__ = ["FEATURES", "at_hand", "replay", "sample", "supported"]


def replay(
    puzzle: Sudoku,
    solution: Values,
    cells: NDArray[np.int16],
    table: NDArray[np.float32] | None = None,
) -> Replay:
    """Describe every open cell before every fill."""
    result = new_replay(puzzle, len(cells), len(FEATURES), table)
    moment = first_moment(puzzle)
    _replay(moment, puzzle.layout, solution, cells, result.table, result.chosen, result.cells)
    return result


def at_hand(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return True for rows whose cell is a single."""
    return np.asarray((table[:, : Feature.NAKED_SINGLE + 1] > 0).any(axis=1))


def supported(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return True for rows whose cell is a single, at once or after locked candidates and pairs."""
    further = [Feature.LOCKED_SINGLE, Feature.SUBSET_SINGLE]
    return np.asarray(at_hand(table) | (table[:, further] > 0).any(axis=1))


def sample(
    puzzle: Sudoku,
    solution: Values,
    coefficients: NDArray[np.float64],
    runs: int,
    rng: np.random.Generator,
    slips: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.int16]:
    """Draw games from a model."""
    cells = new_sample(puzzle, runs)
    first = first_moment(puzzle)
    for game in cells:
        _sample(copied(first), puzzle.layout, solution, coefficients, slips, rng, game)
    return cells


@lean_kernel
def _replay(moment, layout, solution, cells, table, chosen, open_cells):
    row = 0
    for k in range(cells.shape[0]):
        look(moment, layout, solution)
        n_open = describe_all(moment, layout, solution, table[row:], open_cells[row:])
        chosen[k] = row_of(open_cells, row, n_open, cells[k])
        row += n_open
        fill(moment, int(cells[k]), int(solution[cells[k]]))


@kernel
def _sample(moment, layout, solution, coefficients, slips, rng, cells):
    workspace = new_draws(layout.n_cells, coefficients.shape[0])
    table, open_cells, at_hand, _ = workspace
    for k in range(cells.shape[0]):
        look(moment, layout, solution)
        n_open = describe_all(moment, layout, solution, table, open_cells)
        for i in range(n_open):
            at_hand[i] = moment.ways[open_cells[i]] > 0
        cell = draw(workspace, n_open, coefficients, slips, rng)
        cells[k] = cell
        fill(moment, cell, int(solution[cell]))
