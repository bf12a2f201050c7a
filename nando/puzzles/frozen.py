"""Base classes of frozen values: puzzles, which equal their texts, and records of arrays."""

from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nando.displayed import Displayed
from nando.puzzles.protocol import Puzzle, Values


class FrozenText(Displayed):
    """A value that is hashed, compared, printed and pickled by its one-line text.

    The constructor of a subclass takes the text and fills ``__dict__`` once.
    """

    kind: ClassVar[str]
    text: str
    givens: Values

    @property
    def n_givens(self) -> int:
        """Number of givens."""
        return int(np.count_nonzero(self.givens))

    def cell_name(self: Puzzle, cell: int) -> str:
        """Return the name of a cell in the usual notation, for example ``r4c7``."""
        row, column = divmod(int(cell), self.shape[1])
        return f"r{row + 1}c{column + 1}"

    def _keeps_givens(self, values: Values) -> bool:
        given = self.givens > 0
        return values.shape == given.shape and np.array_equal(values[given], self.givens[given])

    @cached_property
    def _hash(self) -> int:
        return hash(self.text)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen: {name!r} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenText):
            return self.kind == other.kind and self.text == other.text
        return self.text == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.text,)


class EqualFields:
    """Base class of frozen dataclasses that hold arrays and are declared with ``eq=False``.

    Two records are equal if all their fields are. Arrays are compared item by item.
    """

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_equal(mine, getattr(other, name)) for name, mine in self._items())

    def __hash__(self) -> int:
        return hash(tuple(_hashable(value) for _, value in self._items()))

    def _items(self) -> list[tuple[str, Any]]:
        compared = [field for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return [(field.name, getattr(self, field.name)) for field in compared]


def _equal(value: Any, other: Any) -> bool:
    if isinstance(value, np.ndarray) and isinstance(other, np.ndarray):
        # NaN equals NaN here, so that a record equals its copy.
        return np.array_equal(value, other, equal_nan=value.dtype.kind == "f")
    return type(value) is type(other) and bool(value == other)


def _hashable(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else value
