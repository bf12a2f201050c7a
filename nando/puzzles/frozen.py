"""The base of puzzle classes: frozen, and equal to its text."""

from functools import cached_property
from typing import Any, ClassVar


class FrozenText:
    """A value that is hashed, compared, printed and pickled by its one-line text.

    A class fills ``__dict__`` once, in its constructor, which takes the text.
    """

    kind: ClassVar[str]
    text: str

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
