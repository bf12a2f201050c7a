"""Fill orders of programs and of older models, with the interface of the model of people.

A program that reacts to the board is a :class:`Population` of one person, with coefficients set by
hand. A program that follows a list of cells made before the game is a :class:`ListOrder`.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.checks import real, whole
from nando.games.fill_order import checked_cells
from nando.games.game import Game
from nando.games.kinds import Places, find_kind
from nando.games.people.population import Population
from nando.puzzles import Puzzle, blanks_of
from nando.solvers import Seed
from nando.solvers.protocol import generator


class FillOrder(Protocol):
    """A predictor of the next fill: a probability for every open cell."""

    def next_cell_probabilities(
        self, puzzle: Puzzle, filled: Sequence[int] | NDArray[np.integer] = ()
    ) -> Floats:
        """Return the probability of each cell, shape ``(n_cells,)``; 0 for filled cells."""
        ...

    def log_likelihoods(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> Floats:
        """Return the log probability of each fill of a game."""
        ...

    def sample_order(self, puzzle: Puzzle, rng: Seed = None) -> Cells:
        """Return the blanks in the order of one simulated game."""
        ...

    def expected_order(self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = 0) -> Floats:
        """Return the mean rank of each cell, 0 for givens."""
        ...


class ListOrder:
    """Cells filled in the order of a list, with slips.

    The i-th open cell in the order of the list is filled next with a probability proportional to
    ``exp(-sharpness * i)``.

    Parameters
    ----------
    places : callable
        Takes a puzzle, a number of runs and a generator; returns each cell's position in the list.
    runs : int
        Number of runs behind the list, unless a method requests another number.
    sharpness : float
    """

    def __init__(self, places: Places, *, runs: int = 30, sharpness: float = 0.2) -> None:
        whole("runs", runs, 1)
        if real("sharpness", sharpness) < 0:
            raise ValueError(f"sharpness must be at least 0, got {sharpness!r}")
        self.places = places
        self.runs = runs
        self.sharpness = sharpness
        self._made: dict[Puzzle, Floats] = {}

    def fit(self, games: Sequence[Game]) -> "ListOrder":
        """Set the sharpness by maximum likelihood of the games."""
        from scipy.optimize import minimize_scalar

        ranks = [self.ranks(game.puzzle, game.cells) for game in games]
        blanks = [game.n_blanks for game in games]
        self.sharpness = float(
            minimize_scalar(
                lambda sharpness: (
                    -sum(
                        _list_chances(rank, n, sharpness).sum()
                        for rank, n in zip(ranks, blanks, strict=True)
                    )
                ),
                bounds=(0.0, 3.0),
                method="bounded",
            ).x
        )
        return self

    def next_cell_probabilities(
        self, puzzle: Puzzle, filled: Sequence[int] | NDArray[np.integer] = ()
    ) -> Floats:
        """Return the probability of each cell; see :meth:`Population.next_cell_probabilities`."""
        chances = np.zeros(len(puzzle.givens))
        open_cells = _listed(puzzle, self.listed_places(puzzle))
        done = checked_cells(puzzle, filled)
        open_cells = open_cells[~np.isin(open_cells, done)]
        rates = np.exp(-self.sharpness * np.arange(len(open_cells)))
        chances[open_cells] = rates / max(rates.sum(), 1e-300)
        return chances

    def log_likelihoods(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> Floats:
        """Return the log probability of each fill; see :meth:`Population.log_likelihoods`."""
        order = checked_cells(puzzle, cells)
        n_blanks = len(blanks_of(puzzle))
        return _list_chances(self.ranks(puzzle, order), n_blanks, self.sharpness)

    def ranks(self, puzzle: Puzzle, cells: Cells) -> NDArray[np.int64]:
        """Return the rank of each fill among the open cells in the order of the list, from 0."""
        return ranks_in(_listed(puzzle, self.listed_places(puzzle)), cells)

    def listed_places(self, puzzle: Puzzle) -> Floats:
        """Return the mean position of each cell in the list over `runs` runs.

        The list is computed once for each puzzle.
        """
        if puzzle not in self._made:
            self._made[puzzle] = self.expected_order(puzzle, runs=self.runs)
        return self._made[puzzle]

    def sample_order(self, puzzle: Puzzle, rng: Seed = None) -> Cells:
        """Return the list of a single run, without slips."""
        return _listed(puzzle, self.places(puzzle, 1, generator(rng)))

    def expected_order(self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = 0) -> Floats:
        """Return the mean position of each cell; see :meth:`Population.expected_order`."""
        return self.places(puzzle, whole("runs", runs, 1), generator(rng))


def ranks_in(listed: Cells, cells: Cells) -> NDArray[np.int64]:
    """Return the rank of each fill, from 0, among the listed cells that are then open."""
    place = {int(cell): i for i, cell in enumerate(listed)}
    places = np.array([place[int(cell)] for cell in cells], dtype=np.int64)
    earlier = np.tril(places[:, None] > places[None, :], -1).sum(axis=1)
    return np.asarray(places - earlier, dtype=np.int64)


def _list_chances(ranks: NDArray[np.int64], n_blanks: int, sharpness: float) -> Floats:
    n_open = n_blanks - np.arange(len(ranks))
    if sharpness == 0:
        return -np.log(n_open)
    # The sum of a geometric series.
    total = np.log1p(-np.exp(-sharpness * n_open)) - np.log1p(-np.exp(-sharpness))
    return np.asarray(-sharpness * ranks - total)


def _listed(puzzle: Puzzle, places: Floats) -> Cells:
    blanks = blanks_of(puzzle)
    return blanks[np.argsort(places[blanks], kind="stable")].astype(np.int16)


def baseline_orders(kind: str = "sudoku") -> dict[str, FillOrder]:
    """Return the predictors of the literature, and the uniform order, by name.

    Source: Krivanek 2011, section 4.1; Pelanek 2014.

    Raises
    ------
    ValueError
        For a kind without known games.
    """
    return {
        name: ListOrder(order[0], runs=order[1])
        if isinstance(order, tuple)
        else Population.of(order, kind)
        for name, order in find_kind(kind).baselines.items()
    }
