"""A partly coloured Nurikabe and the workspace of the rules, as kernels see them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.joined import OPEN as OPEN
from nando.solvers.nurikabe.joined import WALL as WALL
from nando.solvers.nurikabe.joined import Growth, new_growth

# Indices in `counts`. Those equal to WHITE and BLACK hold the numbers of cells of these colours.
N_SET = 0
HEAD = 3
STAMP = 4
N_PARTS = 5
N_COUNTS = 6


class NurikabeState(NamedTuple):
    """The colours of a board, its parts and islands, and the workspace of the rules.

    The board has a wall around it: cell (r, c) of the puzzle is at (r + 1) * width + c + 1.
    If nothing else is stated, arrays have an entry for each cell of this walled board. Islands are
    named 1, 2, ... in the order of their cells in the puzzle. Parts, the groups of joined white
    cells, are named anew whenever they are found. 0 stands for no cell, no island and no part.
    """

    width: int
    n_cells: int
    n_white: int
    """Number of white cells of every solution, -1 if it is not known."""
    largest: int
    """Most cells of an island."""
    n_islands: int
    counts: NDArray[np.int64]
    colour: NDArray[np.int8]
    trail: NDArray[np.int32]
    """List of the cells in the order in which they were coloured."""
    island_at: NDArray[np.int32]
    """The island whose number is in the cell, 0 for none."""
    start: NDArray[np.int32]
    """The cell with the number of each island."""
    wanted: NDArray[np.int32]
    """The number of each island, -1 if it is unknown; 0 for no island."""
    part: NDArray[np.int32]
    """The part of a white cell; 0 if the cell became white after parts were found."""
    size: NDArray[np.int32]
    """Number of cells of each part."""
    first: NDArray[np.int32]
    """Index in `members` of the first cell of each part."""
    members: NDArray[np.int32]
    """List of the cells of all parts."""
    owner: NDArray[np.int32]
    """The island that each part belongs to, or the only one that can reach it; 0 if several can."""
    touch: NDArray[np.int32]
    """The island that an open cell touches, so that it would belong to it if it were white."""
    reach: NDArray[np.int32]
    """Number of islands that can grow to an open cell."""
    last: NDArray[np.int32]
    """The last of these islands."""
    near: NDArray[np.int32]
    """Number of white cells that the last island needs for that."""
    part_reach: NDArray[np.int32]
    """Number of islands that can grow to a part without a number."""
    part_last: NDArray[np.int32]
    """The last of these islands."""
    block: NDArray[np.int32]
    """The first cell of the farthest 2x2 block that only the island can break, for each island."""
    block_far: NDArray[np.int32]
    """Number of white cells that the island needs to reach this block."""
    block_kept: NDArray[np.int32]
    """The block of each island that is restored when cells are opened again."""
    owner_kept: NDArray[np.int32]
    """The owner of a white cell's part, if it stays known when cells are opened again; else 0."""
    growth: Growth
    """Search from the number of an island; its marks also mark other regions."""
    far: Growth
    """Search from another part of the island, or from its block."""
    seen: NDArray[np.int64]
    """Stamp of the last depth-first search that reached the cell."""
    tree: NDArray[np.int32]
    """Workspace of the depth-first search, shape (8, n_walled)."""


def walled_cells(shape: tuple[int, int]) -> NDArray[np.int32]:
    """Return the index on the walled board of each cell of a puzzle."""
    row, column = np.divmod(np.arange(shape[0] * shape[1], dtype=np.int32), shape[1])
    return np.asarray((row + 1) * (shape[1] + 2) + column + 1, np.int32)


def cells_at(places: NDArray[np.int32], width: int) -> NDArray[np.int32]:
    """Return the cells of the puzzle at indices of the walled board."""
    row, column = np.divmod(places, width)
    return (row - 1) * (width - 2) + column - 1


def walled_colours(shape: tuple[int, int]) -> NDArray[np.int8]:
    """Return the colours of a board with a wall around it, all cells open."""
    # One entry more than the board: parts and distances are counted from 1.
    colour = np.full((shape[0] + 2) * (shape[1] + 2) + 1, WALL, np.int8)
    colour[walled_cells(shape)] = OPEN
    return colour


def new_state(puzzle: Nurikabe) -> NurikabeState:
    """Return the state of a board on which only the numbers are coloured."""
    numbered = np.flatnonzero(puzzle.numbers)
    cells = walled_cells(puzzle.shape)[numbered]
    n_white = puzzle.n_white
    numbers = puzzle.numbers[numbered]
    colour = walled_colours(puzzle.shape)
    n_walled = colour.size
    colour[cells] = WHITE
    counts = np.zeros(N_COUNTS, np.int64)
    counts[N_SET] = counts[WHITE] = cells.size
    rows = np.zeros((27, n_walled), np.int32)
    trail, island_at, start, wanted = rows[:4]
    trail[: cells.size] = cells
    island_at[cells] = np.arange(1, cells.size + 1)
    start[1 : cells.size + 1] = cells
    wanted[1 : cells.size + 1] = numbers
    growth, far = new_growth(n_walled), new_growth(n_walled)
    seen = np.zeros(n_walled, np.int64)
    workspace: list[Any] = [*rows[4:19], growth, far, seen, rows[19:]]
    return NurikabeState(
        puzzle.shape[1] + 2,
        puzzle.n_cells,
        -1 if n_white is None else n_white,
        puzzle.n_cells if n_white is None else int(numbers.max(initial=0)),
        cells.size,
        counts,
        colour,
        trail,
        island_at,
        start,
        wanted,
        *workspace,
    )


def colour_cells(state: NurikabeState, cells: NDArray[np.int32], colours: NDArray[np.int8]) -> None:
    """Colour open cells, given by their indices on the walled board; none is given twice."""
    n_set = state.counts[N_SET]
    state.colour[cells] = colours
    state.part[cells] = 0
    state.trail[n_set : n_set + cells.size] = cells
    state.counts[N_SET] += cells.size
    for colour in (WHITE, BLACK):
        state.counts[colour] += np.count_nonzero(colours == colour)


@inlined_kernel
def colour_cell(state, cell, colour):
    """Colour a cell if it is open; return True if the cell then has this colour."""
    held = state.colour[cell]
    if held != OPEN:
        return held == colour
    state.colour[cell] = colour
    state.part[cell] = 0
    state.trail[state.counts[N_SET]] = cell
    state.counts[N_SET] += 1
    state.counts[colour] += 1
    return True


@lean_kernel
def take_back(state, n_set):
    """Open all coloured cells again, except the `n_set` that were coloured first."""
    for i in range(n_set, state.counts[N_SET]):
        cell = state.trail[i]
        state.counts[int(state.colour[cell])] -= 1
        state.colour[cell] = OPEN
    state.counts[N_SET] = n_set
    state.counts[HEAD] = n_set
    for island in range(1, state.n_islands + 1):
        state.block[island] = state.block_kept[island]


@lean_kernel
def keep_findings(state):
    """Save the blocks and owners found, which hold as long as the present colours."""
    for island in range(1, state.n_islands + 1):
        state.block_kept[island] = state.block[island]
    for i in range(state.counts[N_SET]):
        cell = state.trail[i]
        if state.colour[cell] == WHITE:
            state.owner_kept[cell] = state.owner[state.part[cell]]


@lean_kernel
def forget_findings(state):
    """Discard the saved blocks and owners, before any of these cells is opened."""
    for island in range(1, state.n_islands + 1):
        state.block_kept[island] = 0
    for i in range(state.counts[N_SET]):
        state.owner_kept[state.trail[i]] = 0
