"""Person or program: what the order and the times of a game say, at a stated error rate.

A game is asked whether any plausible person explains it better than the programs do: the likelihood
ratio of programs, somewhere in the game, to a population of players. Over honest games its mean is
at most 1, so it is an e-value, and its inverse a p-value (Vovk and Wang, Annals of Statistics
49:1736, 2021). It is calibrated on one of three standards, which every verdict names.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.games.evidence.control import LEAST_P, accused, excess_of, p_value_of, rank_p_value
from nando.games.evidence.reading import ORDER, TIMES, Reading, read
from nando.games.evidence.replays import Copy, copies
from nando.games.evidence.words import odds_in_words, sentences
from nando.games.files import FORMAT, file_of, identity, read_record, written
from nando.games.game import Game
from nando.games.people.fitting import by_player, fit_population, strategy_games
from nando.games.people.population import Population
from nando.games.programs.kinds import listed_places
from nando.games.programs.learnt import LearntProgram, learnt_programs
from nando.puzzles import Sudoku
from nando.rating.records import check_identity, read_model, told_as
from nando.stages import counted

CONSISTENT = "consistent with a person"
TOO_LITTLE = "too little to tell"

OTHER_PEOPLE = "other people"
FIELD = "the field"
HISTORY = "own history"

LEAST_FILLS = 10
LEAST_FIELD = 20
"""Other players on the same puzzle from which on they tell what is usual."""

_WORTH_TELLING = float(np.log(10.0))
"""Log odds from which on the evidence is told, whatever the verdict."""
_PERIODS = 5
_LEARNT_FROM = 80
"""Puzzles whose solver runs the learnt programs come from."""


@dataclass(frozen=True)
class GameAudit:
    """What an audit says about a game.

    Attributes
    ----------
    game : Game
    n_moves : int
        Fills that were judged; 0 where there are too few.
    p_value : float
        Chance of such a game, or one less like a person's, where people play.
    log_odds : float
        How much better programs explain the game than people do, as a natural logarithm.
    order_odds, timing_odds : float
        The same of the order alone, and of the times alone.
    verdict : str
    standard : str
        What the p-value rests on, with the least that it can show.
    evidence : list of str
        Sentences, the strongest first.
    moves : list of (str, float)
        The fills that weigh most against a person: cell, and log likelihood ratio.
    reading : Reading or None
        None where there are too few fills.
    """

    game: Game
    n_moves: int
    p_value: float
    log_odds: float
    order_odds: float
    timing_odds: float
    verdict: str
    standard: str
    evidence: list[str]
    moves: list[tuple[str, float]]
    reading: Reading | None = field(repr=False, default=None)

    @property
    def unlike(self) -> bool:
        """Whether the verdict is against a person."""
        return self.verdict.startswith("unlike")

    def row(self) -> dict[str, Any]:
        """The audit as a row of a table."""
        return {
            "game": self.game.name,
            "player": self.game.player,
            "puzzle": self.game.puzzle.text,
            "moves": self.n_moves,
            "p_value": self.p_value,
            "log10_odds": round(self.log_odds / np.log(10), 2),
            "order_score": round(self.order_odds / np.log(10), 2),
            "timing_score": round(self.timing_odds / np.log(10), 2),
            "verdict": self.verdict,
            "standard": self.standard,
            "evidence": "; ".join(self.evidence),
            "weighty_moves": " ".join(f"{cell}:{weight:+.1f}" for cell, weight in self.moves),
            "notes": "; ".join(self.game.notes),
        }


@dataclass(frozen=True)
class PlayerAudit:
    """A player's games together.

    Attributes
    ----------
    player : str
    n_games : int
        Those that were judged.
    log_odds : float
        Of all of them: e-values of several games multiply.
    verdict : str
    """

    player: str
    n_games: int
    log_odds: float
    verdict: str

    @property
    def p_value(self) -> float:
        """Of all games together."""
        return p_value_of(self.log_odds)

    @property
    def log10_odds(self) -> float:
        """The odds as a power of ten."""
        return self.log_odds / float(np.log(10))


class Auditor:
    """Tells games of people from games of programs.

    Attributes
    ----------
    population : Population
        Of players of Sudoku.
    programs : list of LearntProgram
        Beside those that a rule describes.
    provenance_ : dict
    model_id : str
    """

    def __init__(self, population: Population, programs: Sequence[LearntProgram] = ()) -> None:
        self.population = population
        self.programs = list(programs)
        self.provenance_: dict[str, Any] = {}

    @classmethod
    def fit(cls, games: Sequence[Game], *, seed: int = 0, n_jobs: int | None = None) -> Self:
        """Learn from honest games, each player's as one source, and from strategies.

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
            For no games.
        """
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

    def read(
        self,
        games: Iterable[Game],
        *,
        population: Population | None = None,
        without: Collection[str] = (),
        n_jobs: int | None = None,
    ) -> list[Reading]:
        """Games under people and programs.

        Parameters
        ----------
        games : iterable of Game
            With at least one fill each.
        population : Population or None
            None takes that of all players.
        without : collection of str
            Families of programs that are left out.
        n_jobs : int or None
            Threads; never changes a result.
        """
        from joblib import Parallel, delayed

        games = list(games)
        people = population or self.population
        work = Parallel(n_jobs=n_jobs or 1, prefer="threads", return_as="generator")
        puzzles = list({game.puzzle: None for game in games})
        listed = work(delayed(listed_places)(puzzle) for puzzle in puzzles)
        lists = dict(zip(puzzles, counted(listed, "puzzles", len(puzzles)), strict=True))
        found = work(
            delayed(read)(game, people, lists[game.puzzle], self.programs, without=without)
            for game in games
        )
        return list(counted(found, "games", len(games)))

    def audit(
        self,
        games: Iterable[Game],
        *,
        level: float = 0.01,
        history: Sequence[Game] = (),
        n_jobs: int | None = None,
    ) -> list[GameAudit]:
        """Judge games, all together.

        Parameters
        ----------
        games : iterable of Game
            Of Sudoku. Those with fewer than ten fills tell too little.
        level : float
            Wanted share of honest games among those that are called unlike a person.
        history : sequence of Game
            Earlier games, known to be honest, of the same players; see Notes.
        n_jobs : int or None
            Threads; never changes a result.

        Returns
        -------
        list of GameAudit
            In the order of the games.

        Raises
        ------
        ValueError
            For a level that is not between 0 and 1, or below 0.0001.

        Notes
        -----
        A p-value is the rank among the player's own earlier games where `history` has enough of
        them for the level, 99 for 0.01; fewer still tell the population who plays. Else it rests on
        the other players of the same puzzle where there are 20 in the log, or on the population
        alone.
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must be between 0 and 1, got {level!r}")
        if level < LEAST_P:
            raise ValueError(
                f"level must be at least {LEAST_P:g}, got {level!r}: no smaller p-value is stated, "
                "because no more honest games were ever checked"
            )
        games = list(games)
        own = self._own_standards(history, level, n_jobs)
        judged = [i for i, game in enumerate(games) if _can_be_judged(game)]
        readings: dict[int, Reading] = {}
        strangers = [i for i in judged if games[i].player not in own]
        acquainted = [[i for i in judged if games[i].player == player] for player in own]
        for chosen in filter(None, (strangers, *acquainted)):
            standard = own.get(games[chosen[0]].player)
            people = None if standard is None else standard.population
            found = self.read([games[i] for i in chosen], population=people, n_jobs=n_jobs)
            readings.update(zip(chosen, found, strict=True))
        log_odds = np.array([readings[i].suspects.log_odds() for i in judged])
        log_odds, standards = _by_field([games[i] for i in judged], log_odds)
        p_values = [p_value_of(value) for value in log_odds.tolist()]
        for place, i in enumerate(judged):
            standard = own.get(games[i].player)
            if standard is not None:
                n_known, least = standard.n_games, 1 / (1 + standard.n_games)
                standards[place] = f"{HISTORY}: {n_known} games, least p-value {least:.2g}"
                if len(standard.scores):
                    p_values[place] = rank_p_value(log_odds[place], standard.scores)
                else:
                    standards[place] = f"{OTHER_PEOPLE}, who know {n_known} games of the player"
        guilty = accused(log_odds, level)
        repeated = _notes_on_copies(games, judged, [readings[i] for i in judged])
        audits = [_unjudged(game) for game in games]
        for place, i in enumerate(judged):
            audits[i] = _judgement(
                games[i],
                readings[i],
                float(log_odds[place]),
                p_values[place],
                standards[place],
                bool(guilty[place]),
                level,
                len(judged),
                repeated[i],
            )
        return audits

    def players(self, audits: Sequence[GameAudit], *, level: float = 0.01) -> list[PlayerAudit]:
        """Players with several games, the strongest evidence first."""
        return players_of(audits, level=level)

    def _own_standards(
        self, history: Sequence[Game], level: float, n_jobs: int | None
    ) -> "dict[str, _OwnStandard]":
        """What is usual of each player with earlier games.

        Their scores come from a population that knows the player's other periods only; too few to
        show a p-value at the level have none.
        """
        by_player: dict[str, list[Game]] = defaultdict(list)
        for game in history:
            if _can_be_judged(game):
                by_player[game.player].append(game)
        found = {}
        for player, games in counted(by_player.items(), "players", len(by_player)):
            scores: list[float] = []
            if len(games) >= _PERIODS and 1 / (1 + len(games)) <= level:
                for held_out in np.array_split(np.arange(len(games)), _PERIODS):
                    rest = [game for i, game in enumerate(games) if i not in held_out]
                    readings = self.read(
                        [games[i] for i in held_out],
                        population=self.population.given(rest),
                        n_jobs=n_jobs,
                    )
                    scores += [reading.suspects.log_odds() for reading in readings]
            found[player] = _OwnStandard(self.population.given(games), len(games), np.array(scores))
        return found

    # ---------------------------------------------------------------- the auditor as a file

    def to_record(self) -> dict[str, Any]:
        """Everything that moves a verdict, for JSON."""
        kind = self.population.kind
        return {
            "order": self.population.to_record(),
            "audit": {"programs": [program.to_record(kind) for program in self.programs]},
        }

    @property
    def model_id(self) -> str:
        """Name of the data and a hash of everything that moves a verdict."""
        return identity(self.to_record(), self.provenance_)

    def to_json(self, path: str | Path | None = None) -> str:
        """The auditor as readable JSON; also written to `path` where one is given."""
        record = {
            "format": FORMAT,
            "model_id": self.model_id,
            "provenance": self.provenance_,
            **self.to_record(),
        }
        return written(record, path)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Rebuild an auditor from the text of its file; ValueError where it is none."""
        record = read_record(text)
        if "audit" not in record:
            raise ValueError("a model of fill orders without an audit: fit it again")
        with told_as("a file of an audit"):
            population = Population.from_record(record["order"])
            programs = [
                LearntProgram.from_record(entry, population.kind)
                for entry in record["audit"]["programs"]
            ]
            auditor = cls(population, programs)
            auditor.provenance_ = dict(record["provenance"])
        check_identity(record, auditor.model_id)
        return auditor


def load_auditor(path: str | Path | None = None) -> Auditor:
    """An auditor from its file, or the one shipped with nando.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not one.
    """
    return read_model(file_of(path), Auditor.from_json)


@dataclass(frozen=True)
class _OwnStandard:
    """A player's own games: the population that knows them, their number and scores."""

    population: Population
    n_games: int
    scores: NDArray[np.float64]


def _can_be_judged(game: Game) -> bool:
    known = isinstance(game.puzzle, Sudoku) and len(game.cells) >= LEAST_FILLS
    return known and not game.doubtful


def _by_field(
    games: Sequence[Game], log_odds: NDArray[np.float64]
) -> tuple[NDArray[np.float64], list[str]]:
    """Log odds less what is usual among the other players of a puzzle, and the standards."""
    groups: Mapping[int, list[int]] = defaultdict(list)
    for i, game in enumerate(games):
        assert isinstance(game.puzzle, Sudoku)
        groups[game.puzzle.equivalence_hash()].append(i)
    found = log_odds.copy()
    standards = [OTHER_PEOPLE] * len(games)
    for group in groups.values():
        for i in group:
            # The most suspicious game of each other player: two games are not two players.
            others: dict[str, float] = {}
            for j in group:
                player = games[j].player
                if player and player != games[i].player:
                    others[player] = max(others.get(player, -np.inf), log_odds[j])
            if len(others) < LEAST_FIELD:
                continue
            scores = np.array(list(others.values()))
            found[i] -= excess_of(scores)
            rank = 1 + int((scores >= log_odds[i]).sum())
            standards[i] = (
                f"{FIELD}: rank {rank} of {len(scores) + 1} players, least p-value of a rank "
                f"{1 / (len(scores) + 1):.2g}"
            )
    return found, standards


def _notes_on_copies(
    games: Sequence[Game], judged: Sequence[int], readings: Sequence[Reading]
) -> dict[int, list[str]]:
    """Sentences on games that repeat others, by the place of the game."""
    notes: dict[int, list[str]] = defaultdict(list)
    for copy in copies(readings):
        first, second = judged[copy.first], judged[copy.second]
        for i, other in ((first, games[second]), (second, games[first])):
            if len(notes[i]) < 3:
                notes[i].append(_copy_in_words(copy, other))
    return notes


def _copy_in_words(copy: Copy, other: Game) -> str:
    whose = f" of {other.player}" if other.player else ""
    disguise = ", on a disguised copy of the puzzle" if copy.disguised else ""
    alike = "" if np.isnan(copy.delays) else f"; their delays correlate by {copy.delays:.2f}"
    return (
        f"the same order as game {other.name}{whose} in {copy.n_same} of {copy.n_steps} steps"
        f"{disguise}, {odds_in_words(copy.log_odds)} likelier as a copy than by chance{alike}: one "
        "of the two, or both, were copied"
    )


def _unjudged(game: Game) -> GameAudit:
    why = "moves of two games" if game.doubtful else f"{len(game.cells)} fills"
    verdict = f"{TOO_LITTLE}: {why}"
    return GameAudit(game, 0, 1.0, 0.0, 0.0, 0.0, verdict, OTHER_PEOPLE, [], [])


def _judgement(
    game: Game,
    reading: Reading,
    log_odds: float,
    p_value: float,
    standard: str,
    guilty: bool,
    level: float,
    n_judged: int,
    repeated: list[str],
) -> GameAudit:
    weights = reading.suspects.ratios.max(axis=1)
    heaviest = np.argsort(-weights, kind="stable")[:5]
    against = guilty or p_value <= level or log_odds > _WORTH_TELLING
    return GameAudit(
        game,
        len(game.cells),
        p_value,
        log_odds,
        reading.suspects.log_odds(ORDER),
        reading.suspects.log_odds(TIMES),
        verdict_of(p_value, log_odds, level, guilty=guilty, n_games=n_judged),
        standard,
        [*repeated, *(sentences(reading) if against else [])],
        [
            (game.puzzle.cell_name(int(game.cells[i])), float(weights[i]))
            for i in heaviest
            if weights[i] > 0
        ],
        reading,
    )


def verdict_of(
    p_value: float, log_odds: float, level: float, *, guilty: bool, n_games: int = 1
) -> str:
    """The verdict in words; it never goes further than these.

    Parameters
    ----------
    p_value, log_odds : float
    level : float
    guilty : bool
        Whether the evidence stands among all games that were judged.
    n_games : int
        Number of these.
    """
    if guilty and p_value <= level:
        return f"unlike a person at the 1 in {round(1 / p_value):,} level"
    if p_value <= level:
        return f"{TOO_LITTLE}: 1 in {round(1 / p_value):,} by itself, but one of {n_games:,} games"
    return CONSISTENT if log_odds <= 0 else TOO_LITTLE


def players_of(audits: Sequence[GameAudit], *, level: float = 0.01) -> list[PlayerAudit]:
    """Players with several games, the strongest evidence first.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Wanted share of honest players among those who are called unlike a person.
    """
    games: dict[str, list[float]] = defaultdict(list)
    for audit in audits:
        if audit.game.player and audit.n_moves:
            games[audit.game.player].append(audit.log_odds)
    totals = np.array([sum(values) for values in games.values()])
    guilty = accused(totals, level)
    found = [
        PlayerAudit(
            player,
            len(games[player]),
            float(total),
            verdict_of(
                p_value_of(total), total, level, guilty=bool(is_guilty), n_games=len(games)
            ).replace(" games", " players"),
        )
        for player, total, is_guilty in zip(games, totals.tolist(), guilty.tolist(), strict=True)
        if len(games[player]) > 1
    ]
    return sorted(found, key=lambda player: -player.log_odds)
