"""Where compiled kernels are cached, and why the cache is never stale.

numba notices when a function's own file has changed, but not when a kernel it *calls* has changed.
A compiled kernel is therefore kept under a fingerprint of all that it is compiled from: the
compiler, its instructions, the values that it names, and the same of every function that it calls.
A changed line recompiles the kernels that run it, and no others. A new version of nando reuses the
kernels that it did not change.

Wheels for a package index contain compiled kernels (`hatch_build.py`); `pip install .` makes none.
They are compiled for the processor of the machine that built the wheel, or for a baseline processor
that a file names. A processor with all the baseline's features uses the baseline's kernels until
`nando warmup` compiles its own.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum, EnumMeta
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import IO, Any

import numpy as np

from nando.kernels.extensions import extensions_in

_UNUSED_SECONDS = 14 * 24 * 3600
"""A file of an earlier version of a kernel is removed after this long without use."""

_CONSTANTS = (int, float, complex, str, bytes, type(None), np.generic, np.dtype)

SHIPPED = Path(__file__).resolve().parent.parent / "compiled"
"""Kernels that are part of the package. The folder is only read; a source tree has none."""

COLLECT = "NANDO_COLLECT_KERNELS"
"""Environment variable: a folder that gets a copy of every kernel that Python calls."""

OWN = "NANDO_OWN_KERNELS"
"""Environment variable; 1 refuses kernels of a baseline processor."""

_PROCESSOR = "processor.json"


def file_name(function: Callable[..., Any], side: str, options: dict[str, bool]) -> str:
    """Return the beginning of the names of the files of one side of a kernel."""
    name = f"{function.__qualname__}-{side}-{fingerprint(function, **options)}"
    return re.sub(r"[^\w.-]", "", name)


@cache
def fingerprint(function: Callable[..., Any], **options: bool) -> str:
    """Return 16 hexadecimal digits that change with all that a kernel is compiled from.

    Parameters
    ----------
    function : callable
    **options : bool
        How it is compiled.
    """
    reached = {function: None}
    left = [function]
    digested = hashlib.sha256(repr((compiler(), sorted(options.items()))).encode())
    while left:
        described, named = _parts(left.pop())
        digested.update(described)
        left += [other for other in named if other not in reached]
        reached |= dict.fromkeys(named)
    return digested.hexdigest()[:16]


@cache
def _parts(function: Any) -> tuple[bytes, tuple[Any, ...]]:
    """Return a hash of a function's instructions and of the values it names; and the functions."""
    values = [function.__defaults__, *(cell.cell_contents for cell in function.__closure__ or ())]
    described: list[Any] = []
    for code in _codes(function.__code__):
        constants = [_constant(part) for part in code.co_consts if part != function.__doc__]
        described.append((code.co_code, code.co_names, code.co_varnames, constants))
        # Attributes are among the names, too. A value too many does no harm.
        own = [function.__globals__[name] for name in code.co_names if name in function.__globals__]
        modules = [value for value in own if isinstance(value, ModuleType)]
        values += own
        values += [
            getattr(module, name)
            for module in modules
            if _is_ours(module.__name__, function)
            for name in code.co_names
            if hasattr(module, name)
        ]
    values += extensions_in(function.__globals__)
    named: list[Any] = []
    described += [_describe(value, function, named) for value in values]
    return hashlib.sha256(repr(described).encode()).digest(), tuple(dict.fromkeys(named))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of those defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _constant(value: Any) -> Any:
    if isinstance(value, CodeType):
        return None
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)


def _describe(value: Any, function: Any, named: list[Any]) -> Any:
    """Return what a kernel can know of a value that a function names; add functions to `named`."""
    body = getattr(value, "py_func", None)
    if body is not None:
        named.append(body)
        return getattr(value, "options", None)
    if isinstance(value, FunctionType) and _is_ours(value.__module__, function):
        named.append(value)
    if isinstance(value, Enum):
        return value.name, value.value
    if isinstance(value, _CONSTANTS):
        return repr(value)
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, EnumMeta):
        return [(name, member.value) for name, member in value.__members__.items()]  # type: ignore[var-annotated]
    # A class or a named tuple has fields; of other objects a kernel reads nothing.
    fields = getattr(value, "_fields", None)
    parts = value if isinstance(value, (tuple, list)) else ()
    own = [_describe(part, function, named) for part in parts]
    return getattr(value, "__name__", type(value).__name__), fields, own


def _is_ours(module: str, function: Any) -> bool:
    """Return True for a module of nando, or of the package of a function."""
    return module.partition(".")[0] in ("nando", function.__module__.partition(".")[0])


@cache
def compiler() -> tuple[str, ...]:
    """Return the versions and settings of the compiler, without importing it.

    nando's own passes are a part of it. The processor is not: it is part of each file's name.
    """
    python = sys.implementation.cache_tag or sys.version
    settings = os.environ.get("NUMBA_OPT", "3"), *_settings_file()
    return (python, version("numba"), version("llvmlite"), _passes(), *settings)


@cache
def _passes() -> str:
    """Return a hash of nando's own changes to numba."""
    digested = hashlib.sha256()
    for path in sorted(Path(__file__).with_name("internals").glob("*.py")):
        digested.update(path.read_bytes())
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


def mark_used(path: Path) -> None:
    """Mark a file or folder as used now."""
    with suppress(OSError):
        os.utime(path)


def remove_unused(folder: Path, pattern: str) -> None:
    """Remove the files and folders of a pattern that no process has used for two weeks."""
    oldest = time.time() - _UNUSED_SECONDS
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.stat().st_mtime >= oldest:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


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


def lock_file(path: Path) -> IO[str] | None:
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


# Kernels that are part of a wheel


def shipped_keys(key: Any) -> list[Any]:
    """Return the keys, as numba makes them, under which `SHIPPED` may have a kernel, best first."""
    if not SHIPPED.is_dir():
        return []
    signature, own, *rest = key
    baseline = _baseline()
    if baseline is None or os.environ.get(OWN, "") not in ("", "0") or not _runs_on(own, baseline):
        return [key]
    return [key, (signature, baseline, *rest)]


@cache
def _baseline() -> tuple[str, str, str] | None:
    """Return the triple, name and features of the processor of the compiled kernels, or None."""
    try:
        triple, name, features = json.loads((SHIPPED / _PROCESSOR).read_text())
        return str(triple), str(name), str(features)
    except (OSError, ValueError):  # the file is missing or damaged
        return None


def _runs_on(processor: tuple[str, str, str], baseline: tuple[str, str, str]) -> bool:
    """Return True if a processor can run code compiled for the baseline."""
    has, needs = (
        {feature for feature in features.split(",") if feature.startswith("+")}
        for _, _, features in (processor, baseline)
    )
    return processor[0] == baseline[0] and needs <= has


def collect(path: Path) -> None:
    """Copy a compiled kernel to the collecting folder, if there is one."""
    if target := os.environ.get(COLLECT):
        folder = Path(target) / path.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / path.name)


def note_processor(processor: tuple[str, str, str]) -> None:
    """Write the processor that kernels are compiled for to the collecting folder, if any."""
    if target := os.environ.get(COLLECT):
        (Path(target) / _PROCESSOR).write_text(json.dumps(processor))
