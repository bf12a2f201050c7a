"""The variables of a Nurikabe for the learning search, and the consequences of one literal.

The variable numbered like a cell states that the cell is white. Each further variable states that
a cell belongs to an island; there is one for each cell that the island can reach on a board with
only its numbers. A literal is twice its variable, plus 1 for the negation. Its consequences: no
pools, and one owner for each cell and its white neighbours.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.exact.trail import conclude, fail, give, has_room

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


@lean_kernel
def follow_literal(variables, trail, literal):
    """Draw the consequences of a true literal; return False at a conflict."""
    variable = literal >> 1
    cell = variables.cell[variable]
    if variables.island[variable] >= 0:
        if literal & 1:
            return _not_owned(variables, trail, variable, cell)
        return _spread_owner(variables, trail, variable, cell)
    if literal & 1:
        for owner in range(variables.first[cell], variables.first[cell + 1]):
            if not _keep(trail, 2 * owner + 1, 2 * cell, NONE):
                return False
        return _no_pool(variables, trail, cell)
    return _white(variables, trail, cell)


@lean_kernel
def _no_pool(variables, trail, cell):
    """Require a white cell in each 2x2 block around a black cell; return False at a conflict."""
    near = variables.near
    for vertical in (0, 3):
        for horizontal in (1, 2):
            a, b = near[cell, vertical], near[cell, horizontal]
            if a < 0 or b < 0:
                continue
            c = near[a, horizontal]
            n_black = 0
            last = -1
            for other in (a, b, c):
                value = trail.value[2 * other]
                if value < 0:
                    n_black += 1
                elif value > 0:
                    n_black = -4
                else:
                    last = other
            if n_black < 2:
                continue
            if not has_room(trail):
                return False
            n = give(trail, 2 * cell, 0)
            for other in (a, b, c):
                if other != last:
                    n = give(trail, 2 * other, n)
            if last < 0:
                return fail(trail, n)
            if not conclude(trail, 2 * last, n):
                return False
    return True


@lean_kernel
def _has_owner(variables, trail, cell):
    """Give a white cell to the only possible island; if there is none, the cell is black."""
    first, end = variables.first[cell], variables.first[cell + 1]
    last = -1
    for owner in range(first, end):
        if trail.value[2 * owner] >= 0:
            if last >= 0:
                return True
            last = owner
    if last >= 0 and (trail.value[2 * last] > 0 or trail.value[2 * cell] <= 0):
        return True
    if not has_room(trail):
        return False
    n = 0
    for owner in range(first, end):
        if owner != last:
            n = give(trail, 2 * owner, n)
    if last < 0:
        return conclude(trail, 2 * cell + 1, n)
    n = give(trail, 2 * cell + 1, n)
    return conclude(trail, 2 * last, n)


@lean_kernel
def _white(variables, trail, cell):
    """Require a white cell to have an owner, the same as its white neighbours."""
    if not _has_owner(variables, trail, cell):
        return False
    black = 2 * cell + 1
    for owner in range(variables.first[cell], variables.first[cell + 1]):
        for side in range(4):
            other = variables.beside[owner, side]
            if other == OUTSIDE:
                continue
            beyond_black = 2 * variables.near[cell, side] + 1
            if not _keep(trail, 2 * owner + 1, beyond_black, 2 * other):
                return False
            if other >= 0 and not _keep(trail, 2 * other + 1, black, 2 * owner):
                return False
    for side in range(4):
        # The neighbour's islands that cannot reach this cell.
        beyond = variables.near[cell, side]
        if beyond < 0:
            continue
        for owner in range(variables.first[beyond], variables.first[beyond + 1]):
            if variables.beside[owner, 3 - side] == NONE and not _keep(
                trail, 2 * owner + 1, black, NONE
            ):
                return False
    return True


@lean_kernel
def _spread_owner(variables, trail, owner, cell):
    """Make an owned cell white, of no other island, with white neighbours of the same island."""
    no = 2 * owner + 1
    if not _keep(trail, no, 2 * cell, NONE):
        return False
    for other in range(variables.first[cell], variables.first[cell + 1]):
        if other != owner and not _keep(trail, no, 2 * other + 1, NONE):
            return False
    for side in range(4):
        other = variables.beside[owner, side]
        if other == OUTSIDE:
            continue
        beyond_black = 2 * variables.near[cell, side] + 1
        if not _keep(trail, no, beyond_black, 2 * other):
            return False
    return True


@lean_kernel
def _not_owned(variables, trail, owner, cell):
    """Require another owner if the cell is white; then no neighbour belongs to this island."""
    if not _has_owner(variables, trail, cell):
        return False
    for side in range(4):
        other = variables.beside[owner, side]
        if other >= 0 and not _keep(trail, 2 * other + 1, 2 * cell + 1, 2 * owner):
            return False
    return True


@lean_kernel
def _keep(trail, first, second, third):
    """Apply a clause of three literals: if two are false, the other is true; False at a conflict.

    A negative `third` stands for no literal.
    """
    value = trail.value
    last = -1
    n_open = 0
    if value[first] >= 0:
        last = first
        n_open += 1
    if value[second] >= 0:
        last = second
        n_open += 1
    if third >= 0 and value[third] >= 0:
        last = third
        n_open += 1
    if n_open > 1 or (n_open == 1 and value[last] > 0):
        return True
    if not has_room(trail):
        return False
    n = 0
    if last != first:
        n = give(trail, first, n)
    if last != second:
        n = give(trail, second, n)
    if third >= 0 and last != third:
        n = give(trail, third, n)
    return conclude(trail, last, n) if last >= 0 else fail(trail, n)
