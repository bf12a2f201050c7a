"""Parts, grades, reach and errors: small pieces of the common scale."""

import numpy as np
import pytest

from nando.features import feature_names, groups_of
from nando.rating.parts import NURIKABE, PART_COLUMNS, PARTS, SUDOKU, THOUGHT, VARIANT, parts_of
from nando.rating.reach import Reach
from nando.rating.result import GRADES, LOOKS, Flags, grades_of, looks_of, number_of
from nando.rating.scale import Missed
from nando.records import plain, read_record


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
