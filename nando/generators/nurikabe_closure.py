"""Colour what follows immediately from a board's numbers, for thousands of boards a second.

The rules are nearly those of the exact search (`nando.solvers.nurikabe.rules`), applied only where
something changed. They need not find contradictions, since a board is a solution of its numbers.
The moves minimise the number of cells that the rules leave open, a distance from having one
solution. The exact search decides whether a puzzle has one.

A quick lower bound of this number, the forecast, rejects most moves. It assumes that colours which
followed before the move still follow, except near the changed cells. The rules only add colours, so
without this assumption they leave at least as many cells open.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.nurikabe.rules import colour_cuts, join_river
from nando.solvers.nurikabe.state import (
    HEAD,
    N_SET,
    OPEN,
    RING,
    STAMP,
    NurikabeState,
    colour_cell,
    empty_buckets,
    fits,
    island_if_white,
    parts_of,
    put_part,
    spread,
)

_SMALL = 12
"""Largest group of river cells whose exits are counted each time it grows."""


_REACH = 24
"""Entries for cells that islands can grow to, per cell of the board."""

# Indices in `counts`.
USED = 0
N_DROPPED = 1


class Reach(NamedTuple):
    """The cells that each island could grow to when it was last examined."""

    counts: NDArray[np.int64]
    changed: NDArray[np.int64]
    """Stamp of the last change to each cell, or to a white cell next to it."""
    looked: NDArray[np.int64]
    """Stamp of the last examination of each island; 0 before the first, -1 if there is no room."""
    first: NDArray[np.int32]
    """Index at which the cells of each island begin."""
    size: NDArray[np.int32]
    """Number of these cells."""
    cells: NDArray[np.int32]
    """The cells that islands can grow to."""
    dropped: NDArray[np.int32]
    """Cells that no island on the lists can grow to any more."""


def new_reach(n_walled: int) -> Reach:
    """Return an empty reach of the islands on a walled board."""
    changed, looked = np.zeros((2, n_walled), np.int64)
    first, size = np.zeros((2, n_walled), np.int32)
    cells, dropped = np.zeros((2, _REACH * n_walled), np.int32)
    return Reach(np.zeros(2, np.int64), changed, looked, first, size, cells, dropped)


@lean_kernel
def close(state, reach, enough):
    """Colour what follows from the numbers of a board, until `enough` cells are coloured.

    Groups of cells of one colour are named after one of their cells: `part` of a cell is its
    group, `size` and `owner` are by group, and `members` leads from each cell to the next one of
    its group, in a ring.
    """
    counts = state.counts
    reach.counts[USED] = 0
    for island in range(1, state.n_islands + 1):
        reach.looked[island] = 0
        reach.size[island] = 0
    for cell in range(state.colour.size):
        state.reach[cell] = 0
        state.touch[cell] = 0
    is_first = True
    while True:
        # Cells coloured from here on are later than the last examination of the islands.
        counts[STAMP] += 1
        while counts[HEAD] < counts[N_SET]:
            cell = state.trail[counts[HEAD]]
            counts[HEAD] += 1
            join_group(state, cell)
            if state.colour[cell] == WHITE:
                _follow_white(state, reach, cell)
            else:
                reach.changed[cell] = counts[STAMP]
                _follow_black(state, cell)
        if counts[N_SET] >= enough:
            return
        _reach_cells(state, reach, is_first)
        is_first = False
        if counts[HEAD] < counts[N_SET]:
            continue
        if counts[BLACK] > 0:
            join_river(state)
        if counts[HEAD] == counts[N_SET]:
            return


@lean_kernel
def join_group(state, cell):
    """Make a coloured cell a group and join it with adjacent groups of its colour."""
    part = state.part
    members = state.members
    part[cell] = cell
    members[cell] = cell
    state.first[cell] = RING
    state.size[cell] = 1
    state.owner[cell] = state.island_at[cell]
    for step in (-state.width, -1, 1, state.width):
        kept, joined = part[cell], part[cell + step]
        if state.colour[cell + step] != state.colour[cell] or joined == 0 or joined == kept:
            continue
        if state.size[kept] < state.size[joined]:
            kept, joined = joined, kept
        state.size[kept] += state.size[joined]
        state.owner[kept] = max(state.owner[kept], state.owner[joined])
        member = joined
        while True:
            part[member] = kept
            member = members[member]
            if member == joined:
                break
        members[kept], members[joined] = members[joined], members[kept]


@lean_kernel
def _follow_white(state, reach, cell):
    """Close a full island; otherwise extend it by its only exit and separate it from others."""
    first = state.part[cell]
    colour = state.colour
    island = state.owner[first]
    number = state.wanted[island]
    stamp = state.counts[STAMP]
    is_full = number > 0 and state.size[first] == number
    member = first
    while True:
        reach.changed[member] = stamp
        for step in (-state.width, -1, 1, state.width):
            other = member + step
            if colour[other] == OPEN:
                reach.changed[other] = stamp
                if is_full or island_if_white(state, other) < 0:
                    colour_cell(state, other, BLACK)
                elif island > 0:
                    state.touch[other] = island
        member = state.members[member]
        if member == first:
            break
    if not is_full:
        _take_exit(state, first, WHITE)


@lean_kernel
def _follow_black(state, cell):
    """Prevent pools, and extend groups next to the cell by their only exits."""
    colour = state.colour
    for down in (-state.width, state.width):
        for right in (-1, 1):
            n_black = 0
            opening = 0
            for other in (cell + down, cell + right, cell + down + right):
                if colour[other] == BLACK:
                    n_black += 1
                elif colour[other] == OPEN:
                    opening = other
            if n_black == 2 and opening > 0:
                colour_cell(state, opening, WHITE)
    for step in (-state.width, -1, 1, state.width):
        group = state.part[cell + step]
        if colour[cell + step] == WHITE and group > 0:
            number = state.wanted[state.owner[group]]
            if number == 0 or state.size[group] < number:
                _take_exit(state, group, WHITE)
    group = state.part[cell]
    if state.size[group] <= _SMALL and state.size[group] < state.n_cells - state.n_white:
        _take_exit(state, group, BLACK)


@lean_kernel
def _take_exit(state, group, colour):
    """Colour the only open cell next to a group that has to grow."""
    exit = 0
    member = group
    while True:
        for step in (-state.width, -1, 1, state.width):
            held = state.colour[member + step]
            if held == colour and state.part[member + step] == 0:
                # The group has just grown, and is examined again when the cell joins it.
                return
            if held == OPEN and member + step != exit:
                if exit > 0:
                    return
                exit = member + step
        member = state.members[member]
        if member == group:
            break
    if exit > 0:
        colour_cell(state, exit, colour)


@lean_kernel
def _reach_cells(state, reach, is_first):
    """Colour unreachable cells black, and cells that an island needs white.

    An island is examined again only if something changed where it could grow to. Its reach only
    shrinks, so each list overwrites the previous one.
    """
    reach.counts[N_DROPPED] = 0
    for island in range(1, state.n_islands + 1):
        group = state.part[state.start[island]]
        if state.size[group] == state.wanted[island]:
            _drop(state, reach, island)
        elif reach.looked[island] >= 0 and _has_changed(state, reach, island):
            _drop(state, reach, island)
            _grow(state, reach, island, group)
    if is_first:
        for cell in range(state.width, state.colour.size - state.width):
            if state.colour[cell] == OPEN and state.reach[cell] == 0:
                colour_cell(state, cell, BLACK)
    for i in range(reach.counts[N_DROPPED]):
        cell = reach.dropped[i]
        if state.colour[cell] == OPEN and state.reach[cell] == 0:
            colour_cell(state, cell, BLACK)


@lean_kernel
def _has_changed(state, reach, island):
    """Return True if an island, or a cell that it could grow to, changed since its examination."""
    looked = reach.looked[island]
    if reach.changed[state.start[island]] > looked:
        return True
    first = reach.first[island]
    for i in range(first, first + reach.size[island]):
        if reach.changed[reach.cells[i]] > looked:
            return True
    return False


@lean_kernel
def _drop(state, reach, island):
    """Discard the list of cells that an island could grow to."""
    first = reach.first[island]
    n_dropped = reach.counts[N_DROPPED]
    for i in range(first, first + reach.size[island]):
        cell = reach.cells[i]
        state.reach[cell] -= 1
        if state.reach[cell] == 0:
            reach.dropped[n_dropped] = cell
            n_dropped += 1
    reach.counts[N_DROPPED] = n_dropped
    reach.size[island] = 0


@lean_kernel
def _grow(state, reach, island, group):
    """List the cells that an island can grow to, and colour those that it needs."""
    number = state.wanted[island]
    left = number - state.size[group]
    state.counts[STAMP] += 1
    stamp = state.counts[STAMP]
    growth, parts = state.growth, parts_of(state)
    empty_buckets(growth, left)
    put_part(parts, growth, stamp, group, 0)
    n_queue, n_loose = spread(state.colour, state.width, parts, growth, stamp, island, left, 0)
    n_fit = _keep_fitting(state, stamp, left, n_queue)
    n_reached = n_fit
    for i in range(n_loose):
        n_reached += state.size[growth.loose[i]]
    _list_reached(state, reach, island, n_queue - n_fit, n_fit, n_loose, n_reached)
    # Larger regions seldom have a cell that the island needs, and take long.
    if state.size[group] + n_reached <= 2 * number:
        colour_cuts(state, stamp, state.start[island], WHITE, island, number)


@lean_kernel
def _keep_fitting(state, stamp, left, n_queue):
    """Keep the cells of the queue that can be white, and unmark the others; return their number."""
    growth, parts = state.growth, parts_of(state)
    n_fit = 0
    for i in range(n_queue):
        cell = growth.queue[i]
        if fits(state.colour, state.width, parts, growth, stamp, cell, left):
            growth.queue[n_fit] = cell
            n_fit += 1
        else:
            growth.mark[cell] = 0
    return n_fit


@lean_kernel
def _list_reached(state, reach, island, n_unfit, n_fit, n_loose, n_reached):
    """Count and list the cells that an island reaches, overwriting its previous list if any."""
    growth = state.growth
    is_new = reach.looked[island] == 0
    first = reach.counts[USED] if is_new else reach.first[island]
    for i in range(n_fit):
        state.reach[growth.queue[i]] += 1
    if first + n_unfit + n_reached > reach.cells.size:
        # There is no room for a list: the present reach is never updated.
        reach.looked[island] = -1
        return
    for i in range(n_fit):
        reach.cells[first + i] = growth.queue[i]
    end = first + n_fit
    for i in range(n_loose):
        cell = growth.loose[i]
        for _ in range(state.size[growth.loose[i]]):
            state.reach[cell] += 1
            reach.cells[end] = cell
            end += 1
            cell = state.members[cell]
    reach.first[island] = first
    reach.size[island] = n_reached
    reach.looked[island] = state.counts[STAMP]
    if is_new:
        reach.counts[USED] = end


# Indices in the `counts` of a board.
N_WHITE = 0
N_ISLANDS = 1
LARGEST = 2
"""Cells of the largest island."""
N_COUNTS = 3

NEAR = 3
"""Distance in rows and columns from a changed cell within which colours are recomputed."""
FORECAST_ABOVE = 150
"""Cells of the largest boards that are closed as quickly without a forecast."""


@kernel
def left_open(board, colour):
    """Return the cells of a board that are open in `colour`."""
    n_left = 0
    for cell in board.cells:
        if colour[cell] == OPEN:
            board.queue[n_left] = cell
            n_left += 1
    return board.queue[:n_left].copy()


@lean_kernel
def n_open(board, state, most):
    """Return the number of cells that the rules alone leave open, or some number above `most`.

    Most moves leave too many cells open, which a forecast shows. The state is complete only if the
    result is at most `most`.
    """
    n_cells = board.cells.size
    n_left = n_cells
    for is_forecast in (True, False):
        if is_forecast and (most >= n_cells or n_cells <= FORECAST_ABOVE):
            continue
        fresh = state_of(board, state)
        if is_forecast:
            recall(board, fresh)
        close(fresh, board.reach, n_cells - most if is_forecast else n_cells)
        n_left = n_cells - fresh.counts[N_SET]
        if n_left > most:
            break
    return n_left


@lean_kernel
def state_of(board, state):
    """Return the exact search's state for the board's numbers, in the arrays of another."""
    n_cells = board.cells.size
    counts = state.counts
    for cell in board.cells:
        state.colour[cell] = OPEN
        state.island_at[cell] = 0
        state.owner_kept[cell] = 0
    for i in range(4):
        counts[i] = 0
    for island in range(board.counts[N_ISLANDS] + 1):
        state.block[island] = 0
        state.block_kept[island] = 0
    fresh = NurikabeState(
        state.width,
        n_cells,
        board.counts[N_WHITE],
        board.counts[LARGEST],
        board.counts[N_ISLANDS],
        counts,
        state.colour,
        state.trail,
        state.island_at,
        state.start,
        state.wanted,
        state.part,
        state.size,
        state.first,
        state.members,
        state.owner,
        state.touch,
        state.reach,
        state.last,
        state.near,
        state.part_reach,
        state.part_last,
        state.block,
        state.block_far,
        state.block_kept,
        state.owner_kept,
        state.growth,
        state.far,
        state.seen,
        state.tree,
    )
    island = 0
    for cell in board.cells:
        if board.number[cell] > 0:
            island += 1
            fresh.island_at[cell] = island
            fresh.start[island] = cell
            fresh.wanted[island] = board.number[cell]
            colour_cell(fresh, cell, WHITE)
    return fresh


@lean_kernel
def recall(board, state):
    """Colour the cells that followed on the saved board, except near those that differ from it.

    The closure begins next to open cells, since nothing more can follow elsewhere.
    """
    _mark_near(board)
    counts = state.counts
    trail = state.trail
    for cell in board.cells:
        if not board.near[cell] and board.known[cell] == board.colour[cell]:
            colour_cell(state, cell, board.known[cell])
    n_quiet = 0
    for i in range(counts[N_SET]):
        cell = trail[i]
        if _is_quiet(state, cell):
            trail[i] = trail[n_quiet]
            trail[n_quiet] = cell
            n_quiet += 1
    for i in range(n_quiet):
        join_group(state, trail[i])
    counts[HEAD] = n_quiet


@lean_kernel
def _mark_near(board):
    """Mark the cells near those that differ from the saved board."""
    width = board.width
    n_rows = board.colour.size // width
    for cell in board.cells:
        board.near[cell] = False
    for cell in board.cells:
        if (
            board.colour[cell] == board.kept_colour[cell]
            and board.number[cell] == board.kept_number[cell]
        ):
            continue
        row = cell // width
        column = cell - row * width
        for r in range(max(row - NEAR, 1), min(row + NEAR, n_rows - 2) + 1):
            for c in range(max(column - NEAR, 1), min(column + NEAR, width - 2) + 1):
                board.near[r * width + c] = True


@lean_kernel
def _is_quiet(state, cell):
    """Return True if none of the eight neighbours of a cell is open."""
    for down in (-state.width, 0, state.width):
        for other in range(cell + down - 1, cell + down + 2):
            if state.colour[other] == OPEN:
                return False
    return True
