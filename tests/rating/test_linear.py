"""The linear rater: fit, predict, interval, grades, files."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from nando.datasets import load_examples
from nando.features import SolverFeatures
from nando.rating import BASELINES, GRADES, LinearRater, load_model
from nando.rating.rating import Flags

COLUMNS = ("search_time", "log_refutation_sum")
PUZZLES = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]


def _table(n=400, seed=0):
    """Return a feature table whose log seconds are a known line plus known noise."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"search_time": rng.normal(3, 0.5, n), "log_refutation_sum": rng.exponential(1, n)}
    )
    noise = rng.normal(0, 0.2, n)
    seconds = np.exp(4 + 0.6 * table["search_time"] + 0.1 * table["log_refutation_sum"] + noise)
    return table, seconds.to_numpy()


@pytest.fixture(scope="module")
def fitted():
    table, seconds = _table()
    return LinearRater(COLUMNS).fit(table, seconds)


def test_recovers_the_line_behind_the_data(fitted):
    per_unit = fitted.coef_ / fitted.scale_
    np.testing.assert_allclose(per_unit, [0.6, 0.1], atol=0.05)


@pytest.mark.thorough
def test_outliers_and_weights():
    table, seconds = _table()
    spoilt = seconds.copy()
    spoilt[:20] *= 20
    robust = LinearRater(COLUMNS).fit(table, spoilt)
    assert robust.coef_[0] / robust.scale_[0] == pytest.approx(0.6, abs=0.08)
    weight = np.ones(len(seconds))
    weight[:20] = 1e-6
    weighted = LinearRater(COLUMNS, epsilon=100.0).fit(table, spoilt, sample_weight=weight)
    assert weighted.coef_[0] / weighted.scale_[0] == pytest.approx(0.6, abs=0.08)


@pytest.mark.thorough
@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
def test_interval_covers_new_puzzles_as_often_as_it_says(coverage):
    fitted = LinearRater(COLUMNS).fit(*_table(n=3000, seed=2))
    table, seconds = _table(n=3000, seed=1)
    low, high = fitted.predict_interval(table, coverage).T
    inside = np.mean((low <= seconds) & (seconds <= high))
    assert inside == pytest.approx(coverage, abs=0.035)


def test_far_from_the_training_the_interval_widens_and_says_so(fitted):
    table = np.array([[3.0, 1.0], [12.0, 1.0], [3.0, 60.0]])
    factor, flags = fitted.population_.widening(table, [None] * 3)
    assert factor[0] == 1
    assert flags[0] == Flags()
    assert (factor[1:] > 3).all()
    assert "search_time 12 above" in flags[1].words
    assert "log_refutation_sum 60 above" in flags[2].words
    assert flags[1].codes == flags[2].codes == ("beyond_known",)


def test_grades_are_sixths_of_the_training(fitted):
    table, _ = _table()
    log_seconds = np.log(fitted.predict(table))
    grades = pd.Series(fitted.population_.grade(log_seconds)).value_counts()
    assert set(grades.index) == set(GRADES)
    assert (abs(grades / len(table) - 1 / 6) < 0.01).all()
    percentile = fitted.population_.log_seconds.below(np.sort(log_seconds))
    assert (np.diff(percentile) >= 0).all()
    assert (percentile[0], percentile[-1]) == pytest.approx((0, 100), abs=1e-6)


def test_file_gives_the_model_back(fitted, tmp_path):
    table, _ = _table(n=50, seed=3)
    path = tmp_path / "model.json"
    text = fitted.to_json(path)
    again = load_model(path)
    assert again.model_id == fitted.model_id
    np.testing.assert_array_equal(again.predict(table), fitted.predict(table))
    np.testing.assert_array_equal(again.predict_interval(table), fitted.predict_interval(table))
    assert again.to_json() == text


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda record: record | {"format": "other"}, "format 'other', wanted"),
        (lambda record: record | {"intercept": 1.0}, "it was changed; fit it again"),
        (lambda record: {k: v for k, v in record.items() if k != "mean"}, "it has no 'mean'"),
        (lambda record: record | {"coefficients": ["x"]}, "could not convert string"),
        (lambda record: [record], "format 'list'"),
    ],
)
def test_spoilt_files_are_refused(fitted, tmp_path, spoil, message):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(spoil(json.loads(fitted.to_json()))))
    with pytest.raises(ValueError, match=message) as caught:
        load_model(path)
    assert str(path) in str(caught.value)


def test_files_without_json_are_refused(tmp_path):
    path = tmp_path / "model.json"
    path.write_text("{")
    with pytest.raises(ValueError, match="not JSON"):
        load_model(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not text"):
        load_model(path)


@pytest.mark.thorough
def test_model_id_changes_with_what_moves_a_rating():
    table, seconds = _table()
    ids = {
        LinearRater(COLUMNS).fit(table, seconds).model_id,
        LinearRater(COLUMNS, alpha=1.0).fit(table, seconds).model_id,
        LinearRater(COLUMNS).fit(table, seconds * 2).model_id,
    }
    assert len(ids) == 3


@pytest.mark.thorough
def test_a_pipeline_a_clone_and_cross_validation():
    rng = np.random.default_rng(0)
    seconds = rng.uniform(100, 1000, len(PUZZLES))
    rater = LinearRater(COLUMNS, n_splits=3, features=SolverFeatures(runs=2))
    direct = rater.fit(PUZZLES, seconds).predict(PUZZLES)
    pipe = make_pipeline(SolverFeatures(runs=2), LinearRater(COLUMNS, n_splits=3))
    np.testing.assert_allclose(pipe.fit(PUZZLES, seconds).predict(PUZZLES), direct)
    assert clone(rater).get_params()["n_splits"] == 3
    scores = cross_val_score(LinearRater(("givens",), n_splits=3), PUZZLES, seconds, cv=3)
    assert np.isfinite(scores).all()
    again = LinearRater.from_json(rater.to_json())
    assert again.model_id == rater.model_id
    np.testing.assert_array_equal(again.predict(PUZZLES), direct)
    assert clone(again).features.runs == 2


@pytest.mark.thorough
def test_baselines_share_the_interface():
    seconds = np.linspace(100, 1000, len(PUZZLES))
    for columns in BASELINES.values():
        rater = LinearRater(columns, n_splits=3).fit(PUZZLES, seconds)
        assert (rater.predict(PUZZLES[:3]) > 0).all()
        assert rater.model_id


def test_bad_input():
    table, seconds = _table(n=40)
    with pytest.raises(ValueError, match=r"seconds must be above 0, got 0\.0 for puzzles\[2\]"):
        LinearRater(COLUMNS).fit(table, np.where(np.arange(40) == 2, 0, seconds))
    with pytest.raises(ValueError, match="too few for 10 folds"):
        LinearRater(COLUMNS).fit(table[:5], seconds[:5])
    with pytest.raises(ValueError, match="lack column 'log_refutation_sum'"):
        LinearRater(COLUMNS).fit(table[["search_time"]], seconds)
    fitted = LinearRater(COLUMNS).fit(table, seconds)
    with pytest.raises(ValueError, match="coverage must be between 0 and 1, got 80"):
        fitted.predict_interval(table, 80)
    with pytest.raises(ValueError, match="columns without names"):
        fitted.predict(np.zeros((2, 5)))
