"""The range of the puzzles behind a model, outside which it extrapolates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.percentiles import LEVELS, Percentiles, read_orders
from nando.rating.rating import UNSEEN_ORDER_FACTOR, FlagCode, Flags, unknown_order
from nando.rating.records import numbers, plain_floats
from nando.rating.scale.parts import PARTS


@dataclass(frozen=True)
class Reach:
    """What the puzzles behind a model covered.

    Attributes
    ----------
    most : tuple of float
        The most of each part that a puzzle had, in its common unit.
    log_difficulty : Percentiles
        Each crowd counting the same.
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
        """Return how much wider the interval of each puzzle must be, and why.

        If a puzzle has more of a part than any known puzzle, the interval is widened by the share
        of that excess in the whole difficulty.

        Returns
        -------
        factor : ndarray of float64, shape (n_puzzles,)
        flags : list of Flags
            Without words and codes for puzzles like those of the training.
        """
        excess = np.maximum(parts - np.array(self.most), 0.0)
        whole = parts.sum(axis=1)
        factor = 1.0 + excess.sum(axis=1) / whole
        matters = excess > 0.005 * whole[:, None]
        unseen = [unknown_order(order, self.orders) for order in orders]
        flags = [Flags()] * len(parts)
        is_flagged = matters.any(axis=1) | np.array([bool(each) for each in unseen], bool)
        for i in np.flatnonzero(is_flagged).tolist():
            reasons: list[tuple[FlagCode, str]] = [
                *unseen[i],
                *(
                    (
                        "beyond_known",
                        f"{PARTS[k].name} {parts[i, k]:.0f}, at most {self.most[k]:.0f} known",
                    )
                    for k in np.flatnonzero(matters[i]).tolist()
                ),
            ]
            if unseen[i]:
                factor[i] *= UNSEEN_ORDER_FACTOR
            flags[i] = Flags.outside(reasons)
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
            For numbers that are not finite or of another shape, and percentiles that fall.
        """
        most = [record["most"][part.name] for part in PARTS]
        return cls(
            tuple(numbers(most, "reach most", len(PARTS)).tolist()),
            Percentiles.read(record, "reach", "log_difficulty"),
            read_orders(record, "reach"),
        )
