"""The features of Sudoku by the solvers that imitate people."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import each, from_profile, listed
from nando.puzzles import Puzzle, Sudoku

DEPENDENCY_STEPS = (5, 10, 15, 20, 25, 30, 35, 40)
"""Steps k of the published dependency table."""


_sisus = cache(lambda: solvers.Refutation())
_race = cache(lambda: solvers.SearchTime())
_sweep = cache(lambda: solvers.DigitSweep())


@each
def _refutation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    # If singles suffice, no run reaches an impasse, and all are 0.
    if isinstance(puzzle, Sudoku) and solvers.singles_suffice(puzzle):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    profile = _sisus().profile(puzzle, runs=runs, rng=rng)
    return (
        profile.refutation_sum,
        float(np.log1p(profile.refutation_sum)),
        profile.refutation_max,
        profile.stuck_steps,
        profile.unrefuted_steps,
    )


@from_profile(_sisus)
def _dependency(profile: Any) -> Sequence[float]:
    return [profile.dependency(steps) for steps in DEPENDENCY_STEPS]


@each
def _search_time(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    race = _race()
    profile = race.profile(puzzle, runs=runs, rng=rng)
    if not profile.times.size:  # a full grid takes no time: use that of the least step
        return np.log(race.entry_time), np.log(race.entry_time), 0.0, *[0.0] * 4
    shares = (max(quarter, 1e-9) / profile.total for quarter in _quarters(profile.times))
    total, longest, *logs = np.log([profile.total, profile.longest, *shares]).tolist()
    return total, longest, profile.stuck_steps, *logs


def _quarters(times: NDArray[np.float64]) -> list[float]:
    """Sum the parts of ``np.array_split(times, 4)`` without calling it, as it is slow."""
    least, longer = divmod(times.size, 4)
    ends = [least * i + min(longer, i) for i in range(5)]
    return [float(np.add.reduce(times[i:j])) for i, j in pairwise(ends)]


def _digit_sweep(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    return np.log1p(_sweep().means_many(puzzles, runs=runs, rngs=rngs)[:, :3])


PEOPLE_GROUPS = (
    listed("refutation", 1, _refutation, 30),
    listed("dependency", 8, _dependency, 30),
    listed("search_time", 2, _search_time, 30),
    listed("digit_sweep", 10, _digit_sweep, 8),
)
