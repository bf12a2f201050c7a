"""Small products and solutions of linear equations on one thread.

A BLAS wakes its other threads for products of a few thousand numbers, and waits for all of them. On
a busy machine this takes milliseconds, hundreds of times as long as the product.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

_lock = Lock()
_blocks: list[Any] = []
"""The limit of each block that runs now. The setting is one for the whole process, so the first
block limits the threads, and the last to end restores their number."""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Compute with one BLAS thread during a block, or during calls of a decorated function."""
    with _lock:
        _blocks.append(
            _blocks[0]
            if _blocks
            else _controller("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas")
        )
    try:
        yield
    finally:
        with _lock:
            limit = _blocks.pop()
            if not _blocks:
                limit.restore_original_limits()


@cache
def _controller(with_scipy: bool) -> Any:
    """Return the controller of the libraries that are loaded; scipy has a BLAS of its own."""
    del with_scipy
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
