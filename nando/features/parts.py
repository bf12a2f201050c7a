"""Work on many puzzles, a part of them at a time, on one thread or on several."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_PART = 32
"""Items that a worker is given at a time: sending one takes longer than working on it."""


def in_parts(
    task: Callable[[Sequence[Item]], Sequence[Result]], items: Sequence[Item], n_jobs: int | None
) -> Iterator[Result]:
    """What `task` makes of each item, in order.

    Parameters
    ----------
    task : callable
        Takes a part of the items and returns as many results; one that can be pickled.
    items : sequence
    n_jobs : int or None
        For joblib. Threads are a hint: the backend of the caller's ``joblib.parallel_config``
        comes first.
    """
    parts = (items[i : i + _PART] for i in range(0, len(items), _PART))
    if n_jobs in (None, 1) or len(items) <= _PART:
        return chain.from_iterable(map(task, parts))
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    return chain.from_iterable(parallel(delayed(task)(part) for part in parts))
