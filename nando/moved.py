"""Names that stood in another package before: their old paths go on working."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def moved(
    package: str, places: Mapping[str, str], beside: Callable[[str], Any] | None = None
) -> Callable[[str], Any]:
    """A module's ``__getattr__`` that finds names where they stand now.

    Parameters
    ----------
    package : str
        The module that had the names.
    places : mapping of str to str
        The package that has each name now.
    beside : callable or None
        The ``__getattr__`` that finds the other names.
    """

    def find(name: str) -> Any:
        if name in places:
            return getattr(importlib.import_module(places[name]), name)
        if beside is not None:
            return beside(name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
