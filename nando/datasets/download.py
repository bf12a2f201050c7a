"""Downloads as stages of long work, so that a program can show the time left."""

from contextlib import ExitStack

from nando.stages import stage


class Download:
    """The progress bar that pooch fills, told as a stage; its total is that of the server.

    Parameters
    ----------
    name : str
        Of the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._stage = ExitStack()
        self._total = 0

    @property
    def total(self) -> int:
        """Bytes of the file; 0 where the server does not say."""
        return self._total

    @total.setter
    def total(self, n_bytes: int) -> None:
        self._total = n_bytes
        self._advance = self._stage.enter_context(stage(f"bytes of {self._name}", n_bytes))

    def update(self, n_bytes: int) -> None:
        """Note that so many bytes more are here."""
        self._advance(n_bytes)

    def reset(self) -> None:
        """End the stage: pooch now fills its bar, of which ours is full."""
        self._stage.close()
        self._advance = lambda _: None

    def close(self) -> None:
        """End the stage."""
        self._stage.close()
