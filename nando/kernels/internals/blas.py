"""Leaves `scipy.linalg` alone until something needs it.

numba imports it before it compiles or loads anything, only to see whether it is there; that takes a
fifth of a short command. No kernel of nando multiplies matrices, and where another numba function
does, numba imports it then.
"""

import sys


def import_without_blas() -> None:
    """Import numba's array functions as if BLAS had been found."""
    if "numba.np.arraymath" in sys.modules:
        return
    from numba.np import linalg

    ensure_blas = linalg.ensure_blas
    linalg.ensure_blas = _taken_for_granted
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = ensure_blas
    arraymath.ensure_blas = ensure_blas


def _taken_for_granted() -> None:
    """Let numba go on: scipy is among what nando depends on."""
