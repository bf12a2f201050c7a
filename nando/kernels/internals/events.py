"""Listens to numba's compile events."""

from collections.abc import Callable

from numba.core.event import Event, Listener, register


class _Once(Listener):  # type: ignore[misc]
    """Calls `tell` at the first compilation in this process."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._told = False

    def on_start(self, event: Event) -> None:
        """Called before a kernel is compiled that was not in the cache."""
        if not self._told:
            self._told = True
            self._tell()

    def on_end(self, event: Event) -> None:
        """Do nothing."""


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell`, once, when this process first compiles a kernel."""
    register("numba:compile", _Once(tell))
