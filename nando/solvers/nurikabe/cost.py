"""The thesis's cost of a coloured Nurikabe: how far the colours are from a solution.

Source: Krivanek 2011, chapter 4.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, Nurikabe
from nando.solvers.nurikabe.state import flood, walled_cells, walled_colours


class ColourBoard(NamedTuple):
    """A walled board with the colours and numbers of a Nurikabe.

    Its arrays have an entry for each cell of the walled board.
    """

    width: int
    cells: NDArray[np.int32]
    """Index on the board of each cell of the puzzle."""
    numbers: NDArray[np.int32]
    """The number of the cell: -1 if its island may have any size, 0 if it has none."""
    colour: NDArray[np.int8]
    queue: NDArray[np.int32]
    seen: NDArray[np.int64]
    """Stamp of the last call that visited the cell; entry 0 counts the calls."""


def new_board(puzzle: Nurikabe) -> ColourBoard:
    """Return the board without colours."""
    cells, colour = walled_cells(puzzle.shape), walled_colours(puzzle.shape)
    numbers, queue = np.zeros((2, colour.size), np.int32)
    numbers[cells] = puzzle.numbers
    seen = np.zeros(colour.size, np.int64)
    return ColourBoard(puzzle.shape[1] + 2, cells, numbers, colour, queue, seen)


@lean_kernel
def cost_of(board):
    """Return the cost of a fully coloured board, and the number of white cells on no island.

    The cost is the sum of the differences between each number and the size of its white part, the
    pairs of numbers in one white part, the parts of the river beyond the first, and the black 2x2
    blocks. An island of unknown size adds no difference. If the number of white cells is the sum
    of the numbers, only solutions have the cost 0.
    """
    colour = board.colour
    queue = board.queue
    seen = board.seen
    cost = 0
    stray = 0
    rivers = 0
    # No cell of the puzzle has index 0, so this entry is free for the stamp.
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
