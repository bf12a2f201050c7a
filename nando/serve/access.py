"""Secrets, sessions, and limits on requests.

Secrets are made at random, stored as hashes, and compared in constant time. Tokens are random, so a
plain hash does not reveal them. A person chooses a password, so it gets a hash that is slow to
compute.
"""

import base64
import hashlib
import hmac
import math
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits, without those that look alike."""
_N, _R, _P = 1 << 14, 8, 1
"""Cost of scrypt: 16 MiB and some 50 ms."""


def new_token() -> str:
    """Return a token of 256 bits."""
    return secrets.token_urlsafe(32)


def new_words(groups: int = 3) -> str:
    """Return a secret that people can copy from a screen, with 5 bits per letter."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(groups))


def bare(text: str) -> str:
    """Return the letters and digits of a secret that is typed, in lower case."""
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))
    return letters.casefold() or text


def as_made(typed: str) -> str:
    """Return a secret of :func:`new_words` as it was made, however its dashes and case were typed.

    Examples
    --------
    >>> as_made(" ABCD efghjkmn")
    'abcd-efgh-jkmn'
    """
    letters = bare(typed)
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def token_hash(token: str) -> str:
    """Return the hash of a random token, to store it."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_token(token: str) -> str:
    """Return the text that a page must send together with the cookie of a session.

    Other sites can make a browser send the cookie, but they cannot read this text.
    """
    return hmac.new(token.encode(), b"csrf", hashlib.sha256).hexdigest()


def is_same(given: str, expected: str) -> bool:
    """Compare two texts in a time that does not reveal where they differ."""
    return hmac.compare_digest(given.encode(), expected.encode())


def password_hash(password: str, salt: bytes | None = None) -> str:
    """Return the salt and scrypt hash of a password, to store them."""
    salt = secrets.token_bytes(16) if salt is None else salt
    key = hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P)
    return ":".join(base64.b64encode(part).decode() for part in (salt, key))


def is_password(given: str, kept: str) -> bool:
    """Return True if a password has the stored hash; one that was made may lack its dashes."""
    salt = base64.b64decode(kept.partition(":")[0])
    return any(is_same(password_hash(text, salt), kept) for text in {given, as_made(given)})


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


def new_session(player: int | None, now_ms: int) -> tuple[str, Session]:
    """Return a new token and its session."""
    token = new_token()
    lasts = ORGANISER_MS if player is None else PLAYER_MS
    return token, Session(token_hash(token), player, now_ms + lasts)


class RequestModel(BaseModel):
    """The body of a request; everything else is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


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
        left = self._count_left(key)
        if left < cost:
            return math.ceil((cost - left) / self.rate)
        self._keep(key, left - cost)
        return 0

    def give_back(self, key: str) -> None:
        """Return the token of a request that came to nothing."""
        self._keep(key, self._count_left(key) + 1.0)

    def is_spent(self, key: str) -> bool:
        """Return True if a key has to wait, without taking tokens."""
        return self._count_left(key) < 1.0

    def _count_left(self, key: str) -> float:
        left, since = self._left.get(key, (float(self.burst), self._now()))
        return min(float(self.burst), left + (self._now() - since) * self.rate)

    def _keep(self, key: str, left: float) -> None:
        self._left[key] = left, self._now()
        self._left.move_to_end(key)
        if len(self._left) > self._most_keys:
            self._left.popitem(last=False)
