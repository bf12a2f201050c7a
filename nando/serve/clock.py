"""The clock of the server, by which all moves are timed."""

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ServerClock:
    """Milliseconds since 1970 that never decrease, even if the machine's clock is set back.

    The machine's clock is read once, when the server starts; after that a steady one counts on.
    """

    epoch: float = field(default_factory=time.time)
    origin: float = field(default_factory=time.monotonic)

    def now(self) -> int:
        """Milliseconds since 1970."""
        return round(1000 * (self.epoch + time.monotonic() - self.origin))


def placed(received_ms: int, age_ms: int, earliest_ms: int) -> int:
    """Return when a move was made, on the server's clock.

    A move that waited for its connection is told with the milliseconds that it waited. It cannot
    lie before the move that came before it, nor after its arrival, so that nothing but the order of
    waiting is left to the player's clock.

    Examples
    --------
    >>> placed(5_000, 0, 1_000), placed(5_000, 3_000, 1_000), placed(5_000, 90_000, 1_000)
    (5000, 2000, 1000)
    """
    return min(max(received_ms - age_ms, earliest_ms), received_ms)
