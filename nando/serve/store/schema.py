"""The tables of a contest. Times are milliseconds since 1970, on the server's clock."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()

FACTS = Table(
    "facts",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the contest was when it was first served: its identity, and hashes of its secrets."""

PUZZLES = Table(
    "puzzles",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("record", Text, nullable=False),
)
"""The puzzles as they are played, so that a restart makes none again."""

PLAYERS = Table(
    "players",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", String(200), nullable=False),
    Column("folded", String(400), nullable=False, unique=True),
    Column("key_hash", String(64), nullable=False),
    Column("joined_ms", BigInteger, nullable=False),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("player", Integer, ForeignKey("players.id")),
    Column("expires_ms", BigInteger, nullable=False),
)
"""Of players, and of the organiser where there is no player."""

MOVES = Table(
    "moves",
    METADATA,
    Column("player", Integer, ForeignKey("players.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("device", String(40), nullable=False),
    Column("puzzle", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("event", Text, nullable=False),
    Column("changes", Text, nullable=False),
    Column("t_ms", BigInteger, nullable=False),
    Column("received_ms", BigInteger, nullable=False),
)
"""Everything that players did, one row an event; `seq` numbers a player's events from 1."""

SOLVES = Table(
    "solves",
    METADATA,
    Column("player", Integer, ForeignKey("players.id"), nullable=False),
    Column("puzzle", Integer, nullable=False),
    Column("received_ms", BigInteger, nullable=False),
    UniqueConstraint("player", "puzzle"),
)
"""When the server knew a puzzle to be solved."""
