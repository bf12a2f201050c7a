"""Persons, who choose cells by coefficients of their features, with slips."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.checks import share, whole
from nando.games.fill_order import choices_of, mean_ranks, place_coefficients, without_zeros
from nando.puzzles import Puzzle, Values
from nando.rating.files import above_zero, numbers
from nando.solvers import Seed, unique_solution
from nando.solvers.people.fills.choices import Replay, add_slips, row_chances
from nando.solvers.protocol import generator
from nando.stages import counted

_DIGITS = 3
_ROUNDING = 1e-4
"""Tolerance of the sum of the weights in a file, each of which is rounded separately. The weights
are not normalised, since normalised weights would be written differently."""


class Person(NamedTuple):
    """A way to choose cells.

    Attributes
    ----------
    name : str
        Origin of the person.
    coefficients : ndarray of float64, shape (n_features,)
    slips : tuple of float
        Shares of the fills that do not follow the coefficients: a random cell among those at hand,
        and a random open cell (a guess, a what-if, an intuition).
    weight : float
        Weight in the population, before weights are normalised.
    """

    name: str
    coefficients: Floats
    slips: tuple[float, float]
    weight: float = 1.0


def draw_slips(rng: np.random.Generator) -> tuple[float, float]:
    """Return plausible slips of a person."""
    return rng.uniform(0.005, 0.08), evenly_in_logs(rng, 0.005, 0.1)


def evenly_in_logs(rng: np.random.Generator, low: float, high: float) -> float:
    """Draw a number whose logarithm is uniform."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


class Persons(NamedTuple):
    """The persons of a population as arrays.

    Attributes
    ----------
    names : tuple of str
    coefficients : ndarray of float64, shape (n_persons, n_features)
    slips : ndarray of float64, shape (n_persons, 2)
    weights : ndarray of float64, shape (n_persons,)
        They sum to 1, except for rounding in a file.
    """

    names: tuple[str, ...]
    coefficients: Floats
    slips: Floats
    weights: Floats

    @classmethod
    def of(cls, persons: Iterable[Person]) -> Self:
        """Combine persons, with numbers rounded as in a file."""
        persons = list(persons)
        weights = np.array([person.weight for person in persons])
        if abs(weights.sum() - 1) > _ROUNDING:
            weights = weights / weights.sum()
        return cls(
            tuple(person.name for person in persons),
            np.round(np.array([person.coefficients for person in persons]), _DIGITS),
            np.round(np.array([person.slips for person in persons]), _DIGITS + 1),
            weights,
        )

    def row_chances(self, replay: Replay, at_hand: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the probability of every open cell before every fill under each person.

        Parameters
        ----------
        replay : Replay
        at_hand : ndarray of bool, shape (n_rows,)
            Whether the simplest rules fill a cell.

        Returns
        -------
        ndarray of float32, shape (n_rows, n_persons)
        """
        chances = row_chances(replay, self.coefficients)
        add_slips(chances, replay.starts, at_hand, self.slips.astype(np.float32))
        return chances

    def reweight(self, weights: Floats) -> "Persons":
        """Return the same persons with other weights, normalised to sum to 1."""
        return self._replace(weights=weights / weights.sum())

    def joined(self, other: "Persons", share: float) -> "Persons":
        """Return these persons together with others, who get `share` of the weight."""
        return Persons(
            (*self.names, *other.names),
            np.concatenate([self.coefficients, other.coefficients]),
            np.concatenate([self.slips, other.slips]),
            np.concatenate([(1 - share) * self.weights, share * other.weights]),
        )

    def choose(self, mask: Sequence[bool] | NDArray[np.bool_]) -> "Persons":
        """Return the persons in a mask."""
        kept = np.flatnonzero(mask)
        return Persons(
            tuple(self.names[i] for i in kept),
            self.coefficients[kept],
            self.slips[kept],
            self.weights[kept] / self.weights[kept].sum(),
        )

    def to_records(self, kind: str) -> list[dict[str, Any]]:
        """Return a record for each person, for JSON, without zeros."""
        return [
            {
                "name": name,
                "weight": float(f"{weight:.6g}"),
                "slips": slips.tolist(),
                "coefficients": without_zeros(row, kind),
            }
            for name, weight, slips, row in zip(
                self.names, self.weights, self.slips, self.coefficients, strict=True
            )
        ]

    @classmethod
    def from_records(cls, records: Sequence[Mapping[str, Any]], kind: str) -> Self:
        """Rebuild persons from their records; raise ValueError for invalid records."""
        persons = []
        for record in records:
            slips = numbers(record["slips"], "slips", 2)
            if not ((slips >= 0).all() and slips.sum() < 1):
                raise ValueError(f"slips must be shares, got {slips.tolist()}")
            coefficients = place_coefficients(record["coefficients"], kind)
            weight = float(above_zero(record["weight"], "weight"))
            persons.append(Person(str(record["name"]), coefficients, tuple(slips), weight))
        if not persons:
            raise ValueError("no persons")
        return cls.of(persons)


class Followed(NamedTuple):
    """The probabilities of a game under a population.

    Attributes
    ----------
    replay : Replay
    at_hand, supported : ndarray of bool, shape (n_rows,)
        Whether the simplest rules, or any technique that is searched for, fill a cell.
    rows : ndarray of float32, shape (n_rows, n_persons)
        Probability of every open cell before every fill under each person; the last person may be
        the learner.
    log_chances : ndarray of float64, shape (n_moves,)
        Log probabilities of the filled cells under the population.
    weights : ndarray of float64, shape (n_moves + 1, n_persons)
        Weights of the persons before each fill, and after the last.
    """

    replay: Replay
    at_hand: NDArray[np.bool_]
    supported: NDArray[np.bool_]
    rows: NDArray[np.float32]
    log_chances: Floats
    weights: Floats

    def mixed(self) -> Floats:
        """Return the probability of every open cell before every fill under the population."""
        before = np.repeat(self.weights[:-1], np.diff(self.replay.starts), axis=0)
        return np.asarray(np.einsum("ij,ij->i", self.rows, before))


_MOST_RUNS = 100_000


class Simulated:
    """Persons whose games can be simulated.

    Attributes
    ----------
    persons : Persons
    kind : str
        Kind of puzzle.
    """

    persons: Persons
    kind: str

    def sample_orders(self, puzzle: Puzzle, runs: int, rng: Seed = None) -> Cells:
        """Simulate games, each by a newly drawn person, shape ``(runs, n_blanks)``.

        Raises
        ------
        ValueError
            If `runs` is below 1, or above 100,000, because all games are in memory.
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
            If `runs` is below 1, or above 100,000, because all games are in memory.
        """
        return mean_ranks(self.sample_orders(puzzle, runs, rng), len(puzzle.givens))

    def rank_intervals(
        self, puzzle: Puzzle, *, runs: int = 100, coverage: float = 0.8, rng: Seed = 0
    ) -> Floats:
        """Return the range of ranks, from 1, of each cell in most simulated games.

        Parameters
        ----------
        puzzle : Puzzle
        runs : int
        coverage : float
            Share of the simulated games in the range; the others are split equally below and above.
        rng : None, int or numpy.random.Generator

        Returns
        -------
        ndarray of float64, shape (2, n_cells)
            Lowest and highest rank; 0 for givens.

        Raises
        ------
        ValueError
            As :meth:`expected_order`, and for a coverage that is not between 0 and 1.
        """
        share("coverage", coverage)
        orders = self.sample_orders(puzzle, runs, rng)
        ranks = np.argsort(orders, axis=1) + 1.0
        intervals = np.zeros((2, len(puzzle.givens)))
        tail = (1.0 - coverage) / 2
        blanks = np.sort(orders[0])
        intervals[:, blanks] = np.quantile(ranks, [tail, 1.0 - tail], axis=0)
        return intervals

    def _solution(self, puzzle: Puzzle) -> Values:
        if puzzle.kind != self.kind:
            raise TypeError(f"this population knows {self.kind} only, got {puzzle.kind!r}")
        return unique_solution(puzzle)
