"""Removes givens while the solution stays unique, and fills patterns with values.

The exact search decides uniqueness. With one solution known, a given can go if and only if the
search finds no solution with another digit in its cell. A puzzle that is unique without several
givens is unique without each of them, so the first few dozen are removed at once.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.kernels.compile import kernel
from nando.puzzles import Sudoku, Values
from nando.solvers.exact.bands import FOUND, advance_bands, forbid, new_stack, start_bands
from nando.solvers.exact.search import search

Groups = NDArray[np.int16]
"""Cells that are given or blank together, shape (n_groups, 4), -1 where a group has fewer."""

_TOGETHER = (30, 10, 5, 3)
"""Cells removed from a 9x9 grid at once at first; four in five grids are unique without 30."""

_MOST_GUESSES = 2_000
"""Guesses of a 16x16 or 25x25 search after which a given stays, whether or not it is needed."""


def carve(givens: Values, groups: Groups, fewest: int = 0) -> Values:
    """Remove groups of givens, in the order of `groups`, while the solution stays unique.

    Parameters
    ----------
    givens : ndarray of int8, shape (n_cells,)
        A puzzle with exactly one solution, or a full grid.
    groups : ndarray of int16, shape (n_groups, 4)
        Groups whose cells are blank already are skipped.
    fewest : int
        Number of givens to keep at least.

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        Every remaining group is needed, or would leave too few givens. For orders 4 and 5, where a
        search may be given up, some may not be needed.
    """
    carved = givens.copy()
    groups = groups[givens[groups[:, 0]] > 0]
    if len(givens) == 81:
        _carve_bands(carved, groups, fewest, new_stack(), np.zeros(3, np.int64))
    else:
        _carve_houses(carved, groups, fewest)
    return carved


def _carve_houses(givens: Values, groups: Groups, fewest: int) -> None:
    """The same by the search on houses, in batches that adapt to how many groups can go."""
    cells_of = [group[group >= 0] for group in groups]
    left = int((givens > 0).sum())
    at, step = 0, max(1, len(groups) // 3)
    while at < len(groups):
        step = min(step, len(groups) - at)
        cells = np.concatenate(cells_of[at : at + step])
        if left - len(cells) >= fewest and _is_unique_without(givens, cells):
            givens[cells] = 0
            left -= len(cells)
            at += step
        elif step > 1:
            step //= 2
        else:
            at += 1


def _is_unique_without(givens: Values, cells: NDArray[np.int16]) -> bool:
    fewer = givens.copy()
    fewer[cells] = 0
    found = search(Sudoku.from_values(fewer))
    found.advance(2, _MOST_GUESSES)
    return bool(found.progress[FOUND] == 1 and found.progress[0] < 0)


def with_pattern(
    grid: Values, cells: ArrayLike, rng: np.random.Generator, most_moves: int
) -> Values | None:
    """Values at exactly `cells` of a 9x9 grid with one solution, or None.

    A walk over full grids: each move changes the value of one cell of the pattern, together with
    a solution that agrees with all others, and is kept unless the number of solutions rises.
    """
    grid = grid.copy()
    pattern = np.array(cells, np.int64)
    solutions = np.zeros((1, 81), np.int8)
    if not _settle(grid, pattern, rng, most_moves, new_stack(), np.zeros(3, np.int64), solutions):
        return None
    return np.where(np.isin(np.arange(81), pattern), grid, 0).astype(np.int8)


@kernel
def _has_another(stack, progress, solutions, givens, cell, digit):
    """Whether some solution has another digit in that cell; it is then ``solutions[0]``."""
    start_bands(stack, progress, givens)
    forbid(stack[0], cell, digit - 1)
    advance_bands(stack, progress, 1, 1 << 62, solutions)
    return progress[FOUND] > 0


@kernel
def _count(stack, progress, solutions, givens, limit):
    start_bands(stack, progress, givens)
    advance_bands(stack, progress, limit, 1 << 62, solutions)
    return progress[FOUND]


@kernel
def _carve_bands(givens, groups, fewest, stack, progress):
    """Remove groups in place."""
    nowhere = np.zeros((0, 81), np.int8)
    kept = givens.copy()
    left = 0
    for cell in range(81):
        left += 1 if givens[cell] > 0 else 0
    # Many at once, as long as that leaves enough givens and one solution.
    first = 0
    for together in _TOGETHER:
        stop = first
        size = 0
        while stop < groups.shape[0]:
            more = _size(groups[stop])
            if size + more > together or left - size - more < fewest:
                break
            size += more
            stop += 1
        for i in range(first, stop):
            _take(givens, groups[i])
        if stop == first or _count(stack, progress, nowhere, givens, 2) == 1:
            first = stop
            left -= size
        else:
            for i in range(first, stop):
                _put_back(givens, groups[i], kept)
    # Then one by one.
    for i in range(first, groups.shape[0]):
        taken = 0
        needed = False
        for j in range(4):
            cell = int(groups[i, j])
            if cell >= 0 and not needed:
                digit = int(givens[cell])
                givens[cell] = 0
                taken += 1
                needed = left - taken < fewest or _has_another(
                    stack, progress, nowhere, givens, cell, digit
                )
        if needed:
            _put_back(givens, groups[i], kept)
        else:
            left -= taken


@kernel
def _size(group):
    size = 0
    for j in range(4):
        if group[j] >= 0:
            size += 1
    return size


@kernel
def _take(givens, group):
    for j in range(4):
        if group[j] >= 0:
            givens[group[j]] = 0


@kernel
def _put_back(givens, group, kept):
    for j in range(4):
        if group[j] >= 0:
            givens[group[j]] = kept[group[j]]


_MOST_COUNTED = 1_000
"""Solutions of a pattern are counted up to this number."""


@kernel
def _settle(grid, pattern, rng, most_moves, stack, progress, solutions):
    """Move `grid` until its cells of the pattern have one solution; whether they have."""
    givens = np.zeros(81, np.int8)
    moved = np.zeros(81, np.int8)
    for i in range(pattern.shape[0]):
        givens[pattern[i]] = grid[pattern[i]]
    count = _count(stack, progress, solutions, givens, _MOST_COUNTED)
    for _ in range(most_moves):
        if count == 1:
            return True
        cell = pattern[int(rng.random() * pattern.shape[0])]
        digit = int(givens[cell])
        givens[cell] = 0
        if not _has_another(stack, progress, solutions, givens, cell, digit):
            givens[cell] = digit
            continue
        moved[:] = solutions[0]
        givens[cell] = moved[cell]
        # Counting to one more than before is enough to refuse.
        now = _count(stack, progress, solutions, givens, min(count + 1, _MOST_COUNTED))
        if now <= count:
            count = now
            grid[:] = moved
        else:
            givens[cell] = digit
    return count == 1
