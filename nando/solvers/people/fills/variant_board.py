"""The parts of a variant that stay the same during a game: its geometry and constraints."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.solvers.logic.variants.layout import BOX, LINE, OTHER, layout_of
from nando.solvers.people.fills.moments import IN_BOX, IN_COLUMN, IN_ROW
from nando.solvers.variants.innies import derived_sums
from nando.solvers.variants.network import Network, network_of, with_sums
from nando.solvers.variants.rows import rows_of

IN_OTHER = 16
"""A further way in which an open cell is a single: hidden in a house of another kind."""

SAME_ROW, SAME_COLUMN, SAME_BOX, SAME_OTHER, SAME_RULE = (1 << i for i in range(5))
"""What two cells share, as bits: a house, or a rule (a sum, relation, pattern or group)."""

_TIE = 0.5
"""A relation is a tie if it excludes about two fifths of the pairs of digits or more: the negative
logarithm of the share that it allows exceeds this."""

_MOST_INNIES = 2
"""Most cells of a sum by the 45 rule that people are assumed to use."""

_WAY = {LINE: IN_COLUMN, BOX: IN_BOX, OTHER: IN_OTHER}
_SHARED = {IN_ROW: SAME_ROW, IN_COLUMN: SAME_COLUMN, IN_BOX: SAME_BOX, IN_OTHER: SAME_OTHER}


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
    kinds = layout.house_kind.tolist()
    ways = [
        IN_ROW if kind == LINE and across else _WAY[kind]
        for kind, across in zip(kinds, layout.house_across.tolist(), strict=True)
    ]
    boxes = np.flatnonzero(layout.house_kind == BOX)
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
