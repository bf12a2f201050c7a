"""What a setter wants to know after a contest: how long puzzles took, and where people paused."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.displayed import Displayed
from nando.drawing.boards import heat_map
from nando.drawing.colour import BAND, BASE, BLUE, RED
from nando.drawing.shapes import FAINT, GREY, INK, Disc, Path, Picture, Placed, Rect, Shape, Text
from nando.games.game import Game
from nando.games.times import solving_times
from nando.puzzles import Puzzle
from nando.puzzles.frozen import EqualFields
from nando.rating import Rater, Rating, has_model, load_model
from nando.rating.result import duration

QUARTILES = (0, 25, 50, 75, 100)
_NAMES = ("fastest", "lower_quartile", "median", "upper_quartile", "slowest")
_LISTED = 5
"""Cells with the longest pauses that are named."""


@dataclass(frozen=True, eq=False)
class PuzzleTimes(EqualFields):
    """The games of a puzzle.

    Attributes
    ----------
    puzzle : Puzzle
    n_games : int
        Games in which a cell was filled.
    seconds : tuple of float
        Times of the games that were finished without a hint, of players who had not tried the
        puzzle before; the fastest first.
    pauses : ndarray of float64, shape (n_cells,)
        Median seconds before the fill of a cell; NaN for givens and cells that fewer than half of
        the games filled.
    rating : Rating or None
        The prediction; None for a kind without a model.
    """

    puzzle: Puzzle
    n_games: int
    seconds: tuple[float, ...]
    pauses: NDArray[np.float64]
    rating: Rating | None

    @property
    def quartiles(self) -> tuple[float, ...] | None:
        """Least time, lower quartile, median, upper quartile and longest time; None if unsolved."""
        return tuple(np.percentile(self.seconds, QUARTILES).tolist()) if self.seconds else None

    def longest_pauses(self) -> list[tuple[str, float]]:
        """Return the names of the cells before which people paused longest, with the seconds."""
        order = np.argsort(-self.pauses, kind="stable")[:_LISTED].tolist()
        found = [(self.puzzle.cell_name(cell), float(self.pauses[cell])) for cell in order]
        return [(name, seconds) for name, seconds in found if not math.isnan(seconds)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for CSV and JSON."""
        rating, quartiles = self.rating, self.quartiles or (None,) * len(QUARTILES)
        return {
            "puzzle": self.puzzle.text,
            "games": self.n_games,
            "solved": len(self.seconds),
            **dict(zip(_NAMES, quartiles, strict=True)),
            "predicted": None if rating is None else rating.predicted,
            "low": None if rating is None else rating.low,
            "high": None if rating is None else rating.high,
            "pauses": " ".join(f"{cell}:{seconds:.0f}" for cell, seconds in self.longest_pauses()),
        }

    def __str__(self) -> str:
        """Return the times, the prediction and the longest pauses in a line."""
        said = f"{len(self.seconds)} of {self.n_games} games solved"
        if self.quartiles is not None:
            _, lower, median, upper, _ = map(duration, self.quartiles)
            several = f", half of them in {lower} to {upper}, median {median}"
            said += f" in {median}" if lower == upper else several
        if self.rating is not None and self.rating.predicted is not None:
            said += f"; predicted {duration(self.rating.predicted)}"
        pauses = ", ".join(f"{cell} {duration(s)}" for cell, s in self.longest_pauses()[:3])
        return said + (f"; longest pauses before {pauses}" if pauses else "")


class AllTimes(tuple[PuzzleTimes, ...], Displayed):
    """The games of several puzzles, in the order of their first games; `nando.draw` draws them."""

    def __str__(self) -> str:
        """Return a numbered line for each puzzle."""
        return "\n".join(f"puzzle {n}: {times}" for n, times in enumerate(self, 1))


def times_by_puzzle(games: Iterable[Game], raters: Mapping[str, Rater] | None = None) -> AllTimes:
    """Return the distribution of solving times of each puzzle, beside its prediction.

    Parameters
    ----------
    games : iterable of Game
        Games of any players, those of each player in the order in which they were played.
    raters : mapping of str to Rater, or None
        A model for each kind of puzzle; None takes those that are shipped.

    Examples
    --------
    >>> from nando.games import read_games
    >>> found = times_by_puzzle(read_games("examples/games.csv").games)
    >>> found[0].n_games, len(found[0].seconds)
    (2, 2)
    """
    played: dict[Puzzle, list[Game]] = {}
    for game in games:
        if len(game.cells):
            played.setdefault(game.puzzle, []).append(game)
    solved: dict[Puzzle, list[float]] = {}
    for time in solving_times(game for all_of in played.values() for game in all_of).times:
        solved.setdefault(time.puzzle, []).append(time.seconds)
    ratings = _ratings_of(list(played), raters)
    return AllTimes(
        PuzzleTimes(
            puzzle,
            len(all_of),
            tuple(sorted(solved.get(puzzle, ()))),
            _pauses(all_of),
            ratings.get(puzzle),
        )
        for puzzle, all_of in played.items()
    )


def _ratings_of(
    puzzles: Sequence[Puzzle], raters: Mapping[str, Rater] | None
) -> dict[Puzzle, Rating]:
    found: dict[Puzzle, Rating] = {}
    for kind in dict.fromkeys(puzzle.kind for puzzle in puzzles):
        rater = (raters or {}).get(kind) or (load_model(None, kind) if has_model(kind) else None)
        alike = [puzzle for puzzle in puzzles if puzzle.kind == kind]
        if rater is not None:
            found |= zip(alike, rater.rate(alike), strict=True)
    return found


def _pauses(games: Sequence[Game]) -> NDArray[np.float64]:
    """Return the median seconds before the fill of each cell, where half of the games fill it."""
    waits = np.full((len(games), len(games[0].solution)), np.nan)
    for row, game in zip(waits, games, strict=True):
        steps = np.diff(game.seconds, prepend=0.0) if game.waits is None else game.waits
        row[game.cells] = steps
    known = np.isfinite(waits).sum(axis=0) * 2 >= len(games)
    pauses = np.full(waits.shape[1], np.nan)
    pauses[known] = np.nanmedian(waits[:, known], axis=0)
    return pauses


# -------------------------------------------------------------------- picture

_PIXELS = 48.0
"""Pixels of a picture in a file per unit of the picture; lengths below are in pixels."""
_BOARD, _WIDTH, _HEIGHT = 150.0, 720.0, 180.0
_LEFT, _RIGHT = 190.0, 700.0
_AXIS, _BOX, _ROW = 150.0, 34.0, 92.0
_TYPE = 12.0
_TICKS = (1, 2, 5, 10, 20, 60, 120, 300, 600, 1200, 3600, 7200, 14400, 28800)
"""Times on the axis in seconds."""


def draw_times(times: Sequence[PuzzleTimes]) -> Picture:
    """Draw a strip for each puzzle: where people paused, and how long they took.

    On the board, ranks and shades show the pauses, the longest is 1. On the axis, which is
    logarithmic and the same for all puzzles, a dot is a game; the box has the quartiles and the
    median; the band is the interval of the prediction, with a line at the prediction.
    """
    ends = [second for one in times for second in _ends(one) if second > 0] or [60.0]
    low, high = math.log(min(ends) / 1.2), math.log(max(ends) * 1.2)

    def across(seconds: float) -> float:
        return _LEFT + (math.log(max(seconds, 1e-3)) - low) / (high - low) * (_RIGHT - _LEFT)

    ticks = [tick for tick in _TICKS if low <= math.log(tick) <= high]
    scale, height = 1 / _PIXELS, _HEIGHT / _PIXELS
    strips = [
        Picture(_WIDTH, _HEIGHT, tuple(_strip(number, one, across, ticks)))
        for number, one in enumerate(times, 1)
    ]
    placed = tuple(Placed(0, i * height, scale, strip) for i, strip in enumerate(strips))
    return Picture(_WIDTH * scale, height * max(1, len(strips)), placed)


def _ends(one: PuzzleTimes) -> list[float]:
    rating = one.rating
    predicted = [] if rating is None else [rating.low, rating.high]
    return [*one.seconds, *(second for second in predicted if second is not None)]


def _strip(number: int, one: PuzzleTimes, across: Any, ticks: Sequence[int]) -> Iterator[Shape]:
    """Draw the board and the times of a puzzle."""
    order = np.argsort(-np.nan_to_num(one.pauses, nan=-1.0), kind="stable")
    ranks = np.zeros(len(order), np.int64)
    ranks[order] = np.arange(1, len(order) + 1)
    ranks[one.puzzle.givens != 0] = 0
    board = heat_map(one.puzzle, ranks)
    scale = _BOARD / max(board.width, board.height)
    yield Placed(10, 20, scale, board)
    yield Text(_LEFT, 20, f"{number}", 16, INK, bold=True, align="start")
    share = f"{len(one.seconds)}/{one.n_games}"
    yield Text(_RIGHT, 20, share, _TYPE, GREY, align="end")
    top = _ROW - _BOX / 2
    rating = one.rating
    if rating is not None and rating.low is not None and rating.high is not None:
        left, right = across(rating.low), across(rating.high)
        yield Rect(left, top - 14, right - left, _BOX + 28, BASE)
    for tick in ticks:
        yield Path(((across(tick), 40), (across(tick), _AXIS)), BAND, 0.6)
        yield Text(across(tick), _AXIS + 12, duration(tick).replace(" 00 s", ""), _TYPE, GREY)
    yield Path(((_LEFT, _AXIS), (_RIGHT, _AXIS)), FAINT, 1)
    if one.quartiles is not None:
        least, lower, median, upper, most = map(across, one.quartiles)
        yield Path(((least, _ROW), (most, _ROW)), INK, 1.2)
        yield Rect(lower, top, max(upper - lower, 1.0), _BOX, "#ffffff", INK, 1.2)
        yield Path(((median, top), (median, top + _BOX)), INK, 2.6)
    for i, second in enumerate(one.seconds):
        yield Disc(across(second), _ROW + (i % 5 - 2) * 5, 2.4, BLUE)
    if rating is not None and rating.predicted is not None:
        place = across(rating.predicted)
        yield Path(((place, top - 14), (place, top + _BOX + 14)), RED, 1.6, dashed=True)
