"""The geometry of a board for the kernels: houses, and cells that see each other.

A Sudoku is the grid whose houses are rows, columns and boxes. The houses of a variant have any
shape, and a cell may exclude candidates of other cells by a rule.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lowest_bit
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.variants.tables import Ints, lists, set_columns

ROW, COLUMN, BOX, OTHER = range(4)
"""Kinds of house. The first three are columns of :attr:`Grid.house_of`, too."""

WORD = 63
"""Bits of a word of a set; a 64th would be its sign."""


class Grid(NamedTuple):
    """The geometry of a board; arrays are read-only, and integers are int64 for all boards.

    Attributes
    ----------
    size, n_cells : int
    plain : bool
        True for a Sudoku: all houses are rows, columns and boxes, and no other rule holds.
    houses : ndarray of int64, shape (n_houses, size)
        Cells of each house. Those of a Sudoku are its rows, columns and boxes.
    cells_of : ndarray of int64, shape (n_houses, n_cells // WORD + 1)
        The same as sets.
    house_kind : ndarray of int64, shape (n_houses,)
        ROW, COLUMN, BOX (also a region of another shape) or OTHER.
    in_order, rank : ndarray of int64, shape (n_houses,)
        The houses as singles and subsets are searched; for each house, its place in this order.
    boxes : ndarray of int64, shape (n_houses // WORD + 1,)
        The ranks of the boxes, as a set.
    by_kind : ndarray of int64, shape (n_houses,)
        The boxes, then the columns, the rows and the other houses.
    kind_span : ndarray of int64, shape (4, 2)
        For each kind, the index in `by_kind` at which its houses begin, and the end.
    shared : ndarray of int64, shape (n_houses, n_houses)
        For each pair of houses, the mask of the positions of the first that lie in the second.
    house_of : ndarray of int64, shape (n_cells, n_columns)
        The row, column and box of each cell and, where a cell may lie in more houses, further
        columns of houses that share no cell; -1 for none.
    position_in : ndarray of int64, shape (n_cells, n_columns)
        Position of each cell within these houses.
    others_in : ndarray of int64, shape (n_cells, n_columns)
        Positions of the other cells of each house of a cell that lie in none of its houses before,
        in the order box, row, column and further ones.
    bands : ndarray of int64, shape (n_bands, size)
        Sets of parallel lines for fish: the columns of a grid, then its rows. The lines of band
        b cross those of band ``b ^ 1``.
    peer_start, peers : ndarray of int64
        The cells that cell i sees are ``peers[peer_start[i] : peer_start[i + 1]]``.
    sees : ndarray of bool, shape (n_cells, n_cells)
        True if two cells cannot hold the same digit; a cell does not see itself.
    seen_from : ndarray of int64, shape (n_cells, n_cells // WORD + 1)
        The cells that each cell sees, as a set.
    arc_from, arc_cell : ndarray of int64, shapes (n_cells + 1,) and (n_arcs,)
        For each cell, the cells in which it excludes candidates by a rule other than a house.
    arc_bars : ndarray of int64, shape (n_arcs, size)
        For each digit of the cell, the mask of the candidates that it excludes there.
    most_barred : int
        Most candidates that a single candidate excludes, including those of its own cell.
    """

    size: int
    n_cells: int
    plain: bool
    houses: Ints
    cells_of: Ints
    house_kind: Ints
    in_order: Ints
    rank: Ints
    boxes: Ints
    by_kind: Ints
    kind_span: Ints
    shared: Ints
    house_of: Ints
    position_in: Ints
    others_in: Ints
    bands: Ints
    peer_start: Ints
    peers: Ints
    sees: NDArray[np.bool_]
    seen_from: Ints
    arc_from: Ints
    arc_cell: Ints
    arc_bars: Ints
    most_barred: int


@inlined_kernel
def include(items, item):
    """Add an item to a set."""
    items[item // WORD] |= 1 << item % WORD


@inlined_kernel
def exclude(items, item):
    """Remove an item from a set."""
    items[item // WORD] &= ~(1 << item % WORD)


@inlined_kernel
def kind_at(k):
    """Return the k-th column of `Grid.house_of` in the order of most searches: boxes first."""
    return BOX if k == 0 else ROW if k == 1 else COLUMN if k == 2 else k


@inlined_kernel
def is_barred(state, grid, cell, digits):
    """Return True if a digit in the cell excludes a candidate by a rule other than a house."""
    for arc in range(grid.arc_from[cell], grid.arc_from[cell + 1]):
        left = digits
        while left:
            barred = grid.arc_bars[arc, lowest_bit(left)]
            left &= left - 1
            if state.candidates[grid.arc_cell[arc]] & barred:
                return True
    return False


@cache
def sudoku_grid(order: int) -> Grid:
    """Return the grid of a Sudoku of an order, 3, 4 or 5."""
    plain = sudoku_layout(order)
    lines = np.arange(plain.size)
    sees = np.zeros((plain.n_cells, plain.n_cells), np.bool_)
    sees[np.arange(plain.n_cells)[:, None], plain.peers] = True
    kinds = np.repeat((ROW, COLUMN, BOX), plain.size)
    bands = np.stack([lines + plain.size, lines])
    return new_grid(plain.houses, kinds.tolist(), [-1] * len(kinds), bands, sees)


def new_grid(
    houses: NDArray[np.integer],
    kinds: Sequence[int],
    rules: Sequence[int],
    bands: Ints,
    sees: NDArray[np.bool_],
    bars: Sequence[dict[int, list[int]]] | None = None,
) -> Grid:
    """Return the grid of some houses.

    Parameters
    ----------
    houses : ndarray, shape (n_houses, size)
    kinds, rules : sequence of int
        Kind of each house, and the number of its rule, -1 for rows and columns.
    bands : ndarray of int64, shape (n_bands, size)
        As in the grid.
    sees : ndarray of bool, shape (n_cells, n_cells)
    bars : sequence of dict, optional
        For each cell, the arcs of the grid: the other cell, and a mask for each digit. None for a
        Sudoku.
    """
    cells, house_kind = houses.astype(np.int64), np.array(kinds, np.int64)
    n_cells, (n_houses, size) = len(sees), houses.shape
    numbers = np.arange(n_houses)
    holds = np.zeros((n_houses, n_cells), np.bool_)
    holds[numbers[:, None], houses] = True
    shared = np.ascontiguousarray((holds[:, houses] @ (1 << np.arange(size))).T)
    columns = _columns(kinds, rules, shared)
    house_of = np.full((n_cells, len(columns)), -1, np.int64)
    position_in = np.zeros((n_cells, len(columns)), np.int64)
    for column, row in enumerate(columns):
        house_of[houses[row], column] = np.array(row)[:, None]
        position_in[houses[row], column] = np.arange(size)
    others_in = _others_in(house_of, position_in, shared, size)
    arcs = bars or [{}] * n_cells
    arc_from, arc_cell = lists([list(row) for row in arcs])
    arc_bars = [masks for row in arcs for masks in row.values()]
    barred = [
        sum(mask.bit_count() for mask in others)
        + sum(max(mask.bit_count() for mask in own) for own in row.values())
        for others, row in zip(others_in.tolist(), arcs, strict=True)
    ]
    by_kind = [numbers[house_kind == kind] for kind in (BOX, COLUMN, ROW, OTHER)]
    sizes = np.array([len(row) for row in by_kind])
    ends = np.cumsum(sizes)
    in_order = np.concatenate(by_kind) if bars is None else numbers
    grid = Grid(
        size,
        n_cells,
        bars is None,
        cells,
        set_of(holds),
        house_kind,
        in_order=in_order,
        rank=np.argsort(in_order),
        boxes=set_of(house_kind[in_order] == BOX),
        by_kind=np.concatenate(by_kind),
        kind_span=np.stack([ends - sizes, ends], axis=1)[[2, 1, 0, 3]],
        shared=shared,
        house_of=house_of,
        position_in=position_in,
        others_in=others_in,
        bands=bands,
        peer_start=(peers := set_columns(sees))[0],
        peers=peers[1],
        sees=sees,
        seen_from=set_of(sees),
        arc_from=arc_from,
        arc_cell=arc_cell,
        arc_bars=np.array(arc_bars, np.int64).reshape(-1, size),
        most_barred=size - 1 + max(barred, default=0),
    )
    for array in grid[3:-1]:
        array.setflags(write=False)
    return grid


def set_of(flags: NDArray[np.bool_]) -> Ints:
    """Return the numbers of the flags that are True as a set, shape ``(..., n // WORD + 1)``."""
    *rows, n = flags.shape
    padded = np.zeros((*rows, (n // WORD + 1) * WORD), np.int64)
    padded[..., :n] = flags
    sets = padded.reshape(*rows, n // WORD + 1, WORD) @ (1 << np.arange(WORD, dtype=np.int64))
    return np.asarray(sets)


def _columns(kinds: Sequence[int], rules: Sequence[int], shared: Ints) -> list[list[int]]:
    """Return the houses of each column of `Grid.house_of`.

    They are the rows, columns, boxes, and those of each rule that share no cell. If the rows of two
    grids overlap, a cell lies in houses of more columns.
    """
    columns: list[list[int]] = [[], [], []]
    of_column: list[object] = [ROW, COLUMN, BOX]
    for house, kind in enumerate(kinds):
        origin = kind if kind != OTHER else ("rule", rules[house])
        column = 0
        while column < len(columns) and (
            of_column[column] != origin or shared[house, columns[column]].any()
        ):
            column += 1
        if column == len(columns):
            columns.append([])
            of_column.append(origin)
        columns[column].append(house)
    return columns


def _others_in(house_of: Ints, position_in: Ints, shared: Ints, size: int) -> Ints:
    """Return for each cell the positions in each of its houses that lie in no earlier house."""
    others = ((1 << size) - 1) & ~(1 << position_in)
    order = [BOX, ROW, COLUMN, *range(3, house_of.shape[1])]
    for i, column in enumerate(order):
        for before in order[:i]:
            both = (house_of[:, column] >= 0) & (house_of[:, before] >= 0)
            others[both, column] &= ~shared[house_of[both, column], house_of[both, before]]
    others[house_of < 0] = 0
    return others
