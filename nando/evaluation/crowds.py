"""Evaluate ratings for new crowds by leaving out each crowd in turn.

All results on a crowd come from a scale fitted without its data set. They are compared with every
single metric and with nando's former log-linear model of one crowd.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import LeaveOneGroupOut

from nando import datasets
from nando.arrays import Floats
from nando.checks import cores
from nando.evaluation import scores
from nando.evaluation.models import LogLinear
from nando.puzzles import Sudoku, as_puzzles
from nando.puzzles.frozen import EqualFields
from nando.rating.fitting.estimator import grouped_folds
from nando.rating.fitting.fit import LeftOut, fit_crowd, predict_held_out
from nando.rating.fitting.published import (
    PublishedCrowd,
    columns_by_class,
    left_out_of,
    published_crowds,
)
from nando.rating.kinds import BASELINES
from nando.rating.model import Rater, are_puzzles
from nando.rating.parts import PART_COLUMNS, parts_of
from nando.rating.result import LOOKS
from nando.rating.scale import CrowdLevels, CrowdTimes
from nando.stages import counted

METRICS = (
    "givens",
    "search_time",
    "sweep_easy_visits",
    "mechanistic_seconds",
    "se_rating",
    "se_sum",
    "exact_guesses",
    "log_refutation_sum",
    "dependency_25",
    "stuck_steps",
)
"""Single columns with which the model is compared."""

LOG_LINEAR = "log-linear"
GIVENS = "givens"
_HEADINGS = {
    "unseen": "Spearman's correlation on crowds that the model never saw [95 % interval]",
    "own": "The crowd's own model, folds by class of equivalent puzzles",
    "coverage": "Times inside the 80 % interval, crowds left out",
    "learning": "A new crowd from few puzzles, and a line fitted from nothing: mean absolute error "
    "of log times",
    "grades": "Grades and published levels: weighted kappa, and the shares of each grade",
    "flagged": "Share flagged",
    "ceiling": "Ceiling from repeated grids",
}

LEARNING = (0, 10, 20, 50, 100, 300)
"""Numbers of puzzles of a new crowd for the learning curve."""

_LEAST = 40
"""Fewest puzzles of a level that is evaluated separately."""


class LeaveOneCrowdOut(LeaveOneGroupOut):  # type: ignore[misc]
    """Folds of scikit-learn that test each crowd in turn by a model of the others.

    The groups of the split are the names of the crowds. A training fold also leaves out each puzzle
    of the tested crowd, and every equivalent one, that another crowd was timed on. Crowds that were
    timed together have one name.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> puzzles = load_examples().puzzles[:3]
    >>> folds = LeaveOneCrowdOut().split([*puzzles, puzzles[0]], groups=[*"aaab"])
    >>> [(train.tolist(), test.tolist()) for train, test in folds]
    [([], [0, 1, 2]), ([1, 2], [3])]
    """

    def split(
        self, X: Any, y: Any = None, groups: ArrayLike | None = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the training and the test positions of each crowd, by name.

        Parameters
        ----------
        X : sequence of Puzzle, or feature table
            The rows of a table do not say which are equivalent.
        y : ignored
        groups : array_like of str, shape (n_times,)
        """
        puzzles = as_puzzles(X) if are_puzzles(X) else ()
        keys = np.array([puzzle.equivalence_key() for puzzle in puzzles])
        for train, test in super().split(X, y, groups):
            yield train[~np.isin(keys[train], keys[test])] if len(keys) else train, test


@dataclass(frozen=True, eq=False)
class Target(EqualFields):
    """The times or levels of a crowd, or some of them, to predict."""

    name: str
    crowd: PublishedCrowd
    levels: NDArray[np.object_] | None = None


def evaluate_crowds(
    *, n_jobs: int | None = None, n_bootstrap: int = 500, repeats: int = 20, seed: int = 0
) -> scores.Report:
    """Evaluate the scale with each published crowd left out in turn.

    Parameters
    ----------
    n_jobs : int or None
        Threads for the features.
    n_bootstrap, repeats, seed : int
        Samples of the intervals, draws of the learning curve, and the seed of both.

    Raises
    ------
    OSError
        If data are neither stored locally nor available for download.
    """
    scores.check_resampling(2, repeats, n_bootstrap, seed)
    cores(n_jobs)
    crowds = published_crowds()
    columns = (*PART_COLUMNS, *METRICS, *BASELINES[LOG_LINEAR])
    table = columns_by_class(
        [key for crowd in crowds.values() for key in crowd.classes],
        list(dict.fromkeys(columns)),
        n_jobs=n_jobs,
    )
    study = _Study(crowds, table, n_bootstrap, repeats, seed)
    targets = crowd_targets(crowds)
    timed = [crowd for crowd in crowds.values() if not crowd.levels]
    wholes = [target for target in targets if not target.crowd.levels and target.levels is None]
    steps: list[tuple[Sequence[Any], str, Callable[[Any], Iterable[dict[str, Any]]]]] = [
        (targets, "targets", study.unseen),
        (wholes, "crowds' own models", lambda target: study.own(target, targets)),
        (timed, "crowds not met", study.coverage),
        (timed, "learning curves", study.learning),
    ]
    rows = [
        row
        for items, name, score in steps
        for item in counted(items, name, len(items))
        for row in score(item)
    ]
    rows += study.grades(next(crowd for crowd in crowds.values() if crowd.levels))
    if (flagged := _share_flagged(n_jobs)) is not None:
        rows.append(scores.metric_row("flagged", "Sudoku Exchange 5.0 to 7.5", "share", flagged))
    rows += [
        scores.metric_row("ceiling", name, "Spearman", value) for name, value in _ceilings().items()
    ]
    return scores.Report(rows, _HEADINGS, hidden={*METRICS} - {GIVENS})


def crowd_targets(crowds: Mapping[str, PublishedCrowd]) -> list[Target]:
    """Return every crowd, the second target of Cloud Sudoku, and each level of the portal."""
    targets = [Target(name, crowd) for name, crowd in crowds.items()]
    data = datasets.fetch_cloud_sudoku(target="D_TO")
    keys = tuple(puzzle.equivalence_key() for puzzle in data.puzzles)
    cloud = crowds["cloud-sudoku"]
    targets.insert(1, Target("cloud-sudoku, D_TO", _replace(cloud, keys, data.target)))
    frame = datasets.fetch_sudoku_portal(as_frame=True).frame
    level_of = frame.groupby("equivalence_class")["level_name"].first()
    best = crowds["portal-best"]
    levels = level_of.loc[list(best.classes)].to_numpy()
    for level in pd.unique(frame.sort_values("level")["level_name"]):
        members = np.flatnonzero(levels == level)
        if len(members) >= _LEAST:
            classes = tuple(best.classes[i] for i in members)
            chosen = _replace(best, classes, best.responses[members])
            targets.append(Target(f"portal-best, {level}", chosen, levels[members]))
    return targets


def _replace(crowd: PublishedCrowd, classes: tuple[str, ...], values: Floats) -> PublishedCrowd:
    return PublishedCrowd(crowd.name, crowd.data_set, classes, np.asarray(values, float))


@dataclass(frozen=True)
class _Study:
    """The published crowds, the features of their puzzles, and the numbers of draws."""

    crowds: Mapping[str, PublishedCrowd]
    table: pd.DataFrame
    n_bootstrap: int
    repeats: int
    seed: int

    @cached_property
    def parts(self) -> dict[str, Floats]:
        """The parts of each class of puzzles."""
        rows = parts_of(self.table[list(PART_COLUMNS)].to_numpy())
        return dict(zip(self.table.index, rows, strict=True))

    @cached_property
    def left_out(self) -> LeftOut:
        """The scales that are fitted without some data sets."""
        return left_out_of(self.crowds, self.parts)

    @cached_property
    def log_linear(self) -> LogLinear:
        """The earlier model, fitted to one crowd."""
        cloud = self.crowds["cloud-sudoku"]
        table = self.table.loc[list(cloud.classes)]
        return LogLinear(BASELINES[LOG_LINEAR]).fit(table, cloud.responses, cloud.players)

    def times(self, crowd: PublishedCrowd) -> CrowdTimes:
        """Return the times of a crowd."""
        times = crowd.on(self.parts)
        assert isinstance(times, CrowdTimes)
        return times

    def unseen(self, target: Target) -> Iterator[dict[str, Any]]:
        """Score the prediction of a target by a scale fitted without its data set."""
        crowd = target.crowd
        features = self.table.loc[list(crowd.classes)]
        difficulty = self.left_out.scale(crowd.data_set).difficulty(crowd.on(self.parts).parts)
        samples = scores.bootstrap(crowd.classes, self.n_bootstrap, self.seed)
        score = scores.score_of(scores.spearman, difficulty[None], crowd.responses, samples)
        yield scores.metric_row("unseen", target.name, "nando", score)
        for name in METRICS:
            value = abs(scores.spearman(features[name].to_numpy(), crowd.responses))
            yield scores.metric_row("unseen", target.name, name, value)
        before = scores.spearman(self.log_linear.predict(features), crowd.responses)
        yield scores.metric_row("unseen", target.name, LOG_LINEAR, before)

    def own(self, target: Target, targets: Sequence[Target]) -> Iterator[dict[str, Any]]:
        """Score the crowd's own model, which starts from a scale fitted without the crowd."""
        crowd = target.crowd
        times = self.times(crowd)
        predicted = predict_held_out(self.left_out.scale(crowd.data_set), times, crowd.classes, 10)
        place = {key: i for i, key in enumerate(crowd.classes)}
        for other in (target, *(t for t in targets if t.levels is not None)):
            if other is not target and other.crowd.name != crowd.name:
                continue
            shared = np.array([place[key] for key in other.crowd.classes if key in place])
            both = predicted[shared], times.log_seconds[shared]
            yield scores.metric_row("own", other.name, "puzzles", len(shared))
            yield scores.metric_row("own", other.name, "Pearson on log", scores.pearson(*both))
            yield scores.metric_row("own", other.name, "Spearman", scores.spearman(*both))

    def coverage(self, crowd: PublishedCrowd) -> Iterator[dict[str, Any]]:
        """Count the times inside the interval of a model that never saw the data set."""
        rater = Rater.on_scale(self.left_out.common_scale(crowd.data_set, orders=[3]))
        times = self.times(crowd)
        orders: list[int | None] = [3] * len(times.log_seconds)
        ends, flags = rater.interval_of_parts(times.parts, orders, 0.8)
        as_is = _inside(ends, times.log_seconds)
        narrow, _ = rater.interval_of_parts(times.parts, orders, 0.8, pace_known=True)
        pace = np.median(times.log_seconds - rater.scale_.log_seconds(times.parts))
        paced = _inside(narrow + pace, times.log_seconds)
        thirds = np.argsort(np.argsort(rater.scale_.difficulty(times.parts))) * 3 // len(paced)
        shares = {
            "pace unknown": as_is.mean(),
            "pace known": paced.mean(),
            **{
                f"{third} third": paced[thirds == number].mean()
                for number, third in enumerate(("easiest", "middle", "hardest"))
            },
            "flagged": np.mean([bool(flag.codes) for flag in flags]),
        }
        for name, share in shares.items():
            yield scores.metric_row("coverage", crowd.name, name, float(share))

    def learning(self, crowd: PublishedCrowd) -> Iterator[dict[str, Any]]:
        """Return the mean error on held-out puzzles by the number of fitted puzzles."""
        scale = self.left_out.scale(crowd.data_set)
        features = self.table.loc[list(crowd.classes)]
        parts = parts_of(features[list(PART_COLUMNS)].to_numpy())
        logs = np.log(crowd.responses)
        line = LogLinear(BASELINES[LOG_LINEAR])
        columns = features[list(line.columns)].to_numpy()
        for n in LEARNING:
            errors: list[tuple[float, float]] = []
            for repeat in counted(range(self.repeats), f"draws of {n} puzzles", self.repeats):
                order = np.random.default_rng([self.seed, repeat]).permutation(len(logs))
                used, rest = order[:n], order[max(LEARNING) :]
                fitted = fit_crowd(scale, CrowdTimes(parts[used], logs[used]))
                new = replace(scale, crowds={"new": fitted})
                crowd_error = np.abs(new.log_seconds(parts[rest], "new") - logs[rest]).mean()
                line_error = np.nan
                if n > len(line.columns) + 1:
                    line.fit_quickly(columns[used], logs[used], np.ones(n))
                    line_error = np.abs(line.log_seconds(columns[rest]) - logs[rest]).mean()
                errors.append((float(crowd_error), float(line_error)))
            for model, error in zip(
                ("nando", "from nothing"), np.mean(errors, axis=0), strict=True
            ):
                metric = f"{model}, {n} puzzles"
                yield scores.metric_row("learning", crowd.name, metric, float(error))

    def grades(self, crowd: PublishedCrowd) -> Iterator[dict[str, Any]]:
        """Score grades by kappa with levels, and count them among the upper four levels.

        The boundaries are held out, too: those of each fold are set by the other folds, as the
        shipped boundaries were set by all puzzles.
        """
        answers = crowd.on(self.parts)
        assert isinstance(answers, CrowdLevels)
        difficulty = self.left_out.scale(crowd.data_set).difficulty(answers.parts)
        n_levels = int(answers.levels.max()) + 1
        graded = np.zeros(len(difficulty), np.int64)
        for train, test in grouped_folds(crowd.classes, len(difficulty), 10, self.seed):
            cuts = boundaries(difficulty[train], answers.levels[train], n_levels)
            graded[test] = np.searchsorted(cuts, difficulty[test], side="right")
        samples = scores.bootstrap(crowd.classes, self.n_bootstrap, self.seed)
        kappa = scores.score_of(
            weighted_kappa, graded[None].astype(float), answers.levels.astype(float), samples
        )
        upper = graded[answers.levels >= n_levels - 4]
        shares = np.bincount(upper, minlength=len(LOOKS) + 1) / len(upper)
        yield scores.metric_row("grades", "levels", "kappa", kappa)
        for number, share in enumerate(shares.tolist(), 1):
            yield scores.metric_row("grades", "upper four levels", f"grade {number}", share)


def _inside(ends: Floats, actual: Floats) -> NDArray[np.bool_]:
    return np.asarray((ends[:, 0] <= actual) & (actual <= ends[:, 1]))


def boundaries(difficulty: Floats, levels: NDArray[np.int64], n_levels: int) -> Floats:
    """Return the boundaries of a scale with the fewest puzzles on the wrong side of each."""
    ordered = np.sort(difficulty)
    between = (ordered[1:] + ordered[:-1]) / 2
    cuts = []
    for level in range(1, n_levels):
        wrong = ((difficulty[None] >= between[:, None]) != (levels >= level)[None]).sum(axis=1)
        cuts.append(between[wrong == wrong.min()].mean())
    return np.maximum.accumulate(cuts)


def weighted_kappa(x: Floats, y: Floats) -> float:
    """Return Cohen's kappa with quadratic weights for two gradings that start at 0."""
    expected = np.square(x[:, None] - y[None, :]).mean()
    return float(1.0 - np.square(x - y).mean() / expected) if expected > 0 else 0.0


def _share_flagged(n_jobs: int | None) -> float | None:
    """Return the share of a bank's puzzles rated 5.0 to 7.5 that are flagged, from a sample."""
    from nando.rating import load_model

    try:
        puzzles = _exchange_sample()
    except datasets.DataNotFoundError:
        return None
    ratings = load_model().rate(puzzles, n_jobs=n_jobs)
    return float(np.mean([bool(rating.flags) for rating in ratings]))


def _exchange_sample(n: int = 1000) -> list[Sudoku]:
    """Sample the extract over all ratings, or else the published files of these ratings."""
    try:
        files = [datasets.fetch_sudoku_exchange(bucket="sample")]
    except datasets.DataNotFoundError:
        files = [
            datasets.fetch_sudoku_exchange(bucket="hard"),
            datasets.fetch_sudoku_exchange(bucket="diabolical"),
        ]
    puzzles = [puzzle for data in files for puzzle in data.puzzles]
    rated = np.concatenate([np.asarray(data.target, dtype=np.float64) for data in files])
    chosen = np.flatnonzero((rated >= 5.0) & (rated <= 7.5))
    drawn = np.random.default_rng(0).choice(chosen, min(n, len(chosen)), replace=False)
    return [puzzles[i] for i in drawn.tolist()]


def _ceilings() -> dict[str, float]:
    """Return the best correlation that the noise of times allows within each level of the portal.

    The variance among equivalent grids is noise. The variance of the means of grids, minus the
    noise of these means, is that of the grids themselves.
    """
    frame = datasets.fetch_sudoku_portal(as_frame=True).frame
    ceilings = {}
    for level, rows in frame.sort_values("level").groupby("level_name", sort=False):
        logs = np.log(rows["best_seconds"]).groupby(rows["equivalence_class"])
        counts, means = logs.count(), logs.mean()
        several = counts > 1
        noise = float((logs.var()[several] * (counts[several] - 1)).sum())
        noise /= float((counts[several] - 1).sum())
        share = 1.0 - float((noise / counts).mean()) / float(means.var())
        ceilings[f"portal-best, {level}"] = float(np.sqrt(max(share, 0.0)))
    return ceilings
