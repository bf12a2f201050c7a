"""Simulate games by the choices of persons, and rank the cells in these games."""

import numpy as np

from nando.arrays import Cells, Floats
from nando.checks import share, whole
from nando.games.fill_order import choices_of, mean_ranks
from nando.games.people.persons import Persons
from nando.puzzles import Puzzle, Values
from nando.solvers import Seed, unique_solution
from nando.solvers.protocol import generator
from nando.stages import counted

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
