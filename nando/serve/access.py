"""Sessions, and limits on requests."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from nando.serve.secrets import new_token, token_hash


class RateLimit:
    """A limit on requests: a bucket of tokens for each key, refilled at a constant rate.

    Parameters
    ----------
    rate : float
        Tokens per second.
    burst : int
    now : callable
        Returns seconds that never decrease.
    most_keys : int
        Number of keys to remember; the least recently used key is forgotten first.

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
        """Take tokens, and return 0; if there are too few, return the whole seconds to wait."""
        left = self._left_of(key)
        if left < cost:
            return math.ceil((cost - left) / self.rate)
        self._keep(key, left - cost)
        return 0

    def give_back(self, key: str) -> None:
        """Return the token of a request that came to nothing."""
        self._keep(key, self._left_of(key) + 1.0)

    def is_spent(self, key: str) -> bool:
        """Return True if a key has to wait, without taking tokens."""
        return self._left_of(key) < 1.0

    def _left_of(self, key: str) -> float:
        left, since = self._left.get(key, (float(self.burst), self._now()))
        return min(float(self.burst), left + (self._now() - since) * self.rate)

    def _keep(self, key: str, left: float) -> None:
        self._left[key] = left, self._now()
        self._left.move_to_end(key)
        if len(self._left) > self._most_keys:
            self._left.popitem(last=False)


ORGANISER_MS = 8 * 3_600_000
"""Milliseconds after which an organiser must log in again."""

PLAYER_MS = 24 * 3_600_000
"""Milliseconds after which a player must join again."""


class Session(NamedTuple):
    """A session.

    Attributes
    ----------
    token_hash : str
    player : int or None
        Number of the player; None for the organiser.
    expires_ms : int
    """

    token_hash: str
    player: int | None
    expires_ms: int


class Sessions:
    """The open sessions."""

    def __init__(self, kept: Iterable[Session] = ()) -> None:
        self._by_hash = {session.token_hash: session for session in kept}

    def new(self, player: int | None, now_ms: int) -> tuple[str, Session]:
        """Return a new token and its session, which is valid once it is added."""
        token = new_token()
        lasts = ORGANISER_MS if player is None else PLAYER_MS
        return token, Session(token_hash(token), player, now_ms + lasts)

    def add(self, session: Session) -> None:
        """Add a session."""
        self._by_hash[session.token_hash] = session

    def find(self, token: str | None, now_ms: int) -> Session | None:
        """Return the session of a token; None if there is none or it has expired."""
        if not token:
            return None
        # The hash is looked up, so that nothing about a token can be learnt from the time it takes.
        session = self._by_hash.get(token_hash(token))
        if session is not None and session.expires_ms <= now_ms:
            self.remove(session)
            return None
        return session

    def remove(self, session: Session) -> None:
        """End a session."""
        self._by_hash.pop(session.token_hash, None)

    def of_player(self, player: int) -> list[Session]:
        """Return the sessions of a player."""
        return [session for session in self._by_hash.values() if session.player == player]
