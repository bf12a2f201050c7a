"""Files of compiled kernels, one for each signature and processor.

numba numbers its files in an index, where two processes at the same time may use one number for
different signatures. It also checks only a function's own source file for changes. Here a file is
named after everything that it depends on.
"""

import hashlib
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from nando.kernels import shipped
from nando.kernels.cache import folder_of, mark_used, roots, warn_not_kept
from nando.kernels.extensions import begin_compiling
from nando.kernels.internals.claims import claim, release
from nando.kernels.internals.libraries import LinkedLibrary, SeparateLibrary, loading_as
from nando.writing import write_file


def processor() -> tuple[str, str, str]:
    """Return the triple, name and features of the processor that numba compiles for."""
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    return triple, name, features


class Store(Protocol):
    """The interface that numba expects of a function's cache."""

    def load(self, key: Any) -> Any:
        """Return the cached code for this key, or None."""

    def save(self, key: Any, data: Any) -> None:
        """Cache the code compiled for this key."""

    def flush(self) -> None:
        """Clear the cache."""


class Files:
    """A file for each key, written whole or not at all.

    Parameters
    ----------
    folder : str
        Name of the folder below each root.
    name : str
        Beginning of the files' names.
    ships : bool
        Whether wheels contain the files.
    """

    def __init__(self, folder: str, name: str, *, ships: bool = False) -> None:
        self._folder = folder
        self._name = re.sub(r"[^\w.-]", "", name)
        self._ships = ships

    def load(self, key: Any) -> Any:
        """Return the cached code for this key, or None, which claims it until it is saved."""
        kept = self._kept(key)
        if kept is None and begin_compiling(self._folder.rpartition("-")[0]):
            kept = self._kept(key)
        if kept is None:
            claim(self._whole_name(key))
            kept = self._kept(key)  # another process may have compiled it meanwhile
            if kept is not None:
                release(self._whole_name(key))
        return kept

    def _kept(self, key: Any) -> Any:
        for path in self._paths(key):
            kept = _content(path)
            if kept is not None:
                mark_used(path.parent)
                self._collect(path)
                return kept
        if self._ships:
            for other in shipped.keys(key):
                kept = _content(shipped.FOLDER / self._folder / self._file(other))
                if kept is not None:
                    return kept
        return None

    def save(self, key: Any, data: Any) -> None:
        """Cache the code compiled for this key in the first writable folder."""
        kept = dumps(data)
        for path in self._paths(key):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_file(path, kept)
            except OSError:
                continue
            mark_used(path.parent)
            self._collect(path)
            break
        else:
            warn_not_kept()
        release(self._whole_name(key))

    def flush(self) -> None:
        """Forget all signatures."""
        for root in roots():
            for path in (root / self._folder).glob(f"{self._name}-*.nbc"):
                path.unlink(missing_ok=True)

    def _paths(self, key: Any) -> list[Path]:
        return [root / self._folder / self._file(key) for root in roots()]

    def _file(self, key: Any) -> str:
        return f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

    def _whole_name(self, key: Any) -> str:
        return f"{self._folder}-{self._file(key)}"

    def _collect(self, path: Path) -> None:
        if self._ships:
            shipped.collect(path)


def _content(path: Path) -> Any:
    try:
        return pickle.loads(path.read_bytes())
    except Exception:  # not there, not readable, or not whole
        return None


def kernel_files(function: Callable[..., Any], side: str) -> Files:
    """Return the files of one side of a kernel: ``python``, ``linked`` or ``separate``.

    Wheels contain machine code, which those that are linked do not have.
    """
    name = f"{function.__qualname__}-{side}"
    return Files(folder_of(function), name, ships=side != "linked")


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Implements what numba requires of a cache file that :class:`KernelCache` does not use."""

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
        """Do nothing: folders are made when a file is written."""


class _Compiled(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _Linked(_Compiled):
    _library_class: type = LinkedLibrary

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Load a compiled function."""
        with loading_as(self._library_class, target_context.codegen()):
            return super().rebuild(target_context, payload)


class _Separate(_Linked):
    _library_class = SeparateLibrary


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, with our files in place of its own."""

    _impl_class = _Compiled

    def __init__(self, function: Callable[..., Any], store: Store) -> None:
        super().__init__(function)
        self._cache_file = store


class LinkedCache(KernelCache):
    """The cache of the side that kernels link."""

    _impl_class = _Linked


class SeparateCache(KernelCache):
    """The cache of machine code that kernels declare."""

    _impl_class = _Separate
