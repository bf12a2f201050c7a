"""Every possible step: sound, complete by definition, the walk's step among them."""

import re
from collections import defaultdict

import numpy as np
import pytest
from helpers.oracles.logic import DEFINITIONS, Marks, placeable, possible
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PATTERNS, PUZZLES, pattern
from helpers.samples.walks import dug
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import Sudoku
from nando.solvers import logic, unique_solution
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.house_walk import every_step

BELOW_NESTED = tuple(t for t in logic.SUKAKU_EXPLAINER if t.kernel != kernels.NESTED_FORCING)
BELOW_CHAINS = tuple(t for t in logic.SUKAKU_EXPLAINER if t.rating < 6.5)


def positions(every=1):
    """Yield positions of walks before a step that is not a single, on the walk's ladder."""
    for name, puzzle in PUZZLES.items():
        ladder = logic.SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else logic.SUKAKU_EXPLAINER
        for taken in logic.walk_through(puzzle, ladder).steps[::every]:
            if taken.step.placement is None:
                yield taken


def effort():
    return np.full(1, 100_000)


def oracle(marks):
    return Marks([set(marks.digits(cell)) for cell in range(marks.values.size)])


def assert_sound(marks, step, solution):
    assert step.placement or step.eliminations
    if step.placement is not None:
        cell, digit = step.placement
        assert solution[cell] == digit
        assert marks.candidates[cell, digit - 1]
    for cell, digit in step.eliminations:
        assert solution[cell] != digit
        assert marks.candidates[cell, digit - 1]


def test_the_step_of_the_walk_is_listed_and_none_of_its_technique_is_easier():
    seen = set()
    for taken in positions():
        step, marks = taken.step, taken.position
        listed = [*every_step(marks, (step.technique,), effort())]
        same = [s for s in listed if (s.variant, s.rating) == (step.variant, step.rating)]
        assert set(step.eliminations) in [set(s.eliminations) for s in same], (step, listed)
        assert min(s.rating for s in listed) == step.rating
        seen.add((step.technique.name, step.variant))
    assert {("unique loop", variant) for variant in (1, 2, 3, 4)} <= seen
    assert {("bivalue universal grave", variant) for variant in (1, 2, 3, 4)} <= seen
    assert {"aligned pair exclusion", "VWXYZ-wing", "three strong links"} <= {n for n, _ in seen}


@pytest.mark.thorough
def test_all_that_the_definitions_find_is_listed_and_nothing_else():
    found = defaultdict(int)
    for taken in [*positions()][::7]:
        steps = [*every_step(taken.position, BELOW_CHAINS, effort())]
        marks = oracle(taken.position)
        for name, definition in DEFINITIONS.items():
            listed = {
                (frozenset(s.cells), frozenset(s.eliminations))
                for s in steps
                if s.technique.name == name
            }
            # A digit with one position is reported as a hidden single.
            wanted = {(cells, gone) for cells, gone in definition(marks) if len(cells) > 1}
            assert listed == wanted, name
            found[name] += len(listed)
    assert {name for name, n in found.items() if n} >= set(DEFINITIONS) - {"jellyfish"}


@pytest.mark.parametrize("case", PATTERNS, ids=[case[0] for case in PATTERNS])
def test_a_pattern_made_for_a_technique_is_listed(case):
    _, _, _, given, only, rating, wanted = case
    candidates = pattern(given, only)
    marks = np.array([[d + 1 in cell for d in range(9)] for cell in candidates])
    board = logic.PencilMarks(Sudoku("." * 81), np.zeros(81, np.int8), marks)
    steps = [s for s in every_step(board, BELOW_CHAINS, effort()) if round(s.rating * 10) == rating]
    assert steps
    if isinstance(wanted, tuple):
        assert any(step.placement is not None for step in steps)


@pytest.mark.thorough
def test_compiled_and_plain_python_list_the_same():
    names = ("unique loop, type 3", "VWXYZ-wing", "bivalue universal grave, type 3")
    boards = [logic.walk_through(PUZZLES[name]).steps[5].position for name in names]
    ladder = tuple(t for t in BELOW_NESTED if t.rating < 8.5)
    compiled, plain = compiled_and_plain(
        lambda: [[*every_step(board, ladder, effort())] for board in boards]
    )
    assert compiled == plain


def test_wings_and_exclusions_are_true_for_their_cells_alone():
    seen = set()
    ladder = [
        t for t in logic.SUKAKU_EXPLAINER if re.search("[YZ]-wing|aligned|strong links", t.name)
    ]
    for taken in [*positions()][::5]:
        marks = oracle(taken.position)
        for step in every_step(taken.position, tuple(ladder), effort()):
            name = step.technique.name
            if name.endswith(("Y-wing", "Z-wing")) or "aligned" in name:
                seen.add(name)
                for removed in step.eliminations:
                    assert not possible(marks, step.cells, removed), step
            elif "strong links" in name:
                seen.add(name)
                houses = [marks.houses[house] for house in step.houses]
                for cell, digit in step.eliminations:
                    assert not placeable(marks, digit, houses, cell), step
    assert len(seen) >= 7


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_listed_step_is_true_in_the_solution(data):
    puzzle = data.draw(st.sampled_from([*PUZZLES.values()]))
    puzzle = puzzle.shuffled(np.random.default_rng(data.draw(st.integers(0, 99))))
    steps = logic.walk_through(puzzle).steps
    marks = data.draw(st.sampled_from(steps)).position
    solution = unique_solution(puzzle)
    listed = [*every_step(marks, BELOW_NESTED, effort())]
    assert listed
    for step in listed:
        assert_sound(marks, step, solution)
    patterns = [
        (s.technique, s.variant, s.houses, s.cells, s.digits, s.eliminations, s.placement, s.links)
        for s in listed
    ]
    assert len(set(patterns)) == len(patterns)


@pytest.mark.parametrize("order", [4, 5])
def test_larger_grids_are_listed_too(order):
    puzzle = dug(order, {4: 110, 5: 330}[order], 2)
    solution = unique_solution(puzzle)
    steps = [*every_step(logic.PencilMarks.of(puzzle), BELOW_CHAINS[:12], effort())]
    assert steps
    for step in steps:
        assert_sound(logic.PencilMarks.of(puzzle), step, solution)


NESTED = tuple(t for t in logic.SUKAKU_EXPLAINER if t.kernel == kernels.NESTED_FORCING)
MIDDLING = "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68.."


@pytest.mark.thorough
@pytest.mark.parametrize(
    "technique", NESTED[:3], ids=["chains", "multiple chains", "dynamic chains"]
)
def test_chains_with_nested_chains_are_there_for_every_candidate_that_they_remove(technique):
    """With all but one candidate left out, the finder of one step finds an equally short chain."""
    puzzle = Sudoku(MIDDLING)
    solution, marks = unique_solution(puzzle), logic.PencilMarks.of(puzzle)
    listed = [*every_step(marks, (technique,), effort())]
    for step in listed:
        assert_sound(marks, step, solution)
    gone = {removed for step in listed for removed in step.eliminations}
    # These remove everything that dynamic chains without nested ones do.
    simpler = [t for t in logic.SUKAKU_EXPLAINER if "patterns" in t.name]
    known = {pair for step in every_step(marks, simpler, effort()) for pair in step.eliminations}
    assert known <= gone
    first = next(logic.LogicSolver((technique,)).steps(puzzle))
    assert min(step.rating for step in listed) == first.rating
    assert set(first.eliminations) <= gone


@pytest.mark.thorough
def test_a_list_says_that_its_effort_was_spent():
    puzzle = Sudoku(MIDDLING)
    short = logic.list_steps(puzzle, NESTED[:1], effort=20)
    assert not short.complete
    assert "not complete" in short.summary()
    assert not short.to_dict()["complete"]
    whole = logic.list_steps(puzzle, NESTED[:1])
    assert whole.complete
    assert len(whole.steps) > len(short.steps)
    with pytest.raises(ValueError, match="effort must be at least 1"):
        logic.list_steps(puzzle, effort=0)
