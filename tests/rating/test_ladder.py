"""The ladder of judging puzzles: rough at first, and at last the rating itself."""

import numpy as np
import pytest
from helpers.samples.sudokus import NINES

from nando.generators import SudokuSource, Target, generate
from nando.rating import Bank, Ladder, load_model
from nando.solvers import singles_suffice

RATER = load_model()
PUZZLES = NINES[:12]


def new_ladder():
    return Ladder(Bank(RATER))


def estimates(ladder, puzzle):
    return [score for score, _ in ladder.estimates(puzzle)]


@pytest.fixture(scope="module")
def ladder():
    return new_ladder()


def test_far_from_a_range_the_first_estimate_decides(ladder):
    beyond_singles = [puzzle for puzzle in PUZZLES if not singles_suffice(puzzle)]
    assert beyond_singles
    for puzzle in beyond_singles:
        (rough, error), (full, exact) = ladder.estimates(puzzle)
        assert rough != full
        assert 0 == exact < error < 0.3
        for low, high, wanted in (
            (rough + 5, rough + 6, rough),
            (rough - 0.01, rough + 0.01, full),
            (rough + 0.01, np.inf, full),
            (-np.inf, rough - 0.3, rough),
        ):
            assert Target(low, high, ladder).estimate(puzzle) == wanted


def test_an_estimate_depends_on_the_puzzle_alone(ladder):
    first = [estimates(ladder, puzzle) for puzzle in PUZZLES]
    fresh = new_ladder()
    assert [estimates(fresh, puzzle) for puzzle in reversed(PUZZLES)] == first[::-1]


def test_what_decides_is_the_rating(ladder):
    wanted = np.log([rating.predicted for rating in RATER.rate(PUZZLES[:4])])
    rated, error = ladder.by_ratings(PUZZLES[:4])
    assert rated == pytest.approx(wanted, abs=1e-12)
    assert not error.any()
    turned = [puzzle.shuffled(np.random.default_rng(1)) for puzzle in PUZZLES[:4]]
    # It does not matter if the puzzle was estimated before.
    assert np.array_equal(new_ladder().by_ratings(turned)[0], rated)
    for puzzle, score in zip(PUZZLES, rated, strict=False):
        assert abs(estimates(ladder, puzzle)[-1] - score) < 0.2


@pytest.fixture(scope="module")
def drawn():
    return [made.puzzle for made in generate(SudokuSource(), 200, seed=8)]


def test_each_judge_is_nearer_than_the_one_before(ladder, drawn):
    """Each judge is nearer to the rating than the one before, and the last is the rating."""
    rated = np.log([rating.predicted for rating in RATER.rate(drawn)])
    spread = []
    for judge in (*ladder.screens, *ladder.checks):
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
    one_by_one, together = new_ladder(), new_ladder()
    for alone, many in zip(
        (*one_by_one.screens, *one_by_one.checks),
        (*together.screens, *together.checks),
        strict=True,
    ):
        single = [alone([puzzle]) for puzzle in reversed(some)][::-1]
        for i, column in enumerate(many(some)):
            assert [float(judged[i][0]) for judged in single] == column.tolist()


def test_hard_puzzles_take_long_to_rate(ladder, drawn):
    times = ladder.time(np.log([300.0, 600.0, 1200.0, 2400.0]))
    assert (np.diff(times) > 0).all()
    for crowd in (RATER, RATER.for_crowd("cloud-sudoku")):
        of_crowd = Ladder(Bank(crowd))
        expected, error = of_crowd.by_steps(drawn[:40])
        rated, _ = of_crowd.by_ratings(drawn[:40])
        assert np.median(np.abs(rated - expected) / error) < 1.0


def test_a_puzzle_that_was_found_is_rated_already(drawn):
    ladder = new_ladder()
    for judge in (*ladder.screens, *ladder.checks):
        judge(drawn[:20])
    computed = ladder.bank.computed
    ratings = ladder.bank.rate(drawn[:20])
    assert ladder.bank.computed == computed
    assert ratings == Bank(RATER).rate(drawn[:20])
