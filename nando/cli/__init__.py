"""The command line. Nothing heavy is imported before a command runs."""

import sys
from typing import TextIO

__all__ = ["main"]


def main() -> None:
    """Run ``nando``; the exit status is 0, 1 (bad puzzles), 2 (unusable input) or 130 (Ctrl-C)."""
    for stream in (sys.stdout, sys.stderr):
        _never_refuse(stream)
    try:
        from nando.cli.app import app

        app(prog_name="nando")
    except KeyboardInterrupt:  # before a command could take it
        sys.exit(130)


def _never_refuse(stream: TextIO) -> None:
    """Print characters that the terminal lacks as numbers."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
