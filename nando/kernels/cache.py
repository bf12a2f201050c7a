"""Compiled kernels on disk: never stale, safe to share, cleaned up by themselves.

numba keeps a cached kernel even when a kernel it *calls* has changed in another module, and takes
the age of a file for its content. The folder of a module is therefore named after a hash of its
source, of every nando module it imports from, and of the compiler: change one line and all kernels
that may see it compile anew, once, and no others; a new version of nando never reads a kernel of an
old one that differs, and finds those that do not.

numba also numbers its files by an index, which two processes that compile at once may write with
the same number for different signatures. Here a file is named after all that it depends on.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^\s*from nando\.(\w+(?:\.\w+)+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
"""Imports that may bring a kernel: from a package such as `nando.puzzles` only classes come."""

_UNUSED_SECONDS = 14 * 24 * 3600
"""A folder of another version is removed when nothing has asked for it this long."""


def cache_folder(module: str) -> Path:
    """Folder of the compiled kernels of exactly this source of a module.

    Parameters
    ----------
    module : str
        Such as ``"nando.solvers.search.annealing"``.

    Returns
    -------
    pathlib.Path
        ``$NUMBA_CACHE_DIR`` or, where it is unset, the user's cache folder; then ``nando``, and
        the module's name with the first 16 hexadecimal digits of a SHA-256.
    """
    return _roots()[0] / folder_name(module)


@cache
def folder_name(module: str) -> str:
    """Name of a module's folder below the root: it changes with all that the kernels depend on."""
    digest = hashlib.sha256(repr(_compiler()).encode())
    for name in seen_by(module):
        digest.update(name.encode())
        digest.update(_source(name))
    return f"{module.removeprefix('nando.')}-{digest.hexdigest()[:16]}"


def seen_by(module: str) -> list[str]:
    """A module and all the modules of nando it imports from, directly or not, in order."""
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
        if place.is_dir():  # its modules may be imported, but nothing is taken from its face
            names = re.findall(r"\w+", imported)
            found |= {f"nando.{name}.{one}" for one in names if (place / f"{one}.py").is_file()}
        else:
            found.add(f"nando.{name}")
    return found


@cache
def _source(module: str) -> bytes:
    return _ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py").read_bytes()


def _compiler() -> tuple[str, ...]:
    """What compiles, besides the processor, which is in the name of each file."""
    return (sys.version, numba.__version__, llvmlite.__version__, str(numba.config.OPT))


def _roots() -> list[Path]:
    """Folders to look in, in order: the one that is asked for, then the user's."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    return [Path(root) / "nando" for root in (named, _user_root()) if root]


def _user_root() -> str | Path:
    if named := os.environ.get("XDG_CACHE_HOME"):
        return named
    if os.name == "nt":
        return os.environ.get("LOCALAPPDATA", str(Path.home()))
    with suppress(RuntimeError):  # nobody's home
        return Path.home() / ".cache"
    return ""


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Satisfies numba, which asks where a file lies and how old it is."""

    @classmethod
    def from_function(cls, _: Callable[..., Any], py_file: str) -> "_Locator":
        self = cls()
        self._py_file = py_file
        return self

    def get_cache_path(self) -> str:
        return ""

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""

    def ensure_cache_path(self) -> None:
        """Folders are made when a file is written."""


class _Compiled(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The files of one side of a kernel: ``python`` or ``linked``."""

    _impl_class = _Compiled

    def __init__(self, py_func: Callable[..., Any], side: str) -> None:
        super().__init__(py_func)
        module = py_func.__module__
        within = module.startswith("nando.")
        # A reader's own kernels are known by their own source only.
        folder = folder_name(module) if within else _foreign_name(py_func)
        self._cache_file = _Files(folder, f"{py_func.__qualname__}-{side}")


@cache
def _foreign_name(py_func: Callable[..., Any]) -> str:
    path = Path(py_func.__code__.co_filename)
    source = path.read_bytes() if path.is_file() else py_func.__code__.co_code
    digest = hashlib.sha256(repr(_compiler()).encode() + source)
    return f"{py_func.__module__}-{digest.hexdigest()[:16]}"


class _Files:
    """One file for each signature and processor, written whole or not at all."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._name = re.sub(r"[^\w.-]", "", name)

    def load(self, key: Any) -> Any:
        """What was kept for this key, or None."""
        for path in self._paths(key):
            try:
                kept = pickle.loads(path.read_bytes())
            except Exception:  # not there, not readable, or not whole
                continue
            _in_use(path.parent)
            return kept
        return None

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled for this key in the first folder that can be written."""
        kept = dumps(data)
        for path in self._paths(key):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as f:
                    f.write(kept)
                os.replace(f.name, path)
            except OSError:
                continue
            _in_use(path.parent)
            return
        _say_not_kept()

    def flush(self) -> None:
        """Forget all signatures."""
        for root in _roots():
            for path in (root / self._folder).glob(f"{self._name}-*.nbc"):
                path.unlink(missing_ok=True)

    def _paths(self, key: Any) -> Iterator[Path]:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        for root in _roots():
            yield root / self._folder / f"{self._name}-{digest}.nbc"


@cache
def _in_use(folder: Path) -> None:
    """Note, once, that a folder is in use; remove those of its module that no longer are."""
    with suppress(OSError):
        os.utime(folder)
        oldest = time.time() - _UNUSED_SECONDS
        for other in folder.parent.glob(f"{folder.name.rpartition('-')[0]}-*"):
            if other != folder and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)


@cache
def _say_not_kept() -> None:
    tried = ", ".join(str(root) for root in _roots())
    warnings.warn(
        f"compiled kernels cannot be kept, so every run compiles them: no folder of {tried} can be "
        "written; let NUMBA_CACHE_DIR name one that can",
        RuntimeWarning,
        stacklevel=2,
    )
