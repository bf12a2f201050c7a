"""Worker processes: a limited number at a time, each job with a time limit.

A job that takes too long is killed with its process, and the next job starts another. The server
itself computes nothing that can take long, so no job can keep it from answering.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

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
