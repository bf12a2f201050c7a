"""Worksheets on one technique."""

import re

import pytest
from helpers.command import run
from helpers.samples.house_puzzles import HOUSE_PUZZLES
from helpers.samples.sudokus import LINE

from nando.api.logic import lessons
from nando.solvers import LogicSolver

XY_WING = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"


@pytest.fixture(scope="module")
def found():
    return lessons("x-wing", count=2, seed=1)


def test_the_step_is_the_hardest_and_comes_once_and_early(found):
    for lesson in found:
        assert lesson.step.family == "X-wing"
        profile = LogicSolver().profile(lesson.puzzle)
        assert (profile.solved, profile.rating, profile.uses["X-wing"]) == (True, 3.2, 1)
        n_blanks = lesson.walk.steps[0].position.n_blanks
        assert lesson.step.position.n_blanks >= n_blanks / 2


@pytest.mark.thorough
def test_one_seed_makes_the_same_puzzles(found):
    assert [one.puzzle for one in lessons("X-Wing", count=2, seed=1)] == [
        one.puzzle for one in found
    ]


def test_a_bank_is_searched_in_its_order():
    (lesson,) = lessons("Y-Wing", [LINE, XY_WING], count=1)
    assert lesson.puzzle.text == XY_WING
    with pytest.raises(ValueError, match="0 of 1 puzzles for a lesson on swordfish found among 2"):
        lessons("swordfish", [LINE, XY_WING], count=1)


def test_variants_and_6x6_give_lessons(tmp_path):
    bank = [HOUSE_PUZZLES[name] for name in ("6x6", "diagonals", "killer")]
    (lesson,) = lessons("innie", bank, count=1)
    assert (lesson.puzzle, lesson.step.family) == (bank[2], "innie or outie")
    assert lesson.walk.rating == lesson.step.step.rating
    (lesson,) = lessons("direct hidden pair", bank, count=1)
    assert lesson.puzzle == bank[0]
    page = tmp_path / "lesson.html"
    done = run("explain", "--lesson", "innie", "--count", "1", bank[2].text, "-o", page)
    assert (done.exit_code, page.read_text(encoding="utf-8").count("<figure>")) == (0, 2)


def test_a_lesson_is_listed(tmp_path):
    bank = tmp_path / "bank.txt"
    bank.write_text(f"{LINE}\n{XY_WING}\n123\n", encoding="utf-8")
    shown = run("explain", "--lesson", "xy-wing", "--count", "1", "--coordinates", "A1", bank)
    assert shown.stdout.startswith(f"{XY_WING}\n  24. XY-wing with pivot F8 (5 6) and pincers D7")


def test_a_worksheet_as_a_page(tmp_path):
    file = tmp_path / "lesson.html"
    run("explain", "--lesson", "xy-wing", "--count", "1", "-o", file, XY_WING)
    page = file.read_text(encoding="utf-8")
    assert "In each grid, the next step is: XY-wing. Find it." in page
    asked, answers = page.split("Answers")
    assert "pivot" not in asked
    assert "XY-wing with pivot r6c8" in answers
    assert len(re.findall("<figure>", page)) == 2


def test_a_worksheet_as_a_book(tmp_path):
    pypdf = pytest.importorskip("pypdf")
    file = tmp_path / "lesson.pdf"
    run("explain", "--lesson", "xy-wing", "--count", "1", "-o", file, XY_WING, "--language", "de")
    asked, answers, solved = (page.extract_text() for page in pypdf.PdfReader(file).pages)
    assert "In jedem Gitter ist der nächste Schritt: XY-Wing." in " ".join(asked.split())
    assert "3 entfällt in Z4S5" in " ".join(answers.split())
    assert "Lösungen" in solved
