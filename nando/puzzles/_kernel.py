"""The one way nando compiles: numba kernels with a disk cache that cannot go stale.

numba keeps a cached kernel even when a kernel it *calls* has changed in another module. The cache
folder is therefore named after a hash of every source file that may hold a kernel: change one
line and all kernels compile anew, once; a new version of nando never reads the kernels of an old.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

_KERNEL_PACKAGES = ("puzzles", "solvers")


@cache
def cache_folder() -> Path:
    """Folder of the compiled kernels of exactly this source.

    Returns
    -------
    pathlib.Path
        ``$NUMBA_CACHE_DIR`` or, where it is unset, the user's cache folder; then ``nando`` and
        the first 16 hexadecimal digits of the SHA-256 of the kernel sources.
    """
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parent.parent
    for name in _KERNEL_PACKAGES:
        for source in sorted((package / name).glob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    return _cache_root() / "nando" / f"kernels-{digest.hexdigest()[:16]}"


def _cache_root() -> Path:
    named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    return Path.home() / ".cache"


def is_warm() -> bool:
    """Whether kernels of this source were compiled and kept before."""
    return any(cache_folder().glob("**/*.nbi"))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on its first call; keep it on disk; release the interpreter lock."""
    return _compiled(function, inlined=False)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` into every kernel that calls it.

    For the work of innermost loops: each array passed to a kernel is seven words, and a state of
    several arrays takes longer to pass than to work on.
    """
    return _compiled(function, inlined=True)


def _compiled(function: Callable[..., Any], *, inlined: bool) -> Any:
    """Compile with numba.

    numba reads its cache folder when a function is decorated, so the setting is put in place for
    that moment only and other packages' kernels stay where they are.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(cache=True, nogil=True, forceinline=inlined)(function)
    except RuntimeError:  # no folder can be written (a read-only machine): compile in memory
        return numba.njit(nogil=True, forceinline=inlined)(function)
    finally:
        numba.config.CACHE_DIR = before
