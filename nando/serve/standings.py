"""Who leads: points first, then the time of the last puzzle that was solved."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Standing(NamedTuple):
    """A line of the standings.

    Attributes
    ----------
    rank : int
        Equal players share one.
    name : str
    points, solved : int
        Of the puzzles that were solved in time.
    time_ms : int
        From the start of the contest to the last solved puzzle.
    """

    rank: int
    name: str
    points: int
    solved: int
    time_ms: int


def standings(
    solves: Iterable[tuple[str, Mapping[int, int]]],
    points: Sequence[int],
    start_ms: int,
    end_ms: int,
) -> list[Standing]:
    """Return the standings.

    Parameters
    ----------
    solves : iterable of (str, mapping of int to int)
        Name of each player, and when the server knew which puzzle to be solved.
    points : sequence of int
        Of each puzzle.
    start_ms, end_ms : int
        What was solved outside does not count.

    Examples
    --------
    >>> standings([("ada", {0: 90}), ("ben", {0: 70, 1: 95}), ("cy", {1: 101})], [5, 9], 10, 100)[0]
    Standing(rank=1, name='ben', points=14, solved=2, time_ms=85)
    """
    lines = []
    for name, times in solves:
        counted = {p: t for p, t in times.items() if start_ms <= t <= end_ms}
        total = sum(points[puzzle] for puzzle in counted)
        last = max(counted.values(), default=start_ms) - start_ms
        lines.append((-total, last, name.casefold(), name, len(counted)))
    lines.sort()
    found: list[Standing] = []
    for place, (lost, last, _, name, solved) in enumerate(lines, 1):
        before = found[-1] if found else None
        equal = before is not None and (before.points, before.time_ms) == (-lost, last)
        rank = before.rank if before is not None and equal else place
        found.append(Standing(rank, name, -lost, solved, last))
    return found
