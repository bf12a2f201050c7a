"""Nurikabe itself: text forms, validity, the rules, symmetries."""

import bz2
import json

import numpy as np
import pytest
from helpers.data import stored
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import FaultKind, PuzzleError, read_puzzle
from nando.puzzles.nurikabe import BLACK, LARGEST, WHITE, Nurikabe

LINE = "2.../..../...3/1..."
PUZZLE = Nurikabe(LINE)
SOLUTION = "o### o#o# ##oo o###"
seeds = st.integers(min_value=0, max_value=2**32 - 1)
shapes = st.tuples(st.integers(1, 12), st.integers(1, 12))


def colours(text):
    return np.array([WHITE if symbol == "o" else BLACK for symbol in "".join(text.split())])


def drawn(shape, seed, share=0.2):
    """Return a table of numbers drawn without regard to the rules."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-1, 30, shape)
    return numbers * (rng.random(shape) < share)


def faults(text):
    with pytest.raises(PuzzleError) as caught:
        Nurikabe(text)
    return caught.value.status


# Text and numbers


def test_a_puzzle_has_its_properties():
    assert PUZZLE.shape == (4, 4)
    assert PUZZLE.n_cells == 16
    assert PUZZLE.n_islands == 3
    assert PUZZLE.n_white == 6
    assert np.flatnonzero(PUZZLE.numbers).tolist() == [0, 11, 12]
    assert PUZZLE.numbers.dtype == np.int16
    assert PUZZLE.givens.dtype == np.int8
    assert np.array_equal(PUZZLE.givens, PUZZLE.numbers > 0)
    assert Nurikabe("?.1").n_white is None
    assert Nurikabe("?.1").givens.tolist() == [1, 0, 1]


@given(shapes, seeds)
@settings(max_examples=100, deadline=None)
def test_forms_round_trip(shape, seed):
    numbers = drawn(shape, seed)
    puzzle = Nurikabe.from_numbers(numbers)
    assert puzzle.shape == shape
    assert np.array_equal(puzzle.numbers.reshape(shape), numbers)
    published = [["-" if n == 0 else "?" if n < 0 else str(n) for n in row] for row in numbers]
    for form in (
        puzzle.text,
        puzzle.text.replace("/", "\n"),
        puzzle.grid(),
    ):
        assert Nurikabe.parse(form) == puzzle, form
    for rows in (numbers.tolist(), published):
        assert Nurikabe.from_rows(rows) == puzzle


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("2 . ./. . ./. . 10", "2../.../..(10)"),
        ("2__/***/--?", "2../.../..?"),
        ("+---+\n|2 .|\n|. .|\n+---+\n", "2./.."),
        ("\u2502 2 \u2502 . \u2502\n\u251c\u2500\u253c\u2500\u2524\n. 12", "2./.(12)"),
        ("12\n.\n?\n", "(12)/./?"),
        ("(?)(03)/.(1)", "?3/.1"),
    ],
)
def test_forms(form, text):
    assert Nurikabe(form).text == text


def test_largest_board_and_number():
    numbers = np.zeros((100, 100), int)
    numbers[99, 99] = LARGEST
    puzzle = Nurikabe.from_numbers(numbers)
    assert puzzle.n_white == LARGEST
    assert puzzle == Nurikabe(puzzle.text) == Nurikabe(puzzle.grid())


@pytest.mark.parametrize(
    ("text", "kinds", "message"),
    [
        ("", {FaultKind.WRONG_LENGTH}, "wrong length: no cells"),
        ("2../..", {FaultKind.WRONG_LENGTH}, "row 2 has 2; wanted 3"),
        (".." + "/..." * 9, {FaultKind.WRONG_LENGTH}, "row 1 has 2; wanted 3 cells"),
        ("." * 101, {FaultKind.WRONG_LENGTH}, "1 rows of 101 cells; at most 100 by 100"),
        ("2.x/...", {FaultKind.FOREIGN_SYMBOL}, "'x' at r1c3"),
        ("1.10/....", {FaultKind.FOREIGN_SYMBOL}, "at r1c4"),
        ("1 . 10001/. . .", {FaultKind.FOREIGN_SYMBOL}, "'10001' at r1c3"),
        ("1 . " + "9" * 5000, {FaultKind.FOREIGN_SYMBOL}, "at r1c3"),
        ("2.x/..", {FaultKind.FOREIGN_SYMBOL, FaultKind.WRONG_LENGTH}, "'x' at r1c3"),
        ("\u0663./..", {FaultKind.FOREIGN_SYMBOL}, "'\u0663' at r1c1"),
    ],
)
def test_texts_without_a_puzzle_are_refused(text, kinds, message):
    status = faults(text)
    assert status.kinds == kinds
    assert message in str(status)


def test_foreign_symbols_have_their_cells():
    (fault,) = faults("2.x/.y.").faults
    assert fault.cells == (2, 4)


def test_numbers_of_the_wrong_kind():
    with pytest.raises(TypeError, match="must be integers, got float64"):
        Nurikabe.from_numbers([[1.0, 2.0]])
    with pytest.raises(ValueError, match="must have 2 dimensions, got 1"):
        Nurikabe.from_numbers([1, 0])
    with pytest.raises(PuzzleError, match=r"-2 at r1c1, 10001 at r1c2; wanted 1 to 10,000"):
        Nurikabe.from_numbers([[-2, 10001]])


# Rules


@pytest.mark.parametrize(
    ("text", "messages", "cells"),
    [
        (LINE, [], []),
        ("2../1.?/...", ["2 at r1c1 touches 1 at r2c1"], [(0, 3)]),
        ("6..1/....", ["the island of 6 at r1c1 has room for 5"], [(0,)]),
        ("../..", ["there is no number"], [()]),
        ("...", [], []),
        ("1..../...../...../....1", ["add up to 2 white cells; 4 2x2 blocks"], [()]),
        ("?..../...../...../....1", [], []),
        (
            "3.1/.../..9",
            ["room for 4", "at least 13 cells and the river between them 1"],
            [(8,), ()],
        ),
        ("1.?.1", [], []),
        ("1?1", ["1 at r1c1 touches", "? at r1c2 touches", "at least 3 cells"], None),
    ],
)
def test_status_names_everything(text, messages, cells):
    status = Nurikabe(text).status()
    assert status.valid == (not messages)
    assert len(status.faults) == len(messages)
    for fault, message in zip(status.faults, messages, strict=True):
        assert message in fault.message
    if cells is not None:
        assert [fault.cells for fault in status.faults] == cells


def test_no_values_of_another_kind():
    good = colours(SOLUTION)
    assert not PUZZLE.is_solution(good[:-1])
    assert not PUZZLE.is_solution(good.reshape(4, 4))
    assert not PUZZLE.is_solution(np.where(good == WHITE, 1, 0))
    assert not PUZZLE.is_solution(np.where(good == WHITE, 3, 2))


def test_grid_for_people():
    assert PUZZLE.grid() == "2 . . .\n. . . .\n. . . 3\n1 . . ."
    assert PUZZLE.grid(colours(SOLUTION)) == "2 # # #\no # o #\n# # o 3\n1 # # #"
    assert Nurikabe("(12).?").grid() == "12  .  ?"
    assert Nurikabe("(12)/.").grid() == "(12)\n   ."


# Symmetries


@given(shapes, seeds)
@settings(max_examples=50, deadline=None)
def test_key_is_that_of_every_image(shape, seed):
    puzzle = Nurikabe.from_numbers(drawn(shape, seed))
    rng = np.random.default_rng(seed)
    images = [puzzle.shuffled(rng) for _ in range(8)]
    assert {image.equivalence_key() for image in images} == {puzzle.equivalence_key()}
    assert {image.equivalence_hash() for image in images} == {puzzle.equivalence_hash()}
    assert {tuple(sorted(image.shape)) for image in images} == {tuple(sorted(shape))}


def test_few_puzzles_share_a_hash():
    others = [Nurikabe.from_numbers(drawn((6, 7), seed)) for seed in range(200)]
    assert len({other.equivalence_hash() for other in others}) > 198


def test_each_of_the_eight_images_is_drawn():
    rng = np.random.default_rng(0)
    drawn = [PUZZLE.shuffled(rng).text for _ in range(400)]
    counts = [drawn.count(text) for text in set(drawn)]
    assert len(counts) == 8
    assert min(counts) > 25
    assert min(drawn) == PUZZLE.equivalence_key()
    assert PUZZLE.shuffled(np.random.default_rng(5)) == PUZZLE.shuffled(np.random.default_rng(5))


# Published puzzles


def test_published_solutions_keep_the_rules():
    file = stored("nurikabe/Nurikabe.jsonl.bz2")
    n_read = 0
    for line in bz2.decompress(file.read_bytes()).decode().splitlines()[::10]:
        puzzle = read_puzzle(line, Nurikabe)
        solution = json.loads(line)["data"]["solution"]
        assert puzzle.status().valid
        assert puzzle.is_solution(
            np.array([BLACK if cell == "x" else WHITE for row in solution for cell in row])
        )
        n_read += 1
    assert n_read > 50


@pytest.mark.parametrize("row", [5, None, {"0": 1}, {1, 2}])
def test_a_row_that_is_no_list(row):
    with pytest.raises(PuzzleError, match=r"unreadable: row 2 is .*; wanted a list of cells"):
        Nurikabe.from_rows([[0, 2], row])
