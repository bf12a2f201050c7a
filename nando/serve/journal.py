"""Writes to the database, many requests in one transaction.

A commit waits for the disk. Meanwhile the rows of other requests are collected, and one thread
commits them together, so that transactions grow with the load. A request is answered after the
commit of its rows, so that acknowledged rows survive a crash.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Delete, Engine, Insert, Update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from nando.serve.tables import METADATA

MOST_TOGETHER = 512
"""Most requests in a transaction."""

_RANK = {table: rank for rank, table in enumerate(METADATA.sorted_tables)}


CHECK_SECONDS = 2.0
"""Seconds without a request after which the thread checks the database."""

_LOG = logging.getLogger("uvicorn.error")
"""The server's log, which is shown in its terminal."""


class StoreError(Exception):
    """The database cannot be written now; the rows of the request are not stored."""


class TakenError(StoreError):
    """Another server has taken the database; this one must not write it again."""

    def __init__(self) -> None:
        super().__init__("another server has taken the database")


def reason_of(error: Exception) -> str:
    """Return the reason of an error of the database or the system on one line."""
    return " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())


class Write(NamedTuple):
    """Rows for one statement."""

    statement: Insert | Update | Delete
    rows: Sequence[dict[str, Any]]


class _Request(NamedTuple):
    writes: Sequence[Write]
    done: "asyncio.Future[None]"


class Journal:
    """Writes rows from a thread of its own.

    Parameters
    ----------
    engine : Engine
    check : callable
        Takes the connection of a transaction, and whether it has to write a row itself to see if
        that is possible again; raises TakenError.

    Attributes
    ----------
    problem : str
        Why the last transaction failed; empty if it did not.
    since_ms : int
        Time of the first of these failures.
    is_taken : bool
        Whether another server has taken the database; then nothing is written.
    on_taken : callable
        Called when another server has taken the database.
    """

    def __init__(self, engine: Engine, check: Callable[[Connection, bool], None]) -> None:
        self.engine = engine
        self.problem = ""
        self.since_ms = 0
        self.is_taken = False
        self.on_taken: Callable[[], object] = lambda: None
        self._check = check
        self._waiting: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    async def write(self, *writes: Write) -> None:
        """Return when the rows are committed.

        Raises
        ------
        IntegrityError, DataError
            If a row exists already, or is invalid.
        StoreError
            If the database cannot be written.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put(_Request(writes, done))
        # A client that disconnects does not cancel the commit.
        await asyncio.shield(done)

    def close(self) -> None:
        """Write the waiting rows, and end the thread."""
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join()

    def _run(self) -> None:
        is_last = False
        while not is_last:
            batch: list[_Request] = []
            while len(batch) < MOST_TOGETHER and not (batch and self._waiting.empty()):
                try:
                    request = self._waiting.get(timeout=CHECK_SECONDS)
                except queue.Empty:
                    break
                if request is None:
                    is_last = True
                    break
                batch.append(request)
            if batch or not is_last:
                self._commit(batch)

    def _commit(self, batch: Sequence[_Request]) -> None:
        """Commit the rows of requests, or only check the database if there are none."""
        try:
            if self.is_taken:
                raise TakenError
            self._write([write for request in batch for write in request.writes])
        except (IntegrityError, DataError) as error:
            if len(batch) == 1:
                _tell(batch[0], error)
                return
            # One bad request must not fail the others.
            for request in batch:
                self._commit([request])
        except Exception as error:  # the thread must go on, or all requests would wait for ever
            self._note(reason_of(error))
            if isinstance(error, TakenError) and not self.is_taken:
                self.is_taken = True
                self.on_taken()
            for request in batch:
                _tell(request, StoreError(self.problem))
        else:
            self._note("")
            for request in batch:
                _tell(request, None)

    def _note(self, problem: str) -> None:
        """Log when a problem begins, changes or ends."""
        if problem == self.problem:
            return
        if not self.problem:
            self.since_ms = round(1000 * time.time())
        self.problem = problem
        if problem:
            _LOG.error("moves cannot be saved, players send them again: %s", problem)
        else:
            _LOG.warning("moves are saved again")

    def _write(self, writes: Sequence[Write]) -> None:
        """Write all rows in one transaction, beginning with tables to which others refer."""
        rows: dict[Any, list[dict[str, Any]]] = {}
        for write in writes:
            rows.setdefault(write.statement, []).extend(write.rows)
        ordered = sorted(rows, key=lambda s: (not isinstance(s, Insert), _RANK[s.table]))
        with self.engine.begin() as connection:
            for statement in ordered:
                if rows[statement]:
                    connection.execute(statement, rows[statement])
            self._check(connection, bool(self.problem) and not rows)


def _tell(request: _Request, error: Exception | None) -> None:
    """Answer a request in the event loop that waits for it."""

    def answer() -> None:
        if request.done.done():
            return
        if error is None:
            request.done.set_result(None)
        else:
            request.done.set_exception(error)

    loop = request.done.get_loop()
    if not loop.is_closed():
        loop.call_soon_threadsafe(answer)
