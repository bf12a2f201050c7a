"""How well unknown players are predicted, and how often they are accused.

Every player and every strategy is left out in turn: a population is fitted to the others and
evaluated on the games of the stranger.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nando.checks import cores, whole
from nando.evaluation.scores import metric_row
from nando.games.audit import Auditor
from nando.games.evidence.control import p_value_of
from nando.games.fill_order import fit_coefficients
from nando.games.game import Game
from nando.games.people.fitting import Taught, by_player, fit_population, strategy_games, teach
from nando.games.people.persons import Person, Persons
from nando.games.people.population import Population
from nando.games.programs.learnt import LearntProgram
from nando.puzzles import Sudoku

LEVEL = 0.01
HISTORY = 20
"""Games after which a player counts as known."""

_TESTED = 60
_LEAST_GAMES = 10
_OWN_GAMES = 40
"""Games from which on a player's own fit is taken; half of them are fitted to."""


@dataclass(frozen=True)
class Stranger:
    """Scores on a player, or a strategy, that was held out entirely.

    Attributes
    ----------
    name : str
    real : bool
        Whether a person played.
    n_games : int
    top_1 : float
        Share of fills that were the cell held likeliest.
    perplexity : float
    known_perplexity, own_perplexity : float
        After 20 games of the player, and of a fit to the player's own games only; NaN where there
        are too few.
    flagged : float
        Share of games with a p-value of at most 0.01.
    """

    name: str
    real: bool
    n_games: int
    top_1: float
    perplexity: float
    known_perplexity: float
    own_perplexity: float
    flagged: float


@dataclass(frozen=True)
class StrangerEvaluation:
    """Scores on players and strategies that were held out entirely."""

    strangers: Sequence[Stranger]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per stranger and metric."""
        return [
            metric_row("strangers", stranger.name, metric, value)
            for stranger in self.strangers
            for metric, value in (
                ("top 1", stranger.top_1),
                ("perplexity", stranger.perplexity),
                (f"perplexity after {HISTORY} games", stranger.known_perplexity),
                ("perplexity of an own fit", stranger.own_perplexity),
                ("share with p <= 0.01", stranger.flagged),
            )
            if np.isfinite(value)
        ]

    def page(self) -> str:
        """Return all results as text."""
        lines = [
            "Strangers: each left out of everything; their next cell, and honest games called "
            "unlike a person",
            f"{'':24}{'games':>6}{'top 1':>8}{'perplexity':>12}"
            f"{f'after {HISTORY} games':>16}{'own fit':>9}{'p <= 0.01':>11}",
        ]
        for stranger in self.strangers:
            after = (
                "" if np.isnan(stranger.known_perplexity) else f"{stranger.known_perplexity:.2f}"
            )
            own = "" if np.isnan(stranger.own_perplexity) else f"{stranger.own_perplexity:.2f}"
            lines.append(
                f"{stranger.name:24.24}{stranger.n_games:6}{stranger.top_1:8.3f}{stranger.perplexity:12.2f}"
                f"{after:>16}{own:>9}{100 * stranger.flagged:9.1f} %"
            )
        weights = np.array([stranger.n_games for stranger in self.strangers])
        flagged = np.array([stranger.flagged for stranger in self.strangers])
        lines.append(
            f"all: {100 * float(weights @ flagged) / weights.sum():.1f} % of {weights.sum():,} "
            f"games at the 1 % level, at most {100 * flagged.max():.1f} % of one stranger's"
        )
        return "\n".join(lines)


class LeftOut:
    """Populations, each fitted without one source.

    Parameters
    ----------
    games : sequence of Game
        Of one kind of puzzle, with their players' names.
    n_jobs : int or None
        Threads; never changes a result.
    seed : int

    Attributes
    ----------
    sources : dict of str to list of Game
        What is learnt from, by player or strategy.
    real : set of str
        Which of them are persons.
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

    def population(self, name: str) -> Population:
        """Return the population fitted to all sources except `name`."""
        rest = {source: games for source, games in self.sources.items() if source != name}
        return fit_population(rest, kind=self.kind, taught=self._taught, seed=self._seed)

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
) -> StrangerEvaluation:
    """Evaluate fill orders and the audit with every source left out in turn.

    Parameters
    ----------
    left_out : LeftOut
    programs : sequence of LearntProgram
        Programs that the audit knows in addition to those of rules.
    n_jobs : int or None
        Threads; never changes a result.

    Raises
    ------
    ValueError
        If there is only one source.
    """
    if len(left_out.sources) < 2:
        raise ValueError("games of one player only: there is nobody to learn from but the stranger")
    strangers = []
    for name, games in left_out.new_games().items():
        population = left_out.population(name)
        real = name in left_out.real
        readings = Auditor(population, programs).read(games, n_jobs=n_jobs)
        p_values = np.array([p_value_of(reading.suspects.log_odds()) for reading in readings])
        known, own = float("nan"), float("nan")
        all_games = left_out.sources[name]
        if real and len(all_games) >= _OWN_GAMES:
            known, own = _acquainted(population, all_games, games)
        top_1, perplexity = _predicted(population, games)
        strangers.append(
            Stranger(
                name,
                real,
                len(games),
                top_1,
                perplexity,
                known,
                own,
                float((p_values <= LEVEL).mean()),
            )
        )
    return StrangerEvaluation(sorted(strangers, key=lambda one: not one.real))


def _predicted(population: Population, games: Sequence[Game]) -> tuple[float, float]:
    """Return the share of fills that were the likeliest cell, and the perplexity."""
    hits, chances = [], []
    for game in games:
        followed = population.follow(game.puzzle, game.solution, game.cells)
        mixed = followed.mixed()
        replay = followed.replay
        best = np.maximum.reduceat(mixed, replay.starts[:-1])
        hits.append(mixed[replay.chosen] >= best)
        chances.append(followed.log_chances)
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
    """Return the games of the second half, evenly spread, at most as many as are tested."""
    half = games[len(games) // 2 :]
    return half[:: max(1, len(half) // _TESTED)][:_TESTED]
