"""Random streams of many puzzles, without a new generator for each.

A stream is that of ``default_rng(SeedSequence(seed, spawn_key=(number, group)))``. Building one for
each group takes a twentieth of the time of a rating, and its first use in a kernel takes twice as
long. So the seeds of a batch are computed together, and one generator is set to each stream. NumPy
guarantees that seeds and streams do not change.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from nando.kernels.seeds import spawned_words, words_of

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Of the steps of a PCG64."""
_WORD = (1 << 128) - 1


def streams(seed: int, numbers: Sequence[int], group: int) -> Iterator[np.random.Generator]:
    """Yield one generator, set to the stream of each number in turn.

    Parameters
    ----------
    seed : int
    numbers : sequence of int
        At least 0.
    group : int
        At least 0; the last word of the spawn key.
    """
    rng = np.random.default_rng(0)
    for high, low, which_high, which_low in seeding(seed, numbers, group).tolist():
        increment = ((which_high << 64 | which_low) << 1 | 1) & _WORD
        start = (increment + (high << 64 | low)) * _MULTIPLIER + increment & _WORD
        rng.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {"state": start, "inc": increment},
            "has_uint32": 0,
            "uinteger": 0,
        }
        yield rng


def seeding(seed: int, numbers: Sequence[int], group: int) -> NDArray[np.uint64]:
    """Compute ``SeedSequence(seed, spawn_key=(number, group)).generate_state(4, uint64)``.

    Returns
    -------
    ndarray of uint64, shape (len(numbers), 4)
    """
    found = np.empty((len(numbers), 4), np.uint64)
    lengths = np.array([len(words_of(number)) for number in numbers])
    for length in np.unique(lengths):
        chosen = np.flatnonzero(lengths == length)
        keys = np.array(
            [(*words_of(numbers[i]), *words_of(group)) for i in chosen.tolist()], np.uint32
        )
        words = spawned_words(seed, keys, 8)
        low, high = words[:, ::2].astype(np.uint64), words[:, 1::2].astype(np.uint64)
        found[chosen] = low | high << np.uint64(32)
    return found
