"""The model of Sudoku on the common scale: crowds, intervals, grades, reasons, bad files."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers.samples.sudokus import NINES, SIXTEEN
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from nando.features import SolverFeatures, groups_of
from nando.rating import GRADES, Bank, Rater, load_model
from nando.rating.parts import PART_COLUMNS, PARTS, parts_of


@pytest.fixture(scope="module")
def shipped():
    return load_model()


@pytest.fixture(scope="module")
def table(shipped):
    """Return the columns of the examples and of as many slightly different puzzles."""
    known = pd.DataFrame(Bank(shipped).columns(NINES), columns=list(PART_COLUMNS))
    rng = np.random.default_rng(0)
    varied = [known * rng.uniform(0.7, 1.3, known.shape) for _ in range(5)]
    return pd.concat([known, *varied], ignore_index=True)


def simulated(shipped, table, *, pace=0.5, noise=0.2, seed=0, **deviations):
    """Simulate times of a known crowd that is slower than the typical one and weighs otherwise."""
    own = np.array([deviations.get(part.name, 0.0) for part in PARTS])
    parts = parts_of(table.to_numpy()) * np.exp(own)
    rng = np.random.default_rng(seed)
    return np.exp(shipped.scale_.log_seconds(parts) + pace + rng.normal(0, noise, len(table)))


# ---------------------------------------------------------------- fitting


def test_a_crowd_is_found_with_its_pace_and_its_ways(shipped, table):
    seconds = simulated(shipped, table, pace=0.5, chains=0.6, entering=-0.4)
    rater = Rater().fit(table, seconds)
    assert rater.crowd_ == "own"
    crowd = rater.scale_.crowds["own"]
    assert crowd.offset - shipped.scale_.offset == pytest.approx(0.5, abs=0.15)
    names = [part.name for part in PARTS]
    assert crowd.deviations[names.index("chains")] > 0.1
    assert crowd.noise == pytest.approx(0.2, abs=0.05)
    wanted = simulated(shipped, table, pace=0.5, noise=0, chains=0.6, entering=-0.4)
    off = np.log(rater.predict(table) / wanted)
    assert np.sqrt(np.mean(off**2)) < 0.08


def test_few_times_move_the_pace_and_leave_the_rest(shipped, table):
    seconds = simulated(shipped, table.iloc[:6], pace=0.7)
    rater = Rater().fit(table.iloc[:6], seconds)
    ratio = rater.predict(table) / shipped.predict(table)
    assert np.log(np.median(ratio)) == pytest.approx(0.7, abs=0.2)
    assert np.log(ratio).std() < 0.1
    typical = rater.for_crowd(None)
    np.testing.assert_array_equal(typical.predict(table), shipped.predict(table))


@pytest.mark.thorough
def test_a_wild_time_moves_little(shipped, table):
    seconds = simulated(shipped, table)
    spoilt = seconds.copy()
    spoilt[3] *= 50
    calm = Rater().fit(table, seconds).predict(table)
    moved = Rater().fit(table, spoilt).predict(table)
    assert np.abs(np.log(moved / calm)).max() < 0.05


@pytest.mark.thorough
def test_several_crowds_at_once_are_those_fitted_one_by_one(shipped, table):
    slow = simulated(shipped, table, pace=0.8, seed=1)
    fast = simulated(shipped, table, pace=-0.4, seed=2)
    both = pd.concat([table, table], ignore_index=True)
    names = ["slow"] * len(table) + ["fast"] * len(table)
    rater = Rater().fit(both, np.concatenate([slow, fast]), crowd=names)
    assert rater.crowd_ is None
    alone = Rater().fit(table, slow, crowd="slow")
    np.testing.assert_allclose(rater.for_crowd("slow").predict(table), alone.predict(table))
    assert (rater.for_crowd("slow").predict(table) > rater.for_crowd("fast").predict(table)).all()


def test_an_interval_covers_new_puzzles_of_the_crowd(shipped, table):
    half = len(table) // 2
    seconds = simulated(shipped, table, noise=0.3, seed=4)
    rater = Rater().fit(table[:half], seconds[:half])
    low, high = rater.predict_interval(table[half:]).T
    inside = np.mean((low <= seconds[half:]) & (seconds[half:] <= high))
    assert inside == pytest.approx(0.8, abs=0.1)


def test_a_crowd_that_is_known_has_narrower_intervals(shipped, table):
    for crowd in ("cloud-sudoku", "phone", "portal", "portal-best"):
        known = shipped.for_crowd(crowd)
        widths = np.log(known.predict_interval(table)[:, 1] / known.predict_interval(table)[:, 0])
        ends = shipped.predict_interval(table)
        assert (widths < np.log(ends[:, 1] / ends[:, 0])).all()
        assert known.model_id != shipped.model_id


@pytest.mark.thorough
def test_it_is_an_estimator_of_scikit_learn(shipped, table):
    seconds = simulated(shipped, table)
    scores = cross_val_score(Rater(), table, seconds, cv=3)
    assert (scores > 0.5).all()
    assert clone(Rater(coverage=0.5)).coverage == 0.5
    with config_context(enable_metadata_routing=True):
        rater = Rater().set_fit_request(crowd=True)
        routed = cross_val_score(
            rater, table, seconds, cv=3, params={"crowd": ["mine"] * len(table)}
        )
    np.testing.assert_allclose(routed, scores)
    start = Rater().fit(table, seconds, crowd="one").common_scale
    onwards = clone(Rater(scale=start)).fit(table, seconds, crowd="two")
    assert {"one", "two", "portal"} <= set(onwards.scale_.crowds)


@pytest.mark.thorough
def test_a_clone_of_the_shipped_model_can_learn(shipped, table):
    fresh = clone(shipped)
    assert fresh.features.groups == shipped.extractor.groups
    with pytest.raises(NotFittedError):
        fresh.predict(table)
    seconds = simulated(shipped, table)
    known = fresh.fit(table, seconds, crowd="one").model_id
    assert known == Rater(scale=shipped.common_scale).fit(table, seconds, crowd="one").model_id
    assert shipped.model_id == load_model().model_id


def test_it_ends_a_pipeline_of_tables_with_names(shipped):
    seconds = np.linspace(200, 900, len(NINES))
    features = SolverFeatures(groups_of(PART_COLUMNS), runs=2).set_output(transform="pandas")
    pipe = make_pipeline(features, Rater()).fit(NINES, seconds)
    frame = features.transform(NINES)
    assert set(PART_COLUMNS) <= set(frame.columns)
    np.testing.assert_array_equal(pipe.predict(NINES), pipe[-1].predict(frame))


# ---------------------------------------------------------------- scales without a crowd


TIMED = NINES[4]
"""A puzzle of the phone's player; nobody was timed on the other examples."""


def test_a_fit_to_puzzles_of_the_scale_warns(shipped):
    used = [TIMED, *NINES[:3]]
    with pytest.warns(UserWarning, match=r"\(of phone\).*without\('phone'\).common_scale"):
        Rater().fit(used, [300, 400, 500, 600])
    turned = TIMED.shuffled(np.random.default_rng(0))
    fitted = Rater(scale=shipped.for_crowd("portal").common_scale)
    with pytest.warns(UserWarning, match="of phone"):
        cross_val_score(fitted, [turned, *NINES[:3]], [300, 400, 500, 600], cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Rater().fit(NINES[:3], [300, 400, 500])
        unseen = Rater(scale=shipped.without("phone").common_scale)
        assert "phone" not in unseen.fit(used, [300, 400, 500, 600]).scale_.crowds
        Rater(scale="new").fit(used, [300, 400, 500, 600])


def test_the_shipped_model_without_a_data_set(shipped, table):
    crowds = set(shipped.scale_.crowds)
    for name, left_out in {
        "cloud-sudoku": {"cloud-sudoku"},
        "phone": {"phone"},
        "portal-best": {"portal", "portal-best"},
        "sudoku-of-the-day": {"sudoku-of-the-day"},
    }.items():
        rater = shipped.without(name)
        assert set(rater.scale_.crowds) == crowds - left_out
        assert not left_out & set(rater.missed_)
        assert rater.scale_.weights != shipped.scale_.weights
        assert rater.model_id == type(rater).from_json(rater.to_json()).model_id
        ratio = rater.predict(table) / shipped.predict(table)
        assert 0.4 < np.median(ratio) < 2.5
    assert shipped.without("portal", "portal-best") == shipped.without("portal")
    assert shipped.for_crowd("phone").without("portal").crowd_ == "phone"
    with pytest.raises(ValueError, match="several data sets"):
        shipped.without("phone", "portal")
    with pytest.raises(ValueError, match="no crowd 'phones'; known: cloud-sudoku"):
        shipped.without("phones")
    mine = Rater().fit(table, simulated(shipped, table))
    with pytest.raises(ValueError, match="is not the shipped model"):
        mine.without("phone")


def test_a_new_scale_is_that_of_the_given_times_alone(shipped, table):
    rater = Rater(scale="new")
    slow = simulated(shipped, table, pace=0.8, seed=1)
    fast = simulated(shipped, table, pace=-0.4, seed=2)
    both = pd.concat([table, table], ignore_index=True)
    names = ["slow"] * len(table) + ["fast"] * len(table)
    rater.fit(both, np.concatenate([slow, fast]), crowd=names)
    assert set(rater.scale_.crowds) == {"slow", "fast"}
    assert rater.crowd_ is None
    ratio = np.log(rater.predict(table) / shipped.predict(table))
    assert np.median(ratio) == pytest.approx(0.2, abs=0.1)
    assert type(rater).from_json(rater.to_json()) == rater
    alone = Rater(scale="new").fit(table, slow)
    assert set(alone.scale_.crowds) == {"own"}
    with pytest.raises(ValueError, match="scale must be a CommonScale, 'new' or None, got 'old'"):
        Rater(scale="old").fit(table, slow)


# ---------------------------------------------------------------- rating


def test_objects_and_frames_say_the_same(shipped):
    ratings = Bank(shipped).rate(NINES)
    assert [rating.puzzle for rating in ratings] == NINES
    for rating, row in zip(ratings, ratings.to_frame().to_dict("records"), strict=True):
        assert rating.row() == row
        assert rating.predicted == row["predicted_seconds"]


def test_shipped_model_rates_every_example(shipped):
    frame = shipped.rate(NINES).to_frame()
    assert len(set(frame["grade"]) & set(GRADES)) >= 5
    assert (frame["model_id"] == shipped.model_id).all()
    assert frame["predicted_seconds"].max() / frame["predicted_seconds"].min() > 8


def test_reasons_are_parts_of_the_time(shipped):
    for row in shipped.rate(NINES):
        shown = 0.0
        for reason in row.reasons.split(", "):
            found = re.fullmatch(r"[a-z ]+?(?: (\d+) min)? (\d+)(?: s)?", reason)
            assert found, reason
            shown += 60 * int(found[1] or 0) + int(found[2])
        assert 0.8 * row.predicted < shown < 1.01 * row.predicted + 3


def test_other_orders_are_flagged(shipped):
    large = SIXTEEN
    frame = shipped.rate([NINES[0], large]).to_frame()
    assert frame["flags"][0] == ""
    assert frame["flags"][1].startswith("outside training population: order 4, fitted to order 3")
    widths = np.log(frame["high_seconds"] / frame["low_seconds"])
    assert widths[1] > 1.8 * widths[0]


# ---------------------------------------------------------------- bad input


def test_bad_input(shipped, table):
    seconds = simulated(shipped, table)
    rater = Rater()
    with pytest.raises(ValueError, match="players must be a number above 0"):
        rater.fit(table, seconds, sample_weight=np.zeros(len(table)))
    with pytest.raises(ValueError, match="every time is of another crowd"):
        rater.fit(table[:3], seconds[:3], crowd=["a", "b", "c"])
    with pytest.raises(ValueError, match="2 names of crowds for 3 times"):
        rater.fit(table[:3], seconds[:3], crowd=["a", "b"])
    with pytest.raises(ValueError, match="a crowd must have a name"):
        rater.fit(table, seconds, crowd="")
    with pytest.raises(ValueError, match="lack column 'race_fills'"):
        rater.fit(table.drop(columns="race_fills"), seconds)


def test_a_table_without_names_has_all_columns():
    with pytest.raises(ValueError, match="columns without names"):
        load_model().predict(np.zeros((2, 5)))
