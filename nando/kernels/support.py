"""A test that decides whether kernels can use numba's internals.

Another version of numba may lack a name, or no longer call a method. The first process that uses a
version therefore compiles a few lines with `nando.kernels.internals` and checks the result. A
passed check is recorded among the cached kernels, for later processes.
"""

import os
import warnings
from contextlib import suppress
from functools import cache
from importlib import import_module

from nando.kernels import shipped
from nando.kernels.cache import digest, roots, seen_by

FALLBACK = "NANDO_FALLBACK_KERNELS"
"""Environment variable; 1 makes `nando.kernels.fallback` compile all kernels."""

_INTERNALS = "nando.kernels.internals"
_PARTS = [f"{_INTERNALS}.{part}" for part in ("dispatchers", "vectors")]
_CHECK = f"{_INTERNALS}.check"


@cache
def internals_work() -> bool:
    """Return True if kernels are compiled by `nando.kernels.internals`, not by the fallback."""
    if os.environ.get(FALLBACK, "") not in ("", "0"):
        return False
    try:
        for part in _PARTS:
            import_module(part)
        passed = f"self-check-{digest(seen_by(_CHECK))}"
        if not any((root / passed).is_file() for root in (*roots(), shipped.FOLDER)):
            import_module(_CHECK).check()
            _note(passed)
        shipped.collect_mark(passed)
    except Exception as error:
        reason = " ".join(str(error).split())[:300]
        import numba

        warnings.warn(
            f"nando cannot use the internals of numba {numba.__version__}, so numba.njit alone "
            f"compiles its kernels: the results are the same, starting is slower ({reason})",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    return True


def _note(name: str) -> None:
    for root in roots():
        with suppress(OSError):
            root.mkdir(parents=True, exist_ok=True)
            (root / name).touch()
            return
