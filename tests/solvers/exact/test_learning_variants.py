"""The search for variants that learns from conflicts, and its turns with the one that guesses."""

import csv
from itertools import product

import numpy as np
import pytest
from helpers.data import stored
from helpers.sampled import one_in
from helpers.samples.variant_samples import TEXTS

from nando.puzzles import PuzzleError, Variant
from nando.puzzles.variants.puzzle import TURNS, apply_turn
from nando.solvers import ExactSearch, Limit, count_solutions, solve, status, unique_solution
from nando.solvers.exact import search, variant_clauses
from nando.solvers.exact import variant_learning as turns
from nando.solvers.exact.bands import FOUND
from nando.solvers.exact.variant_clauses import formula_of
from nando.solvers.exact.variant_learning import LearningSearch
from nando.solvers.exact.variants import VariantSearch
from nando.solvers.variants.innies import leftovers
from nando.solvers.variants.network import network_of

NO_BOUND = 1 << 62
EMPTY = "9x9+regions:"


@pytest.fixture(scope="module")
def thermometers():
    """Return a published puzzle of thermometers alone."""
    return puzzle_of("179")


@pytest.fixture(scope="module")
def renbans():
    """Return a published puzzle of lines alone, which has no solution."""
    return puzzle_of("167")


@pytest.fixture(scope="module")
def impossible():
    """Return three divisions into regions that no digits fill."""
    rows = [row for row in rows_of("impossible_jigsaws.tsv") if row["set"] == "fast"]
    return [row["regions"] for row in rows[:: len(rows) // 3][:3]]


def puzzle_of(number):
    return next(row["puzzle"] for row in rows_of("puzzles.tsv") if row["id"] == number)


def rows_of(name):
    with stored(f"modern_variants/{name}").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def learning(puzzle, known=()):
    rows = np.array(known, np.int8).reshape(-1, puzzle.givens.size)
    return LearningSearch(puzzle, formula_of(puzzle), rows)


def mirrored(regions):
    return "".join(regions[row : row + 9][::-1] for row in range(0, 81, 9))


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


@pytest.mark.parametrize("number", range(3))
def test_regions_without_a_filling(impossible, number):
    puzzle = Variant(EMPTY + impossible[number])
    turned = Variant(EMPTY + mirrored(impossible[number]))
    assert "no solution" in str(status(puzzle))
    assert count_solutions(puzzle) == count_solutions(turned) == 0


def test_lines_without_givens(thermometers, renbans):
    puzzle = Variant(thermometers)
    assert status(puzzle).valid
    assert count_solutions(puzzle) == 1
    assert count_solutions(Variant(renbans)) == 0


def test_a_limit_says_what_is_left_open(renbans):
    limit = Limit(steps=turns._FIRST + 10)
    assert "50,010 guesses with no solution found" in str(status(renbans, limit=limit))
    with pytest.raises(PuzzleError, match="step limit reached after 7 guesses"):
        count_solutions(renbans, within=Limit(steps=7))
    with pytest.raises(PuzzleError, match="step limit reached after 7 guesses"):
        unique_solution(renbans, within=Limit(steps=7))


@pytest.mark.thorough
def test_an_image_is_asked_where_a_search_gives_up(impossible, monkeypatch):
    """A puzzle that only the search of one image decides has one answer."""
    images = [Variant(EMPTY + regions) for regions in (impossible[1], mirrored(impossible[1]))]
    common = [image for image, _ in images[0].common_images()]
    assert common == [image for image, _ in images[1].common_images()]
    for patient, puzzle in product(common, images):

        def start(image, patient=patient):
            found = turns.exact_search(image)
            found.patience = 1_000_000 if image.text == patient.text else 5
            return found

        monkeypatch.setattr(search, "search", start)
        monkeypatch.setattr(search, "quick_search", start)
        assert str(status(puzzle)) == "no solution"
        assert count_solutions(puzzle) == 0
        assert solve(puzzle) is None


@pytest.mark.parametrize("turn", TURNS)
def test_a_solution_is_that_of_the_image_itself(turn):
    puzzle = Variant("6x6+thermometer:r1c1r2c1r3c1r4c1+killer:r5c5r5c6:11+arrow:r6c1:r6c2r6c3")
    image = Variant._of(apply_turn(puzzle._content, turn))
    assert image.is_solution(solve(image))
    assert ExactSearch().run(image).steps == ExactSearch().run(puzzle).steps


def test_more_clauses_than_a_search_can_use(renbans, monkeypatch):
    monkeypatch.setattr(variant_clauses, "_MOST_CLAUSES", 100)
    monkeypatch.setattr(turns, "_FIRST", 2)
    assert formula_of(Variant(renbans)) is None
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
