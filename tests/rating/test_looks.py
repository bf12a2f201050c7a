"""The model of Nurikabe, and the parts, grades, reach and errors of the common scale."""

from pathlib import Path

import numpy as np
import pytest

from nando.features import FeatureExtractor, feature_names, groups_of
from nando.puzzles import Nurikabe, as_puzzles
from nando.rating import Bank, Ladder, load_model
from nando.rating.fitting.fit import fit_line
from nando.rating.parts import NURIKABE, PART_COLUMNS, PARTS, SUDOKU, THOUGHT, VARIANT, parts_of
from nando.rating.reach import Reach
from nando.rating.result import GRADES, LOOKS, Flags, grades_of, looks_of, number_of
from nando.rating.scale import Missed
from nando.rating.shipped_fits import in_order_by_size
from nando.records import plain, read_record
from nando.solvers.logic.nurikabe.board_walk import NurikabeWalker
from nando.solvers.logic.nurikabe.shading import NURIKABE_LADDER

LINES = [
    line
    for line in Path("examples/nurikabe.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
PUZZLES = as_puzzles(LINES)
_STUCK = "nurikabe_stuck_steps"


@pytest.fixture(scope="module")
def model():
    return load_model(kind="nurikabe")


@pytest.fixture(scope="module")
def table(model):
    return model.table_of(PUZZLES)[0]


def drawn_tables(n):
    rng = np.random.default_rng(3)
    return rng.integers(0, 40, (n, len(NURIKABE.columns))).astype(float)


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


def test_each_kind_of_reason_takes_twice_the_looks_of_the_one_below():
    weights = {name: weight for part in NURIKABE.parts for name, weight in part.columns.items()}
    steps = [weights[name] for name in NURIKABE.columns if name not in ("nurikabe_blanks", _STUCK)]
    assert steps == [2.0 * 2**k for k in range(6)]


def test_the_standards_of_setters(model):
    """The prediction is halfway between expert and novice on both puzzles together."""
    line = model.scale_
    novice = np.sqrt(1800 / 540)
    assert np.exp(line.offset) == pytest.approx(np.sqrt(540 * novice * 1260 * novice), rel=1e-3)
    assert line.slope == 1.0


def test_the_posterior_is_that_of_a_normal_model(model):
    """The posterior agrees with a grid over offset and slope."""
    table, line = drawn_tables(5), model.scale_
    x = model.difficulty(table) - line.reference
    y = model.log_seconds(table) + 0.5 + 0.1 * x
    fitted = fit_line(line, model.difficulty(table), y, np.ones(5))
    offsets = line.offset + np.linspace(-2, 2, 801)
    slopes = line.slope + np.linspace(-0.8, 0.8, 401)
    a, b = np.meshgrid(offsets, slopes, indexing="ij")
    log_density = -((a - line.offset) ** 2) / line.offset_spread**2 / 2
    log_density -= (b - line.slope) ** 2 / line.slope_spread**2 / 2
    for at, time in zip(x, y, strict=True):
        log_density -= (time - a - b * at) ** 2 / line.puzzle_spread**2 / 2
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    assert fitted.offset == pytest.approx((a * density).sum(), abs=1e-3)
    assert fitted.slope == pytest.approx((b * density).sum(), abs=1e-3)
    assert fitted.offset_spread == pytest.approx(
        np.sqrt((a**2 * density).sum() - (a * density).sum() ** 2), rel=0.02
    )


def test_a_rough_estimate_needs_the_ladder_alone(model, table):
    known = dict(zip(NURIKABE.columns, table.T, strict=True))
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
        assert guess == ladder.by_ratings([puzzle])[0][0] == pytest.approx(rated, abs=0.1)
        assert rough < rated + 1
        assert error > exact == 0


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


# Parts of the time


def test_every_column_is_a_feature_and_belongs_to_one_part():
    assert len(set(PART_COLUMNS)) == len(PART_COLUMNS)
    assert set(PART_COLUMNS) <= set(feature_names(groups_of(PART_COLUMNS)))
    assert set(THOUGHT) < {part.name for part in PARTS}


def test_parts_do_not_depend_on_other_rows():
    table = np.random.default_rng(0).uniform(1, 4, (5, len(PART_COLUMNS)))
    np.testing.assert_array_equal(parts_of(table)[2], parts_of(table[2:3])[0])


@pytest.mark.parametrize("effort", [SUDOKU, NURIKABE, VARIANT])
def test_more_of_anything_is_harder(effort):
    base = np.full((1, len(effort.columns)), 2.0)
    least = np.log(effort.by_part(base).sum())
    for i, name in enumerate(effort.columns):
        more = base.copy()
        more[0, i] += 1
        assert np.log(effort.by_part(more).sum()) > least, name


def test_what_the_rules_take_vanishes_with_what_they_leave_to_note():
    """So a puzzle with ever weaker rules comes to be the Sudoku without them."""
    table = np.full((3, len(VARIANT.columns)), 2.0)
    table[:, VARIANT.columns.index("variant_marks")] = [100.0, 1.0, 0.0]
    names = ("marking", "relations", "sums", "patterns", "unions", "rules")
    own = [VARIANT.names.index(name) for name in names]
    of_rules = VARIANT.by_part(table)[:, own].sum(axis=1)
    assert of_rules[2] == 0.0
    assert of_rules[0] == pytest.approx(100 * of_rules[1])
    others = np.delete(VARIANT.by_part(table), own, axis=1)
    np.testing.assert_array_equal(others[:2], others[1:])


def test_grades_are_cut_at_their_looks():
    assert grades_of(np.log([1, *LOOKS])) == list(GRADES)
    assert grades_of(np.log(np.array(LOOKS) - 0.01)) == list(GRADES[:-1])
    assert [looks_of(grade)[0] for grade in GRADES[1:]] == list(LOOKS)
    assert [number_of(grade) for grade in GRADES] == list(range(6))
    with pytest.raises(ValueError, match="unknown grade 'expert'; known: beginner, easy"):
        looks_of("expert")


def test_the_error_is_larger_with_thought():
    rng = np.random.default_rng(1)
    thought = rng.uniform(0, 1, 4000)
    missed = rng.normal(0, 0.2 + 0.3 * thought)
    found = Missed.of(missed, thought)
    assert found.base == pytest.approx(0.2, abs=0.03)
    assert found.thought == pytest.approx(0.3, abs=0.05)
    for coverage in (0.5, 0.8, 0.95):
        below, above = found.ends(thought, coverage)
        inside = np.mean((-below <= missed) & (missed <= above))
        assert inside == pytest.approx(coverage, abs=0.02)
    assert read_record(Missed, plain(found), noun="errors") == found


def test_each_crowd_counts_the_same_in_percentiles():
    easy, hard = np.full(1000, 2.0), np.full(10, 5.0)
    parts = [np.ones((len(one), len(PARTS))) for one in (easy, hard)]
    reach = Reach.of(parts, [easy, hard], {3})
    assert reach.percentiles_below(np.array([3.5]))[0] == pytest.approx(50, abs=1.5)
    assert reach.at_percentile(0) == 2.0
    assert reach.at_percentile(100) == 5.0


def test_beyond_the_reach_is_flagged_by_its_part():
    known = np.full((20, len(PARTS)), 4.0)
    reach = Reach.of([known], [np.linspace(2, 3, 20)], {3})
    far = known[:2].copy()
    far[1, [part.name for part in PARTS].index("chains")] = 40.0
    factor, flags = reach.widening(SUDOKU.names, far, [3, 3])
    assert factor[0] == 1.0
    assert flags[0] == Flags()
    assert factor[1] == pytest.approx(1 + 36 / far[1].sum())
    assert flags[1].words == "outside training population: chains 40, at most 4 known"
    assert flags[1].codes == ("beyond_known",)
    factor, flags = reach.widening(SUDOKU.names, known[:1], [4])
    assert factor[0] == 2.0
    assert "order 4, fitted to order 3" in flags[0].words
    assert flags[0].codes == ("unknown_order",)
    assert reach.widening(SUDOKU.names, far[1:], [4])[1][0].codes == (
        "unknown_order",
        "beyond_known",
    )
