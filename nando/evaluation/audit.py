"""Evaluate an audit: the cheats it detects and the honest players it accuses.

The player of the log is excluded from the population that judges, so the honest games are those of
a stranger. Both are played in every honest way, on the screen and on paper. Every adversary is
judged twice, the second time by an audit that does not know the programs of its family.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nando.checks import cores, whole
from nando.evaluation.scores import Report, metric_row
from nando.evaluation.strangers import LEVEL, WithoutPlayer
from nando.games.audit import Auditor
from nando.games.evidence.reading import LearntProgram, Reading
from nando.games.evidence.verdicts import HISTORY, p_value_of
from nando.games.evidence.ways import ADVERSARIES, HONEST, Way
from nando.games.game import Game
from nando.games.people.players import STRATEGIES, play
from nando.games.people.population import Population
from nando.puzzles import Sudoku

LENGTHS = (10, 20, 30)
"""Numbers of first fills that are judged as an unfinished game."""
TOGETHER = 6
"""Games of one player that are judged together."""
UNLIKE, ENTERED, OFF_SCREEN = "unlike a person", "entered", "not on the screen"
"""What an audit says; the last one only where the rules demand the screen."""
_PLAYERS = 200
_CHEATS = 10
_TESTED = 60


_HEADINGS = {
    "honest": "Honest ways of playing, of a stranger and of simulated players: shares at p <= 0.01",
    "detected": "Cheats found by an audit to which the honest player is a stranger",
    "contest": "A contest of players on one puzzle, some of them cheats",
    HISTORY: "Later games of the log's player, judged by the earlier ones",
}


def evaluate_audit(
    games: Sequence[Game],
    without: WithoutPlayer,
    programs: Sequence[LearntProgram],
    *,
    n_jobs: int | None = None,
    seed: int = 0,
) -> Report:
    """Evaluate the audit on honest games and on adversaries that play the same puzzles.

    Parameters
    ----------
    games : sequence of Game
        Honest games of one player, in the order in which they were played.
    without : WithoutPlayer
        Populations fitted to these games.
    programs : sequence of LearntProgram
    n_jobs : int or None
        Threads; never changes a result.
    seed : int
    """
    whole("seed", seed, 0)
    cores(n_jobs)
    auditor = Auditor(without.population(games[0].player or "unnamed"), programs)
    base = games[:: max(1, len(games) // _TESTED)][:_TESTED]
    rows = [
        metric_row("honest", f"{way}, {who}", case, share)
        for who, played in (("real", base), ("simulated", _simulate(base, seed)))
        for way, make in HONEST.items()
        for case, share in _shares(_read(auditor, _play(make, played, seed), n_jobs)).items()
    ]
    rows += [
        metric_row("detected", name, f"p <= 0.01, {case}", share)
        for name in ADVERSARIES
        if name != "relabelled replay"
        for case, share in _detect(auditor, name, base, n_jobs, seed).items()
    ]
    rows += _contest(auditor, base, n_jobs, seed)
    rows += _own_history(auditor.population, programs, games, n_jobs)
    return Report(rows, _HEADINGS)


def _play(make: Way, games: Sequence[Game], seed: int) -> list[Game]:
    """Return the games as if they had been played in a way."""
    seeds = np.random.SeedSequence(seed).spawn(len(games))
    return [make(game, np.random.default_rng(own)) for game, own in zip(games, seeds, strict=True)]


def _simulate(base: Sequence[Game], seed: int) -> list[Game]:
    """Return a game of a new player on each puzzle, of every strategy in turn."""
    rng = np.random.default_rng(seed)
    draws = list(STRATEGIES.values())
    return [
        play(game.puzzle, draws[i % len(draws)](rng), rng)
        for i, game in enumerate(base)
        if isinstance(game.puzzle, Sudoku)
    ]


def _read(
    auditor: Auditor, games: Sequence[Game], n_jobs: int | None, without: Sequence[str] = ()
) -> list[Reading]:
    return auditor.read(games, without=without, n_jobs=n_jobs)


def _shares(readings: Sequence[Reading]) -> dict[str, float]:
    """Return the shares of single games, and of several games together, that an audit doubts."""
    odds_of = {
        UNLIKE: np.array([reading.log_odds for reading in readings]),
        ENTERED: np.array([reading.entered_odds for reading in readings]),
        OFF_SCREEN: np.array([reading.off_screen_odds for reading in readings]),
    }
    parts = np.array_split(np.arange(len(readings)), max(1, len(readings) // TOGETHER))
    shares = {}
    for said, odds in odds_of.items():
        shares[f"{said}, whole game"] = _share(odds)
        together = np.array([odds[part].sum() for part in parts])
        shares[f"{said}, {TOGETHER} games"] = _share(together)
    return shares


def _detect(
    auditor: Auditor, name: str, base: Sequence[Game], n_jobs: int | None, seed: int
) -> dict[str, float]:
    """Return the share of an adversary's games that are detected, by the judged part of a game."""
    adversary = ADVERSARIES[name]
    rng = np.random.default_rng(seed)
    cheats = [adversary.make(game, rng) for game in base]
    detected = {}
    for length in LENGTHS:
        begun = _read(auditor, [_begin(game, length) for game in cheats], n_jobs)
        detected[f"{length} fills"] = _share(np.array([reading.log_odds for reading in begun]))
    unheard = _read(auditor, cheats, n_jobs, without=[adversary.family])
    return {
        **detected,
        **_shares(_read(auditor, cheats, n_jobs)),
        "family unknown": _share(np.array([reading.log_odds for reading in unheard])),
    }


def _share(log_odds: Any) -> float:
    return float(np.mean([p_value_of(value) <= LEVEL for value in log_odds]))


def _begin(game: Game, length: int) -> Game:
    waits = None if game.waits is None else game.waits[:length]
    return replace(game, cells=game.cells[:length], seconds=game.seconds[:length], waits=waits)


def _contest(
    auditor: Auditor, base: Sequence[Game], n_jobs: int | None, seed: int
) -> Iterator[dict[str, Any]]:
    """Simulate players of all strategies on one puzzle; each cheat uses one adversary.

    The rules demand the screen, so that typed solutions are found as well.
    """
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
    audits = auditor.audit(games, on_screen=True, n_jobs=n_jobs)
    unlike = np.array([audit.finding.accuses for audit in audits])
    of = f"{_CHEATS} of {_PLAYERS}"
    yield metric_row("contest", of, "found", int(unlike[:_CHEATS].sum()))
    yield metric_row("contest", of, "falsely accused", int(unlike[_CHEATS:].sum()))


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
) -> Iterator[dict[str, Any]]:
    """Judge the last third of the games by a population fitted to the first two thirds."""
    cut = 2 * len(games) // 3
    audits = Auditor(stranger, programs).audit(games[cut:], history=games[:cut], n_jobs=n_jobs)
    p_values = np.array([audit.p_value for audit in audits if audit.n_moves])
    for level in (0.01, 0.05):
        share = float((p_values <= level).mean())
        yield metric_row(HISTORY, "honest", f"share with p <= {level:g}", share)
