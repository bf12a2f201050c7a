"""The command `play`: sources of puzzles, and messages about bad input."""

import pytest
from helpers.command import run
from helpers.pages.played_pages import NURIKABE, SUDOKU, TRICKY, data_of

from nando.rating import GRADES

SEVERAL = "." * 81


def puzzles_of(path):
    return data_of(path.read_text(encoding="utf-8"))["puzzles"]


@pytest.mark.thorough
def test_puzzles_of_a_file_are_rated_and_explained(tmp_path):
    (tmp_path / "two.txt").write_text(f"{SUDOKU.text}\n{TRICKY.text}\n", encoding="utf-8")
    page = tmp_path / "play.html"
    result = run("play", tmp_path / "two.txt", "-o", page, "--title", "Tea", "--language", "de")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{page}: 2 puzzles, ")
    found = puzzles_of(page)
    assert [one["text"] for one in found] == [SUDOKU.text, TRICKY.text]
    assert all(one["grade"] in GRADES and one["predicted"] > 0 and one["steps"] for one in found)
    assert all(sum(place > 0 for place in one["likely"]) == one["givens"].count(0) for one in found)
    text = page.read_text(encoding="utf-8")
    assert "<title>Tea</title>" in text
    assert '<html lang="de">' in text
    again = tmp_path / "again.html"
    run("play", tmp_path / "two.txt", "-o", again, "--title", "Tea", "--language", "de")
    assert again.read_bytes() == page.read_bytes()


def test_a_nurikabe_is_an_argument_itself(tmp_path):
    page = tmp_path / "play.html"
    assert run("play", NURIKABE.text, "-o", page, "--no-rating", "--no-hints").exit_code == 0
    (found,) = puzzles_of(page)
    assert (found["kind"], found["predicted"], found["grade"]) == ("nurikabe", None, "")
    assert found["steps"] == []


def test_files_of_several_kinds_make_one_page(tmp_path):
    for name, puzzle in (("one.txt", SUDOKU), ("two.txt", NURIKABE), ("three.txt", TRICKY)):
        (tmp_path / name).write_text(f"{puzzle.text}\n", encoding="utf-8")
    page, files = tmp_path / "play.html", [tmp_path / f"{n}.txt" for n in ("one", "two", "three")]
    result = run("play", *files, "-o", page, "--no-rating", "--no-hints")
    assert result.exit_code == 0, result.stderr
    assert [one["text"] for one in puzzles_of(page)] == [SUDOKU.text, NURIKABE.text, TRICKY.text]


def test_puzzles_of_a_grade_are_made(tmp_path):
    page = tmp_path / "play.html"
    arguments = ("--kind", "nurikabe", "--size", "5x5", "--grades", f"{GRADES[0]}:2")
    result = run("play", *arguments, "-o", page)
    assert result.exit_code == 0, result.output
    found = puzzles_of(page)
    assert [one["grade"] for one in found] == [GRADES[0]] * 2
    assert [path.name for path in tmp_path.iterdir()] == ["play.html"]


def test_bad_puzzles_are_named_and_the_others_played(tmp_path):
    (tmp_path / "some.txt").write_text(f"{SUDOKU.text}\n{SEVERAL}\n", encoding="utf-8")
    page = tmp_path / "play.html"
    result = run("play", tmp_path / "some.txt", "-o", page, "--no-hints")
    assert result.exit_code == 1
    assert "line 2: several solutions" in result.stderr
    assert len(puzzles_of(page)) == 1


def test_an_interrupted_run_leaves_the_page_that_was_there(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("nando.making.Maker.make", interrupt)
    page = tmp_path / "play.html"
    page.write_text("before", encoding="utf-8")
    assert run("play", "--grades", f"{GRADES[0]}:2", "-o", page).exit_code == 130
    assert page.read_text(encoding="utf-8") == "before"
