"""Fit the shipped model of Nurikabe: its seconds and its interval, and check it."""

from itertools import pairwise
from typing import Any

import numpy as np

from nando.arrays import Floats
from nando.features import FeatureExtractor, groups_of
from nando.features.classes import classes_of
from nando.rating.effort import Known, Line
from nando.rating.looks import EFFORT, LOOKS_COLUMNS, RUNS, LooksRater
from nando.rating.records import fitted_now, plain_floats
from nando.rating.scale.shipped import shipped

STANDARDS = {
    "0724": {"master": 180.0, "expert": 540.0, "novice": 1800.0},
    "0725": {"grandmaster": 450.0, "master": 630.0, "expert": 1260.0},
}
"""Standard seconds of a setter for two puzzles of the collection, by their number."""

_MOST_CELLS = 340
"""Most cells of the collection's puzzles that are used; 28 larger puzzles take minutes."""

_SLOPE_SPREAD = 0.2
"""Standard deviation of the slopes of crowds, as for Sudoku."""


def fit_looks(*, n_jobs: int | None = None) -> LooksRater:
    """Fit the shipped model of Nurikabe: the seconds of a look, and the collection's range.

    Only the seconds of a look are fitted. The typical person's time is the geometric mean of an
    expert's and a novice's. The spread of the pace combines that of crowds on Sudoku with half of
    the difference between the standards and the pace on Sudoku. The spread of puzzles is that of
    the looks of puzzles of one size and level.

    Returns
    -------
    LooksRater
        Its `provenance_` names the data and has the share of pairs of one size in order.

    Raises
    ------
    OSError
        If the collection is neither stored locally nor available for download.
    """
    from nando.datasets import DATASETS, fetch_nurikabe

    data = fetch_nurikabe(as_frame=True)
    used = [i for i, puzzle in enumerate(data.puzzles) if puzzle.n_cells <= _MOST_CELLS]
    puzzles = [data.puzzles[i] for i in used]
    names = data.frame["name"].iloc[used].tolist()
    levels = np.asarray(data.target, dtype=np.float64)[used]
    sizes = [tuple(sorted(puzzle.shape)) for puzzle in puzzles]
    extractor = FeatureExtractor(groups_of(LOOKS_COLUMNS), runs=RUNS, n_jobs=n_jobs)
    table = extractor.class_table(puzzles, classes_of(puzzles), LOOKS_COLUMNS)
    parts = EFFORT.by_part(table)
    log_looks = np.log(parts.sum(axis=1))
    rows = [_number_of(name, names) for name in STANDARDS]
    typical = np.log(_typical())
    sudoku = shipped().scale
    pace = float(np.mean(typical - log_looks[rows]))
    reference = float(log_looks[rows].mean())
    of_sudoku = sudoku.offset + sudoku.slope * (reference - sudoku.reference)
    unit_spread = abs(of_sudoku - reference - pace) / 2
    numbers = plain_floats(
        [
            reference,
            reference + pace,
            1.0,
            float(np.hypot(sudoku.offset_spread, unit_spread)),
            _SLOPE_SPREAD,
            _spread_within(log_looks, levels, sizes),
        ]
    )
    rater = LooksRater(features=FeatureExtractor(groups_of(LOOKS_COLUMNS), runs=RUNS))
    rater.line_, rater.timed_, rater.known_ = Line(*numbers), 0, Known.of(parts)
    rater.sudoku_ = sudoku.reference, sudoku.offset, sudoku.slope
    rater.n_features_in_ = len(LOOKS_COLUMNS)
    rater.provenance_ = {
        "name": "nurikabe-looks",
        "data": DATASETS["nurikabe_janko"][0].provenance(),
        "puzzles": len(puzzles),
        "standards": STANDARDS,
        **fitted_now(),
        "in order": in_order_by_size(log_looks, levels, sizes),
    }
    return rater


def in_order_by_size(
    log_looks: Floats, levels: Floats, sizes: list[tuple[int, ...]]
) -> dict[str, Any]:
    """Return the share of pairs of one size and different levels that the looks put in order.

    Returns
    -------
    dict
        ``"pairs"``, ``"share"``, and ``"least"`` and ``"most"`` with one size left out.
    """
    counts: dict[tuple[int, ...], tuple[float, int]] = {}
    for size in sorted(set(sizes)):
        here = [i for i, other in enumerate(sizes) if other == size and np.isfinite(levels[i])]
        above = levels[here][:, None] > levels[here][None, :]
        signs = np.sign(log_looks[here][:, None] - log_looks[here][None, :])
        counts[size] = float(((signs + 1) / 2)[above].sum()), int(above.sum())
    right, pairs = (sum(each) for each in zip(*counts.values(), strict=True))
    without = [(right - r) / (pairs - n) for r, n in counts.values() if 0 < n < pairs]
    return {
        "pairs": int(pairs),
        "share": round(right / pairs, 4),
        "least": round(min(without), 4),
        "most": round(max(without), 4),
    }


def _typical() -> Floats:
    """Return the seconds of a typical person on each puzzle that has standards.

    If there is no novice's time, its ratio to the expert's is that of the other puzzle.
    """
    novice = STANDARDS["0724"]["novice"] / STANDARDS["0724"]["expert"]
    return np.array([of["expert"] * np.sqrt(novice) for of in STANDARDS.values()])


def _number_of(name: str, names: list[Any]) -> int:
    """Return the row of a puzzle with a number in the collection."""
    return next(i for i, listed in enumerate(names) if str(listed).startswith(f"/Nurikabe/{name}."))


def _spread_within(log_looks: Floats, levels: Floats, sizes: list[tuple[int, ...]]) -> float:
    """Return the standard deviation of log looks within the puzzles of one size and level."""
    keys = np.array([f"{level} {size}" for level, size in zip(levels, sizes, strict=True)])
    order = np.lexsort((keys,))
    order = order[np.isfinite(levels[order])]
    starts = [0, *(np.flatnonzero(keys[order][1:] != keys[order][:-1]) + 1), len(order)]
    groups = [log_looks[order[a:b]] for a, b in pairwise(starts)]
    squares = sum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    return float(np.sqrt(squares / (len(order) - len(groups))))
