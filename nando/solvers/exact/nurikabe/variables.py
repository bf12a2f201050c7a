"""The variables of a Nurikabe for the learning search: colours, and owners of white cells.

The variable numbered like a cell states that the cell is white. Each further variable states that
a cell belongs to an island; there is one for each cell that the island can reach on a board with
only its numbers. A literal is twice its variable, plus 1 for the negation.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel
from nando.puzzles.nurikabe import Nurikabe

NONE = -1
"""No variable: the neighbour of a cell has none for the same island."""
OUTSIDE = -2
"""No cell: beyond the border of the board."""


class Variables(NamedTuple):
    """The variables of a puzzle, and the cells and islands for which they stand.

    Regions are the islands, 0, 1, ... in the order of their numbers, and the river, the last one.
    """

    n_cells: int
    n_columns: int
    near: NDArray[np.int32]
    """The four neighbours of a cell, OUTSIDE for none; shape (n_cells, 4)."""
    first: NDArray[np.int32]
    """The first owner variable of each cell; they are in the order of the cells. One more entry
    ends those of the last cell."""
    cell: NDArray[np.int32]
    """Cell of each variable."""
    island: NDArray[np.int32]
    """Island of each variable; NONE for colours."""
    beside: NDArray[np.int32]
    """For each variable, the variables of the four neighbouring cells for the same island, NONE or
    OUTSIDE; shape (n_variables, 4)."""
    start: NDArray[np.int32]
    """Owner variable of the cell with the number of each region; NONE for the river."""
    size: NDArray[np.int32]
    """Size of each region, 0 if it is not known."""
    members: NDArray[np.int32]
    """List of the variables by region: owners for an island, colours for the river."""
    first_member: NDArray[np.int32]
    """Index in `members` of the first variable of each region; one more entry ends the last."""


def new_variables(puzzle: Nurikabe, most: int) -> Variables | None:
    """Return the variables of a puzzle; None if they would be more than `most`."""
    n_cells = puzzle.n_cells
    cells = np.arange(n_cells, dtype=np.int32).reshape(puzzle.shape)
    walled = np.pad(cells, 1, constant_values=OUTSIDE)
    near = np.stack(
        [walled[:-2, 1:-1], walled[1:-1, :-2], walled[1:-1, 2:], walled[2:, 1:-1]], axis=-1
    ).reshape(n_cells, 4)
    numbered = np.flatnonzero(puzzle.numbers).astype(np.int32)
    n_islands = numbered.size
    size = np.maximum(puzzle.numbers[numbered], 0).astype(np.int32)
    island_at = np.full(n_cells, NONE, np.int32)
    island_at[numbered] = np.arange(n_islands)
    pairs = np.zeros((2, max(most - n_cells, 0)), np.int32)
    n_pairs = reach_pairs(near, numbered, size, island_at, pairs)
    if n_pairs < 0:
        return None
    # By cell first, by island second.
    keys = np.sort(pairs[1, :n_pairs].astype(np.int64) * n_islands + pairs[0, :n_pairs])
    cell, island = np.divmod(keys, max(n_islands, 1))
    beside = np.empty((n_cells + n_pairs, 4), np.int32)
    beside[:n_cells] = near
    for side in range(4):
        there = near[cell, side].astype(np.int64)
        sought = there * n_islands + island
        place = np.minimum(np.searchsorted(keys, sought), max(n_pairs - 1, 0))
        own = np.where(keys[place] == sought, n_cells + place, NONE)
        beside[n_cells:, side] = np.where(there < 0, OUTSIDE, own)
    n_black = 0 if puzzle.n_white is None else max(n_cells - puzzle.n_white, 0)
    start = n_cells + np.searchsorted(
        keys, numbered.astype(np.int64) * n_islands + island_at[numbered]
    )
    first_member = np.searchsorted(np.sort(island), np.arange(n_islands + 1))
    n_members = n_pairs + n_cells
    return Variables(
        n_cells=n_cells,
        n_columns=puzzle.shape[1],
        near=near.astype(np.int32),
        first=(np.searchsorted(cell, np.arange(n_cells + 1)) + n_cells).astype(np.int32),
        cell=np.concatenate([np.arange(n_cells), cell]).astype(np.int32),
        island=np.concatenate([np.full(n_cells, NONE), island]).astype(np.int32),
        beside=beside,
        start=np.append(start, NONE).astype(np.int32),
        size=np.append(size, n_black).astype(np.int32),
        members=np.concatenate(
            [n_cells + np.argsort(island, kind="stable"), np.arange(n_cells)]
        ).astype(np.int32),
        first_member=np.append(first_member, n_members).astype(np.int32),
    )


@kernel
def reach_pairs(near, numbered, size, island_at, pairs):
    """List pairs of an island and a cell that it can reach without touching another number.

    Write them into the two rows of `pairs`. Return their number, -1 for too many.
    """
    n_cells = island_at.size
    away = np.zeros(n_cells, np.int32)
    seen = np.full(n_cells, -1, np.int32)
    queue = np.zeros(n_cells, np.int32)
    n_pairs = 0
    for island in range(numbered.size):
        start = numbered[island]
        queue[0] = start
        away[start] = 1
        seen[start] = island
        tail = 1
        head = 0
        while head < tail:
            cell = queue[head]
            head += 1
            if n_pairs == pairs.shape[1]:
                return -1
            pairs[0, n_pairs] = island
            pairs[1, n_pairs] = cell
            n_pairs += 1
            if away[cell] == size[island]:
                continue
            for side in range(4):
                other = near[cell, side]
                if other < 0 or seen[other] == island or island_at[other] >= 0:
                    continue
                touches = False
                for beyond in range(4):
                    third = near[other, beyond]
                    if third >= 0 and island_at[third] >= 0 and island_at[third] != island:
                        touches = True
                if not touches:
                    seen[other] = island
                    away[other] = away[cell] + 1
                    queue[tail] = other
                    tail += 1
    return n_pairs
