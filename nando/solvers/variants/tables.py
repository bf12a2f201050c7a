"""Tables computed from the constraints of a variant: relations, automata, sets of digits, houses.

Some houses are implied by others: if two houses, for example windows, lie inside three rows, the
remaining cells of the rows hold every digit once.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.board import Cells
from nando.puzzles.boards.constraints import Automaton

# Lists of different lengths as two flat arrays that kernels can take.
#
# The items of all lists are joined in one array; list i begins at ``start[i]`` and ends before
# ``start[i + 1]``.

Ints = NDArray[np.int64]


def lists(items: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return the start of each list followed by the end of the last, and the joined items."""
    start = np.cumsum([0, *map(len, items)], dtype=np.int64)
    return start, np.array([item for row in items for item in row], np.int64)


def rows_of(start: Ints, items: Ints) -> list[list[int]]:
    """Return the separate lists of joined items; the reverse of :func:`lists`."""
    flat = items.tolist()
    return [flat[first:end] for first, end in pairwise(start.tolist())]


def set_columns(table: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the columns that are set in each row of a table, as :func:`lists` does."""
    n_rows, n_columns = table.shape
    flat = np.flatnonzero(table)
    return flat.searchsorted(np.arange(n_rows + 1) * n_columns), flat % max(n_columns, 1)


def by_cell(groups: Any, n_cells: int) -> tuple[Ints, Ints]:
    """Return the numbers of the groups that hold each cell, as :func:`lists` does."""
    holds = np.zeros((n_cells, len(groups)), np.bool_)
    for number, cells in enumerate(groups):
        holds[cells, number] = True
    return set_columns(holds)


MOST_DIGITS = 16
"""Most digits of a board for which sets are listed: 65,536 of them."""

MOST_LINES = 3
"""Most rows or columns that are added up."""


@lru_cache(maxsize=1_024)
def converse(allowed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the table of a relation with its two cells exchanged."""
    n = range(len(allowed))
    return tuple(sum(1 << i for i in n if allowed[i] >> j & 1) for j in n)


@lru_cache(maxsize=64)
def supports(tables: tuple[tuple[int, ...], ...], n: int) -> tuple[Ints, Ints]:
    """Return the arrays `tables` and `supports` of a network from the tables of its relations."""
    joined = np.array(tables, np.int64).reshape(-1, n)
    allowed = np.zeros((len(tables), (n + 8) // 9, 512), np.int64)
    masks = np.arange(512)
    for digit in range(n):
        part, bit = divmod(digit, 9)
        allowed[:, part, masks >> bit & 1 == 1] |= joined[:, digit, None]
    return joined, allowed


_LONGEST_LEAP = 32
"""Most cells that one leap passes."""


@lru_cache(maxsize=64)
def _machine(automaton: Automaton, n: int) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
    accepting = np.zeros(len(automaton.moves), np.bool_)
    accepting[list(automaton.accepting)] = True
    moves = np.array(automaton.moves, np.int64).reshape(-1, n)
    alike = (moves[:, :, None] == moves[:, None, :]) @ (1 << np.arange(n))
    is_blind = (moves[:, 0] >= 0) & (alike[:, 0] == (1 << n) - 1)
    leaps = np.stack([np.zeros(len(moves), np.int64), np.arange(len(moves))], axis=1)
    for _ in range(_LONGEST_LEAP):
        goes_on = is_blind[leaps[:, 1]]
        leaps[:, 0] += goes_on
        leaps[:, 1] = np.where(goes_on, moves[leaps[:, 1], 0], leaps[:, 1])
    return moves, alike, leaps, accepting


def joined_automata(automata: list[Automaton], n: int) -> tuple[Any, ...]:
    """Return the first row and end of each automaton, and the tables of all rows of a network.

    An automaton that is listed several times has the same rows each time.
    """
    first: dict[Automaton, int] = {}
    tables: list[Any] = [_machine(Automaton((), frozenset()), n)]
    offset = 0
    for automaton in automata:
        if automaton in first:
            continue
        first[automaton] = offset
        moves, alike, leaps, ends = _machine(automaton, n)
        shifted = np.where(moves < 0, -1, moves + offset)
        tables.append((shifted, alike, leaps + np.array([0, offset]), ends))
        offset += len(moves)
    begin = np.array([first[automaton] for automaton in automata], np.int64)
    sizes = np.array([len(automaton.moves) for automaton in automata], np.int64)
    joined: Any = tuple(map(np.concatenate, zip(*tables, strict=True)))
    return begin, begin + sizes, *joined


@cache
def digit_sets(n: int) -> tuple[Ints, Ints]:
    """Return the sets of the digits 1 to n, ordered by size and sum.

    Returns
    -------
    start : ndarray of int64, shape ((n + 1) * width + 1,)
        Sets of size k and sum s begin at ``start[k * width + s]`` and end at the next entry of
        `start`; `width` is ``n * (n + 1) // 2 + 1``, the number of sums.
    sets : ndarray of int64, shape (2**n,)
        Masks; bit d stands for digit d + 1.

    Both are empty above `MOST_DIGITS` digits, and read-only.
    """
    if n > MOST_DIGITS:
        start, sets = np.zeros(0, np.int64), np.zeros(0, np.int64)
    else:
        masks = np.arange(1 << n)
        width = n * (n + 1) // 2 + 1
        bits = masks[:, None] >> np.arange(n) & 1
        key = bits.sum(axis=1) * width + bits @ np.arange(1, n + 1)
        sets = np.argsort(key, kind="stable").astype(np.int64)
        start = np.searchsorted(key[sets], np.arange((n + 1) * width + 1)).astype(np.int64)
    start.setflags(write=False)
    sets.setflags(write=False)
    return start, sets


@lru_cache(maxsize=64)
def implied_houses(houses: tuple[tuple[int, Cells], ...], n: int) -> list[tuple[int, Cells]]:
    """Return the houses that remain if two houses are removed from three rows or columns.

    Only houses of the second and later rules are removed: boxes leave nothing new.

    Parameters
    ----------
    houses : tuple of (int, tuple of Cell)
        The rule of each house, -1 for rows and columns, and its cells.
    n : int
        Number of digits.

    Returns
    -------
    list of (int, tuple of Cell)
        The rule of the first house that is removed, and the cells that remain.
    """
    first = next((rule for rule, _ in houses if rule >= 0), -1)
    lines = [frozenset(cells) for rule, cells in houses if rule < 0]
    further = [(frozenset(cells), rule) for rule, cells in houses if rule > first]
    if len(further) < 2 or len(lines) != 2 * n:
        return []
    known = {frozenset(cells) for _, cells in houses}
    implied: list[tuple[int, Cells]] = []
    for _ in range(2):
        for band in (lines[:n], lines[n:]):
            for several in combinations(band, MOST_LINES):
                area = frozenset().union(*several)
                inside = [house for house in further if house[0] <= area]
                for (a, rule), (b, _) in combinations(inside, MOST_LINES - 1):
                    left = area - a - b
                    if a & b or left in known:
                        continue
                    known.add(left)
                    further.append((left, rule))
                    implied.append((rule, tuple(sorted(left))))
    return implied
