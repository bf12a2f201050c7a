"""Batches of puzzles with a limit of time, and puzzles no harder than a technique."""

import time
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from nando.checks import positive, whole

if TYPE_CHECKING:
    from nando.generators import Record
    from nando.solvers import LogicSolver

_DIFFICULTY = ("minutes", "points", "grade", "percentile")


@dataclass(frozen=True)
class Batch:
    """The puzzles of a batch, and why it ended; ``str()`` summarises it in a sentence.

    Attributes
    ----------
    records : list of Record
    wanted : int
        Requested number of puzzles.
    tried : int
        Number of puzzles that were made and checked.
    seconds : float
        Elapsed time.
    ended : {"count", "time", "tried"}
        Why the batch ended: there were enough puzzles, the time was up, or `most` puzzles had
        been tried.
    """

    records: "list[Record]"
    wanted: int
    tried: int
    seconds: float
    ended: Literal["count", "time", "tried"]

    def __str__(self) -> str:
        """Return a summary in one sentence."""
        reached = f"{len(self.records)} of {self.wanted} puzzles, {self.tried} tried"
        why = {"count": "", "time": "; the time was up", "tried": "; too few fit"}[self.ended]
        return f"{reached}, in {self.seconds:.0f} s{why}"


def generate_batch(
    count: int,
    *,
    seconds: float | None = None,
    hardest: str | None = None,
    most: int = 100_000,
    **options: Any,
) -> Batch:
    """Generate puzzles until there are enough, or the time is up.

    Parameters
    ----------
    count : int
        Number of puzzles.
    seconds : float or None
        Limit of time. A puzzle that was begun before the limit is finished.
    hardest : str or None
        Name of the hardest technique that a puzzle may need, for example "x-wing"; None for any.
    most : int
        Largest number of puzzles that are tried.
    **options
        As for :func:`nando.generate`. The same seed gives the same puzzles in the same order; a
        limit of time only cuts the list.

    Returns
    -------
    Batch

    Raises
    ------
    ValueError, TypeError
        As :func:`nando.generate`, and for an unknown technique.

    Examples
    --------
    >>> batch = generate_batch(2, hardest="x-wing", seed=3)
    >>> len(batch.records), batch.ended
    (2, 'count')
    """
    from nando.api.making import generate, records_of

    whole("count", count, 1)
    whole("most", most, 1)
    if seconds is not None:
        positive("seconds", seconds)
    usual = {
        name: parameter.default
        for name, parameter in signature(generate).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name != "count"
    }
    chosen = {name: options.pop(name, default) for name, default in usual.items()}
    difficulty = {name: chosen.pop(name) for name in _DIFFICULTY}
    if hardest is not None and chosen["kind"] != "sudoku":
        raise ValueError(f"hardest is for Sudoku, got {hardest!r} for {chosen['kind']}")
    solver = None if hardest is None else _solver_to(hardest)
    begun = time.monotonic()
    kept: list[Record] = []
    tried = 0
    ended: Literal["count", "time", "tried"] = "tried"
    for record in records_of(most, difficulty, source=options, **chosen):
        tried += 1
        if solver is None or solver.rate_many([record.puzzle]).solved[0]:
            kept.append(record)
        if len(kept) == count:
            ended = "count"
            break
        if seconds is not None and time.monotonic() - begun >= seconds:
            ended = "time"
            break
    return Batch(kept, count, tried, time.monotonic() - begun, ended)


def _solver_to(hardest: str) -> "LogicSolver":
    """Return a solver with the techniques of the ladder up to the hardest one."""
    from nando.solvers import LogicSolver
    from nando.solvers.logic import SUKAKU_EXPLAINER
    from nando.solvers.logic.technique import named_words

    words = named_words(hardest)
    fit = [i for i, t in enumerate(SUKAKU_EXPLAINER) if named_words(t.name).startswith(words)]
    if not fit:
        known = ", ".join(technique.name for technique in SUKAKU_EXPLAINER)
        raise ValueError(f"hardest must be one of {known}, got {hardest!r}")
    return LogicSolver(SUKAKU_EXPLAINER[: fit[-1] + 1])
