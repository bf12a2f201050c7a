"""Predict every fill of a log from what its player did before."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from nando.arrays import Cells, Floats
from nando.games.game import Game
from nando.games.people.population import Population, load_fill_order


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
            predicted[i] = _predicted(now, games[i], n_earlier)
            if len(games[i].cells):
                n_earlier, now = n_earlier + 1, next(in_turn, now)
    return [predicted[i] for i in range(len(games))]


def _predicted(population: Population, game: Game, n_earlier: int) -> PredictedGame:
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
