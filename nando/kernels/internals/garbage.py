"""Pauses the collection of garbage while numba compiles.

A compiler makes millions of objects, most of which live until it ends, and each collection visits
all of them. Without this, compiling takes 6 % longer.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def kept_garbage() -> Iterator[None]:
    """Collect no garbage in this context, in any thread."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
