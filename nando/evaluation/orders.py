"""Evaluate predictors of fill orders on games held out at random and by date, with intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import cores, whole
from nando.evaluation.scores import Report, Score, metric_row, pearson, spearman
from nando.games.game import Game
from nando.games.orders import FillOrder, ListOrder, baseline_orders
from nando.games.people.population import Population
from nando.rating.fitting.estimator import grouped_folds

METRICS = ("top 1", "top 3", "top 5", "perplexity", "Pearson", "Spearman")
"""Share of fills among the likeliest 1, 3, 5 cells; exponential of the mean negative log
probability of a fill; mean over games of the correlation of expected and actual rank."""

MODEL = "nando"
_TOPS = (1, 3, 5)
_BOOTSTRAPS = 500


def evaluate_order(
    games: Sequence[Game],
    *,
    baselines: Mapping[str, FillOrder] | None = None,
    n_games: int = 150,
    runs: int = 100,
    n_jobs: int | None = None,
    seed: int = 0,
) -> Report:
    """Cross-validate predictors of the fill order: fit on some games, predict others.

    Parameters
    ----------
    games : sequence of Game
        Games of one kind of puzzle, in the order in which they were played; unfinished games are
        left out. If games have no times, the second split is by person: the model is fitted to the
        person with the most games and tested on the others.
    baselines : mapping of str to FillOrder or None
        None takes all of :func:`baseline_orders`.
    n_games : int
        Number of games for testing in each split, drawn at random; some baselines take a second
        per game.
    runs : int
        Simulated games behind each expected order of the model.
    n_jobs : int or None
        Threads; never changes a result.
    seed : int

    Raises
    ------
    ValueError
        If there are fewer than 20 finished games.
    """
    for name, number in (("n_games", n_games), ("runs", runs)):
        whole(name, number, 1)
    whole("seed", seed, 0)
    cores(n_jobs)
    games = [game for game in games if game.finished]
    if len(games) < 20:
        raise ValueError(
            f"{len(games)} finished games are too few to evaluate on; give at least 20"
        )
    if baselines is None:
        baselines = baseline_orders(games[0].puzzle.kind)
    n = len(games)
    keys = [game.puzzle.equivalence_key() for game in games]
    by_game = next(grouped_folds(keys, n, 3, seed))
    second = ("by date", _by_date(games))
    if not any(game.seconds.any() for game in games):
        second = ("by person", _by_person(games))
    headings: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    rng = np.random.default_rng(seed)
    for split, (train, test) in (("by game", by_game), second):
        if not len(test):
            continue
        test = np.sort(rng.permutation(test)[:n_games])
        known, new = [games[i] for i in train], [games[i] for i in test]
        part = f"order, split {split}"
        headings[part] = (
            f"Split {split}: fitted to {len(known):,} games, tested on {len(new):,}; "
            "[95 % interval]"
        )
        some = known[:: max(1, len(known) // 60)]
        predictors: dict[str, FillOrder] = {MODEL: Population.fit(known)}
        for name, order in baselines.items():
            slow = isinstance(order, ListOrder) and name not in ("SiSuS", "brute force", "logic")
            fitting = some[:20] if slow else some
            predictors[name] = order.fit(fitting) if isinstance(order, ListOrder) else order
        for name, order in predictors.items():
            scores = _scores(order, new, runs if name == MODEL else 30, n_jobs, seed)
            rows += [metric_row(part, name, *score) for score in scores.items()]
    return Report(rows, headings)


Split = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Indices of games for fitting, and for testing."""


def _by_date(games: Sequence[Game]) -> Split:
    cut = 2 * len(games) // 3
    return np.arange(cut), np.arange(cut, len(games))


def _by_person(games: Sequence[Game]) -> Split:
    players = np.array([game.player for game in games])
    names, counts = np.unique(players, return_counts=True)
    known = players == names[counts.argmax()]
    return np.flatnonzero(known), np.flatnonzero(~known)


def _scores(
    order: FillOrder, games: Sequence[Game], runs: int, n_jobs: int | None, seed: int
) -> dict[str, Score]:
    from joblib import Parallel, delayed

    scores = Parallel(n_jobs=n_jobs or 1, prefer="threads")(
        delayed(_of_game)(order, game, runs) for game in games
    )
    # Sums over a game's fills, so that all fills of a sample of games have equal weights.
    table = np.array(scores)
    draws = np.random.default_rng(seed).integers(len(games), size=(_BOOTSTRAPS, len(games)))
    whole = _summary(table)
    sampled = np.array([_summary(table[draw]) for draw in draws])
    return {metric: Score.of(whole[i], sampled[:, i]) for i, metric in enumerate(METRICS)}


def _summary(table: Floats) -> Floats:
    """Return the metrics of a table with moves, hits, log likelihood, Pearson and Spearman."""
    sums = table.sum(axis=0)
    return np.array(
        [*(sums[1:4] / sums[0]), np.exp(-sums[4] / sums[0]), *table[:, 5:].mean(axis=0)]
    )


def _of_game(order: FillOrder, game: Game, runs: int) -> list[float]:
    chances = order.log_likelihoods(game.puzzle, game.cells)
    expected = _expect(order, game, runs)[game.cells]
    actual = np.arange(len(game.cells), dtype=np.float64)
    return [
        float(len(game.cells)),
        *hits(order, game).sum(axis=0).tolist(),
        float(chances.sum()),
        pearson(expected, actual),
        spearman(expected, actual),
    ]


def _expect(order: FillOrder, game: Game, runs: int) -> Floats:
    """Return the expected order; a list uses its own number of runs, so that it is made once."""
    if isinstance(order, ListOrder):
        return order.listed_places(game.puzzle)
    return order.expected_order(game.puzzle, runs=runs)


def hits(order: FillOrder, game: Game) -> Floats:
    """Return the probability that each fill is among the 1, 3 and 5 likeliest cells.

    Ties are broken at random.
    """
    if isinstance(order, ListOrder):
        above = order.ranks(game.puzzle, game.cells).astype(np.float64)
        ties = np.ones(len(above))
    else:
        assert isinstance(order, Population)
        followed = order.follow(game.puzzle, game.solution, game.cells, predicting=True)
        chances, starts = followed.mixed(), followed.replay.starts
        own = np.repeat(chances[followed.replay.chosen], np.diff(starts))
        above = np.add.reduceat((chances > own).astype(np.float64), starts[:-1])
        ties = np.add.reduceat((chances == own).astype(np.float64), starts[:-1])
    tops = np.array(_TOPS)
    return np.clip((tops[None, :] - above[:, None]) / ties[:, None], 0.0, 1.0)
