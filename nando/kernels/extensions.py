"""Functions to call before the first kernel is compiled.

Importing numba takes longer than most short commands run. A module that extends numba therefore
registers a function here, which is called when the first kernel is needed.
"""

from collections import deque
from collections.abc import Callable
from threading import RLock
from typing import Any

_waiting: deque[Callable[[], None]] = deque()
_begin: list[Callable[[str], None]] = []
_extending = RLock()


def before_compiling(extend: Callable[[], None]) -> Callable[[], None]:
    """Call a function, which may import numba, before the next kernel is compiled or loaded."""
    _waiting.append(extend)
    extend.__dict__["extends_numba"] = True
    return extend


def extensions_in(names: dict[str, Any]) -> list[Callable[[], None]]:
    """Return the functions among the names of a module that were given to `before_compiling`."""
    return [value for value in names.values() if getattr(value, "extends_numba", False) is True]


def extend_numba() -> None:
    """Call the functions that `before_compiling` registered, each of them once."""
    with _extending:
        while _waiting:
            _waiting.popleft()()


def on_first_compile(act: Callable[[str], None]) -> None:
    """Call a function once, before this process compiles the first kernel that is not on disk.

    Parameters
    ----------
    act : callable
        Takes the name of the kernel's module. It may compile kernels in other processes, because
        the kernel is looked up on disk again afterwards. It replaces an earlier function.
    """
    _begin[:] = [act]


def begin_compiling(module: str) -> bool:
    """Call the function given to `on_first_compile`; return True if there is one."""
    with _extending:
        waiting = _begin.copy()
        _begin.clear()
        for act in waiting:
            act(module)
    return bool(waiting)
