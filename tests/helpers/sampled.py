"""Parameters for tests: a sample by default, all others in the thorough tests."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def only(chosen: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """Return values for a parametrized test; all but the chosen ones are marked thorough."""
    return [value if value in chosen else _thorough(value) for value in values]


def one_in(n: int, values: Iterable[Any]) -> list[Any]:
    """Return values for a parametrized test; all but every `n`-th are marked thorough."""
    return [value if i % n == 0 else _thorough(value) for i, value in enumerate(values)]


def _thorough(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.thorough)
