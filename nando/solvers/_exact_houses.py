"""Exact search for Sudoku of any order: singles, then the cell or place with fewest ways on."""

import numpy as np

from nando.puzzles import Sudoku
from nando.puzzles._bits import lowest_bit, n_bits
from nando.puzzles._kernel import kernel
from nando.solvers._exact_bands import DEPTH, FOUND, GUESSES
from nando.solvers._singles import SinglesState, given_state, place, restore

ALIVE = 3
"""Where `progress` notes, after the numbers of a search, whether the top state is sound."""


def new_house_stack(puzzle: Sudoku) -> tuple[SinglesState, np.ndarray]:
    """States of each depth, the puzzle's own first, and the branch taken at each."""
    first = given_state(puzzle)
    depth = int(first.counts[1]) + 2
    levels = [np.empty((depth, *array.shape), array.dtype) for array in first]
    for level, array in zip(levels, first, strict=True):
        level[0] = array
    return SinglesState(*levels), np.zeros((depth, 2), np.int64)


@kernel
def level(stack, depth):
    """The state at one depth; its arrays are views."""
    return SinglesState(
        stack.candidates[depth],
        stack.cells[depth],
        stack.places[depth],
        stack.empties[depth],
        stack.ways[depth],
        stack.digit[depth],
        stack.open[depth],
        stack.slot[depth],
        stack.counts[depth],
    )


@kernel
def advance_houses(stack, branches, layout, progress, limit, most_guesses, solutions):
    """Search on until `limit` solutions, `most_guesses` guesses, or the end (depth -1).

    `branches` holds, for each depth, what is branched on (a cell, or below 0 a place of a digit
    in a house) and the mask of the ways not tried yet. `solutions` gets the first two.
    """
    depth = progress[DEPTH]
    size = layout.size
    alive = progress[ALIVE] == 1
    while depth >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        state = level(stack, depth)
        if alive:
            while alive and state.counts[0] > 0:
                cell = int(state.open[state.counts[0] - 1])
                digit = int(state.digit[cell])
                solutions[2, cell] = digit + 1
                alive = place(state, layout, cell, digit)
            if alive and state.counts[1] == 0:
                if progress[FOUND] < 2:
                    solutions[progress[FOUND]] = solutions[2]
                progress[FOUND] += 1
                alive = False
            if alive:
                branch, ways = fewest_ways(state, layout)
                branches[depth, 0] = branch
                branches[depth, 1] = ways
            else:
                depth -= 1
                continue
        # The next way on of this depth's branch.
        ways = branches[depth, 1]
        if ways == 0:
            depth -= 1
            alive = False
            continue
        if n_bits(ways) > 1:
            progress[GUESSES] += 1
        way = lowest_bit(ways)
        branches[depth, 1] = ways & (ways - 1)
        branch = branches[depth, 0]
        if branch >= 0:
            cell, digit = branch, way
        else:
            house, digit = divmod(-1 - branch, size)
            cell = int(layout.houses[house, way])
        depth += 1
        above = level(stack, depth)
        restore(above, state)
        solutions[2, cell] = digit + 1
        alive = place(above, layout, cell, digit)
        if not alive:
            depth -= 1
    progress[DEPTH] = depth
    progress[ALIVE] = 1 if alive else 0


@kernel
def fewest_ways(state, layout):
    """What has the fewest ways on in a state without singles: a cell or a digit in a house."""
    size = layout.size
    fewest = size + 1
    branch = 0
    ways = 0
    for cell in range(layout.n_cells):
        mask = int(state.candidates[cell])
        count = n_bits(mask)
        if 0 < count < fewest:
            fewest = count
            branch = cell
            ways = mask
    for at in range(state.places.shape[0]):
        count = int(state.places[at]) >> 16
        if 0 < count < fewest:
            fewest = count
            branch = -1 - at
    if branch < 0:
        house, digit = divmod(-1 - branch, size)
        ways = 0
        for i in range(size):
            ways |= (int(state.candidates[layout.houses[house, i]]) >> digit & 1) << i
    return branch, ways
