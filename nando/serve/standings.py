"""The standings, by points, and then by the time of the last solved puzzle."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Solve(NamedTuple):
    """A solved puzzle.

    Attributes
    ----------
    received_ms : int
        When the server received the solution.
    is_late : bool
        Whether most of the game arrived late, so that only the player's browser knows its times.
    """

    received_ms: int
    is_late: bool = False


class Standing(NamedTuple):
    """A line of the standings.

    Attributes
    ----------
    rank : int or None
        Players with equal results share a rank; a player who is disqualified has none.
    name : str
    points, solved : int
        Points and number of the puzzles that were solved in time.
    time_ms : int
        Milliseconds from the start of the contest to the last of these puzzles.
    late : int
        Number of these puzzles whose games arrived mostly late.
    """

    rank: int | None
    name: str
    points: int
    solved: int
    time_ms: int
    late: int


def standings(
    solves: Iterable[tuple[str, Mapping[int, Solve]]],
    points: Sequence[int],
    start_ms: int,
    end_ms: int,
) -> list[Standing]:
    """Return the standings.

    Parameters
    ----------
    solves : iterable of (str, mapping of int to Solve)
        Name of each player, and the solved puzzles by number.
    points : sequence of int
        Points of each puzzle.
    start_ms, end_ms : int
        Puzzles that are solved before or after do not count.

    Examples
    --------
    >>> ada, ben = {0: Solve(90)}, {0: Solve(70), 1: Solve(95, is_late=True)}
    >>> standings([("ada", ada), ("ben", ben)], [5, 9], 10, 100)[0]
    Standing(rank=1, name='ben', points=14, solved=2, time_ms=85, late=1)
    """
    lines = []
    for name, solved in solves:
        counted = {p: one for p, one in solved.items() if start_ms <= one.received_ms <= end_ms}
        total = sum(points[puzzle] for puzzle in counted)
        last = max((one.received_ms for one in counted.values()), default=start_ms) - start_ms
        late = sum(one.is_late for one in counted.values())
        lines.append((-total, last, name.casefold(), name, len(counted), late))
    lines.sort()
    rows: list[Standing] = []
    for place, (lost, last, _, name, n_solved, late) in enumerate(lines, 1):
        before = rows[-1] if rows else None
        equal = before is not None and (before.points, before.time_ms) == (-lost, last)
        rank = before.rank if before is not None and equal else place
        rows.append(Standing(rank, name, -lost, n_solved, last, late))
    return rows
