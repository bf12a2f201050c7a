"""The database of a contest: its tables, and how one server opens and owns it.

Times are milliseconds since 1970, on the server's clock.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from nando.serve.access import new_token


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
