"""Report downloads as stages of long work, so that a program can show the remaining time."""

from contextlib import ExitStack

from nando.stages import stage


class Download:
    """A progress bar for pooch that reports a stage; the server gives its total.

    Parameters
    ----------
    name : str
        Name of the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._stage = ExitStack()
        self._total = 0

    @property
    def total(self) -> int:
        """Bytes of the file; 0 if the server does not report them."""
        return self._total

    @total.setter
    def total(self, n_bytes: int) -> None:
        self._total = n_bytes
        self._advance = self._stage.enter_context(stage(f"bytes of {self._name}", n_bytes))

    def update(self, n_bytes: int) -> None:
        """Add the number of bytes received."""
        self._advance(n_bytes)

    def reset(self) -> None:
        """End the stage: pooch now fills its bar, of which ours is full."""
        self._stage.close()
        self._advance = lambda _: None

    def close(self) -> None:
        """End the stage."""
        self._stage.close()
