"""Functions to call before the first kernel is compiled.

Importing numba takes longer than most short commands run. A module that extends numba therefore
registers a function here, which is called when the first kernel is needed.
"""

from collections import deque
from collections.abc import Callable
from threading import RLock

_waiting: deque[Callable[[], None]] = deque()
_begin: list[Callable[[str], None]] = []
_extending = RLock()


def before_compiling(extend: Callable[[], None]) -> Callable[[], None]:
    """Call a function, which may import numba, before the next kernel is compiled or loaded."""
    _waiting.append(extend)
    return extend


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
