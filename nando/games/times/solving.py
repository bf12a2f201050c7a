"""The times of games that tell how hard a puzzle is."""

from collections.abc import Iterable
from typing import NamedTuple

from nando.games.game import Game
from nando.puzzles import Puzzle


class SolvingTime(NamedTuple):
    """How long a player took for a puzzle.

    Attributes
    ----------
    puzzle : Puzzle
    player : str
        The name of the game where the log names no player.
    seconds : float
    """

    puzzle: Puzzle
    player: str
    seconds: float


class SolvingTimes(NamedTuple):
    """The times of games, and why other games have none.

    Attributes
    ----------
    times : list of SolvingTime
        In the order of the games: rows for :class:`nando.rating.PersonModel`.
    problems : list of str
        One for each game that was left out.
    """

    times: list[SolvingTime]
    problems: list[str]


def solving_times(games: Iterable[Game]) -> SolvingTimes:
    """The times of games that tell how hard a puzzle is.

    A game counts where it is finished, no hint was asked for, some time went by, and the player had
    not tried the same puzzle in an earlier game.

    Parameters
    ----------
    games : iterable of Game
        Of any players, each player's games in the order in which they were played.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.solvers import unique_solution
    >>> puzzle = load_examples().puzzles[0]
    >>> blanks = [cell for cell in range(81) if not puzzle.givens[cell]]
    >>> moves = [(1000 * k, cell, unique_solution(puzzle)[cell]) for k, cell in enumerate(blanks)]
    >>> found = solving_times([Game.from_moves(puzzle, moves, name="1", player="ada")])
    >>> found.times[0].player, found.times[0].seconds == len(blanks) - 1
    ('ada', True)
    """
    found = SolvingTimes([], [])
    tried: set[tuple[Puzzle, str]] = set()
    for game in games:
        player = game.player or game.name
        problem = _no_time(game, (game.puzzle, player) in tried)
        tried.add((game.puzzle, player))
        if problem:
            of = f" of {game.player}" if game.player else ""
            found.problems.append(f"game {game.name}{of}: {problem}")
        else:
            found.times.append(SolvingTime(game.puzzle, player, float(game.seconds[-1])))
    return found


def _no_time(game: Game, is_tried: bool) -> str:
    """Why the time of a game tells nothing; empty where it does."""
    if not game.finished:
        return "not finished"
    if is_tried:
        return "the player tried the puzzle before"
    if game.n_hints:
        return f"hints taken: {game.n_hints}"
    return "" if game.seconds[-1] > 0 else "no time went by"
