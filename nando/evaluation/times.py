"""Evaluate models of human times by repeated grouped cross-validation, with intervals.

Puzzles that are equal up to relabelling and symmetry are never split between folds. Each repeat
shuffles the folds. The reported values are means over repeats. Their 95 % intervals come from a
bootstrap over groups of equivalent puzzles, because more repeats on the same puzzles would not show
how other puzzles would score.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from nando.arrays import Floats
from nando.evaluation.baselines import LogLinear
from nando.evaluation.scores import (
    Score,
    bootstrap,
    check_resampling,
    pearson,
    percentage_error,
    score_of,
    spearman,
    table_text,
)
from nando.features.transformer import SolverFeatures
from nando.puzzles import Puzzle
from nando.puzzles.frozen import EqualFields
from nando.rating.base import Rater
from nando.rating.estimator import grouped_folds
from nando.rating.kinds import BASELINES
from nando.rating.scale.rater import DifficultyRater
from nando.rating.scale.shipped import least_seen
from nando.stages import counted

METRICS: dict[str, Callable[[Floats, Floats], float]] = {
    "Pearson on log": pearson,
    "Spearman": spearman,
    "mean absolute percentage error": percentage_error,
}
"""Metrics by name; each takes predicted and actual log times."""


WITHIN = "pairs of one size in order"
"""Name of the metric for puzzles that are compared only within strata."""


def _in_order(x: Floats, order: Floats, strata: NDArray[np.intp]) -> float:
    """Return the share of pairs of one stratum that x puts in order, with ties as one half.

    The result is NaN without pairs.
    """
    n_pairs, n_right = 0, 0.0
    for stratum in np.unique(strata):
        here = np.flatnonzero(strata == stratum)
        signs = np.sign(order[here, None] - order[None, here])
        given = np.sign(x[here, None] - x[None, here])
        counted = signs > 0
        n_pairs += int(counted.sum())
        n_right += float(((given + 1) / 2)[counted].sum())
    return n_right / n_pairs if n_pairs else float("nan")


@dataclass(frozen=True, eq=False)
class Evaluation(EqualFields):
    """Scores of several models on one target.

    Attributes
    ----------
    target : str
    n_puzzles, n_groups, n_splits, repeats : int
        Groups are sets of equivalent puzzles.
    scores : dict of str to dict of str to Score
        Per model, per metric.
    covered : dict of float to float
        Nominal coverage of the full model's interval, and the share of held-out puzzles inside.
    features : dict of str to Score
        Spearman correlation of each single feature with the target.
    actual, predicted : ndarray of float64, shape (n_puzzles,)
        Log times, and the first model's predictions for held-out puzzles, as the mean over repeats.
    within : dict of str to Score
        Share of the pairs of one stratum that each single feature puts in order, in its better
        direction; empty without strata.
    """

    target: str
    n_puzzles: int
    n_groups: int
    n_splits: int
    repeats: int
    scores: Mapping[str, Mapping[str, Score]]
    covered: Mapping[float, float]
    features: Mapping[str, Score]
    actual: Floats = field(repr=False)
    predicted: Floats = field(repr=False)
    within: Mapping[str, Score] = field(default_factory=dict)

    def table(self) -> Any:
        """Return one row per model and metric, as a pandas.DataFrame."""
        import pandas as pd

        return pd.DataFrame(
            [
                (self.target, self.n_puzzles, model, metric, score.value, score.low, score.high)
                for model, scores in self.scores.items()
                for metric, score in scores.items()
            ],
            columns=["target", "puzzles", "model", "metric", "value", "low_95", "high_95"],
        )

    def model_lines(self) -> list[str]:
        """Return the models by metrics and the interval's coverage as lines of text."""
        coverages = ", ".join(f"{level:.0%}: {seen:.1%}" for level, seen in self.covered.items())
        return [
            f"{self.target}: {self.n_puzzles:,} puzzles ({self.n_groups:,} after symmetry), "
            f"{self.n_splits} folds, repeats: {self.repeats}; [95 % interval]",
            table_text(self.scores),
            "",
            f"Held-out puzzles inside the interval, wanted: seen  {coverages}",
        ]

    def page(self) -> str:
        """Return all results as text: models by metrics, the interval's coverage, the features."""
        lines = self.model_lines()
        for heading, scores in (
            ("Spearman correlation of each feature alone", self.features),
            ("Share of pairs of one size that each feature alone puts in order", self.within),
        ):
            if scores:
                ordered = sorted(scores.items(), key=lambda item: -abs(item[1].value))
                table = table_text({name: {"": score} for name, score in ordered})
                lines += ["", heading, *table.splitlines()[1:]]
        return "\n".join(lines)

    def feature_table(self) -> Any:
        """Return one row per feature, strongest first, as a pandas.DataFrame."""
        import pandas as pd

        rows = sorted(self.features.items(), key=lambda item: -abs(item[1].value))
        return pd.DataFrame(
            [(self.target, name, score.value, score.low, score.high) for name, score in rows],
            columns=["target", "feature", "spearman", "low_95", "high_95"],
        )


def evaluate(
    puzzles: Sequence[Puzzle],
    times: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    target: str = "times",
    models: Mapping[str, Rater | LogLinear] | None = None,
    features: SolverFeatures | None = None,
    table: Any = None,
    n_splits: int = 10,
    repeats: int = 5,
    n_bootstrap: int = 1000,
    seed: int = 0,
    strata: Sequence[Any] | None = None,
    order: ArrayLike | None = None,
) -> Evaluation:
    """Cross-validate models on human times.

    Parameters
    ----------
    puzzles : sequence of Puzzle
    times : array_like of float, shape (n_puzzles,)
        Times above 0, whose logarithm is predicted.
    sample_weight : array_like of float or None
        Weights for fitting; every puzzle counts the same in the scores.
    target : str
        Name of the times, for the tables.
    models : mapping of str to Rater or LogLinear, or None
        None takes the default model, on a scale that was not fitted to these puzzles, and every
        baseline. A `DifficultyRater` in the mapping starts from the scale it was given.
    features : SolverFeatures or None
        The features, computed once; must have the columns of all models.
    table : DataFrame or None
        The features of these puzzles if they are already computed.
    n_splits, repeats, n_bootstrap, seed : int
    strata : sequence or None
        Property that puzzles must share to be compared, for example their size. The share of
        correctly ordered pairs becomes a further metric.
    order : array_like of float or None
        Values by which puzzles of a stratum are ordered; None takes the times.

    Returns
    -------
    Evaluation
    """
    import pandas as pd

    check_resampling(n_splits, repeats, n_bootstrap, seed)
    keys = [puzzle.equivalence_key() for puzzle in puzzles]
    if models is None:
        models = {"nando": DifficultyRater(scale=least_seen(keys))}
        models |= {name: LogLinear(columns) for name, columns in BASELINES.items()}
    features = features or SolverFeatures()
    if table is None:
        values = np.asarray(features.fit(puzzles).transform(puzzles))
        table = pd.DataFrame(values, columns=list(features.get_feature_names_out()))
    seconds = np.asarray(times, dtype=np.float64)
    actual = np.log(seconds)
    weight = np.ones_like(actual) if sample_weight is None else np.asarray(sample_weight, float)
    samples = bootstrap(keys, n_bootstrap, seed)

    predicted, covered = _held_out(models, table, seconds, weight, keys, n_splits, repeats, seed)
    scores = {
        name: {
            metric: score_of(measure, lines, actual, samples) for metric, measure in METRICS.items()
        }
        for name, lines in counted(predicted.items(), "models scored", len(predicted))
    }
    within: dict[str, Score] = {}
    if strata is not None:
        ranks = actual if order is None else np.asarray(order, dtype=np.float64)
        of_models, within = _within(strata, ranks, predicted, table, samples)
        for name, score in of_models.items():
            scores[name][WITHIN] = score
    return Evaluation(
        target=target,
        n_puzzles=len(actual),
        n_groups=len(set(keys)),
        n_splits=n_splits,
        repeats=repeats,
        scores=scores,
        covered=covered,
        features={
            name: score_of(spearman, table[name].to_numpy()[None, :], actual, samples[:200])
            for name in counted(table, "features scored", table.shape[1])
        },
        actual=actual,
        predicted=predicted[next(iter(models))].mean(axis=0),
        within=within,
    )


def _held_out(
    models: Mapping[str, Rater | LogLinear],
    table: Any,
    seconds: Floats,
    weight: Floats,
    keys: Sequence[str],
    n_splits: int,
    repeats: int,
    seed: int,
) -> tuple[dict[str, Floats], dict[float, float]]:
    """Predict held-out log times, and count how often the first model's interval contains them.

    Returns
    -------
    predicted : dict of str to ndarray of float64, shape (repeats, n_puzzles)
    covered : dict of float to float
        Share of times inside the interval, by its nominal coverage.
    """
    actual = np.log(seconds)
    columns = {name: model.table_of(table)[0] for name, model in models.items()}
    predicted = {name: np.empty((repeats, len(actual))) for name in models}
    inside: dict[float, list[bool]] = {0.5: [], 0.8: [], 0.95: []}
    first = next(iter(models))
    folds = [
        (repeat, *fold)
        for repeat in range(repeats)
        for fold in grouped_folds(keys, len(actual), n_splits, seed + repeat)
    ]
    for repeat, train, test in counted(folds, "folds", len(folds)):
        for name, model in models.items():
            fold = clone(model)
            fold.fit_quickly(columns[name][train], actual[train], weight[train])
            predicted[name][repeat, test] = fold.log_seconds(columns[name][test])
        if repeat == 0 and isinstance(
            models[first], Rater
        ):  # the interval needs folds within the fold, so once is enough
            fold = clone(models[first]).fit(
                table.iloc[train],
                seconds[train],
                sample_weight=weight[train],
                groups=[keys[i] for i in train],
            )
            for level, hits in inside.items():
                low, high = fold.predict_interval(table.iloc[test], level).T
                hits.extend((low <= seconds[test]) & (seconds[test] <= high))
    return predicted, {level: float(np.mean(hits)) for level, hits in inside.items() if hits}


def _within(
    strata: Sequence[Any], ranks: Floats, predicted: Mapping[str, Floats], table: Any, samples: Any
) -> tuple[dict[str, Score], dict[str, Score]]:
    """Return the share of correctly ordered pairs within strata, for each model and feature."""
    _, labels = np.unique(np.array([str(stratum) for stratum in strata]), return_inverse=True)
    of_models = {
        name: score_of(_in_order, lines, ranks, samples, labels)
        for name, lines in predicted.items()
    }
    of_features = {
        name: _order_by_column(table[name].to_numpy(), ranks, labels, samples[:200])
        for name in counted(table, "features compared", table.shape[1])
    }
    return of_models, of_features


def _order_by_column(
    values: Floats, ranks: Floats, strata: NDArray[np.intp], samples: Any
) -> Score:
    """Return the share of pairs of a stratum that a column orders, in its better direction."""
    score = score_of(_in_order, values[None, :], ranks, samples, strata)
    if score.value < 0.5:  # larger values mean easier puzzles
        score = score_of(_in_order, -values[None, :], ranks, samples, strata)
    return score


_BINS = 10
_RATIOS = [0.25, 0.5, 0.7, 1, 1.4, 2, 4, 8]
_ROUND = [step * 10.0**power for power in range(-1, 5) for step in (1, 2, 5)]


def residual_plot(evaluations: Sequence[Evaluation], form: str) -> bytes:
    """Plot the ratio of actual to predicted time of each held-out puzzle against the prediction.

    Each evaluation has a panel. The line joins the medians of ten parts of the puzzles in the order
    of their predictions. The model is biased where the line departs from 1.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    form : {"svg", "png"}
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    with mpl.rc_context({"svg.hashsalt": "nando", "font.size": 10}):
        figure = Figure(figsize=(4.2 * len(evaluations), 3.8), layout="constrained")
        axes = figure.subplots(1, len(evaluations), squeeze=False)[0]
        for axis, evaluation in zip(axes, evaluations, strict=True):
            predicted = np.exp(evaluation.predicted)
            ratio = np.exp(evaluation.actual - evaluation.predicted)
            axis.axhline(1.0, color="0.4", linewidth=0.8)
            axis.scatter(
                predicted,
                ratio,
                s=6,
                alpha=0.4,
                color="#2166ac",
                edgecolors="none",
                rasterized=True,
            )
            parts = np.array_split(np.argsort(predicted, kind="stable"), _BINS)
            parts = [part for part in parts if part.size]
            axis.plot(
                [np.median(predicted[part]) for part in parts],
                [np.median(ratio[part]) for part in parts],
                color="#b2182b",
                linewidth=1.4,
            )
            axis.set(
                xscale="log", yscale="log", title=f"{evaluation.target}: {evaluation.n_puzzles:,}"
            )
            axis.set_xlabel("predicted, puzzle held out")
            for line, ticks in ((axis.xaxis, _ROUND), (axis.yaxis, _RATIOS)):
                line.set_major_locator(FixedLocator(ticks))
                line.set_minor_locator(NullLocator())
                line.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.spines[["top", "right"]].set_visible(False)
        axes[0].set_ylabel("actual / predicted")
        picture = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(picture, format=form, dpi=120, metadata=metadata)
    return picture.getvalue()
