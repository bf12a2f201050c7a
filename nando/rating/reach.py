"""The range of the puzzles behind a model; the model extrapolates outside this range."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from nando.arrays import Floats
from nando.rating.files import plain_floats
from nando.rating.result import UNSEEN_ORDER_FACTOR, FlagCode, Flags, unknown_order
from nando.records import Settings, of_length

_LEVELS = np.linspace(0, 1, 101)


def percentiles_of(values: Floats) -> tuple[float, ...]:
    """Return the percentiles 0, 1, ..., 100 of numbers."""
    return plain_floats(np.quantile(values, _LEVELS))


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


def check_percentile(percentile: float) -> float:
    """Return a percentile; ValueError if it is not between 0 and 100."""
    if not 0.0 <= percentile <= 100.0:
        raise ValueError(f"percentile must be between 0 and 100, got {percentile:g}")
    return percentile


@dataclass(frozen=True)
class Reach(Settings):
    """The range of the puzzles behind a model.

    Attributes
    ----------
    most : tuple of float
        Most effort of each part in a puzzle, in the common unit.
    log_difficulty : tuple of float
        Percentiles 0, 1, ..., 100 of the difficulty; each crowd counts the same.
    orders : tuple of int
        Orders of the puzzles; empty for kinds of puzzle without orders.
    """

    most: tuple[float, ...]
    log_difficulty: Annotated[tuple[float, ...], of_length(len(_LEVELS))]
    orders: tuple[int, ...] = ()

    def check(self) -> None:
        """Check that the percentiles do not fall."""
        if (np.diff(self.log_difficulty) < 0).any():
            raise ValueError("log_difficulty must not fall")

    @classmethod
    def of_collection(cls, parts: Floats) -> Self:
        """Summarise the parts of the puzzles of a collection, shape ``(n_puzzles, n_parts)``."""
        log_difficulty = percentiles_of(np.log(parts.sum(axis=1)))
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
            percentiles_of(pooled),
            tuple(sorted(orders)),
        )

    def percentiles_below(self, log_difficulty: Floats) -> Floats:
        """Return the percentage of the puzzles that are easier, 0 to 100."""
        return np.asarray(np.interp(log_difficulty, self.log_difficulty, np.arange(101.0)))

    def at_percentile(self, percentile: float) -> float:
        """Return a percentile of the difficulty.

        Raises
        ------
        ValueError
            If it is not between 0 and 100.
        """
        return float(np.interp(check_percentile(percentile), np.arange(101.0), self.log_difficulty))

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
