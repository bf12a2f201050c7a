"""Rating: features of solver runs, and regressions that turn them into human seconds."""

from nando.rating._feature import Feature, FeatureGroup
from nando.rating.evaluate import Evaluation, evaluate, published_page
from nando.rating.features import SolverFeatures
from nando.rating.groups import GROUPS, default_groups, feature_names, groups_of, kinds_of
from nando.rating.population import GRADES
from nando.rating.rater import BASELINES, DifficultyRater, default_columns, load_model
from nando.rating.scorer import Scorer, runs_for

__all__ = [
    "BASELINES",
    "GRADES",
    "GROUPS",
    "DifficultyRater",
    "Evaluation",
    "Feature",
    "FeatureGroup",
    "Scorer",
    "SolverFeatures",
    "default_columns",
    "default_groups",
    "evaluate",
    "feature_names",
    "groups_of",
    "kinds_of",
    "load_model",
    "published_page",
    "runs_for",
]
