"""Evaluate models of human times by repeated grouped cross-validation, with intervals.

Puzzles that are equal up to relabelling and symmetry are never split between folds. Each repeat
shuffles the folds. The reported values are means over repeats. Their 95 % intervals come from a
bootstrap over groups of equivalent puzzles, because more repeats on the same puzzles would not show
how other puzzles would score.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from nando.arrays import Floats
from nando.checks import cores
from nando.evaluation.models import Model, models_of, unseeing
from nando.evaluation.scores import (
    Report,
    Score,
    bootstrap,
    check_resampling,
    metric_row,
    pearson,
    percentage_error,
    score_of,
    spearman,
)
from nando.features import SolverFeatures, default_groups, groups_of
from nando.puzzles import Puzzle
from nando.rating.files import fitted_now
from nando.rating.fitting.estimator import grouped_folds
from nando.rating.fitting.training import BASELINE, Training
from nando.rating.kinds import BASELINES, baselines
from nando.rating.model import Rater
from nando.rating.parts import PART_COLUMNS
from nando.stages import counted

METRICS: dict[str, Callable[[Floats, Floats], float]] = {
    "Pearson on log": pearson,
    "Spearman": spearman,
    "mean absolute percentage error": percentage_error,
}
"""Metrics by name; each takes predicted and actual log times."""

WITHIN = "pairs of one size in order"
"""Name of the metric for puzzles that are compared only within strata."""

SHARES = (0.125, 0.25, 0.5, 1.0)
"""Shares of the training puzzles for the learning curve."""

N_SPLITS = 10
"""Folds of a model's own check."""


def evaluate(
    puzzles: Sequence[Puzzle],
    times: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    target: str = "times",
    models: Mapping[str, Model | Sequence[str]] | None = None,
    features: SolverFeatures | None = None,
    players: ArrayLike | None = None,
    learning: bool = False,
    n_splits: int = 10,
    repeats: int = 5,
    n_bootstrap: int = 1000,
    seed: int = 0,
    strata: Sequence[Any] | None = None,
    order: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> Report:
    """Cross-validate models on human times.

    Parameters
    ----------
    puzzles : sequence of Puzzle
    times : array_like of float, shape (n_puzzles,)
        Times above 0, whose logarithm is predicted.
    sample_weight : array_like of float or None
        Weights for fitting; every puzzle counts the same in the scores.
    target : str
        Name of the times: the part of the report that has the scores of models.
    models : mapping of str to Rater, LogLinear or sequence of str, or None
        The main model first. Columns stand for a regression on them; those of the common scale,
        for nando's model on the scale that saw the fewest of these puzzles. `COMPARED` has the
        published metrics. None takes nando's model of Sudoku and every baseline. A
        A `Rater` of Sudoku starts from the scale it was given.
    features : SolverFeatures or None
        The features, computed once; must have the columns of all models. None takes the groups of
        these columns, or without `models` the default groups.
    players : array_like of float or None
        Number of players behind each time, for the ceiling: the best correlation that the noise of
        the times allows.
    learning : bool
        Whether to add the correlation of the main model by the number of training puzzles.
    n_splits, repeats, n_bootstrap, seed : int
    strata : sequence or None
        Property that puzzles must share to be compared, for example their size. The share of
        correctly ordered pairs becomes a further metric.
    order : array_like of float or None
        Values by which puzzles of a stratum are ordered; None takes the times.
    n_jobs : int or None
        Threads for the features.

    Returns
    -------
    Report
        Its arrays are the log times (`actual`), and the main model's predictions of held-out
        puzzles as the mean over repeats (`predicted`).
    """
    import pandas as pd

    check_resampling(n_splits, repeats, n_bootstrap, seed)
    cores(n_jobs)
    keys = [puzzle.equivalence_key() for puzzle in puzzles]
    chosen = models or {"nando": PART_COLUMNS, **BASELINES}
    built = models_of(chosen, keys, n_splits)
    if features is None:
        columns = {name for model in built.values() for name in model.columns}
        groups = groups_of(columns) if models else default_groups("sudoku")
        features = SolverFeatures(groups, n_jobs=n_jobs)
    values = np.asarray(features.fit(puzzles).transform(puzzles))
    table = pd.DataFrame(values, columns=list(features.get_feature_names_out()))
    seconds = np.asarray(times, dtype=np.float64)
    actual = np.log(seconds)
    weight = np.ones_like(actual) if sample_weight is None else np.asarray(sample_weight, float)
    samples = bootstrap(keys, n_bootstrap, seed)

    predicted, covered = _predict_held_out(
        built, table, seconds, weight, keys, n_splits, repeats, seed
    )
    main = next(iter(built))
    held_out = predicted[main].mean(axis=0)
    rows = [
        metric_row(target, name, metric, score_of(measure, lines, actual, samples))
        for name, lines in counted(predicted.items(), "models scored", len(predicted))
        for metric, measure in METRICS.items()
    ]
    counts = {"puzzles": len(actual), "after symmetry": len(set(keys))}
    rows += [metric_row(f"{target}, data", "all", *count) for count in counts.items()]
    alone: dict[str, dict[str, Score]] = {
        "Spearman": {
            name: score_of(spearman, table[name].to_numpy()[None, :], actual, samples[:200])
            for name in counted(table, "features scored", table.shape[1])
        }
    }
    if strata is not None:
        ranks = actual if order is None else np.asarray(order, dtype=np.float64)
        of_models, alone[WITHIN] = _within(strata, ranks, predicted, table, samples)
        rows += [metric_row(target, name, WITHIN, score) for name, score in of_models.items()]
    rows += [
        metric_row(f"{target}, interval", main, f"{level:.0%}", seen)
        for level, seen in covered.items()
    ]
    if learning:
        of_main = table[list(built[main].columns)].to_numpy()
        curve = learning_curve(built[main], of_main, actual, weight, keys, n_splits, repeats, seed)
        rows += [
            metric_row(f"{target}, learning curve", f"{share:.1%}", "Pearson on log", score)
            for share, score in curve.items()
        ]
    if players is not None and (reached := ceiling(actual - held_out, actual, players, seed)):
        pearson_most, noise, variance = reached
        for metric, value in (
            ("Pearson on log", pearson_most),
            ("noise", noise),
            ("variance", variance),
        ):
            rows.append(metric_row(f"{target}, ceiling", "any model", metric, value))
    for metric, scores in alone.items():
        strongest = sorted(scores.items(), key=lambda item: -abs(item[1].value))
        rows += [
            metric_row(f"{target}, {metric} of a column", name, metric, score)
            for name, score in strongest
        ]
    headings = {
        target: f"{target}: {len(actual):,} puzzles ({len(set(keys)):,} after symmetry), "
        f"{n_splits} folds, repeats: {repeats}; [95 % interval]",
        f"{target}, interval": "Held-out puzzles inside the interval",
        f"{target}, learning curve": f"Learning curve of {main}, by share of the training puzzles",
        f"{target}, ceiling": "Ceiling of Pearson on log: from residuals against 1 / players, the "
        "noise and the variance of log times",
        f"{target}, Spearman of a column": "Spearman correlation of each feature alone",
        f"{target}, {WITHIN} of a column": "Share of pairs of one size that each feature alone "
        "puts in order",
    }
    return Report(rows, headings, {"actual": actual, "predicted": held_out}, [*counts])


def _predict_held_out(
    models: Mapping[str, Model],
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
        # The interval needs folds within the fold, so once is enough.
        if repeat == 0 and isinstance(models[first], Rater):
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


def learning_curve(
    model: Model,
    table: Floats,
    actual: Floats,
    weight: Floats,
    keys: Sequence[str],
    n_splits: int,
    repeats: int,
    seed: int,
) -> dict[float, Score]:
    """Return Pearson's correlation of log times by the share of the training puzzles.

    The interval is the range over repeats. Shares with fewer than five puzzles per column are
    skipped.
    """
    curve: dict[float, Score] = {}
    for share in SHARES:
        if share * len(actual) * (1 - 1 / n_splits) < 5 * table.shape[1]:
            continue
        scores = []
        for repeat in range(repeats):
            rng = np.random.default_rng([seed, repeat])
            predicted = np.empty_like(actual)
            for train, test in grouped_folds(keys, len(actual), n_splits, seed + repeat):
                used = rng.permutation(train)[: round(share * len(train))]
                fold = clone(model)
                fold.fit_quickly(table[used], actual[used], weight[used])
                predicted[test] = fold.log_seconds(table[test])
            scores.append(float(np.corrcoef(predicted, actual)[0, 1]))
        curve[share] = Score(float(np.mean(scores)), min(scores), max(scores))
    return curve


def ceiling(
    residuals: ArrayLike,
    actual: ArrayLike,
    players: ArrayLike,
    seed: int = 0,
    n_bootstrap: int = 1000,
) -> tuple[Score, float, float] | None:
    """Estimate the best correlation that noise in the times allows.

    A mean over n players has a noise of variance c / n. The squared residuals of held-out
    predictions are the model's error plus this noise, so their slope in 1 / n is c. The best
    possible model still misses the noise, so its correlation is the root of 1 - noise / variance.

    Parameters
    ----------
    residuals, actual, players : array_like of float, shape (n_puzzles,)
        Residuals and values of log times, and the numbers of players.
    seed, n_bootstrap : int
        Seed and number of samples of the interval.

    Returns
    -------
    pearson : Score
        Correlation of the noisy log times with those of infinitely many players.
    noise, variance : float
        Mean variance of a log time that is due to its number of players, and that of the log times.
    None
        If all puzzles have the same number of players.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> players = rng.integers(5, 50, 2000)
    >>> noise = rng.normal(0, 1 / np.sqrt(players))
    >>> _, part, _ = ceiling(noise, rng.normal(0, 0.5, 2000) + noise, players)
    >>> bool(abs(part - np.mean(1 / players)) < 0.01)
    True
    """
    missed = np.asarray(residuals, float)
    squares = np.square(missed - missed.mean())
    logs = np.asarray(actual, float)
    inverse = 1.0 / np.asarray(players, float)
    if inverse.max() - inverse.min() < 1e-12:
        return None
    rng = np.random.default_rng(seed)
    noises, draws = [], []
    for draw in range(n_bootstrap + 1):
        chosen = rng.integers(len(logs), size=len(logs)) if draw else np.arange(len(logs))
        x = inverse[chosen]
        slope = np.cov(x, squares[chosen])[0, 1] / max(x.var(ddof=1), 1e-300)
        noise = max(float(slope), 0.0) * float(x.mean())
        noises.append(noise)
        draws.append(float(np.sqrt(max(1.0 - noise / logs[chosen].var(), 0.0))))
    return Score.of(draws[0], draws[1:]), noises[0], float(logs.var())


def fit_model(training: Training, kind: str, *, n_jobs: int | None = None) -> Rater:
    """Fit the default model, and cross-validate it and the baseline of its kind.

    Parameters
    ----------
    training : Training
    kind : str
        Kind of the puzzles.
    n_jobs : int or None

    Returns
    -------
    Rater
        Its `provenance_` names the data and has the scores of the cross-validation.
    """
    rater = Rater(kind)
    rater.features = SolverFeatures(groups=groups_of(rater.columns), n_jobs=n_jobs, progress=True)
    rater.fit(training.puzzles, training.values, sample_weight=training.players)
    rater.provenance_ |= {
        "name": training.name,
        "data": training.provenance,
        "players": None if training.players is None else int(sum(training.players)),
        **fitted_now(),
    }
    keys = [puzzle.equivalence_key() for puzzle in training.puzzles]
    if len(set(keys)) < 2 * N_SPLITS:
        return rater  # too few puzzles to leave any out
    baseline = BASELINE[kind]
    checked = evaluate(
        training.puzzles,
        training.values,
        training.players,
        models={"model": unseeing(rater, keys), baseline: (baseline,)},
        features=SolverFeatures(groups=default_groups(kind), n_jobs=n_jobs),
        repeats=2,
        n_bootstrap=500,
        strata=training.strata,
        order=training.order,
    )
    rater.provenance_["scores"] = {
        name: {
            metric: [round(number, 4) for number in (score.value, score.low, score.high)]
            for metric, score in scores.items()
        }
        for name, scores in checked.scores("times").items()
    }
    return rater


def evaluate_default(
    training: Training, kind: str, *, target: str, repeats: int = 5, seed: int = 0
) -> Report:
    """Cross-validate the default model of a kind and all its baselines.

    Parameters
    ----------
    training : Training
    kind : str
        Kind of the puzzles.
    target : str
        Name of the times in the tables; data without times are called levels.
    repeats, seed : int
        As in :func:`evaluate`.
    """
    keys = [puzzle.equivalence_key() for puzzle in training.puzzles]
    return evaluate(
        training.puzzles,
        training.values,
        training.players,
        target="levels" if training.strata else target,
        models={"nando": unseeing(Rater(kind), keys), **baselines(kind)},
        features=SolverFeatures(default_groups(kind)),
        repeats=repeats,
        seed=seed,
        strata=training.strata,
        order=training.order,
    )


_BINS = 10
_RATIOS = [0.25, 0.5, 0.7, 1, 1.4, 2, 4, 8]
_ROUND = [step * 10.0**power for power in range(-1, 5) for step in (1, 2, 5)]


def residual_plot(reports: Mapping[str, Report], form: str) -> bytes:
    """Plot the ratio of actual to predicted time of each held-out puzzle against the prediction.

    Each report has a panel. The line joins the medians of ten parts of the puzzles in the order
    of their predictions. The model is biased where the line departs from 1.

    Parameters
    ----------
    reports : mapping of str to Report
        Reports of :func:`evaluate`, by the title of their panel.
    form : {"svg", "png"}
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    with mpl.rc_context({"svg.hashsalt": "nando", "font.size": 10}):
        figure = Figure(figsize=(4.2 * len(reports), 3.8), layout="constrained")
        axes = figure.subplots(1, len(reports), squeeze=False)[0]
        for axis, (title, report) in zip(axes, reports.items(), strict=True):
            predicted = np.exp(report.arrays["predicted"])
            ratio = np.exp(report.arrays["actual"] - report.arrays["predicted"])
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
            axis.set(xscale="log", yscale="log", title=f"{title}: {len(ratio):,}")
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
