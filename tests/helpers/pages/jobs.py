"""Jobs that misbehave, for worker processes: they find this module by its name."""

import os
import time


def sleep(seconds):
    time.sleep(seconds)
    return os.getpid()


def hang(puzzle, kind, language):
    time.sleep(600)


def die():
    os._exit(1)


def fail():
    raise ArithmeticError("no")


def alive(pid):
    """Return True if a process is alive."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
