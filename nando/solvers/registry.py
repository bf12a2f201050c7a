"""The table of all solvers: a new one needs its file, a line in the stub, and an entry here."""

from nando import solvers
from nando.solvers.protocol import Solver

SOLVERS: tuple[type[Solver], ...] = (
    solvers.ExactSearch,
    solvers.BruteForce,
    solvers.Refutation,
    solvers.SearchTime,
    solvers.DigitSweep,
    solvers.LadderRace,
    solvers.TechniqueRace,
    solvers.VariantRace,
    solvers.Annealing,
    solvers.HarmonySearch,
    solvers.Relaxation,
    solvers.LogicSolver,
    solvers.ConstraintProgramming,
    solvers.HybridAnnealing,
    solvers.Multistart,
    solvers.DistributionEstimation,
    solvers.TabuSearch,
    solvers.CuckooSearch,
    solvers.ColouringTabu,
    solvers.BeliefPropagation,
    solvers.ParticleSwarm,
    solvers.CulturalSwarm,
    solvers.ChaosFlow,
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
