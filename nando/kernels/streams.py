"""Streams of random numbers for kernels.

A kernel that makes many puzzles has a stream for each. NumPy's generators cannot be created inside
kernels, and passing one takes longer than most draws. A stream is the state of xoshiro128++: four
32-bit words in an array of int64, which kernels and plain Python can use.

Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
Mathematical Software 47 (2021).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel

# Seeds of many spawned streams at once, equal to those of NumPy's `SeedSequence`.
#
# NumPy promises that its hash does not change (numpy/random/bit_generator.pyx).

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
    pool = _mix(seed, keys)
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


def _mix(seed: int, keys: Words) -> Words:
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


Stream = NDArray[np.int64]
"""Shape (4,)."""

_WORD = 0xFFFFFFFF


def drawn_stream(rng: np.random.Generator) -> Stream:
    """Return a stream seeded by a generator."""
    words = rng.bit_generator.random_raw(2)
    return np.array([word >> half & _WORD for word in words.tolist() for half in (0, 32)])


def spawned_streams(seed: int, indices: range) -> NDArray[np.int64]:
    """Return the streams of a seed's children with the given indices.

    Row i is ``SeedSequence(seed, spawn_key=(indices[i],)).generate_state(4)``, computed in a
    hundredth of the time.

    Parameters
    ----------
    seed : int
    indices : range
        Below 2^32.

    Returns
    -------
    ndarray of int64, shape (len(indices), 4)
    """
    keys = np.array(indices, np.uint32)[:, None]
    return spawned_words(seed, keys, 4).astype(np.int64)


@lean_kernel
def next_word(stream):
    """Return 32 random bits."""
    first, second, third, fourth = stream[0], stream[1], stream[2], stream[3]
    total = first + fourth & _WORD
    word = (total << 7 | total >> 25) + first & _WORD
    third ^= first
    fourth ^= second
    stream[0] = first ^ fourth
    stream[1] = second ^ third
    stream[2] = third ^ second << 9 & _WORD
    stream[3] = (fourth << 11 | fourth >> 21) & _WORD
    return word


@lean_kernel
def below(stream, count):
    """Return a number from 0 to `count` - 1, each equally likely; `count` is 1 to 2^31."""
    # Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
    product = next_word(stream) * count
    if product & _WORD < count:
        least = (1 << 32) % count
        while product & _WORD < least:
            product = next_word(stream) * count
    return product >> 32


@lean_kernel
def shuffle(stream, items):
    """Put the rows of an array into a random order, each order with the same probability."""
    for i in range(items.shape[0] - 1, 0, -1):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
