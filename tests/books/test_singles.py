"""Single puzzles for a layout program: pictures by number, and a list of them."""

import csv
from xml.etree import ElementTree

import pytest
from helpers.samples.books import NURIKABE, SMALL, book_of

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.generators.records import Record
from nando.puzzles import Variant


def texts(path):
    return [node.text for node in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]


def test_a_folder_has_every_puzzle_and_solution_by_number(tmp_path):
    sandwich = Record(Variant("4x4+sandwich:left1:5"), "1234341221434321")
    book = book_of([*SMALL[:2], NURIKABE[0], sandwich], language="it")
    book.write_singles(tmp_path / "new" / "puzzles")
    folder = tmp_path / "new" / "puzzles"
    rows = list(csv.DictReader((folder / "index.csv").read_text(encoding="utf-8").splitlines()))
    named = [name for row in rows for name in (row["file"], row["solution"])]
    assert {path.name for path in folder.iterdir()} == {*named, "index.csv"}
    assert named[:2] == ["001.svg", "001-solution.svg"]
    records = [record for section in book.sections for record in section.records]
    for row, record in zip(rows, records, strict=True):
        assert (row["puzzle"], row["answer"]) == (record.puzzle.text, record.solution)
        whole = texts(folder / row["solution"])
        if record.puzzle.kind == "sudoku":
            assert len(texts(folder / row["file"])) == record.givens
            assert "".join(whole) == record.solution
            assert row["minutes"] == str(record.amount)
            assert row["grade"] == book.layout.words.grade(record.grade)
    assert rows[-1]["kind"] == "Sudoku sandwich 4\u00a0×\u00a04"
    assert rows[-1]["minutes"] == ""
    assert "5" in texts(folder / rows[-1]["file"])


def test_pictures_are_png_on_demand(tmp_path):
    pytest.importorskip("matplotlib")
    book_of(SMALL[:1]).write_singles(tmp_path, "png")
    assert {path.name for path in tmp_path.iterdir()} == {
        "001.png",
        "001-solution.png",
        "index.csv",
    }
    with pytest.raises(ValueError, match="format must be one of svg, png, got 'gif'"):
        book_of(SMALL[:1]).write_singles(tmp_path, "gif")
