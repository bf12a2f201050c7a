"""A partly coloured Nurikabe and the workspace of the rules, as kernels see them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.joined import OPEN as OPEN
from nando.solvers.nurikabe.joined import WALL as WALL
from nando.solvers.nurikabe.joined import Growth, new_growth

# Places of the int64 array `counts`; those of WHITE and BLACK hold the cells of that colour.
N_SET = 0
HEAD = 3
STAMP = 4
N_PARTS = 5
N_COUNTS = 6


class NurikabeState(NamedTuple):
    """Colours, the parts and islands they make, and room for the rules to work in.

    The board has a wall around it: cell (r, c) of the puzzle is at (r + 1) * width + c + 1.
    Arrays are by cell of this walled board where nothing else is said. Islands are named 1, 2,
    ... in the order of their numbers; parts, the groups of joined white cells, get new
    names whenever they are found. 0 stands for no cell, no island and no part.
    """

    width: int
    n_cells: int
    n_white: int
    """White cells of every solution, -1 where that is not known."""
    largest: int
    """Most cells an island may have."""
    n_islands: int
    counts: NDArray[np.int64]
    colour: NDArray[np.int8]
    trail: NDArray[np.int32]
    """Cells in the order they were coloured."""
    island_at: NDArray[np.int32]
    """The island whose number is in the cell."""
    start: NDArray[np.int32]
    """By island: the cell of its number."""
    wanted: NDArray[np.int32]
    """By island: its number, -1 where unknown; 0 for no island."""
    part: NDArray[np.int32]
    """The part of a white cell; 0 where it became white after parts were found."""
    size: NDArray[np.int32]
    """By part: its cells, which are listed in `members` ..."""
    first: NDArray[np.int32]
    """... from here on."""
    members: NDArray[np.int32]
    owner: NDArray[np.int32]
    """By part: the island it has, or the only one that can reach it; 0 where there are several."""
    touch: NDArray[np.int32]
    """The island an open cell would belong to if it were white, because it touches one."""
    reach: NDArray[np.int32]
    """Islands that can grow to an open cell ..."""
    last: NDArray[np.int32]
    """... the last of those ..."""
    near: NDArray[np.int32]
    """... and the white cells it needs for that."""
    part_reach: NDArray[np.int32]
    """Islands that can grow to a part without a number ..."""
    part_last: NDArray[np.int32]
    """... and the last of those."""
    block: NDArray[np.int32]
    """By island: the farthest 2x2 block that only it can break, by its first cell."""
    block_far: NDArray[np.int32]
    """By island: white cells it needs to get to the block."""
    block_kept: NDArray[np.int32]
    """By island: the block to go back to when cells are opened again."""
    owner_kept: NDArray[np.int32]
    """By white cell: the owner of its part, where that stays known when cells are opened again."""
    growth: Growth
    """Where an island can grow to from its number; its marks are those of any region."""
    far: Growth
    """Where it can grow to from another of its parts."""
    seen: NDArray[np.int64]
    """Stamp of the last depth-first search that came to the cell."""
    tree: NDArray[np.int32]
    """Workspace of the depth-first search, shape (8, n_walled)."""


def walled_cells(shape: tuple[int, int]) -> NDArray[np.int32]:
    """Return the place of each cell of a puzzle on the walled board."""
    row, column = np.divmod(np.arange(shape[0] * shape[1], dtype=np.int32), shape[1])
    return np.asarray((row + 1) * (shape[1] + 2) + column + 1, np.int32)


def cells_at(places: NDArray[np.int32], width: int) -> NDArray[np.int32]:
    """Return the cells of the puzzle at places of the walled board."""
    row, column = np.divmod(places, width)
    return (row - 1) * (width - 2) + column - 1


def walled_colours(shape: tuple[int, int]) -> NDArray[np.int8]:
    """Return the colours of a board with a wall around it, all cells open."""
    # One more than the walls need: parts and distances are counted from 1.
    colour = np.full((shape[0] + 2) * (shape[1] + 2) + 1, WALL, np.int8)
    colour[walled_cells(shape)] = OPEN
    return colour


def new_state(puzzle: Nurikabe) -> NurikabeState:
    """Return the board with nothing but its numbers coloured."""
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
    """Colour different open cells, given by their places."""
    n_set = state.counts[N_SET]
    state.colour[cells] = colours
    state.part[cells] = 0
    state.trail[n_set : n_set + cells.size] = cells
    state.counts[N_SET] += cells.size
    for colour in (WHITE, BLACK):
        state.counts[colour] += np.count_nonzero(colours == colour)


@inlined_kernel
def colour_cell(state, cell, colour):
    """Colour an open cell; return True if `colour` is what the cell has then."""
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
    """Open all cells again but the first `n_set` that were coloured."""
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
    """Keep what is known of blocks and owners for as long as the cells coloured now are."""
    for island in range(1, state.n_islands + 1):
        state.block_kept[island] = state.block[island]
    for i in range(state.counts[N_SET]):
        cell = state.trail[i]
        if state.colour[cell] == WHITE:
            state.owner_kept[cell] = state.owner[state.part[cell]]


@lean_kernel
def forget_findings(state):
    """Forget it, before any of those cells is opened."""
    for island in range(1, state.n_islands + 1):
        state.block_kept[island] = 0
    for i in range(state.counts[N_SET]):
        state.owner_kept[state.trail[i]] = 0
