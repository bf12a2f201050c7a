"""The model of Nurikabe: its parts, its pace, its interval and its file."""

from pathlib import Path

import numpy as np
import pytest

from nando.features import FeatureExtractor
from nando.puzzles import Nurikabe, as_puzzles
from nando.rating import Bank, DifficultyRater, Ladder, LooksRater, load_model
from nando.rating.looks import EFFORT, LOOKS_COLUMNS, PARTS
from nando.rating.result import GRADES
from nando.rating.shipped_fits import in_order_by_size
from nando.solvers.logic.nurikabe.shading import NURIKABE_LADDER
from nando.solvers.logic.nurikabe.walk import NurikabeWalker

LINES = [
    line
    for line in Path("examples/nurikabe.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
PUZZLES = as_puzzles(LINES)
OLD_POINTS = [108.682192, 104.350224, 246.702802]
"""By the model `nurikabe-levels-0e2be5695510`."""

_STUCK = "nurikabe_stuck_steps"


@pytest.fixture(scope="module")
def model():
    return load_model(kind="nurikabe")


@pytest.fixture(scope="module")
def table(model):
    return model.table_of(PUZZLES)[0]


def drawn_tables(n):
    rng = np.random.default_rng(3)
    return rng.integers(0, 40, (n, len(LOOKS_COLUMNS))).astype(float)


def test_steps_are_counted_by_kind():
    """The counts agree with the steps themselves, sorted into kinds by hand."""
    extractor = FeatureExtractor(("nurikabe_ladder",))
    names = list(extractor.columns)
    for puzzle, row in zip(PUZZLES, extractor.table(PUZZLES), strict=True):
        rated = [step.technique.rating for step in NurikabeWalker(NURIKABE_LADDER).steps(puzzle)]
        wanted = {
            "nurikabe_blanks": puzzle.n_cells - puzzle.n_islands,
            "nurikabe_near_steps": sum(1.9 <= one <= 2.4 for one in rated),
            "nurikabe_far_steps": sum(2.5 <= one <= 4.4 for one in rated),
            "nurikabe_near_what_ifs": rated.count(5.0),
            "nurikabe_what_ifs": rated.count(6.0),
            "nurikabe_dilemmas": rated.count(7.0),
            "nurikabe_deep_what_ifs": rated.count(8.0),
        }
        assert {name: row[names.index(name)] for name in wanted} == wanted


def test_a_ladder_that_stops_counts_as_one_more_deep_what_if():
    open_everywhere = Nurikabe("2./..")  # several solutions: no step finds the rest
    extractor = FeatureExtractor(("nurikabe_ladder",))
    row = dict(zip(extractor.columns, extractor.table([open_everywhere])[0], strict=True))
    assert not NurikabeWalker(NURIKABE_LADDER).rate([open_everywhere]).solved[0]
    assert row["nurikabe_deep_what_ifs"] == 1.0


def test_points_are_those_of_the_model_before():
    extractor = FeatureExtractor(("nurikabe_ladder",))
    points = extractor.table(PUZZLES)[:, list(extractor.columns).index("nurikabe_points")]
    assert points == pytest.approx(OLD_POINTS, rel=1e-4)


def test_looks_are_a_sum(model):
    table = drawn_tables(20)
    for row, looks, total in zip(
        table, EFFORT.by_part(table), np.exp(model.difficulty(table)), strict=True
    ):
        counts = dict(zip(LOOKS_COLUMNS, row.tolist(), strict=True))
        counts["nurikabe_blanks"] = max(counts["nurikabe_blanks"], 1.0)
        by_hand = [
            sum(weight * counts[name] for name, weight in part.columns.items()) for part in PARTS
        ]
        assert looks.tolist() == pytest.approx(by_hand)
        assert total == pytest.approx(sum(by_hand))


def test_each_kind_of_reason_takes_twice_the_looks_of_the_one_below():
    weights = {name: weight for part in PARTS for name, weight in part.columns.items()}
    steps = [weights[name] for name in LOOKS_COLUMNS if name not in ("nurikabe_blanks", _STUCK)]
    assert steps == [2.0 * 2**k for k in range(6)]


def test_the_standards_of_setters(model):
    """The prediction is halfway between expert and novice on both puzzles together."""
    line = model.line_
    novice = np.sqrt(1800 / 540)
    assert np.exp(line.offset) == pytest.approx(np.sqrt(540 * novice * 1260 * novice), rel=1e-3)
    assert line.slope == 1.0


def test_parts_add_up_to_the_time(model, table):
    for parts, seconds in zip(
        model.named_parts(table, model.log_seconds(table)), model.predict(PUZZLES), strict=True
    ):
        assert [name for name, _ in parts] == [part.name for part in PARTS]
        assert sum(one for _, one in parts) == pytest.approx(seconds)


def test_a_grade_is_that_of_a_sudoku_that_takes_as_long(model):
    sudoku, table = load_model(kind="sudoku"), drawn_tables(200)
    table *= np.geomspace(0.005, 1, 200)[:, None]
    seconds = model.log_seconds(table)
    bounds = [sudoku.grade_range(grade)[0] for grade in GRADES[1:]]
    wanted = [GRADES[sum(one >= bound for bound in bounds)] for one in seconds]
    assert model.grades(table) == wanted
    assert len(set(wanted)) == len(GRADES)
    for grade in GRADES:
        assert model.grade_range(grade) == pytest.approx(sudoku.grade_range(grade))


def test_percentiles_and_their_times_agree(model):
    table = drawn_tables(50)
    for percentile, seconds in zip(model.percentiles(table), model.log_seconds(table), strict=True):
        if 0 < percentile < 100:
            assert model.log_seconds_at(percentile) == pytest.approx(seconds)
    with pytest.raises(ValueError, match="percentile must be between 0 and 100, got 101"):
        model.log_seconds_at(101)


def test_flags_say_that_nobody_was_timed_and_what_exceeds_the_collection(model, table):
    (rating, *_) = model.rate_columns(table, PUZZLES)
    assert rating.flag_codes == ("nobody_timed",)
    assert rating.high / rating.low > 4
    far = table.copy()
    far[0, LOOKS_COLUMNS.index("nurikabe_deep_what_ifs")] = 100
    (beyond, *_) = model.rate_columns(far, PUZZLES)
    assert beyond.flag_codes == ("nobody_timed", "beyond_known")
    assert "far_ahead 6400, at most" in beyond.flags
    assert beyond.high / beyond.low > rating.high / rating.low


def test_times_of_ones_own_move_the_pace(model):
    table = drawn_tables(60)
    rng = np.random.default_rng(0)
    half = np.exp(model.log_seconds(table)) / 2 * rng.lognormal(0, 0.1, len(table))
    own = LooksRater(features=model.features).fit(_named(table), half)
    assert own.log_seconds(table) == pytest.approx(np.log(half), abs=0.4)
    assert np.mean(own.log_seconds(table) - np.log(half)) == pytest.approx(0, abs=0.03)
    (low, high), (known_low, known_high) = (
        one.predict_interval(_named(table))[0] for one in (model, own)
    )
    assert known_high / known_low < high / low
    (rating,) = own.rate_columns(table[:1], PUZZLES[:1])
    assert "nobody_timed" not in rating.flag_codes
    assert own.grades(table) == model.grades(table)
    # One time moves the estimate by less than its distance from it.
    one = LooksRater().fit(_named(table[:1]), half[:1])
    moved = one.log_seconds(table[:1]) - model.log_seconds(table[:1])
    assert np.log(half[0]) - model.log_seconds(table[:1])[0] < moved[0] < 0


def test_the_posterior_is_that_of_a_normal_model(model):
    """The posterior agrees with a grid over offset and slope."""
    table, line = drawn_tables(5), model.line_
    x = model.difficulty(table) - line.reference
    y = model.log_seconds(table) + 0.5 + 0.1 * x
    fitted = line.fitted(model.difficulty(table), y, np.ones(5))
    offsets = line.offset + np.linspace(-2, 2, 801)
    slopes = line.slope + np.linspace(-0.8, 0.8, 401)
    a, b = np.meshgrid(offsets, slopes, indexing="ij")
    log_density = -((a - line.offset) ** 2) / line.pace_spread**2 / 2
    log_density -= (b - line.slope) ** 2 / line.slope_spread**2 / 2
    for at, time in zip(x, y, strict=True):
        log_density -= (time - a - b * at) ** 2 / line.puzzle_spread**2 / 2
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    assert fitted.offset == pytest.approx((a * density).sum(), abs=1e-3)
    assert fitted.slope == pytest.approx((b * density).sum(), abs=1e-3)
    assert fitted.pace_spread == pytest.approx(
        np.sqrt((a**2 * density).sum() - (a * density).sum() ** 2), rel=0.02
    )


def test_bad_times_are_refused(model):
    table = _named(drawn_tables(3))
    with pytest.raises(ValueError, match="2 times for 3 puzzles"):
        LooksRater().fit(table, [1.0, 2.0])
    with pytest.raises(ValueError, match="seconds must be above 0"):
        LooksRater().fit(table, [1.0, 2.0, 0.0])


def test_a_rough_estimate_needs_the_ladder_alone(model, table):
    known = dict(zip(LOOKS_COLUMNS, table.T, strict=True))
    full, _ = model.rough(known)
    assert full == pytest.approx(model.log_seconds(table))
    del known["nurikabe_stuck_steps"]
    rough, error = model.rough(known)
    assert np.abs(rough - full).max() < 3 * error[0]


def test_a_guess_near_the_wanted_time_is_the_rating(model):
    ladder = Ladder(Bank(model))
    for puzzle in PUZZLES:
        rated = float(model.log_seconds(model.table_of([puzzle])[0])[0])
        (rough, error), (guess, exact) = ladder.estimates(puzzle)
        assert guess == ladder.rated([puzzle])[0][0] == pytest.approx(rated, abs=0.1)
        assert rough < rated + 1
        assert error > exact == 0


def test_the_file(model):
    again = LooksRater.from_json(model.to_json())
    assert again == model
    assert again.to_json() == model.to_json()
    with pytest.raises(ValueError, match="it was changed; fit it again"):
        LooksRater.from_json(model.to_json().replace('"timed": 0', '"timed": 7'))
    with pytest.raises(ValueError, match="its parts are not those of this version"):
        LooksRater.from_json(model.to_json().replace('"marking": {', '"marked": {'))
    with pytest.raises(ValueError, match="not a model file: format"):
        DifficultyRater.from_json(model.to_json())


def test_pairs_of_one_size_in_order():
    """Of the pairs, 2 of 3 of size a are in order, and one of size b is tied."""
    looks = np.array([1.0, 3.0, 2.0, 5.0, 5.0, 9.0])
    levels = np.array([1.0, 2.0, 3.0, 1.0, 2.0, np.nan])
    sizes = [(1, 1)] * 3 + [(2, 2)] * 3
    assert in_order_by_size(looks, levels, sizes) == {
        "pairs": 4,
        "share": 0.625,
        "least": 0.5,
        "most": 0.6667,
    }


def _named(table):
    import pandas as pd

    return pd.DataFrame(table, columns=list(LOOKS_COLUMNS))
