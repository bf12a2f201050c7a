"""What an assumption has led to so far: literals, and those that each follows from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, kernel
from nando.solvers.logic.sudoku_finders.state import WORD

_NAMES = ("n_parents", "first_parent", "clash", "n_clash", "n_short", "bound", "n_nested")
COUNTS = np.dtype([(name, np.int64) for name in _NAMES])
"""The record of an :class:`Assumption`.

The length of `parents`, and where the parents of the next conclusion start in it; the literal that
is on as well as off, or -1, and the number of literals behind the two; the number of waiting
literals that may lead to one with fewer than `bound` behind it (without any, the assumption is
followed no further); that bound; the number of nested chains.
"""


class Assumption(NamedTuple):
    """What follows from an assumption; all arrays are changed in place.

    Attributes
    ----------
    counts : ndarray of COUNTS, shape (1,)
    queues : ndarray of int64, shape (2, n)
        Literals that are off, and on, in the order in which they were found.
    n_queued, n_taken : ndarray of int64, shape (2,)
        Lengths of the queues, and how many literals of each were followed.
    n_behind : ndarray of int64, shape (2 * n + 1,)
        Number of literals behind each, itself, the assumption and those of nested chains included;
        0 where it was not found. In this and the next arrays the place after the literals,
        :func:`clash_place`, is of the literal that clashes with what was found before.
    behind : ndarray of int64, shape (2 * n + 1, words)
        The same as a set of literals, of dynamic assumptions; then the nested chains, from the
        word after the last of the literals.
    owner : ndarray of int64, shape (2 * n + 1,)
        The literal whose set it is: of a literal that another alone turned off, the other's,
        which lacks only the literal itself.
    parents_from : ndarray of int64, shape (2 * n + 1, 2)
        Where in `parents` the literals that a literal follows from start, and their number.
    parents : ndarray of int64
    cause : ndarray of int64, shape (2 * n + 1,)
        Where a literal that is on was the last one left: 0 for its cell, or one more than the
        place of the kind of house in the order of `kind_at`.
    n_chained : ndarray of int64, shape (n_chains,)
        Number of literals of each nested chain.
    chained : ndarray of uint8, shape (n_chains, 2 * n)
        How often each literal occurs in each nested chain. Two chains are the same if their rows
        are equal.
    candidates, positions : ndarray of int64
        Those of the grid without what was turned off.
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
    """Return the number of words of a set of literals, by the places that are kept for them."""
    return (places - 1) // WORD + 1


@kernel
def new_assumption(layout, n, n_chains):
    """Return room for an assumption on a grid of `n` candidates with `n_chains` chains in it."""
    size = layout.size
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
        np.empty((1 + layout.house_of.shape[1]) * size * (n + 1) + n * n_chains, np.int64),
        np.empty(2 * n + 1, np.int64),
        np.empty(n_chains, np.int64),
        np.empty((n_chains, 2 * n), np.uint8),
        np.empty(layout.n_cells, np.int64),
        np.empty(layout.houses.size, np.int64),
    )


@inlined_kernel
def clash_place(made):
    """Return the place of the literal that clashes with what was found before."""
    return made.n_behind.size - 1


@inlined_kernel
def reach(made, parent, literal):
    """Note that a literal leads to another at once; return False if that clashes."""
    if made.n_behind[literal ^ 1]:
        _follow(made, parent, clash_place(made))
        _note_clash(made, literal)
        return False
    if made.n_behind[literal] == 0:
        _follow(made, parent, literal)
        enqueue(made, literal)
    return True


@inlined_kernel
def _follow(made, parent, into):
    """Note a literal that follows from a single one."""
    counts = made.counts[0]
    n = counts["n_parents"]
    counts["n_parents"] = n + 1
    made.parents[n] = parent
    made.parents_from[into, 0] = n
    made.parents_from[into, 1] = 1
    made.owner[into] = parent
    made.n_behind[into] = made.n_behind[parent] + 1


@inlined_kernel
def _note_clash(made, literal):
    """Note that a literal, kept at `clash_place`, clashes with its opposite."""
    counts = made.counts[0]
    counts["clash"] = literal
    counts["n_clash"] = made.n_behind[clash_place(made)] + made.n_behind[literal ^ 1]


@inlined_kernel
def is_waiting(made, on):
    """Return True if a literal that is on, or off, waits to be followed."""
    return made.n_taken[on] < made.n_queued[on]


@inlined_kernel
def next_in_queue(made, on):
    """Take the next literal that is on, or off, out of its queue and return it."""
    counts = made.counts[0]
    literal = made.queues[on, made.n_taken[on]]
    made.n_taken[on] += 1
    counts["n_short"] -= made.n_behind[literal] + 1 < counts["bound"]
    return literal


@inlined_kernel
def enqueue(made, literal):
    """Put a new literal into its queue."""
    counts = made.counts[0]
    on = literal & 1
    made.queues[on, made.n_queued[on]] = literal
    made.n_queued[on] += 1
    counts["n_short"] += made.n_behind[literal] + 1 < counts["bound"]


@inlined_kernel
def begin_parents(made):
    """Start the list of the literals that a conclusion follows from."""
    counts = made.counts[0]
    counts["first_parent"] = counts["n_parents"]


@inlined_kernel
def add_parent(made, literal):
    """Add a literal to the list."""
    counts = made.counts[0]
    made.parents[counts["n_parents"]] = literal
    counts["n_parents"] += 1


@inlined_kernel
def n_parents(made):
    """Return the length of the list of parents."""
    counts = made.counts[0]
    return counts["n_parents"] - counts["first_parent"]


@inlined_kernel
def end_parents(made, used):
    """Forget the list of parents unless it was `used`."""
    counts = made.counts[0]
    if not used:
        counts["n_parents"] = counts["first_parent"]


@inlined_kernel
def conclude(made, literal, into, chain):
    """Note a literal that follows from the listed parents by a nested chain, or by none (-1).

    It is kept at its own place (`into`), or at `clash_place` if it clashes with its opposite.
    """
    start = made.counts[0]["first_parent"]
    words = made.behind.shape[1]
    for k in range(words):
        made.behind[into, k] = 0
    for at in range(start, start + n_parents(made)):
        parent = made.parents[at]
        owner = made.owner[parent]
        for k in range(words):
            made.behind[into, k] |= made.behind[owner, k]
        made.behind[into, parent // WORD] |= 1 << parent % WORD
    made.owner[into] = into
    made.behind[into, literal // WORD] |= 1 << literal % WORD
    n_words = n_literal_words(made.n_behind.size)
    if chain >= 0:
        made.behind[into, n_words + chain // WORD] |= 1 << chain % WORD
    n_behind = 0
    for k in range(n_words):
        n_behind += n_bits(made.behind[into, k])
    for k in range(n_words, words):
        n_behind += in_chains(made, made.behind[into, k], (k - n_words) * WORD)
    made.n_behind[into] = n_behind
    made.parents_from[into, 0] = start
    made.parents_from[into, 1] = n_parents(made)
    if into == literal:
        enqueue(made, literal)
    else:
        _note_clash(made, literal)


@inlined_kernel
def in_chains(made, left, first):
    """Return the number of literals of the nested chains of a word of a set."""
    n = 0
    while left:
        n += made.n_chained[first + lowest_bit(left)]
        left &= left - 1
    return n
