"""Sketches: the numbers of the solvers themselves, in one call."""

import numpy as np
import pytest

from nando.datasets import load_examples
from nando.puzzles import PuzzleError, Sudoku
from nando.solvers import DigitSweep, ExactSearch, TechniqueRace
from nando.solvers.people import sketch
from nando.solvers.people.sketch import Sketcher

PUZZLES = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]


@pytest.mark.parametrize("runs", [1, 3])
def test_a_sketch_says_what_the_solvers_say(runs):
    sketcher = Sketcher()
    for puzzle in PUZZLES[:6]:
        rng, again = np.random.default_rng(5), np.random.default_rng(5)
        sketcher.play(puzzle.givens, runs, rng)
        race = TechniqueRace().profile(puzzle, runs=runs, rng=again)
        sweep = DigitSweep().profile(puzzle, runs=runs, rng=again)
        assert (sketcher.race / runs).tolist() == [
            race.glance,
            race.lines,
            race.cells,
            race.locked,
            race.pairs,
            race.triplets,
            race.beyond,
            race.beyond_blanks,
        ]
        assert (sketcher.visits / runs).tolist() == sweep.visits.tolist()
        assert sketcher.guesses == ExactSearch().run(puzzle).steps
        assert rng.random() == again.random()


def test_a_sketch_without_compiling(monkeypatch):
    compiled, plain = Sketcher(), Sketcher()
    compiled.play(PUZZLES[1].givens, 2, np.random.default_rng(1))
    monkeypatch.setattr(sketch, "_play", sketch._play.py_func)
    plain.play(PUZZLES[1].givens, 2, np.random.default_rng(1))
    assert plain.race.tolist() == compiled.race.tolist()
    assert plain.visits.tolist() == compiled.visits.tolist()
    assert plain.guesses == compiled.guesses


def test_a_puzzle_of_several_solutions():
    with pytest.raises(PuzzleError, match="several solutions"):
        Sketcher().play(Sudoku("12" + "." * 79).givens, 1, np.random.default_rng(0))
