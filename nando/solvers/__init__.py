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
from nando.solvers.exact import (
    ExactSearch,
    count_many,
    count_solutions,
    solve,
    status,
    unique_solution,
)
from nando.solvers.refutation import Refutation, RefutationProfile
from nando.solvers.search_time import SearchTime, SearchTimeProfile

__all__ = [
    "STEP",
    "ExactSearch",
    "Limit",
    "Outcome",
    "Refutation",
    "RefutationProfile",
    "Rule",
    "SearchTime",
    "SearchTimeProfile",
    "Seed",
    "SolveRun",
    "Solver",
    "count_many",
    "count_solutions",
    "generator",
    "solve",
    "spawned",
    "status",
    "unique_solution",
]
