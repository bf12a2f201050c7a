"""Orders of fills: predictors of the literature, predicted ranks, and the next cell in a log.

A program that reacts to the board is a :class:`Population` of one person, with coefficients set by
hand. A program that follows a list of cells made before the game is a :class:`ListOrder`. Both have
the interface of the model of people.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.checks import real, whole
from nando.displayed import Displayed
from nando.games.fill_order import check_cells
from nando.games.game import Game
from nando.games.kinds import Places, find_kind
from nando.games.people.population import Population, load_fill_order
from nando.puzzles import Puzzle, Sudoku, blanks_of
from nando.puzzles.frozen import EqualFields
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


def log_chances_of_ranks(
    ranks: NDArray[Any], ties: NDArray[Any] | int, n_open: NDArray[Any] | int, sharpness: float
) -> Floats:
    """Return the log probability of each fill of a program that sorts the open cells.

    The i-th open cell in its order is filled next with a probability proportional to
    ``exp(-sharpness * i)``, and cells that tie share their probability.

    Parameters
    ----------
    ranks : ndarray
        Numbers of open cells that come before the filled cell.
    ties : ndarray or int
        Numbers of open cells that tie with it, itself included.
    n_open : ndarray or int
        Numbers of all open cells.
    sharpness : float
    """
    if sharpness == 0:
        return np.asarray(-np.log(n_open) + 0.0 * ranks)
    # The sums of geometric series: over the cells that tie, and over all.
    tied, total = (-np.expm1(-sharpness * count) for count in (ties, n_open))
    return np.asarray(np.log(tied / ties) - sharpness * ranks - np.log(total))


class ListOrder:
    """Cells filled in the order of a list, with slips; see :func:`log_chances_of_ranks`.

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

        played = [(self.ranks(game.puzzle, game.cells), game.n_blanks) for game in games]

        def loss(sharpness: float) -> float:
            chances = (
                log_chances_of_ranks(ranks, 1, n - np.arange(len(ranks)), sharpness)
                for ranks, n in played
            )
            return -sum(float(of_game.sum()) for of_game in chances)

        found = minimize_scalar(loss, bounds=(0.0, 3.0), method="bounded")
        self.sharpness = float(found.x)
        return self

    def next_cell_probabilities(
        self, puzzle: Puzzle, filled: Sequence[int] | NDArray[np.integer] = ()
    ) -> Floats:
        """Return the probability of each cell; see :meth:`Population.next_cell_probabilities`."""
        listed = _list_cells(puzzle, self.listed_places(puzzle))
        listed = listed[~np.isin(listed, check_cells(puzzle, filled))]
        chances, n = np.zeros(len(puzzle.givens)), len(listed)
        chances[listed] = np.exp(log_chances_of_ranks(np.arange(n), 1, max(n, 1), self.sharpness))
        return chances

    def log_likelihoods(self, puzzle: Puzzle, cells: Sequence[int] | NDArray[np.integer]) -> Floats:
        """Return the log probability of each fill; see :meth:`Population.log_likelihoods`."""
        ranks = self.ranks(puzzle, check_cells(puzzle, cells))
        n_open = len(blanks_of(puzzle)) - np.arange(len(ranks))
        return log_chances_of_ranks(ranks, 1, n_open, self.sharpness)

    def ranks(self, puzzle: Puzzle, cells: Cells) -> NDArray[np.int64]:
        """Return the rank of each fill among the open cells in the order of the list, from 0."""
        return ranks_in(_list_cells(puzzle, self.listed_places(puzzle)), cells)

    def listed_places(self, puzzle: Puzzle) -> Floats:
        """Return the mean position of each cell in the list over `runs` runs.

        The list is computed once for each puzzle.
        """
        if puzzle not in self._made:
            self._made[puzzle] = self.expected_order(puzzle, runs=self.runs)
        return self._made[puzzle]

    def sample_order(self, puzzle: Puzzle, rng: Seed = None) -> Cells:
        """Return the list of a single run, without slips."""
        return _list_cells(puzzle, self.places(puzzle, 1, generator(rng)))

    def expected_order(self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = 0) -> Floats:
        """Return the mean position of each cell; see :meth:`Population.expected_order`."""
        return self.places(puzzle, whole("runs", runs, 1), generator(rng))


def ranks_in(listed: Cells, cells: Cells) -> NDArray[np.int64]:
    """Return the rank of each fill, from 0, among the listed cells that are then open."""
    place = {int(cell): i for i, cell in enumerate(listed)}
    places = np.array([place[int(cell)] for cell in cells], dtype=np.int64)
    earlier = np.tril(places[:, None] > places[None, :], -1).sum(axis=1)
    return np.asarray(places - earlier, dtype=np.int64)


def _list_cells(puzzle: Puzzle, places: Floats) -> Cells:
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


@dataclass(frozen=True, eq=False)
class PredictedOrder(EqualFields, Displayed):
    """The order in which a puzzle is predicted to be filled; ``str()`` is a grid of ranks.

    A notebook shows it as a heat map, in which darker cells are filled earlier.

    Attributes
    ----------
    puzzle : Puzzle
    mean_ranks : ndarray of float64, shape (n_cells,)
        As in :meth:`Population.expected_order`: 1 for the first cell, 0 for givens.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.games import load_fill_order
    >>> puzzle = load_examples().puzzles[0]
    >>> order = PredictedOrder(puzzle, load_fill_order().expected_order(puzzle))
    >>> int(order.ranks.max()) == puzzle.givens.size - puzzle.n_givens
    True
    """

    puzzle: Puzzle
    mean_ranks: Floats

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Ranks 1, 2, ... of the blanks, shape (n_cells,); 0 for givens."""
        return ranks_of(self.puzzle, self.mean_ranks)

    def __str__(self) -> str:
        return order_grid(self.puzzle, self.mean_ranks)


def order_grid(puzzle: Puzzle, order: Floats) -> str:
    """Return the ranks, 1 for the first cell, as the lines of a grid; givens are dots.

    Parameters
    ----------
    puzzle : Puzzle
    order : ndarray of float64, shape (n_cells,)
        Mean ranks, as in :meth:`Population.expected_order`.
    """
    ranks = ranks_of(puzzle, order)
    width = len(str(int(ranks.max(initial=0)))) + 1
    n_rows, n_columns = puzzle.shape
    if not isinstance(puzzle, Sudoku):
        cells = [str(rank or ".").rjust(width) for rank in ranks]
        starts = range(0, n_rows * n_columns, n_columns)
        return "\n".join("".join(cells[start : start + n_columns]) for start in starts)
    n, size = puzzle.order, puzzle.size
    lines = []
    for row in range(size):
        if row and row % n == 0:
            lines.append("+".join(["-" * (width * n + 1)] * n)[:-1])
        cells = [str(rank or ".").rjust(width) for rank in ranks[row * size : (row + 1) * size]]
        lines.append(" |".join("".join(cells[i : i + n]) for i in range(0, size, n)))
    return "\n".join(lines)


def ranks_of(puzzle: Puzzle, order: Floats) -> NDArray[np.int64]:
    """Return the ranks 1, 2, ... of the blanks by their mean ranks; 0 for givens."""
    blanks = blanks_of(puzzle)
    ranks = np.zeros(len(order), np.int64)
    ranks[blanks[np.argsort(order[blanks], kind="stable")]] = np.arange(1, len(blanks) + 1)
    return ranks


class PredictedGame(NamedTuple):
    """A game with the prediction before each fill.

    Attributes
    ----------
    game : Game
    n_earlier : int
        Number of the player's earlier games that the prediction used.
    chances : ndarray of float64, shape (n_moves,)
        Predicted probabilities of the cells that were filled.
    likeliest : ndarray of int16, shape (n_moves,)
        The cell with the highest probability.
    likeliest_chances : ndarray of float64, shape (n_moves,)
    """

    game: Game
    n_earlier: int
    chances: Floats
    likeliest: Cells
    likeliest_chances: Floats


def predict_games(
    games: Iterable[Game], *, history: Sequence[Game] = (), population: Population | None = None
) -> list[PredictedGame]:
    """Predict the next cell throughout games, each game from its player's earlier games alone.

    Parameters
    ----------
    games : iterable of Game
        Games of any players and kinds of puzzle, in the order in which they were played. A game
        without the name of a player counts as that of a stranger.
    history : sequence of Game
        Earlier games of the same players.
    population : Population or None
        Players of one kind of puzzle. None uses the shipped populations, and so do games of other
        kinds.

    Returns
    -------
    list of PredictedGame
        In the order of the games.

    Raises
    ------
    ValueError
        For a kind of puzzle without known fill orders.

    Examples
    --------
    >>> from nando.games import read_games
    >>> games = read_games("examples/games.csv").games
    >>> predicted = predict_games(games)
    >>> [one.n_earlier for one in predicted[:3]]
    [0, 1, 2]
    >>> bool(predicted[0].chances[0] <= predicted[0].likeliest_chances[0])
    True
    """
    games = list(games)
    earlier: dict[tuple[str, str], list[Game]] = defaultdict(list)
    for game in history:
        if game.player and len(game.cells):
            earlier[game.player, game.puzzle.kind].append(game)
    places: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for i, game in enumerate(games):
        places[game.player, game.puzzle.kind, 0 if game.player else i].append(i)
    predicted: dict[int, PredictedGame] = {}
    for (player, kind, _), of_player in places.items():
        people = population
        if people is None or people.kind != kind:
            people = load_fill_order(kind=kind)
        known = earlier[player, kind]
        played = [games[i] for i in of_player if len(games[i].cells)]
        # The last game need not be learnt, because no game is predicted after it.
        in_turn = people.after_each([*known, *played[:-1]], first=len(known))
        n_earlier, now = len(known), next(in_turn)
        for i in of_player:
            predicted[i] = _predict(now, games[i], n_earlier)
            if len(games[i].cells):
                n_earlier, now = n_earlier + 1, next(in_turn, now)
    return [predicted[i] for i in range(len(games))]


def _predict(population: Population, game: Game, n_earlier: int) -> PredictedGame:
    followed = population.follow(game.puzzle, game.solution, game.cells, predicting=True)
    chances, replay = followed.mixed(), followed.replay
    likeliest = np.array(
        [
            first + int(chances[first:end].argmax())
            for first, end in zip(replay.starts[:-1], replay.starts[1:], strict=True)
        ],
        np.int64,
    )
    return PredictedGame(
        game,
        n_earlier,
        chances[replay.chosen],
        replay.cells[likeliest].astype(np.int16),
        chances[likeliest],
    )
