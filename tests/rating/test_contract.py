"""What every rater promises: for each kind of puzzle, typical people, a crowd and a person."""

import json
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.rating import GRADES, Rater, load_model
from nando.rating.kinds import KINDS
from nando.rating.reach import genre_of

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PUZZLE = {
    "sudoku": Sudoku(LINE),
    "nurikabe": Nurikabe("...../3..1./.1.../...../.4..."),
    "variant": Variant("6x6+killer:r1c1r1c2:3"),
}
KIND = pytest.mark.parametrize("kind", list(PUZZLE))
RATER = pytest.mark.parametrize(
    ("kind", "whose"),
    [(kind, whose) for kind in PUZZLE for whose in ("typical", "fitted", "person")]
    + [("sudoku", crowd) for crowd in ("phone", "portal-best")],
)
MOST = {"sudoku": 20, "nurikabe": 40, "variant": 40}


@cache
def drawn(kind, n=60):
    """Return columns of puzzles from the easiest to the hardest, as no one would make them."""
    columns = KINDS[kind].columns
    drawn = np.random.default_rng(3).integers(0, MOST[kind], (n, len(columns)))
    table = drawn * np.geomspace(0.005, 1, n)[:, None]
    if "sweep_easy_visits" in columns:  # a logarithm
        place = columns.index("sweep_easy_visits")
        table[:, place] = np.log1p(table[:, place])
    if "variant_what_ifs" in columns:  # no published variant needs any
        table[:, columns.index("variant_what_ifs")] = 0.0
    return pd.DataFrame(table, columns=list(columns))


def half_times(kind):
    noise = np.random.default_rng(0).lognormal(0, 0.1, len(drawn(kind)))
    return load_model(kind=kind).predict(drawn(kind)) / 2 * noise


@cache
def rater(kind, whose):
    model = load_model(kind=kind)
    if whose == "typical":
        return model
    if whose == "fitted":
        return Rater(kind, features=model.features).fit(drawn(kind), half_times(kind))
    if whose == "person":
        return model.fit_person(drawn(kind), half_times(kind))
    return model.for_crowd(whose)


def ratings(kind, whose, table=None):
    table = drawn(kind) if table is None else table
    return rater(kind, whose).rate_columns(table.to_numpy(), [PUZZLE[kind]] * len(table))


@KIND
def test_looks_are_a_sum_in_which_the_rules_compound(kind):
    effort, weights = KINDS[kind].effort, np.exp(load_model(kind=kind).scale_.weights)
    table = drawn(kind)
    by_hand = np.zeros((len(table), len(effort.parts)))
    for k, part in enumerate(effort.parts):
        for name, weight in part.columns.items():
            column = table[name].to_numpy()
            if name == effort.counted:
                column = np.maximum(column, 1.0)
            by_hand[:, k] += weight * (np.expm1(column) if name == effort.logarithmic else column)
    if compound := effort.compound:
        named = table.assign(**dict(zip(effort.names, by_hand.T.copy(), strict=True)))
        own = [effort.names.index(n) for f in compound.factors for n in f.of if n in effort.names]
        product = np.full(len(table), compound.looks)
        for factor in compound.factors:
            term = factor.least + named[list(factor.of)].sum(axis=1).to_numpy()
            product *= (term / factor.typical) ** factor.power
        by_hand[:, own] *= (product / by_hand[:, own].sum(axis=1))[:, None]
    assert effort.by_part(table.to_numpy()) == pytest.approx(by_hand)
    looks = np.exp(load_model(kind=kind).difficulty(table.to_numpy()))
    assert looks == pytest.approx(by_hand @ weights)


@RATER
def test_parts_add_up_to_the_time(kind, whose):
    for rating in ratings(kind, whose):
        assert [name for name, _ in rating.parts] == KINDS[kind].effort.names
        assert sum(seconds for _, seconds in rating.parts) == pytest.approx(rating.predicted)
        assert rating.low < rating.predicted < rating.high
        assert rating.model_id == rater(kind, whose).model_id
    times = [rating.predicted for rating in ratings(kind, whose)]
    assert times == rater(kind, whose).predict(drawn(kind)).tolist()


@RATER
def test_grades_and_percentiles_are_the_same_for_everybody(kind, whose):
    for one, other in zip(ratings(kind, "typical"), ratings(kind, whose), strict=True):
        assert (one.grade, one.percentile) == (other.grade, other.percentile)
    assert len({rating.grade for rating in ratings(kind, whose)}) >= 4


@RATER
def test_times_of_grades_and_percentiles(kind, whose):
    model, genre = rater(kind, whose), genre_of(PUZZLE[kind])
    ranges = [model.grade_range(grade, genre) for grade in GRADES]
    for (_, end), (start, _) in pairwise(ranges):
        assert end == start
    if whose in ("typical", "person"):  # a crowd finds other parts hard
        for rating in ratings(kind, whose):
            seconds = np.log(rating.predicted)
            assert rating.grade == GRADES[sum(seconds >= start for start, _ in ranges[1:])]
            if 0 < rating.percentile < 100:
                found = model.log_seconds_at(rating.percentile, genre)
                assert found == pytest.approx(np.log(rating.predicted))
    with pytest.raises(ValueError, match="unknown grade 'hard'; known: beginner"):
        model.grade_range("hard")
    with pytest.raises(ValueError, match="percentile must be between 0 and 100, got 101"):
        model.log_seconds_at(101, genre)


@RATER
def test_the_interval(kind, whose):
    model, table = rater(kind, whose), drawn(kind)
    half, most = (model.predict_interval(table, coverage) for coverage in (0.5, 0.9))
    assert (most[:, 0] < half[:, 0]).all()
    assert (half[:, 1] < most[:, 1]).all()
    known = [rating for rating in ratings(kind, whose) if "beyond_known" not in rating.flag_codes]
    timed = whose == "fitted" or kind == "sudoku"
    assert known
    assert all(rating.flag_codes == (() if timed else ("nobody_timed",)) for rating in known)
    with pytest.raises(ValueError, match="coverage must be between 0 and 1, got 80"):
        model.predict_interval(table, 80)


@RATER
def test_more_than_any_known_puzzle_has_is_flagged_and_widens(kind, whose):
    table = drawn(kind)[:1]
    far = table.assign(**{KINDS[kind].columns[-1]: 1000.0})
    (near,), (beyond,) = (ratings(kind, whose, each) for each in (table, far))
    assert beyond.flag_codes[-1] == "beyond_known"
    part = KINDS[kind].effort.names[-1]
    assert f"outside training population: {part}" in beyond.flags
    assert beyond.high / beyond.low > 1.2 * near.high / near.low


@RATER
def test_a_rough_estimate_is_near(kind, whose):
    model, table = rater(kind, whose), drawn(kind)
    known = {name: column.to_numpy() for name, column in table.items()}
    rough, error = model.rough(known)
    assert (np.abs(rough - model.log_seconds(table.to_numpy())) <= error).all()
    assert (model.rating_time(rough) > 0).all()


@RATER
def test_a_file_gives_the_model_back(kind, whose, tmp_path):
    model, path = rater(kind, whose), tmp_path / "model.json"
    text = model.to_json(path)
    again = load_model(path, kind)
    assert again == model
    assert again.to_json() == text
    assert ratings(kind, whose) == again.rate_columns(
        drawn(kind).to_numpy(), [PUZZLE[kind]] * len(drawn(kind))
    )
    record = json.loads(text)
    record["settings"]["coverage"] = 0.81
    with pytest.raises(ValueError, match="it was changed; fit it again"):
        Rater.from_json(json.dumps(record))
    record["parts"] = {}
    with pytest.raises(ValueError, match="its parts are not those of this version"):
        Rater.from_json(json.dumps(record))


@KIND
@pytest.mark.parametrize("whose", ["fitted", "person"])
def test_times_of_ones_own_move_the_pace(kind, whose):
    typical, own = load_model(kind=kind), rater(kind, whose)
    table, half = drawn(kind), half_times(kind)
    off = np.log(own.predict(table) / half)
    assert np.abs(off).max() < 0.5
    assert np.mean(off) == pytest.approx(0, abs=0.05)
    widths = [
        np.log(high / low) for low, high in (m.predict_interval(table)[0] for m in (typical, own))
    ]
    assert widths[1] < widths[0]
    # One time moves the estimate by less than its distance from it.
    first = table[:1]
    one = (
        typical.fit_person(first, half[:1])
        if whose == "person"
        else Rater(kind).fit(first, half[:1])
    )
    moved = np.log(one.predict(first) / typical.predict(first))[0]
    assert np.log(half / typical.predict(table))[0] < moved < 0


@KIND
def test_bad_times_are_refused(kind):
    table = drawn(kind)[:3]
    for fit in (Rater(kind).fit, load_model(kind=kind).fit_person):
        with pytest.raises(ValueError, match="2 times for 3 puzzles"):
            fit(table, [1.0, 2.0])
        with pytest.raises(ValueError, match=r"seconds must be above 0, got 0\.0 for puzzles\[2\]"):
            fit(table, [1.0, 2.0, 0.0])


@RATER
def test_who_is_asked_for(kind, whose):
    model = rater(kind, whose)
    if model.crowds:
        assert model.for_crowd("phone").crowd_ == "phone"
        with pytest.raises(ValueError, match="knows no crowd 'moon'; known: cloud-sudoku, phone"):
            model.for_crowd("moon")
    else:
        with pytest.raises(ValueError, match="knows no crowds; leave out the crowd 'phone'"):
            model.for_crowd("phone")
    if whose == "person":
        with pytest.raises(ValueError, match="is the model of a person"):
            model.for_person(model.pace_)
    elif kind != "sudoku":
        with pytest.raises(ValueError, match=f"models of '{kind}' puzzles have no crowds"):
            Rater(kind).fit(drawn(kind), half_times(kind), crowd="club")
        with pytest.raises(ValueError, match="a new scale has crowds"):
            Rater(kind, scale="new").fit(drawn(kind), half_times(kind))
