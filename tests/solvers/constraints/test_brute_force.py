"""The thesis's brute force, against itself in plain words."""

import random

import numpy as np
import pytest
from helpers.samples.sudokus import EASY

from nando.puzzles import Sudoku
from nando.solvers import BruteForce, Limit, Outcome, solve
from nando.solvers.constraints import brute_force as module

pytestmark = pytest.mark.thorough

HARD = Sudoku("...6..4..7....36......91.8...........5.18...3...3.6.45.4.2...6.9.3.......2....1..")
MIDDLING = Sudoku(
    "........818...23...6..57..1.7.96.....9.7.4.1.....81.4.6..24..8...45...935........"
)


def naive_steps(puzzle, chance):
    """Count the steps of one run by recursion over the growing list."""
    values = puzzle.givens.tolist()
    peers = puzzle.layout.peers.tolist()
    cells = []
    steps = 0

    def allowed(cell):
        return set(range(1, 10)) - {values[peer] for peer in peers[cell]}

    def deeper(depth):
        nonlocal steps
        if 0 not in values:
            return True
        if depth == len(cells):
            empty = [cell for cell in range(81) if not values[cell]]
            fewest = min(len(allowed(cell)) for cell in empty)
            cells.append(chance.choice([c for c in empty if len(allowed(c)) == fewest]))
        cell = cells[depth]
        for value in range(1, 10):
            steps += 1
            if value in allowed(cell):
                values[cell] = value
                if deeper(depth + 1):
                    return True
                values[cell] = 0
        return False

    assert deeper(0)
    return steps


def test_steps_have_the_distribution_of_the_definition():
    chance = random.Random(0)
    naive = np.log([naive_steps(MIDDLING, chance) for _ in range(150)])
    ours = np.log([BruteForce().run(MIDDLING, rng=seed).steps for seed in range(400)])
    error = np.sqrt(naive.var(ddof=1) / len(naive) + ours.var(ddof=1) / len(ours))
    assert abs(naive.mean() - ours.mean()) < 4 * error


def test_finds_the_solution_and_lists_each_cell_once():
    for puzzle in (EASY, HARD):
        run = BruteForce().run(puzzle, rng=1)
        assert run.outcome is Outcome.SOLVED
        assert (run.solution == solve(puzzle)).all()
        assert sorted(run.trace["cell"]) == np.flatnonzero(puzzle.givens == 0).tolist()
        assert (run.trace["value"] == run.solution[run.trace["cell"]]).all()


def test_profile_takes_medians_and_mean_places():
    rng = np.random.default_rng(7)
    runs = [BruteForce().run(EASY, rng=rng) for _ in range(5)]
    profile = BruteForce().profile(EASY, runs=5, rng=7)
    assert profile.steps == np.median([run.steps for run in runs])
    assert profile.solved_share == 1
    assert profile.order[runs[0].trace["cell"][0]] >= 1
    assert profile.order[EASY.givens > 0].sum() == 0


def test_pauses_change_nothing():
    whole = BruteForce().run(HARD, rng=4)
    values = HARD.givens.copy()
    trace = np.zeros_like(whole.trace)
    progress = np.zeros(3, np.int64)
    rng = np.random.default_rng(4)
    while progress[2] < len(trace):
        pause = int(progress[0]) + 100
        module._suggest(values, HARD.layout, pause, 1 << 62, rng, trace, progress)
    assert progress[0] == whole.steps
    assert (values == whole.solution).all()


def test_cells_never_listed_come_last():
    profile = BruteForce().profile(HARD, runs=1, rng=0, limit=Limit(steps=1))
    blanks = HARD.givens == 0
    n = blanks.sum()
    assert sorted(profile.order[blanks]) == [1] + [(n + 2) / 2] * (n - 1)
