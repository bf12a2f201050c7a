"""Judge from the order and the times of a game whether a person or a program played it.

The audit compares explanations of a game: a population of players, finished solutions that somebody
typed, and programs at work somewhere in the game. It answers two questions and never mixes them:
whether a person played at all, on the screen or on paper, and how the grid was entered. Each
likelihood ratio has a mean of at most 1 over honest games, so it is an e-value, and its inverse is
a p-value (Vovk and Wang, Annals of Statistics 49:1736, 2021). The first question is calibrated on
one of three standards, which every verdict names.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.checks import cores, whole
from nando.games.evidence import verdicts
from nando.games.evidence.reading import LearntProgram, Reading, ladder_of, learnt_programs, read
from nando.games.evidence.replays import notes_on_copies
from nando.games.evidence.words import pleas_for
from nando.games.game import Game
from nando.games.people.population import (
    FORMAT,
    Population,
    by_player,
    file_of,
    fit_population,
    load_fill_order,
    strategy_games,
)
from nando.games.said import Said, figure, say
from nando.puzzles import Sudoku
from nando.rating.files import ModelFile, read_model
from nando.stages import counted

_PERIODS = 5
_LEARNT_FROM = 80
"""Number of puzzles on whose solver runs the learnt programs are fitted."""


class Auditor(ModelFile):
    """Distinguishes games of people from games of programs.

    Attributes
    ----------
    population : Population
        Players of one kind of puzzle. The populations of other kinds are shipped with nando.
    programs : list of LearntProgram
        Programs for this kind in addition to those described by a rule.
    provenance_ : dict
    model_id : str
    """

    file_format, file_kind = FORMAT, "a file of an audit"

    def __init__(self, population: Population, programs: Sequence[LearntProgram] = ()) -> None:
        self.population = population
        self.programs = list(programs)
        self.provenance_ = {}

    @classmethod
    def fit(cls, games: Sequence[Game], *, seed: int = 0, n_jobs: int | None = None) -> Self:
        """Learn from strategies and from honest games, with each player as one source.

        Parameters
        ----------
        games : sequence of Game
            Of Sudoku, at least one.
        seed : int
        n_jobs : int or None
            Threads; never changes a result.

        Raises
        ------
        ValueError
            If there are no games.
        """
        whole("seed", seed, 0)
        cores(n_jobs)
        if not games:
            raise ValueError("no games to learn from")
        puzzles = [game.puzzle for game in games if isinstance(game.puzzle, Sudoku)]
        strategies = strategy_games(puzzles, seed=seed)
        sources = {**strategies, **by_player(games)}
        population = fit_population(sources, seed=seed, n_jobs=n_jobs)
        some = games[:: max(1, len(games) // _LEARNT_FROM)][:_LEARNT_FROM]
        auditor = cls(population, learnt_programs(some, seed=seed))
        auditor.provenance_ = {"games": len(games)}
        return auditor

    # ---------------------------------------------------------------- using

    def people(self, kind: str) -> Population:
        """Return the players of a kind of puzzle: the auditor's own, or those shipped with nando.

        Raises
        ------
        ValueError
            For a kind without known games.
        """
        own = self.population
        return own if kind == own.kind else load_fill_order(kind=kind)

    def models_of(self, games: Iterable[Game]) -> str:
        """Return the names of the models that judge games, one for each kind of puzzle."""
        own = self.population.kind
        kinds = _kinds_of(games) or [own]
        return ", ".join(
            self.model_id if kind == own else self.people(kind).model_id for kind in kinds
        )

    def read(
        self,
        games: Iterable[Game],
        *,
        population: Population | None = None,
        without: Collection[str] = (),
        n_jobs: int | None = None,
    ) -> list[Reading]:
        """Compute how people and programs explain the games.

        Parameters
        ----------
        games : iterable of Game
            Each with at least one fill.
        population : Population or None
            Players of the kind of the games. None uses all players of each kind.
        without : collection of str
            Families of programs to leave out.
        n_jobs : int or None
            Threads; never changes a result.
        """
        from joblib import Parallel, delayed

        games = list(games)
        people = {kind: population or self.people(kind) for kind in _kinds_of(games)}
        work = Parallel(n_jobs=n_jobs or 1, prefer="threads", return_as="generator")
        puzzles = list({game.puzzle: None for game in games})
        found = work(delayed(ladder_of)(puzzle) for puzzle in puzzles)
        ladders = dict(zip(puzzles, counted(found, "puzzles", len(puzzles)), strict=True))
        readings = work(
            delayed(read)(
                game,
                people[game.puzzle.kind],
                ladders[game.puzzle],
                self.programs if game.puzzle.kind == self.population.kind else (),
                without=without,
            )
            for game in games
        )
        return list(counted(readings, "games", len(games)))

    def audit(
        self,
        games: Iterable[Game],
        *,
        level: float = 0.01,
        history: Sequence[Game] = (),
        on_screen: bool = False,
        n_jobs: int | None = None,
    ) -> list[verdicts.GameAudit]:
        """Judge several games together.

        Parameters
        ----------
        games : iterable of Game
            Games of any kinds of puzzle. Games with fewer than ten fills are not judged. If no
            times are known for a kind, for example Nurikabe, only the order is judged.
        level : float
            Largest expected share of honest games, on the screen or on paper, among those called
            unlike a person.
        history : sequence of Game
            Earlier honest games of the same players; see Notes.
        on_screen : bool
            Whether the rules say that puzzles are solved on the screen. Then a solution that was
            entered from elsewhere is a breach of the rules; otherwise it is only stated.
        n_jobs : int or None
            Threads; never changes a result.

        Returns
        -------
        list of GameAudit
            In the order of the games.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1, or is below 0.0001.

        Notes
        -----
        If `history` has enough earlier games of the player for the level (99 for 0.01), the p-value
        is the rank among them. Fewer earlier games only adapt the population to the player. The
        p-value then comes from the other players of the same puzzle if the log has 20 of them, and
        otherwise from the population alone.
        """
        verdicts.check_level(level)
        cores(n_jobs)
        games = list(games)
        own = self._own_standards(history, level, n_jobs)
        judged = [game for game in games if verdicts.can_be_judged(game)]
        readings = self._read_by(own, judged, n_jobs)
        log_odds = np.array([reading.log_odds for reading in readings])
        log_odds, standards = verdicts.by_field(judged, log_odds)
        p_values = [verdicts.p_value_of(value) for value in log_odds.tolist()]
        for i, game in enumerate(judged):
            standard = own.get(_key(game))
            if standard is not None:
                standards[i] = standard.name
                if len(standard.scores):
                    p_values[i] = verdicts.rank_p_value(log_odds[i], standard.scores)
        typed_odds = np.array(
            [r.off_screen_odds if on_screen else r.entered_odds for r in readings]
        )
        rulings = verdicts.verdicts_of(
            log_odds, typed_odds, level, p_values=p_values, on_screen=on_screen
        )
        entered = [verdict.finding.is_entered for verdict in rulings]
        pleas = pleas_for(readings, entered, history)
        repeated = notes_on_copies(readings)
        found = (
            verdicts.judgement(
                reading,
                float(log_odds[i]),
                p_values[i],
                standards[i],
                float(typed_odds[i]),
                rulings[i],
                repeated[i],
                pleas[i],
            )
            for i, reading in enumerate(readings)
        )
        return [
            next(found) if verdicts.can_be_judged(game) else verdicts.unjudged(game)
            for game in games
        ]

    def _read_by(
        self,
        own: "dict[tuple[str, str], _OwnStandard]",
        games: Sequence[Game],
        n_jobs: int | None,
    ) -> list[Reading]:
        """Return the reading of each game, by its player's own standard if there is one."""
        keys = [_key(game) for game in games]
        strangers = [i for i, key in enumerate(keys) if key not in own]
        acquainted = [[i for i, other in enumerate(keys) if other == key] for key in own]
        readings: dict[int, Reading] = {}
        for chosen in filter(None, (strangers, *acquainted)):
            standard = own.get(keys[chosen[0]])
            people = None if standard is None else standard.population
            by_standard = self.read([games[i] for i in chosen], population=people, n_jobs=n_jobs)
            readings.update(zip(chosen, by_standard, strict=True))
        return [readings[i] for i in range(len(games))]

    def players(
        self, audits: Sequence[verdicts.GameAudit], *, level: float = 0.01, on_screen: bool = False
    ) -> list[verdicts.PlayerAudit]:
        """Return the players with several games, the strongest evidence first."""
        return verdicts.players_of(audits, level=level, on_screen=on_screen)

    def _own_standards(
        self, history: Sequence[Game], level: float, n_jobs: int | None
    ) -> "dict[tuple[str, str], _OwnStandard]":
        """Return the usual scores of each player with earlier games of a kind of puzzle.

        Each score comes from a population that knows only other periods of the player. Players with
        too few games for a p-value at the level have no scores.
        """
        earlier: dict[tuple[str, str], list[Game]] = defaultdict(list)
        for game in history:
            if verdicts.can_be_judged(game):
                earlier[_key(game)].append(game)
        everybody = {kind: self.people(kind) for _, kind in earlier}
        standards = {}
        for (player, kind), games in counted(earlier.items(), "players", len(earlier)):
            people = everybody[kind]
            scores: list[float] = []
            if len(games) >= _PERIODS and 1 / (1 + len(games)) <= level:
                for held_out in np.array_split(np.arange(len(games)), _PERIODS):
                    rest = [game for i, game in enumerate(games) if i not in held_out]
                    readings = self.read(
                        [games[i] for i in held_out],
                        population=people.given(rest),
                        n_jobs=n_jobs,
                    )
                    scores += [reading.log_odds for reading in readings]
            known = people.given(games)
            standards[player, kind] = _OwnStandard(known, len(games), np.array(scores))
        return standards

    # ---------------------------------------------------------------- the auditor as a file

    def record(self) -> dict[str, Any]:
        """Return everything that moves a verdict, as plain values."""
        kind, record = self.population.kind, self.population.record()
        if kind == Sudoku.kind or self.programs:
            record["audit"] = {"programs": [each.to_record(kind) for each in self.programs]}
        return record

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild an auditor from its record; raise ValueError if it is not one.

        For kinds other than Sudoku no programs are learnt, so a file of fill orders is enough.
        """
        population = Population.of_record(record)
        if "audit" not in record and population.kind == Sudoku.kind:
            raise ValueError("a model of fill orders without an audit")
        programs = record.get("audit", {"programs": ()})["programs"]
        return cls(population, [LearntProgram.from_record(p, population.kind) for p in programs])


def load_auditor(path: str | Path | None = None) -> Auditor:
    """Return an auditor from its file, or the one shipped with nando.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is not an auditor.
    """
    return read_model(file_of(path), Auditor.from_json)


def _kinds_of(games: Iterable[Game]) -> list[str]:
    """Return the kinds of puzzle of games that can be judged, in the order of the games."""
    return list({game.puzzle.kind: None for game in games if verdicts.is_known(game)})


@dataclass(frozen=True)
class _OwnStandard:
    """The standard from a player's own games: adapted population, number of games, and scores."""

    population: Population
    n_games: int
    scores: Floats

    @property
    def name(self) -> Said:
        """What the standard is called in an audit."""
        if not len(self.scores):
            return say("standard.people_know", standard=verdicts.OTHER_PEOPLE, n=self.n_games)
        least = figure(1 / (1 + self.n_games), ".2g")
        return say("standard.known", standard=verdicts.HISTORY, n=self.n_games, least=least)


def _key(game: Game) -> tuple[str, str]:
    """Return the player and the kind of puzzle, which have a standard of their own."""
    return game.player, game.puzzle.kind
