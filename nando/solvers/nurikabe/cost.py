"""The thesis's cost of a coloured Nurikabe: how far the colours are from a solution.

Source: Krivanek 2011, chapter 4.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, Nurikabe
from nando.solvers.nurikabe.joined import flood
from nando.solvers.nurikabe.state import walled_cells, walled_colours


class ColourBoard(NamedTuple):
    """Where the cells and numbers of a Nurikabe are on a walled board."""

    width: int
    cells: NDArray[np.int32]
    """By cell of the puzzle: its place on the board."""
    numbers: NDArray[np.int32]
    """By place: the number, -1 where its island may have any size, 0 for none."""
    colour: NDArray[np.int8]
    """By place."""
    queue: NDArray[np.int32]
    seen: NDArray[np.int64]
    """By place: the last count of parts that came to it; their number is at 0."""


def new_board(puzzle: Nurikabe) -> ColourBoard:
    """Return the board with no cell coloured."""
    cells, colour = walled_cells(puzzle.shape), walled_colours(puzzle.shape)
    numbers, queue = np.zeros((2, colour.size), np.int32)
    numbers[cells] = puzzle.numbers
    seen = np.zeros(colour.size, np.int64)
    return ColourBoard(puzzle.shape[1] + 2, cells, numbers, colour, queue, seen)


@lean_kernel
def cost_of(board):
    """Return the cost of a fully coloured board, and the number of white cells on no island.

    The cost adds up how much the white part around each number differs from it, pairs of numbers
    in one white part, parts of the river beyond the first, and black 2x2 blocks. An island of
    unknown size cannot differ. Where the white cells are as many as the numbers say, the cost is
    0 for solutions only.
    """
    colour = board.colour
    queue = board.queue
    seen = board.seen
    cost = 0
    stray = 0
    rivers = 0
    # No cell is at place 0, nor does a part begin there.
    seen[0] += 1
    stamp = seen[0]
    for start in board.cells:
        own = int(colour[start])
        if own == BLACK and (
            colour[start + 1] == BLACK
            and colour[start + board.width] == BLACK
            and colour[start + board.width + 1] == BLACK
        ):
            cost += 1
        if seen[start] == stamp:
            continue
        size = flood(colour, board.width, 1 << own, seen, stamp, queue, start, 0, queue.size)
        if own == BLACK:
            rivers += 1
            continue
        n_numbers = 0
        for i in range(size):
            n_numbers += board.numbers[queue[i]] != 0
        if n_numbers == 0:
            stray += size
        cost += n_numbers * (n_numbers - 1) // 2
        for i in range(size if n_numbers > 0 else 0):
            number = board.numbers[queue[i]]
            if number > 0:
                cost += abs(size - number)
    return cost + max(rivers - 1, 0), stray
