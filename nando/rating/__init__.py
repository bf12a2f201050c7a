"""Rating: features of solver runs, and regressions that turn them into human seconds."""

from nando.rating._feature import Feature, FeatureGroup
from nando.rating.adversaries import ADVERSARIES, Adversary
from nando.rating.audit import Auditor, GameAudit, combined_p_value, load_auditor
from nando.rating.audit_evaluation import AuditEvaluation, Detection, evaluate_audit
from nando.rating.bank import Bank, RatingCache
from nando.rating.columns import BASELINES, baselines, default_columns
from nando.rating.comparison import COMPARED, Comparison, compare
from nando.rating.evaluate import Evaluation, evaluate, published_page
from nando.rating.features import SolverFeatures
from nando.rating.fill_order import FillOrderModel, load_fill_order
from nando.rating.games import Game, GameLog, read_games
from nando.rating.groups import GROUPS, default_groups, feature_names, groups_of, kinds_of
from nando.rating.loading import load_model
from nando.rating.order_drawing import audit_html, order_grid
from nando.rating.order_evaluation import OrderEvaluation, evaluate_order
from nando.rating.orders import PROGRAMS, FillOrder, ListOrder, Program, baseline_orders
from nando.rating.population import GRADES
from nando.rating.rater import DifficultyRater
from nando.rating.scorer import Scorer, runs_for

__all__ = [
    "ADVERSARIES",
    "BASELINES",
    "COMPARED",
    "GRADES",
    "GROUPS",
    "PROGRAMS",
    "Adversary",
    "AuditEvaluation",
    "Auditor",
    "Bank",
    "Comparison",
    "Detection",
    "DifficultyRater",
    "Evaluation",
    "Feature",
    "FeatureGroup",
    "FillOrder",
    "FillOrderModel",
    "Game",
    "GameAudit",
    "GameLog",
    "ListOrder",
    "OrderEvaluation",
    "Program",
    "RatingCache",
    "Scorer",
    "SolverFeatures",
    "audit_html",
    "baseline_orders",
    "baselines",
    "combined_p_value",
    "compare",
    "default_columns",
    "default_groups",
    "evaluate",
    "evaluate_audit",
    "evaluate_order",
    "feature_names",
    "groups_of",
    "kinds_of",
    "load_auditor",
    "load_fill_order",
    "load_model",
    "order_grid",
    "published_page",
    "read_games",
    "runs_for",
]
