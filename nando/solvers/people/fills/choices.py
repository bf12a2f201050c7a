"""The order of fills as a chain of choices among open cells, for every kind of puzzle.

Before each fill every open cell has a utility, the weighted sum of its features. The chance that
the cell is filled next is proportional to the exponential of its utility. Each kind of puzzle has
its own features; see :class:`Choices`.
"""

from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, n_bits
from nando.puzzles import Puzzle, Values, blanks_of
from nando.solvers.singles import N_OPEN, copy_of, place, restore, restore_impasse

R = TypeVar("R")


class Replay(NamedTuple):
    """A game as the rows of a choice model.

    Attributes
    ----------
    table : ndarray of float32, shape (n_rows, n_features)
        A row for each open cell before each fill.
    starts : ndarray of int64, shape (n_moves + 1,)
        First row of each fill.
    chosen : ndarray of int64, shape (n_moves,)
        Row of the cell that was filled.
    cells : ndarray of int64, shape (n_rows,)
        Cell of each row.
    """

    table: NDArray[np.float32]
    starts: NDArray[np.int64]
    chosen: NDArray[np.int64]
    cells: NDArray[np.int64]


class Choices(Protocol):
    """The names that the module of one kind of puzzle provides."""

    FEATURES: tuple[str, ...]
    """The features of a cell, in the order of columns."""

    def replay(
        self,
        puzzle: Any,
        solution: Values,
        cells: NDArray[np.int16],
        table: NDArray[np.float32] | None = None,
    ) -> Replay:
        """Describe every open cell before every fill.

        Parameters
        ----------
        puzzle : Puzzle
        solution : ndarray of int8, shape (n_cells,)
        cells : ndarray of int16, shape (n_moves,)
            Different blanks, in the order of their fills; not necessarily all.
        table : ndarray of float32, shape (n_rows, n_features), or None
            Array into which the rows are written; None creates one.
        """
        ...

    def at_hand(self, table: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return True for rows whose cell the simplest rules fill, shape ``(n_rows,)``."""
        ...

    def supported(self, table: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return True for rows whose cell a technique of the model fills, shape ``(n_rows,)``."""
        ...

    def sample(
        self,
        puzzle: Any,
        solution: Values,
        coefficients: NDArray[np.float64],
        runs: int,
        rng: np.random.Generator,
        slips: tuple[float, float] = (0.0, 0.0),
    ) -> NDArray[np.int16]:
        """Draw games from a model.

        Parameters
        ----------
        slips : tuple of float
            Shares of the fills that are drawn evenly: among the cells at hand, and among all open
            ones. If no cell is at hand, the model draws the first share.

        Returns
        -------
        ndarray of int16, shape (runs, n_blanks)
            Cells in the order of their fills.
        """
        ...


def row_chances(replay: Replay, coefficients: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the chance of every open cell to be filled next, under many models.

    Parameters
    ----------
    replay : Replay
    coefficients : ndarray of float64, shape (n_models, n_features)

    Returns
    -------
    ndarray of float32, shape (n_rows, n_models)
        Sums to 1 over the rows of each fill.
    """
    chances = replay.table @ coefficients.T.astype(np.float32)
    _subtract_largest(chances, replay.starts)
    np.exp(chances, out=chances)
    _divide_by_sum(chances, replay.starts)
    return chances


def learning_chances(
    replay: Replay, coefficients: NDArray[np.float64], rates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the chance of every open cell under a model that learns from each fill of the game.

    After each fill the coefficients move along the gradient of its log chance.

    Parameters
    ----------
    replay : Replay
    coefficients : ndarray of float64, shape (n_features,)
        Before the first fill.
    rates : ndarray of float64, shape (n_features,)
        Learning rate of each coefficient.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
    """
    chances = np.empty(len(replay.table))
    _learn(replay.table, replay.starts, replay.chosen, coefficients.copy(), rates, chances)
    return chances


def n_rows(puzzle: Puzzle, n_moves: int) -> int:
    """Return the number of rows in the replay of a game: the open cells before each fill."""
    blanks = _n_blanks(puzzle)
    return n_moves * blanks - n_moves * (n_moves - 1) // 2


def new_replay(
    puzzle: Puzzle, n_moves: int, n_features: int, table: NDArray[np.float32] | None
) -> Replay:
    """Return an empty replay of a game, with the given table or a new one."""
    starts = np.concatenate([[0], np.cumsum(_n_blanks(puzzle) - np.arange(n_moves))])
    if table is None:
        table = np.empty((n_rows(puzzle, n_moves), n_features), np.float32)
    rows = np.empty(len(table), np.int64)
    return Replay(table, starts, np.empty(n_moves, np.int64), rows)


def new_sample(puzzle: Puzzle, runs: int) -> NDArray[np.int16]:
    """Return an empty array for the cells of drawn games, shape ``(runs, n_blanks)``."""
    return np.empty((runs, _n_blanks(puzzle)), np.int16)


def copy_record(record: R) -> R:
    """Return a writable copy of a NamedTuple of arrays and of other such tuples."""
    parts: Any = record
    return type(record)(*(copy_record(x) if isinstance(x, tuple) else x.copy() for x in parts))


def _n_blanks(puzzle: Puzzle) -> int:
    return len(blanks_of(puzzle))


@kernel
def _subtract_largest(utilities, starts):
    """Subtract from each column its largest value over the rows of each fill."""
    n_models = utilities.shape[1]
    largest = np.empty(n_models, np.float32)
    for k in range(starts.shape[0] - 1):
        for j in range(n_models):
            largest[j] = utilities[starts[k], j]
        for i in range(starts[k] + 1, starts[k + 1]):
            for j in range(n_models):
                largest[j] = max(largest[j], utilities[i, j])
        for i in range(starts[k], starts[k + 1]):
            for j in range(n_models):
                utilities[i, j] -= largest[j]


@kernel
def _divide_by_sum(rates, starts):
    """Divide each column by its sum over the rows of each fill."""
    n_models = rates.shape[1]
    total = np.empty(n_models, np.float32)
    for k in range(starts.shape[0] - 1):
        total[:] = 0.0
        for i in range(starts[k], starts[k + 1]):
            for j in range(n_models):
                total[j] += rates[i, j]
        for i in range(starts[k], starts[k + 1]):
            for j in range(n_models):
                rates[i, j] /= total[j]


@kernel
def add_slips(chances, starts, at_hand, slips):
    """Adapt the chances to slips: shares of the fills that :meth:`Choices.sample` draws evenly.

    Parameters
    ----------
    chances : ndarray of float32, shape (n_rows, n_models)
        Modified in place.
    starts : ndarray of int64, shape (n_moves + 1,)
    at_hand : ndarray of bool, shape (n_rows,)
    slips : ndarray of float32, shape (n_models, 2)
    """
    for k in range(starts.shape[0] - 1):
        n_at_hand = 0
        for i in range(starts[k], starts[k + 1]):
            n_at_hand += at_hand[i]
        even = np.float32(1.0 / (starts[k + 1] - starts[k]))
        first = np.float32(n_at_hand > 0)
        for i in range(starts[k], starts[k + 1]):
            among = np.float32(at_hand[i] / max(n_at_hand, 1))
            for j in range(slips.shape[0]):
                kept = np.float32(1.0) - slips[j, 1] - first * slips[j, 0]
                chances[i, j] = chances[i, j] * kept + among * slips[j, 0] + even * slips[j, 1]


@kernel
def _learn(table, starts, chosen, coefficients, rates, chances):
    surprise = np.empty(coefficients.shape[0])
    for k in range(starts.shape[0] - 1):
        first, n_open = starts[k], starts[k + 1] - starts[k]
        total = log_total(table[first:], n_open, coefficients, chances[first:])
        for j in range(coefficients.shape[0]):
            surprise[j] = table[chosen[k], j]
        for i in range(first, first + n_open):
            chances[i] = np.exp(chances[i] - total)
            for j in range(coefficients.shape[0]):
                surprise[j] -= chances[i] * table[i, j]
        for j in range(coefficients.shape[0]):
            coefficients[j] += rates[j] * surprise[j]


@lean_kernel
def log_total(table, n_open, coefficients, utilities):
    """Write the utility of each open cell; return the log of the sum of their exponentials."""
    largest = -np.inf
    n_even = coefficients.shape[0] // 4 * 4
    for i in range(n_open):
        # Four sums in parallel, since a single one would wait for each of its additions.
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


@kernel
def new_draws(n_cells, n_features):
    """Return workspace for open cells: features, the cells, True if at hand, and utilities."""
    return (
        np.empty((n_cells, n_features), np.float32),
        np.empty(n_cells, np.int64),
        np.empty(n_cells, np.bool_),
        np.empty(n_cells),
    )


@kernel
def draw(workspace, n_open, coefficients, slips, rng):
    """Draw one of the open cells as :meth:`Choices.sample` does."""
    table, open_cells, at_hand, utilities = workspace
    total = log_total(table, n_open, coefficients, utilities)
    return int(open_cells[draw_with_slips(utilities, total, at_hand, n_open, slips, rng)])


@inlined_kernel
def row_of(open_cells, first, n_open, cell):
    """Return the row of a cell among the `n_open` rows that begin at `first`."""
    row = first
    for i in range(first, first + n_open):
        if open_cells[i] == cell:
            row = i
    return row


@kernel
def draw_with_slips(utilities, total, at_hand, n_open, slips, rng):
    """Draw the index of an open cell, with the slips of :meth:`Choices.sample`."""
    chance = rng.random()
    if chance < slips[1]:
        return int(rng.random() * n_open)
    n_at_hand = 0
    for i in range(n_open):
        n_at_hand += at_hand[i]
    if n_at_hand and chance < slips[0] + slips[1]:
        skipped = int(rng.random() * n_at_hand)
        for i in range(n_open):
            if at_hand[i]:
                if skipped == 0:
                    return i
                skipped -= 1
    return draw_index(utilities, total, n_open, rng)


@inlined_kernel
def draw_index(utilities, total, n_open, rng):
    """Draw the index of an open cell by the model's chances."""
    left = rng.random() - np.exp(utilities[0] - total)
    index = 0
    while left >= 0.0 and index + 1 < n_open:
        index += 1
        left -= np.exp(utilities[index] - total)
    return index


# Refutations at an impasse: assume a wrong digit and reach a contradiction

MOST_STEPS = 12
"""Longer refutations are not followed; people do not follow them either."""
MOST_CANDIDATES = 2
"""Cells with more candidates are not tried."""


@kernel
def refute_all(moment, layout, solution):
    """Write the number of steps that refute the wrong candidates of each open cell, 0 if none do.

    Call this at an impasse. An assumption counts as a step. Singles follow it, the newest first,
    until a cell has no candidate or a house no place for a digit.
    """
    _refute_each(moment, copy_of(moment.given), copy_of(moment.given), layout, solution)


@lean_kernel
def _refute_each(moment, impasse, scratch, layout, solution):
    """Fill `impasse`, which has only the givens; refute on `scratch`."""
    for cell in range(layout.n_cells):
        moment.refutation[cell] = 0
        if moment.values[cell] and int(impasse.candidates[cell]):
            place(impasse, layout, cell, int(moment.values[cell]) - 1)
    restore(scratch, impasse)
    for cell in range(layout.n_cells):
        wrong = int(moment.candidates[cell])
        if wrong == 0 or n_bits(wrong) > MOST_CANDIDATES:
            continue
        wrong &= ~(1 << int(solution[cell]) - 1)
        total = 0
        for digit in range(layout.size):
            if wrong >> digit & 1:
                restore_impasse(scratch, impasse)
                steps = _refute(scratch, layout, cell, digit)
                if steps == 0:
                    total = 0
                    break
                total += steps
        moment.refutation[cell] = total


@lean_kernel
def _refute(state, layout, cell, digit):
    """Return the number of steps to a contradiction, or 0 if none is found."""
    steps = 1
    while place(state, layout, cell, digit):
        count = int(state.counts[N_OPEN])
        if count == 0 or steps == MOST_STEPS:
            return 0
        steps += 1
        cell = int(state.open[count - 1])
        digit = int(state.digit[cell])
    return steps
