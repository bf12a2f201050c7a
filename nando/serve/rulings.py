"""What the organiser rules while a contest runs: more time, pauses, words to all, exclusions."""

import json
from dataclasses import asdict, dataclass, replace


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
    >>> rulings = Rulings().paused(1_000).resumed(1_500)
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

    def paused(self, now_ms: int) -> "Rulings":
        """Return the rulings with a pause that begins now, unless one lasts."""
        return self if self.is_paused else replace(self, pauses=(*self.pauses, (now_ms, None)))

    def resumed(self, now_ms: int) -> "Rulings":
        """Return the rulings with the pause ended, if one lasts."""
        if not self.is_paused:
            return self
        return replace(self, pauses=(*self.pauses[:-1], (self.pauses[-1][0], now_ms)))

    def disqualify(self, player: int, *, is_out: bool) -> "Rulings":
        """Return the rulings with a player disqualified, or allowed again."""
        others = tuple(other for other in self.disqualified if other != player)
        return replace(self, disqualified=(*others, player) if is_out else others)
