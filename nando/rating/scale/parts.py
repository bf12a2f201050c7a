"""The parts that make up the expected time of a Sudoku.

Each part is something a person does, and each is a sum of columns that solver runs give, with
weights in a common unit: the time in which a lone hidden single in a box is found. The weights were
chosen once, by what steps cost in the logs of single moves and by the order of techniques in the
literature; a fit moves them a little (:mod:`nando.rating.scale.crowds`). Since parts are summed, a
puzzle harder than all those of a fit gets more minutes of thought, not a linear extrapolation.
"""

from dataclasses import dataclass

import numpy as np

from nando.arrays import Floats


@dataclass(frozen=True)
class Part:
    """A part of the expected time.

    Attributes
    ----------
    name : str
        One word, in tables and model files.
    words : str
        What a person does, in the words of a reason; parts with equal words are combined.
    columns : dict of str to float
        Weight of each column of its sum.
    """

    name: str
    words: str
    columns: dict[str, float]


PARTS = (
    Part("entering", "entering digits", {"race_fills": 0.2}),
    Part("boxes", "searching", {"race_glance": 1.0}),
    Part("lines", "searching", {"race_lines": 1.0}),
    Part("cells", "searching", {"race_cells": 1.0}),
    Part("digits", "searching", {"sweep_easy_visits": 0.15}),
    Part(
        "locked",
        "locked candidates",
        {"race_locked": 3.5, "technique_direct": 1.2, "technique_locked": 2.4},
    ),
    Part("pairs", "pairs", {"race_pairs": 7.0, "technique_pairs": 3.5}),
    Part("larger", "larger patterns", {"race_triplets": 12.0, "technique_larger": 7.0}),
    Part("trying", "trying digits", {"exact_guesses": 6.0}),
    Part(
        "chains",
        "chains",
        {
            "race_beyond": 12.0,
            "race_beyond_blanks": 12.0,
            "technique_chains": 7.5,
            "technique_stuck": 60.0,
        },
    ),
)
"""The parts of the time of a Sudoku, easiest first."""

THOUGHT = ("locked", "pairs", "larger", "trying", "chains")
"""Names of the parts that go beyond looking for singles."""

PART_COLUMNS = tuple(column for part in PARTS for column in part.columns)
"""The columns that the parts are computed from."""

_LOGARITHMIC = "sweep_easy_visits"
"""The one column that is the logarithm of 1 + what is summed."""

_WEIGHTS = np.array([[part.columns.get(column, 0.0) for column in PART_COLUMNS] for part in PARTS])


def parts_of(table: Floats) -> Floats:
    """Return the parts of puzzles in the common unit.

    Parameters
    ----------
    table : ndarray of float64, shape (n_puzzles, len(PART_COLUMNS))

    Returns
    -------
    ndarray of float64, shape (n_puzzles, len(PARTS))
        At least 0.
    """
    summed = np.array(table, dtype=np.float64)
    # A full grid takes no time; entering one digit stands for it.
    fills = PART_COLUMNS.index("race_fills")
    summed[:, fills] = np.maximum(summed[:, fills], 1.0)
    logarithmic = PART_COLUMNS.index(_LOGARITHMIC)
    summed[:, logarithmic] = np.expm1(summed[:, logarithmic])
    # Sums row by row: a matrix product may add in another order for another number of rows.
    return np.asarray(np.add.reduce(summed[:, None, :] * _WEIGHTS, axis=2))
