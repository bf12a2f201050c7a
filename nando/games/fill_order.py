"""The order in which a person fills the cells of a puzzle: a chain of choices.

Each open cell has a utility, a sum over the features of the moment; the next cell is drawn with a
chance proportional to the exponential of its utility (a conditional logit, or Plackett-Luce model
whose worths change as the game goes on). The coefficients are fitted to move logs by maximum
likelihood with a small ridge penalty, and every one can be read.
"""

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from nando.games.game import Game
from nando.puzzles import Puzzle, Sudoku, Values
from nando.solvers import Seed, unique_solution
from nando.solvers.people.choices import Choices, log_chances, n_rows, next_chances
from nando.solvers.people.kinds import KINDS as PEOPLE
from nando.solvers.protocol import generator

_MOST_ITERATIONS = 500
_MOST_GAMES = 3_000
"""A thousand games take 0.4 GB, and more than a few thousand teach 60 coefficients nothing."""
_MOST_RUNS = 100_000


class FillOrderModel:
    """A model of which cell is filled next, given all earlier fills.

    Parameters
    ----------
    coefficients : mapping of str to float, or None
        Of the columns named, 0 for the others; None for a model that is yet to be fitted.
    ridge : float
        Strength of the penalty on squared coefficients, per choice.
    kind : str
        Kind of puzzle; :meth:`fit` takes that of the games.

    Attributes
    ----------
    coef_ : ndarray of float64, shape (n_columns,)
        In the order of `columns`.
    columns : tuple of str

    Notes
    -----
    Probabilities use the puzzle's solution: it is the digit to be found that makes a cell easy
    or hard to find. Only cells filled rightly are part of a game.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> model, puzzle = FillOrderModel({"box_single": 3.0}), load_examples().puzzles[0]
    >>> chances = model.next_cell_probabilities(puzzle)
    >>> chances.shape, round(float(chances.sum()), 6)
    ((81,), 1.0)
    """

    def __init__(
        self,
        coefficients: Mapping[str, float] | None = None,
        *,
        ridge: float = 1e-5,
        kind: str = Sudoku.kind,
    ) -> None:
        if ridge < 0:
            raise ValueError(f"ridge must be at least 0, got {ridge!r}")
        if kind not in PEOPLE:
            raise ValueError(f"no fill orders of {kind!r}; known: {', '.join(PEOPLE)}")
        self.ridge = ridge
        self.kind = kind
        if coefficients is not None:
            self.coef_ = named_coefficients(coefficients, kind)

    # ---------------------------------------------------------------- fitting

    @property
    def columns(self) -> tuple[str, ...]:
        """What the coefficients are of."""
        return choices_of(self.kind).FEATURES

    def fit(self, games: Sequence[Game], *, towards: NDArray[np.float64] | None = None) -> Self:
        """Fit to logged games; of more than 3,000 to every second, third, ... one.

        Parameters
        ----------
        games : sequence of Game
        towards : ndarray of float64, shape (n_columns,), or None
            What the penalty pulls the coefficients to; None takes 0.

        Raises
        ------
        ValueError
            Where there is no fill in them.
        """
        from scipy.optimize import minimize

        fitting = [game for game in games if len(game.cells)]
        if fitting:
            self.kind = fitting[0].puzzle.kind
        table = _Choices(fitting[:: 1 + len(fitting) // _MOST_GAMES])
        centre = np.zeros(len(self.columns)) if towards is None else towards
        found = minimize(
            table.loss,
            centre,
            args=(self.ridge, centre),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": _MOST_ITERATIONS},
        )
        self.coef_ = np.round(found.x, 6)
        self.provenance_ = {"games": len(games), "moves": table.n_moves}
        return self

    # ---------------------------------------------------------------- using

    def next_cell_probabilities(
        self, puzzle: Puzzle, filled: Sequence[int] | NDArray[np.integer] = ()
    ) -> NDArray[np.float64]:
        """Probability of each cell to be the next one filled.

        Parameters
        ----------
        puzzle : Puzzle
            With exactly one solution.
        filled : sequence of int
            Blanks filled so far, in the order of their fills.

        Returns
        -------
        ndarray of float64, shape (n_cells,)
            0 where a cell is filled; all 0 where none is left.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        ValueError
            Where `filled` names a given, a cell twice, or none of the grid.
        """
        replayed, solution = _solved(self, puzzle)
        cells = checked_cells(puzzle, filled)
        if len(cells) == np.count_nonzero(puzzle.givens == 0):
            return np.zeros(len(solution))
        return next_chances(replayed, puzzle, solution, cells, self._coefficients)

    def log_likelihoods(
        self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Log probability of each fill of a game, shape ``(n_moves,)``; errors as above."""
        replayed, solution = _solved(self, puzzle)
        order = checked_cells(puzzle, cells)
        return log_chances(replayed, puzzle, solution, order, self._coefficients)

    def log_likelihood(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> float:
        """Log probability of a game, or of its beginning."""
        return float(self.log_likelihoods(puzzle, cells).sum())

    def sample_order(self, puzzle: Puzzle, rng: Seed = None) -> NDArray[np.int16]:
        """Blanks in the order of one simulated game, shape ``(n_blanks,)``."""
        replayed, solution = _solved(self, puzzle)
        cells = replayed.sample(puzzle, solution, self._coefficients, 1, generator(rng))
        return np.asarray(cells.reshape(-1))

    def expected_order(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = 0
    ) -> NDArray[np.float64]:
        """Mean rank, from 1, of each cell over simulated games; 0 for givens.

        Returns
        -------
        ndarray of float64, shape (n_cells,)

        Raises
        ------
        ValueError
            Where `runs` is below 1 or above 100,000: all of them are in memory.
        """
        if runs < 1:
            raise ValueError(f"runs must be at least 1, got {runs}")
        if runs > _MOST_RUNS:
            raise ValueError(f"runs must be at most {_MOST_RUNS:,}, got {runs:,}: average several")
        replayed, solution = _solved(self, puzzle)
        cells = replayed.sample(puzzle, solution, self._coefficients, runs, generator(rng))
        return mean_ranks(cells, len(solution))

    @property
    def _coefficients(self) -> NDArray[np.float64]:
        if not hasattr(self, "coef_"):
            raise ValueError("the model is not fitted: call fit")
        return self.coef_


def choices_of(kind: str) -> Choices:
    """What replays and draws games of a kind of puzzle."""
    return PEOPLE[kind].choices


def named_coefficients(coefficients: Mapping[str, float], kind: str) -> NDArray[np.float64]:
    """Coefficients of the columns named, 0 for the others; ValueError for an unknown column."""
    columns = choices_of(kind).FEATURES
    unknown = [name for name in coefficients if name not in columns]
    if unknown:
        raise ValueError(f"unknown column {unknown[0]!r}; known: {', '.join(columns)}")
    return np.array([float(coefficients.get(name, 0.0)) for name in columns])


class _Choices:
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

    def loss(
        self, coefficients: NDArray[np.float64], ridge: float, centre: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """Mean negative log likelihood with its penalty, and the gradient."""
        utility = (self._table @ coefficients.astype(np.float32)).astype(np.float64)
        largest = np.maximum.reduceat(utility, self._starts)
        rate = np.exp(utility - np.repeat(largest, self._lengths))
        total = np.add.reduceat(rate, self._starts)
        gained = utility[self._chosen].sum() - (largest + np.log(total)).sum()
        chance = (rate / np.repeat(total, self._lengths)).astype(np.float32)
        expected = (chance @ self._table).astype(np.float64)
        away = coefficients - centre
        loss = -gained / self.n_moves + ridge * away @ away
        gradient = (expected - self._chosen_sum) / self.n_moves + 2 * ridge * away
        return float(loss), gradient


def mean_ranks(cells: NDArray[np.integer], n_cells: int) -> NDArray[np.float64]:
    """Mean rank, from 1, of each cell over the orders in the rows of `cells`; 0 where in none."""
    runs, length = cells.shape
    ranks = np.tile(np.arange(1.0, length + 1), runs)
    return np.asarray(np.bincount(cells.ravel(), weights=ranks, minlength=n_cells) / runs)


def _solved(model: FillOrderModel, puzzle: Puzzle) -> tuple[Choices, Values]:
    """What replays a puzzle's games, and its solution."""
    if puzzle.kind != model.kind:
        raise TypeError(f"{type(model).__name__} knows {model.kind} only here, got {puzzle.kind!r}")
    return choices_of(model.kind), unique_solution(puzzle)


def checked_cells(puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int16]:
    """Cells as an array; ValueError where they are not different blanks."""
    order = np.asarray(cells, dtype=np.int64).reshape(-1)
    for place, cell in enumerate(order.tolist()):
        if not 0 <= cell < len(puzzle.givens):
            raise ValueError(f"cells must be 0 to {len(puzzle.givens) - 1}, got {cell}")
        if puzzle.givens[cell]:
            raise ValueError(f"{puzzle.cell_name(cell)} is a given and cannot be filled")
        if cell in order[:place]:
            raise ValueError(f"{puzzle.cell_name(cell)} is filled twice")
    return order.astype(np.int16)
