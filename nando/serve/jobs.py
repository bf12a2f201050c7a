"""Worker processes, a limited number at a time, and their jobs, each with a time limit.

A job that takes too long is killed with its process, and the next job starts another. The server
itself computes nothing that can take long, so no job can keep it from answering. Jobs take and
return plain values, errors included.
"""

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from nando import games
from nando.names import Kind, Language

P = ParamSpec("P")
T = TypeVar("T")

QUEUE = 16
"""Jobs that may wait for a worker."""


class BusyError(Exception):
    """Too many jobs are waiting."""


class TooLongError(Exception):
    """A job was stopped because it took too long."""


class BrokenError(Exception):
    """The worker ended before its job was done."""


class Workers:
    """Worker processes.

    Parameters
    ----------
    count : int
        Number of jobs that run at a time.
    queue : int
        Number of further jobs that may wait.
    """

    def __init__(self, count: int, queue: int = QUEUE) -> None:
        self.count = count
        self.queue = queue
        self._limiter: CapacityLimiter | None = None
        self._waiting = 0

    async def run(self, job: Callable[..., T], *args: Any, seconds: float) -> T:
        """Return the result of a job, which is a function at the top of a module.

        Parameters
        ----------
        job : callable
        *args
            Arguments of the job; they are pickled.
        seconds : float
            Time limit, from when a worker takes the job.

        Raises
        ------
        BusyError
            If too many jobs are waiting.
        TooLongError
            If the job takes longer than its time limit.
        BrokenError
            If the worker died, for example because memory ran out.
        """
        limiter = self._limiter = self._limiter or CapacityLimiter(self.count)
        if self._waiting >= self.count + self.queue:
            raise BusyError
        self._waiting += 1
        try:
            async with limiter:
                with anyio.fail_after(seconds):
                    # A second limiter: the first is already held, so that waiting does not count
                    # for the time limit.
                    return await to_process.run_sync(
                        job, *args, cancellable=True, limiter=CapacityLimiter(1)
                    )
        except TimeoutError:
            raise TooLongError from None
        except BrokenWorkerProcess:
            raise BrokenError from None
        finally:
            self._waiting -= 1


BAD = "error"
"""Key of the error message in the result of a job on bad input."""


def _with_errors(job: Callable[P, dict[str, Any]]) -> Callable[P, dict[str, Any]]:
    """Wrap a job so that it returns errors of the input, because not all errors can be pickled."""

    @functools.wraps(job)
    def run(*args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        try:
            return job(*args, **kwargs)
        except ValueError as error:
            return {BAD: str(error)}

    return run


@_with_errors
def rate(puzzles: list[str], kind: Kind | None) -> dict[str, Any]:
    """Return the ratings of puzzles."""
    from nando import api

    return {"ratings": [rating.to_dict() for rating in api.rate(puzzles, kind=kind)]}


@_with_errors
def explain(puzzle: str, kind: Kind | None, language: Language) -> dict[str, Any]:
    """Return the steps of a puzzle, with their reasons."""
    from nando import api

    walk = api.explain(puzzle, kind=kind, language=language)
    record = walk.to_dict()
    steps = [
        {**step, "sentence": taken.sentence()}
        for step, taken in zip(record["steps"], walk.steps, strict=True)
    ]
    return {**record, "steps": steps, "summary": walk.summary()}


@_with_errors
def generate(options: dict[str, Any]) -> dict[str, Any]:
    """Make new puzzles."""
    from nando import api

    options = {name: value for name, value in options.items() if value is not None}
    if "rule" in options:
        options["rules"] = options.pop("rule")
    records = api.generate(**options)
    return {"puzzles": [record.to_dict() for record in records]}


@_with_errors
def audit(
    log: str,
    suffix: str,
    level: float,
    languages: tuple[str, ...] = (),
    on_screen: bool = False,
    trusted_clock: bool = False,
) -> dict[str, Any]:
    """Return the audit of a log of games, in English, and its report in some languages.

    Parameters
    ----------
    log : str
        The text of the log.
    suffix : str
        ``.csv``, ``.json`` or ``.jsonl``.
    level : float
    languages : tuple of str
        Languages of the reports under ``reports``, each with players, games, notes and a page. If
        there are any, ``times`` has the rows and the picture of the times of each puzzle.
    on_screen : bool
        Whether the rules say that puzzles are solved on the screen.
    trusted_clock : bool
        Whether the times are those of this server.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"games{suffix}"
        path.write_text(log, encoding="utf-8")
        try:
            read = games.read_games(path, trusted_clock=trusted_clock)
        except ValueError as error:
            return {BAD: str(error).replace(str(path), "the log")}
    report = games.AuditReport.of(
        [("", read)], games.load_auditor(), level=level, on_screen=on_screen
    )
    return {
        **report.tables(),
        "problems": list(report.problems),
        "model_id": report.model_id,
        "level": level,
        "times": _times(read) if languages else {},
        "reports": {
            language: {**report.tables(language), "page": report.page(language)}
            for language in languages
        },
    }


def _times(log: "games.GameLog") -> dict[str, Any]:
    """Return the times of the puzzles of a log, as rows and as a picture."""
    from nando.notebook import svg_of

    found = games.times_by_puzzle(log.games)
    return {"rows": [times.to_dict() for times in found], "picture": svg_of(found)}
