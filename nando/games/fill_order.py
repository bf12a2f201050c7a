"""The choice of the next cell: a model with a coefficient for each feature of an open cell.

Each open cell has a utility, which is a weighted sum of its features at this point of the game. The
next cell is drawn with a probability proportional to the exponential of its utility (a conditional
logit, or a Plackett-Luce model whose worths change during the game). The coefficients are fitted to
move logs by maximum likelihood with a small ridge penalty, and each can be interpreted.
"""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.games.game import Game
from nando.puzzles import Puzzle, blanks_of
from nando.puzzles.files import shortened
from nando.rating.files import numbers
from nando.solvers.kinds import KINDS, kinds_with
from nando.solvers.people.fills.choices import Choices, n_rows

_MOST_ITERATIONS = 500
_PART = 1_000
"""Number of choices whose spread is computed at a time, to bound the memory."""
_MOST_GAMES = 3_000
"""Most games of a fit: a thousand take 0.4 GB, and a few thousand determine 60 coefficients."""


def fit_coefficients(
    games: Sequence[Game], *, ridge: float = 1e-5, towards: Floats | None = None
) -> Floats:
    """Fit the coefficients of one person to logged games.

    If there are more than 3,000 games, an evenly spread selection is used.

    Parameters
    ----------
    games : sequence of Game
        Games of one kind of puzzle.
    ridge : float
        Strength of the penalty on squared coefficients, per choice.
    towards : ndarray of float64, shape (n_columns,), or None
        Values to which the penalty pulls the coefficients; None takes 0.

    Returns
    -------
    ndarray of float64, shape (n_columns,)
        Coefficients in the order of the features of the kind.

    Raises
    ------
    ValueError
        For games without a fill or of several kinds, or a negative ridge.
    """
    return fit_to_choices(ChoiceTable.of(games), ridge=ridge, towards=towards)


def fit_to_choices(
    table: "ChoiceTable", *, ridge: float = 1e-5, towards: Floats | None = None
) -> Floats:
    """Fit the coefficients of one person to choices; as :func:`fit_coefficients`."""
    from scipy.optimize import minimize

    if ridge < 0:
        raise ValueError(f"ridge must be at least 0, got {ridge!r}")
    centre = np.zeros(table.n_columns) if towards is None else towards
    result = minimize(
        table.loss,
        centre,
        args=(ridge, centre),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _MOST_ITERATIONS},
    )
    return np.asarray(np.round(result.x, 6))


def choices_of(kind: str) -> Choices:
    """Return the functions that replay and draw games of a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without known fill orders.
    """
    known = kinds_with("choices")
    if kind not in known:
        raise ValueError(f"no fill orders of {kind!r}; known: {', '.join(known)}")
    choices: Choices = KINDS[kind].choices
    return choices


def place_coefficients(coefficients: Mapping[str, float], kind: str) -> Floats:
    """Return the coefficients of all columns, with 0 for columns that are not named.

    Raises
    ------
    ValueError
        For an unknown column, or a number that is not finite.
    """
    columns = choices_of(kind).FEATURES
    unknown = [name for name in coefficients if name not in columns]
    if unknown:
        raise ValueError(f"unknown column {unknown[0]!r}; known: {', '.join(columns)}")
    return numbers([coefficients.get(name, 0.0) for name in columns], "coefficients", -1)


def without_zeros(coefficients: Floats, kind: str) -> dict[str, float]:
    """Return the coefficients by column, without zeros; :func:`place_coefficients` reads them."""
    named = zip(choices_of(kind).FEATURES, coefficients.tolist(), strict=True)
    return {name: value for name, value in named if value}


class ChoiceTable:
    """All choices of some games of one kind of puzzle as one table, for fitting."""

    def __init__(self, games: Sequence[Game]) -> None:
        if not games:
            raise ValueError("no fills to fit a model of fill orders to: the games are empty")
        kind = games[0].puzzle.kind
        replayed = choices_of(kind)
        rows = [n_rows(game.puzzle, len(game.cells)) for game in games]
        ends = np.cumsum([0, *rows])
        self._table = np.empty((ends[-1], len(replayed.FEATURES)), np.float32)
        starts, chosen = [], []
        for game, first, end in zip(games, ends[:-1], ends[1:], strict=True):
            if game.puzzle.kind != kind:
                raise ValueError(f"games of {kind} and of {game.puzzle.kind}: fit a model to each")
            part = replayed.replay(game.puzzle, game.solution, game.cells, self._table[first:end])
            starts.append(part.starts[:-1] + first)
            chosen.append(part.chosen + first)
        self._starts, self._chosen = np.concatenate(starts), np.concatenate(chosen)
        self._lengths = np.diff(np.append(self._starts, len(self._table)))
        self._chosen_sum = self._table[self._chosen].sum(axis=0, dtype=np.float64)
        self.n_moves = len(self._chosen)
        self.n_columns = self._table.shape[1]

    @classmethod
    def of(cls, games: Sequence[Game]) -> Self:
        """Return the choices of games, or of an evenly spread selection of 3,000 games."""
        games = [game for game in games if len(game.cells)]
        return cls(games[:: 1 + len(games) // _MOST_GAMES])

    def loss(self, coefficients: Floats, ridge: float, centre: Floats) -> tuple[float, Floats]:
        """Return the mean negative log likelihood with its penalty, and the gradient."""
        gained, chance = self._gain(coefficients)
        expected = (chance @ self._table).astype(np.float64)
        away = coefficients - centre
        loss = -gained / self.n_moves + ridge * away @ away
        gradient = (expected - self._chosen_sum) / self.n_moves + 2 * ridge * away
        return float(loss), gradient

    def spread(self, coefficients: Floats) -> Floats:
        """Return the variance of each column over the open cells, weighted by probability."""
        _, chance = self._gain(coefficients)
        total = np.zeros(self.n_columns)
        ends = np.append(self._starts, len(self._table))
        for first in range(0, self.n_moves, _PART):
            starts = self._starts[first : first + _PART]
            part = self._table[starts[0] : ends[first + len(starts)]]
            weighted = part * chance[starts[0] : ends[first + len(starts)], None]
            means = np.add.reduceat(weighted, starts - starts[0], axis=0)
            total += np.einsum("ij,ij->j", weighted, part) - np.einsum("ij,ij->j", means, means)
        return np.maximum(total, 0.0) / self.n_moves

    def _gain(self, coefficients: Floats) -> tuple[float, NDArray[np.float32]]:
        """Return the log likelihood, and the probability of each open cell to be filled next."""
        utility = (self._table @ coefficients.astype(np.float32)).astype(np.float64)
        largest = np.maximum.reduceat(utility, self._starts)
        rate = np.exp(utility - np.repeat(largest, self._lengths))
        total = np.add.reduceat(rate, self._starts)
        gained = utility[self._chosen].sum() - (largest + np.log(total)).sum()
        return gained, (rate / np.repeat(total, self._lengths)).astype(np.float32)


def mean_ranks(cells: NDArray[np.integer], n_cells: int) -> Floats:
    """Return the mean rank, from 1, of each cell over the orders in the rows of `cells`.

    The rank of a cell in none of the orders is 0.
    """
    runs, length = cells.shape
    ranks = np.tile(np.arange(1.0, length + 1), runs)
    return np.asarray(np.bincount(cells.ravel(), weights=ranks, minlength=n_cells) / runs)


def check_cells(puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> Cells:
    """Return the cells as an array; raise ValueError unless they are different blanks."""
    given = np.asarray(cells)
    if given.size and given.dtype.kind not in "iu":
        shown = shortened(repr(cells), 40)
        raise ValueError(f"cells must be whole numbers from 0, got {shown}")
    order = given.astype(np.int64).reshape(-1)
    blanks = set(blanks_of(puzzle).tolist())
    for place, cell in enumerate(order.tolist()):
        if not 0 <= cell < len(puzzle.givens):
            raise ValueError(f"cells must be 0 to {len(puzzle.givens) - 1}, got {cell}")
        if puzzle.givens[cell]:
            raise ValueError(f"{puzzle.cell_name(cell)} is a given and cannot be filled")
        if cell not in blanks:
            raise ValueError(f"{puzzle.cell_name(cell)} is outside the board")
        if cell in order[:place]:
            raise ValueError(f"{puzzle.cell_name(cell)} is filled twice")
    return order.astype(np.int16)
