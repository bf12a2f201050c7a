"""The assigned literals of a learning search, in order, with the clauses from which they follow.

A literal is twice the number of its variable, plus 1 for the negation.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel

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


def new_trail(n_variables: int, n_why: int, n_regions: int = 0) -> Trail:
    """Return an empty trail, with `n_why` entries for reasons; a Nurikabe has regions."""
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
def assign(trail, literal, reason):
    """Make an open literal true."""
    counts = trail.counts
    variable = literal >> 1
    trail.value[literal] = 1
    trail.value[literal ^ 1] = -1
    trail.level[variable] = counts[LEVEL]
    trail.reason[variable] = reason
    trail.trail[counts[N_SET]] = literal
    counts[N_SET] += 1


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
def conclude(trail, literal, n):
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
    assign(trail, literal, reason)
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
def decide(trail, literal):
    """Begin a level with a decision."""
    counts = trail.counts
    trail.level_start[counts[LEVEL]] = counts[N_SET]
    trail.level_why[counts[LEVEL]] = counts[N_WHY]
    counts[LEVEL] += 1
    assign(trail, literal, 0)


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
