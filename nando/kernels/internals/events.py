"""Hears from numba when it compiles."""

from collections.abc import Callable

from numba.core.event import Event, Listener, register


class _Once(Listener):  # type: ignore[misc]
    """Calls `tell` when a kernel is compiled for the first time in this process."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, event: Event) -> None:
        """A kernel that was not found on disk is about to be compiled."""
        if not self._told:
            self._told = True
            self._tell()

    def on_end(self, event: Event) -> None:
        """Nothing to say."""


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell`, once, when this process first compiles a kernel."""
    register("numba:compile", _Once(tell))
