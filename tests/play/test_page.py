"""The file that `nando play` writes: its contents, and its secrets."""

import html
import re
import subprocess
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from helpers.pages.played_pages import NODE, NURIKABE, SUDOKU, TRICKY, data_of, played

from nando.drawing.boards import position
from nando.play import PlayedPuzzle, play_html
from nando.play.page import script, words
from nando.play.puzzle import steps_of
from nando.puzzles import Sudoku
from nando.solvers import unique_solution
from nando.solvers.logic import shorten, walk_through
from nando.solvers.logic.language import PAGE_LANGUAGES

HOSTILE = "</script><script>alert(1)</script><!-- & \"x\" 'y' \u2028"
PUZZLES = [played(SUDOKU), played(TRICKY), played(NURIKABE)]


@pytest.mark.parametrize("puzzle", [SUDOKU, TRICKY, NURIKABE], ids=["sudoku", "tricky", "nurikabe"])
def test_the_solutions_written_down_are_those_of_the_solver(puzzle):
    assert played(puzzle).record.solution == puzzle.solution_text(unique_solution(puzzle))


@pytest.fixture(scope="module")
def page():
    return play_html(PUZZLES, title=HOSTILE)


def test_the_page_describes_the_puzzles(page):
    first, second, third = data_of(page)["puzzles"]
    assert (first["text"], first["grade"], first["predicted"]) == (SUDOKU.text, "easy", 350.0)
    assert (first["rows"], first["box"]) == (9, 3)
    assert (third["columns"], third["numbers"]) == (5, NURIKABE.numbers.tolist())
    assert len(second["steps"]) == len(shorten(walk_through(TRICKY)).steps)
    assert data_of(play_html(PUZZLES[:1]))["puzzles"] == [first]


def test_a_hostile_title_is_text(page):
    assert page.count("<script") == 2
    assert html.escape(HOSTILE.split(" ")[0], quote=False) in page
    assert "alert(1)</script>" not in page


def test_a_hostile_grade_stays_inside_its_element():
    found = play_html([played(SUDOKU, grade=HOSTILE)])
    assert found.count("</script>") == 2
    assert data_of(found)["puzzles"][0]["grade"] == HOSTILE


def test_the_page_needs_no_network(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert "default-src 'none'" in html.unescape(policy)
    assert "unsafe-inline'; base-uri" in html.unescape(policy)
    addresses = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|import)\s*\(", page)


def test_the_page_without_puzzles_is_small(page):
    puzzles = len(re.search(r'"puzzles":(\[.*\])\}</script>', page, re.DOTALL)[1])
    assert len(page.encode()) - puzzles < 250_000


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_joined_script_is_a_module(tmp_path):
    path = tmp_path / "page.mjs"
    path.write_text(script(), encoding="utf-8")
    # Two files that define the same top-level name are an error here.
    subprocess.run([NODE, "--check", path], check=True)
    assert not re.search(r"^(?:import|export)\b", script(), re.MULTILINE)


def test_every_text_is_used():
    folder = files("nando.play") / "web"
    used = script() + "play_title"  # the default title of a page
    used += "".join((folder / f"{name}.html").read_text("utf-8") for name in ("play", "table"))
    made_up = ("grade_", "mode_", "twice_", "mistake_", "broken_")
    for name in words():
        assert name.startswith(made_up) or re.search(rf"\b{name}\b", used), name


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [TRICKY, NURIKABE], ids=["sudoku", "nurikabe"])
def test_drawings_add_the_marks_of_a_step_to_the_position(puzzle):
    walk = walk_through(puzzle)
    for plain, taken in zip(steps_of(walk), walk.steps, strict=True):
        for language, said in plain["say"].items():
            shown = replace(taken, language=language)
            assert said == [shown.sentence(degree) for degree in (1, 2, 3)]
        assert list(plain["say"]) == list(PAGE_LANGUAGES)
        first, shared, second, third = plain["shapes"]
        for degree, shapes in ((1, first), (2, shared + second), (3, shared + third)):
            bare = position(taken.position).shapes
            full = position(taken.position, taken.step, degree).shapes
            # A step may strike out a mark of the position, which draws the mark again.
            assert len(shapes) == len(full) - sum(
                min(full.count(s), bare.count(s)) for s in {*bare}
            )


def test_puzzles_without_hints_and_predictions_can_be_played():
    (plain,) = data_of(play_html([PlayedPuzzle(PUZZLES[0].record, None, hints=False)]))["puzzles"]
    assert plain["steps"] == []
    assert plain["likely"] is None


def test_likely_cells_are_listed_in_order():
    places = np.where(SUDOKU.givens == 0, np.arange(81) + 0.25, 0.0)
    page = play_html([PlayedPuzzle(PUZZLES[0].record, places, hints=False)])
    assert data_of(page)["puzzles"][0]["likely"][2] == 2.2
    assert 'data-setting="likely"' in page
    assert 'data-setting="likely"' not in play_html([PUZZLES[0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"puzzles": []}, "at least one puzzle"),
        ({"puzzles": PUZZLES, "language": "fr"}, "language must be one of en, de, got 'fr'"),
    ],
)
def test_an_invalid_page_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        play_html(**arguments)


def test_a_wrong_solution_is_refused():
    record = played(SUDOKU).record
    wrong = PlayedPuzzle(type(record)(Sudoku(SUDOKU.text), "1" * 81))
    with pytest.raises(ValueError, match=r"the solution of .* is wrong"):
        play_html([wrong])
