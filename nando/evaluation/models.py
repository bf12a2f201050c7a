"""The default model of each kind of puzzle: fitted to times, and checked beside its baselines."""

import datetime
from typing import Any

from nando import __version__
from nando.evaluation.times import Evaluation, evaluate
from nando.features import SolverFeatures, default_groups, groups_of
from nando.rating.columns import baselines, default_columns
from nando.rating.rater import DifficultyRater
from nando.rating.training import BASELINE, Training


def fit_model(training: Training, kind: str, *, n_jobs: int | None = None) -> DifficultyRater:
    """Fit the default model, and cross-validate it beside the baseline of its kind.

    Parameters
    ----------
    training : Training
    kind : str
        Kind of the puzzles.
    n_jobs : int or None

    Returns
    -------
    DifficultyRater
        Its `provenance_` names the data and has the scores of the cross-validation.
    """
    rater = DifficultyRater(default_columns(kind), unit=training.unit)
    rater.features = SolverFeatures(groups=groups_of(rater.columns), n_jobs=n_jobs, progress=True)
    rater.fit(training.puzzles, training.values, sample_weight=training.players)
    baseline = BASELINE[kind]
    checked = evaluate(
        training.puzzles,
        training.values,
        training.players,
        models={"model": rater, baseline: DifficultyRater([baseline])},
        features=SolverFeatures(groups=default_groups(kind), n_jobs=n_jobs),
        repeats=2,
        n_bootstrap=500,
        strata=training.strata,
        order=training.order,
    )
    players = training.players
    rater.provenance_ = {
        "name": training.name,
        "data": training.provenance,
        "puzzles": len(training.puzzles),
        "players": None if players is None else int(sum(players)),
        "fitted": datetime.date.today().isoformat(),
        "nando": __version__,
        "scores": {name: _rounded(scores) for name, scores in checked.scores.items()},
    }
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
        What the times are called in the tables; data without times are called by their unit.
    repeats, seed : int
        As in :func:`evaluate`.
    """
    models = {"nando": DifficultyRater(default_columns(kind), unit=training.unit)}
    for name, columns in baselines(kind).items():
        models[name] = DifficultyRater(columns, unit=training.unit)
    return evaluate(
        training.puzzles,
        training.values,
        training.players,
        target=target if training.unit == "seconds" else training.unit,
        models=models,
        features=SolverFeatures(default_groups(kind)),
        repeats=repeats,
        seed=seed,
        strata=training.strata,
        order=training.order,
    )
