"""Thought about a moment on a variant, in rounds that apply all rules and houses at once.

A round applies every sum, relation, pattern and crossing of houses once to the candidates before
the round; from the second round on it also applies pairs. The round in which a cell becomes a
single is therefore the number of successive conclusions that lead to it. Singles are not filled in
between.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.puzzles import Variant
from nando.solvers.logic.finders.grid import BOX, COLUMN, OTHER, ROW
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.people.fills import moments
from nando.solvers.variants.innies import derived_sums
from nando.solvers.variants.network import Network, network_of, with_sums
from nando.solvers.variants.propagation import narrow_overlaps, narrow_pattern
from nando.solvers.variants.sums import narrow_sum
from nando.solvers.variants.tables import rows_of
from nando.solvers.variants.work import CELLS, PATTERNS, SUMS, enlist, latest, narrow

BY_SUM, BY_INNIES, BY_RELATION = (1 << i for i in range(3))
"""Single constraints that leave a cell one candidate, as bits: a sum of a rule, a sum by the 45
rule, a relation or a pattern."""
MOST_ROUNDS = 5
"""Most rounds of thought; people hardly go further."""
NEAR_ROUNDS = 2
"""Number of rounds that count as little thought."""
MOST_OPEN = 6
"""Most open cells of a sum that is applied."""


@inlined_kernel
def ways_of(moment, board, cell, mask):
    """Return the bits of the houses in which a digit fits only this cell, and of a naked single."""
    network = board.network
    ways = moments.NAKED if mask & (mask - 1) == 0 else 0
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        house = network.cell_houses[i]
        if moment.lone[house] & mask:
            ways |= board.house_way[house]
    return ways


@lean_kernel
def think(moment, board, now):
    """Narrow the marks round by round, and record the round in which each cell becomes a single."""
    network, marks, work = board.network, moment.marks, moment.work
    for cell in range(network.n_cells):
        moment.rounds[cell] = 0
        moment.by_one[cell] = 0
        if moment.values[cell] == 0:
            marks[cell] = moment.candidates[cell]
            moment.support[cell] = moments.SINGLE if moment.ways[cell] else moments.UNSUPPORTED
        moment.before[cell] = marks[cell]
        moment.old[cell] = marks[cell]
    for cell in range(network.n_cells):
        narrow(moment.before, work, cell, marks[cell])
        _enlist_houses(moment, network, cell)
    for number in range(1, MOST_ROUNDS + 1):
        _narrow_once(moment, network, board.n_sums)
        if number > 1:
            _remove_pairs(moment, network)
        left = _note_supported(moment, board, number, now)
        changed = _next_round(moment, network)
        if left == 0 or (number > 1 and not changed):
            break
    _forget(work)


@inlined_kernel
def _enlist_houses(moment, network, cell):
    for word in range(moment.paired.size):
        moment.work.touched[word] |= network.house_bits[cell, word]
        moment.paired[word] |= network.house_bits[cell, word]


@lean_kernel
def _next_round(moment, network):
    """List the cells whose marks changed in a round; return True if there are any."""
    changed = False
    for cell in range(network.n_cells):
        if moment.marks[cell] != moment.before[cell]:
            moment.old[cell] = moment.marks[cell]
            narrow(moment.before, moment.work, cell, moment.marks[cell])
            _enlist_houses(moment, network, cell)
            changed = True
    return changed


@lean_kernel
def _narrow_once(moment, network, n_sums):
    """Apply every constraint of the listed cells once, each to the marks before the round."""
    before, work = moment.before, moment.work
    counts = work.counts
    while counts[CELLS] > 0:
        cell = latest(work.cells, work.has_cell, counts, CELLS)
        mask = before[cell]
        for i in range(network.arc_start[cell], network.arc_start[cell + 1]):
            table = network.arc_table[i]
            allowed = 0
            for part in range(network.supports.shape[1]):
                allowed |= network.supports[table, part, mask >> 9 * part & 511]
            other = network.arc_cell[i]
            if moment.values[other] == 0:
                moment.marks[other] &= allowed
                kept = before[other] & allowed
                if kept & (kept - 1) == 0:
                    moment.by_one[other] |= BY_RELATION
        for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
            number = network.cell_sums[i]
            if 0 < moment.sum_empties[number] <= MOST_OPEN:
                enlist(work.sums, work.has_sum, counts, SUMS, number)
        for i in range(network.cell_pattern_start[cell], network.cell_pattern_start[cell + 1]):
            enlist(work.patterns, work.has_pattern, counts, PATTERNS, network.cell_patterns[i])
    while counts[SUMS] > 0:
        number = latest(work.sums, work.has_sum, counts, SUMS)
        narrow_sum(before, network, work, number)
        _take_over(moment, BY_SUM if number < n_sums else BY_INNIES)
    while counts[PATTERNS] > 0:
        number = latest(work.patterns, work.has_pattern, counts, PATTERNS)
        narrow_pattern(before, network, work, number)
        _take_over(moment, BY_RELATION)
    narrow_overlaps(before, network, work)
    _take_over(moment, 0)


@inlined_kernel
def _take_over(moment, source):
    """Remove from the marks what one constraint excludes, and restore the working copy."""
    work = moment.work
    while work.counts[CELLS] > 0:
        cell = latest(work.cells, work.has_cell, work.counts, CELLS)
        kept = moment.before[cell]
        if kept & (kept - 1) == 0:
            moment.by_one[cell] |= source
        moment.marks[cell] &= kept
        moment.before[cell] = moment.old[cell]


@lean_kernel
def _forget(work):
    while work.counts[CELLS] > 0:
        latest(work.cells, work.has_cell, work.counts, CELLS)
    for word in range(work.touched.size):
        work.touched[word] = 0


@lean_kernel
def _note_supported(moment, board, number, now):
    """Record the cells that are singles after a round; return how many open cells are not."""
    left = 0
    moments.see_lone(moment, board.network.houses, moment.marks)
    for cell in range(board.network.n_cells):
        if moment.values[cell] == 0 and moment.support[cell] == moments.UNSUPPORTED:
            if ways_of(moment, board, cell, moment.marks[cell]):
                moment.rounds[cell] = number
                moment.support[cell] = moments.LOCKED if number == 1 else moments.SUBSET
                if moment.marked_since[cell] < 0 and number <= NEAR_ROUNDS:
                    moment.marked_since[cell] = now
            else:
                left += 1
    return left


@lean_kernel
def _remove_pairs(moment, network):
    """Remove from the marks what naked and hidden pairs of changed houses rule out."""
    before = moment.before
    for word in range(moment.paired.size):
        while moment.paired[word]:
            house = 32 * word + lowest_bit(moment.paired[word])
            moment.paired[word] &= moment.paired[word] - 1
            cells = network.houses[house]
            moments.remove_naked_pairs(before, before, cells)
            moments.see_places(moment, cells, before)
            for digit in range(network.n_digits):
                if moments.remove_hidden_pairs(digit, moment.places, before, cells):
                    moments.see_places(moment, cells, before)
    for cell in range(network.n_cells):
        moment.marks[cell] &= before[cell]
        before[cell] = moment.old[cell]


# The parts of a variant that stay the same during a game: its geometry and constraints

IN_OTHER = 16
"""A further way in which an open cell is a single: hidden in a house of another kind."""

SAME_ROW, SAME_COLUMN, SAME_BOX, SAME_OTHER, SAME_RULE = (1 << i for i in range(5))
"""What two cells share, as bits: a house, or a rule (a sum, relation, pattern or group)."""

_TIE = 0.5
"""A relation is a tie if it excludes about two fifths of the pairs of digits or more: the negative
logarithm of the share that it allows exceeds this."""

_MOST_INNIES = 2
"""Most cells of a sum by the 45 rule that people are assumed to use."""

_WAY = {ROW: moments.IN_ROW, COLUMN: moments.IN_COLUMN, BOX: moments.IN_BOX, OTHER: IN_OTHER}
_SHARED = {
    moments.IN_ROW: SAME_ROW,
    moments.IN_COLUMN: SAME_COLUMN,
    moments.IN_BOX: SAME_BOX,
    IN_OTHER: SAME_OTHER,
}


class StaticBoard(NamedTuple):
    """The parts of a variant that stay the same during a game.

    Attributes
    ----------
    size : int
        Number of digits.
    per_digit : int
        Number of cells with each digit.
        houses, turns
        As in :class:`nando.solvers.people.fills.features.Plan`; a cell without a box is in box 0.
    house_way : ndarray of int64, shape (n_houses,)
        Bit of the way in which a hidden single of each house is seen.
    together : ndarray of uint8, shape (n_cells, n_cells)
        What two cells share, as bits.
    nearness : ndarray of float32, shape (n_cells, n_cells)
        1 for a cell and itself, and less the farther apart two cells are.
    relation : ndarray of float32, shape (n_cells, n_cells)
        How much a relation between two cells excludes: the negative logarithm of the share of the
        pairs of digits that it allows, 0 without a relation.
    is_tie : ndarray of bool, shape (n_tables,)
        True for each table of a relation that is a tie.
    n_sums : int
        Number of sums of rules; in the network those of the 45 rule follow them.
    network : Network
    """

    size: int
    per_digit: int
    houses: NDArray[np.int64]
    turns: tuple[int, int, int]
    house_way: NDArray[np.int64]
    together: NDArray[np.uint8]
    nearness: NDArray[np.float32]
    relation: NDArray[np.float32]
    is_tie: NDArray[np.bool_]
    n_sums: int
    network: Network


@lru_cache(maxsize=256)
def static_board(puzzle: Variant) -> StaticBoard:
    """Return the parts of a variant that stay the same during a game."""
    network, origins = network_of(puzzle)
    layout, _ = layout_of(puzzle)
    cells = puzzle.board.cells
    ways = [_WAY[kind] for kind in layout.grid.house_kind.tolist()]
    boxes = np.flatnonzero(layout.grid.house_kind == BOX)
    box_of = np.zeros(len(cells), np.int64)
    for number, house in reversed(list(enumerate(boxes))):
        box_of[network.houses[house]] = number
    rules: list[Sequence[int]] = [
        *(cells for _, cells in origins.groups),
        *rows_of(network.sum_start, network.sum_cells),
        *rows_of(network.pattern_start, network.pattern_cells),
    ]
    together = np.zeros((len(cells), len(cells)), np.uint8)
    for house, way in zip(network.houses, ways, strict=True):
        together[np.ix_(house, house)] |= _SHARED[way]
    for joined in rules:
        together[np.ix_(joined, joined)] |= SAME_RULE
    ends = np.repeat(np.arange(len(cells)), np.diff(network.arc_start))
    together[ends, network.arc_cell] |= SAME_RULE
    n_pairs = (network.tables[:, :, None] >> np.arange(64) & 1).sum(axis=(1, 2))
    information = -np.log(np.maximum(n_pairs, 1) / puzzle.size**2)
    relation = np.zeros((len(cells), len(cells)), np.float32)
    np.maximum.at(relation, (ends, network.arc_cell), information[network.arc_table])
    places = np.array(cells, np.int64)
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    return StaticBoard(
        puzzle.size,
        len(cells) // puzzle.size,
        np.column_stack([places, box_of]),
        (*puzzle.shape, max(len(boxes), 1)),
        np.array(ways, np.int64),
        together,
        np.exp(-0.5 * apart).astype(np.float32),
        relation,
        information > _TIE,
        len(network.sum_totals),
        with_sums(network, [own[:3] for own in derived_sums(puzzle, _MOST_INNIES)]),
    )
