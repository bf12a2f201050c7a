"""Kernels compiled by the documented `numba.njit` alone, with a cache that is never stale.

They serve versions of numba whose internals nando cannot use. The results are the same. Starting
takes longer, because kernels are compiled for each combination of constants and integer widths, and
any change to nando's source or to the compiler recompiles everything.

numba's own cache does not notice a change in a called kernel, and two processes that write it at
the same time can leave an index that names the wrong file. Its folder is therefore named after a
hash of all of nando's sources and of the compiler, and has a subfolder for each process that runs
at the same time.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, Any

import numba

from nando.kernels.cache import digest, folder_of, locked, mark_used, roots, warn_not_kept
from nando.kernels.extensions import begin_compiling

_PACKAGE = Path(__file__).resolve().parent.parent
_DECORATING = threading.Lock()
_held: list[IO[str]] = []  # open as long as the process lives


def compiled(function: Callable[..., Any], **_: bool) -> Any:
    """Compile a function; ignore options that need numba's internals."""
    folder = process_folder()
    if folder is None or not any(folder.rglob("*.nbc")):
        begin_compiling(function.__module__)
    if folder is not None:
        if not function.__module__.startswith("nando."):
            folder /= folder_of(function)
        with _cache_folder(folder):
            try:
                kernel = numba.njit(function, nogil=True, cache=True)
            except RuntimeError:  # the function has no file
                kernel = None
        if _kept_in(kernel, folder):
            return kernel
    return numba.njit(function, nogil=True)


@cache
def process_folder() -> Path | None:
    """Return a folder for compiled kernels that no other running process uses, if there is one."""
    modules = [
        f"nando.{'.'.join(path.relative_to(_PACKAGE).with_suffix('').parts)}"
        for path in sorted(_PACKAGE.rglob("*.py"))
    ]
    name = f"fallback-{digest(modules)}"
    for root in roots():
        folder = root / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            number = next(i for i in count() if _reserved(folder / f"{i}.lock"))
        except OSError:
            continue
        mark_used(folder)
        return folder / str(number)
    warn_not_kept()
    return None


def _reserved(path: Path) -> bool:
    """Lock a file until this process ends; return True if that worked."""
    file = locked(path)
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


def _kept_in(kernel: Any, folder: Path) -> bool:
    """Return True if numba uses this folder, not its own, where kernels can be stale."""
    path = getattr(getattr(kernel, "stats", None), "cache_path", None)
    return path is not None and Path(path).is_relative_to(folder)
