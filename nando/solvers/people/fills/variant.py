"""The order in which a variant of Sudoku is filled as a chain of choices among open cells.

This module provides :class:`nando.solvers.people.fills.choices.Choices`. For the loops over fills
see :mod:`nando.solvers.people.fills.sudoku`.
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Values, Variant
from nando.solvers.people.fills.choices import (
    Replay,
    copied,
    draw,
    new_draws,
    new_replay,
    new_sample,
    row_of,
)
from nando.solvers.people.fills.features import Feature
from nando.solvers.people.fills.variant_features import FEATURES, Further, describe_all
from nando.solvers.people.fills.variant_moments import fill, first_moment, look
from nando.solvers.people.fills.variant_thought import static_board

__all__ = ["FEATURES", "at_hand", "replay", "sample", "supported"]


def replay(
    puzzle: Variant,
    solution: Values,
    cells: NDArray[np.int16],
    table: NDArray[np.float32] | None = None,
) -> Replay:
    """Describe every open cell before every fill."""
    result = new_replay(puzzle, len(cells), len(FEATURES), table)
    places = np.array(puzzle.places, np.int64)
    number_of = np.zeros(puzzle.givens.size, np.int64)
    number_of[places] = np.arange(len(places))
    moment, board = first_moment(puzzle), static_board(puzzle)
    numbers = number_of[cells]
    _replay(moment, board, solution[places], numbers, result.table, result.chosen, result.cells)
    return result._replace(cells=places[result.cells])


def at_hand(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return True for rows whose cell is a single at a glance."""
    sudoku = (table[:, : Feature.NAKED_SINGLE + 1] > 0).any(axis=1)
    return np.asarray(sudoku | (table[:, Further.OTHER_SINGLE] > 0))


def supported(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return True for rows whose cell is a single, at a glance or after some thought."""
    further = [Feature.LOCKED_SINGLE, Feature.SUBSET_SINGLE]
    return np.asarray(at_hand(table) | (table[:, further] > 0).any(axis=1))


def sample(
    puzzle: Variant,
    solution: Values,
    coefficients: NDArray[np.float64],
    runs: int,
    rng: np.random.Generator,
    slips: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.int16]:
    """Draw games from a model."""
    cells = new_sample(puzzle, runs)
    places = np.array(puzzle.places, np.int64)
    first, board = first_moment(puzzle), static_board(puzzle)
    for game in cells:
        _sample(copied(first), board, solution[places], coefficients, slips, rng, game)
    return places[cells].astype(np.int16)


@lean_kernel
def _replay(moment, board, solution, cells, table, chosen, open_cells):
    row = 0
    for k in range(cells.shape[0]):
        look(moment, board, solution)
        n_open = describe_all(moment, board, solution, table[row:], open_cells[row:])
        chosen[k] = row_of(open_cells, row, n_open, cells[k])
        row += n_open
        fill(moment, board, int(cells[k]), int(solution[cells[k]]))


@kernel
def _sample(moment, board, solution, coefficients, slips, rng, cells):
    workspace = new_draws(moment.values.size, coefficients.shape[0])
    table, open_cells, at_hand, _ = workspace
    for k in range(cells.shape[0]):
        look(moment, board, solution)
        n_open = describe_all(moment, board, solution, table, open_cells)
        for i in range(n_open):
            at_hand[i] = moment.ways[open_cells[i]] > 0
        cell = draw(workspace, n_open, coefficients, slips, rng)
        cells[k] = cell
        fill(moment, board, cell, int(solution[cell]))
