"""Contests for tests: served by a thread, and played by programs."""

import contextlib
import http.server
import threading
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from helpers.pages.played_pages import NURIKABE, SUDOKU
from nando.serve import Contest, PuzzlePart, Server, access
from nando.serve.room import ServerClock
from nando.solvers import unique_solution

START = datetime(2027, 3, 1, 19, tzinfo=UTC)
END = START + timedelta(hours=1)
PASSWORD = "correct horse"
OPTIONS = ("new_secrets", "root_path", "secure")
PARTS = (PuzzlePart(puzzle=SUDOKU.text, points=20), PuzzlePart(puzzle=NURIKABE.text, points=5))


class TestClock(ServerClock):
    """A clock that a test sets, in seconds from the start of the contest."""

    __test__ = False
    seconds = 60.0

    def now(self):
        return round(1000 * (START.timestamp() + self.seconds))

    def set(self, seconds):
        object.__setattr__(self, "seconds", seconds)


def blanks(puzzle):
    """Return the cell and value of every blank; for a Nurikabe, those of the river."""
    solution = unique_solution(puzzle).tolist()
    wanted = (2,) if puzzle.kind == "nurikabe" else range(1, 26)
    return [(c, v) for c, v in enumerate(solution) if not puzzle.givens[c] and v in wanted]


def entry(seq, cell, value, *, puzzle=0, attempt=0, age_ms=0, before=0):
    """Return the event of an entered value in the form that the page sends."""
    event = {"e": "value", "c": [cell], "v": value, "t": 0, "w": 0}
    changes = [[0, cell, before, value]]
    return {
        "seq": seq,
        "puzzle": puzzle,
        "attempt": attempt,
        "age_ms": age_ms,
        "event": event,
        "changes": changes,
    }


def begin(seq=1, *, puzzle=0, attempt=0):
    """Return the event with which each game begins."""
    event = {"event": {"e": "start", "t": 0, "w": 0}, "changes": []}
    return entry(seq, 0, 0, puzzle=puzzle, attempt=attempt) | event


class Visitor:
    """A browser without a page that keeps cookies and sends the token of its session."""

    def __init__(self, client):
        self.client = client
        self.cookies = {}
        self.csrf = ""

    def __call__(self, method, path, *, headers=None, **options):
        sent = {"cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if self.csrf:
            sent["x-csrf-token"] = self.csrf
        self.client.cookies.clear()
        found = self.client.request(method, path, headers=sent | (headers or {}), **options)
        self.cookies |= dict(found.cookies)
        self.client.cookies.clear()
        if found.status_code == 200 and "csrf" in (reply := body_of(found)):
            self.csrf = reply["csrf"]
        return found

    def join(self, name, code="tea-time"):
        found = self("POST", "/contest/join", json={"name": name, "code": code})
        assert found.status_code == 200, found.text
        return found.json()

    def login(self):
        found = self("POST", "/organiser/login", json={"password": PASSWORD})
        assert found.status_code == 200, found.text
        return self

    def send(self, *moves, device="d"):
        return self("POST", "/contest/moves", json={"device": device, "moves": list(moves)})

    def solve(self, puzzle, number=0, first=1):
        """Solve a puzzle in one request and return the number of the next event."""
        moves = [entry(n, *move, puzzle=number) for n, move in enumerate(blanks(puzzle), first + 1)]
        found = self.send(begin(first, puzzle=number), *moves)
        assert found.status_code == 200, found.text
        return first + 1 + len(moves)


def body_of(found):
    with contextlib.suppress(ValueError):
        reply = found.json()
        return reply if isinstance(reply, dict) else {}
    return {}


def client_of(address, timeout=60):
    """Return a client that loads no certificates, which would take longer than most tests."""
    return httpx.Client(base_url=address, timeout=timeout, verify=False)


class _Proxied(http.server.BaseHTTPRequestHandler):
    """A request to a proxy, which passes on what is below its path and nothing else."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """Pass on the request with the headers of the sample in the documentation."""
        below, path = self.server.below, self.path
        if not path.startswith(f"{below}/"):
            self.send_error(404)
            return
        sent = {name: value for name, value in self.headers.items() if name != "Connection"}
        sent |= {"X-Forwarded-For": self.server.client, "X-Forwarded-Proto": "https"}
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        target = path if self.server.keeps else path.removeprefix(below)
        with client_of(self.server.target) as client:
            client.headers.clear()
            found = client.request(self.command, target, headers=sent, content=body)
        self.send_response(found.status_code)
        for name, value in found.headers.multi_items():
            if name not in (
                "content-length",
                "content-encoding",
                "transfer-encoding",
                "connection",
            ):
                self.send_header(name, value)
        self.send_header("content-length", str(len(found.content)))
        self.end_headers()
        self.wfile.write(found.content)

    do_POST = do_GET

    def log_message(self, *_):
        """Log nothing."""


@contextlib.contextmanager
def proxied(target, below, *, keeps):
    """Run a proxy that has a server below a path and yield it; `keeps` leaves the path in place.

    Its attribute ``client`` is the address from which requests seem to come.
    """
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Proxied)
    proxy.target, proxy.below, proxy.keeps, proxy.client = target, below, keeps, "192.0.2.1"
    proxy.address = f"http://127.0.0.1:{proxy.server_port}"
    thread = threading.Thread(target=proxy.serve_forever)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()


@contextlib.contextmanager
def cheap_passwords():
    """Hash passwords at once; otherwise each takes 50 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "_N", 16)
        yield


@contextlib.contextmanager
def served(folder, *, database="", wait=True, **changes):
    """Serve a contest inside this process and yield a client with its server and clock.

    The changes are of the contest's settings or of the server's options.
    Without `wait`, the server shuts down while the next test begins: uvicorn takes a fifth of a
    second.
    """
    known = {"start": START, "end": END, "puzzles": PARTS, "code": "tea-time"}
    options = {name: changes.pop(name) for name in OPTIONS if name in changes}
    contest = Contest(**known | {"password": PASSWORD} | changes)
    with cheap_passwords():
        clock = TestClock()
        server = Server(
            *(contest, folder / "contest.toml"),
            port=0,
            database=database,
            clock=clock,
            **options,
        )
        running = server.asgi_server()
        thread = threading.Thread(target=running.run, kwargs={"sockets": [server.socket]})
        thread.start()
        try:
            with client_of(server.address) as client:
                client.server, client.clock, client.running = server, clock, running
                yield client
        finally:
            running.should_exit = True
            if wait:
                thread.join()


# ---------------------------------------------------------------- processes

OPEN = """\
title = "Test"
code = "tea-time"
password = "correct horse"
start = 2026-01-01T00:00:00Z
end = 2099-01-01T00:00:00Z
[[puzzles]]
puzzle = "{}"
points = 20
[[puzzles]]
puzzle = "{}"
points = 5
"""


def contest_file(folder, text=None):
    """Write the file of a contest that has started and not ended."""
    path = folder / "contest.toml"
    path.write_text(text or OPEN.format(SUDOKU.text, NURIKABE.text), encoding="utf-8")
    return path
