"""Fit the shipped model of variants: its seconds and its interval, and check it.

Nobody was timed on variants. The data are levels that publishers print, and the games of the
collection. These have moves without times, whose pencil marks and corrections count as effort.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.evaluation.scores import spearman
from nando.features import FeatureExtractor, groups_of
from nando.features.classes import classes_of
from nando.rating.effort import Known, Line
from nando.rating.records import fitted_now, plain_floats
from nando.rating.scale.shipped import shipped
from nando.rating.variants import EFFORT, VariantRater

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 15
"""Minimum number of puzzles in a group with levels, and of games of a rule that is left out."""

_LEVEL = r"^\d{4}-\d\d-.*-([1-9])-\d+$"
"""The level, if not 0, in the number of a puzzle that a program made."""


class LeftOut(NamedTuple):
    """The distance of the games of a rule from a line through those of all other rules.

    Attributes
    ----------
    games : int
    missed : float
        Mean of the log moves minus those on the line, in log looks.
    spread : float
        Standard deviation of this difference, in log looks.
    """

    games: int
    missed: float
    spread: float


def fit_variants(*, n_jobs: int | None = None) -> VariantRater:
    """Fit the shipped model of variants: its interval, and the range of published variants.

    The seconds of a look are those of the typical crowd on Sudoku, and the weights are constants.
    Only the interval is measured: the spread of its pace is that of crowds, and the spread of
    puzzles is the error of predicting the effort of games from games of other rules.

    Returns
    -------
    VariantRater
        Its `provenance_` names the data, and has the ranks within levels and the rules left out.

    Raises
    ------
    OSError
        If the collection is neither stored locally nor available for download.
    """
    from nando.datasets import DATASETS, fetch_sudoku_variants

    data = fetch_sudoku_variants(as_frame=True)
    extractor = FeatureExtractor(groups_of(EFFORT.columns), n_jobs=n_jobs)
    table = extractor.class_table(data.puzzles, classes_of(data.puzzles), EFFORT.columns)
    parts = EFFORT.by_part(np.asarray(table))
    log_looks = np.log(parts.sum(axis=1))
    left_out = rules_left_out(log_looks, data.frame)
    scale = shipped().scale
    spread = scale.slope * np.hypot(
        np.sqrt(np.mean([rule.missed**2 for rule in left_out.values()])),
        np.mean([rule.spread for rule in left_out.values()]),
    )
    rater = VariantRater(features=FeatureExtractor(groups_of(EFFORT.columns)))
    rater.line_ = Line(
        *plain_floats([scale.reference, scale.offset, scale.slope]),
        *plain_floats([scale.offset_spread, scale.slope_spread, spread]),
    )
    rater.timed_, rater.known_ = 0, Known.of(parts)
    rater.sudoku_ = scale.reference, scale.offset, scale.slope
    rater.n_features_in_ = len(EFFORT.columns)
    rater.provenance_ = {
        "name": "variants",
        "data": DATASETS["sudoku_variants"][0].provenance(),
        "puzzles": len(data.puzzles),
        **fitted_now(),
        "levels": {
            name: [len(rows), round(spearman(log_looks[rows], levels), 4)]
            for name, rows, levels in groups_with_levels(data.frame)
        },
        "rules left out": {
            name: [rule.games, round(rule.missed, 3), round(rule.spread, 3)]
            for name, rule in left_out.items()
        },
    }
    return rater


def groups_with_levels(frame: "pd.DataFrame") -> list[tuple[str, NDArray[np.intp], Floats]]:
    """Return puzzles of one rule and size with levels: name, rows and levels of each group.

    The levels are those of a setter of Kropki, and those above 0 in the numbers of puzzles that a
    program made.
    """
    by_program = frame["info"].str.extract(_LEVEL)[0].astype(float)
    levels = frame["level"].fillna(by_program)
    groups = []
    for (rule, size), rows in frame[levels.notna()].groupby(["genre", "size"]):
        own = levels[rows.index]
        if len(rows) >= FEWEST and own.min() < own.max():
            positions = frame.index.get_indexer(rows.index)
            groups.append((f"{rule} {size}x{size}", positions, own.to_numpy(float)))
    return groups


def rules_left_out(log_looks: Floats, frame: "pd.DataFrame") -> dict[str, LeftOut]:
    """Predict the log moves of each rule's games by a line through those of all other rules.

    The games are those of the person who played most, and each rule counts the same in a line.

    Parameters
    ----------
    log_looks : ndarray of float64, shape (n_puzzles,)
    frame : DataFrame
        The frame of :func:`nando.datasets.fetch_sudoku_variants`, with a row per puzzle.
    """
    played = frame["moves"].to_numpy() > 0
    played &= (frame["solver"] == frame["solver"][played].mode()[0]).to_numpy()
    rules, x = frame["genre"].to_numpy()[played], log_looks[played]
    y = np.log(frame["moves"].to_numpy(float)[played])
    names, counts = np.unique(rules, return_counts=True)
    weight = 1.0 / counts[np.searchsorted(names, rules)]
    left_out = {}
    for name in names[counts >= FEWEST]:
        others = rules != name
        slope, offset = np.polyfit(x[others], y[others], 1, w=np.sqrt(weight[others]))
        missed = (y[~others] - offset - slope * x[~others]) / slope
        left_out[str(name)] = LeftOut(len(missed), float(missed.mean()), float(missed.std()))
    return left_out


def games_of(frame: "pd.DataFrame", events: "pd.DataFrame") -> list[tuple[str, Any, Floats]]:
    """Return games of one rule, size and person: name, rows and pencil marks of each group."""
    marks = events[events["value"] == 0].groupby("game").size()
    played = frame[frame["moves"] > 0]
    groups = []
    for (rule, size, person), rows in played.groupby(["genre", "size", "solver"]):
        own = marks.reindex(rows.index).fillna(0.0)
        if len(rows) >= FEWEST and own.std() > 0:
            groups.append((f"{rule} {size}x{size}, {person}", rows.index, own.to_numpy(float)))
    return groups
