"""Evaluate predictions of unknown players, and how often they are accused.

Every player and every strategy is left out in turn: a population is fitted to the others and
evaluated on the games of the stranger.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import cores, whole
from nando.evaluation.scores import Report, metric_row
from nando.games.audit import Auditor
from nando.games.evidence.program import LearntProgram
from nando.games.evidence.standards import p_value_of
from nando.games.fill_order import fit_coefficients
from nando.games.game import Game
from nando.games.people.fitting import Taught, by_player, fit_population, strategy_games, teach
from nando.games.people.persons import Followed, Person, Persons
from nando.games.people.population import Population
from nando.puzzles import Sudoku

LEVEL = 0.01
HISTORY = 20
"""Number of games after which a player counts as known."""

_TESTED = 60
_LEAST_GAMES = 10
_OWN_GAMES = 40
"""Minimum number of games of a player for a fit to the player alone, which uses half of them."""
_FLAGGED = "share with p <= 0.01"
_HEADING = (
    "Strangers: each left out of everything; their next cell, and honest games called unlike a "
    "person"
)


class LeftOut:
    """Populations, each fitted without one source.

    Parameters
    ----------
    games : sequence of Game
        Games of one kind of puzzle, with the names of their players.
    n_jobs : int or None
        Threads; never changes a result.
    seed : int

    Attributes
    ----------
    sources : dict of str to list of Game
        Games of each player or strategy.
    real : set of str
        Names of the sources that are persons.
    """

    def __init__(self, games: Sequence[Game], *, n_jobs: int | None = None, seed: int = 0) -> None:
        cores(n_jobs)
        whole("seed", seed, 0)
        self.kind = games[0].puzzle.kind
        persons = {
            name: played for name, played in by_player(games).items() if len(played) >= _LEAST_GAMES
        }
        self.real = set(persons)
        self.puzzles = [game.puzzle for game in games if isinstance(game.puzzle, Sudoku)]
        simulated = strategy_games(self.puzzles, seed=seed) if self.kind == Sudoku.kind else {}
        self.sources: dict[str, list[Game]] = {**simulated, **persons}
        self._taught: Taught = teach(self.sources, n_jobs=n_jobs)
        self._seed = seed
        self._populations: dict[str, Population] = {}

    def population(self, name: str) -> Population:
        """Return the population fitted to all sources except `name`."""
        if name not in self._populations:
            rest = {source: games for source, games in self.sources.items() if source != name}
            self._populations[name] = fit_population(
                rest, kind=self.kind, taught=self._taught, seed=self._seed
            )
        return self._populations[name]

    def new_games(self) -> Mapping[str, Sequence[Game]]:
        """Return the games to test on, by source.

        These are the later games of a player, and games of new players for a strategy.
        """
        simulated: Mapping[str, Sequence[Game]] = {}
        if self.kind == Sudoku.kind:
            simulated = strategy_games(self.puzzles, n_games=_TESTED, seed=self._seed + 1)
        return {
            source: _later(games) if source in self.real else simulated[source]
            for source, games in self.sources.items()
        }


def evaluate_strangers(
    left_out: LeftOut,
    programs: Sequence[LearntProgram] = (),
    *,
    n_jobs: int | None = None,
) -> Report:
    """Evaluate fill orders and the audit with every source left out in turn.

    Parameters
    ----------
    left_out : LeftOut
    programs : sequence of LearntProgram
        Programs that the audit knows in addition to those described by rules.
    n_jobs : int or None
        Threads; never changes a result.

    Raises
    ------
    ValueError
        If there is only one source.
    """
    if len(left_out.sources) < 2:
        raise ValueError("games of one player only: give games of at least two players")
    rows: list[dict[str, Any]] = []
    n_flagged = n_games = 0
    new_games = left_out.new_games()
    for name in sorted(new_games, key=lambda name: name not in left_out.real):
        games, population = new_games[name], left_out.population(name)
        readings = Auditor(population, programs).read(games, n_jobs=n_jobs)
        flagged = [p_value_of(reading.log_odds) <= LEVEL for reading in readings]
        n_flagged, n_games = n_flagged + sum(flagged), n_games + len(games)
        top_1, perplexity = _predicted(population, games)
        scores = {"games": len(games), "top 1": top_1, "perplexity": perplexity}
        all_games = left_out.sources[name]
        if name in left_out.real and len(all_games) >= _OWN_GAMES:
            known, own = _acquainted(population, all_games, games)
            scores |= {f"perplexity after {HISTORY} games": known, "perplexity of an own fit": own}
        scores[_FLAGGED] = float(np.mean(flagged))
        rows += [metric_row("strangers", name, *score) for score in scores.items()]
    rows.append(metric_row("strangers", "all", "games", n_games))
    rows.append(metric_row("strangers", "all", _FLAGGED, n_flagged / n_games))
    return Report(rows, {"strangers": _HEADING})


def predicted_fills(followed: Followed) -> tuple[NDArray[np.bool_], Floats]:
    """Return whether each fill of a game was the likeliest cell, and its log probability."""
    mixed, replay = followed.mixed(), followed.replay
    best = np.maximum.reduceat(mixed, replay.starts[:-1])
    return mixed[replay.chosen] >= best, followed.log_chances


def _predicted(population: Population, games: Sequence[Game]) -> tuple[float, float]:
    """Return the share of fills that were the likeliest cell, and the perplexity."""
    hits, chances = zip(
        *(
            predicted_fills(
                population.follow(game.puzzle, game.solution, game.cells, predicting=True)
            )
            for game in games
        ),
        strict=True,
    )
    return float(np.concatenate(hits).mean()), float(np.exp(-np.concatenate(chances).mean()))


def _acquainted(
    population: Population, games: Sequence[Game], later: Sequence[Game]
) -> tuple[float, float]:
    """Return the perplexity of later games after earlier ones, and that of the player's own fit."""
    half = len(games) // 2
    known = population.given(games[half - HISTORY : half])
    fit = fit_coefficients(games[:half], ridge=1e-4)
    own = Population(Persons.of([Person("own", fit, (0.0, 0.002))]), population.kind)
    return _predicted(known, later)[1], _predicted(own, later)[1]


def _later(games: Sequence[Game]) -> Sequence[Game]:
    """Return the games of the second half, or an evenly spread selection of the tested number."""
    half = games[len(games) // 2 :]
    return half[:: max(1, len(half) // _TESTED)][:_TESTED]
