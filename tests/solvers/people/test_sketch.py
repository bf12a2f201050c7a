"""Sketches: the numbers of the solvers themselves, in one call."""

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.sudokus import NINES

from nando.puzzles import PuzzleError, Sudoku
from nando.solvers import DigitSweep, ExactSearch, TechniqueRace
from nando.solvers.people import sketch
from nando.solvers.people.sketch import Sketcher


@pytest.mark.parametrize("runs", [1, 3])
def test_a_sketch_says_what_the_solvers_say(runs):
    givens = np.stack([puzzle.givens for puzzle in NINES[:6]])
    races, visits, guesses = Sketcher().play(givens, runs)
    for i, puzzle in enumerate(NINES[:6]):
        rng = np.random.default_rng(0)
        race = TechniqueRace().profile(puzzle, runs=runs, rng=rng)
        sweep = DigitSweep().profile(puzzle, runs=runs, rng=rng)
        assert races[i].tolist() == [
            race.glance,
            race.lines,
            race.cells,
            race.locked,
            race.pairs,
            race.triplets,
            race.beyond,
            race.beyond_blanks,
        ]
        assert visits[i].tolist() == sweep.visits.tolist()
        assert guesses[i] == ExactSearch().run(puzzle).steps


def test_a_sketch_depends_on_the_puzzle_alone():
    givens = np.stack([NINES[i % len(NINES)].givens for i in range(150)])
    together = Sketcher().play(givens, 2)
    for i in (0, 63, 64, 149):
        alone = Sketcher().play(givens[i : i + 1], 2)
        for one, other in zip(alone, together, strict=True):
            assert one[0].tolist() == other[i].tolist()


def test_a_sketch_without_compiling():
    givens = np.stack([puzzle.givens for puzzle in NINES[1:2]])
    compiled, plain = compiled_and_plain(lambda: Sketcher().play(givens, 1), sketch)
    for one, other in zip(compiled, plain, strict=True):
        assert one.tolist() == other.tolist()


def test_a_puzzle_of_several_solutions():
    givens = np.stack([NINES[0].givens] * 70 + [Sudoku("12" + "." * 79).givens])
    with pytest.raises(PuzzleError, match="several solutions"):
        Sketcher().play(givens, 1)
