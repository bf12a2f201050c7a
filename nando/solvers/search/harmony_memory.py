"""The memory of a harmony search, how a harmony is drawn from it, and how it is kept."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.arrays import copy_values
from nando.kernels.compile import kernel

Improvise = Callable[[tuple[float, float], int], None]
"""Takes the two rates; improvises until the given number of improvisations or cost 0."""


class HarmonyMemory(NamedTuple):
    """Grids in memory, their costs, and the best so far."""

    values: NDArray[np.int8]
    costs: NDArray[np.int64]
    best: NDArray[np.int8]
    bests: NDArray[np.int64]
    """Step and cost of each new best."""
    progress: NDArray[np.int64]
    """Improvisations; rows of ``bests``."""


def new_memory(memory_size: int, n_cells: int, improvisations: int) -> HarmonyMemory:
    """Return the memory with nothing in it, and room for the bests of `improvisations`."""
    return HarmonyMemory(
        values=np.zeros((memory_size, n_cells), np.int8),
        costs=np.zeros(memory_size, np.int64),
        best=np.zeros(n_cells, np.int8),
        bests=np.zeros((improvisations + 1, 2), np.int64),
        progress=np.zeros(2, np.int64),
    )


@kernel
def draw_member(memory, member, givens, largest, rng):
    """Draw random values from 1 to `largest` around the givens."""
    for cell in range(givens.shape[0]):
        given = int(givens[cell])
        memory.values[member, cell] = given if given else 1 + int(rng.random() * largest)


@kernel
def begin_bests(memory):
    """Find the best of the first members."""
    least = int(np.argmin(memory.costs))
    copy_values(memory.best, memory.values[least])
    memory.bests[0, 1] = memory.costs[least]
    memory.progress[1] = 1


@kernel
def draw_harmony(memory, givens, largest, rates, rng, new):
    """Take values from memory, some moved by one, or draw new ones."""
    considering, adjusting = rates
    n_members = memory.values.shape[0]
    for cell in range(givens.shape[0]):
        value = int(givens[cell])
        if value == 0:
            if rng.random() < considering:
                value = int(memory.values[int(rng.random() * n_members), cell])
                draw = rng.random()
                if draw < adjusting / 2:
                    value = min(value + 1, largest)
                elif draw < adjusting:
                    value = max(value - 1, 1)
            else:
                value = 1 + int(rng.random() * largest)
        new[cell] = value


@kernel
def keep_harmony(memory, new, cost, step, worst):
    """Take a harmony in the place of the worst member if it is better; the worst one then."""
    if cost >= memory.costs[worst]:
        return worst
    copy_values(memory.values[worst], new)
    memory.costs[worst] = cost
    n_rows = memory.progress[1]
    if cost < memory.bests[n_rows - 1, 1]:
        copy_values(memory.best, new)
        memory.bests[n_rows, 0] = step
        memory.bests[n_rows, 1] = cost
        memory.progress[1] = n_rows + 1
    return int(np.argmax(memory.costs))
