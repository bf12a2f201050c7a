"""Where compiled kernels are cached, and why the cache is never stale.

numba notices when a function's own file has changed, but not when a kernel it *calls* has changed
in another file. The folder of a module is therefore named after a hash of its source, of every
nando module it imports from, and of the compiler. A changed line recompiles the kernels that
can see it, and no others. A new version of nando reuses the kernels that it did not change.
"""

import hashlib
import os
import re
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^\s*from nando\.(\w+(?:\.\w+)+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
"""Imports that may bring a kernel: a package such as `nando.puzzles` exports classes only."""

_UNUSED_SECONDS = 14 * 24 * 3600
"""A folder of another version is removed after this long without use."""


def cache_folder(module: str) -> Path:
    """Folder of the compiled kernels of a module with exactly this source.

    Parameters
    ----------
    module : str
        Such as ``"nando.solvers.search.annealing"``.

    Returns
    -------
    pathlib.Path
        ``$NUMBA_CACHE_DIR``, or the user's cache folder if that is unset; then ``nando``, and the
        module's name with the first 16 hexadecimal digits of a SHA-256.
    """
    return roots()[0] / folder_name(module)


@cache
def folder_name(module: str) -> str:
    """Name of a module's folder below the root; it changes with anything its kernels depend on."""
    return f"{module.removeprefix('nando.')}-{digest(seen_by(module))}"


def digest(modules: list[str]) -> str:
    """16 hexadecimal digits of a hash of some modules of nando and of the compiler."""
    found = hashlib.sha256(repr(compiler()).encode())
    for name in modules:
        found.update(name.encode())
        found.update(_source(name))
    return found.hexdigest()[:16]


def folder_of(function: Callable[..., Any]) -> str:
    """Name of the folder of a kernel, in nando or elsewhere."""
    module = function.__module__
    # For kernels of other packages only their own source counts.
    return folder_name(module) if module.startswith("nando.") else _foreign_name(function)


@cache
def _foreign_name(function: Callable[..., Any]) -> str:
    path = Path(function.__code__.co_filename)
    source = path.read_bytes() if path.is_file() else function.__code__.co_code
    found = hashlib.sha256(repr(compiler()).encode() + source)
    return f"{function.__module__}-{found.hexdigest()[:16]}"


def seen_by(module: str) -> list[str]:
    """Return a module and all the modules of nando it imports from, directly or not, sorted."""
    seen = {module}
    left = [module]
    while left:
        found = _imported_by(left.pop())
        left += found - seen
        seen |= found
    return sorted(seen)


def _imported_by(module: str) -> set[str]:
    found = set()
    for name, imported in _IMPORT.findall(_source(module).decode()):
        place = _ROOT.joinpath(*name.split("."))
        if place.is_dir():  # modules may be imported from a package, but nothing else
            names = re.findall(r"\w+", imported)
            found |= {f"nando.{name}.{one}" for one in names if (place / f"{one}.py").is_file()}
        else:
            found.add(f"nando.{name}")
    return found


@cache
def _source(module: str) -> bytes:
    return _ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py").read_bytes()


def compiler() -> tuple[str, ...]:
    """Versions of the compiler, which is not imported; the name of each file has the processor."""
    python = sys.implementation.cache_tag or sys.version
    settings = os.environ.get("NUMBA_OPT", "3"), *_settings_file()
    return (python, version("numba"), version("llvmlite"), *settings)


def _settings_file() -> list[str]:
    """Return what numba reads in the working folder, if it is there."""
    with suppress(OSError):
        return [Path(".numba_config.yaml").read_text(errors="replace")]
    return []


def roots() -> list[Path]:
    """Return the folders to search, in order: the one the user names, then the user's cache."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    return [Path(root) / "nando" for root in (named, _user_root()) if root]


def _user_root() -> str | Path:
    if named := os.environ.get("XDG_CACHE_HOME"):
        return named
    if os.name == "nt":
        return os.environ.get("LOCALAPPDATA", str(Path.home()))
    with suppress(RuntimeError):  # the user has no home folder
        return Path.home() / ".cache"
    return ""


@cache
def mark_used(folder: Path) -> None:
    """Mark a folder as used, once per process; remove unused folders of other versions."""
    with suppress(OSError):
        os.utime(folder)
        oldest = time.time() - _UNUSED_SECONDS
        for other in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


@cache
def warn_not_kept() -> None:
    """Warn, once per process, that no folder is writable."""
    tried = ", ".join(str(root) for root in roots())
    warnings.warn(
        "compiled kernels cannot be cached, so every run compiles them: "
        f"none of {tried} is writable; set NUMBA_CACHE_DIR to a writable folder",
        RuntimeWarning,
        stacklevel=2,
    )
