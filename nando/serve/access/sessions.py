"""Sessions of players and of the organiser: found by the hash of their token, and ended in time."""

from collections.abc import Iterable
from typing import NamedTuple

from nando.serve.access.secrets import new_token, token_hash

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
        None for the organiser.
    expires_ms : int
    """

    token_hash: str
    player: int | None
    expires_ms: int


class Sessions:
    """The sessions that are open."""

    def __init__(self, kept: Iterable[Session] = ()) -> None:
        self._by_hash = {session.token_hash: session for session in kept}

    def new(self, player: int | None, now_ms: int) -> tuple[str, Session]:
        """Return a token and its session, which counts once it is added."""
        token = new_token()
        lasts = ORGANISER_MS if player is None else PLAYER_MS
        return token, Session(token_hash(token), player, now_ms + lasts)

    def add(self, session: Session) -> None:
        """Let a session begin."""
        self._by_hash[session.token_hash] = session

    def find(self, token: str | None, now_ms: int) -> Session | None:
        """Return the session of a token, unless it is over."""
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
