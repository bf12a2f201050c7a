"""The contract of imitations of people, and of sketches: runs, means, and plain Python."""

import pickle

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.nurikabe_boards import GUESSED
from helpers.samples.sudokus import EASY, ESCARGOT, EXAMPLES, NINES, STUCK
from helpers.samples.variant_samples import KILLER, MIXED

from nando import solvers
from nando.puzzles import Nurikabe, PuzzleError, Sudoku, Variant
from nando.solvers import DigitSweep, ExactSearch, TechniqueRace, singles
from nando.solvers.people import (
    closures,
    digit_sweep,
    imitation,
    ladder_race,
    refutation,
    search_time,
    sketch,
    technique_race,
    variant_race,
    variant_rounds,
)
from nando.solvers.people.sketch import Sketcher


def longest_stretch(flags):
    longest = length = 0
    for flag in flags:
        length = length + 1 if flag else 0
        longest = max(longest, length)
    return longest


SUMS = {"total": lambda t: t["cost"].sum(), "longest": lambda t: t["cost"].max()}
REFUTED = {
    "refutation_sum": SUMS["total"],
    "refutation_max": SUMS["longest"],
    "stuck_steps": lambda t: (t["rule"] == solvers.Rule.REFUTATION).sum(),
    "possibilities": lambda t: t["options"],
}
MEANS = [
    (solvers.Refutation(), STUCK, REFUTED),
    (solvers.Refutation(), GUESSED, REFUTED),
    (
        solvers.SearchTime(),
        STUCK,
        SUMS | {"stuck_steps": lambda t: (t["options"] == 0).sum(), "times": lambda t: t["cost"]},
    ),
    (
        solvers.LadderRace(),
        STUCK,
        SUMS
        | {
            "times": lambda t: t["cost"],
            "bottlenecks": lambda t: [longest_stretch(t["options"] <= most) for most in (1, 2, 3)],
        },
    ),
]


@pytest.mark.parametrize(("solver", "puzzle", "means"), MEANS)
def test_a_profile_is_the_mean_of_its_runs(solver, puzzle, means):
    rng = np.random.default_rng(2)
    traces = [solver.run(puzzle, rng=rng).trace for _ in range(6)]
    profile = solver.profile(puzzle, runs=6, rng=2)
    for name, of_run in means.items():
        expected = np.mean([of_run(trace) for trace in traces], axis=0)
        np.testing.assert_allclose(getattr(profile, name), expected)
    assert isinstance(solver, solvers.LadderRace) or profile.stuck_steps > 0
    order = np.zeros(puzzle.givens.size)
    for trace in traces:
        order[trace["cell"]] += trace["step"] / 6
    np.testing.assert_allclose(profile.order, order)


PLAYED = [
    (solvers.Refutation(), EASY, (refutation,)),
    (solvers.Refutation(), STUCK, (refutation,)),
    (solvers.Refutation(), GUESSED, (refutation,)),
    (solvers.SearchTime(), STUCK, (search_time,)),
    (solvers.LadderRace(), STUCK, (ladder_race,)),
    (solvers.TechniqueRace(), ESCARGOT, (technique_race, closures)),
    (solvers.DigitSweep(), STUCK, (digit_sweep,)),
    (solvers.VariantRace(), KILLER, (variant_race, variant_rounds, variant_rounds)),
    (solvers.VariantRace(), MIXED, (variant_race, variant_rounds, variant_rounds)),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("solver", "puzzle", "modules"), PLAYED)
def test_compiled_and_plain_agree(solver, puzzle, modules):
    if isinstance(puzzle, Sudoku):
        modules += imitation, singles
    compiled, plain = compiled_and_plain(lambda: solver.run(puzzle, rng=9).trace, *modules)
    for field in compiled.dtype.names:
        np.testing.assert_allclose(plain[field], compiled[field], rtol=1e-12)


@pytest.mark.parametrize(
    "solver", [solvers.TechniqueRace(), solvers.DigitSweep(), solvers.VariantRace()]
)
def test_means_of_many_are_those_of_profiles(solver):
    """Results of a batch are those of single calls, in order and for any sizes."""
    small = [puzzle for puzzle in EXAMPLES if puzzle.order == 3][:3]
    large = next(puzzle for puzzle in EXAMPLES if puzzle.order == 4)
    puzzles = [small[0], large, small[1], small[2]]
    if isinstance(solver, solvers.VariantRace):
        puzzles = [KILLER, Variant.of(EASY.givens), MIXED]
    rngs = [np.random.default_rng(i) for i in range(len(puzzles))]
    many = solver.means_many(puzzles, runs=5, rngs=rngs)
    for i, (puzzle, row) in enumerate(zip(puzzles, many, strict=True)):
        *numbers, _ = vars(solver.profile(puzzle, runs=5, rng=i)).values()
        np.testing.assert_array_equal(row, np.hstack(numbers))
    assert solver.means_many([], rngs=[]).shape == (0, solver.n_numbers)
    with pytest.raises(ValueError, match="runs must be at least 1, got 0"):
        solver.means_many(puzzles, runs=0, rngs=rngs)


@pytest.mark.parametrize(
    "solver", [solver for solver, puzzle, _ in PLAYED if puzzle not in (MIXED, GUESSED)]
)
def test_seeds_limits_and_bad_input(solver):
    puzzle, several, other = EASY, Sudoku("." * 81), MIXED
    if isinstance(solver, solvers.VariantRace):
        puzzle, several, other = MIXED, Variant("4x4+diagonals"), EASY
    first, again, third = (solver.run(puzzle, rng=seed).trace for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != third).any()
    run = solver.run(puzzle, limit=solvers.Limit(steps=5), rng=0)
    assert (run.outcome, len(run.trace), run.solution) == (solvers.Outcome.STEP_LIMIT, 5, None)
    with pytest.raises(PuzzleError, match="several solutions"):
        solver.run(several)
    for unsupported in (other, Nurikabe("2..../...3./...../.2.../....2")):
        if not isinstance(solver, solvers.Refutation) or unsupported == other:
            with pytest.raises(solvers.UnsupportedError, match=f"{solver.name} cannot run on"):
                solver.profile(unsupported)
    assert pickle.loads(pickle.dumps(solver)) == solver


# Sketches: the numbers of the solvers in one call


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
