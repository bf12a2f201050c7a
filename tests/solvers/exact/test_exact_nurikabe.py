"""The probing search for Nurikabe against all colourings of small boards, and published counts."""

import numpy as np
import pytest
from helpers.data import stored
from helpers.oracles.nurikabe_islands import drawn_puzzle, solutions
from helpers.plain_kernels import plain_kernels
from helpers.samples.nurikabe_boards import GUESSED, LOOSE

from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.nurikabe.search import NurikabeSearch, learning_search
from nando.solvers.nurikabe import rules
from nando.solvers.nurikabe.state import N_SET, OPEN, colour_cell, new_state, take_back

NO_BOUND = 1 << 62


def searched(puzzle, limit=NO_BOUND, most_guesses=NO_BOUND):
    search = ProbingSearch(puzzle)
    search.advance(limit, most_guesses)
    return search


def learned(puzzle, limit=NO_BOUND, most_guesses=NO_BOUND):
    progress, found = np.zeros(3, np.int64), np.zeros((2, puzzle.n_cells), np.int8)
    search = learning_search(puzzle, progress, found)
    search.advance(limit, most_guesses)
    return search


by_both_searches = pytest.mark.parametrize(
    "searched", [searched, pytest.param(learned, marks=pytest.mark.thorough)]
)


def count(puzzle, limit=NO_BOUND):
    return int(searched(puzzle, limit).progress[FOUND])


# The oracle enumerates all colourings

SHAPES = [(1, 1), (1, 7), (2, 2), (2, 6), (3, 3), (3, 4), (4, 3), (5, 2), (4, 4)]


@pytest.mark.parametrize(
    "shape",
    [*SHAPES[:-1], pytest.param((4, 4), marks=pytest.mark.thorough)],
    ids=str,
)
@by_both_searches
def test_counts_are_those_of_all_colourings(shape, searched):
    rng = np.random.default_rng(shape)
    seen = set()
    for _ in range(150):
        puzzle = drawn_puzzle(shape, rng)
        wanted = solutions(puzzle)
        search = searched(puzzle)
        assert search.progress[DEPTH] == -1
        assert search.progress[FOUND] == len(wanted), puzzle
        for values in search.solutions[: len(wanted)]:
            assert puzzle.is_solution(values), puzzle
        if not puzzle.status().valid:
            assert not wanted, puzzle
        seen.add(min(len(wanted), 2))
    assert seen == {0, 1, 2} or min(shape) == 1 or shape == (2, 2)


def test_rules_are_those_of_all_colourings():
    """`is_solution` accepts as many colourings as the oracle has solutions."""
    rng = np.random.default_rng(0)
    for shape in [(3, 3), (2, 4), (1, 5)] * 10:
        puzzle = drawn_puzzle(shape, rng)
        values = np.array(list(np.ndindex(*(2,) * puzzle.n_cells)), np.int8) + 1
        assert sum(map(puzzle.is_solution, values)) == len(solutions(puzzle)), puzzle


# The search


def test_count_is_that_of_every_image():
    rng = np.random.default_rng(1)
    for _ in range(10):
        image = GUESSED.shuffled(rng)
        search = searched(image)
        assert search.progress[FOUND] == 1
        assert image.is_solution(search.solutions[0])
    assert {count(LOOSE.shuffled(rng)) for _ in range(10)} == {count(LOOSE)}


@pytest.mark.parametrize(
    "text",
    ["11/..", "3../.../..3", "../..", "9../.../...", "(9999)./..", "?", "...", "5..../1...."],
)
@by_both_searches
def test_odd_boards(text, searched):
    puzzle = Nurikabe(text)
    assert searched(puzzle).progress[FOUND] == len(solutions(puzzle))


# Kernels


@pytest.mark.thorough
def test_every_action_can_be_undone():
    state = new_state(GUESSED)
    assert rules.propagate(state, rules.RULES, state.n_cells)
    before = [array.copy() for array in (state.counts, state.colour, state.trail)]
    for cell in np.flatnonzero(state.colour == OPEN):
        for colour in (WHITE, BLACK):
            colour_cell(state, cell, colour)
            rules.propagate(state, rules.RULES, state.n_cells)
            take_back(state, before[0][N_SET])
    after = (state.counts, state.colour, state.trail)
    assert np.array_equal(before[0][:4], after[0][:4])
    assert np.array_equal(before[1], after[1])
    assert (state.colour == OPEN).any()


@pytest.mark.thorough
def test_rules_follow_for_every_solution():
    """Cells coloured without a guess have that colour in all solutions."""
    rng = np.random.default_rng(2)
    n_coloured = 0
    for _ in range(100):
        puzzle = drawn_puzzle((4, 4), rng)
        state = new_state(puzzle)
        alive = rules.propagate(state, rules.RULES, state.n_cells)
        wanted = solutions(puzzle)
        assert alive or not wanted, puzzle
        inside = state.colour[:-1].reshape(6, 6)[1:-1, 1:-1]
        n_coloured += np.count_nonzero(inside) * bool(wanted)
        for islands in wanted:
            white = np.zeros((4, 4), bool)
            white[tuple(zip(*frozenset().union(*islands), strict=True))] = True
            assert white[inside == WHITE].all(), puzzle
            assert not white[inside == BLACK].any(), puzzle
    assert n_coloured > 300


@pytest.mark.parametrize("text", ["11/..", "3../.../..3", "9../.../...", "?", "5..../1...."])
def test_learning_in_plain_python(text):
    """The search after probing agrees in plain Python; thorough tests of its own follow."""
    puzzle = Nurikabe(text)
    with plain_kernels():
        search = learned(puzzle, 2)
    n_found = search.progress[FOUND]
    assert n_found == min(len(solutions(puzzle)), 2)
    assert all(puzzle.is_solution(values) for values in search.solutions[:n_found])


# Published puzzles


def published(step=1):
    for line in stored("nurikabe/counts.tsv").read_text(encoding="utf-8").splitlines()[1::step]:
        wanted, _, _, text = line.split("\t")
        yield int(wanted), Nurikabe(text)


@pytest.mark.thorough
def test_sample_of_published_counts():
    n_counted = 0
    for wanted, puzzle in published(5):
        search = NurikabeSearch(puzzle)
        search.advance(2, 10_000)
        assert search.progress[DEPTH] < 0 or search.progress[FOUND] == 2, puzzle
        assert search.progress[FOUND] == wanted, puzzle
        assert wanted == 0 or puzzle.is_solution(search.solutions[0])
        n_counted += 1
    assert n_counted > 120
