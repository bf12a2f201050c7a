"""Scores of single puzzles: rough where a range is far, the same wherever a puzzle comes up."""

import numpy as np
import pytest

from nando.datasets import load_examples
from nando.rating import DifficultyRater, Scorer, load_model
from nando.rating.scorer import _FAR

PUZZLES = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3][:12]


@pytest.fixture(scope="module")
def scorer():
    return Scorer(load_model())


def test_far_from_the_range_the_quick_groups_decide(scorer):
    for puzzle in PUZZLES:
        full = scorer.guess(puzzle)
        rough = scorer.guess(puzzle, (full + 5.0, full + 6.0))
        assert rough != full
        assert scorer.guess(puzzle, (rough - 0.01, rough + 0.01)) == full
        assert scorer.guess(puzzle, (rough + _FAR / 2, np.inf)) == full
        assert scorer.guess(puzzle, (-np.inf, rough - 2 * _FAR)) == rough


def test_a_rough_score_is_near_the_full_one(scorer):
    off = [scorer.guess(p, (99.0, 100.0)) - scorer.guess(p) for p in PUZZLES]
    assert np.median(np.abs(off)) < _FAR


def test_a_model_without_quick_groups_is_asked_in_full():
    shipped = load_model()
    rater = DifficultyRater(columns=("log_refutation_sum",))
    rater.mean_, rater.scale_, rater.coef_ = shipped.mean_[5:6], shipped.scale_[5:6], np.ones(1)
    rater.intercept_ = 6.0
    scorer = Scorer(rater)
    puzzle = PUZZLES[0]
    assert scorer.guess(puzzle, (99.0, 100.0)) == scorer.guess(puzzle)


def test_a_score_depends_on_the_puzzle_alone(scorer):
    first = [scorer.guess(puzzle) for puzzle in PUZZLES]
    fresh = Scorer(load_model())
    assert [fresh.guess(puzzle) for puzzle in reversed(PUZZLES)] == first[::-1]


def test_a_rating_is_expected_around_the_guess(scorer):
    for puzzle in PUZZLES[:4]:
        low, high = scorer.confirm(puzzle)
        assert low < high
        assert low - 0.1 < scorer.guess(puzzle) < high + 0.1
