"""Records whose fields are imported when they are first used.

A layer has one table with a record for each kind of puzzle. The record names the modules and
objects of the kind that the layer needs, so that a kind is imported only when one of them is used.
"""

from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import Any


@dataclass(frozen=True)
class _Place:
    path: str

    def load(self) -> Any:
        module, _, name = self.path.partition(":")
        imported = import_module(module)
        return attrgetter(name)(imported) if name else imported


def place(path: str) -> Any:
    """Name a module, or an object in one, for a field of an :class:`OnDemand`.

    Parameters
    ----------
    path : str
        ``"package.module"`` or ``"package.module:name"``.
    """
    return _Place(path)


class OnDemand:
    """Base of a dataclass in which a field may be a place; reading the field imports it.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Entry(OnDemand):
    ...     root: Any
    >>> Entry(place("math:sqrt")).root(9.0)
    3.0
    """

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if isinstance(value, _Place):
            value = self.__dict__[name] = value.load()
        return value
