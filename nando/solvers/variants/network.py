"""The constraints of a variant as arrays for kernels.

Cells are numbered as in ``puzzle.board.cells``; digits count from 0, and bit d of a mask stands
for digit d + 1. Lists of different lengths are laid out as in :mod:`nando.solvers.variants.tables`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.puzzles.boards.board import Board, Cells
from nando.puzzles.boards.constraints import (
    AllDifferent,
    Automaton,
    Constraint,
    Pattern,
    Relation,
    Sum,
)
from nando.solvers.variants.tables import (
    Ints,
    by_cell,
    converse,
    digit_sets,
    implied_houses,
    joined_automata,
    lists,
    rows_of,
    set_columns,
    supports,
)

MOST_PAIRED = 60
"""Most cells of a sum, from the first, whose pairs count."""

WeightedSum = tuple[Sequence[int], Sequence[int], int]
"""Cells of a sum, their weights, and the total."""


class Network(NamedTuple):
    """The constraints of a variant; all arrays are read-only.

    Attributes
    ----------
    n_cells, n_digits : int
    start : ndarray of int64, shape (n_cells,)
        Candidates that each cell's given and the rules of single cells leave.
    peer_start, peers : ndarray of int64
        For each cell, the cells that must hold another digit.
    houses : ndarray of int64, shape (n_houses, n_digits)
        Cells of each house, which hold every digit. Implied houses come last.
    cell_house_start, cell_houses : ndarray of int64
        For each cell, its houses.
    house_bits : ndarray of int64, shape (n_cells, n_words)
        For each cell, its houses as bits, 32 in a word.
    overlaps : ndarray of int64, shape (n_overlaps, 2)
        Pairs of houses that share two cells or more.
    overlap_start, overlap_cells : ndarray of int64
        For each overlap three lists: the cells of both houses, of the first alone, and of the
        second alone. Those of overlap i begin at ``overlap_start[3 * i]``.
    arc_start, arc_cell, arc_table : ndarray of int64
        For each cell, the cells that a relation joins it to, and the table of each relation.
    tables : ndarray of int64, shape (n_tables, n_digits)
        For each digit of a cell, the mask of the digits that the other cell may hold.
    supports : ndarray of int64, shape (n_tables, n_parts, 512)
        The same for masks. Bits 9 * i to 9 * i + 8 of the mask of a cell are an index in part i;
        the other cell may hold the digits that any part allows.
    sum_start, sum_cells, sum_weights : ndarray of int64
        For each sum, its cells and their weights.
    sum_totals : ndarray of int64, shape (n_sums,)
    sum_distinct : ndarray of bool, shape (n_sums,)
        True if all weights are 1 and no two cells may hold the same digit.
    cell_sum_start, cell_sums : ndarray of int64
        For each cell, its sums.
    sum_peer_start, sum_peers : ndarray of int64
        For each sum of different cells, the cells that see all of them; for another sum, none.
    set_start, sets : ndarray of int64
        :func:`nando.solvers.variants.tables.digit_sets`; empty if there are no sums.
    pattern_start, pattern_cells : ndarray of int64
        For each pattern, its cells in the order in which the automaton reads them.
    pattern_first, pattern_end : ndarray of int64, shape (n_patterns,)
        The states of its automaton: rows of `moves`, the first of which is its start.
    moves : ndarray of int64, shape (n_states, n_digits)
        The next row for each digit, or -1 if the digit is not allowed.
    alike : ndarray of int64, shape (n_states, n_digits)
        For each digit, the mask of the digits with the same next row.
    leaps : ndarray of int64, shape (n_states, 2)
        How many digits in a row do not matter in this state, and the row after them.
    accepting : ndarray of bool, shape (n_states,)
    cell_pattern_start, cell_patterns : ndarray of int64
        For each cell, its patterns.
    sum_apart : ndarray of int64
        For each cell of each sum, the places in the sum that must hold another digit, as bits.
        Empty if sums are filtered without them (:func:`with_pairs`).
    sum_group_end : ndarray of int64
        For each cell of each sum, the end of its group in `sum_cells`. The cells of a group differ
        and have the same weight. This and what follows are empty if sums are filtered without them
        (:func:`nando.solvers.variants.groups.with_groups`).
    seer_start, seers, seen_places : ndarray of int64
        For each sum of different cells, the other cells that see two of them or more, and the
        places of these in the sum, as bits.
    part_start, part_places : ndarray of int64
        For each sum of different cells, the places in the sum, as bits, of the cells that a house
        holds, for each house that holds two or more.
    rest_start, rest_cells : ndarray of int64
        For each of these parts, the other cells of the house.
    """

    n_cells: int
    n_digits: int
    start: Ints
    peer_start: Ints
    peers: Ints
    houses: Ints
    cell_house_start: Ints
    cell_houses: Ints
    house_bits: Ints
    overlaps: Ints
    overlap_start: Ints
    overlap_cells: Ints
    arc_start: Ints
    arc_cell: Ints
    arc_table: Ints
    tables: Ints
    supports: Ints
    sum_start: Ints
    sum_cells: Ints
    sum_weights: Ints
    sum_totals: Ints
    sum_distinct: NDArray[np.bool_]
    cell_sum_start: Ints
    cell_sums: Ints
    sum_peer_start: Ints
    sum_peers: Ints
    set_start: Ints
    sets: Ints
    pattern_start: Ints
    pattern_cells: Ints
    pattern_first: Ints
    pattern_end: Ints
    moves: Ints
    alike: Ints
    leaps: Ints
    accepting: NDArray[np.bool_]
    cell_pattern_start: Ints
    cell_patterns: Ints
    sum_apart: Ints
    sum_group_end: Ints
    seer_start: Ints
    seers: Ints
    seen_places: Ints
    part_start: Ints
    part_places: Ints
    rest_start: Ints
    rest_cells: Ints


class Origins(NamedTuple):
    """The rules from which houses, arcs, sums and patterns follow.

    Rules are given by their index in ``puzzle.rules``; -1 stands for rows and columns.

    Attributes
    ----------
    houses, arcs, sums, patterns : tuple of int
        In the order of the arrays of the network.
    groups : tuple of (int, tuple of int)
        Rule and cells of each group of different cells that is not a house.
    lines : tuple of int
        Indices in `groups` of the rows, columns, boxes and regions, where these lack digits and are
        no houses.
    """

    houses: tuple[int, ...]
    arcs: tuple[int, ...]
    sums: tuple[int, ...]
    patterns: tuple[int, ...]
    groups: tuple[tuple[int, tuple[int, ...]], ...]
    lines: tuple[int, ...]


@lru_cache(maxsize=256)
def network_of(puzzle: Variant) -> tuple[Network, Origins]:
    """Return the network of a variant, and the rules from which its parts follow."""
    return join(puzzle.board, puzzle.constraints, puzzle.givens[puzzle.places].astype(np.int64))


def join(
    board: Board, constraints: Sequence[tuple[int, Constraint]], givens: Ints
) -> tuple[Network, Origins]:
    """Return the network of constraints, and the rules from which its parts follow.

    Parameters
    ----------
    board : Board
    constraints : sequence of (int, Constraint)
        The number of a rule, and a constraint that follows from it.
    givens : ndarray of int64, shape (n_cells,)
        0 for a blank cell.
    """
    n = board.digits
    parts = _Parts(board, givens)
    for rule, own in constraints:
        parts.add(rule, own)
    groups, sums, patterns = parts.groups, parts.sums, parts.patterns
    houses = [*parts.houses, *implied_houses(tuple(parts.houses), n)]
    frame = _frame(board.cells, n, tuple(cells for _, cells in houses))
    frame = _with_groups(frame, [cells for _, cells in groups])
    arcs = sorted(parts.relations, key=lambda relation: relation[0])
    machines = joined_automata([automaton for _, _, automaton in patterns], n)
    joined, allowed = supports(tuple(parts.tables), n)
    arrays: list[Any] = [
        len(board.cells),
        n,
        parts.start,
        *frame.arrays,
        np.searchsorted(_column(arcs, 0), np.arange(len(board.cells) + 1)),
        _column(arcs, 1),
        _column(arcs, 2),
        joined,
        allowed,
        *_sum_arrays([own[1:] for own in sums], frame.differ, n),
        *lists([cells for _, cells, _ in patterns]),
        *machines,
        *by_cell([cells for _, cells, _ in patterns], len(board.cells)),
        *np.zeros((len(_OF_DIFFERENCES), 0), np.int64),
    ]
    network = Network(*arrays)
    protect(network)
    lines = parts.lines()
    origins = Origins(
        tuple(houses[number][0] for number in frame.named_first),
        tuple(rule for _, _, _, rule in arcs),
        tuple(rule for rule, _, _, _ in sums),
        tuple(rule for rule, _, _ in patterns),
        tuple(groups),
        tuple(i for i, (_, cells) in enumerate(groups) if cells in lines),
    )
    return network, origins


class _Parts:
    """What constraints add to a network.

    Each house, group, sum and pattern begins with the number of its rule.

    Attributes
    ----------
    start : ndarray of int64, shape (n_cells,)
        Digits that each cell may hold at the start, as a mask.
    relations : list of tuple of int
        Two cells, the number of the table for their digits, and the rule.
    """

    def __init__(self, board: Board, givens: Ints) -> None:
        self._board = board
        self._n = board.digits
        self._number_of = board.number_of
        self.start = np.full(len(board.cells), (1 << self._n) - 1, np.int64)
        self.start[givens > 0] = 1 << givens[givens > 0] - 1
        self.houses: list[tuple[int, Cells]] = []
        self.groups: list[tuple[int, tuple[int, ...]]] = []
        self.relations: list[tuple[int, int, int, int]] = []
        self.tables: dict[tuple[int, ...], int] = {}
        self.sums: list[tuple[int, list[int], Sequence[int], int]] = []
        self.patterns: list[tuple[int, list[int], Automaton]] = []

    def add(self, rule: int, own: Constraint) -> None:
        """Add a constraint that follows from a rule."""
        if isinstance(own, AllDifferent):
            if len(own.cells) == self._n:
                self.houses.append((rule, own.cells))
            else:
                self.groups.append((rule, tuple(sorted(self._numbers(own.cells)))))
        elif isinstance(own, Sum):
            weights = own.weights or [1] * len(own.cells)
            self.sums.append((rule, self._numbers(own.cells), weights, own.total))
        elif isinstance(own, Relation):
            first, second = self._number_of[own.first], self._number_of[own.second]
            # A new table gets the next number.
            there = self.tables.setdefault(own.allowed, len(self.tables))
            back = self.tables.setdefault(converse(own.allowed), len(self.tables))
            self.relations += (first, second, there, rule), (second, first, back, rule)
        elif isinstance(own, Pattern):
            self.patterns.append((rule, self._numbers(own.cells), own.automaton))
        else:
            self.start[self._number_of[own.cell]] &= own.mask

    def lines(self) -> set[tuple[int, ...]]:
        """Return the rows, columns and regions if they lack digits."""
        lines = [*self._board.lines(), *self._board.regions] if self._board.absent else []
        return {tuple(sorted(self._numbers(cells))) for cells in lines}

    def _numbers(self, cells: Cells) -> list[int]:
        return [self._number_of[cell] for cell in cells]


def with_sums(network: Network, sums: Sequence[WeightedSum]) -> Network:
    """Return the network with further sums after its own."""
    return replaced(network, [*sums_of(network), *sums]) if sums else network


def sums_of(network: Network) -> list[WeightedSum]:
    """Return the sums of a network."""
    cells = rows_of(network.sum_start, network.sum_cells)
    weights = rows_of(network.sum_start, network.sum_weights)
    return list(zip(cells, weights, network.sum_totals.tolist(), strict=True))


def replaced(network: Network, sums: Sequence[WeightedSum]) -> Network:
    """Return the network with these sums in place of its own."""
    arrays = _sum_arrays(sums, differing(network), network.n_digits)
    other = network._replace(**dict(zip(_OF_SUMS, arrays, strict=True)))
    protect(other)
    return other


def with_pairs(network: Network) -> Network:
    """Return the network with sums that know which pairs of their cells differ."""
    differ = differing(network)
    apart: list[int] = []
    for cells in rows_of(network.sum_start, network.sum_cells):
        near = differ[np.ix_(cells, cells)][:, :MOST_PAIRED].tolist()
        apart += [sum([1 << place for place, sees in enumerate(row) if sees]) for row in near]
    larger = network._replace(sum_apart=np.array(apart, np.int64))
    larger.sum_apart.setflags(write=False)
    return larger


def differing(network: Network) -> NDArray[np.bool_]:
    """Return True for each pair of cells that cannot be equal, shape ``(n_cells, n_cells)``."""
    differ = np.zeros((network.n_cells, network.n_cells), np.bool_)
    sizes = np.diff(network.peer_start)
    differ[np.repeat(np.arange(network.n_cells), sizes), network.peers] = True
    return differ


class _Frame(NamedTuple):
    """Peers and houses of boards with the same houses; shared, so never to be changed.

    Attributes
    ----------
    arrays : tuple of ndarray
        The fields of a network from `peer_start` to `overlap_cells`.
    named_first : tuple of int
        For each house, the index of its first occurrence in `named`.
    differ : ndarray of bool, shape (n_cells, n_cells)
        The pairs of cells that see each other.
    """

    arrays: tuple[Ints, ...]
    named_first: tuple[int, ...]
    differ: NDArray[np.bool_]


@lru_cache(maxsize=64)
def _frame(cells: Cells, n: int, named: tuple[Cells, ...]) -> _Frame:
    number_of = {cell: number for number, cell in enumerate(cells)}
    first: dict[tuple[int, ...], int] = {}
    for place, house in enumerate(named):
        first.setdefault(tuple(sorted(number_of[cell] for cell in house)), place)
    houses = np.array(list(first), np.int64).reshape(-1, n)
    differ = np.zeros((len(cells), len(cells)), np.bool_)
    differ[houses[:, :, None], houses[:, None, :]] = True
    np.fill_diagonal(differ, False)
    holds = np.zeros((len(houses), len(cells)), np.bool_)
    holds[np.arange(len(houses))[:, None], houses] = True
    bits = np.zeros((len(cells), (len(houses) + 31) // 32), np.int64)
    for word in range(bits.shape[1]):
        own = holds[32 * word : 32 * word + 32]
        bits[:, word] = (1 << np.arange(len(own))) @ own
    counts = holds.astype(np.float32) @ holds.T
    overlaps = np.stack(np.nonzero(np.triu(counts > 1, 1)), axis=1)
    left, right = holds[overlaps[:, 0]], holds[overlaps[:, 1]]
    parts = np.stack([left & right, left & ~right, right & ~left], axis=1)
    arrays = (
        *set_columns(differ),
        houses,
        *set_columns(holds.T),
        bits,
        overlaps,
        *set_columns(parts.reshape(-1, len(cells))),
    )
    return _Frame(arrays, tuple(first.values()), differ)


def _with_groups(frame: _Frame, groups: Sequence[tuple[int, ...]]) -> _Frame:
    """Return the frame with further groups of different cells."""
    if not groups:
        return frame
    differ = frame.differ.copy()
    for size in set(map(len, groups)):
        alike = np.array([group for group in groups if len(group) == size], np.int64)
        differ[alike[:, :, None], alike[:, None, :]] = True
    np.fill_diagonal(differ, False)
    return frame._replace(arrays=(*set_columns(differ), *frame.arrays[2:]), differ=differ)


_OF_SUMS = Network._fields[
    Network._fields.index("sum_start") : Network._fields.index("pattern_start")
]
_OF_DIFFERENCES = Network._fields[Network._fields.index("sum_apart") :]


def _sum_arrays(sums: Sequence[WeightedSum], differ: NDArray[np.bool_], n: int) -> tuple[Any, ...]:
    """Return the arrays of a network that describe its sums; `_OF_SUMS` has their names."""
    none = np.zeros(0, np.int64)
    if not sums:
        starts = np.zeros(1, np.int64), np.zeros(len(differ) + 1, np.int64)
        nothing = np.zeros(0, np.bool_)
        return starts[0], none, none, none, nothing, starts[1], none, starts[0], none, none, none
    start, cells = lists([own[0] for own in sums])
    weights = np.array([weight for own in sums for weight in own[1]], np.int64)
    sizes = np.diff(start)
    owner = np.repeat(np.arange(len(sums)), sizes)
    inside = np.zeros(
        (len(sums), len(differ)), np.float32
    )  # floats, because their products are fast
    inside[owner, cells] = 1
    # The cells of a sum are different if all pairs of them see each other.
    seen = inside @ differ.astype(np.float32)
    pairs = np.bincount(owner, seen[owner, cells], len(sums))
    plain = np.bincount(owner, weights != 1, len(sums)) == 0
    distinct = plain & (pairs == sizes * (sizes - 1))
    common = (seen == sizes[:, None]) & distinct[:, None]
    return (
        start,
        cells,
        weights,
        np.array([own[2] for own in sums], np.int64),
        distinct,
        *set_columns(inside.T == 1),
        *set_columns(common),
        *digit_sets(n),
    )


def protect(network: Network) -> None:
    """Make the arrays of a network read-only, as kernels are compiled for."""
    for array in network[2:]:
        array.setflags(write=False)


def _column(rows: Sequence[Sequence[int]], column: int) -> Ints:
    return np.array([row[column] for row in rows], np.int64)
