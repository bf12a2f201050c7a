"""The organiser's rulings, and the standings: by points, then by the time of the last solution."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple


@dataclass(frozen=True)
class Rulings:
    """The organiser's rulings so far.

    Attributes
    ----------
    extended_ms : int
        Milliseconds added to the end in the contest's file.
    pauses : tuple of (int, int or None)
        Beginning and end of each pause; None while it lasts.
    announcement : str
        A sentence that all players see; empty for none.
    disqualified : tuple of int
        Numbers of the players without a rank.

    Examples
    --------
    >>> rulings = Rulings().pause(1_000).resume(1_500)
    >>> rulings.on_clock(1_200), rulings.on_clock(2_000), rulings.ends(5_000, 2_000)
    (1000, 1500, 5500)
    """

    extended_ms: int = 0
    pauses: tuple[tuple[int, int | None], ...] = ()
    announcement: str = ""
    disqualified: tuple[int, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> "Rulings":
        """Return the rulings that :meth:`to_text` wrote; none for an empty text."""
        values = json.loads(text or "{}")
        for name in ("pauses", "disqualified"):
            listed = values.get(name, ())
            values[name] = tuple(tuple(one) if isinstance(one, list) else one for one in listed)
        return cls(**values)

    def to_text(self) -> str:
        """Return the rulings as JSON."""
        return json.dumps(asdict(self))

    @property
    def is_paused(self) -> bool:
        """True while a pause lasts."""
        return bool(self.pauses) and self.pauses[-1][1] is None

    def on_clock(self, t_ms: int) -> int:
        """Return a time on the clock of the contest, which stands still during pauses."""
        stood = (min(t_ms, t_ms if to is None else to) - since for since, to in self.pauses)
        return t_ms - sum(max(0, ms) for ms in stood)

    def ends(self, end_ms: int, now_ms: int) -> int:
        """Return when a contest ends whose file says `end_ms`, if no pause follows."""
        return end_ms + self.extended_ms + now_ms - self.on_clock(now_ms)

    def extend(self, ms: int) -> "Rulings":
        """Return the rulings with a later end."""
        return replace(self, extended_ms=self.extended_ms + ms)

    def pause(self, now_ms: int) -> "Rulings":
        """Return the rulings with a pause that begins now, unless one lasts."""
        return self if self.is_paused else replace(self, pauses=(*self.pauses, (now_ms, None)))

    def resume(self, now_ms: int) -> "Rulings":
        """Return the rulings with the pause ended, if one lasts."""
        if not self.is_paused:
            return self
        return replace(self, pauses=(*self.pauses[:-1], (self.pauses[-1][0], now_ms)))

    def disqualify(self, player: int, *, is_out: bool) -> "Rulings":
        """Return the rulings with a player disqualified, or allowed again."""
        others = tuple(other for other in self.disqualified if other != player)
        return replace(self, disqualified=(*others, player) if is_out else others)


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
