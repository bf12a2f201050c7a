"""Claims of processes to compile a kernel, which keep others from compiling it as well.

Several processes compile the kernels of a command. A kernel that two of them need is compiled by
the first; the second waits for it. Kernels do not call each other in a circle, so processes never
wait for each other in a circle. A process that was stopped keeps others waiting for a minute; then
they compile the kernel themselves. Without claims, a first rating of a variant takes 4 % longer.
"""

import os
import time
from contextlib import suppress
from typing import IO

from nando.kernels.cache import lock_file, roots

_FOLDER = "compiling"
"""Folder of the locks, below the first writable root; a lock is removed after use."""

_PAUSE = 0.01
"""Seconds between two looks at a lock."""

_PATIENCE = 60.0
"""Seconds to wait for another process."""

_held: dict[str, IO[str]] = {}


def claim(kernel: str) -> None:
    """Wait until no other process compiles a kernel, but at most a minute, then claim it.

    Parameters
    ----------
    kernel : str
        Name of its file.
    """
    latest = time.monotonic() + _PATIENCE
    for root in roots():
        folder = root / _FOLDER
        with suppress(OSError):  # the folder is read only
            folder.mkdir(parents=True, exist_ok=True)
            while kernel not in _held and time.monotonic() < latest:
                file = lock_file(folder / kernel)
                if file is None:
                    time.sleep(_PAUSE)
                else:
                    _held[kernel] = file
            return


def release(kernel: str) -> None:
    """Let other processes compile a kernel, or load it."""
    file = _held.pop(kernel, None)
    if file is not None:
        with suppress(OSError):  # Windows removes no open file
            os.unlink(file.name)
        file.close()


def release_all() -> None:
    """Release the claims that an error has left."""
    for kernel in list(_held):
        release(kernel)
