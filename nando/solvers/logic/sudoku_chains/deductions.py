"""What an assumption has led to so far: literals, and those that each follows from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import inlined_kernel, kernel
from nando.solvers.logic.sudoku_finders.state import WORD

(
    N_ON,
    N_OFF,
    NEXT_ON,
    NEXT_OFF,
    N_PARENTS,
    FIRST_PARENT,
    CLASH,
    N_CLASH,
    N_SHORT,
    BOUND,
    N_NESTED,
) = range(11)
"""Places of :attr:`Assumption.counts`.

The lengths of the two queues; the next literal in each; the length of `parents`, and where the
parents of the next conclusion start in it; the literal that is on as well as off, or -1, and the
number of literals behind the two; the number of waiting literals that may lead to one with fewer
than `BOUND` behind it, without which the assumption need not be followed on; that bound; the number
of nested chains.
"""


class Assumption(NamedTuple):
    """What follows from an assumption; all arrays are changed in place.

    Attributes
    ----------
    counts : ndarray of int64, shape (11,)
    queues : ndarray of int64, shape (2, n)
        Literals that are off, and on, in the order in which they were found.
    n_behind : ndarray of int64, shape (2 * n + 1,)
        Number of literals behind each, itself, the assumption and those of nested chains included;
        0 where it was not found. The last place is of the literal that clashes with what was found
        before.
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

    counts: NDArray[np.int64]
    queues: NDArray[np.int64]
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
        np.zeros(11, np.int64),
        np.empty((2, n), np.int64),
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
def reach(made, parent, literal):
    """Note a literal of a static assumption; return False if its opposite was found before."""
    counts = made.counts
    if made.n_behind[literal ^ 1]:
        counts[CLASH] = literal
        counts[N_CLASH] = made.n_behind[parent] + 1 + made.n_behind[literal ^ 1]
        _set_parent(made, made.n_behind.size - 1, parent)
        return False
    if made.n_behind[literal] == 0:
        made.n_behind[literal] = made.n_behind[parent] + 1
        _set_parent(made, literal, parent)
        enqueue(made, literal)
    return True


@inlined_kernel
def _set_parent(made, literal, parent):
    n = made.counts[N_PARENTS]
    made.parents_from[literal, 0] = n
    made.parents_from[literal, 1] = 1
    made.parents[n] = parent
    made.counts[N_PARENTS] = n + 1


@inlined_kernel
def next_in_queue(made, on):
    """Take the next literal that is on, or off, out of its queue and return it."""
    place = NEXT_ON if on else NEXT_OFF
    literal = made.queues[on, made.counts[place]]
    made.counts[place] += 1
    made.counts[N_SHORT] -= made.n_behind[literal] + 1 < made.counts[BOUND]
    return literal


@inlined_kernel
def enqueue(made, literal):
    """Put a new literal into its queue."""
    place = N_ON if literal & 1 else N_OFF
    made.queues[literal & 1, made.counts[place]] = literal
    made.counts[place] += 1
    made.counts[N_SHORT] += made.n_behind[literal] + 1 < made.counts[BOUND]


@inlined_kernel
def turn_off(made, parent, literal):
    """Note that a literal that is on turns another off; return False if that is on."""
    if made.n_behind[literal ^ 1]:
        _set_parent(made, made.n_behind.size - 1, parent)
        made.owner[made.n_behind.size - 1] = parent
        made.counts[CLASH] = literal
        made.counts[N_CLASH] = made.n_behind[parent] + 1 + made.n_behind[literal ^ 1]
        return False
    if made.n_behind[literal] == 0:
        _set_parent(made, literal, parent)
        made.owner[literal] = parent
        made.n_behind[literal] = made.n_behind[parent] + 1
        enqueue(made, literal)
    return True


@inlined_kernel
def begin_parents(made):
    """Start the list of the literals that a conclusion follows from."""
    made.counts[FIRST_PARENT] = made.counts[N_PARENTS]


@inlined_kernel
def add_parent(made, literal):
    """Add a literal to the list."""
    made.parents[made.counts[N_PARENTS]] = literal
    made.counts[N_PARENTS] += 1


@inlined_kernel
def n_parents(made):
    """Return the length of the list of parents."""
    return made.counts[N_PARENTS] - made.counts[FIRST_PARENT]


@inlined_kernel
def end_parents(made, used):
    """Forget the list of parents unless it was `used`."""
    if not used:
        made.counts[N_PARENTS] = made.counts[FIRST_PARENT]


@inlined_kernel
def conclude(made, literal, into, chain):
    """Note a literal that follows from the listed parents by a nested chain, or by none (-1).

    It is kept at its own place (`into`), or at the last one if it clashes with its opposite.
    """
    start = made.counts[FIRST_PARENT]
    n = n_parents(made)
    words = made.behind.shape[1]
    for k in range(words):
        made.behind[into, k] = 0
    for at in range(start, start + n):
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
    made.parents_from[into, 1] = n
    if into == literal:
        enqueue(made, literal)
    else:
        made.counts[CLASH] = literal
        made.counts[N_CLASH] = n_behind + made.n_behind[literal ^ 1]


@inlined_kernel
def in_chains(made, left, first):
    """Return the number of literals of the nested chains of a word of a set."""
    n = 0
    while left:
        n += made.n_chained[first + lowest_bit(left)]
        left &= left - 1
    return n
