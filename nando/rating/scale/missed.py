"""Errors of a model: how far the times of held-out puzzles are from its predictions.

Times of puzzles that take thought scatter more than those of singles alone. So errors are measured
in units of a spread that grows with the share of thought.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.base import LEVELS, quantiles
from nando.rating.records import above_zero, numbers

_LEAST = 0.02


@dataclass(frozen=True)
class Missed:
    """How far off predictions are.

    Attributes
    ----------
    base, thought : float
        Spread of log seconds without thought, and what it gains for a puzzle of thought alone.
    quantiles : tuple of float
        Of actual minus predicted, in spreads, at `LEVELS`.
    """

    base: float
    thought: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, missed: Floats, thought: Floats, weight: Floats | None = None) -> Self:
        """Fit to the errors on held-out puzzles and their shares of thought."""
        from scipy.optimize import nnls

        # The mean absolute deviation of a normal variable is 0.8 of its spread.
        design = np.stack([np.ones_like(thought), thought], axis=1)
        weight = np.ones_like(thought) if weight is None else weight
        root = np.sqrt(weight)
        base, slope = nnls(design * root[:, None], np.abs(missed) / 0.8 * root)[0]
        base = max(float(base), _LEAST)
        scaled = missed / (base + slope * thought)
        return cls(_plain(base), _plain(slope), tuple(map(_plain, quantiles(scaled, weight))))

    def spread(self, thought: Floats) -> Floats:
        """Return the spread of log seconds of each puzzle."""
        return np.asarray(self.base + self.thought * thought)

    def ends(self, thought: Floats, coverage: float) -> tuple[Floats, Floats]:
        """Return how far the interval reaches below and above each prediction, in log seconds."""
        tail = (1.0 - coverage) / 2.0
        low, high = np.interp([tail, 1.0 - tail], LEVELS, self.quantiles)
        spread = self.spread(thought)
        return max(-low, 0.0) * spread, max(high, 0.0) * spread

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"base": self.base, "thought": self.thought, "quantiles": list(self.quantiles)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Rebuild from :meth:`to_dict`."""
        return cls(
            float(above_zero(record["base"], "missed base")),
            float(numbers(record["thought"], "missed thought")),
            tuple(numbers(record["quantiles"], "missed quantiles", len(LEVELS)).tolist()),
        )


def _plain(value: float) -> float:
    return float(f"{value:.6g}")
