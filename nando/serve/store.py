"""What a contest keeps: its tables, reads, and writes of many requests in one transaction.

One server opens and owns the database. A commit waits for the disk. Meanwhile the rows of other
requests are collected, and one thread commits them together, so that transactions grow with the
load. A request is answered after the commit of its rows, so that acknowledged rows survive a crash.
Times are milliseconds since 1970, on the server's clock.
"""

import asyncio
import json
import logging
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, NoSuchModuleError

from nando.serve.access import new_token
from nando.serve.contest import ContestPuzzle
from nando.writing import replace_file


class Plain(sa.types.TypeDecorator[Any]):
    """A column of plain values, which are kept as JSON."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: object) -> str:
        """Return what is kept."""
        return json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: Any, dialect: object) -> Any:
        """Return the value."""
        return json.loads(value)


METADATA = sa.MetaData()

FACTS = sa.Table(
    "facts",
    METADATA,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""The identity of the contest since it was first served, and hashes of its secrets."""

PUZZLES = sa.Table(
    "puzzles",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("record", Plain, nullable=False),
)
"""The puzzles of the contest, so that a restart does not make them again."""

PLAYERS = sa.Table(
    "players",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("folded", sa.String(400), nullable=False, unique=True),
    sa.Column("key_hash", sa.String(64), nullable=False),
    sa.Column("joined_ms", sa.BigInteger, nullable=False),
    sa.Column("handed_ms", sa.BigInteger),
)
"""The players; `handed_ms` is when a player first had the puzzles."""

SESSIONS = sa.Table(
    "sessions",
    METADATA,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("player", sa.Integer, sa.ForeignKey("players.id")),
    sa.Column("expires_ms", sa.BigInteger, nullable=False),
)
"""Sessions of players, and of the organiser, who has no player number."""

MOVES = sa.Table(
    "moves",
    METADATA,
    sa.Column("player", sa.Integer, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("device", sa.String(40), nullable=False),
    sa.Column("puzzle", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("event", Plain, nullable=False),
    sa.Column("changes", Plain, nullable=False),
    sa.Column("t_ms", sa.BigInteger, nullable=False),
    sa.Column("received_ms", sa.BigInteger, nullable=False),
    sa.Column("age_ms", sa.BigInteger, nullable=False),
)
"""The events of all players, one row each; `seq` numbers a player's events from 1."""

_LOCK = 0x6E616E646F
"""Number of the advisory lock in PostgreSQL: the letters 'nando'."""

_OWNED = "{}: another server has this database open: stop it first, or name another with --database"


class StoreError(Exception):
    """The database cannot be written now; the rows of the request are not stored."""


class TakenError(StoreError):
    """Another server has taken the database; this one must not write it again."""

    def __init__(self) -> None:
        super().__init__("another server has taken the database")


class Database:
    """A database that at most one server at a time writes.

    Parameters
    ----------
    url : str
        URL for SQLAlchemy: ``sqlite:///contest.db`` or ``postgresql+psycopg://host/contest``.
    to_read : bool
        Only read the database, even while a server has it open.

    Attributes
    ----------
    engine, writer : Engine
        The connections that read, and those that write moves.

    Raises
    ------
    ValueError
        If the URL is invalid, the database cannot be opened or written, or another server has it
        open.
    """

    def __init__(self, url: str, *, to_read: bool = False) -> None:
        self.url = _read_url(url)
        self.name = self.url.render_as_string(hide_password=True)
        self.is_file = self.url.get_backend_name() == "sqlite"
        self._lock_file: IO[bytes] | None = None
        self._has_lock = True
        self._id = new_token()
        try:
            self.engine = self.writer = _new_engine(self.url)
            if to_read:
                self._check_contest()
            else:
                self._own()
        except OSError as error:
            raise ValueError(f"{self.name}: cannot be opened: {error.strerror}") from None
        except DBAPIError as error:
            reason = reason_of(error)
            raise ValueError(f"{self.name}: the database cannot be used: {reason}") from None
        except ModuleNotFoundError as error:
            raise ValueError(
                f"{self.name}: needs {error.name}, which is not installed: "
                "pip install 'nando[serve]'"
            ) from None

    def close(self) -> None:
        """Close the database."""
        if self._lock_file is not None:
            self._lock_file.close()
        self.writer.dispose()
        self.engine.dispose()

    def facts(self) -> dict[str, str]:
        """Return the identity of the contest and the hashes of its secrets."""
        with self.engine.connect() as connection:
            return {row.name: row.value for row in connection.execute(sa.select(FACTS))}

    def set_facts(self, facts: dict[str, str], *others: sa.Delete) -> None:
        """Store facts, replace those of the same name, and execute others in one transaction."""
        with self.engine.begin() as connection:
            for statement in others:
                connection.execute(statement)
            connection.execute(sa.delete(FACTS).where(FACTS.c.name.in_(facts)))
            rows = [{"name": name, "value": value} for name, value in facts.items()]
            connection.execute(FACTS.insert(), rows)

    def _check_contest(self) -> None:
        is_missing = self.is_file and not Path(self.url.database or "").exists()
        if is_missing or not sa.inspect(self.engine).has_table(MOVES.name):
            raise ValueError(f"{self.name}: no contest was served from this database yet")

    def _own(self) -> None:
        """Lock the database, so that no other server starts, and sign it.

        A lock can be lost, for example when PostgreSQL restarts or somebody deletes the file. So
        whoever locks the database signs it, and a server that does not find its own signature in a
        transaction stops.
        """
        if self.is_file:
            self._lock_file = _lock_file(self.url, self.name)
        else:
            self.writer = sa.create_engine(
                self.url, pool_pre_ping=True, pool_size=1, max_overflow=0
            )
            sa.event.listen(self.writer, "connect", self._lock)
            self.writer.connect().close()
        if not self._has_lock:
            self.writer.dispose()
            raise ValueError(_OWNED.format(self.name))
        METADATA.create_all(self.engine)
        self.set_facts({"owner": self._id})

    def _lock(self, connection: Any, _: Any) -> None:
        """Lock PostgreSQL by a new connection, the only one by which moves are written.

        After a lost connection the lock may still belong to the old one, which PostgreSQL does not
        know to be lost. Then the signature decides.
        """
        with connection.cursor() as cursor:
            cursor.execute(f"select pg_try_advisory_lock({_LOCK})")
            (self._has_lock,) = cursor.fetchone()
        connection.commit()

    def check_owner(self, connection: sa.Connection, is_probe: bool) -> None:
        """Raise TakenError unless this server has signed the database, until the transaction ends.

        A probe writes the signature again, which fails while the disk is full.
        """
        own = FACTS.c.name == "owner", FACTS.c.value == self._id
        if is_probe:
            n_own = connection.execute(FACTS.update().where(*own).values(value=self._id)).rowcount
        else:
            query = sa.select(FACTS.c.name).where(*own).with_for_update(read=True)
            n_own = len(connection.execute(query).all())
        if not n_own:
            raise TakenError


def sqlite_url(path: Path) -> str:
    """Return the URL of a database in a file."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string()


def reason_of(error: Exception) -> str:
    """Return the reason of an error of the database or the system on one line."""
    return " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())


def _read_url(url: str) -> sa.URL:
    try:
        parsed = sa.make_url(url)
        parsed.get_dialect()
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError):
        raise ValueError(
            f"{url.partition('@')[2] or url}: not the URL of a known database; wanted one "
            "like sqlite:///contest.db or postgresql+psycopg://user@host/contest"
        ) from None
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError(f"{parsed.get_backend_name()} is not supported; use sqlite or postgresql")
    # If the URL names no driver, SQLAlchemy takes an older driver that is rarely installed.
    return (
        parsed.set(drivername="postgresql+psycopg") if "postgres" in parsed.drivername else parsed
    )


def _new_engine(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True)
    engine = sa.create_engine(url, connect_args={"timeout": 10.0})

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        # FULL: a commit is on the disk before it is reported.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def _lock_file(url: sa.URL, name: str) -> IO[bytes]:
    """Lock a database in a file; return the file next to it that has the lock while open."""
    if not url.database or url.database == ":memory:":
        raise ValueError(f"{name}: a contest in memory would be lost; name a file")
    # SQLite gives the mode of the database to the files next to it.
    for path in (Path(url.database), Path(f"{url.database}-lock")):
        if not path.exists():
            path.touch(0o600)
    file = open(f"{url.database}-lock", "ab")  # noqa: SIM115  # open for as long as the server runs
    with suppress(ImportError):  # not on Windows
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise ValueError(_OWNED.format(name)) from None
    return file


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
