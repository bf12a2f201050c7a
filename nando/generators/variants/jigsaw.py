"""Jigsaw regions: boxes whose borders are moved at random, then made shorter again."""

import numpy as np

from nando.generators.variants.board import Canvas
from nando.kernels.compile import lean_kernel
from nando.kernels.streams import below, drawn_stream, next_word
from nando.puzzles.boards.board import Cell, box_shape
from nando.puzzles.rules.boxes import Regions
from nando.puzzles.rules.cells import ADJACENT

_SHUFFLES, _CALMS = 30, 20
"""Exchanges tried for each cell while borders move freely, and while they are made shorter."""

_LOOSE, _TIGHT = 0.9, 0.25
"""Chance to keep an exchange that makes the borders longer by one, at first and at the end."""

_WORD = 1 << 32


def draw_regions(canvas: Canvas) -> list[Regions]:
    """Return n compact regions of n cells, with the symmetry of the canvas.

    Raises
    ------
    ValueError
        If regions cannot be made with this symmetry.
    """
    board, n = canvas.board, canvas.board.digits
    if not board.is_single:
        raise ValueError("jigsaw regions are made for one grid: leave out the other grids")
    height, width = box_shape(n) or (1, n)
    across, number_of = n // width, board.number_of
    owner = np.array([row // height * across + column // width for row, column in board.cells])
    sides = np.full((len(board.cells), 4), -1)
    for number, cell in enumerate(board.cells):
        others = [number_of[other] for other in board.around(cell, ADJACENT)]
        sides[number, : len(others)] = others
    image = np.array([number_of[canvas.image(cell)] for cell in board.cells])
    partner = np.zeros(n, np.int64)
    partner[owner] = owner[image]
    turns = canvas.symmetry in ("none", "rotational", "rotational-90")
    if (partner[owner] != owner[image]).any() or not (turns or box_shape(n)):
        raise ValueError(
            f"jigsaw regions of {n} cells are not made with {canvas.symmetry} symmetry: ask for "
            "rotational, or none"
        )
    stream, seen, left = drawn_stream(canvas.rng), np.zeros_like(owner), np.zeros_like(owner)
    move_borders(owner, sides, image, partner, stream, (seen, left), (_SHUFFLES, _CALMS))
    regions: dict[int, list[Cell]] = {}
    for cell, region in zip(board.cells, owner.tolist(), strict=True):
        regions.setdefault(region, []).append(cell)
    return [Regions(tuple(map(tuple, regions.values())))]


@lean_kernel
def move_borders(owner, sides, image, partner, stream, memory, rounds):
    """Exchange cells of neighbouring regions; regions stay connected, and images of each other.

    An exchange that makes the borders longer is kept with a chance that falls in the second part of
    the rounds.

    Parameters
    ----------
    owner : ndarray of int64, shape (n_cells,)
        Number of the region of each cell. Modified in place.
    sides : ndarray of int64, shape (n_cells, 4)
        Cells that share an edge with each cell, then -1.
    image : ndarray of int64, shape (n_cells,)
        The image of each cell under the symmetry.
    partner : ndarray of int64, shape (n_regions,)
        The image of each region.
    stream : ndarray of int64, shape (4,)
    memory : pair of ndarray of int64, shape (n_cells,)
    rounds : pair of int
        Exchanges tried for each cell, in both parts.
    """
    n_cells = owner.size
    free, calm = rounds[0] * n_cells, rounds[1] * n_cells
    for step in range(free + calm):
        chance = _LOOSE - (_LOOSE - _TIGHT) * max(0, step - free) / calm
        first = below(stream, n_cells)
        side = sides[first, below(stream, 4)]
        if side < 0 or owner[side] == owner[first]:
            continue
        a, b = owner[first], owner[side]
        second = _other_end(owner, sides, stream, first, b)
        if second < 0:
            continue
        # If the exchange and its image concern the same cells, they must agree.
        if (image[first] == first and partner[b] != b) or (
            image[first] == second and partner[b] != a
        ):
            continue
        if image[second] == second and partner[a] != a:
            continue
        cells = first, second, image[first], image[second]
        before = owner[first], owner[second], owner[cells[2]], owner[cells[3]]
        length = _border(owner, sides, cells)
        owner[first], owner[second] = b, a
        owner[cells[2]], owner[cells[3]] = partner[b], partner[a]
        longer = _border(owner, sides, cells) - length
        keeps = longer <= 0 or next_word(stream) < chance**longer * _WORD
        if keeps:
            for region in (a, b, partner[a], partner[b]):
                keeps &= _is_whole(owner, sides, region, partner.size, memory)
        if not keeps:
            owner[cells[2]], owner[cells[3]] = before[2], before[3]
            owner[first], owner[second] = before[0], before[1]


@lean_kernel
def _other_end(owner, sides, stream, first, region):
    """Return a random cell of a region that touches the region of `first`; -1 if there is none."""
    chosen = -1
    count = 0
    for cell in range(owner.size):
        if owner[cell] != region:
            continue
        for i in range(4):
            side = sides[cell, i]
            if side >= 0 and side != first and owner[side] == owner[first]:
                count += 1
                if below(stream, count) == 0:
                    chosen = cell
                break
    return chosen


@lean_kernel
def _border(owner, sides, cells):
    """Return the number of edges of some cells that are borders of regions."""
    count = 0
    for cell in cells:
        for i in range(4):
            side = sides[cell, i]
            count += side >= 0 and owner[side] != owner[cell]
    return count


@lean_kernel
def _is_whole(owner, sides, region, size, memory):
    """Return True if a region has `size` cells, and all are connected."""
    seen, left = memory
    start, count = -1, 0
    for cell in range(owner.size):
        seen[cell] = 0
        if owner[cell] == region:
            start = cell
            count += 1
    if count != size:
        return False
    left[0] = start
    seen[start] = 1
    n_left, n_seen = 1, 1
    while n_left > 0:
        n_left -= 1
        cell = left[n_left]
        for i in range(4):
            side = sides[cell, i]
            if side >= 0 and owner[side] == region and seen[side] == 0:
                seen[side] = 1
                left[n_left] = side
                n_left += 1
                n_seen += 1
    return n_seen == size
