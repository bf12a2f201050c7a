"""The consequences of an assumption: literals, and the literals from which each follows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.grid import WORD

_NAMES = ("n_parents", "first_parent", "clash", "n_clash", "n_short", "bound", "n_nested")
COUNTS = np.dtype([(name, np.int64) for name in _NAMES])
"""The fields of :attr:`Assumption.counts`.

`n_parents` is the length of `parents`, and `first_parent` the index at which the parents of the
next conclusion begin. `clash` is the literal that is on as well as off, or -1, and `n_clash` the
number of literals behind the two. `n_short` is the number of waiting literals that may lead to one
with fewer than `bound` behind it; without any, the assumption is followed no further. `n_nested` is
the number of nested chains.
"""

FIRST_PARENT, N_PARENTS = range(2)
"""Columns of :attr:`Assumption.parents_from`."""


class Assumption(NamedTuple):
    """The consequences of an assumption on `n` candidates; all arrays are changed in place.

    Attributes
    ----------
    counts : ndarray of COUNTS, shape (1,)
    queues : ndarray of int64, shape (2, n)
        Literals that are off, and on, in the order in which they were found.
    n_queued, n_taken : ndarray of int64, shape (2,)
        Lengths of the queues, and numbers of their literals that were followed.
    n_behind : ndarray of int64, shape (2 * n + 1,)
        Number of literals behind each literal, including itself, the assumption and those of
        nested chains; 0 for a literal that was not found. In this and the next arrays the last
        entry, :func:`clash_place`, belongs to the literal that clashes with an earlier one.
    behind : ndarray of int64, shape (2 * n + 1, words)
        The literals behind each as a set, for dynamic assumptions. The nested chains follow in
        the words after those of the literals.
    owner : ndarray of int64, shape (2 * n + 1,)
        The literal whose set in `behind` is used. A literal that follows from a single one uses
        the set of that one, which lacks only the literal itself.
    parents_from : ndarray of int64, shape (2 * n + 1, 2)
        Index in `parents` at which the parents of each literal begin (`FIRST_PARENT`), and their
        number (`N_PARENTS`).
    parents : ndarray of int64
    The literals from which others follow.
    cause : ndarray of int64, shape (2 * n + 1,)
        Where each true literal was the last one left: 0 for its cell, or k + 1 for its house of
        kind ``kind_at(k)``.
    n_chained : ndarray of int64, shape (n_chains,)
        Number of literals of each nested chain.
    chained : ndarray of uint8, shape (n_chains, 2 * n)
        How often each literal occurs in each nested chain. Two chains are the same if their rows
        are equal.
    candidates, positions : ndarray of int64
        Candidates and positions of the grid without those that were turned off.
    """

    counts: NDArray[np.void]
    queues: NDArray[np.int64]
    n_queued: NDArray[np.int64]
    n_taken: NDArray[np.int64]
    n_behind: NDArray[np.int64]
    behind: NDArray[np.int64]
    owner: NDArray[np.int64]
    parents_from: NDArray[np.int64]
    parents: NDArray[np.int64]
    cause: NDArray[np.int64]
    n_chained: NDArray[np.int64]
    chained: NDArray[np.uint8]
    candidates: NDArray[np.int64]
    positions: NDArray[np.int64]


@inlined_kernel
def n_literal_words(places):
    """Return the number of words of a set of `places` literals."""
    return (places - 1) // WORD + 1


@kernel
def new_assumption(grid, n, n_chains):
    """Return an empty assumption for a grid of `n` candidates and at most `n_chains` chains."""
    size = grid.size
    words = n_literal_words(2 * n + 1) + (n_chains + WORD - 1) // WORD
    return Assumption(
        np.zeros(1, COUNTS),
        np.empty((2, n), np.int64),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.empty(2 * n + 1, np.int64),
        np.empty((2 * n + 1, words), np.int64),
        np.empty(2 * n + 1, np.int64),
        np.empty((2 * n + 1, 2), np.int64),
        np.empty((1 + grid.house_of.shape[1]) * size * (n + 1) + n * n_chains, np.int64),
        np.empty(2 * n + 1, np.int64),
        np.empty(n_chains, np.int64),
        np.empty((n_chains, 2 * n), np.uint8),
        np.empty(grid.n_cells, np.int64),
        np.empty(grid.houses.size, np.int64),
    )


@inlined_kernel
def clash_place(assumption):
    """Return the index of the literal that clashes with an earlier one."""
    return assumption.n_behind.size - 1


@inlined_kernel
def reach(assumption, parent, literal):
    """Record that literal `parent` alone implies another; return False at a clash."""
    if assumption.n_behind[literal ^ 1]:
        _follow(assumption, parent, clash_place(assumption))
        _note_clash(assumption, literal)
        return False
    if assumption.n_behind[literal] == 0:
        _follow(assumption, parent, literal)
        enqueue(assumption, literal)
    return True


@inlined_kernel
def _follow(assumption, parent, into):
    """Record, at index `into`, a literal that follows from a single one."""
    counts = assumption.counts[0]
    n = counts["n_parents"]
    counts["n_parents"] = n + 1
    assumption.parents[n] = parent
    assumption.parents_from[into, FIRST_PARENT] = n
    assumption.parents_from[into, N_PARENTS] = 1
    assumption.owner[into] = parent
    assumption.n_behind[into] = assumption.n_behind[parent] + 1


@inlined_kernel
def _note_clash(assumption, literal):
    """Record that a literal, stored at `clash_place`, clashes with its opposite."""
    counts = assumption.counts[0]
    counts["clash"] = literal
    counts["n_clash"] = (
        assumption.n_behind[clash_place(assumption)] + assumption.n_behind[literal ^ 1]
    )


@inlined_kernel
def is_waiting(assumption, on):
    """Return True if a literal that is on (1) or off (0) waits to be followed."""
    return assumption.n_taken[on] < assumption.n_queued[on]


@inlined_kernel
def next_in_queue(assumption, on):
    """Remove the next literal that is on (1) or off (0) from its queue and return it."""
    counts = assumption.counts[0]
    literal = assumption.queues[on, assumption.n_taken[on]]
    assumption.n_taken[on] += 1
    counts["n_short"] -= assumption.n_behind[literal] + 1 < counts["bound"]
    return literal


@inlined_kernel
def enqueue(assumption, literal):
    """Put a new literal into its queue."""
    counts = assumption.counts[0]
    on = literal & 1
    assumption.queues[on, assumption.n_queued[on]] = literal
    assumption.n_queued[on] += 1
    counts["n_short"] += assumption.n_behind[literal] + 1 < counts["bound"]


@inlined_kernel
def begin_parents(assumption):
    """Begin the list of the parents of a conclusion."""
    counts = assumption.counts[0]
    counts["first_parent"] = counts["n_parents"]


@inlined_kernel
def add_parent(assumption, literal):
    """Add a literal to the list of parents."""
    counts = assumption.counts[0]
    assumption.parents[counts["n_parents"]] = literal
    counts["n_parents"] += 1


@inlined_kernel
def n_parents(assumption):
    """Return the length of the list of parents."""
    counts = assumption.counts[0]
    return counts["n_parents"] - counts["first_parent"]


@inlined_kernel
def end_parents(assumption, used):
    """Forget the list of parents unless it was `used`."""
    counts = assumption.counts[0]
    if not used:
        counts["n_parents"] = counts["first_parent"]


@inlined_kernel
def conclude(assumption, literal, into, chain):
    """Record a literal that follows from the listed parents.

    `into` is the index of the literal itself, or `clash_place` if it clashes with its opposite.
    `chain` is the nested chain by which it follows, or -1 for none.
    """
    start = assumption.counts[0]["first_parent"]
    words = assumption.behind.shape[1]
    for k in range(words):
        assumption.behind[into, k] = 0
    for index in range(start, start + n_parents(assumption)):
        parent = assumption.parents[index]
        owner = assumption.owner[parent]
        for k in range(words):
            assumption.behind[into, k] |= assumption.behind[owner, k]
        assumption.behind[into, parent // WORD] |= 1 << parent % WORD
    assumption.owner[into] = into
    assumption.behind[into, literal // WORD] |= 1 << literal % WORD
    n_words = n_literal_words(assumption.n_behind.size)
    if chain >= 0:
        assumption.behind[into, n_words + chain // WORD] |= 1 << chain % WORD
    n_behind = 0
    for k in range(n_words):
        n_behind += n_bits(assumption.behind[into, k])
    for k in range(n_words, words):
        n_behind += in_chains(assumption, assumption.behind[into, k], (k - n_words) * WORD)
    assumption.n_behind[into] = n_behind
    assumption.parents_from[into, FIRST_PARENT] = start
    assumption.parents_from[into, N_PARENTS] = n_parents(assumption)
    if into == literal:
        enqueue(assumption, literal)
    else:
        _note_clash(assumption, literal)


@inlined_kernel
def in_chains(assumption, left, first):
    """Return the number of literals of the nested chains in a word, which begins at `first`."""
    n = 0
    while left:
        n += assumption.n_chained[first + lowest_bit(left)]
        left &= left - 1
    return n
