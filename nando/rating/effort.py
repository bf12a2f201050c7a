"""The seconds for an effort in looks, and the range of the puzzles behind both.

The effort is a sum of named parts (:class:`nando.rating.scale.parts.Effort`), with weights that are
set rather than fitted. A line turns looks into seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from nando.arrays import Floats
from nando.rating.percentiles import Percentiles
from nando.rating.rating import FlagCode, Flags
from nando.rating.records import plain_floats

_PRIOR_PUZZLES = 10.0
"""Weight of the prior spread about the line, as a number of times."""


@dataclass(frozen=True)
class Line:
    """The line from log looks to log seconds, and its uncertainty.

    Attributes
    ----------
    reference : float
        Log looks at which the line has its offset.
    offset, slope : float
        Log seconds at the reference, and their change per unit of log looks.
    pace_spread, slope_spread : float
        Standard deviations of the offset and the slope.
    puzzle_spread : float
        Standard deviation of a puzzle's log time about the line.
    """

    reference: float
    offset: float
    slope: float
    pace_spread: float
    slope_spread: float
    puzzle_spread: float

    def log_seconds(self, log_looks: Floats) -> Floats:
        """Return the expected log seconds."""
        return np.asarray(self.offset + self.slope * (log_looks - self.reference))

    def log_looks(self, log_seconds: Floats) -> Floats:
        """Return the log looks of expected log seconds."""
        return np.asarray(self.reference + (log_seconds - self.offset) / self.slope)

    def spread(self, log_looks: Floats) -> Floats:
        """Return the standard deviation of log times about their expectation."""
        of_slope = self.slope_spread * (log_looks - self.reference)
        return np.sqrt(self.pace_spread**2 + of_slope**2 + self.puzzle_spread**2)

    def fitted(self, log_looks: Floats, log_seconds: Floats, weight: Floats) -> "Line":
        """Return the line updated by times: the mean of the posterior of a normal model."""
        away = log_looks - self.reference
        design = np.stack([np.ones_like(away), away], axis=1) * np.sqrt(weight)[:, None]
        missed = (log_seconds - self.log_seconds(log_looks)) * np.sqrt(weight)
        prior = np.diag([self.pace_spread**-2.0, self.slope_spread**-2.0])
        covariance = np.linalg.inv(prior + design.T @ design / self.puzzle_spread**2)
        moved = covariance @ design.T @ missed / self.puzzle_spread**2
        left = missed - design @ moved
        variance = (_PRIOR_PUZZLES * self.puzzle_spread**2 + float(left @ left)) / (
            _PRIOR_PUZZLES + len(left)
        )
        return Line(
            self.reference,
            *plain_floats([self.offset + moved[0], self.slope + moved[1]]),
            *plain_floats(np.sqrt([covariance[0, 0], covariance[1, 1], variance])),
        )


@dataclass(frozen=True)
class Known:
    """The range of the puzzles in a collection.

    Attributes
    ----------
    most : tuple of float
        Most looks of each part.
    log_looks : Percentiles
    """

    most: tuple[float, ...]
    log_looks: Percentiles

    @classmethod
    def of(cls, parts: Floats) -> Self:
        """Summarise the parts of puzzles, shape ``(n_puzzles, n_parts)``."""
        log_looks = Percentiles.of(np.log(parts.sum(axis=1)))
        return cls(plain_floats(parts.max(axis=0)), log_looks)

    def excess(self, names: Sequence[str], parts: Floats) -> tuple[Floats, list[Flags]]:
        """Return the share of each puzzle's looks beyond the known range, and its flags."""
        share, reasons = beyond(names, parts, self.most)
        return share, list(map(Flags.outside, reasons))


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
