"""Shared by all routes: the contest, its secrets, the workers, and checks of sessions.

All functions are asynchronous, so that they run in the event loop and not in threads, and data in
memory need no locks.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, HTTPException, Request, Response

from nando.serve.access import RateLimit, Session, csrf_token, is_same, token_hash
from nando.serve.desk import Desk
from nando.serve.evidence import Evidence
from nando.serve.jobs import Workers
from nando.serve.names import RefusedError
from nando.serve.room import Room, Seat
from nando.solvers.logic.language import PAGE_LANGUAGES

PLAYER_COOKIE = "nando_player"
ORGANISER_COOKIE = "nando_organiser"
CSRF_HEADER = "x-csrf-token"


@dataclass
class Site:
    """A contest and everything that its routes need.

    Attributes
    ----------
    room : Room
    workers : Workers
    facts : mapping of str to str
        The id of the contest in browsers, and the hashes of the organiser's password and of the
        token of the library.
    secure : bool
        Whether browsers connect by HTTPS.
    root_path : str
        Path below which a proxy has the pages, for example ``/sudoku``; empty for none.
    """

    room: Room
    workers: Workers
    facts: Mapping[str, str]
    secure: bool = False
    root_path: str = ""
    knocks: RateLimit = field(default_factory=lambda: RateLimit(rate=100, burst=3_000))
    """Requests without a session, by address; a whole school class may share an address."""
    failures: RateLimit = field(default_factory=lambda: RateLimit(rate=0.2, burst=20))
    """Wrong codes, keys and passwords, by address."""
    moves: RateLimit = field(default_factory=lambda: RateLimit(rate=20, burst=200))
    """Requests of a player."""
    entries: RateLimit = field(default_factory=lambda: RateLimit(rate=30, burst=5_000))
    """Events of a player."""
    joins: RateLimit = field(init=False)
    """Players who join, by address."""
    jobs: RateLimit = field(default_factory=lambda: RateLimit(rate=5, burst=50))
    """Requests for heavy work."""

    def __post_init__(self) -> None:
        self.evidence = Evidence(self.room, self.workers)
        self.desk = Desk(self.room)
        most = self.room.contest.most_per_address
        self.joins = RateLimit(rate=most / 3600, burst=most)

    def set_cookie(self, response: Response, name: str, token: str) -> None:
        """Give a browser the token of its session in a cookie that scripts cannot read."""
        response.set_cookie(
            name,
            token,
            httponly=True,
            samesite="strict",
            secure=self.secure,
            path=f"{self.root_path}/",
        )

    def delete_cookie(self, response: Response, name: str) -> None:
        """Let a browser forget the token of a session that has ended."""
        response.delete_cookie(name, path=f"{self.root_path}/")


async def site_of(request: Request) -> Site:
    """Return the site of the application that handles a request."""
    site: Site = request.app.state.site
    return site


OnSite = Annotated[Site, Depends(site_of)]


def address(request: Request) -> str:
    """Return the address from which a request comes."""
    return request.client.host if request.client else "?"


def limited(limit: RateLimit, key: str, cost: int = 1, reason: str = "requests") -> None:
    """Raise RefusedError if a limit is exceeded."""
    if wait := limit.wait(key, cost):
        raise RefusedError(reason, wait=wait)


async def knock(request: Request, site: OnSite) -> None:
    """Limit the requests from one address."""
    limited(site.knocks, address(request))


def try_secret(site: Site, request: Request) -> None:
    """Raise RefusedError if an address has sent too many wrong secrets."""
    if site.failures.is_spent(address(request)):
        raise RefusedError("attempts", wait=60)


def wrong_secret(site: Site, request: Request, reason: str) -> RefusedError:
    """Count a wrong secret, and return the refusal."""
    site.failures.wait(address(request))
    return RefusedError(reason)


def _session(request: Request, site: Site, cookie: str) -> tuple[str, Session | None]:
    token = request.cookies.get(cookie, "")
    return token, site.room.session_of(token)


async def player_session(request: Request, site: OnSite) -> Session | None:
    """Return the session of a player, if there is one; HTTPException 403 for a forged request."""
    token, session = _session(request, site, PLAYER_COOKIE)
    if session is None or session.player is None:
        return None
    _check_csrf(request, token)
    return session


async def player(site: OnSite, session: Annotated[Session | None, Depends(player_session)]) -> Seat:
    """Return the player of a request.

    Raises HTTPException 401 without a session, and RefusedError above the limit of requests.
    """
    seat = site.room.seat(session)
    if seat is None:
        raise HTTPException(401, "join first: this session is over, or there was none")
    limited(site.moves, str(seat.player))
    return seat


async def organiser(request: Request, site: OnSite) -> Session:
    """Return the organiser's session; HTTPException 401 if there is none."""
    token, session = _session(request, site, ORGANISER_COOKIE)
    if session is None or session.player is not None:
        raise HTTPException(401, "log in first: this session is over, or there was none")
    _check_csrf(request, token)
    return session


def language_of(
    request: Request, site: Site, known: Collection[str] = tuple(PAGE_LANGUAGES)
) -> str:
    """Return the language of the contest, else the first known language of the browser."""
    if site.room.contest.language:
        return site.room.contest.language
    languages = request.headers.get("accept-language", "").split(",")
    tags = (language.partition(";")[0].strip()[:2].casefold() for language in languages)
    return next((tag for tag in tags if tag in known), "en")


def is_open(request: Request, site: Site) -> bool:
    """Return True if the browser of a request has an open session of the organiser."""
    session = _session(request, site, ORGANISER_COOKIE)[1]
    return session is not None and session.player is None


async def library(request: Request, site: OnSite) -> None:
    """Admit requests to the library that have the token or the organiser's session."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer":
        try_secret(site, request)
        if not is_same(token_hash(token.strip()), site.facts["token"]):
            raise wrong_secret(site, request, "token")
    else:
        try:
            await organiser(request, site)
        except HTTPException as error:
            if error.status_code != 401:
                raise
            raise HTTPException(
                401,
                "send the token that `nando serve` printed: Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            ) from None
    limited(site.jobs, "library")


def _check_csrf(request: Request, token: str) -> None:
    if request.method in ("GET", "HEAD"):
        return
    if not is_same(request.headers.get(CSRF_HEADER, ""), csrf_token(token)):
        raise HTTPException(403, f"the header {CSRF_HEADER} is missing or wrong: reload the page")


Player = Annotated[Seat, Depends(player)]
PlayerSession = Annotated[Session | None, Depends(player_session)]
Organiser = Annotated[Session, Depends(organiser)]
IsOrganiser = Depends(organiser)
Knock = Depends(knock)
Library = Depends(library)
