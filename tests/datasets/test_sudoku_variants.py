"""Published variants of Sudoku: every page is read, and its solution obeys it."""

import bz2
import json

import numpy as np
import pytest
from helpers.data import needs

from nando import datasets
from nando.datasets.janko import SUDOKU_VARIANTS
from nando.datasets.pages import GENRES, read_log, read_page
from nando.datasets.variants import KILLER_BOOKS, RULES

COUNTS = {
    **{"killer": 790, "jigsaw": 650, "diagonals": 130, "consecutive": 260, "kropki": 190},
    **{"greater": 190, "odd-even": 140, "samurai": 320, "butterfly": 180, "skyscraper": 50},
}

KILLER = {
    "puzzle": "killer",
    "patternx": 2,
    "patterny": 2,
    "problem": [list("3-7-"), list("7-3-"), list("68-4"), list("--2-")],
    "areas": [list("aabb"), list("ccdd"), list("eggh"), list("egih")],
    "solution": [list("1234"), list("3412"), list("2143"), list("4321")],
    "moves": "Z1;aa,-,,12;ba,2,,12;aa,1;junk;ab,-;",
}


@pytest.mark.thorough
@needs("sudoku_variants")
def test_every_page_is_read():
    data = datasets.fetch_sudoku_variants(as_frame=True)
    assert data.frame["genre"].value_counts().to_dict() == COUNTS
    assert len(data.problems) == 3
    assert all("log left out" in problem for problem in data.problems)
    assert all(p.is_solution(s) for p, s in zip(data.puzzles, data.solutions, strict=True))
    assert {puzzle.shape for puzzle in data.puzzles} == {(n, n) for n in (4, 5, 6, 7, 8, 9, 12, 21)}
    assert (data.frame["moves"] > 0).sum() == 1422
    ends = data.events[data.events["value"] > 0].groupby(["game", "cell"])["value"].last()
    right = [data.solutions[game][cell] == value for (game, cell), value in ends.items()]
    assert all(right)


@needs("sudoku_variants")
def test_printed_signs_are_all_signs_within_boxes():
    data = datasets.fetch_sudoku_variants(genres="greater")
    for puzzle in data.puzzles:
        (boxes, greater) = puzzle.rules
        within = sum(
            (a.row // boxes.height, a.column // boxes.width)
            == (b.row // boxes.height, b.column // boxes.width)
            for a, b in puzzle.board.adjacent_pairs()
        )
        assert len(greater.marks) == within


@needs("sukaku_variants")
def test_rated_variants_are_read_by_rule():
    data = datasets.fetch_sukaku_variants(as_frame=True)
    assert len(data.puzzles) == 408
    assert set(data.frame["rule"]) == set(RULES)
    assert (data.target.min(), data.target.max()) == (
        data.frame["er"].min(),
        data.frame["er"].max(),
    )
    windows = datasets.fetch_sukaku_variants(rule="windoku")
    assert len(windows.puzzles) == 80
    assert all(puzzle.text.endswith("+windoku") for puzzle in windows.puzzles)
    with pytest.raises(ValueError, match="unknown rule 'knight'; known: diagonals"):
        datasets.fetch_sukaku_variants(rule="knight")


@pytest.mark.thorough
@needs("killer_books")
def test_killers_have_the_solutions_of_their_books():
    data = datasets.fetch_killer_books(as_frame=True)
    assert len(data.puzzles) == 8000
    assert sorted(set(data.target)) == list(range(1, 101))
    for puzzle, solution in zip(data.puzzles[::100], data.frame["solution"][::100], strict=True):
        assert puzzle.is_solution(np.array([*map(int, solution)], np.int8))


@needs("sudoku_6x6")
def test_each_small_grid_was_solved_twice():
    data = datasets.fetch_sudoku_6x6(as_frame=True)
    assert data.frame.groupby("puzzle").size().tolist() == [2] * 20
    assert {puzzle.size for puzzle in data.puzzles} == {6}
    assert (data.target.min(), data.target.max()) == (34, 80)


@pytest.mark.parametrize("spoilt", [("K" + "A" * 80, "405"), ("K" + "A" * 81, "1,2"), ("X", "x")])
def test_a_damaged_killer_names_its_line(tmp_path, monkeypatch, spoilt):
    path = tmp_path / "books.csv"
    letters, sums = spoilt
    path.write_text(
        f'vol,book,puzzle,puzz_color,puzz_hint,solved\n1,1,1,{letters},"{sums}",{"1" * 81}\n'
    )
    monkeypatch.setattr(type(KILLER_BOOKS), "path", lambda *_: path)
    with pytest.raises(ValueError, match=r"books.csv, line 2: "):
        datasets.fetch_killer_books()


def test_a_page_of_each_form():
    puzzle, solution = read_page(KILLER, GENRES["killer"])
    assert solution.tolist() == [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    assert [rule.name for rule in puzzle.rules] == ["boxes"] + ["killer"] * 8
    assert read_log(KILLER["moves"], puzzle, solution) == [
        (0, 0, "12"),
        (1, 2, "12"),
        (0, 1, ""),
        (4, 0, ""),
    ]
    with pytest.raises(ValueError, match="it ends with 3 at r1c1"):
        read_log("aa,3;", puzzle, solution)
    with pytest.raises(ValueError, match="'ea,3': the board has no such cell"):
        read_log("ea,3;", puzzle, solution)
    jigsaw = {
        **KILLER,
        "areas": [list("aabb")] * 2 + [list("ccdd")] * 2,
        "problem": [["-"] * 4] * 4,
    }
    assert "regions" in read_page(jigsaw, GENRES["jigsaw"])[0].text
    bars, _ = read_page({**jigsaw, "depth": 4}, GENRES["consecutive"])
    assert bars.text.startswith("4x4+no-boxes+consecutive:")
    towers, _ = read_page(jigsaw, GENRES["skyscraper"])
    assert [rule.to_text() for rule in towers.rules[1:3]] == [
        "skyscraper:bottom1:1",
        "skyscraper:bottom2:2",
    ]
    clues = [["3", "1", "1", "-"]] + [["-"] * 4] * 3
    signs, _ = read_page({**jigsaw, "clues": clues}, GENRES["greater"])
    assert "greater:r1c2r1c1-r1c3r1c2-r1c4r1c3-r2c1r1c1" in signs.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"solution": None}, "a grid must have 1 to 25 digits"),
        ({"solution": [list("1234")] * 4}, "does not obey"),
        ({"areas": None}, "a table is missing or has another shape than 4x4"),
        ({"problem": [list("345")] * 4}, "another shape than 4x4"),
        ({"patternx": "two"}, "the size of the boxes is damaged"),
        ({"solution": [list("12$4")] * 4}, "'\\$' is no digit"),
    ],
)
def test_a_damaged_page_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        read_page({**KILLER, **change}, GENRES["killer"])


def test_pages_written_as_python_are_read_and_damaged_lines_named(tmp_path, monkeypatch):
    folder = tmp_path / SUDOKU_VARIANTS.name
    folder.mkdir()
    assert not SUDOKU_VARIANTS.is_available(tmp_path)
    with pytest.raises(ValueError, match="unknown genre 'Killer'; known: killer"):
        datasets.fetch_sudoku_variants(genres="Killer", data_home=tmp_path)
    path = folder / "Sudoku_Killer.jsonl.bz2"
    lines = [json.dumps({"file": "a", "data": repr(KILLER)}), "{}", '{"file": 1, "data": "x("}']
    with bz2.open(path, "wt") as file:
        file.write("\n".join(lines))
    with pytest.raises(ValueError, match="SHA-256"):
        datasets.fetch_sudoku_variants(genres="killer", data_home=tmp_path)
    monkeypatch.setattr(type(SUDOKU_VARIANTS), "path", lambda *_: path)
    data = datasets.fetch_sudoku_variants(genres="killer", as_frame=True)
    assert len(data.puzzles) == 1
    assert data.problems == [
        f"Sudoku_Killer.jsonl.bz2, line {n}: not the JSON of a puzzle" for n in (2, 3)
    ]
    assert np.isnan(data.target).all()
    assert data.frame["moves"].tolist() == [4]
