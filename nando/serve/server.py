"""The server of a contest, with its application, database, secrets and socket."""

import gc
import json
import os
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, closing, nullcontext
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError

from nando import __version__
from nando.puzzles.files import shortened
from nando.records import plain
from nando.serve import library, organiser, pages, players
from nando.serve.access import is_password, new_token, new_words, password_hash, token_hash
from nando.serve.board import BadMoveError, GapError, NotStartedError, RemovedError
from nando.serve.contest import Contest, ContestPuzzle, puzzles_of
from nando.serve.evidence import log_of
from nando.serve.guard import Guard
from nando.serve.jobs import Workers
from nando.serve.names import RefusedError
from nando.serve.room import Room, ServerClock
from nando.serve.site import Site
from nando.serve.store import END_ORGANISERS, Store, StoreError, TakenError, sqlite_url

BACKLOG = 1_024
"""Connections that may wait to be accepted; all players connect when a contest begins."""

MOST_CONNECTIONS = 4_000


class Secrets(NamedTuple):
    """Secrets that are shown once, when they are created; empty if they existed already.

    Attributes
    ----------
    password : str
        Password of the organiser.
    token : str
        Token of the library.
    """

    password: str
    token: str


class Server:
    """A contest, ready to be served.

    Parameters
    ----------
    contest : Contest
    path : Path
        The contest's file. Names of files are relative to its folder.
    database : str
        URL for SQLAlchemy; empty for a SQLite file next to the contest's file.
    host, port : str, int
        Where to listen; port 0 takes a free port.
    workers : int
        Processes for heavy work.
    secure : bool
        Whether browsers connect by HTTPS, through a proxy.
    root_path : str
        Path below which a proxy has the pages, for example ``/sudoku``.
    new_secrets : bool
        Make a new password and a new token.
    clock : ServerClock or None
        None takes the machine's clock.
    preparing : callable
        Returns a context in which puzzles are rated and made.

    Attributes
    ----------
    secrets : Secrets
    socket : socket.socket
        The socket on which the server listens.

    Raises
    ------
    OSError
        If a folder cannot be written, or a file cannot be read.
    ValueError
        If the root path is not valid, the port is in use, the database belongs to another contest,
        and as :func:`puzzles_of` and :class:`Store`.
    """

    def __init__(
        self,
        contest: Contest,
        path: Path,
        *,
        database: str = "",
        host: str = "127.0.0.1",
        port: int = 8000,
        workers: int = 1,
        secure: bool = False,
        root_path: str = "",
        new_secrets: bool = False,
        clock: ServerClock | None = None,
        preparing: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> None:
        self.contest = contest
        root_path = _root_path(root_path)
        # Errors that can be found at once are raised before puzzles are made.
        with ExitStack() as opened:
            self.socket = opened.enter_context(_listening(host, port))
            if not database and not os.access(path.parent, os.W_OK):
                reason = "Permission denied: the database is written here"
                raise PermissionError(13, reason, str(path.parent))
            self.store = Store(database or sqlite_url(path.with_suffix(".db")))
            opened.callback(self.store.close)
            puzzles = self._puzzles(path, preparing)
            self.secrets = self._secrets(new_secrets)
            self.room = Room(contest, puzzles, self.store, clock or ServerClock())
            opened.pop_all()
        pool, facts = Workers(workers), self.store.facts()
        self.site = Site(self.room, pool, facts, secure=secure, root_path=root_path)
        self.app = application(self.site, self.close)

    @property
    def address(self) -> str:
        """The address for browsers, without a proxy."""
        host, port = self.socket.getsockname()[:2]
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{port}{self.site.root_path}"

    def asgi_server(self) -> uvicorn.Server:
        """Return the server that answers requests on the `socket`."""
        config = uvicorn.Config(
            self.app,
            log_level="warning",
            access_log=False,
            ws="none",
            server_header=False,
            proxy_headers=self.site.secure or bool(self.site.root_path),
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=10,
        )
        server = uvicorn.Server(config)
        self.store.journal.on_taken = partial(setattr, server, "should_exit", True)
        return server

    def run(self) -> None:
        """Serve until a signal stops the server.

        Raises
        ------
        ValueError
            If another server has taken the database.
        """
        # Everything loaded is excluded from garbage collection, so that no player waits for it.
        gc.collect()
        gc.freeze()
        self.asgi_server().run(sockets=[self.socket])
        if self.store.journal.is_taken:
            raise ValueError(f"{self.store.name}: {TakenError()}, so this one has stopped")

    def close(self) -> None:
        """Write waiting rows, and close the database and the socket."""
        self.store.close()
        self.socket.close()

    def _puzzles(
        self, path: Path, preparing: Callable[[], AbstractContextManager[Any]]
    ) -> list[ContestPuzzle]:
        """Return the stored puzzles, or make and store them when the contest is first served."""
        identity = _identity(self.contest)
        known = self.store.facts().get("puzzles")
        if known is not None:
            if known != identity:
                raise ValueError(
                    f"{self.store.name} holds a contest with other puzzles: move it away, or name "
                    "another one with --database"
                )
            return self.store.puzzles()
        with preparing():
            puzzles = puzzles_of(self.contest, path.parent)
        self.store.set_puzzles(puzzles)
        self.store.set_facts({"puzzles": identity, "id": new_words(2)})
        return puzzles

    def _secrets(self, new_secrets: bool) -> Secrets:
        """Return new secrets; where one is replaced, the organiser's sessions end."""
        known, secrets = self.store.facts(), Secrets("", "")
        facts = {}
        if new_secrets or "token" not in known:
            secrets = secrets._replace(token=new_token())
            facts["token"] = token_hash(secrets.token)
        if self.contest.password:
            kept = known.get("password", "")
            if not kept or not is_password(self.contest.password, kept):
                facts["password"] = password_hash(self.contest.password)
        elif new_secrets or "password" not in known:
            secrets = secrets._replace(password=new_words(4))
            facts["password"] = password_hash(secrets.password)
        if facts:
            self.store.set_facts(facts, END_ORGANISERS)
        return secrets


def contest_log(path: Path, database: str = "") -> Iterator[str]:
    """Yield the log of a contest, whether or not it is over, as pieces of a CSV.

    Parameters
    ----------
    path : Path
        The contest's file.
    database : str
        As for :class:`Server`.

    Raises
    ------
    ValueError
        If the contest has not been served yet.
    """
    with closing(Store(database or sqlite_url(path.with_suffix(".db")), to_read=True)) as store:
        yield from log_of(store)


def back_up_contest(path: Path, output: Path, database: str = "") -> tuple[int, int]:
    """Copy the database of a contest, also while it is served.

    Parameters
    ----------
    path : Path
        The contest's file.
    output : Path
        The copy.
    database : str
        As for :class:`Server`.

    Returns
    -------
    n_players, n_moves : int
        What the copy holds.

    Raises
    ------
    OSError
        If the copy cannot be written.
    ValueError
        If the contest has not been served yet, or its database is not SQLite.
    """
    with closing(Store(database or sqlite_url(path.with_suffix(".db")), to_read=True)) as store:
        return store.back_up(output)


def _identity(contest: Contest) -> str:
    """Return a hash that identifies the puzzles of a contest."""
    wishes = json.dumps([plain(contest.puzzles), contest.seed], sort_keys=True)
    return sha256(wishes.encode()).hexdigest()[:16]


def _root_path(text: str) -> str:
    """Return a path without a slash at its end, and empty for ``/``.

    Raises
    ------
    ValueError
        If the text is not a path, or begins like the server's own paths, which a proxy may pass on.
    """
    path = text.rstrip("/")
    if path and not re.fullmatch(r"(/[\w.~-]+)+", path, re.ASCII):
        raise ValueError(f"the root path must be a path like /sudoku, got {shortened(text)!r}")
    if path.partition("/")[2].partition("/")[0] in OWN_PATHS:
        raise ValueError(
            f"the root path {path} begins like a path of the server itself: choose another one"
        )
    return path


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sets TCP_NODELAY. Without this option the body of each answer
    # waits 40 ms for the client to acknowledge its headers.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # Not on Windows, where it would let two servers share a port.
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ValueError(
            f"cannot listen on {host}, port {port}: {error.strerror}; choose another with --port"
        ) from None
    return listening


MOST_BYTES = {"/contest/moves": 1 << 20, "/api/games": 1 << 25, "/api/rate": 1 << 20}
"""Largest body of a request, by path; `OTHER_BYTES` for all others."""

OTHER_BYTES = 1 << 15

OWN_PATHS = ("contest", "organiser", "api", "static", "openapi.json", "favicon.ico")


def application(site: Site, close: Callable[[], None]) -> FastAPI:
    """Return the ASGI application of a contest; `close` is called when it ends."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        close()

    app = FastAPI(
        lifespan=lifespan,
        title="nando",
        version=__version__,
        description="A contest, and the library over HTTP.",
        # FastAPI's pages of the schema load scripts from another site.
        docs_url=None,
        redoc_url=None,
        servers=[{"url": site.root_path}] if site.root_path else None,
    )
    app.state.site = site
    for routes in (pages, players, organiser, library):
        app.include_router(routes.router)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(RefusedError, _answer_refusal)
    for error in (StoreError, OperationalError):
        app.add_exception_handler(error, _not_kept)
    for move_error in _MOVE_ERRORS:
        app.add_exception_handler(move_error, _not_taken)
    app.add_middleware(
        Guard,
        most_bytes=lambda path: MOST_BYTES.get(path, OTHER_BYTES),
        secure=site.secure,
        root_path=site.root_path,
    )
    return app


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """Return the error of a request as one short sentence."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    detail = shortened(f"{place}: {first['msg']}", 300)
    return JSONResponse({"detail": detail}, status_code=422)


_STATUSES = {
    **{"code": 403, "key": 403, "password": 403, "token": 403, "removed": 404},
    **{"name_taken": 409, "name_alike": 409, "elsewhere": 409, "not_running": 409},
    **{"paused": 425, "requests": 429, "joins": 429, "attempts": 429, "not_kept": 503},
}
"""Status of each refusal by its reason; 422 for all others."""

_MOVE_ERRORS = {NotStartedError: 425, RemovedError: 401, GapError: 409, BadMoveError: 422}
"""Status of the refusals that only programs read."""


def _answer_refusal(_: Request, error: Exception) -> JSONResponse:
    """Return a refusal with its reason, for which the pages have a text in their language."""
    assert isinstance(error, RefusedError)
    body = {"detail": str(error), "reason": error.reason, "fields": error.fields}
    headers = {"Retry-After": str(error.wait)} if error.wait else None
    return JSONResponse(body, _STATUSES.get(error.reason, 422), headers)


def _not_kept(request: Request, _: Exception) -> JSONResponse:
    """Return a refusal without the reason, which can name the database and its host."""
    return _answer_refusal(request, RefusedError("not_kept", wait=2))


def _not_taken(_: Request, error: Exception) -> JSONResponse:
    """Return the refusal of moves, or of puzzles before the contest."""
    detail = {"seq": error.seq} if isinstance(error, GapError) else str(error)
    return JSONResponse({"detail": detail}, _MOVE_ERRORS[type(error)])
