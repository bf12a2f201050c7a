"""The moves of a contest as the log that `nando audit`, `fit` and `order` read, and its audit."""

import asyncio
import csv
import io
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from nando.games.log import COLUMNS as MOVE_COLUMNS
from nando.puzzles import Puzzle
from nando.serve.board import CENTRE, CORNER, LATE_MS, VALUE
from nando.serve.jobs import BrokenError, BusyError, TooLongError, Workers, audit
from nando.serve.room import Room
from nando.serve.store import Store, reason_of
from nando.solvers.logic.language import PAGE_LANGUAGES
from nando.writing import no_formula

COLUMNS = (*MOVE_COLUMNS, "event", "by", "detail", "received_ms")
"""Columns of every log, followed by those that only a server's log has."""

_EVENT_OF = {VALUE: "value", CORNER: "corner", CENTRE: "centre"}
_BY = {"undo": "undo", "redo": "redo", "fill": "automatic"}
_STOPS = ("pause", "hide")
_GOES_ON = ("start", "resume", "show")


class _Game:
    """A game whose rows are being written, with its name and the milliseconds played."""

    def __init__(self, deed: Any) -> None:
        self.name = f"{deed.player}-{deed.puzzle + 1}.{deed.attempt + 1}"
        self.played = 0
        self.since: int | None = deed.t_ms

    def advance_to(self, deed: Any) -> int:
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
    deeds: Iterable[Any], names: Mapping[int, str], puzzles: Sequence[Puzzle]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a log: one for each changed value or mark, and one for any other event.

    Parameters
    ----------
    deeds : iterable of sqlalchemy.Row
        Stored events, those of each player in order. The page says that an event waited for
        `age_ms` before it was sent; `t_ms` is the time at which it can have been made.
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
    return csv_text(log_rows(store.moves(), store.names(), puzzles))


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


SECONDS = 600.0
"""Time limit of an audit."""

PATIENCE = 4.0
"""Pause between two audits as a multiple of the last audit's duration, at least `LEAST_REST`."""

LEAST_REST = 10.0
"""Least pause between two audits in seconds."""


class Evidence:
    """The audit of the games so far.

    Parameters
    ----------
    room : Room
    workers : Workers

    Attributes
    ----------
    found : dict
        The last audit, as :func:`nando.serve.jobs.audit` returns it; empty before the first.
    n_moves : int
        Number of moves that the last audit included.
    made_ms : int
        Time of the last audit.
    problem : str
        Why the last audit failed; empty if it did not.
    """

    def __init__(self, room: Room, workers: Workers) -> None:
        self.room = room
        self.workers = workers
        self.found: dict[str, Any] = {}
        self.n_moves = 0
        self.made_ms = 0
        self.problem = ""
        self._task: asyncio.Task[None] | None = None
        self._not_before = 0.0
        self._n_changes = 0

    def report(self, language: str) -> dict[str, Any]:
        """Return the last report in a language: games, notes and page; empty before the first."""
        report: dict[str, Any] = self.found.get("reports", {}).get(language, {})
        return report

    @property
    def is_working(self) -> bool:
        """True if an audit is running."""
        return self._task is not None and not self._task.done()

    def refresh(self) -> None:
        """Start another audit if something is new and the pause after the last one is over."""
        is_new = (self.room.n_moves, self.room.n_changes) != (self.n_moves, self._n_changes)
        if is_new and not self.is_working and time.monotonic() >= self._not_before:
            self._task = asyncio.create_task(self._make())

    async def _make(self) -> None:
        began, n_moves, n_changes = time.monotonic(), self.room.n_moves, self.room.n_changes
        try:
            log = await asyncio.to_thread("".join, log_of(self.room.store))
            on_screen = self.room.contest.on_screen
            self.found = await self.workers.run(
                *(audit, log, ".csv", 0.01, tuple(PAGE_LANGUAGES), on_screen, True),
                seconds=SECONDS,
            )
            self.n_moves, self.made_ms = n_moves, self.room.clock.now()
            self._n_changes = n_changes
            self.problem = self.found.get("error", "")
        except (BusyError, TooLongError, BrokenError) as error:
            self.problem = type(error).__name__.removesuffix("Error").lower()
        except (SQLAlchemyError, OSError) as error:
            self.problem = reason_of(error)
        finally:
            took = time.monotonic() - began
            self._not_before = time.monotonic() + max(LEAST_REST, PATIENCE * took)
