"""The claims of the papers: ``claims.csv`` has a row for each published number."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from nando.reproduction.core import Cell, Instances, Published
from nando.tables import shipped_rows

Place = tuple[str, str]
"""Row and column of a published number."""
Measured = tuple[float, float]
"""A measurement and its standard error."""
NOTHING: Mapping[Any, Any] = MappingProxyType({})


@cache
def claims(experiment: str) -> Mapping[Place, Published]:
    """Return the published numbers of an experiment by row and column, in order."""
    return {
        (row["row"], row["column"]): Published(
            _number(row["value"]),
            _number(row["low"]),
            _number(row["high"]),
            cast(Instances, row["instances"]),
            row["reason"],
        )
        for row in shipped_rows("nando.reproduction", "claims.csv")
        if row["experiment"] == experiment
    }


def claimed(experiment: str, places: Iterable[Place]) -> list[float]:
    """Return the published numbers at some places."""
    known = claims(experiment)
    return [number for place in places if (number := known[place].value) is not None]


def compared(
    experiment: str,
    measured: Mapping[Place, float | Measured],
    *,
    missing: Mapping[str, str] = NOTHING,
    **said: object,
) -> list[Cell]:
    """Return each claim of an experiment with its measurement.

    Parameters
    ----------
    experiment : str
    measured : mapping
        Measurements by row and column, with a standard error unless they are deterministic.
    missing : mapping
        Reasons why rows were not measured, by the beginning of their names.
    **said
        Numbers that the reasons mention.

    Raises
    ------
    KeyError
        If a measurement does not belong to a claim.
    """
    known = claims(experiment)
    if unknown := set(measured) - set(known):
        raise KeyError(f"{experiment} makes no claim about {unknown}")
    cells = []
    for (row, column), claim in known.items():
        measurement = measured.get((row, column))
        value, error = measurement if isinstance(measurement, tuple) else (measurement, 0.0)
        published = replace(claim, reason=claim.reason.format(**said))
        for name, why in missing.items():
            if row.startswith(name):
                published = Published.lost(why, claim.value)
        cells.append(Cell(row, column, published, value, error))
    return cells


def _number(text: str) -> float | None:
    return cast(float, json.loads(text)) if text else None
