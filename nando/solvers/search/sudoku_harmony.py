"""Harmony search on the values of a Sudoku, by the symbols that are missing or by sums.

Source: Krivanek 2011, after Geem 2007.
"""

import numpy as np

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.solvers.search.harmony_memory import (
    HarmonyMemory,
    Improvise,
    begin_bests,
    draw_harmony,
    draw_member,
    keep_harmony,
)
from nando.solvers.search.row_grids import lacking_from


def begin_values(
    puzzle: Sudoku, memory: HarmonyMemory, fitness: str, rng: np.random.Generator
) -> Improvise:
    """Fill the memory at random; what goes on from there."""
    layout, by_sum = puzzle.layout, fitness == "sum"
    _fill(memory, puzzle.givens, layout, by_sum, rng)
    return lambda rates, pause: _improvise(memory, puzzle.givens, layout, pause, by_sum, rates, rng)


@kernel
def _fill(memory, givens, layout, by_sum, rng):
    """Draw random values around the givens in every grid of the memory."""
    for member in range(memory.values.shape[0]):
        draw_member(memory, member, givens, layout.size, rng)
        memory.costs[member] = _cost(memory.values[member], layout, by_sum)
    begin_bests(memory)


@kernel
def _improvise(memory, givens, layout, pause, by_sum, rates, rng):
    """Go on until `pause` improvisations or cost 0."""
    new = np.empty(layout.n_cells, np.int8)
    step = memory.progress[0]
    worst = int(np.argmax(memory.costs))
    while step < pause and memory.bests[memory.progress[1] - 1, 1] > 0:
        step += 1
        draw_harmony(memory, givens, layout.size, rates, rng, new)
        worst = keep_harmony(memory, new, _cost(new, layout, by_sum), step, worst)
    memory.progress[0] = step


@lean_kernel
def _cost(values, layout, by_sum):
    if by_sum:
        return _sum_distance(values, layout)
    return lacking_from(values, layout, 0)


@lean_kernel
def _sum_distance(values, layout):
    """Geem's fitness: how far the sum of each house is from that of all values, added up."""
    wanted = layout.size * (layout.size + 1) // 2
    cost = 0
    for house in range(layout.houses.shape[0]):
        total = 0
        for i in range(layout.size):
            total += int(values[layout.houses[house, i]])
        cost += abs(total - wanted)
    return cost
