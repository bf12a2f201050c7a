"""The frontier search: the ways to fill the cells above a line, grouped by their effect below it.

It decides one cell after another, by rows. Ways with the same effect on the cells below share one
state, which keeps the first two of them. The work therefore does not grow with the number of ways,
but with the number of states on a line. So this search suits narrow boards with large islands, on
which the other searches find conflicts late.

Of 1,142 published puzzles, three need more than 10,000 conflicts. This search decides them in 17,
16 and 3 seconds. Without it, learning does not decide the first (10x10, islands of 37 and 36) in 90
seconds, and takes 67 and 4 seconds for the others.

Source: Knuth 2011, The Art of Computer Programming, volume 4A, section 7.1.4, exercise 225
(Simpath); Kawahara et al. 2017, "Frontier-based search for enumerating all constrained subgraphs".
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.frontier_states import (
    CLOSED,
    LARGEST,
    MOST_COLUMNS,
    MOST_ISLANDS,
    POOL,
    WORDS,
    Frontier,
    can_meet,
    has_cells,
    new_frontier,
    new_workspace,
    pack,
    place_of,
    unpack,
)

RIVER = -1
_NONE = -1
_MOST_STATES = 1 << 21
"""States of a layer beyond which the search gives up."""
_MOST_LINKS = 24_000_000
"""States of all layers beyond which the search gives up; each takes eight bytes."""
_GUESS = 64
"""States that count as a guess."""


class Board(NamedTuple):
    """A puzzle for the frontier search; cells are numbered in the order of decision."""

    n_cells: int
    n_columns: int
    is_counted: bool
    """True if the sizes of all islands are known, and therefore that of the river."""
    size: NDArray[np.int64]
    """Size of each island; 0 if it is not known."""
    number: NDArray[np.int64]
    """The cell with the number of each island."""
    later: NDArray[np.int64]
    """Total size of the islands whose numbers come after each cell."""
    first: NDArray[np.int64]
    """Index in `region` of the first region of each cell; one more entry ends the last cell's."""
    region: NDArray[np.int64]
    """List of the regions, islands and RIVER, to which each cell may belong."""


class Work(NamedTuple):
    """Workspace of a step."""

    before: Frontier
    after: Frontier
    words: NDArray[np.int64]
    scratch: NDArray[np.int64]


def frontier_search(
    puzzle: Nurikabe,
    may_be: NDArray[np.bool_],
    progress: NDArray[np.int64],
    solutions: NDArray[np.int8],
) -> "FrontierSearch | None":
    """Return a search for at most two solutions not found yet, or None if the board is too large.

    Parameters
    ----------
    puzzle : Nurikabe
    may_be : ndarray of bool, shape (n_cells, n_islands + 1)
        True if a cell may belong to an island, or to the river, the last column, in a solution that
        was not found yet.
    progress, solutions : ndarray
        Results so far, which are continued: see :class:`nando.solvers.kinds.Search`.
    """
    numbers = np.asarray(puzzle.numbers).ravel()
    n_islands = np.count_nonzero(numbers)
    fits = n_islands <= MOST_ISLANDS and numbers.max(initial=0) <= LARGEST
    if min(puzzle.shape) > MOST_COLUMNS or not fits:
        return None
    return FrontierSearch(puzzle, may_be, progress, solutions)


class FrontierSearch:
    """See :func:`frontier_search`. A guess is 64 states."""

    def __init__(
        self,
        puzzle: Nurikabe,
        may_be: NDArray[np.bool_],
        progress: NDArray[np.int64],
        solutions: NDArray[np.int8],
    ) -> None:
        self.progress = progress
        self.solutions = solutions
        self.gave_up = False
        self._way = _way(puzzle)
        self._board = _board(puzzle, may_be, self._way)
        self._work = Work(
            new_frontier(),
            new_frontier(),
            np.zeros(WORDS, np.int64),
            new_workspace(),
        )
        self._states = np.zeros((1, WORDS), np.int64)
        self._links = [np.array([[0, _NONE]], np.int32)]

    def advance(self, most_guesses: int) -> None:
        """Continue until `most_guesses` guesses in all, or the end, with up to two solutions."""
        while self.progress[GUESSES] < most_guesses and not self.gave_up:
            position = len(self._links) - 1
            if position == self._board.n_cells:
                self._keep_solutions()
                return
            self._follow(position)
            self.progress[GUESSES] += 1 + len(self._states) // _GUESS

    def _follow(self, position: int) -> None:
        """Decide the next cell."""
        capacity = 2 * len(self._states) + 64
        while True:
            capacity = min(capacity, _MOST_STATES)
            states = np.empty((capacity, WORDS), np.int64)
            links = np.empty((capacity, 2), np.int32)
            table = np.zeros(1 << (2 * capacity - 1).bit_length(), np.int32)
            n_states = follow_cell(
                self._board,
                position,
                self._work,
                self._states,
                self._links[-1],
                states,
                links,
                table,
            )
            if n_states >= 0:
                break
            if capacity == _MOST_STATES:
                self._give_up()
                return
            capacity *= 2
        self._states = states[:n_states]
        self._links.append(links[:n_states].copy())
        if sum(map(len, self._links)) > _MOST_LINKS:
            self._give_up()

    def _give_up(self) -> None:
        self.gave_up = True
        self._states = self._states[:0]
        self._links.clear()

    def _keep_solutions(self) -> None:
        """Add the solutions found to those known; with fewer than two, the search is complete."""
        known = self.solutions[: self.progress[FOUND]].tolist()
        for end, rank in np.argwhere(self._links[-1] != _NONE).tolist():
            values = self._values(end, rank).tolist()
            if values not in known and len(known) < 2:
                self.solutions[len(known)] = values
                known.append(values)
        self.progress[FOUND] = max(self.progress[FOUND], len(known))
        if self.progress[FOUND] < 2:
            self.progress[DEPTH] = -1

    def _values(self, end: int, rank: int) -> NDArray[np.int8]:
        """Return the colours on way `rank` to the state `end` of the last layer."""
        values = np.empty(self._board.n_cells, np.int8)
        for position in range(self._board.n_cells, 0, -1):
            link = int(self._links[position][end, rank])
            values[self._way[position - 1]] = WHITE if link & 1 else BLACK
            end, rank = link >> 2, link >> 1 & 1
        return values


def _way(puzzle: Nurikabe) -> NDArray[np.int64]:
    """Return the cells in the order of decision: along the shorter side, with early numbers."""
    cells = np.arange(puzzle.n_cells).reshape(puzzle.shape)
    is_number = np.asarray(puzzle.numbers).reshape(puzzle.shape) != 0
    if cells.shape[1] > cells.shape[0]:
        cells, is_number = cells.T, is_number.T
    rows = np.nonzero(is_number)[0]
    if rows.size and 2 * rows.mean() > len(cells) - 1:
        cells = cells[::-1]
    return cells.ravel()


def _board(puzzle: Nurikabe, may_be: NDArray[np.bool_], way: NDArray[np.int64]) -> Board:
    numbers = np.asarray(puzzle.numbers).ravel()
    numbered = np.flatnonzero(numbers)
    size = np.maximum(numbers[numbered], 0).astype(np.int64)
    place = np.empty(puzzle.n_cells, np.int64)
    place[way] = np.arange(puzzle.n_cells)
    number = place[numbered]
    may_be = may_be.copy()
    may_be[numbered] = np.eye(numbered.size, numbered.size + 1, dtype=bool)
    cell, region = np.nonzero(may_be[way])
    is_counted = bool((size > 0).all())
    return Board(
        n_cells=puzzle.n_cells,
        n_columns=min(puzzle.shape),
        is_counted=is_counted,
        size=size,
        number=number,
        later=np.array([size[number > i].sum() for i in range(puzzle.n_cells)], np.int64),
        first=np.searchsorted(cell, np.arange(puzzle.n_cells + 1)).astype(np.int64),
        region=np.where(region == numbered.size, RIVER, region).astype(np.int64),
    )


@lean_kernel
def follow_cell(board, position, work, states, links, next_states, next_links, table):
    """Decide a cell in all states; return the number of next states, or -1 without room for them.

    Each state has up to two links. A link is 4 times the index of the previous state, plus 2 for
    the second way to it, plus 1 for a white cell.
    """
    n_next = 0
    for state in range(len(states)):
        n_islands = unpack(states[state], board.n_columns, work.before)
        for option in range(board.first[position], board.first[position + 1]):
            region = board.region[option]
            if not _decide(board, position, work, n_islands, region):
                continue
            if n_next == len(next_states):
                return -1
            pack(work.after, board.n_columns, work.scratch, work.words)
            index = place_of(work.words, next_states, n_next, table)
            if index == n_next:
                n_next += 1
                next_links[index, 0] = _NONE
                next_links[index, 1] = _NONE
            for way in range(2):
                if links[state, way] != _NONE and next_links[index, 1] == _NONE:
                    link = 4 * state + 2 * way + (region != RIVER)
                    next_links[index, 0 if next_links[index, 0] == _NONE else 1] = link
    return n_next


@inlined_kernel
def _decide(board, position, work, n_islands, region):
    """Give a cell to a region; return False if that breaks a rule or cannot be completed.

    The state is read from ``work.before``, and the next state is written to ``work.after``.
    """
    before, after = work.before, work.after
    n_columns = board.n_columns
    column = position % n_columns
    place = _place_for(board, position, before, column, n_islands, region)
    if place < 0:
        return False
    n_islands = max(n_islands, place)
    # The groups that the cell joins.
    up = _group_of(before, column, place)
    left = _group_of(before, column - 1, place) if column > 0 else 0
    closed = before.flags[CLOSED]
    ended = 0
    if before.group[column] > 0 and up == 0 and not _goes_on(before, column, n_columns):
        if not _may_end(board, position, before, column):
            return False
        ended = before.region[column]
        if ended == 0:
            closed = 1
    _copy(before, after, n_columns, n_islands)
    if place > 0:
        after.n_cells[place] = before.n_cells[place] + 1 if board.size[region] > 0 else 1
    after.region[column] = place
    _join(after, column, up, left, n_columns)
    after.flags[CLOSED] = closed
    after.flags[POOL] = 0
    if column + 1 < n_columns and place == 0 and up > 0:
        right = column + 1
        after.flags[POOL] = before.group[right] > 0 and before.region[right] == 0
    if ended > 0:
        _take_off(after, ended, n_islands, n_columns)
        n_islands -= 1
    if position + 1 == board.n_cells:
        return _is_complete(board, after, n_islands, n_columns)
    return has_cells(board, after, n_islands, position, work.scratch) and can_meet(
        after, n_islands, n_columns, work.scratch
    )


@inlined_kernel
def _place_for(board, position, frontier, column, n_islands, region):
    """Return the place of a region in the list of islands, or `_NONE` if it cannot have the cell.

    The river has place 0. An island without a cell on the frontier is added to the list.
    """
    if region == RIVER:
        return _NONE if frontier.flags[CLOSED] > 0 or frontier.flags[POOL] > 0 else 0
    place = 1
    while place <= n_islands and frontier.island[place] != region:
        place += 1
    if _is_other_island(frontier, column, place):
        return _NONE
    if column > 0 and _is_other_island(frontier, column - 1, place):
        return _NONE
    if place > n_islands:
        # The island begins here, or was completed.
        if board.number[region] < position:
            return _NONE
        frontier.island[place] = region
        frontier.n_cells[place] = 0
    if board.size[region] > 0 and frontier.n_cells[place] == board.size[region]:
        return _NONE
    return place


@inlined_kernel
def _is_other_island(frontier, column, place):
    """Return True if the cell of a column belongs to an island other than the one at `place`."""
    region = frontier.region[column]
    return frontier.group[column] > 0 and region > 0 and region != place


@inlined_kernel
def _copy(before, after, n_columns, n_islands):
    """Copy the groups, regions and islands of a frontier."""
    for column in range(n_columns):
        after.group[column] = before.group[column]
        after.region[column] = before.region[column]
    for place in range(1, n_islands + 1):
        after.island[place] = before.island[place]
        after.n_cells[place] = before.n_cells[place]


@inlined_kernel
def _group_of(frontier, column, place):
    """Return the group of a column if it belongs to the region at `place`, else 0."""
    return frontier.group[column] if frontier.region[column] == place else 0


@inlined_kernel
def _join(frontier, column, up, left, n_columns):
    """Put the new cell of a column into the groups `up` and `left`, which are 0 for none."""
    if up > 0 and left > 0:
        for other in range(n_columns):
            if frontier.group[other] == left:
                frontier.group[other] = up
    elif left > 0:
        frontier.group[column] = left
    elif up == 0:
        # Groups are fewer than columns by now, so this name is free.
        frontier.group[column] = n_columns + 1


@inlined_kernel
def _goes_on(frontier, column, n_columns):
    """Return True if the group of a cell has another cell on the frontier."""
    for other in range(n_columns):
        if other != column and frontier.group[other] == frontier.group[column]:
            return True
    return False


@lean_kernel
def _may_end(board, position, frontier, column):
    """Return True if the region whose group ends here may be complete."""
    region = frontier.region[column]
    for other in range(board.n_columns):
        if (
            frontier.group[other] > 0
            and frontier.region[other] == region
            and frontier.group[other] != frontier.group[column]
        ):
            return False
    if region == 0:
        return True
    island = frontier.island[region]
    if board.number[island] >= position:
        return False
    return board.size[island] == 0 or frontier.n_cells[region] == board.size[island]


@inlined_kernel
def _take_off(frontier, region, n_islands, n_columns):
    """Replace an island that left the frontier by the last one of the list."""
    frontier.island[region] = frontier.island[n_islands]
    frontier.n_cells[region] = frontier.n_cells[n_islands]
    for column in range(n_columns):
        if frontier.region[column] == n_islands:
            frontier.region[column] = region


@lean_kernel
def _is_complete(board, frontier, n_islands, n_columns):
    """Return True if each region is complete when all cells are decided."""
    for region in range(n_islands + 1):
        group = 0
        for column in range(n_columns):
            if frontier.region[column] == region:
                if group > 0 and frontier.group[column] != group:
                    return False
                group = frontier.group[column]
        if region == 0:
            if group > 0 and frontier.flags[CLOSED] > 0:
                return False
            continue
        island = frontier.island[region]
        if board.size[island] > 0 and frontier.n_cells[region] != board.size[island]:
            return False
    return True
