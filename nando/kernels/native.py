"""Kernels that came compiled with the package, run without numba.

Importing numba and loading a kernel with it takes half of a short command. So the build of a wheel
also makes an object file of each kernel that `nando rate` calls, for the kinds of arguments it is
called with (`nando.kernels.internals.entries`). A call through it takes ten microseconds or
more, where numba takes one or two: a kernel that is called often is left to numba.

An object file is used only where its folder, named after the source and the compiler, and its own
name, after the arguments and the processor, are those of this process, and its hash is right.
"""

import ctypes
import hashlib
import json
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nando.kernels import shipped
from nando.kernels.cache import folder_of
from nando.kernels.internals.machine import load, numba_has_settings, this_processor

MOST_CALLS = 4_000
"""After that, what all calls have taken is no less than what loading numba takes."""

_ENTRY = "nando_kernel"
_LONGEST = 1 << 63

_Entry = Callable[[Any], int]


class NotWords(TypeError):
    """An argument that a kernel can be given by numba only."""


class NativeKernel:
    """A kernel without numba, as far as it came compiled.

    Parameters
    ----------
    function : callable
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._entries: dict[tuple[Any, ...], tuple[_Entry, str]] = {}
        self._left = MOST_CALLS if may_run() else 0

    def __call__(self, arguments: Sequence[Any]) -> tuple[bool, Any]:
        """Run it, if it came compiled for such arguments: whether it did, and the result."""
        if self._left:
            self._left -= 1
            try:
                kinds, words = as_words(arguments)
                run, result = self._entries.get(kinds) or self._loaded(kinds)
            except (NotWords, OSError, ValueError, RuntimeError):
                self._left = 0  # not there, damaged, or for another system
            else:
                row = (ctypes.c_int64 * max(len(words), 1))(*words)
                if run(row):
                    raise RuntimeError(
                        f"the kernel {self._function.__qualname__} failed; with {OFF}=1 numba "
                        "runs it and says why"
                    )
                return True, None if result == "none" else _RESULTS[result](row[0])
        return False, None

    @property
    def is_done(self) -> bool:
        """Whether numba has all calls from now on."""
        return not self._left

    def _loaded(self, kinds: tuple[Any, ...]) -> tuple[_Entry, str]:
        for processor in shipped.processors(this_processor()):
            path = shipped.FOLDER / _place(self._function, kinds, processor)
            if path.is_file():
                code, result, symbols = _read(path)
                address = load(code, _ENTRY, symbols)
                if address is not None:
                    entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address)
                    self._entries[kinds] = entry, result
                    return entry, result
        raise FileNotFoundError(f"{self._function.__qualname__} did not come compiled")


OFF = "NANDO_FALLBACK_KERNELS"
_RESULTS: dict[str, Callable[[int], Any]] = {"int64": int, "bool": bool}


def may_run() -> bool:
    """Whether kernels that came with the package are to be used."""
    return (
        shipped.FOLDER.is_dir()
        and os.environ.get(OFF, "") in ("", "0")
        and not numba_has_settings()
    )


def as_words(arguments: Sequence[Any]) -> tuple[tuple[Any, ...], list[int]]:
    """What decides how arguments are compiled, and their words (`internals.entries`)."""
    kinds: list[Any] = []
    words: list[int] = []
    for argument in arguments:
        _add(argument, kinds, words)
    return tuple(kinds), words


def _add(value: Any, kinds: list[Any], words: list[int]) -> None:
    kind = type(value)
    if kind is np.ndarray:
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        kinds.append((value.dtype, value.ndim, layout, flags.writeable, flags.aligned))
        words.append(value.ctypes.data)
        words += value.shape
        words += value.strides
    elif isinstance(value, tuple):
        kinds.append((kind, len(value)))
        for element in value:
            _add(element, kinds, words)
    elif (kind is int and -_LONGEST <= value < _LONGEST) or kind is bool:
        kinds.append(kind)
        words.append(value)
    elif kind is float:
        kinds.append(kind)
        words += struct.unpack("q", struct.pack("d", value))
    else:
        raise NotWords(f"{kind} is no word")


def _place(function: Callable[..., Any], kinds: Sequence[Any], processor: Sequence[str]) -> Path:
    """Where below `shipped.FOLDER` the object file is for such arguments and a processor."""
    named = [_named(kind) for kind in kinds]
    name = hashlib.sha256(repr((named, tuple(processor))).encode()).hexdigest()[:24]
    return Path(folder_of(function)) / f"{function.__qualname__}-native-{name}.o"


def _named(kind: Any) -> str:
    if isinstance(kind, type):
        return kind.__name__
    first, *rest = kind
    name = f"{first.__module__}.{first.__qualname__}" if isinstance(first, type) else repr(first)
    return f"{name} {rest}"


@contextmanager
def object_files() -> Iterator[None]:
    """Make an object file of each kernel that is called first in this context.

    For the build of a wheel, in one thread: it compiles these kernels a second time.
    """
    global _makes_object_files
    _makes_object_files = bool(os.environ.get(shipped.COLLECT))
    try:
        yield
    finally:
        _makes_object_files = False


_makes_object_files = False


def makes_object_files() -> bool:
    """Whether this is in that context, and there is a folder for them."""
    return _makes_object_files


def collect(function: Callable[..., Any], dispatcher: Any, arguments: Sequence[Any]) -> None:
    """Add the object file for such arguments to the collecting folder."""
    from nando.kernels.internals.entries import object_of
    from nando.kernels.internals.processor import processor

    try:
        kinds, _ = as_words(arguments)
        path = Path(os.environ[shipped.COLLECT]) / _place(function, kinds, processor())
        if not path.exists():
            made = object_of(dispatcher, arguments, _ENTRY)
            if made is not None:
                _write(path, made.code, made.result, made.symbols)
    except TypeError:  # numba has to be there for such arguments
        return


def _write(path: Path, code: bytes, result: str, symbols: list[str]) -> None:
    head = json.dumps({"result": result, "symbols": symbols}).encode()
    content = head + b"\n" + code
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(hashlib.sha256(content).digest() + content)


def _read(path: Path) -> tuple[bytes, str, list[str]]:
    content = path.read_bytes()
    if hashlib.sha256(content[32:]).digest() != content[:32]:
        raise ValueError(f"{path} is damaged")
    head, _, code = content[32:].partition(b"\n")
    known = json.loads(head)
    return code, known["result"], known["symbols"]
