"""The application: routes, guard, and errors that are one sentence each."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from nando import __version__
from nando.puzzles.files import shortened
from nando.serve.guard import Guard
from nando.serve.routes import library, organiser, pages, players
from nando.serve.routes.site import RefusedError, Site

MOST_BYTES = {"/contest/moves": 1 << 20, "/api/games": 1 << 25, "/api/rate": 1 << 20}
"""Largest body of a request, by path; `OTHER_BYTES` for all others."""

OTHER_BYTES = 1 << 15


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
        # The pages of the schema that FastAPI makes load scripts from another site.
        docs_url=None,
        redoc_url=None,
    )
    app.state.site = site
    for routes in (pages, players, organiser, library):
        app.include_router(routes.router)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(RefusedError, _refused)
    app.add_middleware(Guard, most_bytes=lambda path: MOST_BYTES.get(path, OTHER_BYTES))
    return app


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """Return the fault of a request as one short sentence."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    detail = shortened(f"{place}: {first['msg']}", 300)
    return JSONResponse({"detail": detail}, status_code=422)


def _refused(_: Request, error: Exception) -> JSONResponse:
    """Return a refusal with its reason, for which pages have a text in their language."""
    assert isinstance(error, RefusedError)
    body = {"detail": error.detail, "reason": error.reason, "fields": error.fields}
    return JSONResponse(body, status_code=error.status_code, headers=error.headers)
