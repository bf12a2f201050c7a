"""A self-check: compile a few lines in every way that nando relies on, and inspect the result."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba.core.serialize import dumps

from nando.kernels.internals.dispatchers import compiled
from nando.kernels.internals.vectors import machine_code
from nando.kernels.lanes import Flag, Memory, Vector, any_of

_WIDTHS = (8, 4)
_NEXT_OF_FOUR = np.array([1, 2, 3, 0, 5, 6, 7, 4])


def check() -> None:
    """Raise an error unless numba compiles, links, caches and loads kernels as expected."""
    _call(compiled(_outer, _SHELF.store, _nrt=True))
    sides = {"_outer-python", "_plus-linked", "_twice-linked", "_square-separate"}
    _require(set(_SHELF.kept) == sides, "is not kept")
    _require(len(_plus.linked.overloads) == 1, "is compiled for each width of integer")
    _require(not _plus.overloads, "has an entry point that nothing called")
    again = compiled(_outer, _SHELF.store, _nrt=True)
    _call(again)
    _require(sum(again.stats.cache_hits.values()) == 1, "is kept but not loaded")
    _require(_lean(np.arange(3, 5)) == 3 + 2 * 4, "that is lean returns something else")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RuntimeError(f"a kernel {otherwise}")


class _Shelf:
    """A cache in memory instead of files."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, bytes]] = {}

    def store(self, function: Callable[..., Any], side: str) -> "_Place":
        return _Place(self.kept, f"{function.__name__}-{side}")


class _Place:
    def __init__(self, kept: dict[str, dict[str, bytes]], name: str) -> None:
        self._kept = kept
        self._name = name

    def load(self, key: Any) -> Any:
        data = self._kept.get(self._name, {}).get(repr(key))
        return None if data is None else pickle.loads(data)

    def save(self, key: Any, data: Any) -> None:
        self._kept.setdefault(self._name, {})[repr(key)] = dumps(data)

    def flush(self) -> None:
        self._kept.pop(self._name, None)


_SHELF = _Shelf()


def _call(kernel: Any) -> None:
    """Call `_outer` and check its result."""
    words = np.arange(5, 5 + sum(_WIDTHS), dtype=np.int32)
    elements = np.arange(32, dtype=np.int8) % 5
    result = kernel(words, elements)
    _require(result == (4, 2 * (3 + 1 + 5) + 7**2), f"returns {result}")
    _require(words.tolist() == _WORDS, f"changes words to {words.tolist()}")


def _outer(words: Any, elements: Any) -> Any:
    # A constant, a short integer and a longer one.
    state = _State(words, elements)
    total = _plus(state, 3) + _plus(state, elements[1]) + _plus(state, words[0])
    total += _square(state, 7)
    return _run_program(words, elements), total


def _kept(**options: bool) -> Callable[..., Any]:
    return lambda function: compiled(function, _SHELF.store, **options)


class _State(NamedTuple):
    words: Any
    elements: Any


@_kept(_nrt=False)
def _plus(state: Any, n: Any) -> Any:
    total = _twice(n)
    if n > 0:
        total += state.elements[0]
    return total


@_kept(_nrt=False, forceinline=True)
def _twice(value: Any) -> Any:
    return 2 * value


@_kept(_nrt=False, separate=True)
def _square(state: Any, n: Any) -> Any:
    if state.words.size == 0:
        raise ValueError("words is empty")
    return n * n


@_kept(_nrt=False)
def _lean(values: Any) -> Any:
    return values[0] + _twice(values[1])


_WORDS = [-13, -13, -261, -511, *[-261] * 4, 8659455, 255, 2164991, 8659455]
"""What `_program` makes of the words; of its three flags the last is set."""


def _program(words: Memory, elements: Memory) -> Sequence[Flag]:
    """Use each operation of a vector at least once."""
    upper = elements.elements(0, 32).equal_to(3)
    gathered = words.gathered([upper, None, upper >> 7, upper], (4,), 0xFFFFFF)
    (wide, narrow), filled = words.until_steady(_spread, words.load(_WIDTHS))
    turned = wide[_NEXT_OF_FOUR] + wide - 3 ^ ~wide
    words.store([turned, narrow | gathered[0]])
    return filled, any_of([narrow == 7]), ~any_of([narrow != narrow])


def _spread(vectors: Sequence[Vector]) -> tuple[Sequence[Vector], Sequence[Vector]]:
    after = [vector | vector << 1 & 0xF0 | vector >> 2 for vector in vectors]
    return after, [vector == 0xFFFF for vector in after]


_run_program = machine_code(_program)
