"""The ladder on variants: no step is wrong on any board, and rules have names in every language."""

import numpy as np
import pytest
from helpers.naive_variants import latin_squares
from helpers.variant_samples import TEXTS

from nando.puzzles import Variant
from nando.puzzles.rules.registry import RULES
from nando.solvers import count_solutions, solve
from nando.solvers.logic.language import LANGUAGES, words_for
from nando.solvers.logic.technique import standard_ladder
from nando.solvers.logic.variants.every import every_step
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.walk import VariantWalker
from nando.solvers.logic.words import describe, hint, record

SMALL = [text for text in TEXTS if text.startswith("4x4")]
LADDER = standard_ladder("variant")


def check(step, solutions):
    """Assert that all solutions agree with a step."""
    for grid in solutions:
        if step.placement is not None:
            cell, digit = step.placement
            assert grid[cell] == digit, step
        for cell, digit in step.eliminations:
            assert grid[cell] != digit, step


def walk(puzzle, solutions):
    """Take all steps, check and tell each; return the marks at the end."""
    marks = VariantMarks.of(puzzle)
    for step in VariantWalker(LADDER, 1000).steps(puzzle):
        check(step, solutions)
        assert step.placement is not None or step.eliminations
        for cell, digit in step.eliminations:
            assert marks.candidates[cell, digit - 1]
        told = {describe(step, marks, language=language) for language in LANGUAGES}
        assert all(sentence[-1] == "." and "None" not in sentence for sentence in told)
        assert hint(step, marks, 1)
        assert hint(step, marks, 2) == hint(step, marks, 2).strip()
        assert record(step, marks)["technique"] == step.technique.name
        marks = marks.after(step)
    return marks


def joined(texts):
    """Return the variant with the rules of all texts that it can have."""
    rules = {part for text in texts for part in text.split("+")[1:]}
    return Variant("+".join(["4x4", *sorted(rules)]))


@pytest.mark.parametrize("text", SMALL)
def test_no_step_is_wrong_with_any_number_of_solutions(text):
    rng = np.random.default_rng(SMALL.index(text))
    grids = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]
    n_walked = 0
    for n_more in (0, 1, 2):
        others = [SMALL[i] for i in rng.choice(len(SMALL), n_more, replace=False)]
        try:
            puzzle = joined([text, *others])
        except ValueError:
            continue
        known = [grid for grid in grids if puzzle.is_solution(grid)]
        if not known:
            continue
        n_walked += 1
        walk(puzzle, known)
        # With a few givens there are fewer solutions, often one.
        grid = known[rng.integers(len(known))]
        values = np.where(rng.random(16) < 0.2, grid, 0)
        boxed = any(rule.name == "boxes" for rule in puzzle.rules)
        given = Variant.of(values, puzzle.rules, boxed=boxed)
        left = [grid for grid in known if given.is_solution(grid)]
        end = walk(given, left)
        if len(left) == 1:
            assert end.n_blanks == 0
            assert end.values.tolist() == left[0].tolist()
    assert n_walked or not [grid for grid in grids if Variant(text).is_solution(grid)]


RULES_OF_6X6 = [
    "diagonals",
    "disjoint-groups",
    "anti-knight",
    "non-consecutive",
    "killer:r1c1r1c2r2c1:{0}+killer:r3c3r3c4r4c4r4c3:{1}:repeats",
    "little-killer:r1c2r2c3r3c4r4c5r5c6:{2}",
]


@pytest.mark.parametrize("rules", RULES_OF_6X6)
def test_puzzles_of_6x6_with_one_solution_are_solved(rules):
    rng = np.random.default_rng(RULES_OF_6X6.index(rules))
    bare = Variant("6x6" if "{" in rules else f"6x6+{rules}")
    seed = np.zeros(36, np.int64)
    seed[rng.permutation(6)] = rng.permutation(6)[:6] + 1
    whole = solve(Variant.of(np.where(np.arange(36) < 3, seed, 0), bare.rules))
    if whole is None:
        whole = solve(bare)
    if whole is None:
        assert rules == "non-consecutive"
        return
    grid = whole.reshape(6, 6)
    sums = (
        grid[0, 0] + grid[0, 1] + grid[1, 0],
        grid[2:4, 2:4].sum(),
        sum(grid[i, i + 1] for i in range(5)),
    )
    ruled = Variant(f"6x6+{rules.format(*sums)}").rules
    values = whole.astype(np.int64)
    for cell in rng.permutation(36).tolist():
        kept, values[cell] = values[cell], 0
        if count_solutions(Variant.of(values, ruled)) != 1:
            values[cell] = kept
    end = walk(Variant.of(values, ruled), [whole])
    assert end.values.tolist() == whole.tolist()


def test_a_walk_rates_as_its_steps_do():
    puzzle = Variant("4x4+killer:r1c1r1c2r2c1:6+thermometer:r4c1r3c1r2c2+odd:r4c4r3c3")
    walker = VariantWalker(LADDER, 1000)
    steps = list(walker.steps(puzzle))
    ratings = walker.rate([puzzle, puzzle])
    assert ratings.rating.tolist() == [max(step.rating for step in steps)] * 2
    assert ratings.uses[0].sum() == len(steps)
    assert ratings.solved.tolist() == [VariantMarks.of(puzzle).n_blanks == 0 or _ends(puzzle)] * 2


def _ends(puzzle):
    return (
        sum(step.placement is not None for step in VariantWalker(LADDER, 1000).steps(puzzle)) == 16
    )


def test_the_steps_that_a_board_allows():
    puzzle = Variant("4x4+killer:r1c1r1c2:3+killer:r3c3r3c4:7+killer:r4c1r4c2:7+odd:r4c4+even:r1c4")
    assert count_solutions(puzzle) >= 1
    marks = VariantMarks.of(puzzle)
    grids = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]
    known = [grid for grid in grids if puzzle.is_solution(grid)]
    steps = list(every_step(marks, LADDER, np.full(1, 1000)))
    assert {"sum of two cells", "digit of a cage"} <= {step.technique.name for step in steps}
    keys = [(step.technique, step.placement, step.eliminations, step.cells) for step in steps]
    assert len(set(keys)) == len(keys)
    for step in steps:
        check(step, known)
    first = next(VariantWalker(LADDER, 1000).steps(puzzle))
    assert steps[0].technique == first.technique


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_and_technique_has_a_name(language):
    words = words_for("variant", language)
    for rule in RULES:
        assert words.table[f"rule.{rule.name}.name"]
    names = {technique.name for technique in LADDER}
    for name in names:
        assert words.table[f"names.{name}.name"]
        assert words.table[f"names.{name}.sought"]
    assert len({words.name(name) for name in names}) == len(names)
