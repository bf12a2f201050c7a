"""Random streams of many puzzles, without a new generator for each.

A stream is that of ``default_rng(SeedSequence(seed, spawn_key=(number, group)))``. Building one for
each group takes a twentieth of the time of a rating, and the first use of a new generator in a
kernel takes twice as long again. So the seeds of a batch are computed together, as `SeedSequence`
computes one, and one generator is set to each stream. NumPy guarantees that neither changes.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]

_INIT_A, _TIMES_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _TIMES_B = 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_POOL = 4
"""Words of the pool of a `SeedSequence`."""


_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Of the steps of a PCG64."""
_WORD = (1 << 128) - 1


def streams(seed: int, numbers: Sequence[int], group: int) -> Iterator[np.random.Generator]:
    """One generator, set to the stream of each number in turn.

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
    """Words of ``SeedSequence(seed, spawn_key=(number, group)).generate_state(4, uint64)``.

    Returns
    -------
    ndarray of uint64, shape (len(numbers), 4)
    """
    found = np.empty((len(numbers), 4), np.uint64)
    lengths = np.array([len(_words_of(number)) for number in numbers])
    for length in np.unique(lengths):
        chosen = np.flatnonzero(lengths == length)
        keys = np.array(
            [(*_words_of(numbers[i]), *_words_of(group)) for i in chosen.tolist()], np.uint32
        )
        found[chosen] = _stirred(_mixed(seed, keys))
    return found


def _words_of(number: int) -> list[int]:
    """A number in words of 32 bits, the lowest first."""
    words = [number & 0xFFFFFFFF]
    while number := number >> 32:
        words.append(number & 0xFFFFFFFF)
    return words


@cache
def _constants(first: int, times: int, start: int, n: int) -> Words:
    """The constants numbered `start` to `start + n - 1` of a hash."""
    modulus = 1 << 32
    powers = (first * pow(times, start + i, modulus) % modulus for i in range(n))
    return np.array(list(powers), np.uint32)


@cache
def _pool(seed: int) -> Words:
    return np.random.SeedSequence(seed).pool


def _mixed(seed: int, keys: Words) -> Words:
    """The pools after the seed and the words of a key, for each row of keys."""
    pool = np.tile(_pool(seed), (len(keys), 1))
    # So many words has the hash taken in: four, each of them into the three others, and the rest.
    hashed = _POOL * max(_POOL, len(_words_of(seed)))
    for word in keys.T:
        constant = _constants(_INIT_A, _TIMES_A, hashed, _POOL + 1)
        value = (word[:, None] ^ constant[:-1]) * constant[1:]
        value ^= value >> 16
        pool = pool * _MIX_LEFT - value * _MIX_RIGHT
        pool ^= pool >> 16
        hashed += _POOL
    return pool


def _stirred(pool: Words) -> NDArray[np.uint64]:
    """Four words of 64 bits from each pool."""
    constant = _constants(_INIT_B, _TIMES_B, 0, 2 * _POOL + 1)
    data = (np.tile(pool, 2) ^ constant[:-1]) * constant[1:]
    data ^= data >> 16
    low, high = data[:, ::2].astype(np.uint64), data[:, 1::2].astype(np.uint64)
    return np.ascontiguousarray(low | high << np.uint64(32))
