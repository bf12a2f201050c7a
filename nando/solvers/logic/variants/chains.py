"""Chains, aligned exclusion and uniqueness on variants, found by the searches for Sudoku.

To these searches a variant is a grid whose houses have any shape. Its other rules on two cells are
further weak links. The searches ignore sums and patterns.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from nando.puzzles import Variant
from nando.solvers.logic.kernel_numbers import (
    ALIGNED,
    BIVALUE_UNIVERSAL_GRAVE,
    CHAIN,
    FORCING,
    NESTED_FORCING,
    UNIQUE_LOOP,
)
from nando.solvers.logic.sudoku_chains.chain import find_chain, list_chains
from nando.solvers.logic.sudoku_chains.forcing import find_forcing
from nando.solvers.logic.sudoku_chains.nested import find_nested_forcing
from nando.solvers.logic.sudoku_finders.aligned import find_aligned
from nando.solvers.logic.sudoku_finders.bug import find_bug
from nando.solvers.logic.sudoku_finders.finding import Finding
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
from nando.solvers.variants.tables import Ints

SEARCHES = ALIGNED, UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE, CHAIN, FORCING, NESTED_FORCING
"""Techniques of the searches."""

TRUSTING = UNIQUE_LOOP, BIVALUE_UNIVERSAL_GRAVE
"""Searches that rely on the puzzle having a single solution."""


def trusts(puzzle: Variant) -> bool:
    """Return True if the searches in `TRUSTING` are sound for a puzzle.

    They need two digits that can be exchanged wherever houses and pairs of cells allow it. Sums and
    patterns could distinguish the two solutions.
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
        The step, and one that is compared with it. If `finding` lists all steps, it lists the
        shortest chains of each kind.
    effort : ndarray of int64, shape (1,)
        Number of searches for nested chains that are left.
    rung : ndarray of int64, shape (3,)
    """
    number, degree, rating = rung.tolist()
    if number == ALIGNED:
        return bool(find_aligned(marks, grid, finding, degree, rating))
    if number == UNIQUE_LOOP:
        return bool(find_unique_loop(marks, grid, finding, trial, rating))
    if number == BIVALUE_UNIVERSAL_GRAVE:
        return bool(find_bug(marks, grid, finding, trial, rating))
    if number == CHAIN and finding.head[0]["listed"]:
        list_chains(marks, grid, finding, rating)
        return True
    if number == CHAIN:
        return bool(find_chain(marks, grid, finding, rating))
    if number == FORCING:
        return bool(find_forcing(marks, grid, finding, degree, rating))
    return bool(find_nested_forcing(marks, grid, finding, effort, degree, rating))


@lru_cache(maxsize=256)
def grid_of(puzzle: Variant) -> LogicLayout:
    """Return the geometry of a variant for the searches for Sudoku."""
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
    others_in = _others_in(layout, house_of, position_in, order)
    arcs = _arcs(layout)
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

    If the rows of two grids overlap, a cell lies in houses of more kinds.
    """
    kinds: list[list[int]] = [[], [], []]
    of_kind: list[object] = [ROW, COLUMN, BOX]
    for house in range(layout.n_houses):
        origin: object = "rule", rules[house]
        if layout.house_kind[house] == variants.LINE:
            origin = ROW if layout.house_across[house] else COLUMN
        elif layout.house_kind[house] == variants.BOX:
            origin = BOX
        kind = 0
        while kind < len(kinds) and (
            of_kind[kind] != origin or layout.shared[house, kinds[kind]].any()
        ):
            kind += 1
        if kind == len(kinds):
            kinds.append([])
            of_kind.append(origin)
        kinds[kind].append(house)
    return kinds


def _others_in(layout: Layout, house_of: Ints, position_in: Ints, order: list[int]) -> Ints:
    """Return for each cell the positions in each of its houses that lie in no earlier house."""
    others = ((1 << layout.n_digits) - 1) & ~(1 << position_in)
    for i, kind in enumerate(order):
        for before in order[:i]:
            both = (house_of[:, kind] >= 0) & (house_of[:, before] >= 0)
            others[both, kind] &= ~layout.shared[house_of[both, kind], house_of[both, before]]
    others[house_of < 0] = 0
    return others


def _arcs(layout: Layout) -> list[dict[int, list[int]]]:
    """Return for each cell what its digits exclude in other cells by rules other than houses."""
    n = layout.n_digits
    full = (1 << n) - 1
    arcs: list[dict[int, list[int]]] = []
    starts, to = layout.arc_start.tolist(), layout.arc_cell.tolist()
    tables = layout.tables.tolist()
    kinds = layout.arc_table.tolist()
    in_house = np.zeros_like(layout.sees)
    in_house[layout.houses[:, :, None], layout.houses[:, None, :]] = True
    for cell in range(layout.n_cells):
        row: dict[int, list[int]] = {}
        for other in np.flatnonzero(layout.sees[cell] & ~in_house[cell]).tolist():
            row[other] = [1 << digit for digit in range(n)]
        for arc in range(starts[cell], starts[cell + 1]):
            known = int(in_house[cell, to[arc]])
            row[to[arc]] = [
                full & ~mask & ~(known << digit) for digit, mask in enumerate(tables[kinds[arc]])
            ]
        arcs.append(row)
    return arcs
