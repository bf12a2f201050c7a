"""Feature groups of Sudoku beyond singles: the ladder race and the positions of the givens."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import each, listed
from nando.puzzles import Puzzle, Sudoku

EASE_FILLS = (5, 10, 20, 30, 40)
"""Fills k of the availability curve weighted by how easily each single is seen."""

BOTTLENECKS = (1, 2, 3)
"""A copy of :data:`nando.solvers.people.ladder_race.BOTTLENECKS`, which is slow to import."""

STEP_SECONDS_FORMAT = "nando step seconds 1"
_FILE = Path(__file__).parent.parent / "step_seconds.json"


def read_step_seconds(record: dict[str, Any]) -> "solvers.LadderRace":
    """Return the ladder race with fitted seconds from a record.

    Raises
    ------
    ValueError
        If the record is of another format.
    """
    if record.get("format") != STEP_SECONDS_FORMAT:
        found = record.get("format")
        raise ValueError(f"not fitted seconds: format {found!r}, wanted {STEP_SECONDS_FORMAT!r}")
    return solvers.LadderRace(tuple(record["rates"]), **record["seconds"])


@cache
def mechanistic_race() -> "solvers.LadderRace":
    """Return the ladder race with the shipped seconds, for ``mechanistic_seconds``."""
    return read_step_seconds(json.loads(_FILE.read_text(encoding="utf-8")))


@each
def _ladder_race(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    race = mechanistic_race()
    profile = race.profile(puzzle, runs=runs, rng=rng)
    if not profile.times.size:  # a full grid takes no time: use that of entering one digit
        least = float(np.log(race.entry_seconds))
        return (least, least, 0.0, least, *[0.0] * (len(BOTTLENECKS) + len(EASE_FILLS)))
    return (
        float(np.log(profile.total)),
        float(np.log(profile.search)),
        float(np.log1p(profile.thought)),
        float(np.log(profile.longest)),
        *profile.bottlenecks.tolist(),
        *(_mean(profile.log_rates[:fills]) for fills in EASE_FILLS),
    )


def _mean(values: NDArray[np.float64]) -> float:
    """Return ``values.mean()`` in a fifth of the time."""
    return float(np.add.reduce(values) / values.size)


@each
def _spread(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Sudoku)
    n, size = puzzle.order, puzzle.size
    grid = puzzle.givens.reshape(size, size).astype(np.int64)
    boxes = grid.reshape(n, n, n, n).transpose(0, 2, 1, 3).reshape(size, size)
    houses = [grid, grid.T, boxes]
    counts = [(house > 0).sum(axis=1) for house in houses]
    digits = np.arange(1, size + 1)
    in_row, in_column, in_box = ((house[:, :, None] == digits).any(axis=1) for house in houses)
    line = np.arange(size)
    of_cell = line[:, None] // n * n + line[None, :] // n
    seen = in_row[:, None, :] | in_column[None, :, :] | in_box[of_cell]
    candidates = (~seen).sum(axis=2)[grid == 0]
    return (
        *(float(count.std()) for count in counts),
        float(min(count.min() for count in counts)),
        float(candidates.mean()) if candidates.size else 0.0,
    )


LADDER_GROUPS = (
    listed("ladder_race", 11, _ladder_race, 10),  # more runs cost time and move no score
    listed("spread", 12, _spread),
)
"""Groups of Sudoku; see :data:`nando.rating.GROUPS`."""
