"""Evaluate ratings of variants by levels, by the moves of games, and by times of small grids."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from nando import datasets
from nando.arrays import Floats
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
from nando.rating.model import Rater
from nando.rating.parts import VARIANT, Compound
from nando.rating.shipped_fits import books_of_killers, groups_with_levels, rules_left_out

_HEADINGS = {
    "levels": "Spearman's correlation with levels within one source and size [95 % interval]; "
    '"chosen without it": by powers that the other sources chose',
    "best columns": "The best single column, chosen with hindsight",
    "rules left out": "Games of a rule, by a line through the moves of all other rules: how far "
    "they are from it, in log looks",
    "times": "Times of two people on grids of 6x6",
}

_COMPOUND = cast("Compound", VARIANT.compound)
_TIMES = (0.5, 1.0, 2.0)
"""The powers of the compound that the other sources choose from, by the shipped ones."""


class _Group(NamedTuple):
    """Puzzles of one source, rule and size with levels: their name, source, rows and levels."""

    name: str
    source: str
    rows: NDArray[np.intp]
    levels: Floats


def evaluate_variants(
    *, n_jobs: int | None = None, n_bootstrap: int = 500, seed: int = 0
) -> Report:
    """Score the looks of the published variants.

    The weights and powers of the looks are constants, so no level and no game takes part in them.
    Beside them stand powers that only the other sources chose. The interval of the shipped model
    is that of the rules left out.

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
    check_resampling(2, 1, n_bootstrap, seed)
    cores(n_jobs)
    data, model = datasets.fetch_sudoku_variants(as_frame=True), load_model(kind="variant")
    killers, books = books_of_killers()
    puzzles = [*data.puzzles, *killers]
    classes = classes_of(puzzles)
    extractor = FeatureExtractor(
        groups_of([*model.columns, *(own for (own,) in baselines("variant").values())]),
        n_jobs=n_jobs,
    )
    table = extractor.class_table(puzzles, classes, extractor.columns)
    columns = dict(zip(extractor.columns, table.T, strict=True))
    powers = product(*([x * own.power for x in _TIMES] for own in _COMPOUND.factors))
    looks = {each: _looks(columns, each) for each in powers}
    shipped = np.log(looks[tuple(own.power for own in _COMPOUND.factors)])
    groups = [
        _Group(name, name.split()[0], rows, levels)
        for name, rows, levels in groups_with_levels(data.frame)
    ]
    rows_of_books = np.arange(len(data.puzzles), len(puzzles))
    groups.append(_Group("killer books 9x9", "killer books", rows_of_books, books))
    clues = -np.array([len(re.split("[:+-]", puzzle.text)) for puzzle in puzzles], float)
    rows, named = [], []
    for group in groups:
        samples = bootstrap([classes[i] for i in group.rows.tolist()], n_bootstrap, seed)
        best = max(columns, key=lambda name: abs(spearman(columns[name][group.rows], group.levels)))
        predictors = {
            "nando": shipped,
            "chosen without it": looks[_chosen_without(group.source, groups, looks)],
            "best column": columns[best],
            **{name: columns[own] for name, (own,) in baselines("variant").items()},
            "fewer clues": clues,
        }
        rows.append(metric_row("levels", group.name, "puzzles", len(group.rows)))
        for name, x in predictors.items():
            score = score_of(spearman, x[None, group.rows], group.levels, samples)
            rows.append(metric_row("levels", group.name, name, score))
        by_best = spearman(columns[best][group.rows], group.levels)
        named.append(metric_row("best columns", f"{group.name}: {best}", "correlation", by_best))
    for rule, left_out in rules_left_out(shipped[: len(data.puzzles)], data.frame).items():
        rows += [
            metric_row("rules left out", rule, name, value)
            for name, value in left_out._asdict().items()
        ]
    spread = model.scale_.puzzle_spread / model.scale_.slope
    rows.append(metric_row("rules left out", "all, as shipped", "spread", spread))
    return Report([*rows, *named, *_rows_of_times(model, n_bootstrap, seed)], _HEADINGS)


def _looks(columns: Mapping[str, Floats], powers: tuple[float, ...]) -> Floats:
    """Return the looks of puzzles with other powers of the factors."""
    factors = [
        replace(own, power=power) for own, power in zip(_COMPOUND.factors, powers, strict=True)
    ]
    effort = replace(VARIANT, compound=replace(_COMPOUND, factors=tuple(factors)))
    table = np.stack([columns[name] for name in effort.columns], axis=1)
    return np.asarray(effort.by_part(table).sum(axis=1))


def _chosen_without(
    source: str, groups: list[_Group], looks: Mapping[tuple[float, ...], Floats]
) -> tuple[float, ...]:
    """Return the powers with the highest mean correlation over all other sources."""

    def score(powers: tuple[float, ...]) -> float:
        by_source: dict[str, list[float]] = {}
        for group in groups:
            if group.source != source:
                own = spearman(looks[powers][group.rows], group.levels)
                by_source.setdefault(group.source, []).append(own)
        return float(np.mean([np.mean(each) for each in by_source.values()]))

    return max(looks, key=score)


def _rows_of_times(model: Rater, n_bootstrap: int, seed: int) -> list[dict[str, object]]:
    """Return how much longer the prediction is than the times of small grids."""
    data = datasets.fetch_sudoku_6x6()
    ratio = np.log(model.predict(data.puzzles) / data.target)
    samples = bootstrap([puzzle.text for puzzle in data.puzzles], n_bootstrap, seed)
    score = score_of(lambda x, _: float(np.exp(x.mean())), ratio[None], ratio, samples)
    return [metric_row("times", "6x6", "predicted by actual", score)]
