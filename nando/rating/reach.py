"""The range of the puzzles behind a model; the model extrapolates outside this range."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.files import numbers, plain_floats
from nando.rating.result import UNSEEN_ORDER_FACTOR, FlagCode, Flags, unknown_order

_LEVELS = np.linspace(0, 1, 101)


class Percentiles(tuple[float, ...]):
    """The percentiles 0, 1, ..., 100 of some numbers, in ascending order."""

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Return the percentiles of numbers."""
        return cls(plain_floats(np.quantile(values, _LEVELS)))

    @classmethod
    def read(cls, record: Mapping[str, Any], owner: str, name: str) -> Self:
        """Return the percentiles in a record.

        Raises
        ------
        ValueError
            Unless there are 101 finite numbers that do not fall.
        """
        values = numbers(record[name], f"{owner} {name}", len(_LEVELS))
        if (np.diff(values) < 0).any():
            raise ValueError(f"{owner} {name} must not fall")
        return cls(values.tolist())

    def below(self, values: Floats) -> Floats:
        """Return the percentage of the numbers below each value, 0 to 100."""
        return np.asarray(np.interp(values, self, np.arange(101.0)))

    def at(self, percentile: float) -> float:
        """Return a percentile.

        Raises
        ------
        ValueError
            If it is not between 0 and 100.
        """
        if not 0.0 <= percentile <= 100.0:
            raise ValueError(f"percentile must be between 0 and 100, got {percentile:g}")
        return float(np.interp(percentile, np.arange(101.0), self))


def read_orders(record: Mapping[str, Any], owner: str) -> tuple[int, ...]:
    """Return the orders of Sudokus in a record; ValueError if they are not whole numbers."""
    orders = tuple(record["orders"])
    if not all(isinstance(order, int) for order in orders):
        raise ValueError(f"{owner} orders must be whole numbers, got {orders!r}")
    return orders


def beyond(
    names: Sequence[str], parts: Floats, most: Sequence[float]
) -> tuple[Floats, list[list[tuple[FlagCode, str]]]]:
    """Return the share of each puzzle's effort beyond that of all known puzzles, and the reasons.

    Parameters
    ----------
    names : sequence of str
        Names of the parts.
    parts : ndarray of float64, shape (n_puzzles, n_parts)
    most : sequence of float
        Most effort of each part among known puzzles.
    """
    whole = parts.sum(axis=1)
    excess = np.maximum(parts - np.array(most), 0.0)
    reasons: list[list[tuple[FlagCode, str]]] = [[] for _ in parts]
    for i, k in np.argwhere(excess > 0.005 * whole[:, None]).tolist():
        reason = f"{names[k]} {parts[i, k]:.0f}, at most {most[k]:.0f} known"
        reasons[i].append(("beyond_known", reason))
    return excess.sum(axis=1) / whole, reasons


@dataclass(frozen=True)
class Reach:
    """The range of the puzzles behind a model.

    Attributes
    ----------
    most : tuple of float
        Most effort of each part in a puzzle, in the common unit.
    log_difficulty : Percentiles
        Percentiles of the difficulty; each crowd counts the same.
    orders : tuple of int
        Orders of the puzzles; empty for kinds of puzzle without orders.
    """

    most: tuple[float, ...]
    log_difficulty: Percentiles
    orders: tuple[int, ...] = ()

    @classmethod
    def of_collection(cls, parts: Floats) -> Self:
        """Summarise the parts of the puzzles of a collection, shape ``(n_puzzles, n_parts)``."""
        log_difficulty = Percentiles.of(np.log(parts.sum(axis=1)))
        return cls(plain_floats(parts.max(axis=0)), log_difficulty)

    @classmethod
    def of(
        cls, parts: Sequence[Floats], log_difficulty: Sequence[Floats], orders: set[int]
    ) -> Self:
        """Summarise the parts and difficulties of each crowd's puzzles."""
        pooled = np.sort(
            np.concatenate([np.quantile(values, _LEVELS) for values in log_difficulty])
        )
        return cls(
            plain_floats(np.max([values.max(axis=0) for values in parts], axis=0)),
            Percentiles.of(pooled),
            tuple(sorted(orders)),
        )

    def widening(
        self, names: Sequence[str], parts: Floats, orders: Sequence[int | None]
    ) -> tuple[Floats, list[Flags]]:
        """Return the factor by which the interval of each puzzle is widened, and the reason.

        If a puzzle has more of a part than any known puzzle, the interval is widened by the share
        of that excess in the whole difficulty.

        Parameters
        ----------
        names : sequence of str
            Names of the parts.
        parts : ndarray of float64, shape (n_puzzles, n_parts)
        orders : sequence of int or None
            Order of each puzzle; None for a puzzle without an order.

        Returns
        -------
        factor : ndarray of float64, shape (n_puzzles,)
        flags : list of Flags
            Empty for puzzles like the training puzzles.
        """
        share, reasons = beyond(names, parts, self.most)
        unseen = [unknown_order(order, self.orders) for order in orders]
        factor = (1.0 + share) * [UNSEEN_ORDER_FACTOR if each else 1.0 for each in unseen]
        flags = [Flags.outside([*a, *b]) for a, b in zip(unseen, reasons, strict=True)]
        return factor, flags
