"""Warnings of a rating: as words for people and as codes for programs."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

FlagCode = Literal[
    "already_solved", "unknown_order", "beyond_known", "unusual_combination", "nobody_timed"
]


class Flags(NamedTuple):
    """Differences between a puzzle and those that a model was fitted to.

    Attributes
    ----------
    words : str
        A sentence; empty if there are no differences.
    codes : tuple of str
        ``"already_solved"``: no cell is left to fill. ``"unknown_order"``: the model was fitted to
        other sizes of grid. ``"beyond_known"``: the puzzle has more, or less, of something than any
        that the model was fitted to. ``"unusual_combination"``: it is only unusual as a whole.
        ``"nobody_timed"``: the model has no times of the kind of puzzle.
    """

    words: str = ""
    codes: tuple[FlagCode, ...] = ()

    @classmethod
    def outside(cls, reasons: Sequence[tuple[FlagCode, str]]) -> "Flags":
        """Return the flags of a puzzle outside the training population, or none for no reasons."""
        if not reasons:
            return cls()
        sentence = "; ".join(words for _, words in reasons)
        codes = tuple(dict.fromkeys(code for code, _ in reasons))
        return cls(f"outside training population: {sentence}", codes)

    def and_also(self, other: "Flags") -> "Flags":
        """Return these flags followed by others."""
        return Flags("; ".join(filter(None, (self.words, other.words))), self.codes + other.codes)


UNSEEN_ORDER_FACTOR = 2.0
"""Interval width factor for an order that no training puzzle had, chosen without data."""


def unknown_order(order: int | None, known: Sequence[int]) -> list[tuple[FlagCode, str]]:
    """Return the flag of an order that a model was not fitted to; none if all orders are known."""
    if order is None or not known or order in known:
        return []
    return [("unknown_order", f"order {order}, fitted to order {', '.join(map(str, known))}")]


ALREADY_SOLVED = Flags("already solved: no cell is left to fill", ("already_solved",))
"""The flags of a full grid."""


def nobody_timed(puzzles: str) -> Flags:
    """Return the flags of puzzles whose seconds rest on no times of such puzzles."""
    return Flags(f"nobody was timed on {puzzles}", ("nobody_timed",))


def marked(codes: Sequence[str]) -> str:
    """Return what a line of a table adds for these flags: a mark in brackets, or nothing."""
    if any(code != "nobody_timed" for code in codes):
        return "  [outside training]"
    return "  [nobody timed]" if codes else ""
