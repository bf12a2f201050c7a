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
from nando.solvers.logic.finders.grid import BOX, COLUMN, OTHER, ROW, Grid, new_grid
from nando.solvers.logic.variants.unions import Union, unions_of
from nando.solvers.variants.network import Network, Origins, differing, network_of
from nando.solvers.variants.tables import Ints, lists, rows_of


class Layout(NamedTuple):
    """The geometry and the rules of a variant as the kernels need them; all arrays are read-only.

    Attributes
    ----------
    grid : Grid
    n_sums : int
        Number of the sums of rules; those that follow from houses come after them.
    has_splits : bool
        True if a rule splits the digits into classes. Trials then count digits in groups, too.
    cell_house_start, cell_houses : ndarray of int64
        For each cell, its houses.
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

    grid: Grid
    n_sums: int
    has_splits: bool
    cell_house_start: Ints
    cell_houses: Ints
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
    lines : dict of int to int
        For each group that is a house in name only, its number among the houses of pencil marks.
    n_lines : int
        Houses in name only, which come before the others there.
    sums, patterns : tuple of int
        For each sum of a rule, and each pattern, its rule.
    unions : tuple of Union
        For each further sum, the houses and sums that it follows from.
    """

    arcs: tuple[tuple[int, ...], ...]
    houses: tuple[int, ...]
    groups: tuple[int, ...]
    lines: dict[int, int]
    n_lines: int
    sums: tuple[int, ...]
    patterns: tuple[int, ...]
    unions: tuple[Union, ...]


@lru_cache(maxsize=256)
def layout_of(puzzle: Variant) -> tuple[Layout, Sources]:
    """Return the layout of a variant, and the sources of its parts."""
    network, origins = network_of(puzzle)
    sees = differing(network)
    arcs, tables, arc_rules = _arcs(network, origins, sees)
    large = [i for i, (_, cells) in enumerate(origins.groups) if len(cells) > 2]
    others = [(origins.groups[i][0], list(origins.groups[i][1])) for i in large]
    unions = unions_of(network)
    houses, n = network.houses, network.n_digits
    arc_start, arc_cell = lists([[to for to, _ in row] for row in arcs])
    group_start, group_cells = lists([*houses.tolist(), *(cells for _, cells in others)])
    sum_start, sum_cells, sum_weights, sum_totals = _sums(network, unions)
    kinds = [_kind(puzzle, *own) for own in zip(origins.houses, houses, strict=True)]
    bars = _bars(houses, sees, arcs, tables)
    layout = Layout(
        new_grid(houses, kinds, origins.houses, _bands(puzzle, network), sees, bars),
        n_sums=network.sum_totals.size,
        has_splits=any(True for rule in puzzle.rules for _ in rule.splits(puzzle.board)),
        cell_house_start=network.cell_house_start,
        cell_houses=network.cell_houses,
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
    arrays: Any = layout[3:]
    for array in arrays:
        array.setflags(write=False)
    sources = Sources(
        tuple(arc_rules),
        origins.houses,
        tuple(rule for rule, _ in others),
        {large.index(group): house for house, group in enumerate(origins.lines) if group in large},
        len(origins.lines),
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


def _kind(puzzle: Variant, rule: int, house: Ints) -> int:
    """Return the kind of a house of a rule."""
    if rule < 0:
        return ROW if house[-1] - house[0] == len(house) - 1 else COLUMN
    return BOX if isinstance(puzzle.rules[rule], Boxes | Regions) else OTHER


def _bands(puzzle: Variant, network: Network) -> Ints:
    """Return the rows, then the columns, of each grid as numbers of houses."""
    number_of = puzzle.board.number_of
    houses = {tuple(house): number for number, house in enumerate(network.houses.tolist())}
    lines = [tuple(sorted(number_of[cell] for cell in line)) for line in puzzle.board.lines()]
    lines = [] if puzzle.board.absent else lines  # then rows and columns are groups
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


def _bars(
    houses: Ints,
    sees: NDArray[np.bool_],
    arcs: list[list[tuple[int, int]]],
    tables: list[tuple[int, ...]],
) -> list[dict[int, list[int]]]:
    """Return for each cell what its digits exclude in other cells by rules other than houses."""
    n = houses.shape[1]
    full = (1 << n) - 1
    bars: list[dict[int, list[int]]] = []
    in_house = np.zeros_like(sees)
    in_house[houses[:, :, None], houses[:, None, :]] = True
    for cell, joined in enumerate(arcs):
        row: dict[int, list[int]] = {}
        for other in np.flatnonzero(sees[cell] & ~in_house[cell]).tolist():
            row[other] = [1 << digit for digit in range(n)]
        for to, table in joined:
            known = int(in_house[cell, to])
            row[to] = [full & ~mask & ~(known << digit) for digit, mask in enumerate(tables[table])]
        bars.append(row)
    return bars
