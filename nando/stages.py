"""Stages of long work, told to whoever watches.

A function that works for seconds counts what it has done; a program may watch and show the time
left. So no callback is handed down through the layers, and without a watcher nothing happens.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")

Watcher = Callable[[str, int], AbstractContextManager[Callable[[int], object]]]
"""Takes the name and the size of a stage that begins; what it opens takes how much more is done."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Have stages told in this block, in this thread.

    Examples
    --------
    >>> @contextmanager
    ... def watcher(doing, total):
    ...     print(f"{doing}: {total}")
    ...     yield lambda n: print(f"{n} more")
    >>> with watched(watcher):
    ...     found = list(counted(["a", "b"], "letters", 2))
    letters: 2
    1 more
    1 more
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def is_watched() -> bool:
    """Return True if anybody watches."""
    return _watcher.get() is not None


@contextmanager
def stage(doing: str, total: int) -> Iterator[Callable[[int], object]]:
    """A stage of the work; what it opens takes how much more is done.

    Stages within stages are told as well. Other threads and processes are not watched.

    Parameters
    ----------
    doing : str
        What is counted, such as ``"folds"``.
    total : int
        How many there are.
    """
    watcher = _watcher.get()
    if watcher is None or not total:
        yield _nobody
    else:
        with watcher(doing, total) as advance:
            yield advance


def counted(items: Iterable[Item], doing: str, total: int) -> Iterator[Item]:
    """Yield the items as they come, a stage; each counts once the caller is done with it.

    Parameters
    ----------
    items : iterable
    doing, total
        As of :func:`stage`.
    """
    with stage(doing, total) as advance:
        for item in items:
            yield item
            advance(1)


def _nobody(n: int, /) -> None:
    pass
