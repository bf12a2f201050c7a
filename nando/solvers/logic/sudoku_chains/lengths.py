"""Find the length of the shortest chain from each literal to its opposite.

All chains grow together, two literals at a time: a candidate that is on turns others off, and these
turn others on. Therefore the search can stop at the shortest chain of all.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, unsigned
from nando.kernels.compile import kernel, lean_kernel, separate
from nando.solvers.logic.sudoku_chains.links import XY
from nando.solvers.logic.sudoku_finders.state import WORD


@kernel
def new_lengths(n, words):
    """Return the workspace of `find_lengths`: an array of lengths and an array of sets.

    Row 0 of the lengths is for chains from each candidate off, row 1 from each candidate on. There
    are three sets for each candidate that is on: the candidates that it turns on by two links,
    those that its chains have reached, and those reached in the last round. The last set of each
    kind is scratch space.
    """
    return np.empty((2, n), np.int64), np.empty((3, n + 1, words), np.int64)


@separate
@lean_kernel
def find_lengths(sets, links, limit, nearest, workspace):
    """Write the number of literals of each shortest chain, 0 for none; return the least.

    Chains of more than `limit` literals are not searched for and, if `nearest`, neither are those
    longer than the shortest of all. Only `links` Y needs chains that start in one cell and end in
    another.
    """
    _, weak, strong, _ = sets
    which = 1 if links == XY else 0
    lengths = workspace[0]
    after = workspace[1][0]
    reached = workspace[1][1]
    fresh = workspace[1][2]
    n = lengths.shape[1]
    words = after.shape[1]
    _begin(sets, links, lengths, after, reached, fresh)
    ahead = fresh[n]
    n_literals = 2
    least = 0
    some = 1
    while some and n_literals + 2 <= limit and not (nearest and least):
        n_literals += 2
        some = 0
        for i in range(n):
            waiting = 0
            for k in range(words):
                ahead[k] = 0
                waiting |= fresh[i, k]
            if waiting == 0:
                continue
            for k in range(words):
                left = fresh[i, k]
                while left:
                    j = k * WORD + lowest_bit(left)
                    left &= left - 1
                    for m in range(words):
                        ahead[m] |= after[unsigned(j), m]
            turned_off = 0
            for k in range(words):
                new = ahead[k] & ~reached[i, k]
                fresh[i, k] = new
                reached[i, k] |= new
                some |= new
                turned_off |= new & weak[which, i, k]
                # Strong links lead both ways: what turns `i` on when it is off.
                turned_on = new & strong[links, i, k]
                while turned_on:
                    j = k * WORD + lowest_bit(turned_on)
                    turned_on &= turned_on - 1
                    if lengths[0, j] == 0:
                        lengths[0, j] = n_literals
                        least = least if least else n_literals
            if turned_off and lengths[1, i] == 0:
                lengths[1, i] = n_literals
                least = least if least else n_literals
    return least


@lean_kernel
def _begin(sets, links, lengths, after, reached, fresh):
    """Begin with each candidate on."""
    _, weak, strong, linked = sets
    which = 1 if links == XY else 0
    words = after.shape[1]
    for i in range(lengths.shape[1]):
        lengths[0, i] = 0
        lengths[1, i] = 0
        for k in range(words):
            after[i, k] = 0
            reached[i, k] = 0
            fresh[i, k] = 0
        reached[i, i // WORD] = 1 << i % WORD
        fresh[i, i // WORD] = 1 << i % WORD
        for k in range(words):
            left = weak[which, i, k] & linked[links, k]
            while left:
                off = k * WORD + lowest_bit(left)
                left &= left - 1
                for m in range(words):
                    after[i, m] |= strong[links, unsigned(off), m]
