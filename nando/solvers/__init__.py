"""Solvers: methods that run on puzzles and leave a trace of their steps."""

from nando.solvers._base import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    Solver,
    SolveRun,
    generator,
    spawned,
)
from nando.solvers._singles import singles_suffice
from nando.solvers.annealing import Annealing, AnnealingProfile
from nando.solvers.brute_force import BruteForce, BruteForceProfile
from nando.solvers.exact import (
    ExactSearch,
    count_many,
    count_solutions,
    solve,
    status,
    unique_solution,
)
from nando.solvers.harmony import HarmonyProfile, HarmonySearch
from nando.solvers.refutation import Refutation, RefutationProfile
from nando.solvers.relaxation import Relaxation, RelaxationProfile
from nando.solvers.search_time import SearchTime, SearchTimeProfile

SOLVERS: tuple[type[Solver], ...] = (
    ExactSearch,
    BruteForce,
    Refutation,
    SearchTime,
    Annealing,
    HarmonySearch,
    Relaxation,
)
"""Every solver. A new one is one file and one name here."""

__all__ = [
    "SOLVERS",
    "STEP",
    "Annealing",
    "AnnealingProfile",
    "BruteForce",
    "BruteForceProfile",
    "ExactSearch",
    "HarmonyProfile",
    "HarmonySearch",
    "Limit",
    "Outcome",
    "Refutation",
    "RefutationProfile",
    "Relaxation",
    "RelaxationProfile",
    "Rule",
    "SearchTime",
    "SearchTimeProfile",
    "Seed",
    "SolveRun",
    "Solver",
    "count_many",
    "count_solutions",
    "find_solver",
    "generator",
    "singles_suffice",
    "solve",
    "spawned",
    "status",
    "unique_solution",
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
