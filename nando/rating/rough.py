"""Estimate a rating from some of its columns.

The search for puzzles of a given difficulty estimates thousands of puzzles, and rejects most of
them before the slow columns are computed. Means and errors come from 20,000 new minimal puzzles.
"""

from collections.abc import Mapping

import numpy as np

from nando.arrays import Floats
from nando.rating.parts import NURIKABE, PART_COLUMNS, PARTS, VARIANT, parts_of
from nando.rating.scale import Scale

_WITHOUT_STEPS = np.array(
    [{"locked": 2.6, "pairs": 1.9, "larger": 2.5, "chains": 2.0}.get(p.name, 1.0) for p in PARTS]
)
"""Typical ratio of the parts to their estimate from the race alone."""

_BY_GUESSES = np.array(
    [
        (0.0, 0.7, 1.1, 1.4, 1.8, 2.2, 3.0),
        (3.66, 4.72, 4.97, 5.14, 5.32, 5.46, 5.70),
        (0.28, 0.36, 0.38, 0.39, 0.40, 0.41, 0.42),
    ]
)
"""Mean and standard deviation of the difficulty (the logarithm of the looks that a puzzle takes) by
the logarithm of 1 + guesses, which is the first row."""

_BY_RACE = np.array(
    [
        (2.50, 3.10, 3.50, 3.75, 4.10, 4.25, 4.40, 4.55, 5.00),
        (2.50, 3.10, 3.51, 3.77, 4.08, 4.18, 4.28, 4.41, 4.80),
        (0.03, 0.03, 0.05, 0.07, 0.10, 0.10, 0.11, 0.12, 0.12),
    ]
)
"""The same by the difficulty without steps, for puzzles that the exact search solves without a
guess."""

_OF_GUESSED = {
    "difficulty": 0.593,
    "exact_guesses": 0.150,
    "race_beyond_blanks": 0.940,
    "race_beyond": -1.125,
    "is_beyond": 0.344,
}
_OF_GUESSED_ALL = 1.565
"""For puzzles with guesses: a regression on the difficulty without steps, the logarithms of
1 + these columns, and whether any fill is beyond all patterns."""

_BY_GUESSED = np.array(
    [
        (4.00, 4.45, 4.75, 5.05, 5.50, 6.00),
        (4.00, 4.45, 4.75, 5.05, 5.50, 6.00),
        (0.12, 0.12, 0.16, 0.20, 0.26, 0.27),
    ]
)
"""The same by this regression. The techniques of hard puzzles are hard to predict."""

_BY_STEPS = np.array(
    [
        (2.50, 3.60, 4.10, 4.70, 6.00),
        (2.50, 3.60, 4.10, 4.70, 6.00),
        (0.03, 0.04, 0.055, 0.09, 0.09),
    ]
)
"""The same by the difficulty with steps; the rest is the noise of two games of each kind."""

_MILLISECONDS = np.array(
    [
        (3.50, 4.30, 4.60, 4.75, 4.90, 5.05, 5.20, 5.35, 5.50, 5.65, 5.80, 6.20),
        (0.30, 0.40, 0.50, 0.75, 1.00, 1.50, 2.10, 2.60, 4.10, 6.80, 10.0, 20.0),
    ]
)
"""Time that the human-style solver takes for puzzles of an expected difficulty."""


def of_sudoku(
    scale: Scale, crowd: str | None, known: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the expected difficulty of Sudokus, and its standard deviation.

    Parameters
    ----------
    scale : Scale
    crowd : str or None
    known : mapping of str to ndarray of float64, shape (n_puzzles,)
        ``exact_guesses``, or all columns from two runs, with or without those of the group
        ``techniques``.
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
    difficulty = scale.difficulty(parts * _WITHOUT_STEPS, crowd)
    guessed = {
        "difficulty": difficulty,
        "exact_guesses": known["exact_guesses"],
        "race_beyond_blanks": np.log1p(known["race_beyond_blanks"]),
        "race_beyond": np.log1p(known["race_beyond"]),
        "is_beyond": known["race_beyond"] > 0.0,
    }
    regressed = np.full_like(difficulty, _OF_GUESSED_ALL)
    for name, column in guessed.items():
        regressed += _OF_GUESSED[name] * column
    is_guessed = known["exact_guesses"] > 0.0
    expected, error = _read_off(_BY_RACE, difficulty)
    of_guessed, error_of_guessed = _read_off(_BY_GUESSED, regressed)
    return (
        np.where(is_guessed, of_guessed, expected),
        np.where(is_guessed, error_of_guessed, error),
    )


def rating_time(difficulty: Floats) -> Floats:
    """Return the milliseconds, on one machine, to rate puzzles of an expected difficulty."""
    return np.asarray(np.interp(difficulty, *_MILLISECONDS))


def _read_off(rows: Floats, at: Floats) -> tuple[Floats, Floats]:
    places, mean, error = rows
    # Extrapolate linearly beyond the hardest known puzzles.
    beyond = np.maximum(at - places[-1], 0.0) + np.minimum(at - places[0], 0.0)
    return np.interp(at, places, mean) + beyond, np.interp(at, places, error)


_STUCK = "nurikabe_stuck_steps"
_STEPS = tuple(name for name in NURIKABE.columns if name not in ("nurikabe_blanks", _STUCK))
_STUCK_PER_STEP = 1.2
"""Typical number of impasses for each step beyond a glance, and ..."""
_ERROR = 0.1
"""... the standard deviation of log looks if impasses are estimated from it."""


def of_nurikabe(
    scale: Scale, crowd: str | None, known: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the same for Nurikabe without the impasses, from the steps of the ladder alone."""
    columns = dict(known)
    if _STUCK not in columns:
        columns[_STUCK] = _STUCK_PER_STEP * np.sum([known[name] for name in _STEPS], axis=0)
    table = np.stack([columns[name] for name in NURIKABE.columns], axis=1)
    expected = scale.difficulty(NURIKABE.by_part(table), crowd)
    return expected, np.full_like(expected, _ERROR)


_ERROR_OF_VARIANTS, _ERROR_WITHOUT_STEPS = 0.05, 0.4
"""Standard deviation of log looks from a few runs, with and without the steps of the ladder."""


def of_variant(
    scale: Scale, crowd: str | None, known: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the same for variants from the race, with or without the steps of the ladder.

    Without the race there is no estimate: the error is infinite.
    """
    n = len(next(iter(known.values())))
    if "variant_fills" not in known:
        return np.full(n, scale.reference), np.full(n, np.inf)
    columns = [known.get(name, np.zeros(n)) for name in VARIANT.columns]
    expected = scale.difficulty(VARIANT.by_part(np.stack(columns, axis=1)), crowd)
    error = _ERROR_OF_VARIANTS if "variant_locked" in known else _ERROR_WITHOUT_STEPS
    return expected, np.full(n, error)
