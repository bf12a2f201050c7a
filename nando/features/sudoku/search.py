"""Features of the methods that search for a solution and may fail: how long they take."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nando.features.feature import Feature, FeatureGroup
from nando.puzzles import Puzzle

if TYPE_CHECKING:
    from nando.solvers import CulturalSwarm, ParticleSwarm

COLOURING_STEPS = 200_000
"""Budget of one run of the tabu colouring; the feature is the median."""

SWARM_STEPS = 500
"""Budget of one run of a swarm of 100."""

_THESIS = "Krivanek 2011, described only"


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
    FeatureGroup(
        "colouring_tabu",
        30,
        (
            Feature(
                "colouring_tabu_iterations",
                "logarithm of 1 + the median number of iterations of a tabu search for a "
                "colouring of the Sudoku graph",
                "log iterations",
                "harder",
                f"Hertz and de Werra 1987; {_THESIS}",
            ),
            Feature(
                "colouring_tabu_solved",
                "share of these searches that end solved within the budget",
                "share",
                "easier",
                "nando",
            ),
        ),
        _colouring_tabu,
        11,
    ),
    FeatureGroup(
        "belief_propagation",
        31,
        (
            Feature(
                "belief_entropy_sum",
                "logarithm of 1 + the entropy of the cells' beliefs added up over the iterations "
                "of loopy belief propagation",
                "log bits",
                "harder",
                f"Moon and Gunther 2006; {_THESIS}",
            ),
            Feature(
                "belief_iterations",
                "logarithm of 1 + the number of these iterations",
                "log iterations",
                "harder",
                f"Moon and Gunther 2006; {_THESIS}",
            ),
            Feature(
                "belief_solved",
                "1 where the likeliest values became the solution, else 0",
                "0 or 1",
                "easier",
                "nando",
            ),
        ),
        _belief,
    ),
    FeatureGroup(
        "particle_swarm",
        32,
        (
            Feature(
                "particle_swarm_cost",
                "mean over runs of the least cost of a geometric particle swarm in "
                f"{SWARM_STEPS} iterations",
                "missing symbols",
                "harder",
                f"Moraglio and Togelius 2007; {_THESIS}",
            ),
            Feature(
                "particle_swarm_iterations",
                "logarithm of 1 + the mean number of these iterations, fewer where one solves it",
                "log iterations",
                "harder",
                f"Moraglio and Togelius 2007; {_THESIS}",
            ),
        ),
        _particle_swarm,
        5,
    ),
    FeatureGroup(
        "cultural_swarm",
        33,
        (
            Feature(
                "cultural_swarm_cost",
                f"mean over runs of the least cost of a cultural swarm in {SWARM_STEPS} iterations",
                "missing symbols",
                "harder",
                f"Mantere and Koljonen 2008; {_THESIS}",
            ),
            Feature(
                "cultural_swarm_iterations",
                "logarithm of 1 + the mean number of these iterations, fewer where one solves it",
                "log iterations",
                "harder",
                f"Mantere and Koljonen 2008; {_THESIS}",
            ),
        ),
        _cultural_swarm,
        5,
    ),
    FeatureGroup(
        "chaos",
        34,
        (
            Feature(
                "chaos_hardness",
                "-log10 of the rate at which the chaos-based continuous-time solver arrives, eta; "
                "where none of its flows does, the least that this can be",
                "log10 time",
                "harder",
                "Ercsey-Ravasz and Toroczkai 2012",
            ),
            Feature(
                "chaos_log_time",
                "logarithm of 1 + the mean time of these flows, cut at 200",
                "log time",
                "harder",
                "nando, solvers.ChaosFlow",
            ),
        ),
        _chaos,
        20,
    ),
)
"""Groups of :mod:`nando.features.groups` for Sudoku alone; none of them is a default."""
