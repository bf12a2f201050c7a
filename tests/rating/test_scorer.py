"""Scores of single puzzles: rough far from a range, equal for equivalent puzzles."""

import numpy as np
import pytest

from nando.datasets import load_examples
from nando.generators import SudokuSource, generate
from nando.rating import LinearRater, Scorer, load_model
from nando.solvers import singles_suffice

PUZZLES = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3][:12]

FAR = 0.3
"""More than the error of any rough score of these puzzles."""


@pytest.fixture(scope="module")
def scorer():
    return Scorer(load_model())


def test_far_from_the_range_the_quick_groups_decide(scorer):
    beyond_singles = [puzzle for puzzle in PUZZLES if not singles_suffice(puzzle)]
    assert beyond_singles
    for puzzle in beyond_singles:
        full = scorer.guess(puzzle)
        rough = scorer.guess(puzzle, (full + 5.0, full + 6.0))
        assert rough != full
        assert scorer.guess(puzzle, (rough - 0.01, rough + 0.01)) == full
        assert scorer.guess(puzzle, (rough + 0.01, np.inf)) == full
        assert scorer.guess(puzzle, (-np.inf, rough - FAR)) == rough


def test_a_rough_score_is_near_the_full_one(scorer):
    off = [scorer.guess(p, (99.0, 100.0)) - scorer.guess(p) for p in PUZZLES]
    assert np.median(np.abs(off)) < 0.1


def test_a_model_without_quick_groups_is_asked_in_full():
    rater = LinearRater(("log_refutation_sum",))
    rater.mean_, rater.scale_, rater.coef_ = np.zeros(1), np.ones(1), np.ones(1)
    rater.intercept_ = 6.0
    scorer = Scorer(rater)
    puzzle = PUZZLES[0]
    assert scorer.guess(puzzle, (99.0, 100.0)) == scorer.guess(puzzle)


def test_a_score_depends_on_the_puzzle_alone(scorer):
    first = [scorer.guess(puzzle) for puzzle in PUZZLES]
    fresh = Scorer(load_model())
    assert [fresh.guess(puzzle) for puzzle in reversed(PUZZLES)] == first[::-1]


def test_the_confirmed_value_is_the_rating(scorer):
    rated = np.log(load_model().rate(PUZZLES[:4])["predicted_seconds"])
    for puzzle, wanted in zip(PUZZLES, rated, strict=False):
        turned = puzzle.shuffled(np.random.default_rng(1))
        assert scorer.confirm(puzzle) == scorer.confirm(turned)
        assert scorer.confirm(puzzle) == pytest.approx((wanted, wanted), abs=1e-12)
        # It does not matter either if the puzzle was estimated before.
        assert Scorer(load_model()).confirm(puzzle) == scorer.confirm(puzzle)
        assert abs(scorer.guess(puzzle) - wanted) < 0.2


@pytest.fixture(scope="module")
def drawn():
    return [made.puzzle for made in generate(SudokuSource(), 200, seed=8)]


def test_each_judge_is_nearer_than_the_one_before(scorer, drawn):
    """Each judge is nearer to the rating than the one before, and the last is the rating."""
    rated = np.log(load_model().rate(drawn)["predicted_seconds"].to_numpy())
    spread = []
    for judge in (*scorer.screens, *scorer.checks):
        expected, error = judge(drawn)
        spread.append(np.std(rated - expected))
        if error.any():
            missed = (rated - expected) / error
            assert abs(missed.mean()) < 0.3
            assert 0.7 < missed.std() < 1.3
    assert spread == sorted(spread, reverse=True)
    assert spread[-1] < 1e-12


def test_a_judgement_depends_on_the_puzzle_alone(drawn):
    some = drawn[:20]
    one_by_one, together = Scorer(load_model()), Scorer(load_model())
    for alone, many in zip(
        (*one_by_one.screens, *one_by_one.checks),
        (*together.screens, *together.checks),
        strict=True,
    ):
        single = [alone([puzzle]) for puzzle in reversed(some)][::-1]
        for i, column in enumerate(many(some)):
            assert [float(judged[i][0]) for judged in single] == column.tolist()


def test_hard_puzzles_take_long_to_rate(drawn):
    rater = load_model()
    times = rater.rating_time(np.log([300.0, 600.0, 1200.0, 2400.0]))
    assert (np.diff(times) > 0).all()
    cloud = rater.for_crowd("cloud-sudoku")
    for crowd in (rater, cloud):
        scorer = Scorer(crowd)
        expected, error = scorer.by_steps(drawn[:40])
        rated, _ = scorer.rated(drawn[:40])
        assert np.median(np.abs(rated - expected) / error) < 1.0


def test_a_model_of_other_columns_judges_one_by_one():
    rater = LinearRater(("log_refutation_sum",))
    rater.mean_, rater.scale_, rater.coef_ = np.zeros(1), np.ones(1), np.ones(1)
    rater.intercept_ = 6.0
    assert Scorer(rater).screens == Scorer(rater).checks == ()
    expected, error = rater.rough({"exact_guesses": np.zeros(2)})
    assert expected.tolist() == [6.0, 6.0]
    assert np.isinf(error).all()
    assert rater.rough({"log_refutation_sum": np.ones(2)})[1].max() < 1.0
    assert rater.rating_time(np.array([5.0, 7.0])).tolist() == [1.0, 1.0]
