"""The links of chains: as sets of bits, the shortest chains of them, and in a step.

A link is the direct consequence of a candidate that is true (on) or false (off). A candidate that
is on turns off the others of its cell and of its digit in its houses: weak links. One that is off
turns on the other of a pair left in its cell or, for its digit, in a house: strong links. Other
rules of a variant give weak links, too. A literal stands for a candidate and its state: twice the
number of the candidate, plus 1 if it is on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits, unsigned
from nando.solvers.logic.finders.finding import CELLS, add_cell
from nando.solvers.logic.finders.grid import WORD, kind_at


class Implications(NamedTuple):
    """The candidates of a state, numbered by cell and then digit, and the links between them.

    Attributes
    ----------
    n : int
        Number of candidates.
    cell, digit : ndarray of int64, shape (n,)
        Cell and digit, from 0, of each candidate.
    number : ndarray of int64, shape (n_cells * size,)
        Number of the candidate of each cell and digit; -1 if there is none.
    weak : ndarray of int64
        The candidates that each candidate turns off when it is on, joined in one array.
    weak_from, peers_from : ndarray of int64, shape (n + 1,)
        Index in `weak` at which those of each candidate begin, and at which those of them in
        other cells begin.
    strong : ndarray of int64, shape (n, 1 + n_kinds)
        The candidate that each turns on when it is off: in its cell, box, row, column and so on;
        -1 for none.
    """

    n: int
    cell: NDArray[np.int64]
    digit: NDArray[np.int64]
    number: NDArray[np.int64]
    weak: NDArray[np.int64]
    weak_from: NDArray[np.int64]
    peers_from: NDArray[np.int64]
    strong: NDArray[np.int64]


@kernel
def list_implications(grid, candidates, positions):
    """List the candidates of a grid and their links."""
    size = grid.size
    n = 0
    for cell in range(grid.n_cells):
        n += n_bits(candidates[cell])
    cells = np.empty(n, np.int64)
    digits = np.empty(n, np.int64)
    number = np.full(grid.n_cells * size, -1, np.int64)
    weak = np.empty(n * grid.most_barred, np.int64)
    weak_from = np.zeros(n + 1, np.int64)
    peers_from = np.zeros(n + 1, np.int64)
    strong = np.full((n, 1 + grid.house_of.shape[1]), -1, np.int64)
    graph = Implications(n, cells, digits, number, weak, weak_from, peers_from, strong)
    _list_links(grid, candidates, positions, graph)
    return graph


@lean_kernel
def _list_links(grid, candidates, positions, graph):
    """Fill in the links of the listed candidates."""
    size = grid.size
    n, cells, digits, number, weak, weak_from, peers_from, strong = graph
    i = 0
    for cell in range(grid.n_cells):
        left = candidates[cell]
        while left:
            cells[i] = cell
            digits[i] = lowest_bit(left)
            number[cell * size + digits[i]] = i
            left &= left - 1
            i += 1
    m = 0
    for i in range(n):
        cell = cells[i]
        digit = digits[i]
        weak_from[i] = m
        others = candidates[cell] & ~(1 << digit)
        if n_bits(others) == 1:
            strong[i, 0] = number[cell * size + lowest_bit(others)]
        while others:
            weak[m] = number[cell * size + lowest_bit(others)]
            others &= others - 1
            m += 1
        peers_from[i] = m
        for k in range(grid.house_of.shape[1]):
            kind = kind_at(k)
            house = grid.house_of[cell, kind]
            if house < 0:
                continue
            others = positions[house * size + digit] & ~(1 << grid.position_in[cell, kind])
            if n_bits(others) == 1:
                other = grid.houses[house, lowest_bit(others)]
                strong[i, k + 1] = number[other * size + digit]
            others &= grid.others_in[cell, kind]
            while others:
                other = grid.houses[house, lowest_bit(others)]
                others &= others - 1
                weak[m] = number[other * size + digit]
                m += 1
        for arc in range(grid.arc_from[cell], grid.arc_from[cell + 1]):
            other = grid.arc_cell[arc]
            others = candidates[other] & grid.arc_bars[arc, digit]
            while others:
                weak[m] = number[other * size + lowest_bit(others)]
                others &= others - 1
                m += 1
    weak_from[n] = m


@inlined_kernel
def longer(n_literals):
    """Return the tenths that the length of a chain of `n_literals` adds to its rating."""
    added = 0
    ceiling = 4
    while n_literals - 2 > ceiling:
        ceiling = ceiling * 4 // 3 if added % 2 else ceiling * 3 // 2
        added += 1
    return added


X, Y, XY = range(3)
"""Kinds of links that a chain uses: in houses, in cells, or both."""

CYCLE_X, CYCLE_Y, CYCLE_XY, CHAIN_X, CHAIN_XY = range(1, 6)
"""Variants of the technique."""


@inlined_kernel
def add_link(finding, graph, size, first, second):
    """Add a link from a literal to another."""
    n = finding.head[0]["n_links"]
    if n < finding.links.shape[1]:
        for end in range(2):
            literal = second if end else first
            i = literal >> 1
            place = graph.cell[i] * size + graph.digit[i]
            finding.links[end, n] = 2 * place + (literal & 1)
        finding.head[0]["n_links"] = n + 1


@lean_kernel
def finish_links(finding, size):
    """Reverse the links, written from last to first, and add their cells and digits."""
    n = finding.head[0]["n_links"]
    for k in range(n // 2):
        for end in range(2):
            literal = finding.links[end, k]
            finding.links[end, k] = finding.links[end, n - 1 - k]
            finding.links[end, n - 1 - k] = literal
    note_links(finding, size)


@lean_kernel
def note_links(finding, size):
    """Add the cells and digits that the links join to the pattern."""
    for k in range(finding.head[0]["n_links"]):
        for end in range(2):
            place = finding.links[end, k] >> 1
            cell = place // size
            finding.head[0]["digits"] |= 1 << place % size
            known = False
            for i in range(finding.head[0]["n_cells"]):
                known |= finding.lists[CELLS, i] == cell
            if not known:
                add_cell(finding, cell)


# The links between candidates as sets of bits


class LinkSets(NamedTuple):
    """The candidates that each candidate is linked to; words have :data:`WORD` bits.

    Attributes
    ----------
    cells : ndarray of int64, shape (n, words)
        Those in the same cell, including the candidate itself.
    weak : ndarray of int64, shape (2, n, words)
        Those that it turns off when it is on: in its houses, or also in its cell.
    strong : ndarray of int64, shape (3, n, words)
        Those that it turns on when it is off: in its houses (X), in its cell (Y), or in both (XY).
    linked : ndarray of int64, shape (3, words)
        The candidates with such a strong link.
    """

    cells: NDArray[np.int64]
    weak: NDArray[np.int64]
    strong: NDArray[np.int64]
    linked: NDArray[np.int64]


@kernel
def link_sets(graph):
    """Return the links of a grid as sets."""
    n = graph.n
    words = n // WORD + 1
    sets = LinkSets(
        np.zeros((n, words), np.int64),
        np.zeros((2, n, words), np.int64),
        np.zeros((3, n, words), np.int64),
        np.zeros((3, words), np.int64),
    )
    _fill(graph, sets)
    return sets


@lean_kernel
def _fill(graph, sets):
    """Fill the sets in."""
    cells, weak, strong, linked = sets
    words = cells.shape[1]
    for i in range(graph.n):
        word = i // WORD
        bit = 1 << i % WORD
        cells[i, word] |= bit
        for k in range(graph.weak_from[i], graph.peers_from[i]):
            cells[i, graph.weak[k] // WORD] |= 1 << graph.weak[k] % WORD
        for k in range(graph.peers_from[i], graph.weak_from[i + 1]):
            weak[0, i, graph.weak[k] // WORD] |= 1 << graph.weak[k] % WORD
        for k in range(graph.strong.shape[1]):
            other = graph.strong[i, k]
            if other >= 0:
                links = X if k else Y
                strong[links, i, other // WORD] |= 1 << other % WORD
                linked[links, word] |= bit
        for k in range(words):
            here = bit if k == word else 0
            weak[1, i, k] = (weak[0, i, k] | cells[i, k]) & ~here
            strong[XY, i, k] = strong[X, i, k] | strong[Y, i, k]
    for k in range(words):
        linked[XY, k] = linked[X, k] | linked[Y, k]


# Find the length of the shortest chain from each literal to its opposite.
#
# All chains grow together, two literals at a time: a candidate that is on turns others off, and
# these turn others on. Therefore the search can stop at the shortest chain of all.


@kernel
def new_lengths(n, words):
    """Return the workspace of `find_lengths`: an array of lengths and an array of sets.

    Row 0 of the lengths is for chains from each candidate off, row 1 from each candidate on. There
    are three sets for each candidate that is on: the candidates that it turns on by two links,
    those that its chains have reached, and those reached in the last round. The last set of each
    kind is scratch space.
    """
    return np.empty((2, n), np.int64), np.empty((3, n + 1, words), np.int64)


@lean_kernel
def find_lengths(sets, links, limit, nearest, workspace):
    """Write the number of literals of each shortest chain, 0 for none; return the least.

    Chains of more than `limit` literals are not searched for and, if `nearest`, neither are those
    longer than the shortest of all. Only `links` Y needs chains that start in one cell and end in
    another.
    """
    _, weak, strong, _ = sets
    which = 1 if links == XY else 0
    lengths = workspace[0]
    after = workspace[1][0]
    reached = workspace[1][1]
    fresh = workspace[1][2]
    n = lengths.shape[1]
    words = after.shape[1]
    _begin(sets, links, lengths, after, reached, fresh)
    ahead = fresh[n]
    n_literals = 2
    least = 0
    some = 1
    while some and n_literals + 2 <= limit and not (nearest and least):
        n_literals += 2
        some = 0
        for i in range(n):
            waiting = 0
            for k in range(words):
                ahead[k] = 0
                waiting |= fresh[i, k]
            if waiting == 0:
                continue
            for k in range(words):
                left = fresh[i, k]
                while left:
                    j = k * WORD + lowest_bit(left)
                    left &= left - 1
                    for m in range(words):
                        ahead[m] |= after[unsigned(j), m]
            turned_off = 0
            for k in range(words):
                new = ahead[k] & ~reached[i, k]
                fresh[i, k] = new
                reached[i, k] |= new
                some |= new
                turned_off |= new & weak[which, i, k]
                # Strong links lead both ways: what turns `i` on when it is off.
                turned_on = new & strong[links, i, k]
                while turned_on:
                    j = k * WORD + lowest_bit(turned_on)
                    turned_on &= turned_on - 1
                    if lengths[0, j] == 0:
                        lengths[0, j] = n_literals
                        least = least if least else n_literals
            if turned_off and lengths[1, i] == 0:
                lengths[1, i] = n_literals
                least = least if least else n_literals
    return least


@lean_kernel
def _begin(sets, links, lengths, after, reached, fresh):
    """Begin with each candidate on."""
    _, weak, strong, linked = sets
    which = 1 if links == XY else 0
    words = after.shape[1]
    for i in range(lengths.shape[1]):
        lengths[0, i] = 0
        lengths[1, i] = 0
        for k in range(words):
            after[i, k] = 0
            reached[i, k] = 0
            fresh[i, k] = 0
        reached[i, i // WORD] = 1 << i % WORD
        fresh[i, i // WORD] = 1 << i % WORD
        for k in range(words):
            left = weak[which, i, k] & linked[links, k]
            while left:
                off = k * WORD + lowest_bit(left)
                left &= left - 1
                for m in range(words):
                    after[i, m] |= strong[links, unsigned(off), m]
