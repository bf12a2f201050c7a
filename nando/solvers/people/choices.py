"""The order of fills as a chain of choices among open cells: replay, likelihood, sampling."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.solvers.people.moment_features import FEATURES, N_HUMAN, Feature, describe_all
from nando.solvers.people.moments import (
    LOCKED,
    N_SINGLES,
    SINGLE,
    SUBSET,
    UNSUPPORTED,
    copy_of,
    fill,
    first_moment,
    look,
    restore,
)

__all__ = [
    "FEATURES",
    "FIRST_FEATURE",
    "LOCKED",
    "LOG_RATE",
    "N_HUMAN",
    "SINGLE",
    "SINGLES",
    "SUBSET",
    "SUPPORT",
    "UNSUPPORTED",
    "Feature",
    "Moves",
    "Replay",
    "follow",
    "log_total",
    "n_rows",
    "next_chances",
    "replay",
    "sample",
]

LOG_RATE, SUPPORT, SINGLES, FIRST_FEATURE = range(4)
"""Columns of `Moves.facts`."""


class Replay(NamedTuple):
    """A game as the rows of a choice model.

    Attributes
    ----------
    table : ndarray of float32, shape (n_rows, N_HUMAN)
        A row for each open cell before each fill.
    starts : ndarray of int64, shape (n_moves + 1,)
        First row of each fill.
    chosen : ndarray of int64, shape (n_moves,)
        Row of the cell that was filled.
    """

    table: NDArray[np.float32]
    starts: NDArray[np.int64]
    chosen: NDArray[np.int64]


class Moves(NamedTuple):
    """What models say about each fill of a game.

    Attributes
    ----------
    log_chances : ndarray of float64, shape (n_moves, n_models)
        Log chance that each model gives to the cell that was filled.
    facts : ndarray of float64, shape (n_moves, 3 + n_features)
        Log of the summed rates under the first model; what supported the fill; number of
        singles at the moment; features of the cell that was filled.
    """

    log_chances: NDArray[np.float64]
    facts: NDArray[np.float64]


def n_rows(puzzle: Puzzle, n_moves: int) -> int:
    """Rows of the replay of a game: the open cells before each fill."""
    blanks = int(np.count_nonzero(puzzle.givens == 0))
    return n_moves * blanks - n_moves * (n_moves - 1) // 2


def replay(
    puzzle: Sudoku,
    solution: Values,
    cells: NDArray[np.int16],
    table: NDArray[np.float32] | None = None,
) -> Replay:
    """Describe every open cell before every fill.

    Parameters
    ----------
    puzzle : Sudoku
    solution : ndarray of int8, shape (n_cells,)
    cells : ndarray of int16, shape (n_moves,)
        Different blanks, in the order of their fills; not necessarily all.
    table : ndarray of float32, shape (n_rows, N_HUMAN), or None
        Where the rows are to be written; None makes a table.
    """
    blanks = len(puzzle.givens) - puzzle.n_givens
    starts = np.concatenate([[0], np.cumsum(blanks - np.arange(len(cells)))])
    if table is None:
        table = np.empty((n_rows(puzzle, len(cells)), N_HUMAN), np.float32)
    chosen = np.empty(len(cells), np.int64)
    _replay(first_moment(puzzle), puzzle.layout, solution, cells, table, chosen)
    return Replay(table, starts, chosen)


def follow(
    puzzle: Sudoku,
    solution: Values,
    cells: NDArray[np.int16],
    coefficients: NDArray[np.float64],
) -> Moves:
    """Replay a game under several models at once.

    Parameters
    ----------
    puzzle, solution, cells
        As in :func:`replay`.
    coefficients : ndarray of float64, shape (n_models, n_features)
        The columns of `FEATURES`, all or the first `N_HUMAN`.
    """
    log_chances = np.empty((len(cells), len(coefficients)))
    facts = np.empty((len(cells), FIRST_FEATURE + coefficients.shape[1]))
    _follow(first_moment(puzzle), puzzle.layout, solution, cells, coefficients, log_chances, facts)
    return Moves(log_chances, facts)


def sample(
    puzzle: Sudoku,
    solution: Values,
    coefficients: NDArray[np.float64],
    runs: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """Draw games from a model.

    Returns
    -------
    cells : ndarray of int16, shape (runs, n_blanks)
        In the order of their fills.
    log_chances : ndarray of float64, shape (runs, n_blanks)
        Of each fill.
    """
    blanks = len(puzzle.givens) - puzzle.n_givens
    cells = np.empty((runs, blanks), np.int16)
    log_chances = np.empty((runs, blanks))
    first = first_moment(puzzle)
    _sample(first, puzzle.layout, solution, coefficients, rng, cells, log_chances)
    return cells, log_chances


def next_chances(
    puzzle: Sudoku,
    solution: Values,
    cells: NDArray[np.int16],
    coefficients: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Chance of each cell, shape ``(n_cells,)``, to be filled after `cells`; 0 where filled."""
    chances = np.zeros(len(solution))
    _next_chances(first_moment(puzzle), puzzle.layout, solution, cells, coefficients, chances)
    return chances


@kernel
def _replay(moment, layout, solution, cells, table, chosen):
    open_cells = np.empty(layout.n_cells, np.int64)
    row = 0
    for k in range(cells.shape[0]):
        look(moment, layout, solution)
        n_open = describe_all(moment, layout, solution, table[row:], open_cells)
        for i in range(n_open):
            if open_cells[i] == cells[k]:
                chosen[k] = row + i
        row += n_open
        fill(moment, int(cells[k]), int(solution[cells[k]]))


@kernel
def _follow(moment, layout, solution, cells, coefficients, log_chances, facts):
    table = np.empty((layout.n_cells, coefficients.shape[1]), np.float32)
    open_cells = np.empty(layout.n_cells, np.int64)
    utilities = np.empty(layout.n_cells)
    for k in range(cells.shape[0]):
        target = int(cells[k])
        look(moment, layout, solution)
        n_open = describe_all(moment, layout, solution, table, open_cells)
        at = 0
        while open_cells[at] != target:
            at += 1
        for model in range(coefficients.shape[0]):
            total = log_total(table, n_open, coefficients[model], utilities)
            log_chances[k, model] = utilities[at] - total
            if model == 0:
                facts[k, LOG_RATE] = total
        facts[k, SUPPORT] = moment.support[target]
        facts[k, SINGLES] = moment.history[N_SINGLES]
        for j in range(coefficients.shape[1]):
            facts[k, FIRST_FEATURE + j] = table[at, j]
        fill(moment, target, int(solution[target]))


@kernel
def _sample(first, layout, solution, coefficients, rng, cells, log_chances):
    moment = copy_of(first)
    table = np.empty((layout.n_cells, coefficients.shape[0]), np.float32)
    open_cells = np.empty(layout.n_cells, np.int64)
    utilities = np.empty(layout.n_cells)
    for run in range(cells.shape[0]):
        restore(moment, first)
        for k in range(cells.shape[1]):
            look(moment, layout, solution)
            n_open = describe_all(moment, layout, solution, table, open_cells)
            total = log_total(table, n_open, coefficients, utilities)
            left = rng.random()
            at = 0
            left -= np.exp(utilities[0] - total)
            while left >= 0.0 and at + 1 < n_open:
                at += 1
                left -= np.exp(utilities[at] - total)
            cell = int(open_cells[at])
            cells[run, k] = cell
            log_chances[run, k] = utilities[at] - total
            fill(moment, cell, int(solution[cell]))


@kernel
def _next_chances(moment, layout, solution, cells, coefficients, chances):
    for k in range(cells.shape[0]):
        look(moment, layout, solution)
        fill(moment, int(cells[k]), int(solution[cells[k]]))
    look(moment, layout, solution)
    table = np.empty((layout.n_cells, coefficients.shape[0]), np.float32)
    open_cells = np.empty(layout.n_cells, np.int64)
    utilities = np.empty(layout.n_cells)
    n_open = describe_all(moment, layout, solution, table, open_cells)
    total = log_total(table, n_open, coefficients, utilities)
    for i in range(n_open):
        chances[open_cells[i]] = np.exp(utilities[i] - total)


@kernel
def log_total(table, n_open, coefficients, utilities):
    """Write the utility of each open cell; the logarithm of the sum of their rates."""
    largest = -np.inf
    n_even = coefficients.shape[0] // 4 * 4
    for i in range(n_open):
        # Four sums side by side: one alone waits for each of its additions.
        a = b = c = d = 0.0
        for j in range(0, n_even, 4):
            a += table[i, j] * coefficients[j]
            b += table[i, j + 1] * coefficients[j + 1]
            c += table[i, j + 2] * coefficients[j + 2]
            d += table[i, j + 3] * coefficients[j + 3]
        for j in range(n_even, coefficients.shape[0]):
            a += table[i, j] * coefficients[j]
        utilities[i] = a + b + c + d
        largest = max(largest, utilities[i])
    total = 0.0
    for i in range(n_open):
        total += np.exp(utilities[i] - largest)
    return largest + np.log(total)
