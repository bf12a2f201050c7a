"""Evaluate predictions of unknown players, and how often they are accused.

Every player and every strategy is left out in turn: a population is fitted to the others and
evaluated on the games of the stranger, all together, and one after another as the player's earlier
games become known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import cores, whole
from nando.evaluation.scores import Report, Score, metric_row
from nando.games.audit import Auditor
from nando.games.evidence.reading import LearntProgram
from nando.games.evidence.verdicts import p_value_of
from nando.games.fill_order import fit_coefficients
from nando.games.game import Game
from nando.games.people.persons import Followed, Person, Persons
from nando.games.people.players import STRATEGIES, play
from nando.games.people.population import (
    Population,
    Taught,
    by_player,
    fit_population,
    strategy_games,
    teach,
)
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


_LENGTH = 21
"""Number of a player's games that are predicted in turn."""
_MOST_RUNS = 12
"""Most places in a long log at which the player counts as a stranger again."""
_EARLIER = {
    "no earlier game": (0, 1),
    "1 earlier game": (1, 2),
    "2 earlier games": (2, 3),
    "3 to 5 earlier games": (3, 6),
    "6 to 10 earlier games": (6, 11),
    "11 to 20 earlier games": (11, 21),
    "the first 10 games": (0, 10),
    "the first 20 games": (0, 20),
}
_WHOLE = ("the first 10 games", "the first 20 games")
_BOOTSTRAPS = 500
_HEADING_IN_TURN = (
    "Games in turn, each predicted from the player's earlier games; the player is left out of the "
    "population; [95 % interval]"
)


class WithoutPlayer:
    """Populations, each fitted without one player or strategy.

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
    without: WithoutPlayer,
    programs: Sequence[LearntProgram] = (),
    *,
    n_jobs: int | None = None,
) -> Report:
    """Evaluate fill orders and the audit with every source left out in turn.

    Parameters
    ----------
    without : WithoutPlayer
    programs : sequence of LearntProgram
        Programs that the audit knows in addition to those described by rules.
    n_jobs : int or None
        Threads; never changes a result.

    Raises
    ------
    ValueError
        If there is only one source.
    """
    if len(without.sources) < 2:
        raise ValueError("games of one player only: give games of at least two players")
    rows: list[dict[str, Any]] = []
    n_flagged = n_games = 0
    new_games = without.new_games()
    for name in sorted(new_games, key=lambda name: name not in without.real):
        games, population = new_games[name], without.population(name)
        readings = Auditor(population, programs).read(games, n_jobs=n_jobs)
        flagged = [p_value_of(reading.log_odds) <= LEVEL for reading in readings]
        n_flagged, n_games = n_flagged + sum(flagged), n_games + len(games)
        top_1, perplexity = _predict(population, games)
        scores = {"games": len(games), "top 1": top_1, "perplexity": perplexity}
        all_games = without.sources[name]
        if name in without.real and len(all_games) >= _OWN_GAMES:
            known, own = _acquaint(population, all_games, games)
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


def _predict(population: Population, games: Sequence[Game]) -> tuple[float, float]:
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


def _acquaint(
    population: Population, games: Sequence[Game], later: Sequence[Game]
) -> tuple[float, float]:
    """Return the perplexity of later games after earlier ones, and that of the player's own fit."""
    half = len(games) // 2
    known = population.given(games[half - HISTORY : half])
    fit = fit_coefficients(games[:half], ridge=1e-4)
    own = Population(Persons.of([Person("own", fit, (0.0, 0.002))]), population.kind)
    return _predict(known, later)[1], _predict(own, later)[1]


def _later(games: Sequence[Game]) -> Sequence[Game]:
    """Return the games of the second half, or an evenly spread selection of the tested number."""
    half = games[len(games) // 2 :]
    return half[:: max(1, len(half) // _TESTED)][:_TESTED]


Run = Sequence[Game]
"""Games in the order of play."""


def evaluate_in_turn(without: WithoutPlayer, *, n_jobs: int | None = None, seed: int = 0) -> Report:
    """Evaluate predictions of the next cells of strangers from game to game.

    Each person counts as a stranger at up to 12 places of the log, and one player of each strategy
    once.

    Parameters
    ----------
    without : WithoutPlayer
    n_jobs : int or None
        Threads; never changes a result.
    seed : int
    """
    from joblib import Parallel, delayed

    whole("seed", seed, 0)
    cores(n_jobs)
    met = [
        (name, without.population(name), run)
        for name in sorted(without.sources, key=lambda name: (name not in without.real, name))
        for run in _runs(without, name, seed)
    ]
    tables = Parallel(n_jobs=n_jobs or 1, prefer="threads")(
        delayed(_scores_in_turn)(population, run) for _, population, run in met
    )
    by_name: dict[str, list[Floats]] = {}
    for (name, _, _), table in zip(met, tables, strict=True):
        by_name.setdefault(name, []).append(table)
    rows: list[dict[str, Any]] = []
    for name, runs in by_name.items():
        rows += _rows(name, runs, _EARLIER if name in without.real else _WHOLE, seed)
    simulated = [run for name, runs in by_name.items() if name not in without.real for run in runs]
    if simulated:
        rows += _rows("all strategies", simulated, _EARLIER, seed)
    return Report(rows, {"in turn": _HEADING_IN_TURN})


def _runs(without: WithoutPlayer, name: str, seed: int) -> Iterator[Run]:
    """Yield the games of a stranger in the order in which they are predicted."""
    if name in without.real:
        games = without.sources[name]
        count = max(1, min(_MOST_RUNS, len(games) // _LENGTH))
        for first in np.linspace(0, max(0, len(games) - _LENGTH), count).astype(int):
            yield games[first : first + _LENGTH]
        return
    rng = np.random.default_rng([seed, list(STRATEGIES).index(name)])
    player = STRATEGIES[name](rng)
    chosen = rng.choice(len(without.puzzles), _LENGTH).tolist()
    yield [play(without.puzzles[i], player, rng) for i in chosen]


def _scores_in_turn(stranger: Population, run: Run) -> Floats:
    """Return the fills of each game, then hits and log chances with and without earlier games."""
    scores = []
    for game, known in zip(run, stranger.after_each(run), strict=False):
        followed = (
            known.follow(game.puzzle, game.solution, game.cells, predicting=True),
            stranger.follow(game.puzzle, game.solution, game.cells),
        )
        fills = [predicted_fills(each) for each in followed]
        sums = [float(part.sum()) for of_one in fills for part in of_one]
        scores.append([float(len(game.cells)), *sums])
    return np.array(scores)


def _rows(
    name: str, runs: Sequence[Floats], parts: Sequence[str] | dict[str, Any], seed: int
) -> Iterator[dict[str, Any]]:
    """Yield the scores of a player's runs after some numbers of earlier games."""
    for part in parts:
        first, end = _EARLIER[part]
        table = np.concatenate([run[first:end] for run in runs])
        if not len(table):
            continue
        rng = np.random.default_rng(seed)
        drawn = table[rng.integers(len(table), size=(_BOOTSTRAPS, len(table)))].sum(axis=1)
        value, draws = _summary(table.sum(axis=0)), _summary(drawn)
        subject = f"{name}, {part}"
        yield metric_row("in turn", subject, "games", len(table))
        for i, metric in enumerate(_IN_TURN):
            score = Score.of(float(value[i]), draws[:, i])
            yield metric_row("in turn", subject, metric, score)


_IN_TURN = (
    "top 1",
    "perplexity",
    "top 1 of a stranger",
    "perplexity of a stranger",
    "top 1 gained",
    "perplexity, ratio",
)


def _summary(sums: Floats) -> Floats:
    """Return the metrics of sums, whose last axis is that of :func:`_scores_in_turn`."""
    fills, hits, logs, hits_of_stranger, logs_of_stranger = np.moveaxis(sums, -1, 0)
    top_1, stranger = hits / fills, hits_of_stranger / fills
    perplexity, strange = np.exp(-logs / fills), np.exp(-logs_of_stranger / fills)
    return np.stack(
        [top_1, perplexity, stranger, strange, top_1 - stranger, perplexity / strange], axis=-1
    )
