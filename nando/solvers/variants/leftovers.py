"""The law of leftovers: what sticks out of rows and regions holds the same digits.

As many regions as rows (or columns) hold each digit as often. So do the cells of these rows that
lie in no such region, and the cells of these regions that lie in no such row.
"""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.board import Cells
from nando.solvers.variants.network import Network

MOST_LEFT = 4
"""Most cells on each side."""
_MOST_UNIONS = 1_000


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
