"""The shipped model of variants: its seconds, its interval, and what it is checked on."""

import datetime

import numpy as np

from nando import __version__
from nando.features import FeatureExtractor, groups_of
from nando.rating.classes import classes_of, columns_of_classes
from nando.rating.effort import Known, Line
from nando.rating.records import plain_floats
from nando.rating.scale.rater import shipped
from nando.rating.variants import EFFORT, VariantRater

_RULE_SPREAD = 0.4


def fit_variants(*, n_jobs: int | None = None) -> VariantRater:
    """Describe the published variants: the model shipped for them.

    Nothing is fitted: the seconds of a look are those of the typical crowd on Sudoku.

    Raises
    ------
    OSError
        If the collection is neither stored locally nor available for download.
    """
    from nando.datasets import DATASETS, fetch_sudoku_variants

    data = fetch_sudoku_variants(as_frame=True)
    extractor = FeatureExtractor(groups_of(EFFORT.columns), n_jobs=n_jobs)
    keys = classes_of(data.puzzles)
    table = columns_of_classes(extractor, EFFORT.columns, data.puzzles, keys)
    scale = shipped().scale
    rater = VariantRater(features=FeatureExtractor(groups_of(EFFORT.columns)))
    rater.line_ = Line(
        *plain_floats([scale.reference, scale.offset, scale.slope]),
        *plain_floats([scale.offset_spread, scale.slope_spread, _RULE_SPREAD]),
    )
    rater.timed_, rater.known_ = 0, Known.of(EFFORT.by_part(np.asarray(table)))
    rater.sudoku_ = scale.reference, scale.offset, scale.slope
    rater.n_features_in_ = len(EFFORT.columns)
    rater.provenance_ = {
        "name": "variants",
        "data": DATASETS["sudoku_variants"][0].provenance(),
        "puzzles": len(data.puzzles),
        "fitted": datetime.date.today().isoformat(),
        "nando": __version__,
    }
    return rater
