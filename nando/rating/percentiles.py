"""Percentiles and orders of the puzzles behind a model."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.records import numbers, plain_floats

LEVELS = np.linspace(0, 1, 101)


class Percentiles(tuple[float, ...]):
    """The percentiles 0, 1, ..., 100 of some numbers, in ascending order."""

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Return the percentiles of numbers."""
        return cls(plain_floats(np.quantile(values, LEVELS)))

    @classmethod
    def read(cls, record: Mapping[str, Any], owner: str, name: str) -> Self:
        """Return the percentiles in a record.

        Raises
        ------
        ValueError
            Unless there are 101 finite numbers that do not fall.
        """
        values = numbers(record[name], f"{owner} {name}", len(LEVELS))
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
