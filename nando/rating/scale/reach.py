"""The range of the puzzles behind a model; the model extrapolates outside this range."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.effort import beyond
from nando.rating.percentiles import LEVELS, Percentiles, read_orders
from nando.rating.rating import UNSEEN_ORDER_FACTOR, Flags, unknown_order
from nando.rating.records import numbers, plain_floats
from nando.rating.scale.parts import PARTS


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
        Orders of the puzzles.
    """

    most: tuple[float, ...]
    log_difficulty: Percentiles
    orders: tuple[int, ...]

    @classmethod
    def of(
        cls, parts: Sequence[Floats], log_difficulty: Sequence[Floats], orders: set[int]
    ) -> Self:
        """Summarise the parts and difficulties of each crowd's puzzles."""
        pooled = np.sort(np.concatenate([np.quantile(values, LEVELS) for values in log_difficulty]))
        return cls(
            plain_floats(np.max([values.max(axis=0) for values in parts], axis=0)),
            Percentiles.of(pooled),
            tuple(sorted(orders)),
        )

    def widening(self, parts: Floats, orders: Sequence[int | None]) -> tuple[Floats, list[Flags]]:
        """Return the factor by which the interval of each puzzle is widened, and the reason.

        If a puzzle has more of a part than any known puzzle, the interval is widened by the share
        of that excess in the whole difficulty.

        Returns
        -------
        factor : ndarray of float64, shape (n_puzzles,)
        flags : list of Flags
            Empty for puzzles like the training puzzles.
        """
        share, reasons = beyond([part.name for part in PARTS], parts, self.most)
        unseen = [unknown_order(order, self.orders) for order in orders]
        factor = (1.0 + share) * [UNSEEN_ORDER_FACTOR if each else 1.0 for each in unseen]
        flags = [Flags.outside([*a, *b]) for a, b in zip(unseen, reasons, strict=True)]
        return factor, flags

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "most": {part.name: most for part, most in zip(PARTS, self.most, strict=True)},
            "log_difficulty": list(self.log_difficulty),
            "orders": list(self.orders),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild from :meth:`to_dict`.

        Raises
        ------
        ValueError
            For numbers that are not finite or of another shape, or percentiles that fall.
        """
        most = [record["most"][part.name] for part in PARTS]
        return cls(
            tuple(numbers(most, "reach most", len(PARTS)).tolist()),
            Percentiles.read(record, "reach", "log_difficulty"),
            read_orders(record, "reach"),
        )
