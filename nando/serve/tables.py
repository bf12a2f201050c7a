"""The tables of a contest. Times are milliseconds since 1970, on the server's clock."""

import sqlalchemy as sa

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
    sa.Column("record", sa.Text, nullable=False),
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
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("changes", sa.Text, nullable=False),
    sa.Column("t_ms", sa.BigInteger, nullable=False),
    sa.Column("received_ms", sa.BigInteger, nullable=False),
    sa.Column("age_ms", sa.BigInteger, nullable=False),
)
"""The events of all players, one row each; `seq` numbers a player's events from 1."""
