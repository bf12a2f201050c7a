"""Feature groups of Sudoku that are not behind the rating.

Some imitate people: the papers' refutation, the search-time and the ladder race, the positions of
the givens, and the steps of the logic solver on the scale of Sukaku Explainer. The papers' other
methods are slow and predict human times poorly; see the table in docs/performance.md.
"""

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando import solvers
from nando.features.feature import Feature, each, from_profile, from_runs, listed
from nando.puzzles import Puzzle, Sudoku
from nando.solvers.logic.house_walk import SUKAKU_EXPLAINER

DEPENDENCY_STEPS = (5, 10, 15, 20, 25, 30, 35, 40)
"""Steps k of the published dependency table."""

EASE_FILLS = (5, 10, 20, 30, 40)
"""Fills k of the availability curve weighted by how easily each single is seen."""

BOTTLENECKS = (1, 2, 3)
"""A copy of :data:`nando.solvers.people.ladder_race.BOTTLENECKS`, which is slow to import."""

STEP_SECONDS_FORMAT = "nando step seconds 1"
_FILE = Path(__file__).with_name("step_seconds.json")

_sisus = cache(lambda: solvers.Refutation())
_search = cache(lambda: solvers.SearchTime())
_logic_solver = cache(lambda: solvers.LogicSolver(SUKAKU_EXPLAINER))

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


@each
def _refutation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    # If singles suffice, no run reaches an impasse, and all are 0.
    if isinstance(puzzle, Sudoku) and solvers.singles_suffice(puzzle):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    profile = _sisus().profile(puzzle, runs=runs, rng=rng)
    return (
        profile.refutation_sum,
        float(np.log1p(profile.refutation_sum)),
        profile.refutation_max,
        profile.stuck_steps,
        profile.unrefuted_steps,
    )


@each
def _dependency(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    profile = _sisus().profile(puzzle, runs=runs, rng=rng)
    return [profile.dependency(steps) for steps in DEPENDENCY_STEPS]


@each
def _search_time(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    race = _search()
    profile = race.profile(puzzle, runs=runs, rng=rng)
    if not profile.times.size:  # a full grid takes no time: use that of the least step
        return np.log(race.entry_time), np.log(race.entry_time), 0.0, *[0.0] * 4
    shares = (max(quarter, 1e-9) / profile.total for quarter in _quarters(profile.times))
    total, longest, *logs = np.log([profile.total, profile.longest, *shares]).tolist()
    return total, longest, profile.stuck_steps, *logs


def _quarters(times: NDArray[np.float64]) -> list[float]:
    """Sum the parts of ``np.array_split(times, 4)`` without calling it, as it is slow."""
    least, longer = divmod(times.size, 4)
    ends = [least * i + min(longer, i) for i in range(5)]
    return [float(np.add.reduce(times[i:j])) for i, j in pairwise(ends)]


def read_step_seconds(record: dict[str, Any]) -> "solvers.LadderRace":
    """Return the ladder race with fitted seconds from a record.

    Raises
    ------
    ValueError
        If the record is of another format.
    """
    if record.get("format") != STEP_SECONDS_FORMAT:
        written = record.get("format")
        raise ValueError(f"not fitted seconds: format {written!r}, wanted {STEP_SECONDS_FORMAT!r}")
    return solvers.LadderRace(tuple(record["rates"]), **record["seconds"])


@cache
def mechanistic_race() -> "solvers.LadderRace":
    """Return the ladder race with the shipped seconds, for ``mechanistic_seconds``."""
    return read_step_seconds(json.loads(_FILE.read_text(encoding="utf-8")))


@each
def _ladder_race(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    race = mechanistic_race()
    profile = race.profile(puzzle, runs=runs, rng=rng)
    if not profile.times.size:  # a full grid takes no time: use that of entering one digit
        least = float(np.log(race.entry_seconds))
        return (least, least, 0.0, least, *[0.0] * (len(BOTTLENECKS) + len(EASE_FILLS)))
    return (
        float(np.log(profile.total)),
        float(np.log(profile.search)),
        float(np.log1p(profile.thought)),
        float(np.log(profile.longest)),
        *profile.bottlenecks.tolist(),
        *(_mean(profile.log_rates[:fills]) for fills in EASE_FILLS),
    )


def _mean(values: NDArray[np.float64]) -> float:
    """Return ``values.mean()`` in a fifth of the time."""
    return float(np.add.reduce(values) / values.size)


@each
def _spread(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Sudoku)
    n, size = puzzle.order, puzzle.size
    grid = puzzle.givens.reshape(size, size).astype(np.int64)
    boxes = grid.reshape(n, n, n, n).transpose(0, 2, 1, 3).reshape(size, size)
    houses = [grid, grid.T, boxes]
    counts = [(house > 0).sum(axis=1) for house in houses]
    digits = np.arange(1, size + 1)
    in_row, in_column, in_box = ((house[:, :, None] == digits).any(axis=1) for house in houses)
    line = np.arange(size)
    of_cell = line[:, None] // n * n + line[None, :] // n
    seen = in_row[:, None, :] | in_column[None, :, :] | in_box[of_cell]
    candidates = (~seen).sum(axis=2)[grid == 0]
    return (
        *(float(count.std()) for count in counts),
        float(min(count.min() for count in counts)),
        float(candidates.mean()) if candidates.size else 0.0,
    )


@each
def _logic(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    assert isinstance(puzzle, Sudoku)
    steps = list(_logic_solver().steps(puzzle))
    filled = sum(step.placement is not None for step in steps)
    hardest = max((step.rating for step in steps), default=0.0)
    uses = Counter(step.technique.name for step in steps)
    return (
        hardest,
        round(sum(step.rating for step in steps), 1),
        float(len(steps)),
        float(filled < int((puzzle.givens == 0).sum())),
        float(sum(step.rating == hardest for step in steps)),
        *(float(uses[technique.name]) for technique in SUKAKU_EXPLAINER),
    )


def _uses(technique: str) -> str:
    """Return the name of the feature that counts the uses of a technique."""
    return f"uses_{technique.lower().replace(' ', '_').replace('-', '_')}"


_SERATE = "nando, solvers.LogicSolver, on the scale of Sukaku Explainer"

FURTHER_GROUPS = (
    listed("refutation", 1, _refutation, 30),
    listed("dependency", 8, _dependency, 30),
    listed("search_time", 2, _search_time, 30),
    listed("ladder_race", 11, _ladder_race, 10),  # more runs cost time and move no score
    listed("spread", 12, _spread),
    listed(
        "logic",
        9,
        _logic,
        more=(
            Feature(
                _uses(technique.name),
                f"number of its steps by {technique.name}, rated from {technique.rating:.1f}",
                "steps",
                "harder" if technique.rating > 1.5 else "either",
                _SERATE,
            )
            for technique in SUKAKU_EXPLAINER
        ),
    ),
)
"""Groups of Sudoku; see :data:`nando.features.GROUPS`."""


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
_tabu = from_runs(lambda: solvers.TabuSearch(domain_filter="ac3"), ITERATIONS, _iterations)
_cuckoo = from_runs(lambda: solvers.CuckooSearch(), ITERATIONS, _iterations)
_colouring_tabu = from_profile(
    lambda: solvers.ColouringTabu(),
    "log1p iterations_median",
    "solved_share",
    steps=COLOURING_STEPS,
)
_belief = from_profile(
    lambda: solvers.BeliefPropagation(), "log1p entropy_sum", "log1p iterations", "solved_share"
)
_particle_swarm = from_runs(lambda: solvers.ParticleSwarm(), SWARM_STEPS, _swarm)
_cultural_swarm = from_runs(lambda: solvers.CulturalSwarm(), SWARM_STEPS, _swarm)

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
