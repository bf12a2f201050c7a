"""Streams seeded in one call are those that NumPy seeds one by one."""

import numpy as np
import pytest

from nando.features.extractor import in_parts, random_streams, seeding

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
