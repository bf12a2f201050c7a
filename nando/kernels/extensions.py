"""What is done before the first kernel is compiled.

Importing numba takes longer than most short commands compute. So a module that extends numba only
says here how, and numba is told when the first kernel needs it.
"""

from collections import deque
from collections.abc import Callable
from threading import RLock

_waiting: deque[Callable[[], None]] = deque()
_begin: list[Callable[[str], None]] = []
_telling = RLock()


def before_compiling(tell: Callable[[], None]) -> Callable[[], None]:
    """Call a function, which may import numba, before the next kernel is compiled or loaded."""
    _waiting.append(tell)
    return tell


def tell_numba() -> None:
    """Call all functions that wait for it."""
    with _telling:
        while _waiting:
            _waiting.popleft()()


def on_first_compile(act: Callable[[str], None]) -> None:
    """Call a function, once, before this process compiles the first kernel that is not on disk.

    Parameters
    ----------
    act : callable
        Takes the name of the kernel's module. It may compile kernels in other processes: they are
        looked for on disk again afterwards. It replaces a function that was given before.
    """
    _begin[:] = [act]


def begin_compiling(module: str) -> bool:
    """Call the function that waits for the first compilation; return True if there is one."""
    with _telling:
        waiting = _begin.copy()
        _begin.clear()
        for act in waiting:
            act(module)
    return bool(waiting)
