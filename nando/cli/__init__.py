"""The command line; heavy modules are imported only when a command runs."""

import os
import sys
from typing import TextIO

__all__ = ["main"]


def main() -> None:
    """Run ``nando``; the exit status is 0, 1 (bad puzzles), 2 (unusable input) or 130 (Ctrl-C)."""
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        _never_refuse(stream)
    try:
        from nando.cli.app import app

        app(prog_name="nando")
    except KeyboardInterrupt:  # before a command handles it
        sys.exit(130)


def _open_closed() -> None:
    """Let a standard stream that the caller has closed read or write nothing.

    Its number would otherwise be given to the next file that is opened.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115


def _never_refuse(stream: TextIO) -> None:
    """Make a stream print characters that it cannot encode as escape sequences."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
