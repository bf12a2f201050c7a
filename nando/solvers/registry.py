"""All solvers. A new one is a file in its folder and one entry in `SOLVERS`."""

from nando.solvers.constraints.belief_propagation import BeliefPropagation
from nando.solvers.constraints.brute_force import BruteForce
from nando.solvers.constraints.chaos import ChaosFlow
from nando.solvers.constraints.constraint_programming import ConstraintProgramming, HybridAnnealing
from nando.solvers.constraints.relaxation import Relaxation
from nando.solvers.exact.search import ExactSearch
from nando.solvers.logic.solver import LogicSolver
from nando.solvers.people.digit_sweep import DigitSweep
from nando.solvers.people.ladder_race import LadderRace
from nando.solvers.people.refutation import Refutation
from nando.solvers.people.search_time import SearchTime
from nando.solvers.people.technique_race import TechniqueRace
from nando.solvers.people.variant_race import VariantRace
from nando.solvers.protocol import Solver
from nando.solvers.search.annealing import Annealing
from nando.solvers.search.colouring_tabu import ColouringTabu
from nando.solvers.search.cuckoo import CuckooSearch
from nando.solvers.search.cultural_swarm import CulturalSwarm
from nando.solvers.search.harmony import HarmonySearch
from nando.solvers.search.multistart import Multistart
from nando.solvers.search.particle_swarm import ParticleSwarm
from nando.solvers.search.reseda import DistributionEstimation
from nando.solvers.search.tabu import TabuSearch

SOLVERS: tuple[type[Solver], ...] = (
    ExactSearch,
    BruteForce,
    Refutation,
    SearchTime,
    DigitSweep,
    LadderRace,
    TechniqueRace,
    VariantRace,
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
"""Every solver, in the order in which commands list them."""


def find_solver(name: str) -> type[Solver]:
    """Return the solver class of a name.

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
