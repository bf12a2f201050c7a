"""Predict the order in which an unknown player fills a puzzle, by a population of players.

Each person of the population is a way to choose cells. Initially each person plays with a chance
given by the weights. Each fill, and each earlier game of the same player, raises the weights of
those persons whose choices the player makes. A prediction is the weighted mean over all persons.
One more person may begin with what all have in common and learn from each fill of a game.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.checks import share, whole
from nando.games.fill_order import (
    checked_cells,
    choices_of,
    fit_coefficients,
    mean_ranks,
    named_coefficients,
)
from nando.games.game import Game
from nando.games.kinds import FORMAT, file_of, read_record
from nando.games.people.learning import Learning, own_persons
from nando.games.people.persons import Persons
from nando.games.people.sharing import mixed_chances
from nando.puzzles import Puzzle, Sudoku, Values, blanks_of
from nando.rating.records import ModelFile, check_identity, errors_called, read_model
from nando.solvers import Seed, unique_solution
from nando.solvers.kinds import kinds_with
from nando.solvers.people.fills.choices import Replay
from nando.solvers.protocol import generator
from nando.stages import counted

SHARE = 0.02
"""Part of the weights that goes back to the population after each fill: habits change."""

_BETWEEN_GAMES = 0.1
"""The same between the games of a player."""
_OWN_GAMES = 3.0
"""Games after which a player's own fit has half of the weight."""
_MOST_OWN = 100
"""The latest games of a player that are fitted to."""
_MOST_RUNS = 100_000
_LEAST_CHANCE = np.finfo(np.float32).tiny
"""Chance of a cell that a person without slips never chooses."""


class Followed(NamedTuple):
    """A game as a population sees it.

    Attributes
    ----------
    replay : Replay
    at_hand, supported : ndarray of bool, shape (n_rows,)
        Whether the simplest rules, and whether any technique that is looked for, fill a cell.
    rows : ndarray of float32, shape (n_rows, n_persons)
        Chance of every open cell before every fill, under each person; the last may be the learner.
    log_chances : ndarray of float64, shape (n_moves,)
        Of the cells that were filled, under the population.
    weights : ndarray of float64, shape (n_moves + 1, n_persons)
        Before each fill, and after the last.
    """

    replay: Replay
    at_hand: NDArray[np.bool_]
    supported: NDArray[np.bool_]
    rows: NDArray[np.float32]
    log_chances: Floats
    weights: Floats

    def mixed(self) -> Floats:
        """Return the chance of every open cell before every fill, under the population."""
        before = np.repeat(self.weights[:-1], np.diff(self.replay.starts), axis=0)
        return np.asarray(np.einsum("ij,ij->i", self.rows, before))


class Population(ModelFile):
    """A model of the next fill, by an unknown player or one with known games.

    Parameters
    ----------
    persons : Persons
    kind : str
        Kind of puzzle.
    learning : Learning or None
        None has no person who learns.

    Attributes
    ----------
    persons, kind, learning
        As above.
    provenance_ : dict
        Data and settings, as a model file states them.
    model_id : str
        Name of the data and a hash of everything that moves a probability.

    Notes
    -----
    Probabilities use the puzzle's solution: it is the digit to be found that makes a cell easy
    or hard to find. Only cells filled rightly are part of a game.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> person, puzzle = Population.of({"box_single": 3.0}), load_examples().puzzles[0]
    >>> chances = person.next_cell_probabilities(puzzle)
    >>> chances.shape, round(float(chances.sum()), 6)
    ((81,), 1.0)
    """

    file_format = FORMAT

    def __init__(self, persons: Persons, kind: str, learning: Learning | None = None) -> None:
        self.persons = persons
        self.kind = kind
        self.learning = learning
        self.provenance_ = {}

    @classmethod
    def of(cls, coefficients: Mapping[str, float], kind: str = Sudoku.kind) -> Self:
        """Make a population of one person, who never slips.

        Parameters
        ----------
        coefficients : mapping of str to float
            Coefficients of the named columns; those of other columns are 0.
        kind : str
            Kind of puzzle.

        Raises
        ------
        ValueError
            For an unknown kind or column.
        """
        return cls._of_one(named_coefficients(coefficients, kind), kind)

    @classmethod
    def fit(cls, games: Sequence[Game], *, ridge: float = 1e-5) -> Self:
        """Fit a population of one person to logged games; errors as of :func:`fit_coefficients`."""
        person = cls._of_one(
            fit_coefficients(games, ridge=ridge),
            next(game.puzzle.kind for game in games if len(game.cells)),
        )
        person.provenance_ = {"games": len(games)}
        return person

    @classmethod
    def _of_one(cls, coefficients: Floats, kind: str) -> Self:
        return cls(Persons(("own",), coefficients[None, :], np.zeros((1, 2)), np.ones(1)), kind)

    # ---------------------------------------------------------------- one game

    def follow(
        self, puzzle: Puzzle, solution: Values, cells: Cells, replay: Replay | None = None
    ) -> Followed:
        """Follow a game, or its beginning, fill by fill; None replays all open cells."""
        choices = choices_of(self.kind)
        replay = replay or choices.replay(puzzle, solution, cells)
        at_hand = choices.at_hand(replay.table)
        rows, weights = self.persons.row_chances(replay, at_hand), self.persons.weights
        if self.learning is not None:
            rows = np.column_stack([rows, self.learning.chances(replay)])
            share = self.learning.share
            weights = np.append((1 - share) * weights, share)
        log_chances, weights = mixed_chances(
            np.log(np.maximum(rows[replay.chosen], _LEAST_CHANCE)), weights, SHARE
        )
        supported = choices.supported(replay.table)
        return Followed(replay, at_hand, supported, rows, log_chances, weights)

    def next_cell_probabilities(
        self, puzzle: Puzzle, filled: Sequence[int] | NDArray[np.integer] = ()
    ) -> Floats:
        """Return the probability of each cell to be the next one filled.

        Parameters
        ----------
        puzzle : Puzzle
            With exactly one solution.
        filled : sequence of int
            Blanks filled so far, in the order of their fills.

        Returns
        -------
        ndarray of float64, shape (n_cells,)
            0 for givens and filled cells; all 0 where no cell is open.

        Raises
        ------
        ValueError
            For cells that are no blanks, or named twice; a PuzzleError where the puzzle has not
            exactly one solution.
        """
        solution = self._solution(puzzle)
        order = checked_cells(puzzle, filled)
        chances = np.zeros(len(solution))
        left = blanks_of(puzzle)
        left = left[~np.isin(left, order)]
        if not len(left):
            return chances
        # Any open cell can stand in for the next fill: the rows before it do not depend on it.
        followed = self.follow(puzzle, solution, np.append(order, left[0]).astype(np.int16))
        last = slice(int(followed.replay.starts[-2]), int(followed.replay.starts[-1]))
        chances[followed.replay.cells[last]] = followed.rows[last] @ followed.weights[-2]
        return chances

    def log_likelihoods(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> Floats:
        """Return the log probability of each fill of a game, given those before it."""
        solution = self._solution(puzzle)
        return self.follow(puzzle, solution, checked_cells(puzzle, cells)).log_chances

    def log_likelihood(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> float:
        """Return the log probability of a game, or of its beginning."""
        return float(self.log_likelihoods(puzzle, cells).sum())

    # ---------------------------------------------------------------- drawing

    def sample_orders(self, puzzle: Puzzle, runs: int, rng: Seed = None) -> Cells:
        """Simulate games, each of another drawn person, shape ``(runs, n_blanks)``.

        Raises
        ------
        ValueError
            Where `runs` is below 1 or above 100,000: all of them are in memory.
        """
        whole("runs", runs, 1)
        if runs > _MOST_RUNS:
            raise ValueError(f"runs must be at most {_MOST_RUNS:,}, got {runs:,}: average several")
        solution = self._solution(puzzle)
        rng = generator(rng)
        persons = self.persons
        counts = rng.multinomial(runs, persons.weights / persons.weights.sum())
        drawn = [
            choices_of(self.kind).sample(
                puzzle,
                solution,
                persons.coefficients[i],
                int(counts[i]),
                rng,
                (float(persons.slips[i, 0]), float(persons.slips[i, 1])),
            )
            for i in counted(
                np.flatnonzero(counts), "players simulated", int(np.count_nonzero(counts))
            )
        ]
        return np.concatenate(drawn)

    def sample_order(self, puzzle: Puzzle, rng: Seed = None) -> Cells:
        """Return the blanks in the order of one simulated game, shape ``(n_blanks,)``."""
        return np.asarray(self.sample_orders(puzzle, 1, rng)[0])

    def expected_order(self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = 0) -> Floats:
        """Return the mean rank, from 1, of each cell over simulated games; 0 for givens.

        Returns
        -------
        ndarray of float64, shape (n_cells,)

        Raises
        ------
        ValueError
            Where `runs` is below 1 or above 100,000: all of them are in memory.
        """
        return mean_ranks(self.sample_orders(puzzle, runs, rng), len(puzzle.givens))

    def rank_intervals(
        self, puzzle: Puzzle, *, runs: int = 100, coverage: float = 0.8, rng: Seed = 0
    ) -> Floats:
        """Return between which ranks, from 1, each cell is filled in most simulated games.

        Parameters
        ----------
        puzzle : Puzzle
        runs : int
        coverage : float
            Share of the simulated games inside; the others are split equally below and above.
        rng : None, int or numpy.random.Generator

        Returns
        -------
        ndarray of float64, shape (2, n_cells)
            Lowest and highest rank; 0 for givens.

        Raises
        ------
        ValueError
            As :meth:`expected_order`; for a coverage that is not between 0 and 1.
        """
        share("coverage", coverage)
        orders = self.sample_orders(puzzle, runs, rng)
        ranks = np.argsort(orders, axis=1) + 1.0
        intervals = np.zeros((2, len(puzzle.givens)))
        tail = (1.0 - coverage) / 2
        blanks = np.sort(orders[0])
        intervals[:, blanks] = np.quantile(ranks, [tail, 1.0 - tail], axis=0)
        return intervals

    # ---------------------------------------------------------------- learning

    def given(self, games: Sequence[Game]) -> "Population":
        """Return the population adapted to a player with these earlier games.

        The weights are updated by the games. A fit to the player's own games, regularised towards
        the population's mean, is added; its weight grows with the number of games.

        Parameters
        ----------
        games : sequence of Game
            In the order in which they were played; games of other kinds of puzzle are left out.
        """
        games = [game for game in games if game.puzzle.kind == self.kind and len(game.cells)]
        if not games:
            return self
        weights = self.persons.weights
        for game in games:
            known = Population(self.persons._replace(weights=weights), self.kind, self.learning)
            after = known.follow(game.puzzle, game.solution, game.cells).weights[-1, : len(weights)]
            after = after / after.sum()
            weights = (1 - _BETWEEN_GAMES) * after + _BETWEEN_GAMES * self.persons.weights
        known_persons = self.persons.reweighted(weights)
        own = own_persons(games[-_MOST_OWN:], known_persons)
        own_share = len(games) / (len(games) + _OWN_GAMES)
        learning = None if self.learning is None else self.learning.nearer(own, own_share)
        return Population(known_persons.joined(own, own_share), self.kind, learning)

    def _solution(self, puzzle: Puzzle) -> Values:
        if puzzle.kind != self.kind:
            raise TypeError(f"this population knows {self.kind} only, got {puzzle.kind!r}")
        return unique_solution(puzzle)

    # ---------------------------------------------------------------- as a record

    def to_record(self) -> dict[str, Any]:
        """Return everything that moves a probability, for JSON."""
        learning = {} if self.learning is None else {"learning": self.learning.to_record(self.kind)}
        return {"kind": self.kind, **learning, "persons": self.persons.to_records(self.kind)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild a population; ValueError where the record is none."""
        kind = str(record["kind"])
        known = kinds_with("choices")
        if kind not in known:
            raise ValueError(f"no players of {kind!r} are known; known: {', '.join(known)}")
        learning = record.get("learning")
        return cls(
            Persons.from_records(record["persons"], kind),
            kind,
            None if learning is None else Learning.from_record(learning, kind),
        )

    def record(self) -> dict[str, Any]:
        """Return everything that moves a probability, as plain values."""
        return {"order": self.to_record()}

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild a population from the text of its file, or of a file of an audit.

        Raises
        ------
        ValueError
            Where the text is neither, is of another format, or knows other columns.
        """
        record = read_record(text)
        with errors_called("a model of fill orders"):
            population = cls.from_record(record["order"])
            population.provenance_ = dict(record["provenance"])
        if "audit" not in record:
            check_identity(record, population.model_id)
        return population


def load_fill_order(path: str | Path | None = None, kind: str | None = None) -> Population:
    """Return a model of fill orders from its file, or the one shipped with nando.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped one for the kind.
    kind : str or None
        Kind of the puzzles that it must know; None accepts any, and loads the shipped Sudoku model.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not such a model, or one for another kind.
    """
    population = read_model(file_of(path, kind or Sudoku.kind), Population.from_json)
    if kind is not None and population.kind != kind:
        raise ValueError(f"{path}: the model is for {population.kind}, not for {kind}")
    return population
