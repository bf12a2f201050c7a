"""Evaluate an audit: the cheats it detects and the honest players it accuses.

The player of the log is excluded from the population that judges, so the honest games are those of
a stranger. Every adversary is judged twice, the second time by an audit that does not know the
programs of its family.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nando.checks import cores, whole
from nando.evaluation.scores import metric_row
from nando.evaluation.strangers import LEVEL, LeftOut
from nando.games.audit import Auditor
from nando.games.evidence.control import p_value_of
from nando.games.evidence.standards import HISTORY
from nando.games.evidence.verdicts import GameAudit
from nando.games.game import Game
from nando.games.people.playing import play
from nando.games.people.population import Population
from nando.games.people.strategies import STRATEGIES
from nando.games.programs.adversaries import ADVERSARIES
from nando.games.programs.learnt import LearntProgram
from nando.puzzles import Sudoku

LENGTHS = (10, 20, 30)
"""Number of first fills judged as a game that has just begun."""
TOGETHER = 5
"""Games of one player that are judged together."""
_PLAYERS = 200
_CHEATS = 10
_TESTED = 60


@dataclass(frozen=True)
class Detection:
    """How often the games of one adversary are detected.

    Attributes
    ----------
    adversary, family : str
    detected : dict of str to float
        Share with a p-value of at most 0.01 among the first fills, whole games, five games of one
        player together, and whole games judged by an audit that does not know the family.
    """

    adversary: str
    family: str
    detected: Mapping[str, float]


@dataclass(frozen=True)
class Contest:
    """A contest of players of mixed strategies, some of them cheats."""

    n_players: int
    n_cheats: int
    found: int
    accused_falsely: int


@dataclass(frozen=True)
class AuditEvaluation:
    """How many cheats an audit detects, and how many honest games it accuses.

    Attributes
    ----------
    detections : list of Detection
    contest : Contest
    own_history : dict of float to float
        Share of the later games of the log's player with a p-value of at most each level, judged by
        the earlier ones.
    n_games : int
        Games of each adversary.
    """

    detections: Sequence[Detection]
    contest: Contest
    own_history: Mapping[float, float]
    n_games: int

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per adversary and measure, and those of the contest and the history."""
        contest = self.contest
        of = f"{contest.n_cheats} of {contest.n_players}"
        return [
            *(
                metric_row("detected", detection.adversary, f"p <= 0.01, {what}", share)
                for detection in self.detections
                for what, share in detection.detected.items()
            ),
            metric_row("contest", of, "found", contest.found),
            metric_row("contest", of, "falsely accused", contest.accused_falsely),
            *(
                metric_row(HISTORY, "honest", f"share with p <= {level:g}", share)
                for level, share in self.own_history.items()
            ),
        ]

    def page(self) -> str:
        """Return all results as text."""
        heads = list(self.detections[0].detected)
        lines = [
            f"Cheats found at p <= 0.01 by an audit to which the honest player is a stranger, "
            f"{self.n_games} games each",
            f"{'':34}" + "".join(f"{head:>18}" for head in heads),
        ]
        lines += [
            f"{detection.adversary:34}"
            + "".join(f"{100 * share:16.0f} %" for share in detection.detected.values())
            for detection in self.detections
        ]
        contest = self.contest
        own = ", ".join(
            f"{100 * share:.1f} % at {level:g}" for level, share in self.own_history.items()
        )
        lines += [
            "",
            f"A contest of {contest.n_players} players on one puzzle, {contest.n_cheats} of them "
            f"cheats: {contest.found} found, {contest.accused_falsely} accused falsely",
            f"Later games of the log's player, judged by the earlier ones: {own}",
        ]
        return "\n".join(lines)


def evaluate_audit(
    games: Sequence[Game],
    left_out: LeftOut,
    programs: Sequence[LearntProgram],
    *,
    n_jobs: int | None = None,
    seed: int = 0,
) -> AuditEvaluation:
    """Measure the audit: adversaries play the puzzles of honest games.

    Parameters
    ----------
    games : sequence of Game
        Honest games of one player, in the order in which they were played.
    left_out : LeftOut
        Populations fitted to these games.
    programs : sequence of LearntProgram
    n_jobs : int or None
        Threads; never changes a result.
    seed : int
    """
    whole("seed", seed, 0)
    cores(n_jobs)
    auditor = Auditor(left_out.population(games[0].player or "unnamed"), programs)
    base = games[:: max(1, len(games) // _TESTED)][:_TESTED]
    detections = [
        _detection(auditor, name, base, n_jobs, seed)
        for name in ADVERSARIES
        if name != "relabelled replay"
    ]
    return AuditEvaluation(
        detections,
        _contest(auditor, base, n_jobs, seed),
        _own_history(auditor.population, programs, games, n_jobs),
        len(base),
    )


def _detection(
    auditor: Auditor, name: str, base: Sequence[Game], n_jobs: int | None, seed: int
) -> Detection:
    adversary = ADVERSARIES[name]
    rng = np.random.default_rng(seed)
    cheats = [adversary.make(game, rng) for game in base]
    whole = _log_odds(auditor, cheats, n_jobs)
    together = [part.sum() for part in np.array_split(whole, max(1, len(whole) // TOGETHER))]
    detected = {
        f"{length} fills": _share(_log_odds(auditor, [_begun(g, length) for g in cheats], n_jobs))
        for length in LENGTHS
    }
    unheard = auditor.read(cheats, without=[adversary.family], n_jobs=n_jobs)
    return Detection(
        name,
        adversary.family,
        {
            **detected,
            "whole game": _share(whole),
            f"{TOGETHER} games": _share(np.array(together)),
            "family unknown": _share(np.array([r.suspects.log_odds() for r in unheard])),
        },
    )


def _log_odds(auditor: Auditor, games: Sequence[Game], n_jobs: int | None) -> Any:
    return np.array([r.suspects.log_odds() for r in auditor.read(games, n_jobs=n_jobs)])


def _share(log_odds: Any) -> float:
    return float(np.mean([p_value_of(value) <= LEVEL for value in log_odds]))


def _begun(game: Game, length: int) -> Game:
    from dataclasses import replace

    waits = None if game.waits is None else game.waits[:length]
    return replace(game, cells=game.cells[:length], seconds=game.seconds[:length], waits=waits)


def _contest(auditor: Auditor, base: Sequence[Game], n_jobs: int | None, seed: int) -> Contest:
    """Return the players of all strategies on one puzzle; the cheats use one adversary each."""
    rng = np.random.default_rng(seed)
    puzzle = base[0].puzzle
    assert isinstance(puzzle, Sudoku)
    strategies = list(STRATEGIES.values())
    games = [
        play(puzzle, strategies[i % len(strategies)](rng), rng, name=str(i), account=f"player {i}")
        for i in range(_PLAYERS)
    ]
    whole = [adversary for name, adversary in ADVERSARIES.items() if name in WHOLE_GAME_PROGRAMS]
    for i in range(_CHEATS):
        games[i] = whole[i % len(whole)].make(games[i], rng)
    audits: list[GameAudit] = auditor.audit(games, n_jobs=n_jobs)
    unlike = np.array([audit.unlike for audit in audits])
    return Contest(_PLAYERS, _CHEATS, int(unlike[:_CHEATS].sum()), int(unlike[_CHEATS:].sum()))


WHOLE_GAME_PROGRAMS = (
    "row by row",
    "row by row, human delays",
    "random",
    "fewest candidates",
    "brute force",
    "SiSuS, constant delays",
    "first single",
    "nearest single",
    "logic ladder, human-like delays",
    "logic ladder with jitter",
)
"""The cheats of the contest."""


def _own_history(
    stranger: Population,
    programs: Sequence[LearntProgram],
    games: Sequence[Game],
    n_jobs: int | None,
) -> dict[float, float]:
    """Judge the last third of the games by a population that knows the first two thirds."""
    cut = 2 * len(games) // 3
    audits = Auditor(stranger, programs).audit(games[cut:], history=games[:cut], n_jobs=n_jobs)
    p_values = np.array([audit.p_value for audit in audits if audit.n_moves])
    return {level: float((p_values <= level).mean()) for level in (0.01, 0.05)}
