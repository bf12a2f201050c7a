"""Measure the memory and the references that a call adds."""

import ctypes
import gc
import os
import sys
from contextlib import suppress

import numpy as np

STATM = "/proc/self/statm"
PARTS = 12
"""Calls are made in at most so many parts: a leak adds to each of them, a cache to some."""


def resident():
    """Return the bytes of memory in use after garbage is collected and free memory returned."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only the C library of GNU has it
        ctypes.CDLL(None).malloc_trim(0)
    with open(STATM) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(run, n_calls, largest):
    """Return the bytes that a call adds, the least of several parts; stop below `largest`."""
    least = float("inf")
    before = resident()
    for _ in range(PARTS):
        for _ in range(n_calls):
            run()
        after = resident()
        least = min(least, (after - before) / n_calls)
        if least < largest:
            break
        before = after
    return least


class Allocations:
    """A counter of the arrays and generators that compiled code refers to."""

    def __init__(self):
        from numba.core.runtime import _nrt_python as runtime

        self._runtime = runtime

    def __enter__(self):
        self._runtime.memsys_enable_stats()
        return self

    def __exit__(self, *_):
        self._runtime.memsys_disable_stats()

    def held(self):
        """Return the current number of references without those of caches."""
        empty_caches()
        return self._runtime.memsys_get_stats_mi_alloc() - self._runtime.memsys_get_stats_mi_free()


def empty_caches():
    """Empty the caches that keep the last results."""
    for name, module in list(sys.modules.items()):
        if name.startswith("nando."):
            for value in list(vars(module).values()):
                if getattr(value, "cache_parameters", dict)().get("maxsize"):
                    value.cache_clear()


def references(values):
    """Return the number of references to each value."""
    return [sys.getrefcount(value) for value in values]


def arrays_in(value):
    """Return the arrays in a puzzle or in nested tuples."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, tuple):
        return [array for element in value for array in arrays_in(element)]
    return [
        array for array in getattr(value, "__dict__", {}).values() for array in arrays_in(array)
    ]
