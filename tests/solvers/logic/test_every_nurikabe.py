"""Every possible step on a Nurikabe: by definition, and by all solutions of small boards."""

import numpy as np
import pytest
from helpers.sampled import one_in
from helpers.samples.nurikabe_boards import EASY, SMALL, WHAT_IF, solutions
from helpers.samples.nurikabe_positions import DIRECT, NAIVE, positions

from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic import NURIKABE_LADDER, Shading, list_steps, walk_through
from nando.solvers.logic.nurikabe import rungs
from nando.solvers.logic.nurikabe.board_walk import every_step
from nando.solvers.logic.nurikabe.shading import is_what_if


def effort():
    return np.full(1, 100_000)


def shading_of(position):
    """Return the shading of a position of the slow definitions."""
    shape = tuple(1 + max(place) for place in zip(*position.board, strict=True))
    numbers = np.zeros(shape, int)
    values = np.zeros(shape, np.int8)
    for cell, colour in position.board.items():
        numbers[cell] = position.numbers.get(cell, 0)
        values[cell] = {".": 0, "o": WHITE, "#": BLACK}[colour]
    return Shading(Nurikabe.from_numbers(numbers), values.ravel())


@pytest.mark.parametrize("technique", one_in(3, DIRECT), ids=[t.name for t in DIRECT])
def test_a_list_has_what_the_definition_has_and_nothing_else(technique):
    slow = technique.kernel in (rungs.BLOCK_BREAKER, rungs.STRANDED)
    n_listed = 0
    for _, position in positions()[:: 8 if slow else 3]:
        shading = shading_of(position)
        width = shading.puzzle.shape[1]
        listed = {
            (frozenset(divmod(cell, width) for cell in step.cells), ".o#"[step.colour])
            for step in every_step(shading, (technique,), effort())
        }
        wanted = {
            (frozenset(cells), colour)
            for cells, colour in NAIVE[technique.kernel](position, technique.degree)
        }
        assert listed == wanted, position.board
        n_listed += len(listed)
    assert n_listed


@pytest.mark.thorough
def test_a_list_decides_all_cells_that_all_solutions_share():
    """On small boards, deep what-ifs decide all cells that all solutions share, and no others."""
    for puzzle in SMALL[:40]:
        wanted = solutions(puzzle)
        shading = Shading.of(puzzle)
        same = np.where((wanted == wanted[0]).all(axis=0), wanted[0], 0)
        decided = np.zeros(16, int)
        for step in every_step(shading, NURIKABE_LADDER, effort()):
            cells = list(step.cells)
            assert (shading.values[cells] == 0).all()
            assert (same[cells] == step.colour).all(), step
            decided[cells] = step.colour
        assert np.array_equal(decided, np.where(shading.values == 0, same, 0)), puzzle


def test_a_list_has_the_step_of_the_walk_and_no_pattern_twice():
    for puzzle in (EASY, WHAT_IF):
        solution = unique_solution(puzzle)
        for taken in walk_through(puzzle).steps:
            listed = [one.step for one in list_steps(puzzle, start=taken.position).steps]
            assert any(
                step.technique == taken.step.technique
                and step.rating == taken.step.rating
                and set(step.cells) >= set(taken.step.cells)
                for step in listed
            )
            for step in listed:
                assert (solution[list(step.cells)] == step.colour).all()
            patterns = [(step.cells, step.colour, frozenset(step.reason)) for step in listed]
            assert len(set(patterns)) == len(patterns)
            easier: set[int] = set()
            for step in listed:
                assert not (is_what_if(step) and set(step.cells) <= easier)
                easier |= set(step.cells) if not is_what_if(step) else set()


@pytest.mark.thorough
def test_dilemmas_are_true_in_all_solutions():
    dilemma = next(t for t in NURIKABE_LADDER if t.name == "dilemma")
    n_listed = 0
    for puzzle in SMALL:
        wanted = solutions(puzzle)
        for step in every_step(Shading.of(puzzle), (dilemma,), effort()):
            assert (wanted[:, list(step.cells)] == step.colour).all()
            n_listed += 1
    assert n_listed > 10


def test_a_list_says_that_its_effort_was_spent():
    deep = next(t for t in NURIKABE_LADDER if t.name == "deep what-if")
    assert list_steps(WHAT_IF, (deep,)).complete
    short = list_steps(WHAT_IF, (deep,), effort=1)
    assert not short.complete
    assert "not complete" in short.summary()
