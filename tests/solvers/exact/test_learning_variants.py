"""The search for variants that learns from conflicts, and its turns with the one that guesses."""

import numpy as np
import pytest
from helpers.oracles.variants import latin_squares
from helpers.plain_kernels import compiled_and_plain
from helpers.sampled import one_in
from helpers.samples.variant_samples import TEXTS

from nando.puzzles import PuzzleError, Variant
from nando.solvers import Limit, count_solutions, solve, status, unique_solution
from nando.solvers.exact import clauses, conflicts, search, trail, variant_clauses, variant_learning
from nando.solvers.exact import variant_turns as turns
from nando.solvers.exact.bands import DEPTH, FOUND
from nando.solvers.exact.variant_clauses import formula_of
from nando.solvers.exact.variant_learning import LearningSearch
from nando.solvers.exact.variants import VariantSearch
from nando.solvers.variants.leftovers import leftovers
from nando.solvers.variants.network import network_of

ALL = 1_000
"""More than there are Latin squares of four digits."""
NO_BOUND = 1 << 62
EMPTY = "9x9+regions:"
IMPOSSIBLE = [
    "AAAAAAAABACCCCCDBBCCEEDDDBBCCFEEDDBBGGFFEDDBBGGFFEEDHHGGFFFEEHHGGFHHHHHIGIIIIIIII",
    "AAAAAABBBCCADAEBBBCCCDAEFBBCCCDEEFFBCDDDEFFFGHDDEEFGGGHHDEIFGGGHHHEIFIGGHHHIIIIII",
    "AAAABCCCCAAABBCCCDAABBBCCDDBBBEFFFFDEEEEFDDDDEFFFFDGGGEEHHGGGIIEHHHGGIIIHHHHGIIII",
]
"""Divisions into regions that no digits fill."""
THERMOMETERS = (
    "9x9+thermometer:r1c2r2c1+thermometer:r1c7r2c6+thermometer:r1c8r2c9+thermometer:r3c2r2c3"
    "+thermometer:r3c4r2c5+thermometer:r3c8r2c7+thermometer:r4c2r5c3+thermometer:r4c3r5c4"
    "+thermometer:r4c8r5c9+thermometer:r6c2r5c1+thermometer:r6c4r5c5+thermometer:r6c7r5c6"
    "+thermometer:r6c8r5c7+thermometer:r7c2r8c3+thermometer:r7c7r8c6+thermometer:r7c8r8c7"
    "+thermometer:r9c2r8c1+thermometer:r9c4r8c5+thermometer:r9c8r8c9"
)
RENBANS = (
    "9x9+renban:r2c3r1c2r2c1r3c2+renban:r2c6r1c5r2c4r3c5+renban:r2c7r1c8r2c9r3c8"
    "+renban:r4c2r5c1r6c2r5c3+renban:r5c4r4c5r5c6r6c5+renban:r5c7r4c8r5c9r6c8"
    "+renban:r7c2r8c1r9c2r8c3+renban:r7c5r8c6r9c5r8c4+renban:r7c8r8c9r9c8r8c7"
)
"""It has no solution."""


def learning(puzzle, known=()):
    rows = np.array(known, np.int8).reshape(-1, puzzle.givens.size)
    return LearningSearch(puzzle, formula_of(puzzle), rows)


def mirrored(regions):
    return "".join(regions[row : row + 9][::-1] for row in range(0, 81, 9))


def enumerated(puzzle):
    """Return all solutions of a variant of four digits, as bytes."""
    grids = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]
    return {grid.tobytes() for grid in grids if puzzle.is_solution(grid)}


@pytest.mark.parametrize("text", one_in(4, [text for text in TEXTS if text.startswith("4x4")]))
def test_every_solution_is_learned_once(text):
    puzzle = Variant(text)
    known = enumerated(puzzle)
    found = learning(puzzle)
    while found.progress[DEPTH] >= 0:
        found.advance(int(found.progress[FOUND]) + 1, NO_BOUND)
    assert found.progress[FOUND] == len(known)
    assert {row.tobytes() for row in found.solutions[: len(known)]} <= known
    if known:
        rest = learning(puzzle, [found.solutions[0]])
        rest.advance(ALL, NO_BOUND)
        assert rest.progress[FOUND] == len(known)


LARGE = [text for text in TEXTS if not text.startswith("4x4")]


@pytest.mark.parametrize("text", one_in(6, LARGE))
def test_both_searches_count_the_same(text, monkeypatch):
    """All rules, with some of the digits of a solution given, in an image, too."""
    monkeypatch.setattr(turns, "_FIRST", 2)
    monkeypatch.setattr(turns, "_CONFLICTS", 5)
    puzzle = Variant(text)
    rng = np.random.default_rng(len(text))
    solution = solve(puzzle)
    if solution is None:
        found = learning(puzzle)
        found.advance(2, NO_BOUND)
        assert found.progress[:2].tolist() == [-1, 0]
        return
    boxed = any(rule.name == "boxes" for rule in puzzle.rules)
    for share in (0.2, 0.35, 0.6):
        values = np.where(rng.random(solution.size) < share, solution, 0)
        given = Variant.of(values, puzzle.rules, corners=puzzle.board.corners, boxed=boxed)
        guessed = VariantSearch(given)
        guessed.advance(20, NO_BOUND)
        n = min(int(guessed.progress[FOUND]), 20)
        for found in (learning(given), turns.exact_search(given), turns.quick_search(given)):
            found.advance(20, NO_BOUND)
            assert min(int(found.progress[FOUND]), 20) == n
            assert all(given.is_solution(row) for row in found.solutions[:n])
        assert min(count_solutions(given.oriented, 20), 20) == n


@pytest.mark.parametrize("regions", IMPOSSIBLE)
def test_regions_without_a_filling(regions):
    puzzle = Variant(EMPTY + regions)
    turned = Variant(EMPTY + mirrored(regions))
    assert "no solution" in str(status(puzzle))
    assert count_solutions(puzzle) == count_solutions(turned) == 0


def test_lines_without_givens():
    puzzle = Variant(THERMOMETERS)
    assert status(puzzle).valid
    assert count_solutions(puzzle) == 1
    assert count_solutions(Variant(RENBANS)) == 0


def test_a_limit_says_what_is_left_open():
    limit = Limit(steps=turns._FIRST + 10)
    assert "50,010 guesses with no solution found" in str(status(RENBANS, limit=limit))
    with pytest.raises(PuzzleError, match="step limit reached after 7 guesses"):
        count_solutions(RENBANS, within=Limit(steps=7))
    with pytest.raises(PuzzleError, match="step limit reached after 7 guesses"):
        unique_solution(RENBANS, within=Limit(steps=7))


def test_an_image_is_asked_where_a_search_gives_up(monkeypatch):
    """A puzzle that only the search of one image decides has one answer."""
    images = [Variant(EMPTY + regions) for regions in (IMPOSSIBLE[1], mirrored(IMPOSSIBLE[1]))]
    puzzle = next(image for image in images if image.oriented.text != image.text)
    for patient in (puzzle, puzzle.oriented):

        def start(image, patient=patient):
            found = turns.exact_search(image)
            found.patience = 1_000_000 if image.text == patient.text else 5
            return found

        monkeypatch.setattr(search, "search", start)
        monkeypatch.setattr(search, "quick_search", start)
        assert str(status(puzzle)) == "no solution"
        assert count_solutions(puzzle) == 0


def test_more_clauses_than_a_search_can_use(monkeypatch):
    monkeypatch.setattr(variant_clauses, "_MOST_CLAUSES", 100)
    monkeypatch.setattr(turns, "_FIRST", 2)
    assert formula_of(Variant(RENBANS)) is None
    found = turns.exact_search(Variant("9x9+anti-knight"))
    found.advance(2, 500)
    assert found.progress[FOUND] == 2


def test_leftovers_hold_the_same_digits():
    puzzle = Variant("6x6+regions:AAABBBAAABCBDDCCCBDDDECCDFFEEEFFFFEE")
    solution = solve(puzzle)
    pairs = leftovers(puzzle.board.cells, network_of(puzzle)[0])
    assert pairs
    for first, second in pairs:
        assert sorted(solution[first]) == sorted(solution[second])


@pytest.mark.thorough
def test_the_kernel_agrees_with_its_python():
    puzzle = Variant("4x4+killer:r1c1r1c2:5+greater:r3c1r3c2")

    def run():
        found = learning(puzzle)
        found.advance(7, NO_BOUND)
        return found.progress.tolist(), found.solutions.tolist()

    modules = variant_learning, clauses, conflicts, trail
    compiled, plain = compiled_and_plain(run, *modules)
    assert compiled == plain
