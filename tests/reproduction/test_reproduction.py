"""Numbers from earlier measurements on the same public data, measured again."""

import numpy as np
import pandas as pd
import pytest
from helpers.data import needs
from scipy.stats import spearmanr

from nando.datasets import fetch_cloud_sudoku, fetch_sudoku_insight, fill_times
from nando.solvers import Refutation, SearchTime, count_many
from nando.solvers.protocol import spawned

needs_logs = needs("sudoku_insight")


@pytest.fixture(scope="module")
def games():
    """Return completed games of puzzles with one solution, each with a refutation profile."""
    data = fetch_sudoku_insight(as_frame=True)
    counts = count_many(data.puzzles)
    kept = data.frame[data.frame["completed"] & (counts == 1)]
    events = dict(list(data.events.groupby("game")))
    rows = []
    for game, seconds in zip(kept["game"], kept["seconds"], strict=True):
        puzzle = data.puzzles[game]
        profile = Refutation().profile(puzzle, runs=30, rng=spawned(0, game))
        times = fill_times(events[game], puzzle)
        filled = np.isfinite(times)
        rows.append(
            {
                "log_seconds": np.log(seconds),
                "seconds": seconds,
                "refutation_sum": profile.refutation_sum,
                "stuck_steps": profile.stuck_steps,
                "dependency": profile.dependency(25),
                "order": np.corrcoef(times[filled].argsort().argsort(), profile.order[filled])[
                    0, 1
                ],
            }
        )
    return pd.DataFrame(rows)


@pytest.mark.thorough
@needs_logs
def test_refutation_on_the_phone_logs(games):
    """1,089 games give 0.795 for the refutation sum with the assumption, -0.466 for dependency."""
    assert len(games) == 1089
    raw = games.corr()["seconds"]
    assert raw["refutation_sum"] == pytest.approx(0.795, abs=0.02)
    assert raw["stuck_steps"] == pytest.approx(0.685, abs=0.02)
    assert raw["dependency"] == pytest.approx(-0.466, abs=0.02)
    ranks = games.corr(method="spearman")["seconds"]
    assert ranks["refutation_sum"] == pytest.approx(0.785, abs=0.02)
    assert ranks["dependency"] == pytest.approx(-0.694, abs=0.02)


@pytest.mark.thorough
@needs_logs
def test_two_terms_on_the_phone_logs(games):
    """Over random halves, two terms correlate by 0.804 with raw and by 0.767 with log seconds."""
    from sklearn.linear_model import LinearRegression

    rng = np.random.default_rng(0)
    columns = games[["refutation_sum", "dependency"]].to_numpy()
    for target, wanted in (("seconds", 0.804), ("log_seconds", 0.767)):
        times = games[target].to_numpy()
        found = []
        for _ in range(50):
            order = rng.permutation(len(games))
            train, test = order[: len(order) // 2], order[len(order) // 2 :]
            line = LinearRegression().fit(columns[train], times[train])
            found.append(np.corrcoef(line.predict(columns[test]), times[test])[0, 1])
        assert np.mean(found) == pytest.approx(wanted, abs=0.02)


@pytest.mark.thorough
@needs_logs
def test_fill_order_on_the_phone_logs(games):
    """The orders of model and player correlate by 0.828 on average, the median is 0.870."""
    assert games["order"].mean() == pytest.approx(0.828, abs=0.01)
    assert games["order"].median() == pytest.approx(0.870, abs=0.01)


@pytest.mark.thorough
@needs("cloud_sudoku")
def test_metrics_on_the_cloud_times():
    """The sum gives 0.353 with the assumption, dependency -0.608, and the race more than 0.69."""
    data = fetch_cloud_sudoku()
    profiles = [
        Refutation().profile(puzzle, runs=30, rng=spawned(0, i))
        for i, puzzle in enumerate(data.puzzles)
    ]
    found = spearmanr([p.refutation_sum for p in profiles], data.target).statistic
    assert found == pytest.approx(0.353, abs=0.01)
    found = spearmanr([p.dependency(25) for p in profiles], data.target).statistic
    assert found == pytest.approx(-0.608, abs=0.01)
    totals = [
        SearchTime().profile(puzzle, runs=30, rng=spawned(0, i)).total
        for i, puzzle in enumerate(data.puzzles)
    ]
    assert spearmanr(totals, data.target).statistic > 0.69
