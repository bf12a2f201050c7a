"""The technique race against its definition."""

from functools import partial

import numpy as np
import pytest
from helpers.oracles.logic import Marks, closed, opened
from helpers.oracles.singles import Grid
from helpers.sampled import only
from helpers.samples.sudokus import EASY
from helpers.samples.sudokus import ESCARGOT as HARD
from helpers.samples.sudokus import STUCK as LOCKED_ONLY
from scipy.stats import chi2

from nando.generators import SudokuSource, generate
from nando.puzzles import Sudoku
from nando.solvers import Rule, TechniqueRace
from nando.solvers.exact.search import unique_solution
from nando.solvers.people import technique_race as module
from nando.solvers.people.closures import LOCKED, PAIRS, TRIPLETS, close, scratch_of

PAIRED = Sudoku("4.....938.32.941...953..24.37.6.9..4529..16736.47.3.9.957..83....39..4..24..3.7.9")
PUZZLES = [EASY, LOCKED_ONLY, HARD, PAIRED]
RATES = {"box": 1.0, "line": 0.6, "naked": 0.35, "last": 0.5}


def _marks(grid):
    return Marks(grid.candidates(cell) for cell in range(len(grid.values)))


def _masks(puzzle, grid):
    return np.array(
        [sum(1 << v - 1 for v in grid.candidates(c)) for c in range(puzzle.layout.n_cells)],
        np.int32,
    )


def _positions():
    """Yield positions on the way to solutions, filling each cell as it comes."""
    rng = np.random.default_rng(5)
    for puzzle in PUZZLES:
        solution = unique_solution(puzzle)
        blanks = rng.permutation(np.flatnonzero(puzzle.givens == 0))
        for n in (0, 5, 12, 25):
            values = puzzle.givens.copy()
            values[blanks[:n]] = solution[blanks[:n]]
            yield puzzle, Grid(values.tolist())


@pytest.mark.thorough
@pytest.mark.parametrize("level", [LOCKED, PAIRS, TRIPLETS])
def test_closures_are_those_of_the_definitions(level):
    n_eliminated = 0
    for puzzle, grid in _positions():
        masks = _masks(puzzle, grid)
        before = masks.copy()
        close(masks, puzzle.layout, level, scratch_of(9))
        wanted = [sum(1 << v - 1 for v in values) for values in closed(_marks(grid), level)]
        np.testing.assert_array_equal(masks, wanted)
        n_eliminated += int((masks != before).sum())
    assert n_eliminated > 50


@pytest.mark.thorough
def test_closures_of_larger_sudokus():
    (made,) = generate(SudokuSource(order=4), 1, seed=2)
    grid = Grid(made.puzzle.givens.tolist())
    masks = _masks(made.puzzle, grid)
    before = masks.copy()
    close(masks, made.puzzle.layout, PAIRS, scratch_of(16))
    assert (masks != before).any()
    for cell, left in enumerate(closed(_marks(grid), PAIRS)):
        assert masks[cell] == sum(1 << v - 1 for v in left)


@pytest.mark.parametrize("puzzle", only([EASY, LOCKED_ONLY, PAIRED], PUZZLES))
def test_every_step_is_that_of_the_definition(puzzle):
    run = TechniqueRace().run(puzzle, rng=4)
    profile = TechniqueRace().profile(puzzle, runs=1, rng=4)
    grid = Grid(puzzle.givens.tolist())
    sums = dict.fromkeys(("glance", "lines", "cells"), 0.0)
    fills, beyond_blanks = [0, 0, 0, 0], 0.0
    for step in run.trace:
        ways, cell = grid.ways(), int(step["cell"])
        blanks = grid.values.count(0)
        assert step["options"] == len(ways)
        if ways:
            assert cell in ways
            seen = {way for found in ways.values() for way, _ in found}
            total = sum(RATES[way] for found in ways.values() for way, _ in found)
            cost = (blanks / 27) ** 0.5 / total
            assert step["cost"] == pytest.approx(cost)
            best = "glance" if seen & {"box", "last"} else "lines" if "line" in seen else "cells"
            sums[best] += cost
        else:
            assert step["cost"] == 0
            open_cells = [opened(closed(_marks(grid), level)) for level in (1, 2, 3)]
            level = next((level for level in (1, 2, 3) if open_cells[level - 1]), 4)
            fills[level - 1] += 1
            if level < 4:
                assert step["rule"] == Rule.ELIMINATION
                assert cell in open_cells[level - 1]
            else:
                assert step["rule"] == Rule.GUESS
                beyond_blanks += blanks / 27
                fewest = min(len(grid.candidates(c)) for c in range(81) if not grid.values[c])
                assert len(grid.candidates(cell)) == fewest
        grid.values[cell] = int(step["value"])
    assert puzzle.is_solution(np.array(grid.values, np.int8))
    found = (profile.glance, profile.lines, profile.cells)
    assert found == pytest.approx(tuple(sums.values()))
    counts = (profile.locked, profile.pairs, profile.triplets, profile.beyond)
    assert counts == tuple(fills)
    assert profile.beyond_blanks == pytest.approx(beyond_blanks)


def test_each_level_is_met():
    profiles = [TechniqueRace().profile(puzzle, runs=8, rng=0) for puzzle in PUZZLES]
    for level in ("locked", "pairs", "beyond"):
        assert any(getattr(profile, level) > 0 for profile in profiles), level
    easy = profiles[0]
    assert (easy.locked, easy.pairs, easy.triplets, easy.beyond) == (0, 0, 0, 0)


def test_remembered_impasses_change_nothing(monkeypatch):
    """Runs that forget each impasse at once fill the same cells in the same time."""
    known = [TechniqueRace().profile(puzzle, runs=12, rng=1) for puzzle in PUZZLES]
    monkeypatch.setattr(module, "new_impasses", partial(module.new_impasses, capacity=1))
    for puzzle, profile in zip(PUZZLES, known, strict=True):
        again = TechniqueRace().profile(puzzle, runs=12, rng=1)
        for name, value in vars(profile).items():
            np.testing.assert_array_equal(getattr(again, name), value)


def test_singles_are_drawn_by_their_rates():
    """Over many runs, each cell comes first as often as its share of the rates."""
    grid = Grid(EASY.givens.tolist())
    rates = {cell: sum(RATES[way] for way, _ in found) for cell, found in grid.ways().items()}
    rng = np.random.default_rng(0)
    first = [int(TechniqueRace().run(EASY, rng=rng).trace["cell"][0]) for _ in range(1500)]
    counts = np.bincount(first, minlength=81)
    assert set(np.flatnonzero(counts)) == set(rates)
    total = sum(rates.values())
    expected = np.array([rates[cell] for cell in rates]) / total * 1500
    found = np.array([counts[cell] for cell in rates])
    # The 99.9 % quantile of the chi-square distribution.
    assert ((found - expected) ** 2 / expected).sum() < chi2.ppf(0.999, len(rates) - 1)
