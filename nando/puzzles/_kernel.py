"""The one way nando compiles: numba kernels with a disk cache that cannot go stale.

numba keeps a cached kernel even when a kernel it *calls* has changed in another module. The cache
folder of a module is therefore named after a hash of its source and of every nando module it
imports from: change one line and all kernels that may see it compile anew, once, and no others; a
new version of nando never reads a kernel of an old one that differs.
"""

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.event import Event, Listener, register

_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^\s*from nando\.(\w+(?:\.\w+)+) import", re.MULTILINE)
"""Imports from a module; kernels are never imported from a package, which re-exports classes."""


@cache
def cache_folder(module: str) -> Path:
    """Folder of the compiled kernels of exactly this source of a module.

    Parameters
    ----------
    module : str
        Such as ``"nando.solvers.annealing"``.

    Returns
    -------
    pathlib.Path
        ``$NUMBA_CACHE_DIR`` or, where it is unset, the user's cache folder; then ``nando``, and
        the module's name with the first 16 hexadecimal digits of a SHA-256.
    """
    digest = hashlib.sha256()
    for name in seen_by(module):
        digest.update(name.encode())
        digest.update(_source(name))
    return _cache_root() / "nando" / f"{module.removeprefix('nando.')}-{digest.hexdigest()[:16]}"


def seen_by(module: str) -> list[str]:
    """A module and all the modules of nando it imports from, directly or not, in order."""
    seen = {module}
    left = [module]
    while left:
        found = {f"nando.{name}" for name in _IMPORT.findall(_source(left.pop()).decode())}
        left += found - seen
        seen |= found
    return sorted(seen)


@cache
def _source(module: str) -> bytes:
    return _ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py").read_bytes()


def _cache_root() -> Path:
    named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    return Path.home() / ".cache"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on its first call; keep it on disk; release the interpreter lock."""
    # Said outright: a kernel first compiled for a lean one would take after it.
    return _compiled(function, _nrt=True)


def lean_kernel(function: Callable[..., Any]) -> Any:
    """Compile a `function` that makes no array, neither a copy nor one it returns.

    numba counts the references to an array each time it takes one out of a named tuple, which
    takes longer than most of what is then done with it. A lean kernel counts none: it relies on
    its caller to hold what it is given. It may take slices, and assign to single elements.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile a lean `function` into every kernel that calls it.

    For the work of innermost loops: each array passed to a kernel is seven words, and a state of
    several arrays takes longer to pass than to work on.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    """Compile with numba.

    numba reads its cache folder when a function is decorated, so the setting is put in place for
    that moment only and other packages' kernels stay where they are.
    """
    if not function.__module__.startswith("nando."):  # a reader's own solver: numba's cache
        return numba.njit(cache=True, nogil=True, **options)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(function.__module__))
    try:
        return numba.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:  # no folder can be written (a read-only machine): compile in memory
        return numba.njit(nogil=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before


class _Once(Listener):  # type: ignore[misc]
    """Calls `tell` when a kernel is compiled for the first time in this process."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, event: Event) -> None:
        """A kernel that was not found on disk is about to be compiled."""
        if not self._told:
            self._told = True
            self._tell()

    def on_end(self, event: Event) -> None:
        """Nothing to say."""


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell`, once, should this process have to compile a kernel."""
    register("numba:compile", _Once(tell))
