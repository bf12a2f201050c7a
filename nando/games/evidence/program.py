"""Programs as tellers: the chance that each gives to every fill of a game, slips and all.

A program sorts the open cells at every moment and fills the first; ties are broken at random. Two
parameters allow for cheats who blur this order and for programs that draw. The i-th cell in the
program's order is filled with a chance proportional to ``exp(-sharpness * i)``, and a share of
slips falls on any open cell. Each program is evaluated with every combination of the sharpnesses
and slips below, so that no single deviation clears it.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.solvers.people.fills.choices import Replay

SHARPNESSES = (0.3, 1.0, 3.0, 20.0)
SLIPS = (0.005, 0.05, 0.2)
MANNERS = tuple(product(SHARPNESSES, SLIPS))
"""Every combination: how a program's order is blurred."""


class Program(NamedTuple):
    """A program that fills a grid.

    Attributes
    ----------
    family : str
        Programs that a cheat would find in the same place. They are left out together to measure
        the audit on an unknown program.
    words : str
        Its behaviour, in words that continue "a program that".
    order : callable
        Takes a kind's scene (see the modules by kind) and gives every open cell before every fill
        its place, shape ``(n_rows,)``; the least comes first.
    """

    family: str
    words: str
    order: Callable[..., NDArray[np.floating] | NDArray[np.integer]]


class Chances(NamedTuple):
    """The chances that programs give to the fills of a game.

    Attributes
    ----------
    names : tuple of str
        Name of each column.
    log_chances : ndarray of float64, shape (n_moves, n_tellers)
        A teller is a program in one of its manners.
    weights : ndarray of float64, shape (n_tellers,)
        They sum to 1: the same for every family, within it for every program and manner.
    """

    names: tuple[str, ...]
    log_chances: Floats
    weights: Floats


def chances_of(
    names: Sequence[str],
    families: Sequence[str],
    replay: Replay,
    orders: Sequence[NDArray[np.floating] | NDArray[np.integer]],
) -> Chances:
    """Return the chances of a game's fills under programs with these orders of the open cells.

    Parameters
    ----------
    names, families : sequence of str
        Of each program.
    replay : Replay
    orders : sequence of ndarray, shape (n_rows,)
        Of each program.
    """
    ranks, ties = places_of_chosen(replay, np.stack(orders, axis=1))
    n_open = np.diff(replay.starts)[:, None]
    result = np.empty((len(ranks), len(names), len(MANNERS)))
    for i, (sharpness, slips) in enumerate(MANNERS):
        # The sums of geometric series: over the cells that tie, and over all.
        tied = -np.expm1(-sharpness * ties) / ties
        chance = np.exp(-sharpness * ranks) * tied / -np.expm1(-sharpness * n_open)
        result[:, :, i] = np.log((1 - slips) * chance + slips / n_open)
    sizes: Mapping[str, int] = {family: families.count(family) for family in families}
    weights = np.array([1 / (len(sizes) * sizes[family] * len(MANNERS)) for family in families])
    return Chances(
        tuple(np.repeat(names, len(MANNERS)).tolist()),
        result.reshape(len(ranks), -1),
        np.repeat(weights, len(MANNERS)),
    )


def places_of_chosen(replay: Replay, orders: Floats) -> tuple[Floats, Floats]:
    """Return how many open cells come before the one that was filled, and how many tie with it.

    Parameters
    ----------
    replay : Replay
    orders : ndarray of float64, shape (n_rows, n_programs)

    Returns
    -------
    before, ties : ndarray of float64, shape (n_moves, n_programs)
        The cell itself is among the ties.
    """
    own = np.repeat(orders[replay.chosen], np.diff(replay.starts), axis=0)
    starts = replay.starts[:-1]
    before = np.add.reduceat(orders < own, starts, axis=0, dtype=np.float64)
    ties = np.add.reduceat(orders == own, starts, axis=0, dtype=np.float64)
    return before, ties
