"""Chains and aligned exclusion on variants, found by the searches that Sudoku has.

To these a variant is a grid whose houses have any shape. What its other rules say of two cells are
further weak links; sums and patterns they do not see.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from nando.puzzles import Variant
from nando.solvers.logic.sudoku_chains.assumptions import WITH_CHAINS
from nando.solvers.logic.sudoku_chains.chain import find_chain, list_chains
from nando.solvers.logic.sudoku_chains.forcing import find_forcing
from nando.solvers.logic.sudoku_chains.nested import find_nested_forcing
from nando.solvers.logic.sudoku_finders.aligned import find_aligned
from nando.solvers.logic.sudoku_finders.bug import find_bug
from nando.solvers.logic.sudoku_finders.finding import LISTED, Finding
from nando.solvers.logic.sudoku_finders.loops import find_unique_loop
from nando.solvers.logic.sudoku_finders.state import (
    BOX,
    COLUMN,
    ROW,
    WORD,
    LogicLayout,
    LogicState,
)
from nando.solvers.logic.variants import layout as variants
from nando.solvers.logic.variants.layout import Layout, layout_of
from nando.solvers.variants.rows import Ints

CHAIN, FORCING, ALIGNED, UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE = SEARCHES = range(100, 105)
"""Numbers of the searches; those of the ladder's kernels are lower."""

TRUSTING = UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE
"""Those that trust the puzzle to have a single solution."""


def trusts(puzzle: Variant) -> bool:
    """Return True if two digits may change places wherever houses and pairs of cells allow it.

    Sums and patterns could tell the two solutions apart.
    """
    layout, _ = layout_of(puzzle)
    return layout.sum_totals.size + layout.pattern_first.size == 0


def search(
    grid: LogicLayout, marks: LogicState, finding: Finding, trial: Finding, effort: Ints, rung: Ints
) -> bool:
    """Find the easiest step of a rung and write it; return False if there is none.

    Parameters
    ----------
    grid : LogicLayout
    marks : LogicState
    finding, trial : Finding
        If all steps are listed, of chains the shortest of each kind.
    effort : ndarray of int64, shape (1,)
        Searches for nested chains that are left.
    rung : ndarray of int64, shape (3,)
    """
    number, degree, rating = rung.tolist()
    if number == ALIGNED:
        return bool(find_aligned(marks, grid, finding, degree, rating))
    if number == UNIQUE_LOOP:
        return bool(find_unique_loop(marks, grid, finding, trial, rating))
    if number == BIVALUE_UNIVERSAL_GRAVE:
        return bool(find_bug(marks, grid, finding, trial, rating))
    if number == CHAIN and finding.head[LISTED]:
        list_chains(marks, grid, finding, rating)
        return True
    if number == CHAIN:
        return bool(find_chain(marks, grid, finding, rating))
    if degree < WITH_CHAINS:
        return bool(find_forcing(marks, grid, finding, degree, rating))
    return bool(find_nested_forcing(marks, grid, finding, effort, degree, rating))


@lru_cache(maxsize=256)
def grid_of(puzzle: Variant) -> LogicLayout:
    """Return the geometry of a variant as the searches for Sudoku take it."""
    layout, sources = layout_of(puzzle)
    n_cells, n = layout.n_cells, layout.n_digits
    kinds = _kinds_of(layout, sources.houses)
    house_of = np.full((n_cells, len(kinds)), -1, np.int64)
    position_in = np.zeros((n_cells, len(kinds)), np.int64)
    for kind, houses in enumerate(kinds):
        for house in houses:
            house_of[layout.houses[house], kind] = house
            position_in[layout.houses[house], kind] = np.arange(n)
    order = [BOX, ROW, COLUMN, *range(3, len(kinds))]
    others_in, in_houses = _others_in(layout, house_of, order)
    arcs = _arcs(layout, in_houses)
    seen_from = np.zeros((n_cells, n_cells // WORD + 1), np.int64)
    for cell, other in np.argwhere(layout.sees).tolist():
        seen_from[cell, other // WORD] |= 1 << other % WORD
    listed = [kinds[BOX], kinds[COLUMN], kinds[ROW], *kinds[3:]]
    pairs = layout.bands.reshape(-1, 2, n)
    barred = [0] * n_cells
    for cell, row in enumerate(arcs):
        barred[cell] = sum(int(mask).bit_count() for mask in others_in[cell])
        barred[cell] += sum(max(mask.bit_count() for mask in bars) for bars in row.values())
    grid = LogicLayout(
        0,
        n,
        n_cells,
        layout.houses.copy(),
        house_of,
        layout.peer_start.copy(),
        layout.peers.copy(),
        position_in,
        layout.sees.copy(),
        seen_from,
        np.zeros((2, 0), np.int64),
        others_in,
        np.cumsum([0, *map(len, listed)], dtype=np.int64),
        np.array([house for kind in listed for house in kind], np.int64),
        np.ascontiguousarray(pairs[:, ::-1]).reshape(-1, n),
        np.cumsum([0, *map(len, arcs)], dtype=np.int64),
        np.array([other for row in arcs for other in row], np.int64),
        np.array([bars for row in arcs for bars in row.values()], np.int64).reshape(-1, n),
        n - 1 + max(barred, default=0),
    )
    arrays: Any = grid[3:-1]
    for array in arrays:
        array.setflags(write=False)
    return grid


def _kinds_of(layout: Layout, rules: tuple[int, ...]) -> list[list[int]]:
    """Return the houses by kind: rows, columns, boxes, and those of each rule that share no cell.

    Where the rows of two grids overlap, a cell lies in houses of more kinds.
    """
    kinds: list[list[int]] = [[], [], []]
    of_kind: list[object] = [ROW, COLUMN, BOX]
    taken: list[set[int]] = [set(), set(), set()]
    for house, cells in enumerate(layout.houses.tolist()):
        origin: object = "rule", rules[house]
        if layout.house_kind[house] == variants.LINE:
            origin = ROW if layout.house_across[house] else COLUMN
        elif layout.house_kind[house] == variants.BOX:
            origin = BOX
        kind = 0
        while kind < len(kinds) and (of_kind[kind] != origin or taken[kind] & set(cells)):
            kind += 1
        if kind == len(kinds):
            kinds.append([])
            of_kind.append(origin)
            taken.append(set())
        kinds[kind].append(house)
        taken[kind] |= set(cells)
    return kinds


def _others_in(layout: Layout, house_of: Ints, order: list[int]) -> tuple[Ints, list[set[int]]]:
    """Return for each cell the positions met first in each of its houses, and all their cells."""
    houses = layout.houses.tolist()
    others = np.zeros_like(house_of)
    met: list[set[int]] = []
    for cell, numbers in enumerate(house_of.tolist()):
        known = {cell}
        for kind in order:
            if numbers[kind] >= 0:
                for position, other in enumerate(houses[numbers[kind]]):
                    if other not in known:
                        others[cell, kind] |= 1 << position
                known.update(houses[numbers[kind]])
        met.append(known)
    return others, met


def _arcs(layout: Layout, in_houses: list[set[int]]) -> list[dict[int, list[int]]]:
    """Return for each cell what each of its digits bars in which cell, but by a house."""
    n = layout.n_digits
    full = (1 << n) - 1
    arcs: list[dict[int, list[int]]] = []
    starts, to = layout.arc_start.tolist(), layout.arc_cell.tolist()
    tables = layout.tables.tolist()
    kinds = layout.arc_table.tolist()
    for cell in range(layout.n_cells):
        row: dict[int, list[int]] = {}
        for other in np.flatnonzero(layout.sees[cell]).tolist():
            if other not in in_houses[cell]:
                row[other] = [1 << digit for digit in range(n)]
        for arc in range(starts[cell], starts[cell + 1]):
            known = to[arc] in in_houses[cell]
            row[to[arc]] = [
                full & ~mask & ~(known << digit) for digit, mask in enumerate(tables[kinds[arc]])
            ]
        arcs.append(row)
    return arcs
