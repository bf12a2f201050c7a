"""The audit of a contest, repeated as games come in."""

import asyncio
import time
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from nando.serve.export import log_of
from nando.serve.jobs import audit
from nando.serve.journal import reason_of
from nando.serve.room import Room
from nando.serve.workers import BrokenError, BusyError, TooLongError, Workers
from nando.solvers.logic.language import PAGE_LANGUAGES

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
