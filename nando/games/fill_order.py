"""The order in which a person fills the cells of a puzzle: a chain of choices.

Each open cell has a utility, a sum over the features of the moment; the next cell is drawn with a
chance proportional to the exponential of its utility (a conditional logit, or Plackett-Luce model
whose worths change as the game goes on). The coefficients are fitted to move logs by maximum
likelihood with a small ridge penalty, and every one can be read.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.games.kinds import KINDS
from nando.games.log import Game
from nando.puzzles import Puzzle, Sudoku, Values
from nando.rating.records import check_identity, numbers, parsed, read_model, told_as
from nando.solvers import Seed, unique_solution
from nando.solvers.people.choices import Choices, n_rows
from nando.solvers.people.kinds import KINDS as PEOPLE
from nando.solvers.protocol import generator

FORMAT = "nando fill order 1"

_MOST_ITERATIONS = 500
_MOST_GAMES = 3_000
"""A thousand games take 0.4 GB, and more than a few thousand teach 60 coefficients nothing."""
_MOST_RUNS = 100_000
_WHAT = "a model of fill orders"
_NUMBERS = re.compile(r"\[[-+.,\seE\d]+\]")


class FillOrderModel:
    """Which cell is filled next, given all that was filled before.

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
        Those of people, or all where a coefficient of a program is given.
    provenance_ : dict
        Data, settings and scores, as a model file states them.
    model_id : str
        Name and hash of everything that moves a probability.

    Notes
    -----
    Probabilities use the puzzle's solution: it is the digit to be found that makes a cell easy
    or hard to find. Only cells filled rightly are part of a game.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> model, puzzle = load_fill_order(), load_examples().puzzles[0]
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
        self.columns: tuple[str, ...] = human_columns(kind)
        features = choices_of(kind).FEATURES
        self.provenance_: dict[str, Any] = {}
        if coefficients is not None:
            unknown = [name for name in coefficients if name not in features]
            if unknown:
                raise ValueError(f"unknown column {unknown[0]!r}; known: {', '.join(features)}")
            if not set(coefficients) <= set(self.columns):
                self.columns = features
            self.coef_ = np.array([float(coefficients.get(name, 0.0)) for name in self.columns])

    # ---------------------------------------------------------------- fitting

    def fit(self, games: Sequence[Game]) -> Self:
        """Fit to logged games; of more than 3,000 to every second, third, ... one.

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
        self.columns = human_columns(self.kind)
        found = minimize(
            table.loss,
            np.zeros(len(self.columns)),
            args=(self.ridge,),
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
        chances: NDArray[np.float64] = replayed.next_chances(
            puzzle, solution, cells, self._coefficients
        )
        return chances

    def log_likelihoods(
        self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Log probability of each fill of a game, shape ``(n_moves,)``; errors as above."""
        replayed, solution = _solved(self, puzzle)
        order = checked_cells(puzzle, cells)
        moves = replayed.follow(puzzle, solution, order, self._coefficients[None, :])
        return np.asarray(moves.log_chances[:, 0])

    def log_likelihood(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> float:
        """Log probability of a game, or of its beginning."""
        return float(self.log_likelihoods(puzzle, cells).sum())

    def sample_order(self, puzzle: Puzzle, rng: Seed = None) -> NDArray[np.int16]:
        """Blanks in the order of one simulated game, shape ``(n_blanks,)``."""
        replayed, solution = _solved(self, puzzle)
        cells, _ = replayed.sample(puzzle, solution, self._coefficients, 1, generator(rng))
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
        cells, _ = replayed.sample(puzzle, solution, self._coefficients, runs, generator(rng))
        return mean_ranks(cells, len(solution))

    @property
    def _coefficients(self) -> NDArray[np.float64]:
        if not hasattr(self, "coef_"):
            raise ValueError("the model is not fitted: call fit, or load_fill_order()")
        return self.coef_

    # ---------------------------------------------------------------- the model as a file

    def to_record(self) -> dict[str, Any]:
        """Everything that moves a probability, for JSON."""
        # Left out for Sudoku, as it was before there were others: names stay the same.
        kind = {} if self.kind == Sudoku.kind else {"kind": self.kind}
        return {
            **kind,
            "columns": list(self.columns),
            "coefficients": self._coefficients.tolist(),
            "ridge": self.ridge,
        }

    @property
    def model_id(self) -> str:
        """Name of the model's data and a hash of everything that moves a probability."""
        return identity(self.to_record(), self.provenance_)

    def to_json(self, path: str | Path | None = None) -> str:
        """The model as readable JSON; also written to `path` where one is given."""
        record = {
            "format": FORMAT,
            "model_id": self.model_id,
            "provenance": self.provenance_,
            "order": self.to_record(),
        }
        return written(record, path)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild a model from the text of its file, or of a file of an audit.

        Raises
        ------
        ValueError
            Where the text is not a model, is of another format, or knows other columns.
        """
        return cls.from_record(read_record(text))

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild a model from the contents of a file."""
        with told_as(_WHAT):
            order = record["order"]
            columns = tuple(order["columns"])
            kind = order.get("kind", Sudoku.kind)
            model = cls(ridge=float(numbers(order["ridge"], "ridge")), kind=kind)
            if columns not in (human_columns(kind), choices_of(kind).FEATURES):
                raise ValueError("its columns are not those of this version")
            model.columns = columns
            model.coef_ = numbers(order["coefficients"], "coefficients", len(columns))
            model.provenance_ = dict(record["provenance"])
        if "audit" not in record:
            check_identity(record, model.model_id)
        return model


def choices_of(kind: str) -> Choices:
    """What replays and draws games of a kind of puzzle."""
    return PEOPLE[kind].choices


def human_columns(kind: str) -> tuple[str, ...]:
    """Columns of a model of people, by the kind of puzzle."""
    replayed = choices_of(kind)
    return tuple(replayed.FEATURES[: replayed.N_HUMAN])


def load_fill_order(path: str | Path | None = None, kind: str | None = None) -> FillOrderModel:
    """A model of fill orders from its file, or the one shipped with nando.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped one for the kind.
    kind : str or None
        Kind of the puzzles that it should know; None does not ask, and ships that for Sudoku.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not such a model, or one for another kind.
    """
    if path is None and (kind or Sudoku.kind) not in KINDS:
        raise ValueError(f"no model of fill orders is shipped for {kind!r} puzzles")
    model = read_model(file_of(path, kind or Sudoku.kind), FillOrderModel.from_json)
    if kind is not None and model.kind != kind:
        raise ValueError(f"{path}: the model {model.model_id} is for {model.kind}, not for {kind}")
    return model


def file_of(path: str | Path | None = None, kind: str = Sudoku.kind) -> Path:
    """The file of a model of fill orders: the one named, or the one shipped with nando."""
    return Path(__file__).parent / "models" / KINDS[kind].model if path is None else Path(path)


def read_record(text: str) -> dict[str, Any]:
    """Contents of the text of a file of fill orders; ValueError where it is none."""
    return parsed(text, FORMAT, _WHAT)


def identity(record: Mapping[str, Any], provenance: Mapping[str, Any]) -> str:
    """Name of the data and a hash of everything that moves a result."""
    text = json.dumps(record, sort_keys=True)
    name = provenance.get("name", "model")
    return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def written(record: Mapping[str, Any], path: str | Path | None) -> str:
    """A record as readable JSON, lists of numbers in a line; also written to `path`."""
    text = _NUMBERS.sub(
        lambda found: " ".join(found[0].split()), json.dumps(record, indent=1) + "\n"
    )
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


class _Choices:
    """All choices of some games of one kind of puzzle as one table, for fitting."""

    def __init__(self, games: Sequence[Game]) -> None:
        if not games:
            raise ValueError("no fills to fit a model of fill orders to: the games are empty")
        kind = games[0].puzzle.kind
        replayed = choices_of(kind)
        rows = [n_rows(game.puzzle, len(game.cells)) for game in games]
        ends = np.cumsum([0, *rows])
        self._table = np.empty((ends[-1], len(human_columns(kind))), np.float32)
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
        self, coefficients: NDArray[np.float64], ridge: float
    ) -> tuple[float, NDArray[np.float64]]:
        """Mean negative log likelihood with its penalty, and the gradient."""
        utility = (self._table @ coefficients.astype(np.float32)).astype(np.float64)
        largest = np.maximum.reduceat(utility, self._starts)
        rate = np.exp(utility - np.repeat(largest, self._lengths))
        total = np.add.reduceat(rate, self._starts)
        gained = utility[self._chosen].sum() - (largest + np.log(total)).sum()
        chance = (rate / np.repeat(total, self._lengths)).astype(np.float32)
        expected = (chance @ self._table).astype(np.float64)
        loss = -gained / self.n_moves + ridge * coefficients @ coefficients
        gradient = (expected - self._chosen_sum) / self.n_moves + 2 * ridge * coefficients
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
