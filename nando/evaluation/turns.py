"""Evaluate predictions of the games of a stranger, one after another.

Each game is predicted from the player's earlier games by a population without the player, and
compared with the prediction of this population without any earlier game.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nando.arrays import Floats
from nando.checks import cores, whole
from nando.evaluation.scores import Report, Score, metric_row
from nando.evaluation.strangers import LeftOut, predicted_fills
from nando.games.game import Game
from nando.games.people.players import STRATEGIES, play
from nando.games.people.population import Population

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
_HEADING = (
    "Games in turn, each predicted from the player's earlier games; the player is left out of the "
    "population; [95 % interval]"
)

Run = Sequence[Game]
"""Games in the order of play."""


def evaluate_in_turn(left_out: LeftOut, *, n_jobs: int | None = None, seed: int = 0) -> Report:
    """Evaluate predictions of the next cells of strangers from game to game.

    Each person counts as a stranger at up to 12 places of the log, and one player of each strategy
    once.

    Parameters
    ----------
    left_out : LeftOut
    n_jobs : int or None
        Threads; never changes a result.
    seed : int
    """
    from joblib import Parallel, delayed

    whole("seed", seed, 0)
    cores(n_jobs)
    met = [
        (name, left_out.population(name), run)
        for name in sorted(left_out.sources, key=lambda name: (name not in left_out.real, name))
        for run in _runs(left_out, name, seed)
    ]
    tables = Parallel(n_jobs=n_jobs or 1, prefer="threads")(
        delayed(_scores_in_turn)(population, run) for _, population, run in met
    )
    by_name: dict[str, list[Floats]] = {}
    for (name, _, _), table in zip(met, tables, strict=True):
        by_name.setdefault(name, []).append(table)
    rows: list[dict[str, Any]] = []
    for name, runs in by_name.items():
        rows += _rows(name, runs, _EARLIER if name in left_out.real else _WHOLE, seed)
    simulated = [run for name, runs in by_name.items() if name not in left_out.real for run in runs]
    if simulated:
        rows += _rows("all strategies", simulated, _EARLIER, seed)
    return Report(rows, {"in turn": _HEADING})


def _runs(left_out: LeftOut, name: str, seed: int) -> Iterator[Run]:
    """Yield the games of a stranger in the order in which they are predicted."""
    if name in left_out.real:
        games = left_out.sources[name]
        count = max(1, min(_MOST_RUNS, len(games) // _LENGTH))
        for first in np.linspace(0, max(0, len(games) - _LENGTH), count).astype(int):
            yield games[first : first + _LENGTH]
        return
    rng = np.random.default_rng([seed, list(STRATEGIES).index(name)])
    player = STRATEGIES[name](rng)
    chosen = rng.choice(len(left_out.puzzles), _LENGTH).tolist()
    yield [play(left_out.puzzles[i], player, rng) for i in chosen]


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
        for i, metric in enumerate(_METRICS):
            score = Score.of(float(value[i]), draws[:, i])
            yield metric_row("in turn", subject, metric, score.value, score.low, score.high)


_METRICS = (
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
