"""The 45 rule: derive the sums of cells that remain, or stick out, when cages cover houses.

A union of disjoint houses that touch has a known sum: 45 for each house on a board of nine digits.
If the cages inside it are subtracted, the cells that remain (innies) have a known sum, too. A cage
that crosses the border is treated in the way that leaves fewer cells: its cells inside count as
innies, or the whole cage is subtracted and its cells outside count as outies.

The law of leftovers, at the end, says the same of digits: as many regions as rows (or columns) hold
each digit as often. So do the cells of these rows that lie in no such region, and the cells of
these regions that lie in no such row.
"""

from functools import lru_cache
from itertools import combinations, pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.puzzles.boards.board import Cells
from nando.solvers.variants.network import Network, network_of
from nando.solvers.variants.tables import Ints

MOST_HOUSES = 4
"""Most houses in a union."""

_MOST_AREAS = 4_000

MOST_LEFT = 4
"""Most cells that stick out on each side."""
_MOST_UNIONS = 1_000


class DerivedSum(NamedTuple):
    """A sum by the 45 rule: the innies minus the outies.

    Attributes
    ----------
    cells, weights : tuple of int
        Cells in ascending order, and their weights: 1 for innies, -1 for outies. If there are
        only outies, their weights are 1 and `total` is their sum.
    total : int
    houses : tuple of int
        Numbers of the houses in the union.
    inside : tuple of int
        Numbers of the sums that lie inside these houses.
    taken : tuple of int
        Numbers of the sums that cross the border and are subtracted whole.
    """

    cells: tuple[int, ...]
    weights: tuple[int, ...]
    total: int
    houses: tuple[int, ...]
    inside: tuple[int, ...]
    taken: tuple[int, ...]


def derived_sums(puzzle: Variant, most_cells: int = 4) -> list[DerivedSum]:
    """Return the sums of one to `most_cells` cells that follow by the 45 rule.

    Sums of fewer houses come first. A sum that a cage states, or that follows from fewer houses, is
    left out.
    """
    network, origins = network_of(puzzle)
    cages = _disjoint_cages(network)
    if not cages:
        return []
    areas = _areas(puzzle.board.cells, _key(network.houses), origins.houses)
    bounds, cells = network.sum_start.tolist(), network.sum_cells.tolist()
    inside_of = np.zeros((len(cages), network.n_cells), np.float32)
    for row, cage in enumerate(cages):
        inside_of[row, cells[bounds[cage] : bounds[cage + 1]]] = 1
    sizes = inside_of.sum(axis=1)
    common = areas.cells @ inside_of.T
    whole = common == sizes
    taken = whole | (2 * common > sizes)
    left = areas.cells - taken @ inside_of
    n_left = np.abs(left).sum(axis=1)
    house_sum = network.n_digits * (network.n_digits + 1) // 2
    totals = areas.n_houses * house_sum - taken @ network.sum_totals[cages]
    known = {
        (tuple(sorted(cells[bounds[cage] : bounds[cage + 1]])), (1,) * int(size))
        for cage, size in zip(cages, sizes, strict=True)
    }
    kept = np.flatnonzero((n_left > 0) & (n_left <= most_cells))
    rows, columns = np.nonzero(left[kept])
    ends = np.cumsum(n_left[kept], dtype=np.int64).tolist()
    numbers, signs = columns.tolist(), left[kept][rows, columns].astype(np.int64).tolist()
    derived = []
    for area, first, end in zip(kept.tolist(), [0, *ends], ends, strict=False):
        own, weights = tuple(numbers[first:end]), tuple(signs[first:end])
        total = int(totals[area])
        turned = tuple([-weight for weight in weights])
        if max(weights) < 0:
            weights, turned, total = turned, weights, -total
        if (own, weights) in known or (own, turned) in known:
            continue
        known.add((own, weights))
        crossing = taken[area] & ~whole[area]
        derived.append(
            DerivedSum(
                own,
                weights,
                total,
                areas.houses[area],
                tuple([cages[i] for i in np.flatnonzero(whole[area]).tolist()]),
                tuple([cages[i] for i in np.flatnonzero(crossing).tolist()]),
            )
        )
    return derived


def _disjoint_cages(network: Network) -> list[int]:
    """Return the sums whose weights are 1, without those that share a cell with an earlier one."""
    bounds = network.sum_start.tolist()
    cells, weights = network.sum_cells.tolist(), network.sum_weights.tolist()
    seen: set[int] = set()
    cages = []
    for number, (first, end) in enumerate(pairwise(bounds)):
        own = set(cells[first:end])
        if len(own) == end - first and {*weights[first:end]} == {1} and not own & seen:
            seen |= own
            cages.append(number)
    return cages


class _Areas(NamedTuple):
    """Unions of disjoint houses that touch.

    Attributes
    ----------
    houses : tuple of tuple of int
    cells : ndarray of float32, shape (n_areas, n_cells)
        1 for the cells of an area.
    n_houses : ndarray of int64, shape (n_areas,)
    """

    houses: tuple[tuple[int, ...], ...]
    cells: NDArray[np.float32]
    n_houses: Ints


def _key(houses: Ints) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, houses.tolist()))


@lru_cache(maxsize=64)
def _areas(cells: Cells, houses: tuple[tuple[int, ...], ...], rules: tuple[int, ...]) -> _Areas:
    """Return the unions of up to `MOST_HOUSES` houses of one rule, those of fewer first."""
    number_of = {cell: number for number, cell in enumerate(cells)}
    members = [frozenset(house) for house in houses]
    moves = ((0, 1), (1, 0), (0, -1), (-1, 0))
    around = [
        {
            number_of[row + down, column + right]  # type: ignore[index]
            for row, column in (cells[cell] for cell in house)
            for down, right in moves
            if (row + down, column + right) in number_of
        }
        for house in houses
    ]
    joined = [
        [
            other
            for other in range(len(houses))
            if rules[other] == rules[house]
            and members[other].isdisjoint(members[house])
            and not members[other].isdisjoint(around[house])
        ]
        for house in range(len(houses))
    ]
    layer: dict[tuple[int, ...], None] = {(house,): None for house in range(len(houses))}
    areas = layer
    for _ in range(MOST_HOUSES - 1):
        layer = dict.fromkeys(
            tuple(sorted((*area, other)))
            for area in layer
            for house in area
            for other in joined[house]
            if all(members[other].isdisjoint(members[own]) for own in area)
        )
        if len(areas) + len(layer) > _MOST_AREAS:
            break
        areas = {**areas, **layer}
    table = np.zeros((len(areas), len(cells)), np.float32)
    for row, area in enumerate(areas):
        for house in area:
            table[row, list(houses[house])] = 1
    return _Areas(tuple(areas), table, np.array(list(map(len, areas)), np.int64))


def leftovers(cells: Cells, network: Network) -> list[tuple[list[int], list[int]]]:
    """Return pairs of lists of cells that hold the same digits, each as often."""
    holds = np.zeros((len(network.houses), network.n_cells), np.float32)
    holds[np.arange(len(holds))[:, None], network.houses] = 1
    places = np.array(cells, np.int64)[network.houses]
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
    lines = [(places[:, :, axis] == places[:, :1, axis]).all(axis=1) for axis in (0, 1)]
    others = holds[~lines[0] & ~lines[1]]
    for is_line in lines:
        for size in range(1, network.n_digits // 2 + 1):
            if comb(max(len(others), int(is_line.sum())), size) > _MOST_UNIONS:
                break
            left, right = (_unions(own, size) for own in (holds[is_line], others))
            common = left @ right.T
            for i, j in zip(
                *np.nonzero(size * network.n_digits - common <= MOST_LEFT), strict=True
            ):
                first, second = left[i] > right[j], right[j] > left[i]
                if first.any():
                    found[tuple(np.flatnonzero(first)), tuple(np.flatnonzero(second))] = None
    return [(list(map(int, first)), list(map(int, second))) for first, second in found]


def _unions(houses: NDArray[Any], size: int) -> NDArray[Any]:
    """Return the unions of disjoint houses, shape ``(n_unions, n_cells)``."""
    chosen = [houses[list(own)].sum(axis=0) for own in combinations(range(len(houses)), size)]
    unions = np.array(chosen, np.float32).reshape(-1, houses.shape[1])
    return unions[(unions <= 1).all(axis=1)]
