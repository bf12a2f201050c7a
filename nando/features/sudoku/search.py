"""Features of the methods that search for a solution and may fail: how long they take."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nando.features.feature import listed
from nando.puzzles import Puzzle

if TYPE_CHECKING:
    from nando.solvers import CulturalSwarm, ParticleSwarm

COLOURING_STEPS = 200_000
"""Budget of one run of the tabu colouring; the feature is the median."""

SWARM_STEPS = 500
"""Budget of one run of a swarm of 100."""


def _colouring_tabu(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import ColouringTabu, Limit

    limit = Limit(steps=COLOURING_STEPS)
    profile = ColouringTabu().profile(puzzle, runs=runs, rng=rng, limit=limit)
    return float(np.log1p(profile.iterations_median)), profile.solved_share


def _belief(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import BeliefPropagation

    profile = BeliefPropagation().profile(puzzle, runs=runs, rng=rng)
    return (
        float(np.log1p(profile.entropy_sum)),
        float(np.log1p(profile.iterations)),
        profile.solved_share,
    )


def _swarm(
    solver: "ParticleSwarm | CulturalSwarm", puzzle: Puzzle, runs: int, rng: np.random.Generator
) -> Sequence[float]:
    from nando.solvers import Limit

    limit = Limit(steps=SWARM_STEPS)
    done = [solver.run(puzzle, limit=limit, rng=rng) for _ in range(runs)]
    return (
        float(np.mean([run.trace["cost"][-1] for run in done])),
        float(np.log1p(np.mean([run.steps for run in done]))),
    )


def _particle_swarm(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import ParticleSwarm

    return _swarm(ParticleSwarm(), puzzle, runs, rng)


def _cultural_swarm(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import CulturalSwarm

    return _swarm(CulturalSwarm(), puzzle, runs, rng)


def _chaos(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import ChaosFlow

    profile = ChaosFlow().profile(puzzle, runs=runs, rng=rng)
    if profile.log_time == 0.0:  # the grid is already full
        return 0.0, 0.0
    if np.isnan(profile.hardness):  # no run arrived: use the value of half an arrival
        return float(np.log10(2.0 * max(profile.time_after_transient, 0.5))), profile.log_time
    return profile.hardness, profile.log_time


SEARCH_GROUPS = (
    listed("colouring_tabu", 30, _colouring_tabu, 11),
    listed("belief_propagation", 31, _belief),
    listed("particle_swarm", 32, _particle_swarm, 5),
    listed("cultural_swarm", 33, _cultural_swarm, 5),
    listed("chaos", 34, _chaos, 20),
)
"""Groups of :mod:`nando.features.groups` for Sudoku alone; none of them is a default."""
