"""Games that models of fill orders and audits are fitted to and checked on."""

import datetime
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nando import __version__
from nando.datasets import DATASETS, entry_ranks, fetch_nurikabe
from nando.games.audit import Auditor
from nando.games.game import Game
from nando.games.log import read_games
from nando.games.people.fitting import by_player, fit_population
from nando.games.people.population import Population
from nando.puzzles import Puzzle, PuzzleError
from nando.rating.training import Training


class HonestGames(NamedTuple):
    """Finished games of people.

    Attributes
    ----------
    games : list of Game
    provenance : dict
        Where they are from.
    problems : sequence of str
        What could not be read.
    """

    games: list[Game]
    provenance: dict[str, Any]
    problems: Sequence[str] = ()


def honest_games(kind: str, log: Path | None = None) -> HonestGames:
    """Finished games of one kind of puzzle, from a log or from the published one."""
    if kind != "sudoku" and log is None:
        provenance = {"name": "nurikabe-orders", "data": DATASETS["nurikabe_janko"][0].provenance()}
        return HonestGames(_nurikabe_games(), provenance)
    if log is None:
        data_set = DATASETS["sudoku_insight"][0]
        path = data_set.path(data_set.files[0].name)
        provenance = {"name": "sudoku-insight", "data": data_set.provenance()}
    else:
        path = log
        provenance = {"name": log.name.split(".")[0], "data": {"file": log.name}}
    read = read_games(path)
    games = [game for game in read.games if game.finished and game.puzzle.kind == kind]
    problems = [f"{log}: {problem}" for problem in read.problems] if log is not None else []
    return HonestGames(games, provenance, problems)


_LARGEST = 200
"""Cells of the Nurikabe whose logs are used: choices among more cells take a minute to follow."""


def _nurikabe_games() -> list[Game]:
    """The logs of puzzles that are not too large and have one solution, as far as is known."""
    data = fetch_nurikabe(as_frame=True)
    games = []
    for number, events in data.events.groupby("game", sort=True):
        puzzle, row = data.puzzles[number], data.frame.iloc[number]
        if puzzle.n_cells > _LARGEST:
            continue
        ranks = entry_ranks(events, puzzle)
        try:
            game = Game.from_ranks(puzzle, ranks, name=row["name"], player=row["solver"])
        except PuzzleError:
            continue
        if game.finished:
            games.append(game)
    return games


def fit_to_games(
    honest: HonestGames, kind: str, *, n_jobs: int | None = None
) -> Auditor | Population:
    """Fit the audit, and the population of players inside it.

    Of kinds other than Sudoku the logs tell no times: only the population is fitted.
    """
    fitted: Auditor | Population
    if kind == "sudoku":
        fitted = Auditor.fit(honest.games, n_jobs=n_jobs)
    else:
        fitted = fit_population(by_player(honest.games), kind=kind, n_jobs=n_jobs)
    fitted.provenance_ = {
        **honest.provenance,
        "games": len(honest.games),
        "moves": sum(len(game.cells) for game in honest.games),
        "fitted": datetime.date.today().isoformat(),
        "nando": __version__,
    }
    return fitted


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


def is_log(path: Path) -> bool:
    """Whether a file is a log of games rather than a table of times."""
    if path.suffix.lower() != ".csv":
        return path.suffix.lower() in (".json", ".jsonl", ".tsv")
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        names = file.readline(10_000).casefold()
    return "t_ms" in names and "seconds" not in names


def times_of_log(log: Path, kind: str) -> tuple[Training, list[str]]:
    """The median time of each puzzle in a log, weighted by its players; and what is left out.

    Raises
    ------
    OSError, ValueError
        Where it is no log, or no game of the kind has a time.
    """
    read = read_games(log)
    found = solving_times(game for game in read.games if game.puzzle.kind == kind)
    problems = [f"{log}: {problem}" for problem in (*read.problems, *found.problems)]
    seconds: dict[Puzzle, list[float]] = {}
    for puzzle, _, time in found.times:
        seconds.setdefault(puzzle, []).append(time)
    if not seconds:
        told = f", the first left out: {problems[0]}" if problems else ""
        raise ValueError(f"{log}: no game of {kind} that tells a time{told}")
    training = Training(
        list(seconds),
        [statistics.median(times) for times in seconds.values()],
        [float(len(times)) for times in seconds.values()],
        log.name.split(".")[0],
        {"file": log.name},
    )
    return training, problems
