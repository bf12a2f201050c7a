"""Seeds of many spawned streams at once, equal to those of NumPy's `SeedSequence`.

NumPy promises that its hash does not change (numpy/random/bit_generator.pyx).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]

_INIT_A, _TIMES_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _TIMES_B = 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_POOL = 4
"""Words of the pool of a `SeedSequence`."""


def spawned_words(seed: int, keys: Words, n_words: int) -> Words:
    """Return ``SeedSequence(seed, spawn_key=key).generate_state(n_words)`` for each row of keys.

    Parameters
    ----------
    seed : int
    keys : ndarray of uint32, shape (n, n_key_words)
        The words of each key; a number of several words has its lowest first.
    n_words : int
        A multiple of 4.

    Returns
    -------
    ndarray of uint32, shape (n, n_words)
    """
    pool = _mixed(seed, keys)
    constant = _constants(_INIT_B, _TIMES_B, 0, n_words + 1)
    words = (np.tile(pool, n_words // _POOL) ^ constant[:-1]) * constant[1:]
    return np.asarray(words ^ words >> 16)


def words_of(number: int) -> list[int]:
    """Split a number into words of 32 bits, the lowest first."""
    words = [number & 0xFFFFFFFF]
    while number := number >> 32:
        words.append(number & 0xFFFFFFFF)
    return words


@cache
def _constants(first: int, times: int, start: int, n: int) -> Words:
    """Return the constants with indices `start` to `start + n - 1` of a hash."""
    modulus = 1 << 32
    powers = (first * pow(times, start + i, modulus) % modulus for i in range(n))
    return np.array(list(powers), np.uint32)


@cache
def _pool(seed: int) -> Words:
    return np.random.SeedSequence(seed).pool


def _mixed(seed: int, keys: Words) -> Words:
    """Return the pool of a `SeedSequence` for each row of keys."""
    pool = np.tile(_pool(seed), (len(keys), 1))
    # The seed takes four hashes for each of its words, which are at least four.
    hashed = _POOL * max(_POOL, len(words_of(seed)))
    for word in keys.T:
        constant = _constants(_INIT_A, _TIMES_A, hashed, _POOL + 1)
        value = (word[:, None] ^ constant[:-1]) * constant[1:]
        value ^= value >> 16
        pool = pool * _MIX_LEFT - value * _MIX_RIGHT
        pool ^= pool >> 16
        hashed += _POOL
    return pool
