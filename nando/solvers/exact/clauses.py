"""The learned clauses, each examined again when one of its two watched literals becomes false."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.solvers.exact.trail import FULL, N_CONFLICT, assign

# A clause in `store` has these entries: the next node in the list of its first watched literal, the
# same for the second one, its length, its glue, and its literals, the watched ones first. A node is
# twice the index of a clause, plus 0 or 1 for its first or second watched literal; -1 ends a list.
LENGTH = 2
GLUE = 3
LITERALS = 4

# Indices in the `counts` of the clauses.
END = 0
"""Used entries of the store."""
N_LEARNED = 1
N_COUNTS = 2

KEPT_GLUE = 2
"""Clauses of at most this glue are never deleted."""


class Clauses(NamedTuple):
    """The learned clauses.

    The glue of a clause is the number of decision levels of its literals when it was learned;
    clauses with little glue are the most useful.

    Source: Audemard and Simon 2009, "Predicting learnt clauses quality in modern SAT solvers".
    """

    counts: NDArray[np.int64]
    store: NDArray[np.int32]
    watch: NDArray[np.int32]
    """First node in the list of clauses that watch each literal; -1 if there is none."""
    learned: NDArray[np.int32]
    """Literals of the clause that is being learned."""


def new_clauses(n_variables: int, capacity: int) -> Clauses:
    """Return an empty store of clauses with `capacity` entries."""
    return Clauses(
        np.zeros(N_COUNTS, np.int64),
        np.zeros(capacity, np.int32),
        np.full(2 * n_variables, -1, np.int32),
        np.zeros(n_variables + 1, np.int32),
    )


@lean_kernel
def follow_clauses(trail, clauses, literal):
    """Draw the consequences of a true literal from the clauses that watch its negation.

    Return False at a conflict.
    """
    store = clauses.store
    value = trail.value
    false = literal ^ 1
    node = clauses.watch[false]
    clauses.watch[false] = -1
    while node >= 0:
        clause = node >> 1
        side = node & 1
        following = store[clause + side]
        other = store[clause + LITERALS + 1 - side]
        new = -1
        if value[other] <= 0:
            for i in range(clause + LITERALS + 2, clause + LITERALS + store[clause + LENGTH]):
                if value[store[i]] >= 0:
                    new = store[i]
                    store[i] = false
                    store[clause + LITERALS + side] = new
                    break
        watched = new if new >= 0 else false
        store[clause + side] = clauses.watch[watched]
        clauses.watch[watched] = node
        node = following
        if new >= 0 or value[other] > 0:
            continue
        if value[other] == 0:
            assign(trail, other, -1 - clause)
            continue
        # At a conflict, put the rest of the list back.
        n = store[clause + LENGTH]
        for i in range(n):
            trail.conflict[i] = store[clause + LITERALS + i]
        trail.counts[N_CONFLICT] = n
        while node >= 0:
            clause, side = node >> 1, node & 1
            following = store[clause + side]
            store[clause + side] = clauses.watch[false]
            clauses.watch[false] = node
            node = following
        return False
    return True


@lean_kernel
def has_space(trail, clauses, n):
    """Return True if the store has room for a clause of `n` literals; else set FULL."""
    if clauses.counts[END] + LITERALS + n <= clauses.store.size:
        return True
    trail.counts[FULL] = 1
    return False


@lean_kernel
def learn(trail, clauses, n, glue):
    """Store the learned clause of two or more literals; return its index, or -1 without room.

    Its first two literals are watched.
    """
    begin = clauses.counts[END]
    store = clauses.store
    if not has_space(trail, clauses, n):
        return -1
    clauses.counts[END] = begin + LITERALS + n
    clauses.counts[N_LEARNED] += 1
    store[begin + LENGTH] = n
    store[begin + GLUE] = glue
    for i in range(n):
        store[begin + LITERALS + i] = clauses.learned[i]
    _watch(clauses, begin)
    return begin


@lean_kernel
def _watch(clauses, clause):
    store = clauses.store
    for side in range(2):
        literal = store[clause + LITERALS + side]
        store[clause + side] = clauses.watch[literal]
        clauses.watch[literal] = 2 * clause + side


@lean_kernel
def tidy(trail, clauses, n_kept):
    """At level 0: delete the clauses of most glue, true clauses, and false literals.

    About `n_kept` clauses remain. Return False if a clause has no literal left. All consequences
    must be drawn again.
    """
    store = clauses.store
    counts = clauses.counts
    most_glue = _most_glue(clauses, n_kept)
    clause = end_kept = 0
    counts[N_LEARNED] = 0
    for i in range(clauses.watch.size):
        clauses.watch[i] = -1
    while clause < counts[END]:
        glue = store[clause + GLUE]
        following = clause + LITERALS + store[clause + LENGTH]
        kept = glue <= most_glue
        n_left = 0
        for i in range(clause + LITERALS, following):
            held = trail.value[store[i]]
            if held > 0:
                kept = False
            elif held == 0:
                store[clause + LITERALS + n_left] = store[i]
                n_left += 1
        if kept and n_left == 0:
            return False
        if kept and n_left == 1:
            literal = int(store[clause + LITERALS])
            assign(trail, literal, 0)
        elif kept:
            store[end_kept + LENGTH] = n_left
            store[end_kept + GLUE] = glue
            for i in range(n_left):
                store[end_kept + LITERALS + i] = store[clause + LITERALS + i]
            _watch(clauses, end_kept)
            end_kept += LITERALS + n_left
            counts[N_LEARNED] += 1
        clause = following
    counts[END] = end_kept
    return True


@lean_kernel
def _most_glue(clauses, n_kept):
    """Return the most glue that a clause may have so that about `n_kept` clauses remain."""
    store = clauses.store
    n_of_glue = clauses.learned
    for glue in range(n_of_glue.size):
        n_of_glue[glue] = 0
    clause = 0
    while clause < clauses.counts[END]:
        n_of_glue[store[clause + GLUE]] += 1
        clause += LITERALS + store[clause + LENGTH]
    most_glue = KEPT_GLUE
    n_within = 0
    while most_glue + 1 < n_of_glue.size and n_within + n_of_glue[most_glue + 1] <= n_kept:
        most_glue += 1
        n_within += n_of_glue[most_glue]
    return most_glue
