"""The common scale of crowds: the fitted mode, and the weight of levels and times."""

import numpy as np
import pytest
from scipy.optimize import check_grad

from nando.rating.fitting import fit as module
from nando.rating.fitting.fit import check_levels, fit_crowd, fit_scale
from nando.rating.parts import PARTS
from nando.rating.scale import Crowd, CrowdLevels, CrowdTimes
from nando.records import plain, read_record

K = len(PARTS)


def some_parts(n, seed):
    rng = np.random.default_rng(seed)
    return rng.gamma(1.0, 8.0, (n, K)) * np.exp(rng.normal(0, 0.5, (n, 1))) + 0.5


def times(n=300, *, offset=6.0, slope=0.9, noise=0.2, seed=0, players=None, own=None):
    parts = some_parts(n, seed)
    weighted = parts * np.exp(np.zeros(K) if own is None else own)
    rng = np.random.default_rng(seed + 100)
    spread = noise if players is None else np.sqrt(noise**2 + 0.6**2 / players)
    logs = offset + slope * (np.log(weighted.sum(axis=1)) - 4.0) + rng.normal(0, spread, n)
    return CrowdTimes(parts, logs, players)


def levels(n=400, seed=7):
    parts = some_parts(n, seed)
    z = np.log(parts.sum(axis=1)) + np.random.default_rng(seed).logistic(0, 0.1, n)
    return CrowdLevels(parts, np.searchsorted(np.quantile(z, [0.2, 0.4, 0.7]), z).astype(np.int64))


@pytest.mark.parametrize("kind", ["times", "players", "levels"])
def test_slopes_of_the_losses_are_those_of_differences(kind):
    one = {
        "times": times(40),
        "players": times(40, players=np.linspace(1, 9, 40)),
        "levels": levels(60),
    }[kind]
    rng = np.random.default_rng(1)
    n = module._n_numbers(one)
    logs = rng.normal(0, 0.1, K)

    def split(vector):
        if kind == "levels":
            return module._levels_loss(one, vector[K:], vector[:K], 4.0)
        return module._times_loss(one, vector[K:], vector[:K], 4.0, (6.0, 1.0))

    def loss(vector):
        return split(vector)[0]

    def slopes(vector):
        _, of_crowd, of_weights = split(vector)
        return np.concatenate([of_weights, of_crowd])

    start = np.concatenate([logs, rng.normal(0, 0.2, n)])
    if kind != "levels":
        start[2 * K : 2 * K + 2] = 5.8, 0.8
    else:
        start[2 * K] = 1.0
    size = np.linalg.norm(slopes(start))
    assert check_grad(loss, slopes, start, epsilon=1e-6) < 1e-4 * size


def test_crowds_are_distinguished():
    slow, fast = times(offset=7.0, slope=1.1, seed=1), times(offset=5.0, slope=0.8, seed=2)
    scale = fit_scale({"slow": slow, "fast": fast, "publisher": levels()})
    found = {name: crowd.offset for name, crowd in scale.crowds.items()}
    assert found["slow"] - found["fast"] == pytest.approx(2.0, abs=0.15)
    assert scale.crowds["slow"].slope > scale.crowds["fast"].slope
    assert scale.offset == pytest.approx((found["slow"] + found["fast"]) / 2)
    assert scale.crowds["publisher"].thresholds
    thresholds = scale.crowds["publisher"].thresholds
    assert len(thresholds) == 3
    assert (np.diff(thresholds) > 0).all()
    # The fitted weights are those that the data were drawn with.
    assert np.abs(scale.weights).max() < 0.15


def test_best_times_are_not_those_of_a_typical_crowd():
    whole = times(offset=6.5)
    best = CrowdTimes(whole.parts, whole.log_seconds - 1.0, typical=False)
    scale = fit_scale({"whole": whole, "best": best})
    assert scale.offset == pytest.approx(scale.crowds["whole"].offset)
    with pytest.raises(ValueError, match="at least one crowd must have times"):
        fit_scale({"best": best, "publisher": levels()})


def test_noise_of_few_players_is_separated_from_that_of_puzzles():
    players = np.where(np.arange(800) % 2, 1.0, 30.0)
    crowd = fit_crowd(fit_scale({"other": times()}), times(800, players=players, seed=3))
    assert crowd.noise == pytest.approx(0.2, abs=0.05)
    # The spread of a t distribution is less than that of the normal one it is fitted to.
    assert 0.4 < crowd.player_noise < 0.65


def test_no_puzzle_leaves_the_typical_crowd():
    scale = fit_scale({"one": times(seed=1), "two": times(offset=7, seed=2)})
    nobody = fit_crowd(scale, CrowdTimes(np.zeros((0, K)), np.zeros(0)))
    assert nobody.offset == pytest.approx(scale.offset, abs=1e-4)
    assert nobody.slope == pytest.approx(scale.slope, abs=1e-4)
    assert np.abs(nobody.deviations).max() < 1e-6


def test_a_record_gives_a_crowd_back():
    scale = fit_scale({"one": times(60), "publisher": levels(80)})
    for crowd in scale.crowds.values():
        assert read_record(Crowd, plain(crowd), noun="a crowd") == crowd


@pytest.mark.parametrize("bad", [[1, 2, 3], [0, 0, 0], [0, 2, 2], [-1, 0, 1]])
def test_levels_must_be_ordered_without_gaps(bad):
    with pytest.raises(ValueError, match="levels of mine must be the whole numbers from 0"):
        check_levels("mine", np.array(bad))
