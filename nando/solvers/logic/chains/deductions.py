"""The consequences of an assumption: literals, and the literals from which each follows.

Among them are those of locked candidates, pairs and X-wings that arise while it is followed. Only
patterns that eliminations of the assumption made possible count; these eliminations are their
parents. The finders of the same patterns cannot be used here: they write a step without parents,
and stop at the first. Even without parents, starting them again after each step takes 1.1 to 3.2
times as long as one pass over all patterns (:mod:`nando.solvers.people.closures`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.grid import BOX, COLUMN, OTHER, ROW, WORD

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


_MOST_SEEING = 6
"""Most positions of a digit in a house for which the cells that see all of them are searched."""


@lean_kernel
def find_patterns(state, grid, graph, assumption):
    """Turn off the candidates that the easiest kind of pattern removes; return True if any."""
    if grid.plain:
        if _find_locked(state, grid, graph, assumption):
            return True
    elif _find_seen(state, grid, graph, assumption):
        return True
    if _find_hidden_pairs(state, grid, graph, assumption):
        return True
    if _find_naked_pairs(state, grid, graph, assumption):
        return True
    return _find_x_wings(state, grid, graph, assumption)


@inlined_kernel
def _add_gone(state, grid, graph, assumption, house, digit, positions):
    """Make the digit's eliminations at these positions of a house parents."""
    size = grid.size
    place = house * size + digit
    gone = state.positions[place] & ~assumption.positions[place] & positions
    while gone:
        cell = grid.houses[house, lowest_bit(gone)]
        gone &= gone - 1
        add_parent(assumption, 2 * graph.number[cell * size + digit])


@inlined_kernel
def _turn_off(grid, graph, assumption, house, positions, digits):
    """Conclude that digits are off at positions of a house; return True if one was not known.

    Nothing is concluded without a parent.
    """
    some = False
    while n_parents(assumption) and positions:
        cell = grid.houses[house, lowest_bit(positions)]
        positions &= positions - 1
        some |= _turn_off_in(grid, graph, assumption, cell, digits)
    return some


@inlined_kernel
def _turn_off_in(grid, graph, assumption, cell, digits):
    """Conclude that digits are off in a cell; return True if one was not known."""
    some = False
    left = assumption.candidates[cell] & digits
    while left:
        literal = 2 * graph.number[cell * grid.size + lowest_bit(left)]
        left &= left - 1
        if assumption.n_behind[literal] == 0:
            conclude(assumption, literal, literal, -1)
            some = True
    return some


@lean_kernel
def _find_locked(state, grid, graph, assumption):
    """Find a digit of a box that lies on one line, then one of a line in one box."""
    size = grid.size
    some = False
    for claiming in (False, True):
        for kind in (COLUMN, ROW):
            inner_kind = kind if claiming else BOX
            outer_kind = BOX if claiming else kind
            for digit in range(size):
                for index in range(grid.kind_span[inner_kind, 0], grid.kind_span[inner_kind, 1]):
                    inner = grid.by_kind[index]
                    positions = assumption.positions[inner * size + digit]
                    if positions & (positions - 1) == 0:
                        continue
                    outer = grid.house_of[grid.houses[inner, lowest_bit(positions)], outer_kind]
                    inside = grid.shared[inner, outer]
                    others = assumption.positions[outer * size + digit] & ~grid.shared[outer, inner]
                    if positions & ~inside or others == 0:
                        continue
                    begin_parents(assumption)
                    _add_gone(state, grid, graph, assumption, inner, digit, ~inside)
                    used = _turn_off(grid, graph, assumption, outer, others, 1 << digit)
                    end_parents(assumption, used)
                    some |= used
    return some


@lean_kernel
def _find_seen(state, grid, graph, assumption):
    """Find cells of a variant that all positions of a digit in a house see."""
    size = grid.size
    some = False
    for kind in (BOX, ROW, COLUMN, OTHER):
        for digit in range(size):
            for index in range(grid.kind_span[kind, 0], grid.kind_span[kind, 1]):
                house = grid.by_kind[index]
                positions = assumption.positions[house * size + digit]
                if positions & (positions - 1) == 0 or n_bits(positions) > _MOST_SEEING:
                    continue
                begin_parents(assumption)
                _add_gone(state, grid, graph, assumption, house, digit, ~positions)
                used = _turn_off_seen(grid, graph, assumption, house, positions, 1 << digit)
                end_parents(assumption, used)
                some |= used
    return some


@lean_kernel
def _turn_off_seen(grid, graph, assumption, house, positions, digits):
    """Conclude that digits are off in the cells that see all these positions of a house.

    Return True if one was not known. Nothing is concluded without a parent.
    """
    some = False
    if n_parents(assumption) == 0:
        return some
    first = grid.houses[house, lowest_bit(positions)]
    for word in range(grid.seen_from.shape[1]):
        cells = grid.seen_from[first, word]
        others = positions & (positions - 1)
        while others:
            cells &= grid.seen_from[grid.houses[house, lowest_bit(others)], word]
            others &= others - 1
        while cells:
            cell = word * WORD + lowest_bit(cells)
            cells &= cells - 1
            some |= _turn_off_in(grid, graph, assumption, cell, digits)
    return some


@lean_kernel
def _find_hidden_pairs(state, grid, graph, assumption):
    """Find two digits with the same two positions in a house."""
    size = grid.size
    some = False
    for house in grid.by_kind:
        if n_bits(state.empties[house]) <= 4:
            continue
        for second in range(1, size):
            positions = assumption.positions[house * size + second]
            if n_bits(positions) != 2:
                continue
            for first in range(second):
                if assumption.positions[house * size + first] != positions:
                    continue
                begin_parents(assumption)
                left = state.empties[house] & ~positions
                while left:
                    position = left & -left
                    left ^= position
                    _add_gone(state, grid, graph, assumption, house, first, position)
                    _add_gone(state, grid, graph, assumption, house, second, position)
                others = ~(1 << first | 1 << second)
                used = _turn_off(grid, graph, assumption, house, positions, others)
                end_parents(assumption, used)
                some |= used
    return some


@lean_kernel
def _find_naked_pairs(state, grid, graph, assumption):
    """Find two cells of a house with the same two candidates."""
    size = grid.size
    some = False
    for house in grid.by_kind:
        if n_bits(state.empties[house]) < 4:
            continue
        for j in range(1, size):
            second = grid.houses[house, j]
            pair = assumption.candidates[second]
            if n_bits(pair) != 2:
                continue
            for i in range(j):
                first = grid.houses[house, i]
                if assumption.candidates[first] != pair:
                    continue
                begin_parents(assumption)
                for cell in (first, second):
                    gone = state.candidates[cell] & ~pair
                    while gone:
                        add_parent(assumption, 2 * graph.number[cell * size + lowest_bit(gone)])
                        gone &= gone - 1
                here = 1 << i | 1 << j
                if grid.plain:
                    others = state.empties[house] & ~here
                    used = _turn_off(grid, graph, assumption, house, others, pair)
                else:
                    used = _turn_off_seen(grid, graph, assumption, house, here, pair)
                end_parents(assumption, used)
                some |= used
    return some


@lean_kernel
def _find_x_wings(state, grid, graph, assumption):
    """Find a digit with the same two positions on two parallel lines."""
    size = grid.size
    some = False
    for band in range(grid.bands.shape[0]):
        base = grid.bands[band]
        cover = grid.bands[band ^ 1]
        for j in range(1, size):
            for i in range(j):
                for digit in range(size):
                    positions = assumption.positions[base[j] * size + digit]
                    if n_bits(positions) != 2:
                        continue
                    if assumption.positions[base[i] * size + digit] != positions:
                        continue
                    n_lines = 0
                    for line in base:
                        n_lines += state.positions[line * size + digit] != 0
                    if n_lines < 4:
                        continue
                    begin_parents(assumption)
                    _add_gone(state, grid, graph, assumption, base[i], digit, ~positions)
                    _add_gone(state, grid, graph, assumption, base[j], digit, ~positions)
                    used = False
                    while positions:
                        house = cover[lowest_bit(positions)]
                        positions &= positions - 1
                        others = assumption.positions[house * size + digit] & ~(1 << i | 1 << j)
                        used |= _turn_off(grid, graph, assumption, house, others, 1 << digit)
                    end_parents(assumption, used)
                    some |= used
    return some
