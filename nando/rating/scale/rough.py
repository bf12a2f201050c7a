"""What to expect of a rating where only some of its columns are known.

The searches for puzzles of a wanted difficulty ask this of thousands, and drop most of them before
the columns that take long are computed. Means and errors are those of 20,000 new minimal puzzles.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nando.rating.scale.crowds import Scale
from nando.rating.scale.parts import PART_COLUMNS, PARTS, parts_of

_WITHOUT_STEPS = np.array(
    [{"locked": 2.6, "pairs": 1.9, "larger": 2.5, "chains": 2.0}.get(p.name, 1.0) for p in PARTS]
)
"""How much larger parts are, as a rule, than what the race alone says of them."""

_BY_GUESSES = np.array(
    [
        (0.0, 0.7, 1.1, 1.4, 1.8, 2.2, 3.0),
        (3.66, 4.72, 4.97, 5.14, 5.32, 5.46, 5.70),
        (0.28, 0.36, 0.38, 0.39, 0.40, 0.41, 0.42),
    ]
)
"""By the logarithm of 1 + guesses, in the first row: mean and standard deviation of the difficulty,
which is the logarithm of the looks that a puzzle takes."""

_BY_RACE = np.array(
    [
        (2.50, 3.10, 3.50, 3.75, 4.15, 4.43, 4.56, 4.83, 5.23, 5.64, 6.04),
        (2.50, 3.10, 3.51, 3.77, 4.12, 4.36, 4.59, 4.89, 5.20, 5.50, 5.80),
        (0.03, 0.03, 0.05, 0.07, 0.11, 0.14, 0.22, 0.26, 0.26, 0.29, 0.32),
    ]
)
"""The same by the difficulty without steps. The techniques of hard puzzles are hard to tell."""

_BY_STEPS = np.array(
    [
        (2.50, 3.60, 4.10, 4.70, 6.00),
        (2.50, 3.60, 4.10, 4.70, 6.00),
        (0.03, 0.04, 0.055, 0.09, 0.09),
    ]
)
"""The same by the difficulty with steps: what is left is the noise of two games of each kind."""


def rough_difficulty(
    scale: Scale, crowd: str | None, known: Mapping[str, NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Expected difficulty of puzzles, and its standard deviation.

    Parameters
    ----------
    scale : Scale
    crowd : str or None
    known : mapping of str to ndarray of float64, shape (n_puzzles,)
        ``exact_guesses``, or all columns but those of the group ``techniques``, from two runs; or
        these too.
    """
    if "race_fills" not in known:
        return _read_off(_BY_GUESSES, known["exact_guesses"])
    table = np.zeros((len(known["race_fills"]), len(PART_COLUMNS)))
    for i, name in enumerate(PART_COLUMNS):
        if name in known:
            table[:, i] = known[name]
    parts = parts_of(table)
    if "technique_chains" in known:
        return _read_off(_BY_STEPS, scale.difficulty(parts, crowd))
    return _read_off(_BY_RACE, scale.difficulty(parts * _WITHOUT_STEPS, crowd))


def _read_off(
    rows: NDArray[np.float64], at: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    places, mean, error = rows
    # Beyond the last puzzles seen the expectation goes on as it came.
    beyond = np.maximum(at - places[-1], 0.0) + np.minimum(at - places[0], 0.0)
    return np.interp(at, places, mean) + beyond, np.interp(at, places, error)
