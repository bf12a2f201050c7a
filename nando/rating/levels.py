"""Levels among the puzzles of one kind: an easy killer takes longer than an easy Sudoku.

The six levels are the sixths of the known puzzles of a kind, so a shelf of any kind has all six.
Minutes stay the one measure across kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol, Self

import numpy as np

from nando.arrays import Floats
from nando.names import Grade
from nando.puzzles import Puzzle, Variant
from nando.puzzles.variants.genre import Genre
from nando.rating.files import plain_floats
from nando.rating.reach import check_percentile
from nando.rating.result import GRADES, number_of
from nando.records import Settings, of_length

_FEWEST = 12
"""Fewest puzzles of a genre with levels of its own."""
_ENOUGH = 30
"""Number of published puzzles of a genre from which those that nando made do not count."""

_SIXTHS = np.linspace(0.0, 100.0, len(GRADES) + 1)
_PLAIN = "9x9"


class Population(Protocol):
    """Known puzzles, among which another one has its place."""

    def percentiles_below(self, log_difficulty: Floats) -> Floats:
        """Return the percentage of the puzzles that are easier, 0 to 100."""

    def at_percentile(self, percentile: float) -> float:
        """Return a percentile of the difficulty."""


@dataclass(frozen=True)
class GenreLevels(Settings):
    """The levels of a genre.

    Attributes
    ----------
    puzzles : dict of str to int
        Number of puzzles by their source; each source counts the same.
    looks : tuple of 7 floats
        Looks of the easiest puzzle, the five boundaries between levels, and looks of the hardest.
    """

    puzzles: dict[str, int]
    looks: Annotated[tuple[float, ...], of_length(len(_SIXTHS))]

    def check(self) -> None:
        """Check that the boundaries rise."""
        if min(self.looks) <= 0.0 or (np.diff(self.looks) < 0.0).any():
            raise ValueError("looks must be above 0 and must not fall")

    @classmethod
    def of(cls, log_difficulty: Mapping[str, Floats]) -> Self:
        """Cut the difficulties of each source's puzzles into sixths."""
        pooled = [np.quantile(own, np.linspace(0, 1, 101)) for own in log_difficulty.values()]
        looks = np.exp(np.percentile(np.concatenate(pooled), _SIXTHS))
        return cls({name: len(own) for name, own in log_difficulty.items()}, plain_floats(looks))

    def percentiles_below(self, log_difficulty: Floats) -> Floats:
        """Return the percentage of the puzzles that are easier, 0 to 100."""
        return np.asarray(np.interp(log_difficulty, np.log(self.looks), _SIXTHS))

    def at_percentile(self, percentile: float) -> float:
        """Return a percentile of the difficulty."""
        return float(np.interp(check_percentile(percentile), _SIXTHS, np.log(self.looks)))


def genre_of(puzzle: Puzzle) -> str:
    """Return the text of a variant's genre; empty for other puzzles."""
    return str(Genre.of(puzzle)) if isinstance(puzzle, Variant) else ""


def is_plain(genre: str) -> bool:
    """Return True if a variant of the genre is a Sudoku, whose grades it has."""
    return genre == _PLAIN


def grade_at(percentile: float) -> Grade:
    """Return the grade of a puzzle at a percentile of its kind."""
    return GRADES[int(np.searchsorted(_SIXTHS[1:-1], percentile, side="right"))]


def percentiles_of_grade(grade: str) -> tuple[float, float]:
    """Return the percentiles between which a grade lies; ValueError for an unknown grade."""
    number = number_of(grade)
    return float(_SIXTHS[number]), float(_SIXTHS[number + 1])


def cut_levels(
    sources: Mapping[str, Sequence[Puzzle]], log_looks: Floats
) -> dict[str, GenreLevels]:
    """Return the levels of each genre of which enough puzzles are known.

    Parameters
    ----------
    sources : mapping of str to sequence of Puzzle
        The puzzles of each source; those ``"made"`` count where little is published.
    log_looks : ndarray of float64
        Of all these puzzles, in the same order.
    """
    by_genre: dict[str, dict[str, list[float]]] = {}
    looks = iter(log_looks.tolist())
    for source, puzzles in sources.items():
        for puzzle in puzzles:
            by_genre.setdefault(genre_of(puzzle), {}).setdefault(source, []).append(next(looks))
    levels = {}
    for genre, own in sorted(by_genre.items()):
        if sum(map(len, own.values())) - len(own.get("made", ())) >= _ENOUGH:
            own.pop("made", None)
        if sum(map(len, own.values())) >= _FEWEST and not is_plain(genre):
            levels[genre] = GenreLevels.of({name: np.array(each) for name, each in own.items()})
    return levels
