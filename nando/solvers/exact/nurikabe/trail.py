"""The variables of the learning search, and their assignments in order with their reasons."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles.nurikabe import Nurikabe

# The variables of a Nurikabe for the learning search: colours of cells, and owners of white cells.
#
# The variable numbered like a cell states that the cell is white. Each further variable states that
# a cell belongs to an island; there is one for each cell that the island can reach on a board with
# only its numbers. A literal is twice its variable, plus 1 for the negation.

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


# Indices in `counts`.
N_SET = 0
"""Number of assigned variables."""
HEAD = 1
"""Number of assigned variables whose consequences were drawn."""
LEVEL = 2
"""Number of decisions."""
N_WHY = 3
"""Number of used entries of `why`."""
N_CONFLICT = 4
"""Number of literals of `conflict`, 0 without a conflict."""
FULL = 5
"""1 if `why` or the learned clauses need more room."""
STAMP = 6
N_DIRTY = 7
RIVER = 8
"""1 if a colour changed since the river was examined."""
N_COUNTS = 9


class Trail(NamedTuple):
    """The assigned variables by decision level, with the clauses from which they follow."""

    counts: NDArray[np.int64]
    value: NDArray[np.int8]
    """Value of each literal: 1 true, -1 false, 0 open."""
    level: NDArray[np.int32]
    """Decision level of each assigned variable."""
    reason: NDArray[np.int64]
    """Reason of each variable: the index in `why` of its clause's first literal, -1 minus the index
    of a learned clause, or 0 for a decision and at level 0."""
    trail: NDArray[np.int32]
    """List of the true literals in the order of their assignment."""
    level_start: NDArray[np.int32]
    """Length of the trail before the decision of each level."""
    level_why: NDArray[np.int64]
    """Used entries of `why` before the decision of each level."""
    why: NDArray[np.int32]
    """Clauses from which literals followed: the number of their other literals, all false, and
    these."""
    conflict: NDArray[np.int32]
    """A clause whose literals are all false."""
    is_dirty: NDArray[np.int8]
    """1 for each region that changed since it was examined."""
    dirty: NDArray[np.int32]
    """List of these regions."""
    seen: NDArray[np.int64]
    """Stamp of the last walk that reached each variable."""
    given: NDArray[np.int64]
    """Stamp of the last explanation that each variable is part of."""
    away: NDArray[np.int32]
    """Distance of each variable in the last walk."""
    queue: NDArray[np.int32]
    """Workspace of walks, shape (2, n_variables + 1)."""
    border: NDArray[np.int32]
    tree: NDArray[np.int32]
    """Workspace of depth-first walks, shape (8, n_variables)."""


def new_trail(variables: Variables, n_why: int) -> Trail:
    """Return an empty trail, with `n_why` entries for reasons."""
    n_variables = variables.cell.size
    n_regions = variables.start.size
    return Trail(
        counts=np.zeros(N_COUNTS, np.int64),
        value=np.zeros(2 * n_variables, np.int8),
        level=np.zeros(n_variables, np.int32),
        reason=np.zeros(n_variables, np.int64),
        trail=np.zeros(n_variables, np.int32),
        level_start=np.zeros(n_variables + 1, np.int32),
        level_why=np.zeros(n_variables + 1, np.int64),
        why=np.zeros(n_why, np.int32),
        conflict=np.zeros(n_variables + 1, np.int32),
        is_dirty=np.zeros(n_regions, np.int8),
        dirty=np.zeros(n_regions, np.int32),
        seen=np.zeros(n_variables, np.int64),
        given=np.zeros(n_variables, np.int64),
        away=np.zeros(n_variables, np.int32),
        queue=np.zeros((2, n_variables + 1), np.int32),
        border=np.zeros(n_variables, np.int32),
        tree=np.zeros((8, n_variables), np.int32),
    )


@lean_kernel
def assign(variables, trail, literal, reason):
    """Make an open literal true."""
    counts = trail.counts
    variable = literal >> 1
    trail.value[literal] = 1
    trail.value[literal ^ 1] = -1
    trail.level[variable] = counts[LEVEL]
    trail.reason[variable] = reason
    trail.trail[counts[N_SET]] = literal
    counts[N_SET] += 1
    island = variables.island[variable]
    if island < 0:
        counts[RIVER] = 1
    elif trail.is_dirty[island] == 0:
        trail.is_dirty[island] = 1
        trail.dirty[counts[N_DIRTY]] = island
        counts[N_DIRTY] += 1


@lean_kernel
def has_room(trail):
    """Return True if `why` has room for a clause of any length; else set FULL."""
    if trail.counts[N_WHY] + trail.level.size + 1 < trail.why.size:
        return True
    trail.counts[FULL] = 1
    return False


@lean_kernel
def give(trail, literal, n):
    """Add a false literal to the clause of `n` literals being written; return its new length.

    Literals that are false at level 0 explain nothing and are left out.
    """
    if trail.level[literal >> 1] == 0:
        return n
    trail.why[trail.counts[N_WHY] + 1 + n] = literal
    return n + 1


@lean_kernel
def conclude(variables, trail, literal, n):
    """Conclude a literal from the clause being written; return False if that is a conflict."""
    counts = trail.counts
    value = trail.value[literal]
    if value > 0:
        return True
    top = counts[N_WHY]
    if value < 0:
        for i in range(n):
            trail.conflict[i] = trail.why[top + 1 + i]
        trail.conflict[n] = literal
        counts[N_CONFLICT] = n + 1
        return False
    reason = 0
    if counts[LEVEL] > 0:
        trail.why[top] = n
        counts[N_WHY] = top + 1 + n
        reason = top + 1
    assign(variables, trail, literal, reason)
    return True


@lean_kernel
def fail(trail, n):
    """Record the clause being written as a conflict and return False."""
    top = trail.counts[N_WHY]
    for i in range(n):
        trail.conflict[i] = trail.why[top + 1 + i]
    trail.counts[N_CONFLICT] = n
    return False


@lean_kernel
def decide(variables, trail, literal):
    """Begin a level with a decision."""
    counts = trail.counts
    trail.level_start[counts[LEVEL]] = counts[N_SET]
    trail.level_why[counts[LEVEL]] = counts[N_WHY]
    counts[LEVEL] += 1
    assign(variables, trail, literal, 0)


@lean_kernel
def go_back(trail, level):
    """Undo the decisions above a level and their consequences."""
    counts = trail.counts
    if counts[LEVEL] > level:
        n_set = trail.level_start[level]
        for i in range(n_set, counts[N_SET]):
            literal = trail.trail[i]
            trail.value[literal] = 0
            trail.value[literal ^ 1] = 0
        counts[N_SET] = n_set
        counts[HEAD] = n_set
        counts[N_WHY] = trail.level_why[level]
        counts[LEVEL] = level
    for i in range(counts[N_DIRTY]):
        trail.is_dirty[trail.dirty[i]] = 0
    counts[N_DIRTY] = 0
    counts[RIVER] = 0
    counts[N_CONFLICT] = 0
