"""What the searches of the papers promise alike: solutions, proofs, seeds, limits, and traces.

Every method has its own tests of what sets it apart; `test_tabu` and others.
"""

import itertools
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES, blanked
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.nurikabe_boards import GUESSED

from nando.puzzles import Sudoku
from nando.solvers import (
    Annealing,
    BeliefPropagation,
    BruteForce,
    ChaosFlow,
    ColouringTabu,
    ConstraintProgramming,
    CuckooSearch,
    CulturalSwarm,
    HarmonySearch,
    HybridAnnealing,
    Limit,
    Multistart,
    Outcome,
    ParticleSwarm,
    Rule,
    TabuSearch,
    solve,
)
from nando.solvers.constraints import (
    belief_propagation,
    brute_force,
    chaos,
    constraint_programming,
    nurikabe_islands,
)
from nando.solvers.search import (
    annealing,
    colouring_tabu,
    cuckoo,
    distribution,
    domain_filters,
    harmony,
    multistart,
    swarms,
    tabu,
)
from nando.solvers.search.reseda import DistributionEstimation

pytestmark = pytest.mark.thorough

FILTERS = ("none", "ac3", "alldifferent", "gac")
TABU = [TabuSearch(*chosen) for chosen in itertools.product(FILTERS, (0, 3))]


class Promise(NamedTuple):
    """A method, and the puzzles that show what it promises."""

    method: Any
    easy: tuple[str, ...]
    """Solved within the usual limits."""
    medium: tuple[str, int]
    """A puzzle and a seed that take several steps."""
    large: tuple[float, float]
    """Shares of cells that are kept in solvable grids of orders 4 and 5."""
    late: tuple[Any, str, int]
    """A method, a puzzle, and the steps until it first looks at the clock."""
    rule: Rule | None = Rule.SWAP
    falls: str | None = "cost"
    """The column of the trace that falls to 0, or None where every step has a row."""

    @property
    def sees_cells(self):
        """True if the method sees a cell without candidates before its first step."""
        return self.rule in (Rule.MESSAGES, Rule.FLOW)


METHODS = {
    "colouring": Promise(
        ColouringTabu(),
        ("s01a", "s02a", "s06a", "s10a"),
        ("s03a", 1),
        (0.55, 0.6),
        (ColouringTabu(), "s12c", colouring_tabu._CHUNK),
    ),
    "cuckoo": Promise(
        CuckooSearch(),
        ("s01a", "s02a", "s10a", "s14b"),
        ("s03a", 1),
        (0.55, 0.57),
        (CuckooSearch(nests=2), "s12a", cuckoo._CHUNK),
    ),
    "tabu": Promise(
        TabuSearch(domain_filter="ac3"),
        ("s01a", "s04c", "s09b", "s12a", "s16"),
        ("s16", 3),
        (0.45, 0.55),
        (TabuSearch(domain_filter="none"), "s16", tabu._CHUNK),
        rule=None,
        falls=None,
    ),
    "particles": Promise(
        ParticleSwarm(),
        ("s01a", "s06c", "s13a", "s13c"),
        ("s01a", 1),
        (0.75, 0.8),
        (ParticleSwarm(), "s09b", 50),
    ),
    "cultural": Promise(
        CulturalSwarm(),
        ("s01a", "s06c", "s13a", "s13c"),
        ("s01a", 1),
        (0.75, 0.8),
        (CulturalSwarm(), "s09b", 50),
    ),
    "beliefs": Promise(
        BeliefPropagation(schedule="random"),
        ("s01a", "s02a", "s04b", "s10a"),
        ("s03a", 1),
        (0.7, 0.7),
        (BeliefPropagation(), "s02a", 1),
        rule=Rule.MESSAGES,
        falls=None,
    ),
    "parallel beliefs": Promise(
        BeliefPropagation(),
        ("s01a", "s02a", "s04b", "s10a"),
        ("s02a", 1),
        (0.7, 0.7),
        (BeliefPropagation(), "s02a", 1),
        rule=Rule.MESSAGES,
        falls=None,
    ),
    "chaos": Promise(
        ChaosFlow(),
        ("s01a", "s02a", "s06a", "s13a"),
        ("s02a", 1),
        (0.7, 0.75),
        (ChaosFlow(tolerance=1e-4), "s09b", chaos._CHUNK),
        rule=Rule.FLOW,
        falls="options",
    ),
}

every_method = pytest.mark.parametrize("promise", METHODS.values(), ids=METHODS)


@every_method
def test_easy_puzzles_are_solved(promise):
    for name in promise.easy:
        run = promise.method.run(PUZZLES[name], rng=1)
        assert (run.outcome, run.n_solutions) == (Outcome.SOLVED, 1)
        assert run.solution.tolist() == solve(PUZZLES[name]).tolist()


@pytest.mark.parametrize("order", [4, 5])
@every_method
def test_larger_orders_are_solved(promise, order):
    puzzle, _ = blanked(order, promise.large[order - 4], 1)
    run = promise.method.run(puzzle, rng=0)
    assert run.outcome is Outcome.SOLVED
    assert run.steps > 0
    assert puzzle.is_solution(run.solution)


@every_method
def test_clashing_givens_and_full_grids_take_no_step(promise):
    impossible = Sudoku("12345678." + "." * 8 + "9" + "." * 63)
    for puzzle in (Sudoku("11" + "." * 79), *[impossible] * promise.sees_cells):
        run = promise.method.run(puzzle, rng=0)
        assert (run.outcome, run.steps, run.solution) == (Outcome.EXHAUSTED, 0, None)
    solution = solve(PUZZLES["s01a"])
    run = promise.method.run(Sudoku.from_values(solution), rng=0)
    assert (run.outcome, run.steps) == (Outcome.SOLVED, 0)
    assert run.solution.tolist() == solution.tolist()


@every_method
def test_seeds_limits_and_traces(promise):
    method, (name, seed) = promise.method, promise.medium
    puzzle = PUZZLES[name]
    run = method.run(puzzle, rng=seed)
    assert run.steps > 1
    assert (method.run(puzzle, rng=seed).trace == run.trace).all()
    other = method.run(puzzle, rng=seed + 1).trace
    assert (method == BeliefPropagation()) == (other.tolist() == run.trace.tolist())
    if promise.rule is not None:
        assert set(run.trace["rule"]) == {promise.rule}
    if promise.falls:
        assert run.trace["step"][[0, -1]].tolist() == [0, run.steps]
        assert run.trace[promise.falls][-1] == 0
        assert (np.diff(run.trace[promise.falls]) < 0).all()
    else:
        assert run.trace["step"].tolist() == list(range(1, run.steps + 1))
    short = method.run(puzzle, limit=Limit(steps=run.steps - 1), rng=seed)
    assert (short.outcome, short.steps, short.solution) == (
        Outcome.STEP_LIMIT,
        run.steps - 1,
        None,
    )
    assert (short.trace[: len(run.trace) - 1] == run.trace[:-1]).all()
    # A flow that is cut short adds where it stands.
    assert len(short.trace) == len(run.trace) - (promise.rule is not Rule.FLOW)
    exact = method.run(puzzle, limit=Limit(steps=run.steps), rng=seed)
    assert exact.outcome is Outcome.SOLVED
    longest = "steps" if isinstance(method, ChaosFlow) else "iterations"
    stuck = replace(method, **{longest: run.steps - 1}).run(puzzle, rng=seed)
    assert (stuck.outcome, stuck.steps, stuck.solution) == (Outcome.STUCK, run.steps - 1, None)
    method, name, steps = promise.late
    late = method.run(PUZZLES[name], limit=Limit(seconds=1e-9), rng=seed)
    assert (late.outcome, late.steps) == (Outcome.TIME_LIMIT, steps)


class Rough(NamedTuple):
    """A method whose steps are runs, moves or values, where a proof is not its aim."""

    method: Any
    """It does not solve AI Escargot within its limits."""
    full: int = 0
    """Steps that it takes on a full grid."""
    clash: Outcome = Outcome.STUCK
    """How a grid of clashing givens ends."""
    large: float | None = None
    """Share of cells that is kept in solvable grids of orders 4 and 5."""


ROUGH = {
    "annealing": Rough(Annealing.lewis(), clash=Outcome.STEP_LIMIT),
    "thesis": Rough(Annealing.thesis(), clash=Outcome.STEP_LIMIT),
    "accepted": Rough(Annealing.thesis(cool_on_accepted=True), clash=Outcome.STEP_LIMIT),
    "hybrid": Rough(HybridAnnealing(), clash=Outcome.STEP_LIMIT),
    "harmony": Rough(HarmonySearch(improvisations=10**6), 0, Outcome.STEP_LIMIT),
    "multistart": Rough(Multistart(list_size=25, constructions=10**7), 1, Outcome.STEP_LIMIT, 0.9),
    "estimation": Rough(
        DistributionEstimation(zones="houses", full_restarts=10**6), 100, Outcome.STEP_LIMIT, 0.85
    ),
    "brute force": Rough(BruteForce(), clash=Outcome.EXHAUSTED),
}


@pytest.mark.parametrize("rough", ROUGH.values(), ids=ROUGH)
def test_rough_methods_keep_to_seeds_and_limits(rough):
    method, hard = rough.method, PUZZLES["s16"]
    first, same, other = (method.run(hard, limit=Limit(steps=3_000), rng=n) for n in (1, 1, 2))
    assert first.trace.tolist() == same.trace.tolist() != other.trace.tolist()
    for steps in (1, 250):
        run = method.run(hard, limit=Limit(steps=steps), rng=0)
        assert (run.outcome, run.steps, run.solution) == (Outcome.STEP_LIMIT, steps, None)
    late = method.run(Sudoku("." * 625), limit=Limit(seconds=1e-6), rng=0)
    assert late.outcome is Outcome.TIME_LIMIT


@pytest.mark.parametrize("rough", ROUGH.values(), ids=ROUGH)
def test_rough_methods_on_full_clashing_and_larger_grids(rough):
    full = Sudoku.from_values(solve(PUZZLES["s01a"]))
    run = rough.method.run(full, rng=0)
    assert (run.outcome, run.steps) == (Outcome.SOLVED, rough.full)
    clash = rough.method.run(Sudoku("11" + "." * 79), limit=Limit(steps=5_000), rng=0)
    assert (clash.outcome, clash.solution) == (rough.clash, None)
    for order in (4, 5):
        puzzle = blanked(order, rough.large, 0)[0] if rough.large else Sudoku("." * order**4)
        run = rough.method.run(puzzle, limit=Limit(steps=20_000), rng=0)
        assert run.outcome is Outcome.SOLVED or not rough.large
        assert run.steps == 20_000 or puzzle.is_solution(run.solution)


THESIS = Annealing.thesis_nurikabe()
HARMONIES = [HarmonySearch(5), HarmonySearch(5, fitness="sum")]
ANNEALED = [Annealing.lewis(), Annealing.thesis(), Annealing.thesis(cool_on_accepted=True)]
ESTIMATED = [
    DistributionEstimation(
        samples=6, kept=2, ties="random", zones="boxes", longest=3, permutations=permutations
    )
    for permutations in (True, False)
]


@pytest.mark.parametrize(
    ("methods", "puzzle", "steps", "modules"),
    [
        ([ColouringTabu()], "s12c", 300, [colouring_tabu]),
        ([CuckooSearch(nests=4)], "s12c", 8, [domain_filters, swarms, cuckoo]),
        (TABU, "s12c", 6, [domain_filters, tabu]),
        ([ParticleSwarm(particles=4)], "s09b", 40, [swarms, swarms]),
        ([CulturalSwarm(members=4, patience=5)], "s09b", 40, [swarms, swarms]),
        ([METHODS["parallel beliefs"].method], "s01a", 3, [belief_propagation]),
        ([METHODS["beliefs"].method], "s01a", 3, [belief_propagation]),
        ([ChaosFlow()], "s01a", 12, [chaos]),
        ([Multistart("breadth", 5, "random"), Multistart("depth", 5)], "s09b", 40, [multistart]),
        (ESTIMATED, "s16", 200, [distribution]),
        (ANNEALED, "s16", 300, [annealing]),
        ([THESIS], GUESSED, 60, [annealing]),
        (HARMONIES, "s01a", 60, [harmony]),
        (HARMONIES[:1], GUESSED, 30, [harmony]),
        ([BruteForce()], "s01a", 10**6, [brute_force]),
        ([BruteForce()], GUESSED, 40, [nurikabe_islands]),
        ([ConstraintProgramming()], "s09b", 81, [constraint_programming]),
    ],
)
def test_compiled_and_plain_agree(methods, puzzle, steps, modules):
    def runs():
        limit = Limit(steps=steps)
        return [method.run(PUZZLES.get(puzzle, puzzle), limit=limit, rng=1) for method in methods]

    compiled_runs, plain_runs = compiled_and_plain(runs, *modules)
    assert any(len(run.trace) > 1 for run in plain_runs) or methods == [ChaosFlow()]
    for compiled, plain in zip(compiled_runs, plain_runs, strict=True):
        assert compiled.outcome is plain.outcome
        for column in ("step", "cell", "value", "options", "rule"):
            assert plain.trace[column].tolist() == compiled.trace[column].tolist()
        np.testing.assert_allclose(plain.trace["cost"], compiled.trace["cost"], rtol=1e-9)
