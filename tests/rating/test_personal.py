"""One person's rating: the times shift by the pace of the history."""

import json

import numpy as np
import pandas as pd
import pytest
from helpers.samples.sudokus import NINES

from nando.puzzles import Nurikabe
from nando.rating import Bank, Pace, PersonModel, Rater, load_model
from nando.rating.fitting.crossed import GUESS, Games, Line, Posterior
from nando.rating.pace import LINE_SPREAD


@pytest.fixture(scope="module")
def base():
    return load_model()


@pytest.fixture(scope="module")
def table(base):
    return Bank(base).columns(NINES)


def own_times(base, table, factor, n, seed=0):
    """Return a person's log times: those of the typical person times a factor, with noise."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(len(table), size=n)
    noise = rng.normal(0, 0.25, n)
    return table[rows], base.log_seconds(table)[rows] + np.log(factor) + noise


def person(base, table, factor, n, seed=0):
    columns, logs = own_times(base, table, factor, n, seed)
    return base.fit_person(pd.DataFrame(columns, columns=list(base.columns)), np.exp(logs))


def test_a_known_line_is_a_prior_of_level_and_slope():
    x, y = np.array([-0.5, 0.5, 0.2]), np.array([6.0, 7.0, 6.4])
    zero = np.zeros(3, int)
    games = Games(zero, np.arange(3), x, y, 1, 3, Line(6.1, 4.0, 25.0))
    columns = np.column_stack([np.ones(3), x, -np.ones(3), x, np.eye(3)])
    prior = np.diag([4.0, 25.0, 1 / GUESS.speed, 1 / GUESS.slope, *[1 / GUESS.puzzle] * 3])
    covariance = np.linalg.inv(columns.T @ columns / GUESS.noise + prior)
    expected = np.array([6.1, 1.0, *np.zeros(5)])
    mean = covariance @ (columns.T @ y / GUESS.noise + prior @ expected)
    np.testing.assert_allclose(Posterior(games, np.ones(3), GUESS).mean, mean, atol=1e-10)


def test_the_pace_agrees_with_the_model_of_persons(base, table):
    columns, logs = own_times(base, table, 1.5, 30)
    rows = {"puzzle": range(30), "player": ["ada"] * 15 + ["ben"] * 15, "seconds": np.exp(logs)}
    model = PersonModel(line_spread=LINE_SPREAD).fit(rows, base.log_seconds(columns))
    pace = Pace.of(model, "ben")
    z = np.array([5.0, 6.0, 7.5])
    assert pace.games == 15
    np.testing.assert_allclose(np.exp(pace.at(z)), model.predict("ben", z), rtol=1e-7)
    np.testing.assert_allclose(pace.place_of(pace.at(z)), z)
    half = pace.half_width(z, 0.8)
    ends = model.predict_interval("ben", z)
    np.testing.assert_allclose(np.log(ends[:, 1]) - np.log(ends[:, 0]), 2 * half, rtol=1e-5)


@pytest.mark.parametrize("factor", [0.4, 1.0, 3.0])
def test_the_factor_of_a_person_is_found(base, table, factor):
    known = person(base, table, factor, 40).pace_
    middle, low, high = known.factor()
    assert low < factor < high
    assert middle == pytest.approx(factor, rel=0.2)


def test_more_games_say_more(base, table):
    widths, errors = [], []
    for n in (1, 5, 20, 80):
        rater = person(base, table, 2.0, n)
        low, high = rater.interval_of(table, [3] * len(table), 0.8)[0].T
        widths.append(np.median(high - low))
        errors.append(np.abs(rater.log_seconds(table) - base.log_seconds(table) - np.log(2)).mean())
    assert widths == sorted(widths, reverse=True)
    assert errors[-1] < 0.1 < errors[0]


def test_four_games_in_five_are_in_the_interval(base, table):
    rater = person(base, table, 2.0, 60)
    columns, logs = own_times(base, table, 2.0, 400, seed=1)
    low, high = rater.interval_of(columns, [3] * 400, 0.8)[0].T
    assert 0.75 < ((low <= logs) & (logs <= high)).mean() < 0.93


def test_everything_but_the_time_is_that_of_the_base(base, table):
    rater = person(base, table, 2.0, 40)
    typical, own = (each.rate_columns(table, NINES) for each in (base, rater))
    for one, other in zip(typical, own, strict=True):
        assert one.flags == other.flags
        shares = [seconds / one.predicted for _, seconds in one.parts]
        assert [seconds / other.predicted for _, seconds in other.parts] == pytest.approx(shares)
    easy = [each.grade_range("easy") for each in (base, rater)]
    np.testing.assert_allclose(rater.pace_.at(np.array(easy[0])), easy[1])
    middle = [each.log_seconds_at(50) for each in (base, rater)]
    assert rater.pace_.at(np.array(middle[0])) == pytest.approx(middle[1])
    assert rater.rating_time(own_middle := np.array([middle[1]])) == base.rating_time(
        rater.pace_.place_of(own_middle)
    )
    known = {"exact_guesses": np.array([0.0, 3.0])}
    (log_seconds, error), (typical_logs, typical_error) = (r.rough(known) for r in (rater, base))
    np.testing.assert_allclose(log_seconds, rater.pace_.at(typical_logs))
    np.testing.assert_allclose(error, rater.pace_.slope * typical_error)


def test_a_flagged_puzzle_keeps_the_interval_of_the_base(base, table):
    rater = person(base, table, 2.0, 40)
    far = table[:1] * 50
    (ends,), (flags,) = rater.interval_of(far, [3], 0.8)
    typical = base.interval_of(far, [3], 0.8)[0][0]
    assert flags.codes == ("beyond_known",)
    assert ends[1] - ends[0] == pytest.approx(typical[1] - typical[0])
    assert ends[0] < rater.log_seconds(far)[0] < ends[1]


def test_a_pace_of_another_kind_moves_the_time_and_keeps_the_interval(base, table):
    pace = person(base, table, 2.0, 40).pace_
    nurikabe = load_model(None, "nurikabe")
    carried = Pace(**vars(pace) | {"slope": 1.0, "carried": True})
    rater = nurikabe.for_person(carried)
    puzzle = Nurikabe("...../3..1./.1.../...../.4...")
    (typical,), (own,) = (Bank(each).rate([puzzle]) for each in (nurikabe, rater))
    factor = pace.factor()[0]
    for name in ("predicted", "low", "high"):
        assert getattr(own, name) == pytest.approx(factor * getattr(typical, name))
    assert own.flag_codes == typical.flag_codes == ("nobody_timed",)


def test_a_pace_in_a_file_is_checked(base, table):
    rater = person(base, table, 2.0, 10)
    text = rater.to_json()
    assert rater.model_id.startswith("person-")
    record = json.loads(text)
    record["pace"]["noise"] = -1.0
    with pytest.raises(ValueError, match="pace: noise must be above 0, got -1"):
        Rater.from_json(json.dumps(record))
