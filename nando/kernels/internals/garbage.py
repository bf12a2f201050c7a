"""Pauses the collection of garbage while numba compiles.

A compiler makes millions of objects, most of which live until it ends, and each collection visits
all of them. Without this, a first rating takes a fifth longer.
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
            _age()
            gc.enable()


def _age() -> None:
    """Move all objects to the oldest generation, which the next collections do not visit."""
    if not gc.get_freeze_count():  # else the program keeps objects out of all collections
        gc.freeze()
        gc.unfreeze()
