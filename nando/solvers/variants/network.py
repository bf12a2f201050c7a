"""The constraints of a variant as arrays for kernels.

Cells are numbered as in ``puzzle.board.cells``; digits count from 0, and bit d of a mask stands
for digit d + 1. Lists of different lengths stand one after the other: those of item i begin at
``start[i]`` and end before ``start[i + 1]``.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.puzzles.boards.constraints import (
    AllDifferent,
    Automaton,
    Candidates,
    Pattern,
    Relation,
    Sum,
)

Ints = NDArray[np.int64]


class Network(NamedTuple):
    """The constraints of a variant; all arrays are read-only.

    Attributes
    ----------
    n_cells, n_digits : int
    start : ndarray of int64, shape (n_cells,)
        Candidates of each cell by its given and the rules of single cells.
    peer_start, peers : ndarray of int64
        For each cell, the cells that hold another digit.
    houses : ndarray of int64, shape (n_houses, n_digits)
        Cells of each house: they hold every digit.
    cell_house_start, cell_houses : ndarray of int64
        For each cell, its houses.
    arc_start, arc_cell, arc_table : ndarray of int64
        For each cell, the cells that a relation joins it to, and the table of each relation.
    tables : ndarray of int64, shape (n_tables, n_digits)
        For each digit of a cell, the mask of the digits that the other cell may hold.
    sum_start, sum_cells, sum_weights : ndarray of int64
        For each sum, its cells and their weights.
    sum_totals : ndarray of int64, shape (n_sums,)
    sum_distinct : ndarray of bool, shape (n_sums,)
        Whether all weights are 1 and no two cells may hold the same digit.
    cell_sum_start, cell_sums : ndarray of int64
        For each cell, its sums.
    pattern_start, pattern_cells : ndarray of int64
        For each pattern, its cells in the order in which the automaton reads them.
    pattern_first, pattern_end : ndarray of int64, shape (n_patterns,)
        The states of its automaton: rows of `moves`, the first of which is its start.
    moves : ndarray of int64, shape (n_states, n_digits)
        The next row, -1 for none.
    accepting : ndarray of bool, shape (n_states,)
    cell_pattern_start, cell_patterns : ndarray of int64
        For each cell, its patterns.
    """

    n_cells: int
    n_digits: int
    start: Ints
    peer_start: Ints
    peers: Ints
    houses: Ints
    cell_house_start: Ints
    cell_houses: Ints
    arc_start: Ints
    arc_cell: Ints
    arc_table: Ints
    tables: Ints
    sum_start: Ints
    sum_cells: Ints
    sum_weights: Ints
    sum_totals: Ints
    sum_distinct: NDArray[np.bool_]
    cell_sum_start: Ints
    cell_sums: Ints
    pattern_start: Ints
    pattern_cells: Ints
    pattern_first: Ints
    pattern_end: Ints
    moves: Ints
    accepting: NDArray[np.bool_]
    cell_pattern_start: Ints
    cell_patterns: Ints


class Origins(NamedTuple):
    """The rules from which houses, arcs, sums and patterns follow.

    Numbers are places in ``puzzle.rules``; -1 stands for rows and columns.

    Attributes
    ----------
    houses, arcs, sums, patterns : tuple of int
        In the order of the arrays of the network.
    groups : tuple of (int, tuple of int)
        Rule and cells of each group of different cells that is no house.
    """

    houses: tuple[int, ...]
    arcs: tuple[int, ...]
    sums: tuple[int, ...]
    patterns: tuple[int, ...]
    groups: tuple[tuple[int, tuple[int, ...]], ...]


@lru_cache(maxsize=256)
def network_of(puzzle: Variant) -> tuple[Network, Origins]:
    """Return the network of a variant, and where its parts come from."""
    n_cells, n = len(puzzle.board.cells), puzzle.size
    number_of = puzzle.board.number_of
    full = (1 << n) - 1
    start = np.full(n_cells, full, np.int64)
    givens = puzzle.givens[puzzle.places].astype(np.int64)
    start[givens > 0] = 1 << givens[givens > 0] - 1
    differ: list[set[int]] = [set() for _ in range(n_cells)]
    houses: dict[tuple[int, ...], int] = {}
    groups: list[tuple[int, tuple[int, ...]]] = []
    arcs: list[list[tuple[int, int, int]]] = [[] for _ in range(n_cells)]
    tables: dict[tuple[int, ...], int] = {}
    sums: list[tuple[int, list[int], tuple[int, ...], int]] = []
    patterns: list[tuple[int, list[int], Automaton]] = []
    for rule, constraint in puzzle.constraints:
        match constraint:
            case AllDifferent(cells):
                group = tuple(sorted(number_of[cell] for cell in cells))
                if len(group) == n:
                    houses.setdefault(group, rule)
                else:
                    groups.append((rule, group))
                for cell in group:
                    differ[cell].update(group)
            case Relation(first, second, allowed):
                a, b = number_of[first], number_of[second]
                converse = tuple(
                    sum(1 << i for i in range(n) if allowed[i] >> j & 1) for j in range(n)
                )
                arcs[a].append((b, tables.setdefault(allowed, len(tables)), rule))
                arcs[b].append((a, tables.setdefault(converse, len(tables)), rule))
            case Sum(cells, total, weights):
                numbers = [number_of[cell] for cell in cells]
                sums.append((rule, numbers, weights or (1,) * len(numbers), total))
            case Pattern(cells, automaton):
                patterns.append((rule, [number_of[cell] for cell in cells], automaton))
            case Candidates(cell, mask):
                start[number_of[cell]] &= mask
    for cell, others in enumerate(differ):
        others.discard(cell)
    members = [list(house) for house in houses]
    machines: Any = _joined([automaton for _, _, automaton in patterns], n)
    arrays: list[Any] = [
        n_cells,
        n,
        start,
        *_lists([sorted(others) for others in differ]),
        np.array(members, np.int64).reshape(-1, n),
        *_lists(_by_cell(members, n_cells)),
        *_lists([[arc[0] for arc in row] for row in arcs]),
        _flat([[arc[1] for arc in row] for row in arcs]),
        np.array(list(tables), np.int64).reshape(-1, n),
        *_lists([cells for _, cells, _, _ in sums]),
        _flat([weights for _, _, weights, _ in sums]),
        np.array([total for _, _, _, total in sums], np.int64),
        np.array([_distinct(cells, weights, differ) for _, cells, weights, _ in sums], np.bool_),
        *_lists(_by_cell([cells for _, cells, _, _ in sums], n_cells)),
        *_lists([cells for _, cells, _ in patterns]),
        *machines,
        *_lists(_by_cell([cells for _, cells, _ in patterns], n_cells)),
    ]
    network = Network(*arrays)
    for array in network[2:]:
        array.setflags(write=False)
    origins = Origins(
        tuple(houses.values()),
        tuple(arc[2] for row in arcs for arc in row),
        tuple(rule for rule, _, _, _ in sums),
        tuple(rule for rule, _, _ in patterns),
        tuple(groups),
    )
    return network, origins


def _distinct(cells: list[int], weights: Sequence[int], differ: list[set[int]]) -> bool:
    if any(weight != 1 for weight in weights):
        return False
    return all(b in differ[a] for i, a in enumerate(cells) for b in cells[i + 1 :])


def _by_cell(lists: Sequence[Sequence[int]], n_cells: int) -> list[list[int]]:
    """Return for each cell the numbers of the lists that hold it."""
    by_cell: list[list[int]] = [[] for _ in range(n_cells)]
    for number, cells in enumerate(lists):
        for cell in dict.fromkeys(cells):
            by_cell[cell].append(number)
    return by_cell


def _flat(lists: Sequence[Sequence[int]]) -> Ints:
    return np.array([item for row in lists for item in row], np.int64)


def _lists(lists: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return where each list begins, with the end of the last, and all lists in a row."""
    return np.cumsum([0, *map(len, lists)], dtype=np.int64), _flat(lists)


def _joined(automata: list[Automaton], n: int) -> tuple[Ints, Ints, Any, Any]:
    """Return first row, end, moves and accepting rows of automata, each of which comes once."""
    first: dict[Automaton, int] = {}
    moves: list[list[int]] = []
    accepting: list[bool] = []
    for automaton in automata:
        if automaton in first:
            continue
        offset = first[automaton] = len(moves)
        moves += [[-1 if to < 0 else to + offset for to in row] for row in automaton.moves]
        accepting += [state in automaton.accepting for state in range(len(automaton.moves))]
    begin = [first[automaton] for automaton in automata]
    end = [first[automaton] + len(automaton.moves) for automaton in automata]
    return (
        np.array(begin, np.int64),
        np.array(end, np.int64),
        np.array(moves, np.int64).reshape(-1, n),
        np.array(accepting, np.bool_),
    )
