"""The ladder race against its definition, and its script of techniques."""

from dataclasses import astuple

import numpy as np
import pytest
from helpers.oracles.singles import BOX, LAST, LINE, Grid
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.sudokus import EASY, ESCARGOT
from helpers.samples.sudokus import STUCK as PAIRS

from nando.solvers import LadderRace, Rule, singles, singles_suffice
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic import SUKAKU_EXPLAINER
from nando.solvers.logic.house_walk import HouseWalker
from nando.solvers.logic.kernel_numbers import HIDDEN_SINGLE, NAKED_SINGLE
from nando.solvers.people import ladder_race as module
from nando.solvers.people import ladder_race as script_module
from nando.solvers.people.ladder_race import FORCED, N_CLASSES, N_STEPS, RATINGS, follow, script_of

HARD = [PAIRS, ESCARGOT]
RACE = LadderRace()
RATES = np.array(RACE.rates).reshape(4, 3)


class Noted(Grid):
    """A grid with crossed-out candidates."""

    def __init__(self, values):
        super().__init__(values)
        self.gone = [set() for _ in values]

    def candidates(self, cell):
        return super().candidates(cell) - self.gone[cell]


def rate_of(grid, cell, ways, last):
    seen = {way for way, _ in ways}
    way = (
        next(i for i, known in enumerate((LAST, BOX, LINE)) if known in seen)
        if (seen & {LAST, BOX, LINE})
        else 3
    )
    if last is None:
        return RATES[way, 0]
    if ways[0][1] == grid.values[last]:
        return RATES[way, 1]
    near = any(cell in house and last in house for house in grid.houses)
    return RATES[way, 2 if near else 0]


@pytest.mark.parametrize("puzzle", [EASY, *HARD])
def test_every_fill_takes_the_seconds_of_the_definition(puzzle):
    run = RACE.run(puzzle, rng=4)
    script = script_of(puzzle, unique_solution(puzzle))
    eliminations = script.eliminations.tolist()
    grid = Noted(puzzle.givens.tolist())
    last, impasse = None, 0
    for step in run.trace:
        cell = int(step["cell"])
        ways = grid.ways()
        assert step["options"] == len(ways)
        seconds, forced = RACE.entry_seconds, -1
        if not ways:
            n_steps, points, first, forced = script.impasses[impasse].tolist()
            seconds += RACE.stuck_seconds + RACE.step_seconds * n_steps
            seconds += RACE.rating_seconds * (points / 10 - n_steps)
            impasse += 1
            for gone, digit in eliminations[first : script.impasses[impasse, 2]]:
                assert unique_solution(puzzle)[gone] != digit + 1
                grid.gone[gone].add(digit + 1)
            ways = grid.ways()
        if forced >= 0:
            assert (cell, step["rule"]) == (forced, Rule.LOCAL_RULE)
        else:
            assert cell in ways
            seconds += 1 / sum(rate_of(grid, c, w, last) for c, w in ways.items())
        assert step["cost"] == pytest.approx(seconds)
        grid.values[cell] = int(step["value"])
        last = cell
    assert impasse == len(script.impasses) - 1
    assert puzzle.is_solution(np.array(grid.values, np.int8))


def test_a_script_has_the_steps_of_a_walk_that_takes_singles_first():
    def is_single(technique):
        return technique.kernel in (HIDDEN_SINGLE, NAKED_SINGLE)

    ladder = tuple(sorted(SUKAKU_EXPLAINER, key=lambda technique: not is_single(technique)))
    steps = HouseWalker(ladder, effort=0).steps(PAIRS)
    steps = [step for step in steps if not is_single(step.technique)]
    script = script_of(PAIRS, unique_solution(PAIRS))
    assert script.impasses[:, N_STEPS].sum() == len(steps) > 0
    assert script.impasses[:, RATINGS].sum() == round(10 * sum(step.rating for step in steps))
    assert len(script.eliminations) == sum(len(step.eliminations) for step in steps)


def test_the_script_of_a_puzzle_that_singles_solve_is_empty():
    assert singles_suffice(EASY)
    assert len(script_of(EASY, unique_solution(EASY)).impasses) == 1
    assert RACE.profile(EASY, runs=3, rng=0).thought == 0


def test_fills_that_no_technique_finds_come_from_the_solution(monkeypatch):
    """With a ladder of singles alone, every impasse is one step of the highest rating."""
    ladder = script_module.rungs(True)[:4]
    monkeypatch.setattr(script_module, "rungs", lambda _: ladder)
    impasses = script_of(ESCARGOT, unique_solution(ESCARGOT)).impasses[:-1]
    assert len(impasses) > 1
    assert (impasses[:, N_STEPS] == 1).all()
    assert (impasses[:, RATINGS] == 100).all()
    assert (impasses[:, FORCED] >= 0).all()


def test_following_a_run_sees_what_the_run_saw():
    solution = unique_solution(PAIRS)
    trace = RACE.run(PAIRS, rng=1).trace
    offered = follow(PAIRS, solution, trace["cell"].copy())
    had = trace["options"] > 0
    np.testing.assert_array_equal(offered.singles.sum(axis=1)[had], trace["options"][had])
    np.testing.assert_array_equal(offered.n_steps > 0, ~had)
    rates = offered.singles @ RACE.parameters[:N_CLASSES]
    np.testing.assert_allclose(trace["cost"][had], RACE.entry_seconds + 1 / rates[had])


PLAIN = (module, singles)
"""All of the race but the logic ladder, whose finders would be compiled one by one."""


@pytest.mark.parametrize("puzzle", HARD)
def test_following_compiled_and_plain_agree(puzzle):
    solution = unique_solution(puzzle)
    cells = np.random.default_rng(5).permutation(np.flatnonzero(puzzle.givens == 0))
    followed = compiled_and_plain(lambda: follow(puzzle, solution, cells.astype(np.int16)), *PLAIN)
    for one, other in zip(*map(astuple, followed), strict=True):
        np.testing.assert_array_equal(one, other)


def test_slower_eyes_and_harder_steps_take_longer():
    slow = LadderRace(rates=tuple(rate / 2 for rate in RACE.rates))
    assert slow.profile(EASY, rng=0).search > RACE.profile(EASY, rng=0).search
    stuck = LadderRace(rating_seconds=50.0).profile(ESCARGOT, runs=3, rng=0)
    assert stuck.thought > RACE.profile(ESCARGOT, runs=3, rng=0).thought
    assert (
        RACE.profile(ESCARGOT, runs=3, rng=0).thought > RACE.profile(PAIRS, runs=3, rng=0).thought
    )


def test_parameters_make_the_race_again():
    assert LadderRace.of_parameters(RACE.parameters) == RACE
