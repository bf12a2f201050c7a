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
from typing import IO, Any

_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^\s*from nando\.(\w+(?:\.\w+)+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
"""Imports that may bring a kernel: a package such as `nando.puzzles` exports classes only."""

_UNUSED_SECONDS = 14 * 24 * 3600
"""A folder of another version is removed after this long without use."""


def cache_folder(module: str) -> Path:
    """Return the folder of the compiled kernels of a module with its present source.

    Parameters
    ----------
    module : str
        Its name, for example ``"nando.solvers.search.annealing"``.

    Returns
    -------
    pathlib.Path
        ``$NUMBA_CACHE_DIR``, or the user's cache folder if that is unset; then ``nando``, and the
        module's name with the first 16 hexadecimal digits of a SHA-256.
    """
    return roots()[0] / folder_name(module)


@cache
def folder_name(module: str) -> str:
    """Return the name of a module's folder, which changes with all that its kernels depend on."""
    return f"{module.removeprefix('nando.')}-{digest(seen_by(module))}"


def digest(modules: list[str]) -> str:
    """Return 16 hexadecimal digits of a hash of some modules of nando and of the compiler."""
    digested = hashlib.sha256(repr(compiler()).encode())
    for name in modules:
        digested.update(name.encode())
        digested.update(_source(name))
    return digested.hexdigest()[:16]


def folder_of(function: Callable[..., Any]) -> str:
    """Return the name of the folder of a kernel, which need not be one of nando."""
    module = function.__module__
    return folder_name(module) if module.startswith("nando.") else _foreign_name(function)


@cache
def _foreign_name(function: Callable[..., Any]) -> str:
    path = Path(function.__code__.co_filename)
    if path.is_file():
        source = path.read_bytes()
        called = _seen_from(source)
    else:  # nobody knows what it imports
        source = function.__code__.co_code
        called = {
            ".".join(file.relative_to(_ROOT.parent).with_suffix("").parts)
            for file in _ROOT.rglob("*.py")
        }
    digested = hashlib.sha256(digest(sorted(called)).encode() + source)
    return f"{function.__module__}-{digested.hexdigest()[:16]}"


def seen_by(module: str) -> list[str]:
    """Return a module and all the modules of nando it imports from, directly or not, sorted."""
    return sorted({module} | _seen_from(_source(module)))


def _seen_from(source: bytes) -> set[str]:
    """Return all the modules of nando that some source imports from, directly or not."""
    seen: set[str] = set()
    left = [source]
    while left:
        imported = _imported_in(left.pop()) - seen
        left += map(_source, imported)
        seen |= imported
    return seen


def _imported_in(text: bytes) -> set[str]:
    modules = set()
    for source, imported in _IMPORT.findall(text.decode()):
        path = _ROOT.joinpath(*source.split("."))
        if path.is_dir():  # only modules of a package count, not what it exports
            names = re.findall(r"\w+", imported)
            modules |= {
                f"nando.{source}.{name}" for name in names if (path / f"{name}.py").is_file()
            }
        elif path.with_suffix(".py").is_file():
            modules.add(f"nando.{source}")
    return modules


@cache
def _source(module: str) -> bytes:
    return _ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py").read_bytes()


def compiler() -> tuple[str, ...]:
    """Return the versions and settings of the compiler, without importing it.

    nando's own passes are a part of it. The processor is not: it is part of each file's name.
    """
    python = sys.implementation.cache_tag or sys.version
    settings = os.environ.get("NUMBA_OPT", "3"), *_settings_file()
    return (python, version("numba"), version("llvmlite"), _passes(), *settings)


@cache
def _passes() -> str:
    """Return a hash of what `nando.kernels.compile` imports when it is first called."""
    digested = hashlib.sha256()
    for name in seen_by("nando.kernels.internals.dispatchers"):
        digested.update(_source(name))
    return digested.hexdigest()


def _settings_file() -> list[str]:
    """Return the content of numba's settings file in the working folder, if there is one."""
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


# Locks on files between processes; a lock ends with the process that holds it


def locked(path: Path) -> IO[str] | None:
    """Lock a file until it is closed, and return it; return None if another process locks it.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    file = path.open("a")
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        return None
    return file


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
