"""Solvers: methods that run on puzzles and leave a trace of their steps."""

import lazy_loader

from nando.moved import moved

_PLACES = {
    "FilteredDomains": "nando.solvers.constraints.alldifferent",
    "filter_domains": "nando.solvers.constraints.alldifferent",
    "BeliefProfile": "nando.solvers.constraints.belief_propagation",
    "BruteForceProfile": "nando.solvers.constraints.brute_force",
    "ChaosProfile": "nando.solvers.constraints.chaos",
    "colouring_edges": "nando.solvers.constraints.colouring",
    "colouring_graph": "nando.solvers.constraints.colouring",
    "dimacs_text": "nando.solvers.constraints.colouring",
    "values_of_colouring": "nando.solvers.constraints.colouring",
    "ConstraintProgrammingProfile": "nando.solvers.constraints.constraint_programming",
    "HybridProfile": "nando.solvers.constraints.constraint_programming",
    "RelaxationProfile": "nando.solvers.constraints.relaxation",
    "NURIKABE_LADDER": "nando.solvers.logic.nurikabe.techniques",
    "LogicProfile": "nando.solvers.logic.solver",
    "Scale": "nando.solvers.logic.technique",
    "LogicRatings": "nando.solvers.logic.walk",
    "DigitSweepProfile": "nando.solvers.people.digit_sweep",
    "LadderRaceProfile": "nando.solvers.people.ladder_race",
    "RefutationProfile": "nando.solvers.people.refutation",
    "SearchTimeProfile": "nando.solvers.people.search_time",
    "generator": "nando.solvers.protocol",
    "spawned": "nando.solvers.protocol",
    "SuccessProfile": "nando.solvers.repeated",
    "AnnealingProfile": "nando.solvers.search.annealing",
    "HarmonyProfile": "nando.solvers.search.harmony",
    "MultistartProfile": "nando.solvers.search.multistart",
    "DistributionEstimationProfile": "nando.solvers.search.reseda",
    "completed_boxes": "nando.solvers.search.reseda",
}
"""Old import paths: profiles and rarely used names are now in their modules."""

_find, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = moved(__name__, _PLACES, _find)
