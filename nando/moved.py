"""Old import paths that keep working."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def moved(
    package: str, places: Mapping[str, str], beside: Callable[[str], Any] | None = None
) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a module that finds moved and renamed names.

    Parameters
    ----------
    package : str
        The module that names were moved from.
    places : mapping of str to str
        The package of each name now, or ``"package:name"`` for a renamed object.
    beside : callable or None
        A ``__getattr__`` for all other names.
    """

    def find(name: str) -> Any:
        if name in places:
            place, _, new = places[name].partition(":")
            return getattr(importlib.import_module(place), new or name)
        if beside is not None:
            return beside(name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
