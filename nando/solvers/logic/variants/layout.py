"""The geometry of a variant for the techniques: houses, cells that see each other, rules.

Cells are numbered as in ``puzzle.board.cells``; digits count from 0, and bit d of a mask stands
for digit d + 1. Lists of different lengths are laid out as in :mod:`nando.solvers.variants.tables`.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.puzzles.rules.boxes import Boxes, Regions
from nando.solvers.logic.variants.unions import Union, unions_of
from nando.solvers.variants.network import Network, Origins, differing, network_of
from nando.solvers.variants.tables import Ints, lists, rows_of

LINE, BOX, OTHER = range(3)
"""Kinds of house."""


class Layout(NamedTuple):
    """The geometry of a variant as the kernels need it; all arrays are read-only.

    Attributes
    ----------
    order : int
        0, as in :class:`nando.solvers.logic.sudoku_finders.state.LogicLayout`.
    n_cells, n_digits, n_houses, n_sums : int
        `n_sums` counts the sums of rules; those that follow from houses come after them.
    houses : ndarray of int64, shape (n_houses, n_digits)
    house_kind : ndarray of int64, shape (n_houses,)
        LINE for rows and columns, BOX for boxes and regions, OTHER.
    house_across : ndarray of bool, shape (n_houses,)
        True for a row.
    in_order : ndarray of int64, shape (n_houses,)
        The houses in the order in which they are searched.
    shared : ndarray of int64, shape (n_houses, n_houses)
        For each pair of houses, the mask of the positions of the first that lie in the second.
    bands : ndarray of int64, shape (n_bands, n_digits)
        Sets of parallel lines for fish: all rows of a grid, or all columns.
    cell_house_start, cell_houses : ndarray of int64
        For each cell, its houses.
    peer_start, peers : ndarray of int64
        For each cell, the cells that must hold another digit.
    sees : ndarray of bool, shape (n_cells, n_cells)
        True for two cells that must hold different digits.
    arc_start, arc_cell, arc_table : ndarray of int64
        For each cell, the cells that relations join it to, each once, and the number of the table
        for the two cells.
    tables : ndarray of int64, shape (n_tables, n_digits)
        For each digit of a cell, the mask of the digits that the other may hold. A table combines
        all relations of the two cells and, if they see each other, that they differ.
    group_start, group_cells : ndarray of int64
        Cells that must hold different digits: all houses, then cages and lines of 3 cells or more.
    sum_start, sum_cells, sum_weights, sum_totals : ndarray of int64
    pattern_start, pattern_cells, pattern_first, pattern_end, moves, accepting
        As in :class:`nando.solvers.variants.network.Network`.
    """

    order: int
    n_cells: int
    n_digits: int
    n_houses: int
    n_sums: int
    houses: Ints
    house_kind: Ints
    house_across: NDArray[np.bool_]
    in_order: Ints
    shared: Ints
    bands: Ints
    cell_house_start: Ints
    cell_houses: Ints
    peer_start: Ints
    peers: Ints
    sees: NDArray[np.bool_]
    arc_start: Ints
    arc_cell: Ints
    arc_table: Ints
    tables: Ints
    group_start: Ints
    group_cells: Ints
    sum_start: Ints
    sum_cells: Ints
    sum_weights: Ints
    sum_totals: Ints
    pattern_start: Ints
    pattern_cells: Ints
    pattern_first: Ints
    pattern_end: Ints
    moves: Ints
    accepting: NDArray[np.bool_]


class Sources(NamedTuple):
    """The rules and houses that the parts of a layout come from.

    Attributes
    ----------
    arcs : tuple of tuple of int
        For each arc, the rules of its relations.
    houses : tuple of int
        For each house, its rule, -1 for rows and columns.
    groups : tuple of int
        For each group that is not a house, its rule.
    sums, patterns : tuple of int
        For each sum of a rule, and each pattern, its rule.
    unions : tuple of Union
        For each further sum, the houses and sums that it follows from.
    """

    arcs: tuple[tuple[int, ...], ...]
    houses: tuple[int, ...]
    groups: tuple[int, ...]
    sums: tuple[int, ...]
    patterns: tuple[int, ...]
    unions: tuple[Union, ...]


@lru_cache(maxsize=256)
def layout_of(puzzle: Variant) -> tuple[Layout, Sources]:
    """Return the layout of a variant, and the sources of its parts."""
    network, origins = network_of(puzzle)
    sees = differing(network)
    arcs, tables, arc_rules = _arcs(network, origins, sees)
    others = [(rule, list(cells)) for rule, cells in origins.groups if len(cells) > 2]
    unions = unions_of(network)
    houses, n = network.houses, network.n_digits
    arc_start, arc_cell = lists([[to for to, _ in row] for row in arcs])
    group_start, group_cells = lists([*houses.tolist(), *(cells for _, cells in others)])
    sum_start, sum_cells, sum_weights, sum_totals = _sums(network, unions)
    layout = Layout(
        order=0,
        n_cells=network.n_cells,
        n_digits=n,
        n_houses=len(houses),
        n_sums=network.sum_totals.size,
        houses=houses,
        house_kind=np.array([_kind(puzzle, rule) for rule in origins.houses], np.int64),
        house_across=houses[:, -1] - houses[:, 0] == n - 1,
        in_order=np.arange(len(houses)),
        shared=_shared(houses, network.n_cells),
        bands=_bands(puzzle, network),
        cell_house_start=network.cell_house_start,
        cell_houses=network.cell_houses,
        peer_start=network.peer_start,
        peers=network.peers,
        sees=sees,
        arc_start=arc_start,
        arc_cell=arc_cell,
        arc_table=lists([[table for _, table in row] for row in arcs])[1],
        tables=np.array(tables, np.int64).reshape(-1, n),
        group_start=group_start,
        group_cells=group_cells,
        sum_start=sum_start,
        sum_cells=sum_cells,
        sum_weights=sum_weights,
        sum_totals=sum_totals,
        pattern_start=network.pattern_start,
        pattern_cells=network.pattern_cells,
        pattern_first=network.pattern_first,
        pattern_end=network.pattern_end,
        moves=network.moves,
        accepting=network.accepting,
    )
    arrays: Any = layout[5:]
    for array in arrays:
        array.setflags(write=False)
    sources = Sources(
        tuple(arc_rules),
        origins.houses,
        tuple(rule for rule, _ in others),
        origins.sums,
        origins.patterns,
        unions,
    )
    return layout, sources


def _sums(network: Network, unions: tuple[Union, ...]) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the arrays `sum_*` of a layout: the sums of rules, then those of unions."""
    cells = rows_of(network.sum_start, network.sum_cells)
    weights = rows_of(network.sum_start, network.sum_weights)
    start, joined_cells = lists([*cells, *(union.cells for union in unions)])
    _, joined_weights = lists([*weights, *(union.weights for union in unions)])
    totals = [*network.sum_totals.tolist(), *(union.total for union in unions)]
    return start, joined_cells, joined_weights, np.array(totals, np.int64)


def _kind(puzzle: Variant, rule: int) -> int:
    if rule < 0:
        return LINE
    return BOX if isinstance(puzzle.rules[rule], Boxes | Regions) else OTHER


def _shared(houses: Ints, n_cells: int) -> Ints:
    """Return the mask of the positions of each house that lie in each house, as `Layout.shared`."""
    holds = np.zeros((len(houses), n_cells), np.int64)
    holds[np.arange(len(houses))[:, None], houses] = 1
    return np.ascontiguousarray((holds[:, houses] @ (1 << np.arange(houses.shape[1]))).T)


def _bands(puzzle: Variant, network: Network) -> Ints:
    """Return the rows, then the columns, of each grid as numbers of houses."""
    number_of = puzzle.board.number_of
    houses = {tuple(house): number for number, house in enumerate(network.houses.tolist())}
    lines = [tuple(sorted(number_of[cell] for cell in line)) for line in puzzle.board.lines()]
    return np.array([houses[line] for line in lines], np.int64).reshape(-1, puzzle.size)


def _arcs(
    network: Network, origins: Origins, sees: NDArray[np.bool_]
) -> tuple[list[list[tuple[int, int]]], list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return the arcs of each cell, the tables, and the rules of each arc.

    All relations between the same two cells are one arc.
    """
    n, full = network.n_digits, (1 << network.n_digits) - 1
    numbers: dict[tuple[int, ...], int] = {}
    masks = network.tables.tolist()
    arcs: list[list[tuple[int, int]]] = []
    rules: list[tuple[int, ...]] = []
    starts = network.arc_start.tolist()
    cells, kinds = network.arc_cell.tolist(), network.arc_table.tolist()
    for cell in range(network.n_cells):
        joined: dict[int, tuple[list[int], list[int]]] = {}
        for arc in range(starts[cell], starts[cell + 1]):
            to = cells[arc]
            if to not in joined:
                apart = bool(sees[cell, to])
                joined[to] = [full & ~(1 << d) if apart else full for d in range(n)], []
            table, of = joined[to]
            table[:] = [a & b for a, b in zip(table, masks[kinds[arc]], strict=True)]
            of.append(origins.arcs[arc])
        row = []
        for to, (table, of) in joined.items():
            row.append((to, numbers.setdefault(tuple(table), len(numbers))))
            rules.append(tuple(dict.fromkeys(of)))
        arcs.append(row)
    return arcs, list(numbers), rules
