"""Tables whose entries are made when first asked for."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import TypeVar

Value = TypeVar("Value")


class OnDemand(MutableMapping[str, Value]):
    """A mapping that makes each value on first use: so a kind of puzzle costs no import until then.

    Parameters
    ----------
    makers : mapping of str to callable
        Takes nothing and returns the value of its key.

    Examples
    --------
    >>> table = OnDemand({"one": lambda: 1})
    >>> table["two"] = 2
    >>> list(table), table["one"]
    (['one', 'two'], 1)
    """

    def __init__(self, makers: Mapping[str, Callable[[], Value]]) -> None:
        self._makers = dict(makers)
        self._made: dict[str, Value] = {}

    def __getitem__(self, key: str) -> Value:
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._makers

    def __setitem__(self, key: str, value: Value) -> None:
        self._makers[key] = lambda: value
        self._made[key] = value

    def __delitem__(self, key: str) -> None:
        del self._makers[key]
        self._made.pop(key, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
