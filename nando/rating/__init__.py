"""Rating: features of solver runs, and regressions that turn them into human seconds."""

from nando.rating.evaluate import Evaluation, evaluate, published_page
from nando.rating.features import SolverFeatures
from nando.rating.groups import GROUPS, Feature, FeatureGroup, feature_names, groups_of
from nando.rating.population import GRADES
from nando.rating.rater import BASELINES, DifficultyRater, load_model
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
    "evaluate",
    "feature_names",
    "groups_of",
    "load_model",
    "published_page",
    "runs_for",
]
