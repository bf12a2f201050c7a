"""Cells of a Nurikabe that are joined, and what lies beside them.

A board is any record with the `colour` of each cell of a walled board and its `width`.
"""

from nando.kernels.compile import inlined_kernel
from nando.puzzles.nurikabe.puzzle import BLACK, WHITE
from nando.solvers.nurikabe.growth import OPEN

_ALL = 1 << 30


@inlined_kernel
def flood(board, allowed, mark, stamp, queue, start, first):
    """List the cells joined to a cell in `queue`, from `first` on; return the end of the list.

    They are joined through colours with a bit in `allowed`. Each gets the stamp as its mark; cells
    that have it already are passed over.
    """
    return flood_to(board, allowed, mark, stamp, queue, start, first, _ALL)


@inlined_kernel
def flood_to(board, allowed, mark, stamp, queue, start, first, enough):
    """Do the same until the list ends at `enough` or a few more."""
    mark[start] = stamp
    queue[first] = start
    at, end = first, first + 1
    while at < end < enough:
        cell = queue[at]
        at += 1
        for step in (-board.width, -1, 1, board.width):
            other = cell + step
            if allowed >> int(board.colour[other]) & 1 and mark[other] != stamp:
                mark[other] = stamp
                queue[end] = other
                end += 1
    return end


@inlined_kernel
def exits_of(board, cells, first, end):
    """Return the first open cell beside the listed ones, and how many there are; 2 stands for more.

    The first is 0 if there is none.
    """
    exit = 0
    for i in range(first, end):
        cell = cells[i]
        for step in (-board.width, -1, 1, board.width):
            other = cell + step
            if board.colour[other] == OPEN and other != exit:
                if exit > 0:
                    return exit, 2
                exit = other
    return exit, int(exit > 0)


@inlined_kernel
def part_beside(board, parts, cell, side):
    """Return the white part on one of the four sides of a cell.

    It is 0 if there is none, or if it is also on an earlier side.
    """
    steps = (-board.width, -1, 1, board.width)
    if board.colour[cell + steps[side]] != WHITE:
        return 0
    part = parts.part[cell + steps[side]]
    for i in range(side):
        if board.colour[cell + steps[i]] == WHITE and parts.part[cell + steps[i]] == part:
            return 0
    return part


@inlined_kernel
def is_in_pool(board, cell):
    """Return True if a cell is in a 2x2 block of which the other cells are black."""
    colour = board.colour
    for down in (-board.width, board.width):
        for right in (-1, 1):
            if (
                colour[cell + down] == BLACK
                and colour[cell + right] == BLACK
                and colour[cell + down + right] == BLACK
            ):
                return True
    return False
