"""Files of compiled kernels, one for each signature and processor.

numba numbers its files in an index, where two processes at the same time may use one number for
different signatures. It also checks only a function's own source file for changes. Here a file is
named after everything that it depends on (`nando.kernels.cache`).
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from nando.kernels.cache import (
    SHIPPED,
    collect,
    file_name,
    mark_used,
    remove_unused,
    roots,
    shipped_keys,
    warn_not_kept,
)
from nando.kernels.extensions import begin_compiling
from nando.kernels.internals.libraries import LinkedLibrary, creating
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
    module : str
        Name of the folder below each root.
    name : str
        Beginning of the files' names: the kernel and its side, and after a dash its fingerprint.
    ships : bool
        Whether wheels contain the files.
    """

    def __init__(self, module: str, name: str, *, ships: bool = False) -> None:
        self._module = module
        self._name = name
        self._ships = ships

    def load(self, key: Any) -> Any:
        """Return the cached code for this key, or None."""
        kept = self._find(key)
        if kept is None and begin_compiling(self._module):
            kept = self._find(key)
        return kept

    def _find(self, key: Any) -> Any:
        for path in self._paths(key):
            kept = _content(path)
            if kept is not None:
                mark_used(path)
                self._collect(path)
                return kept
        if self._ships:
            for other in shipped_keys(key):
                kept = _content(SHIPPED / self._module / self._file(other))
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
            remove_unused(path.parent, f"{self._name.rpartition('-')[0]}-*")
            self._collect(path)
            break
        else:
            warn_not_kept()

    def flush(self) -> None:
        """Forget all signatures."""
        for root in roots():
            for path in (root / self._module).glob(f"{self._name}.*"):
                path.unlink(missing_ok=True)

    def _paths(self, key: Any) -> list[Path]:
        return [root / self._module / self._file(key) for root in roots()]

    def _file(self, key: Any) -> str:
        described = repr((key, list(_fields(key))))
        return f"{self._name}.{hashlib.sha256(described.encode()).hexdigest()[:16]}.nbc"

    def _collect(self, path: Path) -> None:
        if self._ships:
            collect(path)


def _fields(kind: Any) -> Iterator[Any]:
    """Yield the fields of the named tuples in a key, which the names of their types leave out."""
    yield from getattr(getattr(kind, "instance_class", None), "_fields", ())
    for part in kind if isinstance(kind, tuple) else getattr(kind, "types", ()):
        yield from _fields(part)


def _content(path: Path) -> Any:
    try:
        return pickle.loads(path.read_bytes())
    except Exception:  # not there, not readable, or not whole
        return None


def kernel_files(function: Callable[..., Any], side: str, options: dict[str, bool]) -> Files:
    """Return the files of one side of a kernel: ``python`` or ``linked``.

    Wheels contain machine code, which those that are linked do not have.
    """
    name = file_name(function, side, options)
    return Files(function.__module__, name, ships=side != "linked")


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
    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Load a compiled function."""
        with creating(LinkedLibrary, target_context.codegen()):
            return super().rebuild(target_context, payload)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, with our files in place of its own."""

    _impl_class = _Compiled

    def __init__(self, function: Callable[..., Any], store: Store) -> None:
        super().__init__(function)
        self._cache_file = store


class LinkedCache(KernelCache):
    """The cache of the side that kernels link."""

    _impl_class = _Linked
