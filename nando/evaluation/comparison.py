"""Compare the published metrics with nando's, each alone, on every set of human times.

All models are fitted by the same robust regression on the same folds. The scores come with a
learning curve of the default model and with the best correlation that the noise of the times
allows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nando.arrays import Floats
from nando.checks import cores
from nando.evaluation.baselines import LogLinear
from nando.evaluation.scores import Score, check_resampling
from nando.evaluation.times import Evaluation, evaluate
from nando.features.groups import GROUPS, feature_names, groups_of
from nando.features.transformer import SolverFeatures
from nando.puzzles import Puzzle
from nando.rating.base import Rater
from nando.rating.estimator import grouped_folds
from nando.rating.kinds import BASELINES
from nando.rating.scale.parts import PART_COLUMNS
from nando.rating.scale.rater import DifficultyRater
from nando.rating.scale.shipped import least_seen

_COUNTS = tuple(f.name for f in GROUPS["logic"].features if f.name.startswith("uses_"))
_MANY = 30.0
"""Ridge penalty of models with dozens of columns."""

COMPARED: dict[str, tuple[str, ...]] = {
    "nando": PART_COLUMNS,
    "log-linear": BASELINES["log-linear"],
    "givens": ("givens",),
    "dependency": ("dependency_25",),
    "refutation sum": ("log_refutation_sum",),
    "relaxation, solutions": ("relaxation_extra_solutions",),
    "relaxation, fixedness": ("relaxation_fixed_blanks",),
    "Serate": ("se_rating",),
    "Serate LM": _COUNTS,
    "RD": ("log_refutation_sum", "dependency_25"),
    "SRD": ("se_rating", "log_refutation_sum", "dependency_25"),
    "search-time race": ("search_time",),
    "digit sweep": ("sweep_easy_visits",),
    "mechanistic": ("mechanistic_seconds",),
}
"""Columns of each model. SRD is the published SFRD without Fowler's rating, whose formula is lost;
Serate LM is a line in the number of uses of each technique. The model uses the logarithm of 1 + the
refutation sum, because it predicts the logarithm of a time; the sum itself predicts far worse."""

EVERYTHING = "every cheap feature"
_CHEAP = (
    *("givens", "spread", "refutation", "dependency", "search_time", "digit_sweep"),
    *("ladder_race", "logic", "exact"),
)

SHARES = (0.125, 0.25, 0.5, 1.0)
"""Shares of the training puzzles for the learning curve."""


@dataclass(frozen=True)
class Ceiling:
    """The best correlation that noise in the times allows.

    Attributes
    ----------
    noise : float
        Mean variance of a log time that is due to its number of players.
    variance : float
        Variance of the log times.
    pearson : Score
        Correlation of the noisy log times with those of infinitely many players.
    """

    noise: float
    variance: float
    pearson: Score

    def __str__(self) -> str:
        return (
            f"{self.pearson} from residuals against 1 / players: noise {self.noise:.4f} of the "
            f"variance {self.variance:.4f} of log times"
        )


@dataclass(frozen=True)
class Comparison:
    """The models on one set of times.

    Attributes
    ----------
    evaluation : Evaluation
    learning : dict of float to Score
        Pearson on log of the default model, by the share of the training puzzles used.
    ceiling : Ceiling or None
        None if the number of players is unknown or constant.
    """

    evaluation: Evaluation
    learning: Mapping[float, Score]
    ceiling: Ceiling | None

    def table(self) -> Any:
        """Return the evaluation's table, then the learning curve and the ceiling, as rows."""
        import pandas as pd

        scores = self.evaluation.table()
        extra = [
            ("nando", f"Pearson on log, {share:.1%} of the training puzzles", score)
            for share, score in self.learning.items()
        ]
        if self.ceiling is not None:
            extra.append(("noise", "ceiling of Pearson on log", self.ceiling.pearson))
        target, puzzles = self.evaluation.target, self.evaluation.n_puzzles
        rows = [
            (target, puzzles, model, metric, score.value, score.low, score.high)
            for model, metric, score in extra
        ]
        return pd.concat([scores, pd.DataFrame(rows, columns=scores.columns)], ignore_index=True)

    def page(self) -> str:
        """Return all results as text."""
        lines = self.evaluation.model_lines()
        lines += ["", "Learning curve of nando, Pearson on log by share of the training puzzles"]
        lines += [f"  {share:6.1%}  {score}" for share, score in self.learning.items()]
        reach = self.ceiling or "not known: no puzzle has more than one player's time"
        lines += ["", f"Ceiling of Pearson on log: {reach}"]
        return "\n".join(lines)


def compare(
    puzzles: Sequence[Puzzle],
    times: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    players: ArrayLike | None = None,
    target: str = "times",
    models: Mapping[str, Sequence[str]] | None = None,
    n_splits: int = 10,
    repeats: int = 2,
    n_bootstrap: int = 1000,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Comparison:
    """Cross-validate the published metrics and nando's on human times.

    Parameters
    ----------
    puzzles, times, sample_weight, target, n_splits, repeats, n_bootstrap, seed
        As in :func:`nando.evaluation.times`.
    players : array_like of float or None
        Number of players behind each time, for the ceiling.
    models : mapping of str to sequence of str or None
        Columns of each model, with the main model first. None uses `COMPARED` and a model of
        every cheap feature.
    n_jobs : int or None
        Threads for the features.
    """
    import pandas as pd

    check_resampling(n_splits, repeats, n_bootstrap, seed)
    cores(n_jobs)
    columns = dict(models or {**COMPARED, EVERYTHING: tuple(feature_names(_CHEAP))})
    groups = groups_of({name for chosen in columns.values() for name in chosen})
    features = SolverFeatures(groups=groups, n_jobs=n_jobs)
    table = pd.DataFrame(np.asarray(features.transform(puzzles)), columns=feature_names(groups))
    keys = [puzzle.equivalence_key() for puzzle in puzzles]
    raters: dict[str, Rater | LogLinear] = {
        name: DifficultyRater(scale=least_seen(keys), n_splits=n_splits)
        if tuple(chosen) == PART_COLUMNS
        else LogLinear(tuple(chosen), alpha=_MANY if len(chosen) > 20 else 0.01)
        for name, chosen in columns.items()
    }
    evaluation = evaluate(
        puzzles,
        times,
        sample_weight,
        target=target,
        models=raters,
        features=features,
        table=table,
        n_splits=n_splits,
        repeats=repeats,
        n_bootstrap=n_bootstrap,
        seed=seed,
    )
    first = next(iter(raters.values()))
    weight = np.ones(len(table)) if sample_weight is None else np.asarray(sample_weight, float)
    values = table[list(first.columns)].to_numpy()
    return Comparison(
        evaluation,
        learning_curve(first, values, evaluation.actual, weight, keys, n_splits, repeats, seed),
        None
        if players is None
        else ceiling(evaluation.actual - evaluation.predicted, evaluation.actual, players, seed),
    )


def learning_curve(
    rater: Rater | LogLinear,
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
    from sklearn.base import clone

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
                fold = clone(rater)
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
) -> Ceiling | None:
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
    Ceiling or None
        None if all puzzles have the same number of players.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> players = rng.integers(5, 50, 2000)
    >>> noise = rng.normal(0, 1 / np.sqrt(players))
    >>> found = ceiling(noise, rng.normal(0, 0.5, 2000) + noise, players)
    >>> bool(abs(found.noise - np.mean(1 / players)) < 0.01)
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
    return Ceiling(noises[0], float(logs.var()), Score.of(draws[0], draws[1:]))
