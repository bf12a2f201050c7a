"""The database of a contest, which one server at a time owns, reads and writes."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from nando.serve.journal import Journal, TakenError, Write, reason_of
from nando.serve.puzzles import ContestPuzzle
from nando.serve.secrets import new_token
from nando.serve.tables import FACTS, METADATA, MOVES, PLAYERS, PUZZLES, SESSIONS
from nando.writing import replaced_file

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

_LOCK = 0x6E616E646F
"""Number of the advisory lock in PostgreSQL: the letters 'nando'."""


class Kept(NamedTuple):
    """The rows of a contest that a server loads when it starts."""

    players: list[sa.Row[Any]]
    sessions: list[sa.Row[Any]]


class Store:
    """The database of a contest.

    Parameters
    ----------
    url : str
        URL for SQLAlchemy: ``sqlite:///contest.db`` or ``postgresql+psycopg://host/contest``.
    to_read : bool
        Only read the database, even while a server has it open.

    Raises
    ------
    ValueError
        If the URL is invalid, the database cannot be opened or written, or another server has it
        open.
    """

    def __init__(self, url: str, *, to_read: bool = False) -> None:
        self.url = _url_of(url)
        self.name = self.url.render_as_string(hide_password=True)
        self._locked: _FileLock | None = None
        self._has_lock = True
        self._id = new_token()
        try:
            self.engine = self._writer = _engine(self.url)
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
        self.journal = Journal(self._writer, self._check_owner)
        if not to_read:
            self.journal.start()

    def close(self) -> None:
        """Write waiting rows, and close the database."""
        self.journal.close()
        if self._locked is not None:
            self._locked.close()
        self._writer.dispose()
        self.engine.dispose()

    def _check_contest(self) -> None:
        path = self.url.database or ""
        is_file = self.url.get_backend_name() == "sqlite"
        if (is_file and not Path(path).exists()) or not sa.inspect(self.engine).has_table(
            MOVES.name
        ):
            raise ValueError(f"{self.name}: no contest was served from this database yet")

    def _make_tables(self) -> None:
        METADATA.create_all(self.engine)
        # Find out whether the database can be written before anybody plays.
        with self.engine.begin() as connection:
            connection.execute(FACTS.delete().where(FACTS.c.name == "probe"))
            connection.execute(FACTS.insert(), {"name": "probe", "value": ""})
            connection.execute(FACTS.delete().where(FACTS.c.name == "probe"))

    def _own(self) -> None:
        """Lock the database, so that no other server starts, and sign it.

        A lock can be lost, for example when PostgreSQL restarts or somebody deletes the file. So
        whoever locks the database signs it, and a server that does not find its own signature in a
        transaction stops.
        """
        if self.url.get_backend_name() == "sqlite":
            self._locked = _own_file(self.url, self.name)
        else:
            self._writer = sa.create_engine(
                self.url, pool_pre_ping=True, pool_size=1, max_overflow=0
            )
            sa.event.listen(self._writer, "connect", self._lock)
            self._writer.connect().close()
        if not self._has_lock:
            self._writer.dispose()
            raise ValueError(_OWNED.format(self.name))
        self._make_tables()
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

    def _check_owner(self, connection: sa.Connection, is_probe: bool) -> None:
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

    # ---------------------------------------------------------------- what never changes

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

    def puzzles(self) -> list[ContestPuzzle]:
        """Return the puzzles of the contest; none before it is first served."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(PUZZLES.c.record).order_by(PUZZLES.c.number))
            return [ContestPuzzle.from_row(json.loads(record)) for (record,) in rows]

    def set_puzzles(self, puzzles: list[ContestPuzzle]) -> None:
        """Store the puzzles."""
        rows = [
            {"number": number, "record": json.dumps(puzzle.to_row())}
            for number, puzzle in enumerate(puzzles)
        ]
        with self.engine.begin() as connection:
            connection.execute(PUZZLES.insert(), rows)

    # ---------------------------------------------------------------- players and moves

    def kept(self, now_ms: int) -> Kept:
        """Return the players and the open sessions."""
        with self.engine.begin() as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.expires_ms <= now_ms))
            return Kept(
                list(connection.execute(sa.select(PLAYERS).order_by(PLAYERS.c.id))),
                list(connection.execute(sa.select(SESSIONS))),
            )

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
        if self.url.get_backend_name() != "sqlite":
            raise ValueError(f"{self.name}: pg_dump copies a PostgreSQL database while it is used")
        if path.resolve() == Path(self.url.database or "").resolve():
            raise ValueError(f"{path} is the database itself: name another file")
        with replaced_file(path) as file, self.engine.connect() as connection:
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


_OWNED = "{}: another server has this database open: stop it first, or name another with --database"


def sqlite_url(path: Path) -> str:
    """Return the URL of a database in a file."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string()


def _url_of(url: str) -> sa.URL:
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


def _engine(url: sa.URL) -> sa.Engine:
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


class _FileLock:
    """A lock on a file next to the database, which ends with the process."""

    def __init__(self, path: Path, name: str) -> None:
        self._file = open(path, "ab")  # noqa: SIM115  # open for as long as the server runs
        with suppress(ImportError):  # not on Windows
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._file.close()
                raise ValueError(_OWNED.format(name)) from None

    def close(self) -> None:
        self._file.close()


def _own_file(url: sa.URL, name: str) -> _FileLock:
    if not url.database or url.database == ":memory:":
        raise ValueError(f"{name}: a contest in memory would be lost; name a file")
    # SQLite gives the mode of the database to the files next to it.
    for path in (Path(url.database), Path(f"{url.database}-lock")):
        if not path.exists():
            path.touch(0o600)
    return _FileLock(Path(f"{url.database}-lock"), name)
