"""Files of compiled kernels, one for each signature and processor.

numba numbers its files by an index, in which two concurrent processes may use the same number for
different signatures, and checks only a function's own source file for changes. Here a file is named
after everything it depends on.
"""

import hashlib
import os
import pickle
import re
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps

from nando.kernels.cache import folder_of, mark_used, roots, warn_not_kept
from nando.kernels.internals.libraries import loading_linked


class Store(Protocol):
    """The interface that numba expects of a function's cache."""

    def load(self, key: Any) -> Any:
        """The cached code for this key, or None."""

    def save(self, key: Any, data: Any) -> None:
        """Cache the code compiled for this key."""

    def flush(self) -> None:
        """Clear the cache."""


class Files:
    """A file for each key, written whole or not at all."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._name = re.sub(r"[^\w.-]", "", name)

    def load(self, key: Any) -> Any:
        """The cached code for this key, or None."""
        for path in self._paths(key):
            try:
                kept = pickle.loads(path.read_bytes())
            except Exception:  # not there, not readable, or not whole
                continue
            mark_used(path.parent)
            return kept
        return None

    def save(self, key: Any, data: Any) -> None:
        """Cache the code compiled for this key in the first writable folder."""
        kept = dumps(data)
        for path in self._paths(key):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as f:
                    f.write(kept)
                os.replace(f.name, path)
            except OSError:
                continue
            mark_used(path.parent)
            return
        warn_not_kept()

    def flush(self) -> None:
        """Forget all signatures."""
        for root in roots():
            for path in (root / self._folder).glob(f"{self._name}-*.nbc"):
                path.unlink(missing_ok=True)

    def _paths(self, key: Any) -> Iterator[Any]:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        for root in roots():
            yield root / self._folder / f"{self._name}-{digest}.nbc"


def kernel_files(function: Callable[..., Any], side: str) -> Files:
    """The files of one side of a kernel: ``python`` or ``linked``."""
    return Files(folder_of(function), f"{function.__qualname__}-{side}")


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
        with loading_linked(target_context.codegen()):
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
