"""Verdicts of an audit on games and players, and their words."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nando.checks import share
from nando.games.evidence.control import accused, p_value_of
from nando.games.evidence.reading import ORDER, TIMES, Reading
from nando.games.evidence.standards import OTHER_PEOPLE, is_known, is_timed
from nando.games.evidence.words import sentences
from nando.games.game import Game
from nando.games.said import Said, cell, figure, said, translated

CONSISTENT = said("verdict.consistent")
TOO_LITTLE = said("verdict.too_little")
BY_ORDER = said("note.by_order")

_WORTH_TELLING = float(np.log(10.0))
"""Log odds above which the evidence is stated for any verdict."""


@dataclass(frozen=True)
class GameAudit:
    """The audit of a game.

    Attributes
    ----------
    game : Game
    n_moves : int
        Number of judged fills; 0 if there are too few.
    p_value : float
        Probability that a person plays such a game, or one that is less like a person's.
    log_odds : float
        Natural logarithm of the odds of programs against people.
    order_odds, timing_odds : float
        The same for the order alone, and for the times alone.
    verdict : str
    standard : str
        Basis of the p-value, with the least value that it can show.
    evidence : list of str
        Sentences, the strongest evidence first.
    moves : list of (str, float)
        The fills that are the strongest evidence against a person: cell and log likelihood ratio.
    reading : Reading or None
        None if there are too few fills.
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
    reading: Reading | None = field(repr=False, compare=False, default=None)

    @property
    def unlike(self) -> bool:
        """True if the verdict is against a person."""
        return self.verdict.startswith("unlike")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was repaired or left out in the game, or cannot be judged."""
        by_order = is_known(self.game) and not is_timed(self.game)
        return (*self.game.notes, BY_ORDER) if by_order else self.game.notes

    @property
    def log10_odds(self) -> tuple[float, float, float]:
        """The exponents to base ten of the odds, the odds of the order, and those of the timing."""
        odds = np.array([self.log_odds, self.order_odds, self.timing_odds]) / np.log(10)
        whole, order, timing = odds.tolist()
        return whole, order, timing

    def row(self, language: str = "en") -> dict[str, Any]:
        """Return the audit as a row of a table, its sentences in a language."""

        def listed(texts: Sequence[str]) -> str:
            return "; ".join(translated(text, language) for text in texts)

        odds, order, timing = self.log10_odds
        return {
            "game": self.game.name,
            "player": self.game.player,
            "puzzle": self.game.puzzle.text,
            "moves": self.n_moves,
            "p_value": self.p_value,
            "log10_odds": round(odds, 2),
            "order_score": round(order, 2),
            "timing_score": round(timing, 2),
            "verdict": translated(self.verdict, language),
            "standard": translated(self.standard, language),
            "evidence": listed(self.evidence),
            "weighty_moves": " ".join(f"{name}:{weight:+.1f}" for name, weight in self.moves),
            "notes": listed(self.notes),
        }


@dataclass(frozen=True)
class PlayerAudit:
    """A player's games together.

    Attributes
    ----------
    player : str
    n_games : int
        Number of judged games.
    log_odds : float
        Log odds of all games; the e-values of several games multiply.
    verdict : str
    """

    player: str
    n_games: int
    log_odds: float
    verdict: str

    @property
    def unlike(self) -> bool:
        """True if the verdict is against a person."""
        return self.verdict.startswith("unlike")

    @property
    def p_value(self) -> float:
        """The p-value of all games together."""
        return p_value_of(self.log_odds)

    @property
    def log10_odds(self) -> float:
        """The exponent of the odds to base ten."""
        return self.log_odds / float(np.log(10))

    def row(self, language: str = "en") -> dict[str, Any]:
        """Return the verdict as a row of a table, its sentence in a language."""
        return {
            "player": self.player,
            "games": self.n_games,
            "p_value": self.p_value,
            "log10_odds": round(self.log10_odds, 2),
            "verdict": translated(self.verdict, language),
        }


def unjudged(game: Game) -> GameAudit:
    """Return an audit that states why the game was not judged."""
    why = said("evidence.why_fills", n=len(game.cells))
    if game.doubtful:
        why = said("evidence.why_two_games")
    if not is_known(game):
        why = said("evidence.why_kind", kind=game.puzzle.kind)
    verdict = said("verdict.unjudged", why=why)
    return GameAudit(game, 0, 1.0, 0.0, 0.0, 0.0, verdict, OTHER_PEOPLE, [], [])


def judgement(
    game: Game,
    reading: Reading,
    log_odds: float,
    p_value: float,
    standard: str,
    guilty: bool,
    level: float,
    n_judged: int,
    repeated: Sequence[str],
) -> GameAudit:
    """Return the audit of a game; `repeated` has the sentences on games in the same order."""
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
            (cell(game.puzzle, int(game.cells[i])), float(weights[i]))
            for i in heaviest
            if weights[i] > 0
        ],
        reading,
    )


def verdict_of(
    p_value: float,
    log_odds: float,
    level: float,
    *,
    guilty: bool,
    n_games: int = 1,
    of: str = "games",
) -> Said:
    """Return the verdict in words.

    Parameters
    ----------
    p_value, log_odds : float
    level : float
    guilty : bool
        Whether the evidence remains significant among all games that were judged.
    n_games : int
        Number of games that were judged.
    of : str
        ``games`` or ``players``, whichever were judged.
    """
    one_in = figure(round(1 / p_value), ",")
    if guilty and p_value <= level:
        return said("verdict.unlike", n=one_in)
    if p_value <= level:
        return said(f"verdict.one_of_{of}", n=one_in, all=figure(n_games, ","))
    return CONSISTENT if log_odds <= 0 else TOO_LITTLE


def players_of(audits: Sequence[GameAudit], *, level: float = 0.01) -> list[PlayerAudit]:
    """Return the players with several games, the strongest evidence first.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Largest expected share of honest players among those called unlike a person.
    """
    share("level", level)
    games: dict[str, list[float]] = defaultdict(list)
    for audit in audits:
        if audit.game.player and audit.n_moves:
            games[audit.game.player].append(audit.log_odds)
    totals = np.array([sum(values) for values in games.values()])
    guilty = accused(totals, level)
    players = [
        PlayerAudit(
            player,
            len(games[player]),
            float(total),
            verdict_of(
                p_value_of(total),
                total,
                level,
                guilty=bool(is_guilty),
                n_games=len(games),
                of="players",
            ),
        )
        for player, total, is_guilty in zip(games, totals.tolist(), guilty.tolist(), strict=True)
        if len(games[player]) > 1
    ]
    return sorted(players, key=lambda player: -player.log_odds)
