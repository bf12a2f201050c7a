"""Evenly spread runs: each has the distribution of a single run, means vary less."""

import numpy as np
import pytest
from helpers.samples.sudokus import EASY
from helpers.samples.sudokus import STUCK as BEYOND

from nando.solvers import DigitSweep, TechniqueRace
from nando.solvers.people.imitation import unseen_of


def test_each_part_holds_one_run_of_every_cell():
    unseen = unseen_of(np.random.default_rng(0).random((3, 13, 81)))
    assert unseen.shape == (3, 12, 81)
    assert (np.sort(np.ceil(unseen * 12), axis=1) == np.arange(1, 13)[:, None]).all()


@pytest.mark.parametrize("runs", [1, 2, 8])
def test_every_run_by_itself_is_uniform(runs):
    unseen = unseen_of(np.random.default_rng(0).random((4000, runs + 1, 9)))
    for run in range(runs):
        shares = np.histogram(unseen[:, run], bins=10, range=(0, 1))[0] / unseen[:, run].size
        np.testing.assert_allclose(shares, 0.1, atol=0.008)


def test_ends_are_above_zero_and_up_to_one():
    most = np.nextafter(1.0, 0.0)
    for drawn in (np.zeros((1, 13, 81)), np.full((1, 13, 81), most)):
        unseen = unseen_of(drawn)
        assert (unseen > 0).all()
        assert (unseen <= 1).all()


@pytest.mark.parametrize("puzzle", [EASY, BEYOND])
@pytest.mark.parametrize(
    ("solver", "runs", "columns"),
    [
        (TechniqueRace(), 12, slice(3)),
        (DigitSweep(), 8, slice(1)),
        (DigitSweep(0.2), 8, slice(1)),
    ],
)
def test_means_are_steadier_and_not_biased(puzzle, solver, runs, columns):
    def means(n, runs_each, seed):
        rng = np.random.default_rng(seed)
        found = solver.means_many([puzzle] * n, runs=runs_each, rngs=[rng] * n)
        return found[:, columns].sum(axis=1)

    together, alone = means(400, runs, 1), means(4000, 1, 2)
    error = np.hypot(together.std() / 20, alone.std() / 4000**0.5)
    assert abs(together.mean() - alone.mean()) < 4 * error
    assert together.var() * runs < alone.var() / 1.3
