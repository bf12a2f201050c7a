"""Sums that know which of their cells differ, for searches that take many guesses.

A diagonal through three boxes may hold a digit three times, but no box holds it twice. So the
cells of a sum are divided into groups that lie in one house. A group of three takes at least
1 + 2 + 3. Sums of long lines are often tight together: four parallel diagonals fill most of three
boxes, so little is left to choose even where each of them alone leaves much.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import highest_bit, inlined_kernel, lean_kernel, lowest_bit, unsigned
from nando.solvers.variants.network import (
    Network,
    WeightedSum,
    differing,
    protect,
    replaced,
    sums_of,
)
from nando.solvers.variants.tables import set_columns
from nando.solvers.variants.work import narrow

_MOST_JOINED = 4
"""Most sums that are added up."""
_MOST_CONSIDERED = 40
"""Most sums, from the first, that are added up with others; most unions that grow further."""
_MOST_JOINT = 12
"""Most sums of several sums in a network."""
_LONG = 6
"""Fewest cells of a sum of different cells that is added up with others."""


def with_groups(network: Network) -> Network:
    """Return the network with sums of several sums, and with sums that know which cells differ."""
    holds = _holds(network)
    sums: list[WeightedSum] = []
    ends: list[int] = []
    for cells, weights, total in [*sums_of(network), *joint_sums(network)]:
        groups = groups_of(holds[:, cells], weights)
        order = [place for group in groups for place in group]
        sums.append(([cells[i] for i in order], [weights[i] for i in order], total))
        for group in groups:
            ends += [len(ends) + len(group)] * len(group)
    larger = replaced(network, sums)
    places = np.zeros((len(sums), network.n_cells), np.int64)
    for number in np.flatnonzero(larger.sum_distinct).tolist():
        places[number, sums[number][0]] = 1 << np.arange(len(sums[number][0]))
    seen = places @ differing(network)
    is_seer = (seen & seen - 1 != 0) & (places == 0)
    seer_start, seers = set_columns(is_seer)
    inside = places != 0
    owners, houses = np.nonzero(inside.astype(np.float32) @ holds.T > 1)
    rest_start, rest_cells = set_columns(holds[houses] & ~inside[owners])
    larger = larger._replace(
        sum_group_end=np.array(ends, np.int64),
        seer_start=seer_start,
        seers=seers,
        seen_places=seen[is_seer],
        part_start=np.searchsorted(owners, np.arange(len(sums) + 1)),
        part_places=(places[owners] * holds[houses]).sum(axis=1),
        rest_start=rest_start,
        rest_cells=rest_cells,
    )
    protect(larger)
    return larger


def groups_of(holds: NDArray[np.bool_], weights: Any) -> list[list[int]]:
    """Divide the cells of a sum into groups of one weight in one house, the largest first.

    Parameters
    ----------
    holds : ndarray of bool, shape (n_houses, n_cells)
        True for the cells of the sum that each house holds.
    weights : sequence of int
    """
    own = np.array(weights)
    left = np.stack([own == weight for weight in sorted(set(weights))])
    groups: list[list[int]] = []
    while left.any():
        inside = (left[:, None] & holds).reshape(-1, own.size)
        sizes = inside.sum(axis=1)
        if sizes.max(initial=0) < 2:
            return groups + [[place] for place in np.flatnonzero(left.any(axis=0)).tolist()]
        group = np.flatnonzero(inside[sizes.argmax()])
        left[:, group] = False
        groups.append(group.tolist())
    return groups


def joint_sums(network: Network) -> list[WeightedSum]:
    """Return sums of up to `_MOST_JOINED` sums that share no cell, the tightest first.

    Each is tighter than any of its parts.
    """
    own = [
        (cells, total)
        for (cells, weights, total), distinct in zip(
            sums_of(network), network.sum_distinct.tolist(), strict=True
        )
        if {*weights} == {1}
        and len({*cells}) == len(cells)
        and (not distinct or len(cells) >= _LONG)
    ][:_MOST_CONSIDERED]
    holds, near = _holds(network), differing(network)
    inside = np.zeros((len(own), network.n_cells), np.bool_)
    for number, (cells, _) in enumerate(own):
        inside[number, cells] = True
    # Two cells or more of one see cells of the other.
    touch = ((inside @ near)[:, None] & inside).sum(axis=2) > 1
    touch &= ~(inside[:, None] & inside).any(axis=2)

    def tightness(several: tuple[int, ...]) -> int:
        cells = [cell for number in several for cell in own[number][0]]
        total = sum([own[number][1] for number in several])
        return _tightness(holds[:, cells], total, network.n_digits)

    alone = [tightness((number,)) for number in range(len(own))]
    layer: dict[tuple[int, ...], int] = {(number,): tight for number, tight in enumerate(alone)}
    tighter: dict[tuple[int, ...], int] = {}
    for _ in range(_MOST_JOINED - 1):
        grown = {
            tuple(sorted((*several, other)))
            for several in sorted(layer, key=lambda key: (-layer[key], key))[:_MOST_CONSIDERED]
            for other in np.flatnonzero(touch[list(several)].any(axis=0)).tolist()
            if not (inside[list(several)] & inside[other]).any()
        }
        layer = {several: tightness(several) for several in grown}
        tighter |= {
            several: tight
            for several, tight in layer.items()
            if tight > max([alone[number] for number in several])
        }
    return [
        (
            [cell for number in several for cell in own[number][0]],
            [1] * sum([len(own[number][0]) for number in several]),
            sum([own[number][1] for number in several]),
        )
        for several in sorted(tighter, key=lambda key: (-tighter[key], key))[:_MOST_JOINT]
    ]


def _tightness(holds: NDArray[np.bool_], total: int, n: int) -> int:
    """Return by how much a sum bounds its groups: what each may vary, less what the sum leaves."""
    sizes = np.array([len(group) for group in groups_of(holds, [1] * holds.shape[1])])
    least, ranges = int((sizes * (sizes + 1) // 2).sum()), sizes * (n - sizes)
    spare = min(total - least, least + int(ranges.sum()) - total)
    return int(np.maximum(ranges - spare, 0).sum())


def _holds(network: Network) -> NDArray[np.bool_]:
    holds = np.zeros((len(network.houses), network.n_cells), np.bool_)
    holds[np.arange(len(holds))[:, None], network.houses] = True
    return holds


@lean_kernel
def narrow_groups(masks, network, work, number):
    """Remove digits that take a sum out of its bounds, whatever digits of each group differ.

    Return False if the sum is out of them.
    """
    first, end = network.sum_start[number], network.sum_start[number + 1]
    least, most = 0, 0
    place = first
    while place < end:
        stop = network.sum_group_end[unsigned(place)]
        weight = int(network.sum_weights[unsigned(place)])
        low, high = _lowest_and_highest(masks, network, place, stop, -1)
        if low < 0:
            return False
        bottom, top = _total(low), _total(high)
        least += weight * (bottom if weight > 0 else top)
        most += weight * (top if weight > 0 else bottom)
        place = stop
    above, below = network.sum_totals[number] - least, most - network.sum_totals[number]
    if above < 0 or below < 0:
        return False
    place = first
    while place < end:
        stop = network.sum_group_end[unsigned(place)]
        weight = int(network.sum_weights[unsigned(place)])
        up, down = above // abs(weight), below // abs(weight)
        if weight < 0:
            up, down = down, up
        if up < network.n_digits - 1 or down < network.n_digits - 1:
            for i in range(place, stop):
                cell = int(network.sum_cells[unsigned(i)])
                mask = int(masks[unsigned(cell)])
                if mask & (mask - 1):
                    low, high = _lowest_and_highest(masks, network, place, stop, i)
                    kept = mask & _within(network, low, high, mask, up, down) if low >= 0 else 0
                    if kept == 0:
                        return False
                    if kept != mask:
                        narrow(masks, work, cell, kept)
        place = stop
    return True


@inlined_kernel
def _lowest_and_highest(masks, network, place, stop, left_out):
    """Return the lowest and the highest digits that a group can hold, as masks; -1 if none fit.

    Only the least and the greatest candidate of each cell count. A cell takes the next free digit
    if another has its own; the order of the cells does not matter.
    """
    low, high = 0, 0
    full = (1 << network.n_digits) - 1
    for i in range(place, stop):
        if i != left_out:
            mask = int(masks[unsigned(network.sum_cells[unsigned(i)])])
            free = ~(low | (mask & -mask) - 1) & full
            left = ~high & (2 << highest_bit(mask)) - 1
            if free == 0 or left == 0:
                return -1, -1
            low |= free & -free
            high |= 1 << highest_bit(left)
    return low, high


@inlined_kernel
def _total(digits):
    total = 0
    while digits:
        total += lowest_bit(digits) + 1
        digits &= digits - 1
    return total


@inlined_kernel
def _within(network, low, high, mask, up, down):
    """Return the digits of a cell that raise the lowest sum by `up` or less, and so downwards.

    `low` and `high` are the digits of the other cells of its group, `mask` its candidates.
    """
    full = (1 << network.n_digits) - 1
    free = ~(low | (mask & -mask) - 1) & full
    left = ~high & (2 << highest_bit(mask)) - 1
    if free == 0 or left == 0:
        return 0
    largest = highest_bit(~low & (2 << min(lowest_bit(free) + up, network.n_digits - 1)) - 1)
    smallest = lowest_bit(~high & full & -(1 << max(highest_bit(left) - down, 0)))
    return (2 << largest) - (1 << smallest)
