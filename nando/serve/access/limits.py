"""Limits on how often something may be asked for."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable


class RateLimit:
    """A bucket of tokens for each key: so many at once, and so many more a second.

    Parameters
    ----------
    rate : float
        A second.
    burst : int
    now : callable
        Seconds that never fall.
    most_keys : int
        Keys that are remembered; the one that was used longest ago is forgotten first.

    Examples
    --------
    >>> seconds = [0.0]
    >>> limit = RateLimit(rate=1, burst=2, now=lambda: seconds[0])
    >>> [limit.wait("ada") for _ in range(3)]
    [0, 0, 1]
    >>> seconds[0] = 1.0
    >>> limit.wait("ada")
    0
    """

    def __init__(
        self,
        rate: float,
        burst: int,
        now: Callable[[], float] = time.monotonic,
        most_keys: int = 10_000,
    ) -> None:
        self.rate = rate
        self.burst = burst
        self._now = now
        self._most_keys = most_keys
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str, cost: float = 1.0) -> int:
        """Take tokens; 0, or the whole seconds to wait where there are too few."""
        left = self._left_of(key)
        if left < cost:
            return math.ceil((cost - left) / self.rate)
        self._keep(key, left - cost)
        return 0

    def is_spent(self, key: str) -> bool:
        """Return True if a key has to wait; nothing is taken."""
        return self._left_of(key) < 1.0

    def _left_of(self, key: str) -> float:
        left, since = self._left.get(key, (float(self.burst), self._now()))
        return min(float(self.burst), left + (self._now() - since) * self.rate)

    def _keep(self, key: str, left: float) -> None:
        self._left[key] = left, self._now()
        self._left.move_to_end(key)
        if len(self._left) > self._most_keys:
            self._left.popitem(last=False)
