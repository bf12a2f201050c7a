"""Parameters of which the default tests run some, and the thorough ones all others."""

from collections.abc import Sequence
from typing import Any

import pytest


def one_in(n: int, values: Sequence[Any]) -> list[Any]:
    """Return values for a parametrized test; all but every `n`-th are marked thorough."""
    return [
        value if i % n == 0 else pytest.param(value, marks=pytest.mark.thorough)
        for i, value in enumerate(values)
    ]
