"""Harmony search on the colours of a Nurikabe.

A value moved by one is the other colour, in the one direction in which there is one. The number
of white cells is free, so a cost of 0 can be false: white cells on no island cost nothing.

Source: Krivanek 2011, chapter 4.
"""

import numpy as np

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.nurikabe.cost import cost_of, new_board
from nando.solvers.search.harmony_memory import (
    HarmonyMemory,
    Improvise,
    begin_bests,
    draw_harmony,
    draw_member,
    keep_harmony,
)

_COLOURS = 2


def begin_colours(
    puzzle: Nurikabe, memory: HarmonyMemory, fitness: str, rng: np.random.Generator
) -> Improvise:
    """Fill the memory at random; what goes on from there. There is one fitness only."""
    del fitness
    board = new_board(puzzle)
    fill_colours(memory, puzzle.givens, board, rng)
    return lambda rates, pause: improvise_colours(memory, puzzle.givens, board, pause, rates, rng)


@kernel
def fill_colours(memory, givens, board, rng):
    """Draw random colours around the numbers in every grid of the memory."""
    for member in range(memory.values.shape[0]):
        draw_member(memory, member, givens, _COLOURS, rng)
        memory.costs[member] = _cost(memory.values[member], board)
    begin_bests(memory)


@kernel
def improvise_colours(memory, givens, board, pause, rates, rng):
    """Go on until `pause` improvisations or cost 0."""
    new = np.empty(givens.shape[0], np.int8)
    step = memory.progress[0]
    worst = int(np.argmax(memory.costs))
    while step < pause and memory.bests[memory.progress[1] - 1, 1] > 0:
        step += 1
        draw_harmony(memory, givens, _COLOURS, rates, rng, new)
        worst = keep_harmony(memory, new, _cost(new, board), step, worst)
    memory.progress[0] = step


@lean_kernel
def _cost(values, board):
    for cell in range(values.shape[0]):
        board.colour[board.cells[cell]] = values[cell]
    return cost_of(board)[0]
