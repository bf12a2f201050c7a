"""Process many puzzles in parts, on one or several threads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_PART = 32
"""Items sent to a worker at a time: sending one takes longer than working on it."""


def in_parts(
    task: Callable[[Sequence[Item]], Iterable[Result]], items: Sequence[Item], n_jobs: int | None
) -> Iterator[Result]:
    """Return the results of `task` for each item, in order.

    Parameters
    ----------
    task : callable
        Takes a part of the items and returns one result for each; must be picklable.
    items : sequence
    n_jobs : int or None
        Number of joblib threads. Another backend in the caller's ``joblib.parallel_config`` takes
        precedence.
    """
    parts = (items[i : i + _PART] for i in range(0, len(items), _PART))
    if n_jobs in (None, 1) or len(items) <= _PART:
        return chain.from_iterable(map(task, parts))
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    return chain.from_iterable(parallel(delayed(task)(part) for part in parts))
