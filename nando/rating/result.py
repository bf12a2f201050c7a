"""The rating of one puzzle, its grade, and the flags of a puzzle unlike those of the model.

The six grades of Sudoku are intervals of the common scale, so they are the same for every model.
Those of other puzzles are levels among puzzles of their kind (:mod:`nando.rating.reach`).

The unit of the scale is a look: the time needed to find a lone hidden single in a box. The
boundaries were set once, between the six levels of a publisher (Sudoku of the Day), and agree with
what a puzzle needs:

=============  ==========  ============================================================
grade          looks from  typical techniques
=============  ==========  ============================================================
beginner                0  hidden singles in boxes, several of them open all the time
easy                   15  the same with fewer of them open, and sometimes one in a line
medium                 28  hidden singles in lines, and locked candidates once or twice
tricky                 49  naked singles and pairs as well
fiendish               68  more pairs and locked candidates, and sometimes a triplet
diabolical             95  triplets, wings, fish, and for harder puzzles chains
=============  ==========  ============================================================

The crowd affects the minutes of a puzzle but never its grade.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeVar, get_args, overload

import numpy as np

from nando.arrays import Floats
from nando.displayed import Displayed
from nando.names import Grade
from nando.puzzles import Puzzle

GRADES: tuple[Grade, ...] = get_args(Grade)
"""Names of the grades, easiest first."""

LOOKS = (15.0, 28.0, 49.0, 68.0, 95.0)
"""Lower boundary of each grade after the first."""

_LEAST, _MOST = 8.0, 400.0
"""Lowest looks of generated puzzles of the first grade, and highest looks of the last grade."""


def grades_of(log_difficulty: Floats) -> list[Grade]:
    """Return the grade of each puzzle by the logarithm of its looks."""
    return [GRADES[i] for i in np.searchsorted(np.log(LOOKS), log_difficulty, side="right")]


def looks_of(grade: str) -> tuple[float, float]:
    """Return the least and most looks of the puzzles of a grade.

    Raises
    ------
    ValueError
        For an unknown grade.
    """
    number = number_of(grade)
    bounds = (_LEAST, *LOOKS, _MOST)
    return bounds[number], bounds[number + 1]


def number_of(grade: str) -> int:
    """Return the number of a grade, from 0.

    Raises
    ------
    ValueError
        For an unknown grade.
    """
    if grade not in GRADES:
        raise ValueError(f"unknown grade {grade!r}; known: {', '.join(GRADES)}")
    return GRADES.index(grade)


FlagCode = Literal[
    "already_solved", "unknown_order", "beyond_known", "nobody_timed", "graded_among_all"
]


class Flags(NamedTuple):
    """Differences between a puzzle and the training puzzles of a model.

    Attributes
    ----------
    words : str
        A sentence; empty if there are no differences.
    codes : tuple of str
        ``"already_solved"``: no cell is left to fill. ``"unknown_order"``: the model was fitted to
        other sizes of grid. ``"beyond_known"``: the puzzle has more, or less, of something than all
        training puzzles. ``"nobody_timed"``: the model has no times for the kind of puzzle.
        ``"graded_among_all"``: too few puzzles with its rules are known for levels of their own.
    """

    words: str = ""
    codes: tuple[FlagCode, ...] = ()

    @classmethod
    def outside(cls, reasons: Sequence[tuple[FlagCode, str]]) -> "Flags":
        """Return the flags of a puzzle outside the training population; empty without reasons."""
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


AMONG_ALL = Flags(
    "graded among other variants: too few with its rules are known", ("graded_among_all",)
)
"""The flags of a variant without levels of its genre."""

USUAL = frozenset({"nobody_timed", "graded_among_all"})
"""Codes of flags that say nothing against a rating itself."""


def nobody_timed(puzzles: str) -> Flags:
    """Return the flags of puzzles whose prediction uses no times of such puzzles."""
    return Flags(f"nobody was timed on {puzzles}", ("nobody_timed",))


def mark_of(codes: Sequence[str]) -> str:
    """Return a mark in brackets for a line of a table with these flags; empty without flags."""
    if not USUAL.issuperset(codes):
        return "  [outside training]"
    return "  [nobody timed]" if codes else ""


def duration(seconds: float) -> str:
    """Format seconds for people.

    Examples
    --------
    >>> duration(48.2), duration(365), duration(4320)
    ('48 s', '6 min 05 s', '1 h 12 min')
    """
    total = round(seconds)
    if total < 60:
        return f"{total} s"
    if total < 3600:
        return f"{total // 60} min {total % 60:02} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02} min"


def interval(low: float, high: float) -> str:
    """Format the interval of a prediction for people.

    Examples
    --------
    >>> interval(365, 480)
    '6 min 05 s to 8 min 00 s'
    """
    return f"{duration(low)} to {duration(high)}"


def plain(value: Any) -> Any:
    """Return a table's cell as a Python value: numpy scalars are converted, and NaN is None."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class Rating(Displayed):
    """How hard a puzzle is for people; ``str()`` describes it in words.

    Attributes
    ----------
    puzzle : Puzzle
    predicted, low, high : float
        Predicted mean time of a group of people in seconds, and its interval.
    grade : str or None
        One of `GRADES`; None for a full grid.
    percentile : float
        Share of the model's training puzzles that are easier, 0 to 100.
    model_id : str
        Id of the model.
    flags : str
        Differences from the model's training puzzles; empty if there are none.
    flag_codes : tuple of str
        The same for programs, as codes of :class:`nando.rating.result.Flags`.
    reasons : str
        What makes up the time, in words for players.
    parts : tuple of (str, float)
        Names of the parts of the time, and their seconds, which add up to it; empty for a
        full grid.

    Notes
    -----
    A full grid takes no time: it is rated 0, without a grade, and flagged "already_solved".
    """

    puzzle: Puzzle
    predicted: float
    low: float
    high: float
    grade: Grade | None
    percentile: float
    model_id: str
    flags: str = ""
    reasons: str = ""
    flag_codes: tuple[str, ...] = ()
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def minutes(self) -> float:
        """Predicted minutes."""
        return self.predicted / 60

    @property
    def givens(self) -> int:
        """Number of given cells."""
        return int((self.puzzle.givens != 0).sum())

    @property
    def is_solved(self) -> bool:
        """True if no cell is left to fill."""
        return "already_solved" in self.flag_codes

    def __str__(self) -> str:
        """Return the prediction, its interval and the grade."""
        if self.is_solved:
            return self.flags
        return f"{duration(self.predicted)} ({interval(self.low, self.high)}), {self.grade}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by column, as ``nando rate`` writes them.

        The JSON schema ``rate`` describes each (:func:`nando.schemas.load_schema`).
        """
        return {
            "puzzle": self.puzzle.text,
            "predicted_seconds": self.predicted,
            "low_seconds": self.low,
            "high_seconds": self.high,
            "grade": self.grade,
            "percentile": self.percentile,
            "model_id": self.model_id,
            "flags": self.flags,
            "flag_codes": list(self.flag_codes),
            "givens": self.givens,
            "reasons": self.reasons,
            "parts_seconds": dict(self.parts) or None,
        }

    def row(self) -> dict[str, Any]:
        """Return the values of a table row: the codes as one text, and a column for each part."""
        row = self.to_dict()
        del row["parts_seconds"]
        row["flag_codes"] = " ".join(self.flag_codes)
        return row | {f"{name}_seconds": seconds for name, seconds in self.parts}


Item = TypeVar("Item")


def already_solved(puzzle: Puzzle, model_id: str) -> Rating:
    """Return the rating of a full grid."""
    flags, codes = ALREADY_SOLVED
    return Rating(puzzle, 0.0, 0.0, 0.0, None, 0.0, model_id, flags, flag_codes=codes)


class Ratings(list[Item], Displayed):
    """A list of ratings, which a notebook shows as a table; ``str()`` has a line for each."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> "Ratings[Item]": ...

    def __getitem__(self, index: SupportsIndex | slice) -> "Item | Ratings[Item]":
        item = super().__getitem__(index)
        return Ratings(item) if isinstance(index, slice) else item  # type: ignore[return-value,arg-type]

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def to_frame(self) -> Any:
        """Return a DataFrame with a row for each rating: the columns of :meth:`Rating.row`.

        An error in the place of a rating is a row with the column ``error`` alone.
        """
        import pandas as pd

        rows = (
            rating.row() if isinstance(rating, Rating) else {"error": str(rating)}
            for rating in self
        )
        return pd.DataFrame(list(rows))
