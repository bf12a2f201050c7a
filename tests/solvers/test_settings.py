"""Settings of solvers that make no sense are refused, with the value and what was wanted."""

import dataclasses
import math
import re
import typing

import pytest

from nando.puzzles import Sudoku
from nando.solvers import (
    SOLVERS,
    Annealing,
    ChaosFlow,
    ConstraintProgramming,
    ExactSearch,
    HybridAnnealing,
    LadderRace,
    ParticleSwarm,
    Relaxation,
    TabuSearch,
    count_solutions,
)
from nando.solvers.search.reseda import DistributionEstimation as Reseda

PUZZLE = Sudoku("." * 81)
NUMBERS = (-1, -0.1, 0, 1, 1.5, 2, math.inf)


FREE = {"unrefuted_score"}
"""Settings that may be any number."""


def refusals(solver, name, values):
    """Return the messages about the values of a setting that are refused."""
    messages = []
    for value in values:
        try:
            dataclasses.replace(solver(), **{name: value})
        except ValueError as error:
            messages.append(str(error))
        except TypeError:
            assert value % 1, "a whole number was wanted"
    return messages


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_every_setting_has_a_range_or_names(solver):
    for name, hint in typing.get_type_hints(solver).items():
        kinds = {typing.get_origin(one) or one for one in typing.get_args(hint) or (hint,)}
        if name in FREE or typing.get_origin(hint) in (tuple, typing.ClassVar):
            continue
        if typing.get_origin(hint) is typing.Literal or typing.Literal in kinds:
            found = refusals(solver, name, ["none such"])
        elif kinds & {int, float}:
            found = refusals(solver, name, NUMBERS)
        else:
            continue  # a flag, or a part that is a solver
        assert any(re.match(rf"{name} must be ", said) for said in found), f"any {name} is taken"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ChaosFlow(horizon=9, transient=9), "at least 0 and below the horizon, got 9"),
        (lambda: ConstraintProgramming(("boxes",)), r"some of 'row', 'column', 'box', got 'boxes'"),
        (lambda: ConstraintProgramming("row"), "must be a tuple of house kinds, got 'row'"),
        (lambda: Annealing(cooling=1), "cooling must be between 0 and 1, got 1"),
        (
            lambda: Annealing(start_temperature=1.0, lowest_temperature=1.0),
            "start_temperature must be above lowest_temperature",
        ),
        (
            lambda: Annealing(cool_on_accepted=True),
            "cool_on_accepted needs sweep=1 and patience=None",
        ),
        (lambda: ParticleSwarm(inertia=0, memory=0, sociality=0), "got 0 for all"),
        (lambda: TabuSearch(domain_filter="hall"), r"domain_filter must be .* got 'hall'"),
        (lambda: Reseda(kept=101), r"kept must be at most samples \(100\), got 101"),
        (lambda: Reseda(kept=30), "must be a multiple of kept for a tournament, got 100 and 30"),
        (lambda: LadderRace(rates=(1.0, 2.0)), "rates must be 12 numbers above 0"),
        (lambda: Relaxation(900).run(PUZZLE), "must be at most 810 at order 3, got 900"),
        (lambda: HybridAnnealing().profile(PUZZLE, runs=0), "runs must be at least 1, got 0"),
        (lambda: TabuSearch().profile(PUZZLE, successes=0), "successes must be at least 1, got 0"),
        (lambda: count_solutions(PUZZLE, 0), "limit must be at least 1, got 0"),
        (lambda: ExactSearch(max_solutions=0), "max_solutions must be at least 1, got 0"),
    ],
)
def test_settings_are_checked(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()
