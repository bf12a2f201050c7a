"""Report the progress of long work to a watcher.

A function that works for seconds counts its finished items, and a program can watch the counts to
show the time left. No callback is passed down through the layers. Without a watcher, nothing
happens.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")

Watcher = Callable[[str, int], AbstractContextManager[Callable[[int], object]]]
"""Opens a stage by its name and size, as a context with a function that counts finished items."""

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Report the stages of this block, in this thread, to a watcher.

    Examples
    --------
    >>> @contextmanager
    ... def watcher(doing, total):
    ...     print(f"{doing}: {total}")
    ...     yield lambda n: print(f"{n} more")
    >>> with watched(watcher):
    ...     letters = list(counted(["a", "b"], "letters", 2))
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
    """Return True if there is a watcher."""
    return _watcher.get() is not None


@contextmanager
def stage(doing: str, total: int) -> Iterator[Callable[[int], object]]:
    """Open a stage of the work, and yield a function that counts finished items.

    Stages within stages are also reported. Other threads and processes are not watched.

    Parameters
    ----------
    doing : str
        What is counted, for example ``"folds"``.
    total : int
        Number of items.
    """
    watcher = _watcher.get()
    if watcher is None or not total:
        yield _ignore
    else:
        with watcher(doing, total) as advance:
            yield advance


def counted(items: Iterable[Item], doing: str, total: int) -> Iterator[Item]:
    """Yield the items as a stage; an item counts as finished when the next one is requested.

    Parameters
    ----------
    items : iterable
    doing, total
        As for :func:`stage`.
    """
    with stage(doing, total) as advance:
        for item in items:
            yield item
            advance(1)


def _ignore(n: int, /) -> None:
    pass
