"""Random numbers that kernels draw from their own state."""

import numpy as np
import pytest

from nando.kernels.streams import below, drawn_stream, next_word, shuffle, spawned_streams


@pytest.mark.parametrize("seed", [0, 5, 2**32, 2**127 + 3, 2**200 + 7])
def test_spawned_streams_begin_as_numpy_says(seed):
    found = spawned_streams(seed, range(3, 40, 2))
    for row, index in zip(found, range(3, 40, 2), strict=True):
        child = np.random.SeedSequence(seed, spawn_key=(index,))
        assert row.tolist() == child.generate_state(4).tolist()
    assert np.array_equal(
        spawned_streams(seed, range(2**32 - 1, 2**32))[0],
        np.random.SeedSequence(seed, spawn_key=(2**32 - 1,)).generate_state(4),
    )


def test_a_drawn_stream_follows_its_generator():
    first, second = (drawn_stream(np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(first, second)
    assert ((first >= 0) & (first < 2**32)).all()
    assert len(set(first.tolist())) == 4


@pytest.mark.parametrize("draw", [next_word, next_word.py_func])
def test_words_are_those_of_xoshiro128(draw):
    """The words are those of the reference implementation's test vector."""
    stream = np.array([1, 2, 3, 4])
    wanted = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295]
    assert [int(draw(stream)) for _ in wanted] == wanted


@pytest.mark.parametrize("draw", [below, below.py_func])
def test_numbers_below_a_bound_are_equally_likely(draw):
    (stream,) = spawned_streams(1, range(1))
    counts = np.bincount([draw(stream, 7) for _ in range(7_000)], minlength=7)
    assert len(counts) == 7
    assert ((counts - 1_000) ** 2 / 1_000).sum() < 22.5  # chi-square, one in a thousand


def test_large_bounds():
    """A bound that does not divide the number of words makes some words be drawn again."""
    (stream,) = spawned_streams(2, range(1))
    plain = stream.copy()
    bound = 3 << 29
    drawn = [below(stream, bound) for _ in range(4_000)]
    assert drawn == [below.py_func(plain, bound) for _ in range(4_000)]
    thirds = np.bincount(np.array(drawn) * 3 // bound, minlength=3)
    assert ((thirds - 4_000 / 3) ** 2 / (4_000 / 3)).sum() < 13.8


@pytest.mark.parametrize("run", [shuffle, shuffle.py_func])
def test_orders_are_equally_likely(run):
    (stream,) = spawned_streams(3, range(1))
    seen = {}
    for _ in range(6_000):
        items = np.arange(3)
        run(stream, items)
        seen[tuple(items.tolist())] = seen.get(tuple(items.tolist()), 0) + 1
    assert len(seen) == 6
    assert sum((n - 1_000) ** 2 / 1_000 for n in seen.values()) < 20.5
