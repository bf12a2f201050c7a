"""Evaluation: folds that keep equivalent puzzles together, and scores with intervals."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers.samples.sudokus import NINES

from nando.evaluation import LogLinear, evaluate, evaluate_variants
from nando.evaluation.scores import Report, Score, metric_row, pearson, spearman
from nando.features.classes import classes_of
from nando.puzzles import Variant
from nando.rating import load_model
from nando.rating.fitting.estimator import grouped_folds


def test_no_group_straddles_a_fold_and_every_puzzle_is_tested_once():
    groups = [f"g{i % 17}" for i in range(60)]
    tested = np.zeros(60, int)
    for train, test in grouped_folds(groups, 60, 5, seed=3):
        assert not {groups[i] for i in train} & {groups[i] for i in test}
        tested[test] += 1
    assert (tested == 1).all()


def test_seeds_shuffle_the_folds():
    def folds(seed):
        return [tuple(test) for _, test in grouped_folds(list("abcdefghij"), 10, 5, seed)]

    assert folds(1) == folds(1)
    assert folds(1) != folds(2)
    with pytest.raises(ValueError, match="2 different puzzles are too few for 5 folds"):
        list(grouped_folds(list("aabb"), 4, 5, 0))


def test_a_copy_of_a_puzzle_teaches_nothing_about_it():
    """Random times are unpredictable unless copies of a puzzle are in training and test folds."""
    rng = np.random.default_rng(0)
    twins = [puzzle.shuffled(rng) for puzzle in NINES]
    seconds = np.tile(np.exp(rng.normal(6, 0.5, len(NINES))), 2)
    result = evaluate(
        [*NINES, *twins],
        seconds,
        models={"givens": ("givens",)},
        n_splits=3,
        repeats=2,
        n_bootstrap=50,
    )
    assert result.scores("times, data")["all"]["puzzles"].value == 2 * len(NINES)
    assert result.scores("times, data")["all"]["after symmetry"].value == len(NINES)
    assert result.scores("times")["givens"]["Spearman"].value < 0.35


def test_correlations():
    assert spearman(np.arange(5.0) ** 3, np.arange(5.0)) == pytest.approx(1.0)
    assert pearson(np.arange(5.0) ** 3, np.arange(5.0)) < 0.95
    assert pearson(np.ones(5), np.arange(5.0)) == spearman(np.ones(5), np.arange(5.0)) == 0.0


def test_a_page_has_a_table_of_each_part():
    rows = [
        metric_row("speed", "ada", "mean", Score(0.51234, 0.25, 0.75)),
        metric_row("speed", "bob", "games", 12_345),
        metric_row("luck", "ada", "share", 0.015),
    ]
    first, second = Report(rows, {"speed": "How fast"}).page().split("\n\n")
    assert first.splitlines()[0] == "How fast"
    assert [line.split() for line in first.splitlines()[1:]] == [
        ["mean", "games"],
        ["ada", "0.512", "[0.250,", "0.750]"],
        ["bob", "12,345"],
    ]
    assert second.split() == ["luck", "share", "ada", "0.015"]


def synthetic(n=400, seed=0):
    """Return a table of features whose log seconds are a known line plus known noise."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"search_time": rng.normal(3, 0.5, n), "log_refutation_sum": rng.exponential(1, n)}
    )
    line = 4 + 0.6 * table["search_time"] + 0.1 * table["log_refutation_sum"]
    return table, np.exp(line + rng.normal(0, 0.2, n)).to_numpy()


def slopes(line):
    scaler, huber = line.pipeline_[0], line.pipeline_[1]
    return huber.coef_ / scaler.scale_


def test_a_baseline_recovers_the_line_behind_the_data_despite_outliers():
    table, seconds = synthetic()
    line = LogLinear(("search_time", "log_refutation_sum"))
    np.testing.assert_allclose(slopes(line.fit(table, seconds)), [0.6, 0.1], atol=0.05)
    spoilt = seconds * np.where(np.arange(400) < 20, 20, 1)
    assert slopes(line.fit(table, spoilt))[0] == pytest.approx(0.6, abs=0.08)
    weight = np.where(np.arange(400) < 20, 1e-6, 1.0)
    assert slopes(line.fit(table, spoilt, weight))[0] == pytest.approx(0.6, abs=0.05)
    with pytest.raises(ValueError, match="lack column 'log_refutation_sum'"):
        line.fit(table[["search_time"]], seconds)


@pytest.mark.thorough
def test_variants_are_scored_by_levels_and_by_the_moves_of_a_rule_left_out(monkeypatch):
    """Levels in the order of the looks correlate by 1; moves on one line are missed by nothing."""
    rules = "killer:r1c1r1c2r2c1:9+killer:r1c3r2c3r3c3:8+killer:r2c2r3c2r4c2:7+killer:r1c4r2c4:3"
    rules += "+killer:r3c1r4c1:4+killer:r3c4r4c3r4c4:9"
    solution = "2341413232141423"
    puzzles = [
        Variant.of("".join("." if k in (i, 4 * (i // 4)) else d for i, d in enumerate(solution)), r)
        for r in (Variant(f"4x4+{rules}").rules, ())
        for k in range(16)
    ]
    model = load_model(kind="variant")
    table = model.extractor.class_table(puzzles, classes_of(puzzles), model.columns)
    looks = model.difficulty(table)
    frame = pd.DataFrame({"genre": np.repeat(["killer", "plain"], 16), "size": 4, "solver": "x"})
    frame["level"], frame["info"] = looks, ""
    frame["moves"] = np.exp(1.0 + 0.5 * looks)
    bunch = SimpleNamespace(puzzles=puzzles, frame=frame)
    monkeypatch.setattr("nando.datasets.fetch_sudoku_variants", lambda **_: bunch)
    report = evaluate_variants(n_bootstrap=20)
    killers = report.scores("levels")["killer 4x4"]
    assert (killers["puzzles"].value, killers["nando"].value) == (16, pytest.approx(1))
    plain = report.scores("rules left out")["plain"]
    assert (plain["games"].value, plain["missed"].value) == (16, pytest.approx(0, abs=1e-6))
    assert "all, as shipped" in report.scores("rules left out")
