"""Scores of single puzzles: rough where a range is far, the same wherever a puzzle comes up."""

import numpy as np
import pytest

from nando.datasets import load_examples
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


def test_what_is_confirmed_is_the_rating(scorer):
    rated = np.log(load_model().rate(PUZZLES[:4])["predicted_seconds"])
    for puzzle, wanted in zip(PUZZLES, rated, strict=False):
        turned = puzzle.shuffled(np.random.default_rng(1))
        assert scorer.confirm(puzzle) == scorer.confirm(turned)
        assert scorer.confirm(puzzle) == pytest.approx((wanted, wanted), abs=1e-12)
        # Neither does it matter whether the puzzle was guessed before.
        assert Scorer(load_model()).confirm(puzzle) == scorer.confirm(puzzle)
        assert abs(scorer.guess(puzzle) - wanted) < 0.2
