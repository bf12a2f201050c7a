"""Verdicts of an audit on games and players, their words, and the control of false alarms.

The likelihood ratio of programs to people is an e-value: over honest games its mean is at most 1,
so it exceeds 100 in at most one of a hundred. E-values of independent games multiply, and the
procedure of Benjamini and Hochberg is valid for dependent e-values (Wang and
Ramdas, Journal of the Royal Statistical Society B 84:822, 2022).

The standard of a game is the population, the field of its puzzle, or the player's history.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import share
from nando.games.evidence.reading import ENTERED, HAND, STEPS, Reading
from nando.games.evidence.words import against_a_person, entering
from nando.games.game import Game
from nando.games.kinds import KINDS
from nando.games.said import Said, cell, figure, join, say, say_counted, translate

MOST_LOG = 600.0
LEAST_P = 1e-4
"""No smaller p-value is stated: nobody has checked more than some thousand honest games."""

TRIMMED = 0.1
"""Share of a field's most suspicious games that is excluded when its usual value is computed."""


def check_level(level: float) -> None:
    """Raise ValueError unless a level is one that the stated p-values can reach."""
    share("level", level)
    if level < LEAST_P:
        raise ValueError(
            f"level must be at least {LEAST_P:g}, got {level!r}: no smaller p-value is stated, "
            "because no more honest games were ever checked"
        )


def select_accused(log_odds: Floats, level: float) -> NDArray[np.bool_]:
    """Select the hypotheses that the e-BH procedure rejects.

    Parameters
    ----------
    log_odds : ndarray of float64, shape (n,)
        Logarithms of e-values.
    level : float
        Expected share of honest games among the rejected hypotheses.

    Examples
    --------
    >>> select_accused(np.log([1e6, 350.0, 2.0]), 0.01).tolist()
    [True, True, False]
    """
    n = len(log_odds)
    if not n:
        return np.zeros(0, bool)
    ordered = np.sort(log_odds)[::-1]
    enough = ordered >= np.log(n / level) - np.log(np.arange(1, n + 1))
    if not enough.any():
        return np.zeros(n, bool)
    return np.asarray(log_odds >= ordered[np.flatnonzero(enough)[-1]])


def p_value_of(log_odds: float) -> float:
    """Return the p-value of an e-value, which is its inverse by Markov's inequality."""
    return float(min(1.0, max(LEAST_P, np.exp(-min(log_odds, MOST_LOG)))))


def excess_of(others: Floats) -> float:
    """Return the excess of a field's games over the resemblance to a program of honest games.

    This is the logarithm of the mean e-value of the others without the most suspicious tenth, but
    at least 0. It is 0 for people like those of the population.
    """
    kept = np.sort(others)[: int(np.ceil((1 - TRIMMED) * len(others)))]
    return max(0.0, float(np.log(np.mean(np.exp(np.minimum(kept, 50.0))))))


def rank_p_value(own: float, others: Floats) -> float:
    """Return the conformal p-value: the rank of a game among exchangeable games."""
    return float((1 + np.count_nonzero(others >= own)) / (1 + len(others)))


OTHER_PEOPLE = say("standard.people")
FIELD = say("standard.field")
HISTORY = say("standard.history")

LEAST_FILLS = 10
LEAST_FIELD = 20
"""Fewest other players on the same puzzle who can serve as a standard."""


def name_of(standard: str) -> str:
    """Return the name of a standard, without the least p-value that it can show."""
    if isinstance(standard, Said) and standard.key in ("standard.ranked", "standard.known"):
        return cast(Said, standard.fields["standard"])
    return standard


def can_be_judged(game: Game) -> bool:
    """Return True if a game is a single one with enough fills, of a kind with known players."""
    return is_known(game) and len(game.cells) >= LEAST_FILLS and not game.doubtful


def is_known(game: Game) -> bool:
    """Return True if people and programs are known for the kind of puzzle."""
    kind = KINDS.get(game.puzzle.kind)
    return kind is not None and kind.programs is not None


def is_timed(game: Game) -> bool:
    """Return True if people's times for the kind of puzzle are known."""
    return is_known(game) and KINDS[game.puzzle.kind].has_times


def notes_on_kinds(games: Sequence[Game]) -> list[Said]:
    """Return sentences on the kinds of puzzle that are judged by the order alone."""
    untimed = Counter(game.puzzle.kind for game in games if is_known(game) and not is_timed(game))
    return [
        say(
            "note.n_by_order",
            kind=say(f"kind.{kind}"),
            n=figure(n, ","),
            all=figure(len(games), ","),
        )
        for kind, n in untimed.items()
    ]


def by_field(games: Sequence[Game], log_odds: Floats) -> tuple[Floats, list[Said]]:
    """Return the log odds minus the usual value of a puzzle's other players, and the standards."""
    groups: Mapping[int, list[int]] = defaultdict(list)
    for i, game in enumerate(games):
        groups[game.puzzle.equivalence_hash()].append(i)
    combined = log_odds.copy()
    standards = [OTHER_PEOPLE] * len(games)
    for group in groups.values():
        for i in group:
            # Use the most suspicious game of each other player, so that each player counts once.
            others: dict[str, float] = {}
            for j in group:
                player = games[j].player
                if player and player != games[i].player:
                    others[player] = max(others.get(player, -np.inf), log_odds[j])
            if len(others) < LEAST_FIELD:
                continue
            scores = np.array(list(others.values()))
            combined[i] -= excess_of(scores)
            rank = 1 + int((scores >= log_odds[i]).sum())
            standards[i] = say(
                "standard.ranked",
                standard=FIELD,
                rank=rank,
                all=len(scores) + 1,
                least=figure(1 / (len(scores) + 1), ".2g"),
            )
    return combined, standards


CONSISTENT = say("verdict.consistent")
TOO_LITTLE = say("verdict.too_little")
BY_ORDER = say("note.by_order")

_UNREMARKABLE = 0.1
"""Least p-value of a game that is consistent with a person."""


class Finding(StrEnum):
    """What an audit found, the same in every language."""

    PERSON = "person"
    """Consistent with a person."""
    UNDECIDED = "undecided"
    """Too little to tell."""
    ENTERED = "entered"
    """Entered from a finished solution: a fact about entering, not about who solved."""
    OFF_SCREEN = "off screen"
    """The same, where the rules say that puzzles are solved on the screen."""
    UNLIKE = "unlike"
    """Unlike a person."""

    @property
    def accuses(self) -> bool:
        """True if the finding is against the player."""
        return self in (Finding.UNLIKE, Finding.OFF_SCREEN)

    @property
    def is_entered(self) -> bool:
        """True if a finished solution was entered, whether the rules allow it or not."""
        return self in (Finding.ENTERED, Finding.OFF_SCREEN)


@dataclass(frozen=True)
class GameAudit:
    """The audit of a game.

    Attributes
    ----------
    game : Game
    n_moves : int
        Number of judged fills; 0 if there are too few.
    p_value : float
        Probability that a person, on the screen or on paper, plays such a game, or one that is less
        like a person's.
    log_odds : float
        Natural logarithm of the odds against a person, on the screen or on paper.
    order_odds, timing_odds : float
        The same for a solver's steps alone, and for a hand faster than fingers alone.
    entered_p_value : float
        Probability that somebody who finds the cells one by one on the screen enters them like
        this.
    entered_odds : float
        Natural logarithm of the odds that a finished solution was entered. Where the rules demand
        the screen, steps of a solver count as well.
    finding : Finding
    verdict : str
        The finding in words.
    standard : str
        Basis of the p-value, with the least value that it can show.
    evidence : list of str
        Sentences, the strongest evidence first.
    moves : list of (str, float)
        The fills that are the strongest evidence for the finding: cell and log likelihood ratio.
    reading : Reading or None
        None if there are too few fills.
    """

    game: Game
    n_moves: int = 0
    p_value: float = 1.0
    log_odds: float = 0.0
    order_odds: float = 0.0
    timing_odds: float = 0.0
    entered_p_value: float = 1.0
    entered_odds: float = 0.0
    finding: Finding = Finding.UNDECIDED
    verdict: str = TOO_LITTLE
    standard: str = OTHER_PEOPLE
    evidence: list[str] = field(default_factory=list)
    moves: list[tuple[str, float]] = field(default_factory=list)
    reading: Reading | None = field(repr=False, compare=False, default=None)

    @property
    def unlike(self) -> bool:
        """True if the game is unlike a person's."""
        return self.finding == Finding.UNLIKE

    @property
    def notes(self) -> tuple[str, ...]:
        """What was repaired or left out in the game, or cannot be judged."""
        by_order = is_known(self.game) and not is_timed(self.game)
        return (*self.game.notes, BY_ORDER) if by_order else self.game.notes

    @property
    def log10_odds(self) -> tuple[float, float, float, float]:
        """The exponents to base ten of the odds, of steps alone, a hand alone, and of entering."""
        odds = [self.log_odds, self.order_odds, self.timing_odds, self.entered_odds]
        unlike, order, timing, entered = (np.array(odds) / np.log(10)).tolist()
        return unlike, order, timing, entered

    def row(self, language: str = "en") -> dict[str, Any]:
        """Return the audit as a row of a table, its sentences in a language."""
        odds, order, timing, entered = self.log10_odds
        return {
            "game": self.game.name,
            "player": self.game.player,
            "puzzle": self.game.puzzle.text,
            "moves": self.n_moves,
            "finding": str(self.finding),
            "p_value": self.p_value,
            "log10_odds": round(odds, 2),
            "order_score": round(order, 2),
            "timing_score": round(timing, 2),
            "entered_p_value": self.entered_p_value,
            "entered_log10_odds": round(entered, 2),
            "verdict": translate(self.verdict, language),
            "standard": translate(self.standard, language),
            "evidence": join(self.evidence, language),
            "weighty_moves": " ".join(f"{name}:{weight:+.1f}" for name, weight in self.moves),
            "notes": join(self.notes, language),
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
        Log odds of all games against a person; the e-values of several games multiply.
    entered_odds : float
        Log odds of all games that finished solutions were entered.
    finding : Finding
    verdict : str
        The finding in words.
    """

    player: str
    n_games: int
    log_odds: float
    entered_odds: float
    finding: Finding
    verdict: str

    @property
    def unlike(self) -> bool:
        """True if the games together are unlike a person's."""
        return self.finding == Finding.UNLIKE

    @property
    def p_value(self) -> float:
        """The p-value of all games together."""
        return p_value_of(self.log_odds)

    @property
    def log10_odds(self) -> float:
        """The exponent of the odds to base ten."""
        return self.log_odds / float(np.log(10))

    @property
    def entered_log10_odds(self) -> float:
        """The exponent of the odds of entered solutions to base ten."""
        return self.entered_odds / float(np.log(10))

    def row(self, language: str = "en") -> dict[str, Any]:
        """Return the verdict as a row of a table, its sentence in a language."""
        return {
            "player": self.player,
            "games": self.n_games,
            "finding": str(self.finding),
            "p_value": self.p_value,
            "log10_odds": round(self.log10_odds, 2),
            "entered_p_value": p_value_of(self.entered_odds),
            "entered_log10_odds": round(self.entered_log10_odds, 2),
            "verdict": translate(self.verdict, language),
        }


class Verdict(NamedTuple):
    """A finding and its words."""

    finding: Finding
    words: Said


def unjudged(game: Game) -> GameAudit:
    """Return an audit that states why the game was not judged."""
    why = say_counted("evidence.why_fills", len(game.cells))
    if game.doubtful:
        why = say("evidence.why_two_games")
    if not is_known(game):
        why = say("evidence.why_kind", kind=game.puzzle.kind)
    return GameAudit(game, verdict=say("verdict.unjudged", why=why))


def judgement(
    reading: Reading,
    log_odds: float,
    p_value: float,
    standard: str,
    entered_odds: float,
    verdict: Verdict,
    repeated: Sequence[str],
    pleas: Sequence[str],
) -> GameAudit:
    """Return the audit of a game.

    Parameters
    ----------
    reading : Reading
    log_odds, p_value : float
        Against a person, by the standard.
    standard : str
    entered_odds : float
        That a finished solution was entered, or that the game was not solved on the screen.
    verdict : Verdict
    repeated : sequence of str
        Sentences on games in the same order.
    pleas : sequence of str
        What speaks for somebody who entered a finished solution.
    """
    game, entered = reading.game, verdict.finding.is_entered
    on_screen = verdict.finding == Finding.OFF_SCREEN
    claims: tuple[str, ...] = (STEPS, HAND)
    if entered:
        claims = (ENTERED, STEPS) if on_screen else (ENTERED,)
    weights = reading.suspects.ratios[:, np.isin(reading.suspects.claim, claims)].max(axis=1)
    heaviest = np.argsort(-weights, kind="stable")[:5]
    evidence = list(repeated)
    if entered:
        evidence += [*entering(reading, on_screen=on_screen), *pleas]
    elif verdict.finding != Finding.PERSON:
        evidence += against_a_person(reading)
    return GameAudit(
        game,
        len(game.cells),
        p_value,
        log_odds,
        reading.steps_odds,
        reading.hand_odds,
        p_value_of(entered_odds),
        entered_odds,
        verdict.finding,
        verdict.words,
        standard,
        evidence,
        [
            (cell(game.puzzle, int(game.cells[i])), float(weights[i]))
            for i in heaviest
            if weights[i] > 0
        ],
        reading,
    )


def verdict_of(
    p_value: float,
    entered_p_value: float,
    level: float,
    *,
    guilty: bool,
    entered: bool,
    on_screen: bool = False,
    n_games: int = 1,
    of: str = "games",
) -> Verdict:
    """Return the finding and its words.

    Parameters
    ----------
    p_value : float
        Against a person, on the screen or on paper.
    entered_p_value : float
        Against somebody who finds the cells one by one on the screen.
    level : float
    guilty, entered : bool
        Whether the evidence for each remains significant among all games that were judged.
    on_screen : bool
        Whether the rules say that puzzles are solved on the screen.
    n_games : int
        Number of games that were judged.
    of : str
        ``games`` or ``players``, whichever were judged.
    """
    one_in = figure(round(1 / p_value), ",")
    if guilty and p_value <= level:
        return Verdict(Finding.UNLIKE, say("verdict.unlike", n=one_in))
    if entered and on_screen:
        n = figure(round(1 / entered_p_value), ",")
        return Verdict(Finding.OFF_SCREEN, say("verdict.off_screen", n=n))
    if entered:
        return Verdict(Finding.ENTERED, say("verdict.entered"))
    if p_value <= level:
        words = say(f"verdict.one_of_{of}", n=one_in, all=figure(n_games, ","))
        return Verdict(Finding.UNDECIDED, words)
    if p_value >= _UNREMARKABLE:
        return Verdict(Finding.PERSON, CONSISTENT)
    return Verdict(Finding.UNDECIDED, TOO_LITTLE)


def verdicts_of(
    log_odds: Floats,
    entered_odds: Floats,
    level: float,
    *,
    p_values: Sequence[float] | None = None,
    may_be_entered: Sequence[bool] | None = None,
    on_screen: bool = False,
    of: str = "games",
) -> list[Verdict]:
    """Return the findings on games or players that are judged together, and their words.

    Parameters
    ----------
    log_odds, entered_odds : ndarray of float64, shape (n,)
        Against a person, and against somebody who finds the cells one by one on the screen.
    level : float
        Largest expected share of honest ones among those called unlike a person.
    p_values : sequence of float or None
        Against a person; None for those of the odds.
    may_be_entered : sequence of bool or None
        Whether each can be called entered; None if all can.
    on_screen, of
        As in :func:`verdict_of`.
    """
    n = len(log_odds)
    guilty, entered = select_accused(log_odds, level), select_accused(entered_odds, level)
    if may_be_entered is not None:
        entered &= np.array(may_be_entered, bool)
    return [
        verdict_of(
            p_value_of(log_odds[i]) if p_values is None else p_values[i],
            p_value_of(entered_odds[i]),
            level,
            guilty=bool(guilty[i]),
            entered=bool(entered[i]),
            on_screen=on_screen,
            n_games=n,
            of=of,
        )
        for i in range(n)
    ]


def players_of(
    audits: Sequence[GameAudit], *, level: float = 0.01, on_screen: bool = False
) -> list[PlayerAudit]:
    """Return the players with several games, the strongest evidence first.

    Parameters
    ----------
    audits : sequence of GameAudit
    level : float
        Largest expected share of honest players among those called unlike a person.
    on_screen : bool
        Whether the rules say that puzzles are solved on the screen.
    """
    share("level", level)
    games: dict[str, list[GameAudit]] = defaultdict(list)
    for audit in audits:
        if audit.game.player and audit.n_moves:
            games[audit.game.player].append(audit)
    unlike = np.array([sum(audit.log_odds for audit in own) for own in games.values()])
    typed = np.array([sum(audit.entered_odds for audit in own) for own in games.values()])
    verdicts = verdicts_of(unlike, typed, level, on_screen=on_screen, of="players")
    players = [
        PlayerAudit(player, len(own), float(unlike[i]), float(typed[i]), *verdicts[i])
        for i, (player, own) in enumerate(games.items())
        if len(own) > 1
    ]
    return sorted(players, key=lambda player: (-player.finding.accuses, -player.log_odds))
