"""Writes to the database, many requests in one transaction.

A commit waits for the disk. Meanwhile the rows of other requests are collected, and one thread
commits them together, so that transactions grow with the load. A request is answered after the
commit of its rows, so that acknowledged rows survive a crash.
"""

import asyncio
import queue
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Delete, Engine, Insert, Update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from nando.serve.tables import METADATA

MOST_TOGETHER = 512
"""Most requests in a transaction."""

_RANK = {table: rank for rank, table in enumerate(METADATA.sorted_tables)}


class StoreError(Exception):
    """The database cannot be written now; the rows of the request are not stored."""


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
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._waiting: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
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
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch, is_last = [first], False
            while len(batch) < MOST_TOGETHER and not self._waiting.empty():
                request = self._waiting.get()
                if request is None:
                    is_last = True
                    break
                batch.append(request)
            self._commit(batch)
            if is_last:
                return

    def _commit(self, batch: Sequence[_Request]) -> None:
        try:
            self._write([write for request in batch for write in request.writes])
        except (IntegrityError, DataError) as error:
            if len(batch) == 1:
                _tell(batch[0], error)
                return
            # One bad request must not fail the others.
            for request in batch:
                self._commit([request])
        except (SQLAlchemyError, OSError) as error:
            reason = str(error.orig) if isinstance(error, DBAPIError) else str(error)
            for request in batch:
                _tell(request, StoreError(reason))
        else:
            for request in batch:
                _tell(request, None)

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
