"""Fit the default model of each kind of puzzle and compare it with its baselines."""

from collections.abc import Sequence
from typing import Any

from sklearn.base import clone

from nando.evaluation.baselines import LogLinear
from nando.evaluation.times import Evaluation, evaluate
from nando.features import SolverFeatures, default_groups, groups_of
from nando.puzzles import Puzzle
from nando.rating.base import Rater
from nando.rating.kinds import baselines, default_columns
from nando.rating.looks import LOOKS_COLUMNS, LooksRater
from nando.rating.records import fitted_now
from nando.rating.scale.parts import PART_COLUMNS
from nando.rating.scale.rater import DifficultyRater
from nando.rating.scale.shipped import least_seen
from nando.rating.training import BASELINE, Training
from nando.rating.variants import EFFORT, VariantRater

N_SPLITS = 10
"""Folds of a model's own check."""


def default_model(kind: str) -> Rater:
    """Return the unfitted model of a kind; ValueError for a kind without one."""
    models: dict[tuple[str, ...], type[Rater]] = {
        PART_COLUMNS: DifficultyRater,
        LOOKS_COLUMNS: LooksRater,
        EFFORT.columns: VariantRater,
    }
    columns = default_columns(kind)
    if columns not in models:
        raise ValueError(f"no model of {kind!r} puzzles can be fitted yet")
    return models[columns]()


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
    rater = default_model(kind)
    rater.features = SolverFeatures(groups=groups_of(rater.columns), n_jobs=n_jobs, progress=True)
    rater.fit(training.puzzles, training.values, sample_weight=training.players)
    rater.provenance_ |= {
        "name": training.name,
        "data": training.provenance,
        "players": None if training.players is None else int(sum(training.players)),
        **fitted_now(),
    }
    if len({puzzle.equivalence_key() for puzzle in training.puzzles}) < 2 * N_SPLITS:
        return rater  # too few puzzles to leave any out
    baseline = BASELINE[kind]
    checked = evaluate(
        training.puzzles,
        training.values,
        training.players,
        models={
            "model": unseeing(rater, training.puzzles),
            baseline: LogLinear([baseline]),
        },
        features=SolverFeatures(groups=default_groups(kind), n_jobs=n_jobs),
        repeats=2,
        n_bootstrap=500,
        strata=training.strata,
        order=training.order,
    )
    rater.provenance_["scores"] = {
        name: _rounded(scores) for name, scores in checked.scores.items()
    }
    return rater


def unseeing(rater: Rater, puzzles: Sequence[Puzzle]) -> Rater:
    """Return an unfitted rater for scores on puzzles.

    The common scale from which it starts is the shipped one that was fitted to the fewest of them.
    """
    rater = clone(rater)
    if isinstance(rater, DifficultyRater) and rater.scale is None:
        rater.scale = least_seen(puzzle.equivalence_key() for puzzle in puzzles)
    return rater


def _rounded(scores: Any) -> dict[str, list[float]]:
    return {
        metric: [round(number, 4) for number in (score.value, score.low, score.high)]
        for metric, score in scores.items()
    }


def evaluate_default(
    training: Training, kind: str, *, target: str, repeats: int = 5, seed: int = 0
) -> Evaluation:
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
    models: dict[str, Rater | LogLinear] = {
        "nando": unseeing(default_model(kind), training.puzzles)
    }
    for name, columns in baselines(kind).items():
        models[name] = LogLinear(columns)
    return evaluate(
        training.puzzles,
        training.values,
        training.players,
        target="levels" if training.strata else target,
        models=models,
        features=SolverFeatures(default_groups(kind)),
        repeats=repeats,
        seed=seed,
        strata=training.strata,
        order=training.order,
    )
