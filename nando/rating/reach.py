"""The range of the puzzles behind a model, and levels among the known puzzles of one kind.

Outside its range, a model extrapolates. An easy killer takes longer than an easy Sudoku: the six
levels are the sixths of the known puzzles of a kind, so a shelf of any kind has all six. Minutes
stay the one measure across kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol, Self

import numpy as np

from nando.arrays import Floats
from nando.names import Grade
from nando.puzzles import Puzzle, Variant
from nando.puzzles.variants.genre import Genre
from nando.rating import result
from nando.rating.files import plain_floats
from nando.records import Settings, of_length

_LEVELS = np.linspace(0, 1, 101)

_FEWEST = 12
"""Fewest puzzles of a genre with levels of its own."""
_ENOUGH = 30
"""Number of published puzzles of a genre from which those that nando made do not count."""

_SIXTHS = np.linspace(0.0, 100.0, len(result.GRADES) + 1)
_PLAIN = "9x9"


def percentiles_of(values: Floats) -> tuple[float, ...]:
    """Return the percentiles 0, 1, ..., 100 of numbers."""
    return plain_floats(np.quantile(values, _LEVELS))


def beyond(
    names: Sequence[str], parts: Floats, most: Sequence[float]
) -> tuple[Floats, list[list[tuple[result.FlagCode, str]]]]:
    """Return the share of each puzzle's effort beyond that of all known puzzles, and the reasons.

    Parameters
    ----------
    names : sequence of str
        Names of the parts.
    parts : ndarray of float64, shape (n_puzzles, n_parts)
    most : sequence of float
        Most effort of each part among known puzzles.
    """
    whole = parts.sum(axis=1)
    excess = np.maximum(parts - np.array(most), 0.0)
    reasons: list[list[tuple[result.FlagCode, str]]] = [[] for _ in parts]
    for i, k in np.argwhere(excess > 0.005 * whole[:, None]).tolist():
        reason = f"{names[k]} {parts[i, k]:.0f}, at most {most[k]:.0f} known"
        reasons[i].append(("beyond_known", reason))
    return excess.sum(axis=1) / whole, reasons


def check_percentile(percentile: float) -> float:
    """Return a percentile; ValueError if it is not between 0 and 100."""
    if not 0.0 <= percentile <= 100.0:
        raise ValueError(f"percentile must be between 0 and 100, got {percentile:g}")
    return percentile


@dataclass(frozen=True)
class Reach(Settings):
    """The range of the puzzles behind a model.

    Attributes
    ----------
    most : tuple of float
        Most effort of each part in a puzzle, in the common unit.
    log_difficulty : tuple of float
        Percentiles 0, 1, ..., 100 of the difficulty; each crowd counts the same.
    orders : tuple of int
        Orders of the puzzles; empty for kinds of puzzle without orders.
    """

    most: tuple[float, ...]
    log_difficulty: Annotated[tuple[float, ...], of_length(len(_LEVELS))]
    orders: tuple[int, ...] = ()

    def check(self) -> None:
        """Check that the percentiles do not fall."""
        if (np.diff(self.log_difficulty) < 0).any():
            raise ValueError("log_difficulty must not fall")

    @classmethod
    def of_collection(cls, parts: Floats) -> Self:
        """Summarise the parts of the puzzles of a collection, shape ``(n_puzzles, n_parts)``."""
        log_difficulty = percentiles_of(np.log(parts.sum(axis=1)))
        return cls(plain_floats(parts.max(axis=0)), log_difficulty)

    @classmethod
    def of(
        cls, parts: Sequence[Floats], log_difficulty: Sequence[Floats], orders: set[int]
    ) -> Self:
        """Summarise the parts and difficulties of each crowd's puzzles."""
        pooled = np.sort(
            np.concatenate([np.quantile(values, _LEVELS) for values in log_difficulty])
        )
        return cls(
            plain_floats(np.max([values.max(axis=0) for values in parts], axis=0)),
            percentiles_of(pooled),
            tuple(sorted(orders)),
        )

    def percentiles_below(self, log_difficulty: Floats) -> Floats:
        """Return the percentage of the puzzles that are easier, 0 to 100."""
        return np.asarray(np.interp(log_difficulty, self.log_difficulty, np.arange(101.0)))

    def at_percentile(self, percentile: float) -> float:
        """Return a percentile of the difficulty.

        Raises
        ------
        ValueError
            If it is not between 0 and 100.
        """
        return float(np.interp(check_percentile(percentile), np.arange(101.0), self.log_difficulty))

    def widening(
        self, names: Sequence[str], parts: Floats, orders: Sequence[int | None]
    ) -> tuple[Floats, list[result.Flags]]:
        """Return the factor by which the interval of each puzzle is widened, and the reason.

        If a puzzle has more of a part than any known puzzle, the interval is widened by the share
        of that excess in the whole difficulty.

        Parameters
        ----------
        names : sequence of str
            Names of the parts.
        parts : ndarray of float64, shape (n_puzzles, n_parts)
        orders : sequence of int or None
            Order of each puzzle; None for a puzzle without an order.

        Returns
        -------
        factor : ndarray of float64, shape (n_puzzles,)
        flags : list of Flags
            Empty for puzzles like the training puzzles.
        """
        share, reasons = beyond(names, parts, self.most)
        unseen = [result.unknown_order(order, self.orders) for order in orders]
        factor = (1.0 + share) * [result.UNSEEN_ORDER_FACTOR if each else 1.0 for each in unseen]
        flags = [result.Flags.outside([*a, *b]) for a, b in zip(unseen, reasons, strict=True)]
        return factor, flags


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
        """Cut the difficulties of each source's puzzles into sixths.

        Their quantiles are those of Harrell and Davis, which weigh all puzzles of a source: of a
        dozen puzzles, two neighbours may be so much alike that nothing is between them.
        """
        from scipy.stats.mstats import hdquantiles

        shares = np.linspace(0, 1, 101)
        pooled = [np.asarray(hdquantiles(own, shares)) for own in log_difficulty.values()]
        looks = np.exp(np.percentile(np.concatenate(pooled), _SIXTHS))
        return cls({name: len(own) for name, own in log_difficulty.items()}, plain_floats(looks))

    @classmethod
    def of_size(cls, genre: str, known: "Mapping[str, GenreLevels]") -> Self | None:
        """Return the levels of all known genres with the size of one, or None if there are none.

        Each genre counts the same. Where a genre is left out, these boundaries are nearer to its
        own than those of all variants (docs/model.md).
        """
        size = genre.partition("+")[0]
        own = {name: each for name, each in known.items() if name.partition("+")[0] == size}
        if not own:
            return None
        pooled = [np.interp(_LEVELS * 100, _SIXTHS, each.looks) for each in own.values()]
        looks = np.percentile(np.concatenate(pooled), _SIXTHS)
        return cls(
            {name: sum(each.puzzles.values()) for name, each in own.items()}, plain_floats(looks)
        )

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
    return result.GRADES[int(np.searchsorted(_SIXTHS[1:-1], percentile, side="right"))]


def percentiles_of_grade(grade: str) -> tuple[float, float]:
    """Return the percentiles between which a grade lies; ValueError for an unknown grade."""
    number = result.number_of(grade)
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
