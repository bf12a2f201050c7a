"""Remove givens while the solution stays unique, and fill patterns with values.

If one solution is known, a given can be removed if and only if no other solution has another digit
in its cell. A puzzle that is unique without several givens is unique without each of them, so the
first few dozen are removed at once. Two methods find another solution, the cheap one first:

- *Exchanges.* In two rows of a band, the cells of some columns may hold the same set of digits in
  both rows. Exchanging the rows in these columns gives another grid. One cell of each such set must
  be given, so the last given of a set is needed. The same holds for two columns of a stack.
- *Search.* It guesses only in cells that cannot have their known digit. Once all open cells can,
  their known digits complete another solution: they do not conflict with each other, nor with the
  filled cells. Therefore most of the grid is never searched.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.generators.grids import draw_uniform, new_workspace
from nando.kernels.compile import copy_values, kernel, lean_kernel, lowest_bit
from nando.kernels.streams import shuffle
from nando.puzzles import Sudoku, Values
from nando.solvers.exact import bands
from nando.solvers.exact.search import search, unique_solution
from nando.solvers.exact.words import N_WORDS, narrow, open_givens

Groups = NDArray[np.int16]
"""Cells that are given or blank together, shape (n_groups, 4), padded with -1."""

_TOGETHER = (30, 10, 5, 3)
"""Numbers of cells whose removal at once from a 9x9 grid is tried in turn, before single groups.
Four in five grids are unique without 30 cells."""

_MOST_GUESSES = 2_000
"""Most guesses of a 16x16 or 25x25 search; if they do not suffice, the given stays."""


def carve(
    givens: Values, groups: Groups, fewest: int = 0, solution: Values | None = None
) -> Values:
    """Remove groups of givens, in the order of `groups`, while the solution stays unique.

    Parameters
    ----------
    givens : ndarray of int8, shape (n_cells,)
        A puzzle with exactly one solution, or a full grid.
    groups : ndarray of int16, shape (n_groups, 4)
        Groups whose cells are blank already are skipped.
    fewest : int
        Least number of givens to keep.
    solution : ndarray of int8, shape (n_cells,), or None
        The only solution; if it is None, it is found when needed.

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        Every remaining group is needed, or would leave too few givens. For orders 4 and 5, where a
        search may be given up, some may not be needed.
    """
    carved = givens.copy()
    groups = groups[givens[groups[:, 0]] > 0]
    if len(givens) == 81:
        with carving_workspace() as workspace:
            carve_bands(carved, _solution(givens, solution), groups, fewest, workspace)
    else:
        _carve_houses(carved, groups, fewest)
    return carved


def draw_carved(streams: NDArray[np.int64], groups: Groups) -> tuple[Values, Values]:
    """Return a grid from each stream, and the givens left when no group can be removed.

    Parameters
    ----------
    streams : ndarray of int64, shape (n, 4)
        Streams of :mod:`nando.kernels.streams`; advanced in place.
    groups : ndarray of int16, shape (n_groups, 4)
        Cells that are given or blank together, padded with -1.

    Returns
    -------
    grids, givens : ndarray of int8, shape (n, 81)
    """
    grids, givens = np.zeros((2, len(streams), 81), np.int8)
    order = np.arange(len(groups))
    ordered, work = groups.copy(), new_workspace()
    with carving_workspace() as workspace:
        _draw_carved(streams, groups, grids, givens, order, ordered, work, workspace)
    return grids, givens


def can_go(givens: Values, groups: Groups, solution: Values | None = None) -> NDArray[np.bool_]:
    """Return True for each group of givens that alone can be removed from a 9x9 puzzle.

    The result has the shape ``(n_groups,)``.
    """
    removable = np.zeros(len(groups), np.bool_)
    with carving_workspace() as workspace:
        _can_go_alone(givens.copy(), _solution(givens, solution), groups, workspace, removable)
    return removable


def _solution(givens: Values, solution: Values | None) -> Values:
    """Return a writable copy of the solution: numba compiles again for a read-only array."""
    if solution is None:
        solution = givens if givens.all() else unique_solution(Sudoku.from_values(givens))
    return solution.copy()


def _carve_houses(givens: Values, groups: Groups, fewest: int) -> None:
    """Carve by the search on houses, in batches that adapt to how many groups can be removed."""
    cells_of = [group[group >= 0] for group in groups]
    left = int((givens > 0).sum())
    first, step = 0, max(1, len(groups) // 3)
    while first < len(groups):
        step = min(step, len(groups) - first)
        cells = np.concatenate(cells_of[first : first + step])
        if left - len(cells) >= fewest and _is_unique_without(givens, cells):
            givens[cells] = 0
            left -= len(cells)
            first += step
        elif step > 1:
            step //= 2
        else:
            first += 1


def _is_unique_without(givens: Values, cells: NDArray[np.int16]) -> bool:
    fewer = givens.copy()
    fewer[cells] = 0
    result = search(Sudoku.from_values(fewer))
    result.advance(2, _MOST_GUESSES)
    return bool(result.progress[bands.FOUND] == 1 and result.progress[0] < 0)


def with_pattern(
    grid: Values, cells: ArrayLike, rng: np.random.Generator, most_moves: int
) -> tuple[Values, int]:
    """Return givens at exactly `cells` of a 9x9 grid, and the number of their solutions.

    The number is 1 if the search succeeds, and at most `MOST_COUNTED`. The search walks over full
    grids, and the givens are the values at `cells`. A move changes one of the givens and takes a
    solution of the others as the new grid. It is accepted unless the number of solutions rises.
    """
    grid = grid.copy()
    pattern = np.array(cells, np.int64)
    solutions = np.zeros((1, 81), np.int8)
    progress = np.zeros(3, np.int64)
    count = _settle(grid, pattern, rng, most_moves, bands.new_stack(), progress, solutions)
    return np.where(np.isin(np.arange(81), pattern), grid, 0).astype(np.int8), int(count)


@lean_kernel
def _has_another(stack, progress, solutions, givens, cell, digit):
    """Return True if some solution has another digit in that cell; it is then ``solutions[0]``."""
    bands.start_bands(stack, progress, givens)
    bands.forbid(stack[0], cell, digit - 1)
    bands.advance_bands(stack, progress, 1, 1 << 62, solutions)
    return progress[bands.FOUND] > 0


@lean_kernel
def _count(stack, progress, solutions, givens, limit):
    bands.start_bands(stack, progress, givens)
    bands.advance_bands(stack, progress, limit, 1 << 62, solutions)
    return progress[bands.FOUND]


class Carving(NamedTuple):
    """Workspace for carving 9x9 grids."""

    states: NDArray[np.int32]
    stack: NDArray[np.int32]
    progress: NDArray[np.int64]
    solutions: NDArray[np.int8]
    """Empty, since solutions are not stored."""
    sets_of: NDArray[np.int64]
    n_given: NDArray[np.int64]


_workspaces: list[Carving] = []


@contextmanager
def carving_workspace() -> Iterator[Carving]:
    """Lend a workspace that no other thread is using.

    Allocating a workspace takes longer than carving.
    """
    try:
        workspace = _workspaces.pop()
    except IndexError:
        workspace = new_carving()
    try:
        yield workspace
    finally:
        _workspaces.append(workspace)


def new_carving() -> Carving:
    """Return a new workspace."""
    return Carving(
        new_alternatives(),
        bands.new_stack(),
        np.zeros(3, np.int64),
        np.zeros((0, 81), np.int8),
        np.zeros((81, 4), np.int64),
        np.zeros(N_SETS + 9, np.int64),
    )


@lean_kernel
def carve_bands(givens, solution, groups, fewest, work):
    """Remove groups in place."""
    left = 0
    for cell in range(81):
        left += 1 if givens[cell] > 0 else 0
    first = 0
    for together in _TOGETHER:
        stop, size = _next_groups(groups, first, together, left - fewest)
        for i in range(first, stop):
            _set(givens, groups[i], 0, solution)
        if stop == first or _count(work.stack, work.progress, work.solutions, givens, 2) == 1:
            first = stop
            left -= size
        else:
            for i in range(first, stop):
                _set(givens, groups[i], 1, solution)
    # Then remove groups one by one.
    know(work.states, solution)
    find_exchanges(solution, givens, work.sets_of, work.n_given)
    for i in range(first, groups.shape[0]):
        size = _size(groups[i])
        if left - size >= fewest and _can_go(givens, solution, groups[i], work):
            left -= size


@lean_kernel
def _draw_carved(streams, groups, grids, givens, order, ordered, work, workspace):
    for i in range(streams.shape[0]):
        draw_uniform(grids[i], work, streams[i])
        for cell in range(81):
            givens[i, cell] = grids[i, cell]
        for j in range(groups.shape[0]):
            order[j] = j
        shuffle(streams[i], order)
        for j in range(groups.shape[0]):
            for k in range(4):
                ordered[j, k] = groups[order[j], k]
        carve_bands(givens[i], grids[i], ordered, 0, workspace)


@lean_kernel
def _can_go_alone(givens, solution, groups, work, removable):
    know(work.states, solution)
    find_exchanges(solution, givens, work.sets_of, work.n_given)
    for i in range(groups.shape[0]):
        removable[i] = _can_go(givens, solution, groups[i], work)
        if removable[i]:
            _return(givens, solution, groups[i], work)


@lean_kernel
def _next_groups(groups, first, together, most):
    """Return the end of the groups from `first` on that fit into a batch, and their size."""
    stop, size = first, 0
    while stop < groups.shape[0]:
        more = _size(groups[stop])
        if size + more > min(together, most):
            break
        size += more
        stop += 1
    return stop, size


@lean_kernel
def _can_go(givens, solution, group, work):
    """Remove a group unless it is needed; return True if it was removed."""
    for j in range(4):
        cell = group[j]
        if cell < 0:
            break
        givens[cell] = 0
        needed = False
        for k in range(4):
            # The last given of a set that could be exchanged.
            work.n_given[work.sets_of[cell, k]] -= 1
            needed |= work.n_given[work.sets_of[cell, k]] == 0
        if needed or has_another(work.states, givens, cell, solution[cell] - 1):
            _return(givens, solution, group[: j + 1], work)
            return False
    return True


@lean_kernel
def _return(givens, solution, group, work):
    """Restore the givens of a group."""
    for cell in group:
        if cell < 0:
            break
        givens[cell] = solution[cell]
        for k in range(4):
            work.n_given[work.sets_of[cell, k]] += 1


@lean_kernel
def _size(group):
    size = 0
    for j in range(4):
        if group[j] >= 0:
            size += 1
    return size


@lean_kernel
def _set(givens, group, is_given, solution):
    """Remove a group (`is_given` 0), or restore it (1)."""
    for j in range(4):
        if group[j] >= 0:
            givens[group[j]] = is_given * solution[group[j]]


MOST_COUNTED = 1_000
"""Solutions of a pattern are counted up to this number."""


@kernel
def _settle(grid, pattern, rng, most_moves, stack, progress, solutions):
    """Move `grid` until its cells of the pattern have one solution; return their solutions."""
    givens = np.zeros(81, np.int8)
    moved = np.zeros(81, np.int8)
    for i in range(pattern.shape[0]):
        givens[pattern[i]] = grid[pattern[i]]
    count = _count(stack, progress, solutions, givens, MOST_COUNTED)
    for _ in range(most_moves):
        if count == 1:
            break
        cell = pattern[int(rng.random() * pattern.shape[0])]
        digit = int(givens[cell])
        givens[cell] = 0
        if not _has_another(stack, progress, solutions, givens, cell, digit):
            givens[cell] = digit
            continue
        copy_values(moved, solutions[0])
        givens[cell] = moved[cell]
        # Counting to one more than before is enough to reject the move.
        now = _count(stack, progress, solutions, givens, min(count + 1, MOST_COUNTED))
        if now <= count:
            count = now
            copy_values(grid, moved)
        else:
            givens[cell] = digit
    return count


_DEPTH = 8 * 81 + 1
"""Most waiting states: at most eight for each cell."""

_PAIRS = np.array([(0, 1), (0, 2), (1, 2)])
N_SETS = 2 * 9 * 4
"""Most sets of cells to exchange: each has at least two columns of one of nine pairs of rows."""


def new_alternatives() -> NDArray[np.int32]:
    """Return the workspace for the states of a search; the last one is the known solution."""
    return bands.new_states(_DEPTH + 1)


@lean_kernel
def know(states, solution):
    """Set the known solution."""
    open_givens(states[_DEPTH], solution)


@lean_kernel
def has_another(states, givens, cell, digit):
    """Return True if a solution of `givens` differs from the known digit in an open cell."""
    if not open_givens(states[0], givens):
        return False
    bands.forbid(states[0], cell, digit)
    depth = 0
    while depth >= 0:
        state = states[depth]
        if not narrow(state):
            depth -= 1
            continue
        guessed = _cell_to_guess(state, states[_DEPTH])
        if guessed < 0:
            return True
        band, place = guessed // 27, guessed % 27
        last = 8
        while not state[4 * last + band] >> place & 1:
            last -= 1
        for other in range(last):
            if state[4 * other + band] >> place & 1:
                depth += 1
                for i in range(N_WORDS):
                    states[depth, i] = state[i]
                bands.fill_cell(states[depth], guessed, other)
        bands.fill_cell(state, guessed, last)
    return False


@lean_kernel
def _cell_to_guess(state, known):
    """Return an open cell with few candidates that cannot have its known digit, or -1."""
    fewest = 10
    best = -1
    for band in range(3):
        once = 0
        twice = 0
        lost = 0
        for digit in range(9):
            word = int(state[4 * digit + band])
            twice |= once & word
            once |= word
            lost |= int(known[4 * digit + band]) & ~word
        lost &= twice
        while lost:
            place = lowest_bit(lost)
            lost &= lost - 1
            count = 0
            for digit in range(9):
                count += int(state[4 * digit + band]) >> place & 1
            if count < fewest:
                fewest = count
                best = 27 * band + place
                if count == 2:
                    return best
    return best


@lean_kernel
def find_exchanges(solution, givens, sets_of, n_given):
    """Find the sets of cells to exchange, and the number of givens of each.

    Parameters
    ----------
    solution, givens : ndarray of int8, shape (81,)
    sets_of : ndarray of int64, shape (81, 4)
        Receives the four sets of each cell: two for pairs of rows, two for pairs of columns.
    n_given : ndarray of int64, shape (N_SETS + 9,)
        Receives the number of givens of each set; the rest is workspace.
    """
    place_of = n_given[N_SETS:]
    n_sets = 0
    for kind in range(2):
        along, across = (1, 9) if kind == 0 else (9, 1)
        for pair in range(9):
            first = pair // 3 * 3 + _PAIRS[pair % 3, 0]
            second = pair // 3 * 3 + _PAIRS[pair % 3, 1]
            for i in range(9):
                place_of[solution[second * across + i * along] - 1] = i
            done = 0
            for start in range(9):
                if done >> start & 1:
                    continue
                n_given[n_sets] = 0
                i = start
                while not done >> i & 1:
                    done |= 1 << i
                    for line, partner in ((first, second), (second, first)):
                        cell = line * across + i * along
                        sets_of[cell, 2 * kind + (partner - line) % 3 - 1] = n_sets
                        if givens[cell] > 0:
                            n_given[n_sets] += 1
                    i = place_of[solution[first * across + i * along] - 1]
                n_sets += 1
