"""Rating: regressions that turn the features of a puzzle into human seconds."""

import lazy_loader

from nando.moved import moved

_PLACES = {
    "GROUPS": "nando.features",
    "Feature": "nando.features",
    "FeatureGroup": "nando.features",
    "SolverFeatures": "nando.features",
    "default_groups": "nando.features",
    "feature_names": "nando.features",
    "groups_of": "nando.features",
    "kinds_of": "nando.features",
    "ADVERSARIES": "nando.games",
    "PROGRAMS": "nando.games",
    "Adversary": "nando.games",
    "Auditor": "nando.games",
    "FillOrder": "nando.games",
    "FillOrderModel": "nando.games",
    "Game": "nando.games",
    "GameAudit": "nando.games",
    "GameLog": "nando.games",
    "ListOrder": "nando.games",
    "Program": "nando.games",
    "audit_html": "nando.games",
    "baseline_orders": "nando.games",
    "load_auditor": "nando.games",
    "load_fill_order": "nando.games",
    "order_grid": "nando.games",
    "read_games": "nando.games",
    "COMPARED": "nando.evaluation",
    "AuditEvaluation": "nando.evaluation",
    "Comparison": "nando.evaluation",
    "Detection": "nando.evaluation",
    "Evaluation": "nando.evaluation",
    "OrderEvaluation": "nando.evaluation",
    "compare": "nando.evaluation",
    "evaluate": "nando.evaluation",
    "evaluate_audit": "nando.evaluation",
    "evaluate_order": "nando.evaluation",
    "published_page": "nando.evaluation",
}
"""What stood here before features, games and evaluation had packages of their own."""

_find, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = moved(__name__, _PLACES, _find)
