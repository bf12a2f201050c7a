"""The feature transformer: fixed names, and seeds and streams that jobs do not move."""

import numpy as np
import pytest
from helpers.samples.sudokus import NINES, SIXTEEN
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks, get_tags

import nando
from nando.features import GROUPS, FeatureExtractor, SolverFeatures, feature_names, kinds_of
from nando.features.extractor import in_parts, random_streams, seeding
from nando.features.further import BOTTLENECKS
from nando.puzzles import Nurikabe, PuzzleError, Sudoku
from nando.rating import Bank, Rater, load_model
from nando.solvers.people import ladder_race

PUZZLES = NINES[:6]
EASY = PUZZLES[0]


@pytest.fixture(scope="module")
def table():
    return SolverFeatures(runs=4).fit_transform(PUZZLES)


NURIKABE = Nurikabe("....4./..3.../4...../....../....../3..2..")


@pytest.mark.thorough
def test_every_group_returns_as_many_numbers_as_it_names():
    for group in GROUPS.values():
        kinds = kinds_of([group.name])
        assert kinds
        for puzzle in (EASY, NURIKABE):
            if puzzle.kind in kinds:
                (row,) = group.rows([puzzle], 2, [np.random.default_rng(0)])
                assert len(row) == len(group.features)
                assert np.isfinite(row).all()


def test_names_are_unique_and_described():
    names = feature_names(tuple(GROUPS))
    assert len(set(names)) == len(names)
    assert len({group.number for group in GROUPS.values()}) == len(GROUPS)
    for group in GROUPS.values():
        for feature in group.features:
            assert feature.definition
            assert feature.unit
            assert feature.source


def test_bottlenecks_are_named_as_they_are_computed():
    assert BOTTLENECKS == ladder_race.BOTTLENECKS


def test_the_extractor_gives_the_numbers_of_the_transformer(table):
    features = SolverFeatures(runs=4)
    np.testing.assert_array_equal(features.extractor.table(PUZZLES), table)
    assert features.extractor == FeatureExtractor(runs=4)
    assert SolverFeatures.of(features.extractor).get_params() == features.get_params()


def test_jobs_parts_and_other_groups_change_nothing(table):
    same = SolverFeatures(runs=4, n_jobs=2).fit_transform(PUZZLES)
    np.testing.assert_array_equal(same, table)
    features = SolverFeatures(runs=4)
    parts = [features.transform(PUZZLES[:2]), features.transform(PUZZLES[2:], first_index=2)]
    np.testing.assert_array_equal(np.vstack(parts), table)
    alone = SolverFeatures(groups=["search_time"], runs=4).fit_transform(PUZZLES)
    names = feature_names()
    columns = [names.index(name) for name in feature_names(["search_time"])]
    np.testing.assert_array_equal(alone, table[:, columns])


def test_seed_and_place_decide_the_draws(table):
    other = SolverFeatures(runs=4, random_state=1).fit_transform(PUZZLES)
    column = feature_names().index("search_time")
    assert (other[:, column] != table[:, column]).all()
    assert (other[:, 0] == table[:, 0]).all()
    twice = SolverFeatures(runs=4).fit_transform([EASY, EASY])
    assert twice[0, column] != twice[1, column]


def test_works_as_a_scikit_learn_step():
    frame = SolverFeatures(groups=["givens"]).set_output(transform="pandas").fit_transform(PUZZLES)
    assert list(frame.columns) == feature_names(["givens"])
    assert frame["givens"].tolist() == [puzzle.n_givens for puzzle in PUZZLES]
    scaled = make_pipeline(SolverFeatures(groups=["givens"]), StandardScaler())
    assert scaled.fit_transform(PUZZLES).shape == (len(PUZZLES), 3)
    assert clone(SolverFeatures(runs=7)).runs == 7
    assert SolverFeatures().transform([]).shape == (0, len(feature_names()))


def test_other_orders_have_features():
    puzzle = SIXTEEN
    row = SolverFeatures(runs=2).fit_transform([puzzle])
    assert np.isfinite(row).all()


def test_a_full_grid_has_finite_features():
    from nando.solvers import solve

    full = Sudoku.from_values(solve(EASY))
    assert np.isfinite(SolverFeatures(runs=2).fit_transform([full])).all()


def test_bad_parameters():
    with pytest.raises(ValueError, match="unknown feature group 'serate'; known: givens"):
        SolverFeatures(groups=["serate"]).fit(PUZZLES)
    with pytest.raises(ValueError, match="runs must be at least 1, got 0"):
        SolverFeatures(runs=0).fit(PUZZLES)


BAD = {
    "several solutions": "." * 81,
    "conflicting givens: 1 at r1c1 and r1c2": "11" + "." * 79,
    "no solution": "12345678." + "." * 8 + "9" + "." * 63,
    "wrong length": "x",
}


@pytest.mark.parametrize("fault", list(BAD))
def test_an_error_names_the_puzzle_and_its_index(fault):
    good = NINES[:2]
    batch = [good[0].text, good[1].text, BAD[fault]]
    model = load_model()
    for called in (
        SolverFeatures().fit_transform,
        model.predict,
        model.rate,
        Bank(model).rate,
        lambda puzzles: Rater().fit(puzzles, [300, 400, 500]),
        nando.rate,
    ):
        with pytest.raises(PuzzleError, match=rf"^puzzles\[2\]: {fault}") as raised:
            called(batch)
        assert raised.value.index == 2


ESTIMATORS = (
    SolverFeatures(groups=["givens"]),
    Rater(),
    Rater("nurikabe"),
)
CHECKS = (
    "estimator_cloneable",
    "estimator_repr",
    "estimator_tags_renamed",
    "get_params_invariance",
    "mixin_order",
    "no_attributes_set_in_init",
    "parameters_default_constructible",
    "set_params",
    "valid_tag_types",
)
"""The checks of scikit-learn that fit nothing; all others fit arrays of random numbers."""


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_tags_are_true_and_the_checks_that_apply_pass(estimator):
    found = estimator_checks.check_estimator(clone(estimator), on_fail=None, on_skip=None)
    assert [each["check_name"] for each in found if each["status"] == "failed"] == []
    tags = get_tags(estimator)
    assert (tags.input_tags.two_d_array, tags.input_tags.string) == (False, True)
    assert tags.target_tags.positive_only == tags.target_tags.required
    name = type(estimator).__name__
    for check in CHECKS:
        getattr(estimator_checks, f"check_{check}")(name, clone(estimator))


# Streams of random numbers


NUMBERS = (0, 1, 5, 2**32 - 1, 2**32, 2**63 + 7, 2**64 - 1, 2**70)


@pytest.mark.parametrize("seed", [0, 7, 2**40, 2**127 + 5, 2**128 + 3, 2**200 + 9])
@pytest.mark.parametrize("group", [0, 3, 2**33])
def test_the_streams_are_those_of_numpy(seed, group):
    words = seeding(seed, NUMBERS, group)
    for number, row, rng in zip(NUMBERS, words, random_streams(seed, NUMBERS, group), strict=True):
        alone = np.random.SeedSequence(seed, spawn_key=(number, group))
        assert row.tolist() == alone.generate_state(4, np.uint64).tolist()
        # State that one stream leaves behind, for example half a word, does not reach the next.
        assert rng.random(3).tolist() == np.random.default_rng(alone).random(3).tolist()
        rng.integers(0, 5, dtype=np.uint32)


def test_no_numbers():
    assert list(random_streams(0, [], 1)) == []


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_parts_come_in_order(n_jobs):
    items = list(range(100))
    assert list(in_parts(lambda part: [-i for i in part], items, n_jobs)) == [-i for i in items]
