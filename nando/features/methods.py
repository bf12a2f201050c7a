"""Feature groups of the papers' methods for Sudoku that do not imitate people.

They are slow and predict human times poorly; see the table in docs/performance.md.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nando import solvers
from nando.features.feature import each, from_profile, from_runs, listed
from nando.puzzles import Puzzle

BRUTE_FORCE_STEPS = 1_000_000
"""Budget of one brute-force run; the feature is the median, so few capped runs do no harm."""

ANNEALING_STEPS = 6_000_000
"""Budget of one annealing run, as in the pilot that measured its correlation."""


ITERATIONS = 300
"""Budget of one run of tabu and cuckoo search; a run that exhausts it counts as the budget."""

CONSTRUCTIONS = 1_000
"""Budget of one run of the multistart colouring, which rarely reaches the solution."""

HYBRID_STEPS = 1_000_000
"""Budget of one run of annealing after constraint programming."""

COLOURING_STEPS = 200_000
"""Budget of one run of the tabu colouring; the feature is the median."""

SWARM_STEPS = 500
"""Budget of one run of a swarm of 100."""


def _iterations(done: Any) -> Sequence[float]:
    return (float(np.log1p(np.mean([run.steps for run in done]))),)


def _swarm(done: Any) -> Sequence[float]:
    return (
        float(np.mean([run.trace["cost"][-1] for run in done])),
        float(np.log1p(np.mean([run.steps for run in done]))),
    )


@each
def _programming(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    return (solvers.ConstraintProgramming().profile(puzzle).fixed_share,)


@each
def _chaos(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    profile = solvers.ChaosFlow().profile(puzzle, runs=runs, rng=rng)
    if profile.log_time == 0.0:  # the grid is already full
        return 0.0, 0.0
    if np.isnan(profile.hardness):  # no run arrived: use the value of half an arrival
        return float(np.log10(2.0 * max(profile.time_after_transient, 0.5))), profile.log_time
    return profile.hardness, profile.log_time


_relaxation = from_profile(
    lambda: solvers.Relaxation(), "log1p extra_solutions", "fixed_blanks", "unique_share"
)
_brute_force = from_profile(lambda: solvers.BruteForce(), "log steps", steps=BRUTE_FORCE_STEPS)
_annealing = from_profile(
    lambda: solvers.Annealing.thesis(), "log1p steps", "solved_share", steps=ANNEALING_STEPS
)
_harmony = from_profile(lambda: solvers.HarmonySearch(), "best_cost")
_hybrid = from_profile(lambda: solvers.HybridAnnealing(), "log1p steps", steps=HYBRID_STEPS)
_multistart = from_profile(lambda: solvers.Multistart(), "least_left", steps=CONSTRUCTIONS)
_estimation = from_profile(lambda: solvers.DistributionEstimation(), "iterations", "solved_share")
_tabu = from_runs(lambda: solvers.TabuSearch(domain_filter="ac3"), ITERATIONS)(_iterations)
_cuckoo = from_runs(lambda: solvers.CuckooSearch(), ITERATIONS)(_iterations)
_colouring_tabu = from_profile(
    lambda: solvers.ColouringTabu(),
    "log1p iterations_median",
    "solved_share",
    steps=COLOURING_STEPS,
)
_belief = from_profile(
    lambda: solvers.BeliefPropagation(), "log1p entropy_sum", "log1p iterations", "solved_share"
)
_particle_swarm = from_runs(lambda: solvers.ParticleSwarm(), SWARM_STEPS)(_swarm)
_cultural_swarm = from_runs(lambda: solvers.CulturalSwarm(), SWARM_STEPS)(_swarm)

METHOD_GROUPS = (
    listed("relaxation", 4, _relaxation, 50),
    listed("brute_force", 5, _brute_force, 100),
    listed("annealing", 6, _annealing, 11),
    listed("harmony", 7, _harmony, 11),
    listed("constraint_programming", 13, _programming),
    listed("hybrid_annealing", 14, _hybrid, 5),
    listed("multistart", 15, _multistart, 5),
    listed("distribution_estimation", 16, _estimation, 10),
    listed("tabu", 17, _tabu, 3),
    listed("cuckoo", 18, _cuckoo, 3),
    listed("colouring_tabu", 30, _colouring_tabu, 11),
    listed("belief_propagation", 31, _belief),
    listed("particle_swarm", 32, _particle_swarm, 5),
    listed("cultural_swarm", 33, _cultural_swarm, 5),
    listed("chaos", 34, _chaos, 20),
)
"""Groups of the solvers of Krivanek 2011, then of the others; none of them is a default."""
