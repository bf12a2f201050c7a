"""Settings of solvers that make no sense are refused, with the value and what was wanted."""

import dataclasses
import math

import pytest

from nando.puzzles import Sudoku
from nando.solvers import (
    Annealing,
    BeliefPropagation,
    ChaosFlow,
    ColouringTabu,
    ConstraintProgramming,
    CuckooSearch,
    CulturalSwarm,
    DigitSweep,
    ExactSearch,
    HarmonySearch,
    HybridAnnealing,
    LadderRace,
    Multistart,
    ParticleSwarm,
    Refutation,
    Relaxation,
    SearchTime,
    TabuSearch,
    TechniqueRace,
    VariantRace,
    count_solutions,
)
from nando.solvers.search.reseda import DistributionEstimation as Reseda

PUZZLE = Sudoku("." * 81)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BeliefPropagation(damping=1.0), "damping must be at least 0 and below 1, got 1"),
        (
            lambda: BeliefPropagation(schedule="flood"),
            "schedule must be one of parallel, random, got 'flood'",
        ),
        (lambda: BeliefPropagation(iterations=0), "iterations must be at least 1, got 0"),
        (lambda: BeliefPropagation(tolerance=-1), "tolerance must be at least 0, got -1"),
        (lambda: ChaosFlow(tolerance=0), "tolerance must be above 0, got 0"),
        (lambda: ChaosFlow(horizon=9, transient=9), "at least 0 and below the horizon, got 9"),
        (lambda: ChaosFlow(steps=0), "steps must be at least 1, got 0"),
        (lambda: ConstraintProgramming(("boxes",)), r"some of 'row', 'column', 'box', got 'boxes'"),
        (lambda: ConstraintProgramming("row"), "must be a tuple of house kinds, got 'row'"),
        (lambda: HybridAnnealing().profile(PUZZLE, runs=0), "runs must be at least 1, got 0"),
        (lambda: SearchTime(box_rate=0), r"box_rate must be above 0, got 0"),
        (lambda: SearchTime(stuck_time=-1), r"stuck_time must be at least 0, got -1"),
        (lambda: Annealing(cooling=1), "cooling must be between 0 and 1, got 1"),
        (lambda: Annealing(pick="row"), "pick must be one of cell, box, got 'row'"),
        (lambda: Annealing(patience=0), "patience must be at least 1, got 0"),
        (lambda: Annealing(start_temperature=0), "start_temperature must be above 0, got 0"),
        (
            lambda: Annealing(start_temperature=1.0, lowest_temperature=1.0),
            "start_temperature must be above lowest_temperature",
        ),
        (lambda: Annealing(lowest_temperature=-1), "lowest_temperature must be at least 0, got -1"),
        (
            lambda: Annealing(cool_on_accepted=True),
            "cool_on_accepted needs sweep=1 and patience=None",
        ),
        (lambda: ColouringTabu(tabu="row"), "tabu must be one of colour, cell, got 'row'"),
        (lambda: ColouringTabu(otherwise="none"), "otherwise must be one of best, any, got 'none'"),
        (lambda: ColouringTabu(neighbours=0), "neighbours must be at least 1, got 0"),
        (lambda: CuckooSearch(nests=1), "nests must be at least 2, got 1"),
        (lambda: CuckooSearch(iterations=0), "iterations must be at least 1, got 0"),
        (lambda: CuckooSearch(best_share=2), r"best_share must be 0 to 1, got 2"),
        (lambda: CuckooSearch(levy_exponent=0), "levy_exponent must be above 0, got 0"),
        (lambda: CuckooSearch().profile(PUZZLE, runs=0), "runs must be at least 1, got 0"),
        (lambda: HarmonySearch(memory_size=0), "memory_size must be at least 1, got 0"),
        (lambda: HarmonySearch(considering_rate=1.5), r"considering_rate must be 0 to 1, got 1.5"),
        (lambda: HarmonySearch(fitness="x"), "fitness must be one of missing, sum, got 'x'"),
        (lambda: Multistart(traversal="x"), "traversal must be one of breadth, depth, got 'x'"),
        (lambda: Multistart(list_size=0), "list_size must be at least 1, got 0"),
        (
            lambda: dataclasses.replace(Multistart(), origin="last"),
            r"origin must be one of .*, most coloured, got 'last'",
        ),
        (lambda: ParticleSwarm(particles=1), "particles must be at least 2, got 1"),
        (lambda: ParticleSwarm(memory=-1), "memory must be at least 0, got -1"),
        (lambda: ParticleSwarm(inertia=0, memory=0, sociality=0), "got 0 for all"),
        (lambda: ParticleSwarm(reach=0), "reach must be at least 1, got 0"),
        (lambda: ParticleSwarm(mutation=1), "mutation must be at least 0 and below 1, got 1"),
        (lambda: CulturalSwarm(members=1), "members must be at least 2, got 1"),
        (lambda: CulturalSwarm(fading=2), "fading must be 0 to 1, got 2"),
        (lambda: CulturalSwarm(going_on=1), "going_on must be at least 0 and below 1, got 1"),
        (lambda: TabuSearch(domain_filter="hall"), r"domain_filter must be .* got 'hall'"),
        (lambda: TabuSearch(tabu_tenure=-1), "tabu_tenure must be at least 0, got -1"),
        (
            lambda: TabuSearch(candidate_list_length=0),
            "candidate_list_length must be at least 1, got 0",
        ),
        (lambda: TabuSearch(iterations=0), "iterations must be at least 1, got 0"),
        (lambda: TabuSearch().profile(PUZZLE, runs=0), "runs must be at least 1, got 0"),
        (lambda: TabuSearch().profile(PUZZLE, successes=0), "successes must be at least 1, got 0"),
        (lambda: Reseda(alpha=1.0), "alpha must be at least 0 and below 1, got 1"),
        (lambda: Reseda(kept=0), "kept must be at least 1, got 0"),
        (lambda: Reseda(kept=101), r"kept must be at most samples \(100\), got 101"),
        (lambda: Reseda(kept=30), "must be a multiple of kept for a tournament, got 100 and 30"),
        (lambda: Reseda(selection="x"), "selection must be one of tournament, truncation, got 'x'"),
        (lambda: Reseda(zones="27"), "zones must be one of .* houses, got '27'"),
        (lambda: Reseda(full_restarts=-1), "full_restarts must be at least 0, got -1"),
        (lambda: Relaxation(900).run(PUZZLE), "must be at most 810 at order 3, got 900"),
        (lambda: Relaxation(cap=1), "cap must be at least 2, got 1"),
        (lambda: Refutation().profile(PUZZLE, runs=0), "runs must be at least 1, got 0"),
        (lambda: DigitSweep(-0.1), "line_chance must be 0 to 1, got -0.1"),
        (lambda: DigitSweep(1.5), "line_chance must be 0 to 1, got 1.5"),
        (lambda: TechniqueRace(box_rate=0), "must be above 0"),
        (lambda: TechniqueRace(typical_blanks=-1), "must be above 0"),
        (lambda: TechniqueRace(naked_rate=math.inf), "must be above 0"),
        (lambda: VariantRace(house_rate=0.0), "house_rate must be above 0"),
        (lambda: LadderRace(rates=(1.0, 2.0)), "rates must be 12 numbers above 0"),
        (lambda: LadderRace(stuck_seconds=-1), "stuck_seconds must be at least 0, got -1"),
        (lambda: count_solutions(PUZZLE, 0), "limit must be at least 1, got 0"),
        (lambda: ExactSearch(max_solutions=0), "max_solutions must be at least 1, got 0"),
    ],
)
def test_settings_are_checked(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()
