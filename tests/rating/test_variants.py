"""The model of variants: the scale of Sudoku on it, its reasons and its estimates."""

from itertools import pairwise

import numpy as np
import pytest
from helpers.data import needs
from helpers.samples.sudokus import EXAMPLES

import nando
from nando.features import FeatureExtractor
from nando.puzzles import Sudoku, Variant
from nando.rating import Bank, Ladder, fit_shipped, load_model
from nando.rating.kinds import by_rules
from nando.rating.reach import GenreLevels, grade_at
from nando.rating.result import GRADES
from nando.rating.shipped_fits import groups_with_levels, rules_left_out
from nando.solvers.exact.search import unique_solutions
from nando.solvers.logic.house_walk import HouseWalker
from nando.solvers.logic.variants.rule_ladder import VARIANT_LADDER

CLASSIC = (
    "..867.4.24.23...9.37..2.......4...5.89.251.67.1...3.......9..73.3...52.17.5.329..",
    ".9.384.....2.7...........715....324..3.........1..5.9....8.....7.652.........64..",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
)
KILLER = Variant(
    "4x4+killer:r1c1r1c2r2c1:9+killer:r1c3r2c3r3c3:8+killer:r1c4r2c4:3+killer:r2c2r3c2r4c2:7"
    "+killer:r3c1r4c1:4+killer:r3c4r4c3r4c4:9"
)


@pytest.fixture(scope="module")
def model():
    return load_model(kind="variant")


def test_without_rules_a_variant_is_rated_as_the_sudoku():
    """A plain variant is rated within a tenth of the Sudoku, although its draws differ."""
    for text in CLASSIC:
        classic, variant = nando.rate(Sudoku(text)), nando.rate(Variant.of(text))
        assert abs(np.log(variant.predicted / classic.predicted)) < 0.1, text
        assert variant.grade == classic.grade


def test_ratings_say_that_nobody_was_timed(model):
    rating = nando.rate(KILLER)
    assert "nobody_timed" in rating.flag_codes
    assert "nobody was timed on these rules" in rating.flags
    assert rating.model_id == model.model_id
    assert rating.low < rating.predicted / 2
    assert rating.high > rating.predicted * 2
    assert "cages" in rating.reasons


def test_a_full_board_takes_no_time():
    full = nando.rate(Variant.of("2341413232141423", KILLER.rules))
    assert (full.predicted, full.grade, full.reasons) == (0.0, None, "")


def test_steps_are_counted_by_family():
    """The counts agree with the steps themselves."""
    extractor = FeatureExtractor(("variant_ladder",))
    row = dict(zip(extractor.columns, extractor.table([KILLER])[0], strict=True))
    names = [step.technique.name for step in HouseWalker(VARIANT_LADDER, 0).steps(KILLER)]
    assert row["variant_small_sums"] == names.count("sum of two cells") > 0
    assert row["variant_sums"] == names.count("sum of three cells") + names.count("larger sum")
    assert row["variant_stuck"] == row["variant_chains"] == 0


def test_trying_is_what_a_person_tries():
    """The exact search guesses on a puzzle that the ladder finishes without what-ifs."""
    examples = (Variant.of(each.text) for each in EXAMPLES if each.order == 3)
    puzzle = next(each for each in examples if unique_solutions((each,)).guesses[0] > 0)
    names = {step.technique.name for step in HouseWalker(VARIANT_LADDER, 0).steps(puzzle)}
    assert not names & {"what-if", "dilemma"}
    assert dict(nando.rate(puzzle).parts)["trying"] == 0.0


def test_reasons_name_the_rules():
    said = "sums 4 min, relations 2 min"
    assert by_rules(said, KILLER) == "cages 4 min, relations 2 min"
    assert by_rules("combining the rules 4 min", KILLER) == "combining cages 4 min"
    dotted = Variant("4x4+kropki:white=r1c1r1c2+thermometer:r1c1r2c1+anti-knight")
    assert by_rules(said, dotted) == "sums 4 min, dots and thermometers 2 min"
    crowded = Variant("4x4+kropki:white=r1c1r1c2+thermometer:r1c1r2c1+whispers:r1c3r1c4:2")
    assert by_rules(said, crowded) == said


def test_levels_are_sixths_of_each_source(model):
    """A source of many puzzles counts as much as one of few."""
    levels = GenreLevels.of({"a": np.linspace(1.0, 2.0, 900), "b": np.linspace(3.0, 4.0, 31)})
    assert levels.puzzles == {"a": 900, "b": 31}
    np.testing.assert_allclose(np.log(levels.looks)[[0, -1]], [1.0, 4.0])
    assert levels.percentiles_below(np.array([2.5]))[0] == pytest.approx(50, abs=1)
    assert [grade_at(p) for p in (0, 16.6, 16.7, 50, 83.4, 100)] == [
        *("beginner", "beginner", "easy", "tricky", "diabolical", "diabolical")
    ]
    for genre, own in model.levels_.items():
        assert sum(own.puzzles.values()) >= 12, genre
        bounds = [model.grade_range(grade, genre) for grade in GRADES]
        assert all(a[1] == b[0] for a, b in pairwise(bounds))
        middle = [own.at_percentile(p) for p in (8, 25, 42, 58, 75, 92)]
        assert [grade_at(float(own.percentiles_below(np.array(z)))) for z in middle] == [*GRADES]


def test_a_variant_is_graded_among_its_kind(model):
    """The same looks are another grade for another kind; without levels the rating says so."""
    table = Bank(model).columns([KILLER])
    killers, sudokus, nobody, small = "9x9+killer", "9x9", "11x11", "6x6+clone+killer"
    assert model.grades(table, [killers]) == ["beginner"]
    assert model.grades(table, [nobody]) == model.grades(table)
    assert model.population(nobody) is model.reach_
    of_size = {genre for genre in model.levels_ if genre.split("+")[0] == "6x6"}
    assert model.population(small).puzzles.keys() == of_size
    assert model.grade_range("tricky", killers)[0] > model.grade_range("tricky", small)[0]
    assert model.grade_range("easy", killers)[0] > model.grade_range("easy", sudokus)[0]
    cages = "+killer:r2c1r3c1:5+killer:r3c2r4c2:4"
    rare = nando.rate(Variant(f"...............1{cages}+thermometer:r1c1r1c2r1c3r1c4"))
    assert "graded_among_all" in rare.flag_codes
    assert rare.flags.endswith("graded among other variants: too few with its rules are known")
    assert "graded_among_all" not in nando.rate(KILLER).flag_codes


def test_known_features_narrow_the_estimate(model):
    ladder = Ladder(Bank(model))
    exact = ladder.by_ratings([KILLER])[0][0]
    *_, (guess, _) = ladder.estimates(KILLER)
    assert guess == pytest.approx(exact, abs=0.3)
    log_seconds, error = model.rough({"exact_guesses": np.zeros(2)})
    assert log_seconds.shape == (2,)
    assert np.isinf(error).all()


def test_a_left_out_rule_shows_in_the_extra_time_of_its_games():
    import pandas as pd

    rng = np.random.default_rng(0)
    looks = rng.uniform(2, 5, 60)
    rules = np.repeat(["a", "b", "c"], 20)
    moves = np.exp(1.0 + 0.5 * looks + 0.4 * (rules == "c"))
    frame = pd.DataFrame({"moves": moves, "solver": "x", "genre": rules})
    left_out = rules_left_out(looks, frame)
    assert left_out["c"].missed == pytest.approx(0.4 / 0.5, rel=1e-6)
    assert left_out["c"].spread == pytest.approx(0.0, abs=1e-6)


def test_levels_are_read_from_numbers():
    import pandas as pd

    infos = [f"9038-73-82{k}000-{level}-525" for k, level in enumerate([1, 3, 0, 5] * 10)]
    frame = pd.DataFrame({"info": infos, "level": np.nan, "genre": "killer", "size": 9})
    ((name, rows, levels),) = groups_with_levels(frame)
    assert name == "killer 9x9"
    assert len(rows) == 30
    assert set(levels) == {1.0, 3.0, 5.0}


@pytest.mark.slow
@needs("sudoku_variants")
def test_a_fit_to_the_published_variants_gives_what_is_shipped(model):
    assert fit_shipped("variant").model_id == model.model_id
