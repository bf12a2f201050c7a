"""Evaluate ratings of variants, on which nobody was timed, by levels and by the moves of games."""

from nando.checks import cores
from nando.evaluation.scores import (
    Report,
    bootstrap,
    check_resampling,
    metric_row,
    score_of,
    spearman,
)
from nando.features import FeatureExtractor, groups_of
from nando.features.classes import classes_of
from nando.rating.kinds import baselines
from nando.rating.loading import load_model
from nando.rating.shipped_fits import groups_with_levels, rules_left_out

_HEADINGS = {
    "levels": "Spearman's correlation with levels within one rule and size [95 % interval]",
    "rules left out": "Games of a rule, by a line through the moves of all other rules: how far "
    "they are from it, in log looks",
}


def evaluate_variants(
    *, n_jobs: int | None = None, n_bootstrap: int = 500, seed: int = 0
) -> Report:
    """Score the looks of the published variants.

    The weights of the looks are constants, so no level and no game takes part in them. The
    interval of the shipped model is that of the rules left out.

    Parameters
    ----------
    n_jobs : int or None
        Threads for the features.
    n_bootstrap, seed : int
        Samples of the intervals, and their seed.

    Raises
    ------
    OSError
        If data are neither stored locally nor available for download.
    """
    from nando.datasets import fetch_sudoku_variants

    check_resampling(2, 1, n_bootstrap, seed)
    cores(n_jobs)
    data, model = fetch_sudoku_variants(as_frame=True), load_model(kind="variant")
    classes = classes_of(data.puzzles)
    simple = {name: column for name, (column,) in baselines("variant").items()}
    columns = [*model.columns, *simple.values()]
    extractor = FeatureExtractor(groups_of(columns), n_jobs=n_jobs)
    table = extractor.class_table(data.puzzles, classes, columns)
    looks = model.difficulty(table[:, : len(model.columns)])
    predictors = {"nando": looks} | dict(zip(simple, table[:, len(model.columns) :].T, strict=True))
    rows = []
    for group, places, levels in groups_with_levels(data.frame):
        samples = bootstrap([classes[i] for i in places.tolist()], n_bootstrap, seed)
        rows.append(metric_row("levels", group, "puzzles", len(places)))
        rows += [
            metric_row("levels", group, name, score_of(spearman, x[None, places], levels, samples))
            for name, x in predictors.items()
        ]
    for rule, left_out in rules_left_out(predictors["nando"], data.frame).items():
        rows += [
            metric_row("rules left out", rule, name, value)
            for name, value in left_out._asdict().items()
        ]
    spread = model.scale_.puzzle_spread / model.scale_.slope
    rows.append(metric_row("rules left out", "all, as shipped", "spread", spread))
    return Report(rows, _HEADINGS)
