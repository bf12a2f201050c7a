"""The standings, by points, and then by the time of the last solved puzzle."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Standing(NamedTuple):
    """A line of the standings.

    Attributes
    ----------
    rank : int
        Players with equal results share a rank.
    name : str
    points, solved : int
        Points and number of the puzzles that were solved in time.
    time_ms : int
        Milliseconds from the start of the contest to the last of these puzzles.
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
        Name of each player, and for each solved puzzle when the server received its solution.
    points : sequence of int
        Points of each puzzle.
    start_ms, end_ms : int
        Puzzles that are solved before or after do not count.

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
    rows: list[Standing] = []
    for place, (lost, last, _, name, solved) in enumerate(lines, 1):
        before = rows[-1] if rows else None
        equal = before is not None and (before.points, before.time_ms) == (-lost, last)
        rank = before.rank if before is not None and equal else place
        rows.append(Standing(rank, name, -lost, solved, last))
    return rows
