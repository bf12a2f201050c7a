"""Predictions as people read them, and as files keep them."""

import math
from typing import Any


def duration(seconds: float) -> str:
    """Seconds for people.

    Examples
    --------
    >>> duration(48.2), duration(365), duration(4320)
    ('48 s', '6 min 05 s', '1 h 12 min')
    """
    total = round(seconds)
    if total < 60:
        return f"{total} s"
    if total < 3600:
        return f"{total // 60} min {total % 60:02} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min"


def amount(value: float, unit: str) -> str:
    """A prediction for people.

    Examples
    --------
    >>> amount(365, "seconds"), amount(120.3, "points")
    ('6 min 05 s', '120 points')
    """
    return duration(value) if unit == "seconds" else f"{value:.0f} {unit}"


def plain(value: Any) -> Any:
    """A table's cell as a Python value: no numpy scalars, None for what is not a number."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value
