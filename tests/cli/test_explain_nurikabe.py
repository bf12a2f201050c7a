"""Nurikabe in words and pictures, by the command that explains Sudoku."""

import functools
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers.command import rows, run
from helpers.samples.nurikabe_boards import EASY, SMALL, WHAT_IF, solutions

from nando.drawing.boards import position
from nando.drawing.svg import svg
from nando.puzzles import format_puzzle
from nando.solvers import LogicSolver, unique_solution
from nando.solvers.logic import NURIKABE_LADDER, describe, hint, scale_of, walk_through


@functools.cache
def met():
    """Return every step of some puzzles with the board before it."""
    puzzles = [EASY, WHAT_IF, *(puzzle for puzzle in SMALL if len(solutions(puzzle)) == 1)]
    found = []
    for puzzle in puzzles:
        board = LogicSolver().start(puzzle)
        for step in LogicSolver().steps(puzzle):
            found.append((step, board))
            board = board.after(step)
        assert np.array_equal(board.values, unique_solution(puzzle))
    return found


def test_a_sentence_names_its_conclusion_and_three_hints_reveal_more_each():
    names = set()
    for step, board in met():
        names.add(step.technique.name)
        text = describe(step, board)
        assert text.endswith(".")
        assert "  " not in text
        for cell in step.cells[:8]:
            assert board.puzzle.cell_name(cell) in text
        where, what, whole = (hint(step, board, degree) for degree in (1, 2, 3))
        assert whole == text
        assert where.startswith("Look for ")
        decided = {board.puzzle.cell_name(cell) for cell in step.cells}
        shown = {board.puzzle.cell_name(cell) for cell in step.reason}
        assert not (decided - shown) & set(re.findall(r"r\d+c\d+", where))
        assert what.endswith((".", "?"))
    assert len(names) > 12


def test_numbers_in_sentences_are_true():
    for step, board in met():
        text = describe(step, board)
        if step.technique.name == "single exit of an island" and " of its " in text:
            found, wanted = map(int, re.search(r"has (\d+) of its (\d+)", text).groups())
            island = board.island(step.reason[0])
            assert (found, wanted) == (len(island), board.puzzle.numbers[list(island)].max())
        if step.technique.name == "island too large" and "were white" in text:
            wanted, size = map(int, re.search(r"the (\d+) at .* (\d+) cells", text).groups())
            assert size > wanted


@pytest.mark.parametrize("technique", NURIKABE_LADDER, ids=lambda t: t.name)
def test_each_technique_alone_has_words_and_a_picture(technique):
    """Each step of a ladder of this technique alone can be worded and drawn."""
    rng = np.random.default_rng(1)
    solver = LogicSolver((technique,))
    for puzzle in (p for p in SMALL if len(solutions(p)) == 1):
        for step in solver.steps(puzzle):
            board = solver.start(puzzle)
            assert step.technique.name == technique.name
            text = svg(position(board, step, int(rng.integers(1, 4))), title=describe(step, board))
            assert ET.fromstring(text).tag.endswith("svg")


def test_pictures_show_no_more_than_the_hint():
    step, board = next((s, b) for s, b in met() if s.technique.name == "pool")
    counts = [len(position(board, step, degree).shapes) for degree in (2, 3)]
    assert counts[1] > counts[0]
    assert len(position(board).shapes) < counts[0]


def test_the_command_explains_a_walk_and_knows_the_kind():
    result = run("explain", WHAT_IF.text)
    assert result.exit_code == 0, result.output
    assert "What-if on r1c3: if r1c3 were black, that would make" in result.stdout
    assert "Ladder rating 6.2 on nando's ladder for Nurikabe, 28 steps." in result.stdout
    assert run("explain", "--kind", "nurikabe", "-", stdin=WHAT_IF.text).stdout == result.stdout
    assert run("explain", "-", stdin=WHAT_IF.text).stdout == result.stdout
    (row,) = rows("explain", WHAT_IF.text)
    assert (row["ladder_rating"], row["steps"]) == ("6.2", "28")
    hinted = run("explain", "--hint", "2", "--step", "22", format_puzzle(WHAT_IF, "puzz.link"))
    assert hinted.stdout == "If r1c3 were black, what would follow?\n"


def test_pages_are_drawn(tmp_path):
    page, drawing = tmp_path / "steps.html", tmp_path / "steps.svg"
    assert run("explain", "-o", str(page), "--sheet", EASY.text).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "Nurikabe, step by step" in text
    assert "becomes black" in text
    assert text.count("<figure>") == len(list(LogicSolver().steps(EASY)))
    assert run("explain", "-o", str(drawing), "--step", "3", EASY.text).exit_code == 0
    assert ET.parse(drawing).getroot().tag.endswith("svg")


def test_a_ladder_without_what_ifs_says_what_it_lacks():
    scale = scale_of("nurikabe")
    assert scale.column == "ladder_rating"
    easy = str(walk_through(WHAT_IF, NURIKABE_LADDER[:6]))
    assert "technique up to single exit of the river applies; it needs what-ifs, which" in easy
