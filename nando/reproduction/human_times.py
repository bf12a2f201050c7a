"""Human times in place of those of Krivanek 2011 and Pelanek 2014, which were never published.

The public Cloud Sudoku times and Sudoku Insight games: orders and signs can be checked with them,
the numbers themselves cannot.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.datasets import DATASETS, DataNotFoundError, fetch_cloud_sudoku, fetch_sudoku_insight
from nando.puzzles import Sudoku
from nando.solvers import count_many, singles_suffice

NOT_PUBLIC = "the human data are not public; those of another site, on other puzzles, stand for it"
OTHERS = "not so here, and no reason found; the paper's puzzles and times are not public"
SETS = {"fed-sudoku": "sudoku_insight", "sudoku.org.uk": "cloud_sudoku"}
"""Single experienced solvers, and means over many players."""


class HumanTimes(NamedTuple):
    """Puzzles with the seconds of people."""

    puzzles: list[Sudoku]
    seconds: Floats
    simple: NDArray[np.bool_]
    """Whether singles suffice."""


def human_times(name: str, most: int) -> HumanTimes:
    """Return puzzles with one solution and human seconds, evenly spread, at most a given number."""
    if not DATASETS[name][0].is_available():
        raise DataNotFoundError(
            f"the data set {name} is not at hand: `nando datasets {name} --fetch`"
        )
    if name == "cloud_sudoku":
        data = fetch_cloud_sudoku()
        puzzles, seconds = data.puzzles, data.target
    else:
        data = fetch_sudoku_insight(as_frame=True)
        kept = data.frame["completed"].to_numpy() & (count_many(data.puzzles) == 1)
        puzzles = [puzzle for puzzle, keep in zip(data.puzzles, kept, strict=True) if keep]
        seconds = data.target[kept]
    chosen = np.unique(np.linspace(0, len(puzzles) - 1, most).round().astype(int))
    puzzles = [puzzles[i] for i in chosen]
    simple = np.array([singles_suffice(puzzle) for puzzle in puzzles], bool)
    return HumanTimes(puzzles, np.asarray(seconds)[chosen], simple)


def pearson(x: Sequence[float] | Floats, y: NDArray[Any]) -> tuple[float, float]:
    """Return the correlation over what is known of both, and its standard error."""
    x = np.asarray(x, float)
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 4 or x[known].std() == 0:
        return math.nan, 0.0
    r = float(np.corrcoef(x[known], y[known])[0, 1])
    return r, (1 - r * r) / math.sqrt(known.sum() - 2)
