"""Every step there is: sound, complete by definition, and with the one that the walk takes."""

from collections import defaultdict

import numpy as np
import pytest
from helpers.logic_patterns import ONLY_EXPLAINER, PATTERNS, PUZZLES, pattern
from helpers.naive_logic import (
    Marks,
    fish,
    hidden_subsets,
    locked,
    naked_subsets,
    placeable,
    possible,
    wings,
)
from helpers.walks import dug
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.datasets import load_examples
from nando.puzzles import Sudoku
from nando.solvers import unique_solution
from nando.solvers.logic import SUDOKU_EXPLAINER, SUKAKU_EXPLAINER, PencilMarks, walk_through
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.every.steps import every_step

BELOW_NESTED = tuple(t for t in SUKAKU_EXPLAINER if t.kernel != kernels.NESTED_FORCING)
BELOW_CHAINS = tuple(t for t in SUKAKU_EXPLAINER if t.rating < 6.5)


def positions(every=1):
    """Positions of walks before a step that is no single, by the ladder of the walk."""
    for name, puzzle in PUZZLES.items():
        ladder = SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else SUKAKU_EXPLAINER
        for taken in walk_through(puzzle, ladder).steps[::every]:
            if taken.step.placement is None:
                yield taken


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
        listed = [*every_step(marks, (step.technique,), 1_000)]
        same = [s for s in listed if (s.variant, s.rating) == (step.variant, step.rating)]
        assert set(step.eliminations) in [set(s.eliminations) for s in same], (step, listed)
        assert min(s.rating for s in listed) == step.rating
        seen.add((step.technique.name, step.variant))
    assert {("unique loop", variant) for variant in (1, 2, 3, 4)} <= seen
    assert {("bivalue universal grave", variant) for variant in (1, 2, 3, 4)} <= seen
    assert {"aligned pair exclusion", "VWXYZ-wing", "three strong links"} <= {n for n, _ in seen}


DEFINITIONS = {
    "pointing": lambda m: locked(m, m.boxes, m.lines),
    "claiming": lambda m: locked(m, m.lines, m.boxes),
    "naked pair": lambda m: naked_subsets(m, 2),
    "naked triplet": lambda m: naked_subsets(m, 3),
    "naked quad": lambda m: naked_subsets(m, 4),
    "hidden pair": lambda m: hidden_subsets(m, 2),
    "hidden triplet": lambda m: hidden_subsets(m, 3),
    "hidden quad": lambda m: hidden_subsets(m, 4),
    "X-wing": lambda m: fish(m, 2),
    "swordfish": lambda m: fish(m, 3),
    "jellyfish": lambda m: fish(m, 4),
    "XY-wing": lambda m: wings(m, 2),
    "XYZ-wing": lambda m: wings(m, 3),
}


@pytest.mark.thorough
def test_all_that_the_definitions_find_is_listed_and_nothing_else():
    found = defaultdict(int)
    for taken in [*positions()][::7]:
        steps = [*every_step(taken.position, BELOW_CHAINS, 0)]
        marks = oracle(taken.position)
        for name, definition in DEFINITIONS.items():
            listed = {
                (frozenset(s.cells), frozenset(s.eliminations))
                for s in steps
                if s.technique.name == name
            }
            # A digit with one position is told as a hidden single.
            wanted = {(cells, gone) for cells, gone in definition(marks) if len(cells) > 1}
            assert listed == wanted, name
            found[name] += len(listed)
    assert {name for name, n in found.items() if n} >= set(DEFINITIONS) - {"jellyfish"}


@pytest.mark.parametrize("case", PATTERNS, ids=[case[0] for case in PATTERNS])
def test_a_pattern_made_for_a_technique_is_listed(case):
    _, _, _, given, only, rating, wanted = case
    candidates = pattern(given, only)
    marks = np.array([[d + 1 in cell for d in range(9)] for cell in candidates])
    board = PencilMarks(Sudoku("." * 81), np.zeros(81, np.int8), marks)
    steps = [s for s in every_step(board, BELOW_CHAINS, 0) if round(s.rating * 10) == rating]
    assert steps
    if isinstance(wanted, tuple):
        assert any(step.placement is not None for step in steps)


@pytest.mark.thorough
def test_wings_and_exclusions_are_true_for_their_cells_alone():
    seen = set()
    for taken in [*positions()][::5]:
        marks = oracle(taken.position)
        for step in every_step(taken.position, BELOW_CHAINS, 0):
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
    assert len(seen) >= 6


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_listed_step_is_true_in_the_solution(data):
    puzzle = data.draw(st.sampled_from([*PUZZLES.values()]))
    puzzle = puzzle.shuffled(np.random.default_rng(data.draw(st.integers(0, 99))))
    steps = walk_through(puzzle).steps
    marks = data.draw(st.sampled_from(steps)).position
    solution = unique_solution(puzzle)
    listed = [*every_step(marks, BELOW_NESTED, 0)]
    assert listed
    for step in listed:
        assert_sound(marks, step, solution)
    told = [
        (s.technique, s.variant, s.houses, s.cells, s.digits, s.eliminations, s.placement, s.links)
        for s in listed
    ]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("order", [4, 5])
def test_larger_grids_are_listed_too(order):
    puzzle = dug(order, {4: 110, 5: 330}[order], 2)
    solution = unique_solution(puzzle)
    steps = [*every_step(PencilMarks.of(puzzle), BELOW_CHAINS[:12], 0)]
    assert steps
    for step in steps:
        assert_sound(PencilMarks.of(puzzle), step, solution)


@pytest.mark.thorough
def test_chains_that_nest_chains_are_the_last_resort():
    hard = next(p for p in load_examples().puzzles if walk_through(p).rating > 3)
    marks = walk_through(hard).steps[0].position
    names = {step.technique.name for step in every_step(marks, SUKAKU_EXPLAINER, 1_000)}
    assert names
    assert not any("with" in name and "chains" in name.split("with")[1] for name in names)
