"""Streams of random numbers for kernels.

A kernel that makes many puzzles has a stream for each. NumPy's generators cannot be created inside
kernels, and passing one takes longer than most draws. A stream is the state of xoshiro128++: four
32-bit words in an array of int64, which kernels and plain Python can use.

Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
Mathematical Software 47 (2021).
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.kernels.seeds import spawned_words

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
