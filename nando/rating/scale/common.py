"""The common scale with its errors and its range."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.base import LEVELS, quantiles
from nando.rating.records import above_zero, numbers
from nando.rating.scale.crowds import Crowd, Scale, by_part
from nando.rating.scale.parts import EFFORT, PARTS, THOUGHT
from nando.rating.scale.reach import Reach

_LEAST = 0.02


@dataclass(frozen=True)
class Missed:
    """The distribution of the errors of predictions.

    Attributes
    ----------
    base, thought : float
        Spread of log seconds for a puzzle without thought, and its increase for thought alone.
    quantiles : tuple of float
        Quantiles of actual minus predicted log seconds, in spreads, at `LEVELS`.
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


_SINGLE = ("reference", "offset", "slope", "offset_spread", "slope_spread")
"""Fields of a scale that are single numbers."""

_THOUGHT = np.array([part.name in THOUGHT for part in PARTS])


@dataclass(frozen=True)
class CommonScale:
    """A scale with everything that ratings on it need.

    Attributes
    ----------
    scale : Scale
    missed : dict of str to Missed
        The errors of predictions for each crowd; "" stands for an unknown crowd.
    reach : Reach
        The range of the puzzles behind the scale.
    model_id : str
        Id of the model from which the scale comes.
    """

    scale: Scale
    missed: dict[str, Missed]
    reach: Reach
    model_id: str = ""

    def record(self) -> dict[str, Any]:
        """Return everything except the id as plain values."""
        scale = self.scale
        return {
            "scale": {
                "weights": dict(zip(EFFORT.names, scale.weights, strict=True)),
                **{name: getattr(scale, name) for name in _SINGLE},
            },
            "crowds": {name: crowd.to_dict() for name, crowd in scale.crowds.items()},
            "missed": {name: missed.to_dict() for name, missed in self.missed.items()},
            "reach": self.reach.to_dict(),
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any], model_id: str = "") -> Self:
        """Rebuild from :meth:`record`."""
        scale = record["scale"]
        return cls(
            Scale(
                by_part(scale["weights"], "weights"),
                **{name: float(numbers(scale[name], name)) for name in _SINGLE},
                crowds={name: Crowd.from_dict(each) for name, each in record["crowds"].items()},
            ),
            {name: Missed.from_dict(each) for name, each in record["missed"].items()},
            Reach.from_dict(record["reach"]),
            model_id,
        )


def thought_of(scale: Scale, parts: Floats, crowd: str | None = None) -> Floats:
    """Return the share of each puzzle's time spent on steps beyond singles."""
    weighted = scale.weighted(parts, crowd)
    thought: Floats = weighted[:, _THOUGHT].sum(axis=1) / weighted.sum(axis=1)
    return thought
