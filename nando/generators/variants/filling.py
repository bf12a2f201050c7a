"""Random full grids of a board with rules: the exact search with digits tried in random order."""

import math

import numpy as np
from numpy.typing import NDArray

from nando.kernels.arrays import copy_values
from nando.kernels.bits import lowest_bit, n_bits, unsigned
from nando.kernels.compile import lean_kernel
from nando.kernels.streams import below, drawn_stream
from nando.solvers.exact.variants import blame, cell_to_guess, new_memory
from nando.solvers.variants.network import Network
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.work import CELLS, enlist_all, forget, narrow, new_work

_FIRST = 200
"""Guesses of the first attempt; each further attempt has half as many more."""

_TRIES = 16
"""Attempts before the search gives up, which takes some seconds at worst. On boards larger than 9x9
a guess takes longer, and there are fewer attempts."""


class NoGridError(ValueError):
    """No full board obeys the rules."""


def random_board(network: Network, rng: np.random.Generator) -> NDArray[np.int64] | None:
    """Return random digits of all cells that obey the constraints, shape ``(n_cells,)``.

    Every full board can occur, but not with equal probability. None if the search gave up.

    Raises
    ------
    NoGridError
        If the constraints have no solution.
    """
    work, memory = new_work(network), new_memory(network, range(network.n_cells), network.n_cells)
    stream, most = drawn_stream(rng), _FIRST
    larger = max(0.0, math.log2(network.n_cells / 81))
    for _ in range(max(_TRIES - round(4 * larger), _TRIES // 3)):
        answer = fill(memory, network, work, stream, most)
        if answer > 0:
            return np.asarray(memory.solutions[0], np.int64)
        if answer == 0:
            raise NoGridError
        most += most // 2
    return None


@lean_kernel
def fill(memory, network, work, stream, most):
    """Write a random solution; return 1, 0 if there is none, -1 after `most` guesses."""
    stack, guesses, weights = memory.stack, memory.guesses, memory.weights
    copy_values(stack[0], network.start)
    forget(work, CELLS, 0)
    enlist_all(stack[0], network, work)
    depth = 0
    n_guesses = 0
    while depth >= 0:
        masks = stack[depth]
        if propagate(masks, network, work):
            cell, _ = cell_to_guess(masks, network, weights)
            if cell < 0:
                for i in range(network.n_cells):
                    memory.solutions[0, i] = lowest_bit(int(masks[unsigned(i)])) + 1
                return 1
            n_guesses += 1
            if n_guesses > most:
                return -1
            mask = int(masks[cell])
            for _ in range(below(stream, n_bits(mask))):
                mask &= mask - 1
            digit = lowest_bit(mask)
            above = stack[depth + 1]
            copy_values(above, masks)
            guesses[depth, 0] = cell
            guesses[depth, 1] = digit
            depth += 1
            narrow(above, work, cell, 1 << digit)
            continue
        blame(network, work, weights)
        depth -= 1
        if depth >= 0:
            cell = guesses[depth, 0]
            narrow(stack[depth], work, cell, int(stack[depth, cell]) & ~(1 << guesses[depth, 1]))
    return 0
