"""What numba must be told before it compiles a kernel.

Importing numba takes longer than most short commands compute. So a module that extends numba only
says here how, and numba is told when the first kernel needs it.
"""

from collections import deque
from collections.abc import Callable
from threading import RLock

_waiting: deque[Callable[[], None]] = deque()
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
