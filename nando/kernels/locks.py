"""Locks on files between processes; a lock ends with the process that holds it."""

import sys
from pathlib import Path
from typing import IO


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
