"""The range of a model's training puzzles: grade scale, percentiles and edge."""

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.names import Grade
from nando.rating.percentiles import Percentiles, read_orders
from nando.rating.rating import (
    GRADES,
    UNSEEN_ORDER_FACTOR,
    FlagCode,
    Flags,
    number_of,
    unknown_order,
)
from nando.rating.records import above_zero, numbers, plain_floats


@dataclass(frozen=True)
class Population:
    """Summary of a model's training puzzles.

    Attributes
    ----------
    columns : tuple of str
    low, high : tuple of float
        Least and largest value of each column.
    centre, spread : tuple of float
        Mean and standard deviation of each column.
    precision : tuple of tuple of float
        Inverse of the columns' covariance matrix.
    edge : float
        Mahalanobis distance from the centre that contains 99 % of the training puzzles.
    log_seconds : Percentiles
        Percentiles of the predicted log seconds of the training puzzles.
    orders : tuple of int
        Orders of the training puzzles; empty where unknown.
    """

    columns: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    centre: tuple[float, ...]
    spread: tuple[float, ...]
    precision: tuple[tuple[float, ...], ...]
    edge: float
    log_seconds: Percentiles
    orders: tuple[int, ...]

    @classmethod
    def of(cls, table: Floats, columns: list[str], log_seconds: Floats, orders: set[int]) -> Self:
        """Summarise a feature table, shape (n_puzzles, n_columns), and its predictions."""
        centre = table.mean(axis=0)
        covariance = np.atleast_2d(np.cov(table, rowvar=False))
        # A constant column has no variance, so any other value is far outside.
        covariance = covariance + np.diag(np.full(len(columns), 1e-9))
        precision = np.asarray(np.linalg.inv(covariance), dtype=np.float64)
        distance = _distance(table, centre, precision)
        return cls(
            columns=tuple(columns),
            low=plain_floats(table.min(axis=0)),
            high=plain_floats(table.max(axis=0)),
            centre=plain_floats(centre),
            spread=plain_floats(np.sqrt(np.diag(covariance))),
            precision=tuple(plain_floats(line) for line in precision),
            edge=plain_floats(np.array([np.quantile(distance, 0.99)]))[0],
            log_seconds=Percentiles.of(log_seconds),
            orders=tuple(sorted(orders)),
        )

    def grade(self, log_seconds: Floats) -> list[Grade]:
        """Return the grade of each predicted time; a sixth of the training puzzles have each."""
        bounds = [self.log_seconds[100 * i // len(GRADES)] for i in range(1, len(GRADES))]
        return [GRADES[i] for i in np.searchsorted(bounds, log_seconds, side="right")]

    def grade_range(self, grade: str) -> tuple[float, float]:
        """Return the least and largest log seconds of a grade among the training puzzles.

        Raises
        ------
        ValueError
            For an unknown grade.
        """
        share, number = 100 / len(GRADES), number_of(grade)
        return self.log_seconds.at(share * number), self.log_seconds.at(share * (number + 1))

    def widening(self, table: Floats, orders: list[int | None]) -> tuple[Floats, list[Flags]]:
        """Return the factor by which the interval of each puzzle is widened, and the reason.

        Within the edge the factor is 1; beyond it, the factor is the distance in units of the
        edge. A column beyond all training puzzles adds its excess in standard deviations.

        Returns
        -------
        factor : ndarray of float64, shape (n_puzzles,)
        flags : list of Flags
            Empty for puzzles like the training puzzles.
        """
        distance = _distance(table, np.array(self.centre), np.array(self.precision))
        beyond = np.maximum(self.low - table, table - self.high) / self.spread
        factor = np.maximum(1.0, distance / max(self.edge, 1e-9))
        factor += np.maximum(beyond.max(axis=1, initial=0.0), 0.0)
        flags = []
        for i, row in enumerate(table):
            reasons: list[tuple[FlagCode, str]] = [
                (
                    "beyond_known",
                    f"{name} {value:.3g} {'above' if value > high else 'below'} "
                    f"{high if value > high else low:.3g}",
                )
                for name, value, low, high in zip(
                    self.columns, row, self.low, self.high, strict=True
                )
                if not low <= value <= high
            ]
            if unseen := unknown_order(orders[i], self.orders):
                factor[i] *= UNSEEN_ORDER_FACTOR
                reasons = unseen + reasons
            if factor[i] > 1.0 and not reasons:
                reasons.append(("unusual_combination", "an unusual combination of features"))
            flags.append(Flags.outside(reasons))
        return factor, flags

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Self:
        """Rebuild from :meth:`to_dict`.

        Raises
        ------
        ValueError
            For numbers that are not finite or of another shape, or a scale that falls.
        """
        n = len(record["columns"])

        def of_columns(name: str) -> tuple[float, ...]:
            return tuple(numbers(record[name], f"population {name}", n).tolist())

        precision = numbers(record["precision"], "population precision", n, n)
        return cls(
            columns=tuple(record["columns"]),
            low=of_columns("low"),
            high=of_columns("high"),
            centre=of_columns("centre"),
            spread=tuple(above_zero(record["spread"], "population spread", n).tolist()),
            precision=tuple(map(tuple, precision.tolist())),
            edge=float(numbers(record["edge"], "population edge")),
            log_seconds=Percentiles.read(record, "population", "log_seconds"),
            orders=read_orders(record, "population"),
        )


def _distance(table: Floats, centre: Floats, precision: Floats) -> Floats:
    away = table - centre
    squared = np.einsum("ij,jk,ik->i", away, precision, away)
    return np.asarray(np.sqrt(np.maximum(squared, 0.0)))
