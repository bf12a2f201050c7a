"""What a contest keeps: reads, and writes of many requests in one transaction.

A commit waits for the disk. Meanwhile the rows of other requests are collected, and one thread
commits them together, so that transactions grow with the load. A request is answered after the
commit of its rows, so that acknowledged rows survive a crash.
"""

import asyncio
import logging
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DataError, IntegrityError

from nando.serve.contest import ContestPuzzle
from nando.serve.database import (
    FACTS,
    METADATA,
    MOVES,
    PLAYERS,
    PUZZLES,
    SESSIONS,
    Database,
    StoreError,
    TakenError,
    reason_of,
)
from nando.writing import replace_file

INSERT_PLAYER = PLAYERS.insert()
INSERT_SESSION = SESSIONS.insert()
INSERT_MOVE = MOVES.insert()
HAND_OUT = PLAYERS.update().where(PLAYERS.c.id == sa.bindparam("handed_to"))
END_ORGANISERS = sa.delete(SESSIONS).where(SESSIONS.c.player.is_(None))
CHANGE_PLAYER = PLAYERS.update().where(PLAYERS.c.id == sa.bindparam("changed"))
DELETE_PLAYER = tuple(
    sa.delete(table).where(table.c.player == sa.bindparam("gone")) for table in (MOVES, SESSIONS)
)
SET_FACT = FACTS.update().where(FACTS.c.name == sa.bindparam("fact"))
END_SESSION = sa.delete(SESSIONS).where(SESSIONS.c.token_hash == sa.bindparam("ended"))

MOST_TOGETHER = 512
"""Most requests in a transaction."""

CHECK_SECONDS = 2.0
"""Seconds without a request after which the thread checks the database."""

_RANK = {table: rank for rank, table in enumerate(METADATA.sorted_tables)}
_LOG = logging.getLogger("uvicorn.error")
"""The server's log, which is shown in its terminal."""


class Write(NamedTuple):
    """Rows for one statement."""

    statement: sa.Insert | sa.Update | sa.Delete
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

    def __init__(self, engine: sa.Engine, check: Callable[[sa.Connection, bool], None]) -> None:
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
        ordered = sorted(rows, key=lambda s: (not isinstance(s, sa.Insert), _RANK[s.table]))
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


class Store(Database):
    """The database of a contest, read and written; see :class:`Database` for its parameters."""

    def __init__(self, url: str, *, to_read: bool = False) -> None:
        super().__init__(url, to_read=to_read)
        self.journal = Journal(self.writer, self.check_owner)
        if not to_read:
            self.journal.start()

    def close(self) -> None:
        """Write waiting rows, and close the database."""
        self.journal.close()
        super().close()

    def puzzles(self) -> list[ContestPuzzle]:
        """Return the puzzles of the contest; none before it is first served."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(PUZZLES.c.record).order_by(PUZZLES.c.number))
            return [ContestPuzzle.from_row(record) for (record,) in rows]

    def set_puzzles(self, puzzles: list[ContestPuzzle]) -> None:
        """Store the puzzles."""
        rows = [
            {"number": number, "record": puzzle.to_row()} for number, puzzle in enumerate(puzzles)
        ]
        with self.engine.begin() as connection:
            connection.execute(PUZZLES.insert(), rows)

    # ---------------------------------------------------------------- players and moves

    def kept(self, now_ms: int) -> tuple[Sequence[sa.Row[Any]], Sequence[sa.Row[Any]]]:
        """Return the players and the open sessions."""
        with self.engine.begin() as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.expires_ms <= now_ms))
            players = connection.execute(sa.select(PLAYERS).order_by(PLAYERS.c.id)).all()
            return players, connection.execute(sa.select(SESSIONS)).all()

    def names(self) -> dict[int, str]:
        """Return the names of the players."""
        with self.engine.connect() as connection:
            return {row.id: row.name for row in connection.execute(sa.select(PLAYERS))}

    def moves(self, player: int | None = None) -> Iterator[sa.Row[Any]]:
        """Yield the moves of a player, or of all players, those of each player in order."""
        query = sa.select(MOVES).order_by(MOVES.c.player, MOVES.c.seq)
        if player is not None:
            query = query.where(MOVES.c.player == player)
        with self.engine.connect().execution_options(yield_per=2_000) as connection:
            yield from connection.execute(query)

    def back_up(self, path: Path) -> tuple[int, int]:
        """Copy the database while a server uses it; return the numbers of players and moves.

        Raises
        ------
        OSError
            If the file cannot be written.
        ValueError
            If it is the database itself, or the database is not SQLite.
        """
        if not self.is_file:
            raise ValueError(f"{self.name}: pg_dump copies a PostgreSQL database while it is used")
        if path.resolve() == Path(self.url.database or "").resolve():
            raise ValueError(f"{path} is the database itself: name another file")
        with replace_file(path) as file, self.engine.connect() as connection:
            os.chmod(file.name, 0o600)
            source = connection.connection.driver_connection
            assert source is not None
            with closing(sqlite3.connect(file.name)) as copy:
                try:
                    source.backup(copy)
                except sqlite3.Error as error:
                    raise OSError(0, f"Cannot be written: {error}", str(path)) from None
                counts = [copy.execute(f"select count(*) from {t}") for t in (PLAYERS, MOVES)]
                n_players, n_moves = (count for ((count,),) in counts)
        return n_players, n_moves

    async def write(self, *writes: Write) -> None:
        """Return when the rows are committed; see :meth:`Journal.write`."""
        await self.journal.write(*writes)
