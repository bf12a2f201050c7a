"""Kernels compiled by the documented `numba.njit` alone, with a cache that is never stale.

They serve versions of numba whose internals nando does not use. The results are the same. Starting
takes longer, because kernels are compiled for each combination of constants and integer widths.

numba's own cache does not notice a change in a called kernel, so each kernel has a folder named
after its fingerprint. And two processes that write to it at the same time can leave an index that
names the wrong file, so each process that runs at the same time has folders of its own.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, Any

import numba

from nando.kernels.cache import (
    fingerprint,
    lock_file,
    mark_used,
    remove_unused,
    roots,
    warn_not_kept,
)
from nando.kernels.extensions import begin_compiling

_DECORATING = threading.Lock()
_held: list[IO[str]] = []  # open, and thereby locked, as long as the process lives


def compile_kernel(function: Callable[..., Any], **_: bool) -> Any:
    """Compile a function; ignore options that need numba's internals."""
    root = process_folder()
    if root is None:
        begin_compiling(function.__module__)
        return numba.njit(function, nogil=True)
    folder = root / f"{function.__name__}-{fingerprint(function)}"
    if folder.is_dir():
        mark_used(folder)
    else:
        begin_compiling(function.__module__)
    with _cache_folder(folder):
        try:
            return numba.njit(function, nogil=True, cache=True)
        except RuntimeError:  # the function has no file
            return numba.njit(function, nogil=True)


@cache
def process_folder() -> Path | None:
    """Return a folder for compiled kernels that no other running process uses, if there is one."""
    for root in roots():
        folder = root / "fallback"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = next(i for i in count() if _is_ours(folder / f"{i}.lock"))
        except OSError:
            continue
        remove_unused(folder, f"{number}/*")
        return folder / str(number)
    warn_not_kept()
    return None


def _is_ours(path: Path) -> bool:
    """Lock a file until this process ends; return False if another process locks it."""
    file = lock_file(path)
    if file is not None:
        _held.append(file)
    return file is not None


@contextmanager
def _cache_folder(folder: Path) -> Iterator[None]:
    """Let numba cache the functions decorated in this context in a folder."""
    with _DECORATING:
        before = getattr(numba.config, "CACHE_DIR", "")
        numba.config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before
