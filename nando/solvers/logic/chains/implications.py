"""The direct consequences of a candidate that is true (on) or false (off).

A candidate that is on turns off the others of its cell and of its digit in its houses: weak links.
One that is off turns on the other of a pair left in its cell or, for its digit, in a house: strong
links. Other rules of a variant give weak links, too. A literal stands for a candidate and its
state: twice the number of the candidate, plus 1 if it is on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.grid import kind_at


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
