"""The guard in front of all requests: checks of origin, size and time, and headers of answers."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy of all pages except the audit's report, which has no script."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}

HTTPS_ONLY = f"max-age={365 * 24 * 3600}"

BODY_SECONDS = 15.0
"""Seconds within which the body of a request must arrive."""
_DRAIN_SECONDS = 2.0
_MOST_DRAINED = 1 << 20
"""Most bytes of a refused body that are read."""


class _TooLargeError(Exception):
    pass


class Guard:
    """Refuses requests by other sites and bodies that are too large or too slow, and sets headers.

    Parameters
    ----------
    app : ASGI application
    most_bytes : callable
        Takes the path of a request; returns the most bytes that its body may have.
    secure : bool
        Whether browsers connect by HTTPS, and are told to do so for a year.
    root_path : str
        Path below which a proxy has the pages; the proxy may pass it on or leave it out.
    """

    def __init__(
        self,
        app: ASGIApp,
        most_bytes: Callable[[str], int],
        *,
        secure: bool = False,
        root_path: str = "",
    ) -> None:
        self.app = app
        self.most_bytes = most_bytes
        self.root_path = root_path
        self.headers = HEADERS | ({"strict-transport-security": HTTPS_ONLY} if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        if self.root_path and scope["path"] == self.root_path:
            location = [(b"location", f"{self.root_path}/".encode())]
            await send({"type": "http.response.start", "status": 308, "headers": location})
            await send({"type": "http.response.body"})
            return
        if self.root_path:
            path = scope["path"].removeprefix(self.root_path)
            scope = {**scope, "path": path if path.startswith("/") else scope["path"]}
        if scope["method"] not in ("GET", "HEAD") and not _is_from_here(asked):
            await _drain(receive)
            await self._refuse(send, 403, "another site may not ask for this")
            return
        most = self.most_bytes(scope["path"])
        declared = asked.get("content-length", "0")
        if not declared.isdigit() or int(declared) > most:
            await _drain(receive)
            await self._refuse(send, 413, f"the body may have at most {most:,} bytes")
            return
        try:
            body = await asyncio.wait_for(_body(receive, most), BODY_SECONDS)
        except _TooLargeError:
            await self._refuse(send, 413, f"the body may have at most {most:,} bytes")
            return
        except TimeoutError:
            await self._refuse(send, 408, f"the body took more than {BODY_SECONDS:.0f} seconds")
            return
        if body is None:
            return  # the client is gone
        kind = asked.get("content-type", "").partition(";")[0].strip().casefold()
        if body and kind != "application/json":
            # Forms of other sites can send text, but not JSON.
            await self._refuse(send, 415, "send JSON, and content-type: application/json")
            return

        is_read = False

        async def handed_on() -> Message:
            nonlocal is_read
            if is_read:
                return await receive()
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["method"] == "HEAD":
            # Answered as GET is; the HTTP server leaves out the body.
            scope = {**scope, "method": "GET"}
        await self.app(scope, handed_on, with_headers)

    async def _refuse(self, send: Send, status: int, detail: str) -> None:
        body = json.dumps({"detail": detail}).encode()
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        headers += [(name.encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _is_from_here(headers: Headers) -> bool:
    """Return True if a request comes from a page of this server, or not from a browser."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


async def _body(receive: Receive, most: int) -> bytes | None:
    parts, n_bytes = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        n_bytes += len(parts[-1])
        if n_bytes > most:
            raise _TooLargeError
        if not message.get("more_body", False):
            return b"".join(parts)


async def _drain(receive: Receive) -> None:
    """Read the rest of a body, up to a limit; a client reads no answer before it is sent."""
    left = _MOST_DRAINED
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while left > 0:
                message = await receive()
                if not message.get("more_body", False):
                    return
                left -= len(message.get("body", b""))
