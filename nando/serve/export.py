"""The moves of a contest as the log that `nando audit`, `nando fit` and `nando order` read."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nando.games.log import COLUMNS as MOVE_COLUMNS
from nando.puzzles import Puzzle
from nando.serve.board import CENTRE, CORNER, LATE_MS, VALUE
from nando.serve.store import Store
from nando.writing import no_formula

COLUMNS = (*MOVE_COLUMNS, "event", "by", "detail", "received_ms")
"""Columns of every log, followed by those that only a server's log has."""

_EVENT_OF = {VALUE: "value", CORNER: "corner", CENTRE: "centre"}
_BY = {"undo": "undo", "redo": "redo", "fill": "automatic"}
_STOPS = ("pause", "hide")
_GOES_ON = ("start", "resume", "show")


class Deed(NamedTuple):
    """A stored event; times are milliseconds since 1970, on the server's clock.

    The page says that the event waited for `age_ms` before it was sent; `t_ms` is the time at which
    it can have been made.
    """

    player: int
    puzzle: int
    attempt: int
    event: Mapping[str, Any]
    changes: Sequence[Sequence[int]]
    t_ms: int
    received_ms: int
    age_ms: int

    @classmethod
    def from_row(cls, row: Any) -> "Deed":
        """Return the event in a row of the database."""
        event, changes = json.loads(row.event), json.loads(row.changes)
        times = row.t_ms, row.received_ms, row.age_ms
        return cls(row.player, row.puzzle, row.attempt, event, changes, *times)


class _Game:
    """A game whose rows are being written, with its name and the milliseconds played."""

    def __init__(self, deed: Deed) -> None:
        self.name = f"{deed.player}-{deed.puzzle + 1}.{deed.attempt + 1}"
        self.played = 0
        self.since: int | None = deed.t_ms

    def advance_to(self, deed: Deed) -> int:
        """Advance to an event; return the milliseconds played until then, without pauses."""
        running = 0 if self.since is None else deed.t_ms - self.since
        time = self.played + max(0, running)
        kind = deed.event.get("e")
        if kind in _STOPS and self.since is not None:
            self.played, self.since = time, None
        elif kind in _GOES_ON and self.since is None:
            self.since = deed.t_ms
        return time


def log_rows(
    deeds: Iterable[Deed], names: Mapping[int, str], puzzles: Sequence[Puzzle]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a log: one for each changed value or mark, and one for any other event.

    Parameters
    ----------
    deeds : iterable of Deed
        Events, those of each player in order.
    names : mapping of int to str
        Names of the players.
    puzzles : sequence of Puzzle
    """
    games: dict[tuple[int, int, int], _Game] = {}
    for deed in deeds:
        puzzle = puzzles[deed.puzzle]
        key = deed.player, deed.puzzle, deed.attempt
        game = games.setdefault(key, _Game(deed))
        row = {
            "game": game.name,
            "player": no_formula(names[deed.player]),
            "puzzle": puzzle.text,
            "t_ms": game.advance_to(deed),
            "cell": "",
            "value": "",
            "event": deed.event.get("e", ""),
            "by": _BY.get(deed.event.get("e", ""), ""),
            "detail": "",
            "received_ms": deed.received_ms,
        }
        if deed.age_ms > LATE_MS:
            waited = deed.received_ms - deed.t_ms
            claimed = f", {deed.age_ms} ms by its own clock" if deed.age_ms > waited else ""
            yield row | {"event": "late", "by": "", "detail": f"{waited} ms{claimed}"}
        if not deed.changes:
            yield row | {"detail": _detail(deed.event)}
        for layer, cell, before, after in deed.changes:
            place = {"cell": puzzle.cell_name(cell), "event": _EVENT_OF[layer]}
            if layer == VALUE:
                yield row | place | {"value": after}
            else:
                # Marks that disappeared because a value was entered were not typed.
                by = {"by": "automatic"} if deed.event.get("e") == "value" else {}
                yield row | place | by | {"detail": _marks(before, after)}


def log_of(store: Store) -> Iterator[str]:
    """Return the log of a contest as pieces of a CSV, which any thread may read."""
    puzzles = [puzzle.puzzle for puzzle in store.puzzles()]
    return csv_text(log_rows(map(Deed.from_row, store.moves()), store.names(), puzzles))


def csv_text(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    """Yield the rows as pieces of a CSV with a header."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _marks(before: int, after: int) -> str:
    changed = before ^ after
    digits = [digit for digit in range(1, changed.bit_length()) if changed >> digit & 1]
    return " ".join(f"{'+' if after >> digit & 1 else '-'}{digit}" for digit in digits)


def _detail(event: Mapping[str, Any]) -> str:
    return (
        f"{event.get('n')}={'on' if event.get('v') else 'off'}" if event.get("e") == "aid" else ""
    )
