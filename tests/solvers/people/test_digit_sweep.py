"""The digit sweep against its definition."""

import numpy as np
import pytest
from helpers.oracles.singles import BOX, LAST, LINE, NAKED, Grid
from helpers.samples.sudokus import EASY, SIXTEEN
from helpers.samples.sudokus import STUCK as HARD

from nando.puzzles import Sudoku
from nando.solvers import DigitSweep, Rule

NAKED_NEEDED = Sudoku(
    "3.......2...2.47.91.....5....8...1.5...14..2.5....7.3...567...8.37.2....6........"
)


def digit_order(seed):
    """Return the digits in the order of the first run."""
    rng = np.random.default_rng(seed)
    rng.random((2, 81))
    return [digit + 1 for digit in rng.random(9).argsort().tolist()]


def swept(puzzle, digits, lines_at_a_glance):
    """Return visits and finds of each level until the grid is full or nothing more is found."""
    grid = Grid(puzzle.givens.tolist())
    seen = [{BOX, LAST} | ({LINE} if lines_at_a_glance else set()), {BOX, LAST, LINE}]
    seen.append({BOX, LAST, LINE, NAKED})
    visits, finds, level, vain, at = [0] * 3, [0] * 3, 0, 0, 0
    while 0 in grid.values and level < 3:
        digit, at, vain = digits[at], (at + 1) % 9, vain + 1
        if grid.values.count(digit) < 9:
            visits[level] += 1
            found = False
            while cells := [
                cell
                for cell, ways in grid.ways().items()
                if any(value == digit and way in seen[level] for way, value in ways)
            ]:
                grid.values[cells[0]] = digit
                found = True
            if found:
                finds[level] += 1
                level = vain = 0
        if vain == 9:
            vain, level = 0, level + 1
    return visits, finds, 0 not in grid.values


@pytest.mark.parametrize("puzzle", [EASY, NAKED_NEEDED, HARD])
@pytest.mark.parametrize("line_chance", [0.0, 1.0])
def test_visits_are_those_of_the_definition(puzzle, line_chance):
    for seed in (1, 2):
        profile = DigitSweep(line_chance).profile(puzzle, runs=1, rng=seed)
        visits, finds, whole = swept(puzzle, digit_order(seed), line_chance == 1.0)
        assert whole == (profile.stuck_steps == 0)
        if whole:
            assert profile.visits.tolist() == visits
            assert profile.finds.tolist() == finds
        else:
            assert (profile.visits >= visits).all()


def test_a_trace_shows_the_visits():
    run = DigitSweep().run(HARD, rng=3)
    profile = DigitSweep().profile(HARD, runs=1, rng=3)
    assert HARD.is_solution(run.solution)
    trace = run.trace
    assert sorted(trace["cell"]) == np.flatnonzero(HARD.givens == 0).tolist()
    assert (trace["value"] == run.solution[trace["cell"]]).all()
    assert (trace["rule"] == Rule.GUESS).sum() == profile.stuck_steps > 0
    assert trace["options"].sum() <= profile.visits.sum()
    assert set(trace["cost"]) <= {0.0, 1.0, 2.0}
    assert profile.order[trace["cell"]].tolist() == trace["step"].tolist()


def test_a_sharper_eye_needs_fewer_visits_to_lines():
    blind, sharp = (
        DigitSweep(chance).profile(NAKED_NEEDED, runs=30, rng=0).visits for chance in (0.0, 1.0)
    )
    assert sharp[1] < blind[1]


def test_large_puzzles():

    puzzle = SIXTEEN
    run = DigitSweep().run(puzzle, rng=0)
    assert puzzle.is_solution(run.solution)


def test_every_second_run_takes_the_digits_from_the_end(monkeypatch):
    seen = []
    monkeypatch.setattr(DigitSweep, "play_all", lambda *arguments: seen.append(arguments[6][1]))
    DigitSweep().means_many([EASY, HARD], runs=5, rngs=[np.random.default_rng(1)] * 2)
    (digits,) = seen
    assert (np.sort(digits) == np.arange(9)).all()
    for one in digits:
        assert (one[1] == one[0][::-1]).all()
        assert (one[3] == one[2][::-1]).all()
        assert len({tuple(order) for order in one.tolist()}) == len(one)
