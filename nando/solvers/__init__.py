"""Solvers: methods that run on puzzles and leave a trace of their steps."""

from nando.solvers._base import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    Solver,
    SolveRun,
    UnsupportedError,
    generator,
    spawned,
)
from nando.solvers._repeated import SuccessProfile
from nando.solvers._singles import singles_suffice
from nando.solvers.alldifferent import FilteredDomains, filter_domains
from nando.solvers.annealing import Annealing, AnnealingProfile
from nando.solvers.belief_propagation import BeliefProfile, BeliefPropagation
from nando.solvers.brute_force import BruteForce, BruteForceProfile
from nando.solvers.chaos import ChaosFlow, ChaosProfile
from nando.solvers.colouring import (
    colouring_edges,
    colouring_graph,
    dimacs_text,
    values_of_colouring,
)
from nando.solvers.colouring_tabu import ColouringTabu
from nando.solvers.constraint_programming import (
    ConstraintProgramming,
    ConstraintProgrammingProfile,
    HybridAnnealing,
    HybridProfile,
)
from nando.solvers.cuckoo import CuckooSearch
from nando.solvers.cultural_swarm import CulturalSwarm
from nando.solvers.digit_sweep import DigitSweep, DigitSweepProfile
from nando.solvers.exact import (
    ExactSearch,
    count_many,
    count_solutions,
    solve,
    status,
    unique_solution,
)
from nando.solvers.harmony import HarmonyProfile, HarmonySearch
from nando.solvers.ladder_race import LadderRace, LadderRaceProfile
from nando.solvers.logic import (
    LogicProfile,
    LogicRatings,
    LogicSolver,
    LogicStep,
    PencilMarks,
    Position,
    Scale,
    Step,
)
from nando.solvers.logic_nurikabe import NURIKABE_LADDER, NurikabeStep, Shading
from nando.solvers.multistart import Multistart, MultistartProfile
from nando.solvers.particle_swarm import ParticleSwarm
from nando.solvers.refutation import Refutation, RefutationProfile
from nando.solvers.relaxation import Relaxation, RelaxationProfile
from nando.solvers.reseda import (
    DistributionEstimation,
    DistributionEstimationProfile,
    completed_boxes,
)
from nando.solvers.search_time import SearchTime, SearchTimeProfile
from nando.solvers.tabu import TabuSearch

SOLVERS: tuple[type[Solver], ...] = (
    ExactSearch,
    BruteForce,
    Refutation,
    SearchTime,
    DigitSweep,
    LadderRace,
    Annealing,
    HarmonySearch,
    Relaxation,
    LogicSolver,
    ConstraintProgramming,
    HybridAnnealing,
    Multistart,
    DistributionEstimation,
    TabuSearch,
    CuckooSearch,
    ColouringTabu,
    BeliefPropagation,
    ParticleSwarm,
    CulturalSwarm,
    ChaosFlow,
)
"""Every solver. A new one is one file and one name here."""

__all__ = [
    "NURIKABE_LADDER",
    "SOLVERS",
    "STEP",
    "Annealing",
    "AnnealingProfile",
    "BeliefProfile",
    "BeliefPropagation",
    "BruteForce",
    "BruteForceProfile",
    "ChaosFlow",
    "ChaosProfile",
    "ColouringTabu",
    "ConstraintProgramming",
    "ConstraintProgrammingProfile",
    "CuckooSearch",
    "CulturalSwarm",
    "DigitSweep",
    "DigitSweepProfile",
    "DistributionEstimation",
    "DistributionEstimationProfile",
    "ExactSearch",
    "FilteredDomains",
    "HarmonyProfile",
    "HarmonySearch",
    "HybridAnnealing",
    "HybridProfile",
    "LadderRace",
    "LadderRaceProfile",
    "Limit",
    "LogicProfile",
    "LogicRatings",
    "LogicSolver",
    "LogicStep",
    "Multistart",
    "MultistartProfile",
    "NurikabeStep",
    "Outcome",
    "ParticleSwarm",
    "PencilMarks",
    "Position",
    "Refutation",
    "RefutationProfile",
    "Relaxation",
    "RelaxationProfile",
    "Rule",
    "Scale",
    "SearchTime",
    "SearchTimeProfile",
    "Seed",
    "Shading",
    "SolveRun",
    "Solver",
    "Step",
    "SuccessProfile",
    "TabuSearch",
    "UnsupportedError",
    "colouring_edges",
    "colouring_graph",
    "completed_boxes",
    "count_many",
    "count_solutions",
    "dimacs_text",
    "filter_domains",
    "find_solver",
    "generator",
    "singles_suffice",
    "solve",
    "spawned",
    "status",
    "unique_solution",
    "values_of_colouring",
]


def find_solver(name: str) -> type[Solver]:
    """The solver class of a name.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.
    """
    for solver in SOLVERS:
        if solver.name == name:
            return solver
    known = ", ".join(solver.name for solver in SOLVERS)
    raise ValueError(f"unknown solver {name!r}; known: {known}")
