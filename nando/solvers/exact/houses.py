"""Exact search for Sudoku of any order: singles, then the cell or place with fewest options.

At a failure, the weight of the cell without a candidate, or of the digit without a place, grows by
one. Options are counted relative to weights, so the search branches on the parts that are hard to
satisfy. After a number of failures, which grows by a fifth each time, the search restarts with the
same weights, and tries first the options that it took last. Restarts end when known solutions could
be counted twice: after one solution if more than two are counted, else after two.

Sources: Boussemart, Hemery, Lecoutre and Sais 2004 (weights); Gomes, Selman and Kautz 1998
(restarts); Pipatsrisawat and Darwiche 2007 (the options taken last).
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, lean_kernel, lowest_bit, n_bits
from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.solvers import singles
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES, BandSearch

ALIVE, FAILURES, CUTOFF = range(3, 6)
"""Further indices in `progress`: 1 if the top state is sound; the failures since the last restart;
and the number of failures after which the search restarts."""

BRANCH, WAYS = range(2)
"""Columns of the branches: a cell, or below 0 a digit in a house; and the mask of the options that
are not tried yet."""

_LATEST = 2
"""Row of the solutions that holds the last digit of each cell."""

FIRST_CUTOFF = 30

_PATIENCE = 2_000_000
"""Guesses after which a search on larger Sudokus gives up: twenty seconds at 25x25."""


class HouseSearch:
    """Search on the houses of a Sudoku of any order; see :class:`nando.solvers.kinds.Search`."""

    patience = _PATIENCE

    def __init__(self, puzzle: Sudoku) -> None:
        self.progress = np.zeros(6, np.int64)
        self.progress[ALIVE] = 1
        self.progress[CUTOFF] = FIRST_CUTOFF
        self._weights = even_weights(puzzle.layout)
        self._layout = puzzle.layout
        self.solutions = np.tile(puzzle.givens, (3, 1))
        if puzzle.status().valid:
            self._stack, self._branches = new_house_stack(puzzle)
        else:
            self.progress[DEPTH] = -1

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        if self.progress[DEPTH] >= 0:
            advance_houses(
                self._stack,
                self._branches,
                self._layout,
                self.progress,
                self._weights,
                limit,
                most_guesses,
                self.solutions,
            )


def sudoku_search(puzzle: Sudoku) -> BandSearch | HouseSearch:
    """Return a new search: on bands at order 3, on houses at any other order."""
    return BandSearch(puzzle) if puzzle.order == 3 else HouseSearch(puzzle)


def new_house_stack(puzzle: Sudoku) -> tuple[singles.SinglesState, np.ndarray]:
    """Return the states of all depths, the first that of the puzzle, and their branches."""
    first = singles.given_state(puzzle)
    depth = int(first.counts[singles.N_EMPTY]) + 2
    levels = [np.empty((depth, *array.shape), array.dtype) for array in first]
    for level, array in zip(levels, first, strict=True):
        level[0] = array
    return singles.SinglesState(*levels), np.zeros((depth, 2), np.int64)


def even_weights(layout: SudokuLayout) -> NDArray[np.int64]:
    """Return a weight of 1 for each cell, then for each digit in each house."""
    return np.ones(layout.n_cells + 3 * layout.size**2, np.int64)


@lean_kernel
def level(stack, depth):
    """Return the state at one depth; its arrays are views."""
    return singles.SinglesState(
        stack.candidates[depth],
        stack.cells[depth],
        stack.places[depth],
        stack.empties[depth],
        stack.ways[depth],
        stack.digit[depth],
        stack.open[depth],
        stack.slot[depth],
        stack.counts[depth],
    )


@lean_kernel
def advance_houses(stack, branches, layout, progress, weights, limit, most_guesses, solutions):
    """Continue until `limit` solutions, `most_guesses` guesses, or the end (depth -1).

    `branches` holds the branch of each depth. `weights` are those of the cells, then of the digits
    in houses. `solutions` receives the first two solutions, and the last digit of each cell.
    """
    depth = progress[DEPTH]
    size = layout.size
    alive = progress[ALIVE] == 1
    while depth >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        state = level(stack, depth)
        if alive:
            while alive and state.counts[singles.N_OPEN] > 0:
                cell = int(state.open[state.counts[singles.N_OPEN] - 1])
                digit = int(state.digit[cell])
                solutions[_LATEST, cell] = digit + 1
                alive = singles.place(state, layout, cell, digit)
            if not alive:
                _blame(state, weights, progress)
            if alive and state.counts[singles.N_EMPTY] == 0:
                _count_solution(progress, solutions)
                alive = False
            if alive:
                branch, ways = hardest(state, layout, weights)
                branches[depth, BRANCH] = branch
                branches[depth, WAYS] = ways
            elif progress[FAILURES] > progress[CUTOFF] and progress[FOUND] <= int(limit == 2):
                progress[FAILURES] = 0
                progress[CUTOFF] += progress[CUTOFF] // 5
                depth = 0
                alive = True
                continue
            else:
                depth -= 1
                continue
        # The next option of this depth's branch.
        ways = branches[depth, WAYS]
        if ways == 0:
            depth -= 1
            alive = False
            continue
        if n_bits(ways) > 1:
            progress[GUESSES] += 1
        branch = branches[depth, BRANCH]
        way = _way(branch, ways, layout, solutions[_LATEST])
        branches[depth, WAYS] = ways & ~(1 << way)
        if branch >= 0:
            cell, digit = branch, way
        else:
            house, digit = divmod(-1 - branch, size)
            cell = int(layout.houses[house, way])
        depth += 1
        above = level(stack, depth)
        singles.restore(above, state)
        solutions[_LATEST, cell] = digit + 1
        alive = singles.place(above, layout, cell, digit)
        if not alive:
            _blame(above, weights, progress)
            depth -= 1
    progress[DEPTH] = depth
    progress[ALIVE] = 1 if alive else 0


@lean_kernel
def _way(branch, ways, layout, latest):
    """Return the option that was taken last if it is still open, else the first."""
    if branch >= 0:
        way = int(latest[branch]) - 1
        if way >= 0 and ways >> way & 1:
            return way
        return lowest_bit(ways)
    house, digit = divmod(-1 - branch, layout.size)
    left = ways
    while left:
        way = lowest_bit(left)
        left &= left - 1
        if latest[layout.houses[house, way]] == digit + 1:
            return way
    return lowest_bit(ways)


@lean_kernel
def _count_solution(progress, solutions):
    """Count the latest solution unless it is the known one."""
    if progress[FOUND] == 1:
        same = True
        for cell in range(solutions.shape[1]):
            same &= solutions[0, cell] == solutions[_LATEST, cell]
        if same:
            return
    if progress[FOUND] < 2:
        copy_values(solutions[progress[FOUND]], solutions[_LATEST])
    progress[FOUND] += 1


@lean_kernel
def _blame(state, weights, progress):
    """Add 1 to the weight of the cell without candidates, or of the digit without a place."""
    progress[FAILURES] += 1
    n_cells = state.candidates.shape[0]
    for cell in range(n_cells):
        if state.digit[cell] < 0:
            weights[cell] += 1
            return
    for entry in range(state.places.shape[0]):
        if state.places[entry] == 0:
            weights[n_cells + entry] += 1
            return


@lean_kernel
def hardest(state, layout, weights):
    """Return the branch with the fewest options in proportion to its weight, and its options.

    A branch is a cell, or ``-1 - entry`` for a digit in a house.
    """
    size = layout.size
    n_cells = layout.n_cells
    fewest = size + 1
    weight = 1
    branch = 0
    ways = 0
    for cell in range(n_cells):
        mask = int(state.candidates[cell])
        count = n_bits(mask)
        if count > 0 and count * weight < fewest * weights[cell]:
            fewest = count
            weight = weights[cell]
            branch = cell
            ways = mask
    for entry in range(state.places.shape[0]):
        count = int(state.places[entry]) >> singles.COUNT_BIT
        if 0 < count <= size and count * weight < fewest * weights[n_cells + entry]:
            fewest = count
            weight = weights[n_cells + entry]
            branch = -1 - entry
    return branch, _ways(state, layout, branch, ways)


@lean_kernel
def _ways(state, layout, branch, ways):
    """Return the options of a branch as bits: candidates of a cell, or cells of a digit."""
    if branch >= 0:
        return ways
    house, digit = divmod(-1 - branch, layout.size)
    ways = 0
    for i in range(layout.size):
        ways |= (int(state.candidates[layout.houses[house, i]]) >> digit & 1) << i
    return ways
