"""The commands that make puzzles and books, run as a user runs them."""

import json
import re
import signal

import numpy as np
import pytest
from helpers.command import rows, rows_of, run

import nando
from nando import making as _making
from nando.books import read_book, read_spec
from nando.cli.making import counts, seconds
from nando.generators import Record, Wishes
from nando.puzzles import Nurikabe, Sudoku, read_puzzles
from nando.rating import load_model
from nando.solvers import count_solutions

BEGIN = "puzzle,solution,predicted_seconds,grade,givens,seed,model_id"


def made(*arguments):
    return rows("generate", *arguments)


@pytest.fixture(scope="module")
def six():
    return made("--target", "6min", "--count", 6, "--seed", 7, "--symmetry", "rotational")


# Puzzles


def test_columns_begin_as_documented():
    result = run("generate", "--no-rating", "-f", "csv")
    assert result.stdout.startswith(BEGIN)


def test_puzzles_are_rated_if_asked_for():
    for arguments, rated in [
        ((), False),
        (("--minimal",), False),
        (("--rating",), True),
        (("--grade", "easy"), True),
    ]:
        (row,) = made(*arguments)
        found = [row[name] for name in ("predicted_seconds", "grade", "first_cell")]
        assert [value != "" for value in found] == [rated] * 3
    assert "grade" not in run("generate").stdout
    assert "grade" in run("generate", "--rating").stdout


def test_puzzles_have_the_predicted_time(six):
    for row in six:
        puzzle = Sudoku(row["puzzle"])
        assert count_solutions(puzzle) == 1
        assert puzzle.is_solution(Sudoku(row["solution"]).givens)
        assert 324 <= float(row["predicted_seconds"]) <= 396
        assert float(row["low_seconds"]) < 360 < float(row["high_seconds"])
        assert np.array_equal(puzzle.givens > 0, puzzle.givens[::-1] > 0)
        assert int(row["givens"]) == puzzle.n_givens
        assert row["model_id"] == load_model().model_id


def test_a_nurikabe_has_the_predicted_time():
    wishes = "--kind nurikabe --size 7x6 --target 150s --mean-size 3.5 -n 2"
    for row in made(*wishes.split()):
        puzzle = Nurikabe(row["puzzle"])
        assert puzzle.shape == (6, 7)
        assert puzzle.is_solution(puzzle.solution_values(row["solution"]))
        assert puzzle.numbers[int(row["first_cell"])] == 0
        assert 135 <= float(row["predicted_seconds"]) <= 165
        assert nando.rate(puzzle).predicted == float(row["predicted_seconds"])


def test_rating_them_gives_the_same_numbers(six, tmp_path):
    file = tmp_path / "six.csv"
    assert run("generate", "--target", "6min", "-n", 6, "--seed", 7, "--symmetry", "rotational",
               "--jobs", 2, "-o", file).exit_code == 0  # fmt: skip
    assert rows_of(file.read_text()) == six
    for row, one in zip(rows("rate", file), six, strict=True):
        assert row["predicted_seconds"] == one["predicted_seconds"]


def test_a_fine_tolerance_is_kept():
    (row,) = made("--target", "6min", "--tolerance", "2%", "--seed", 1)
    assert 352.8 <= float(row["predicted_seconds"]) <= 367.2


@pytest.mark.parametrize("name", ["p.txt", "p.sdm", "p.csv", "p.json", "p.parquet", "p.txt.gz"])
def test_files(tmp_path, name):
    file = tmp_path / name
    result = run("generate", "-n", 3, "--seed", 5, "--no-rating", "-o", file)
    assert result.exit_code == 0, result.stderr
    if name == "p.parquet":
        import pandas as pd

        found = pd.read_parquet(file)["puzzle"].tolist()
    elif name == "p.json":
        found = [row["puzzle"] for row in json.loads(file.read_text())]
    else:
        found = [entry.puzzle.text for entry in read_puzzles(file)]
    assert found == [row["puzzle"] for row in made("-n", 3, "--seed", 5, "--no-rating")]
    assert not list(tmp_path.glob("*.part*"))


def test_excluded_puzzles_do_not_come_up(tmp_path):
    first = made("-n", 2, "--seed", 5, "--no-rating")
    bank = tmp_path / "bank.txt"
    rng = np.random.default_rng(0)
    bank.write_text(f"{Sudoku(first[0]['puzzle']).shuffled(rng)}\nnonsense\n")
    result = run("generate", "-n", 2, "--seed", 5, "--no-rating", "--exclude", bank, "-f", "csv")
    again = rows_of(result.stdout)
    assert again[0]["puzzle"] != first[0]["puzzle"]
    assert again[1]["puzzle"] == first[1]["puzzle"]
    assert "line 2" in result.stderr


def test_a_pattern_from_a_file(tmp_path):
    drawn = tmp_path / "pattern.txt"
    lines = ["x..x..x..", ".x..x..x.", "..x..x..x"] * 3
    drawn.write_text("\n".join(lines))
    (row,) = made("--pattern", drawn, "--no-rating", "--seed", 1)
    assert [symbol != "." for symbol in row["puzzle"]] == [s == "x" for s in "".join(lines)]


# Interrupted runs


@pytest.fixture
def interrupted_at(monkeypatch):
    """Press Ctrl-C before the puzzle with this number is generated."""
    original = _making.Maker.make

    def set_to(number):
        monkeypatch.setattr(_making, "TOGETHER", 1)

        def make(self, *arguments):
            for record in original(self, *arguments):
                if record.index == number:
                    raise KeyboardInterrupt
                yield record

        monkeypatch.setattr(_making.Maker, "make", make)

    return set_to


def test_an_interrupted_run_resumes(tmp_path, interrupted_at, monkeypatch):
    file, arguments = tmp_path / "p.csv", ("-n", 5, "--seed", 3, "--no-rating")
    interrupted_at(3)
    result = run("generate", *arguments, "-o", file)
    assert result.exit_code == 130
    assert "3 of 5 puzzles are kept in" in result.stderr
    assert not file.exists()
    monkeypatch.undo()

    refused = run("generate", *arguments, "-o", file)
    assert refused.exit_code == 2
    assert "continue with --resume, or delete it" in refused.stderr
    other = run("generate", "-n", 5, "--seed", 4, "--no-rating", "-o", file, "--resume")
    assert other.exit_code == 2
    assert "belongs to a run with other options" in other.stderr

    result = run("generate", *arguments, "-o", file, "--resume")
    assert result.exit_code == 0
    assert "resumed: 3 puzzles are done" in result.stderr
    assert rows_of(file.read_text()) == made(*arguments)
    assert list(tmp_path.iterdir()) == [file]


def test_finished_puzzles_are_kept_when_one_is_out_of_reach(tmp_path):
    file = tmp_path / "p.csv"
    # The budget is enough for some of the puzzles only.
    result = run("generate", "--target", "5min", "-n", 30, "--budget", 9, "--seed", 1, "-o", file)
    assert result.exit_code == 2
    assert "was not reached" in result.stderr
    kept = re.search(r"(\d+) of 30 puzzles are kept", result.stderr)
    assert len((tmp_path / "p.csv.part").read_text().splitlines()) == 1 + int(kept[1])


def test_signals_are_left_alone():
    before = signal.getsignal(signal.SIGINT)
    run("generate", "--no-rating")
    assert signal.getsignal(signal.SIGINT) is before


# Books


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    result = run("book", "--grades", "beginner:2,diabolical:2", "--seed", 7, "--hints",
                 "-o", folder / "book.pdf")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    return folder, result.stdout


def test_a_book_and_its_manifest(printed):
    folder, said = printed
    assert said.endswith("book.json makes it again\n")
    assert "4 puzzles" in said
    assert {file.name for file in folder.iterdir()} == {"book.pdf", "book.json"}
    manifest = json.loads((folder / "book.json").read_text())
    assert [section["title"] for section in manifest["sections"]] == ["Beginner", "Diabolical"]
    records = [Record.from_row(row) for s in manifest["sections"] for row in s["records"]]
    assert [record.grade for record in records] == ["beginner"] * 2 + ["diabolical"] * 2
    assert len({record.index for record in records}) == 4
    assert all(record.puzzle.givens[record.first_cell] == 0 for record in records)


def test_the_manifest_makes_the_same_bytes(printed, tmp_path):
    folder, _ = printed
    again = tmp_path / "again.pdf"
    assert run("book", "--from", folder / "book.json", "-o", again).exit_code == 0
    assert again.read_bytes() == (folder / "book.pdf").read_bytes()


def test_a_book_of_times(tmp_path):
    file = tmp_path / "book.html"
    result = run("book", "--targets", "5min:1,7min:1", "--seed", 1, "--title", "Breaks", "-o", file)
    assert result.exit_code == 0, result.stderr
    text = file.read_text()
    assert "5\u00a0min" in text
    assert "Breaks" in text


def test_a_book_of_a_bank(tmp_path):
    bank = tmp_path / "bank.txt"
    puzzles = [row["puzzle"] for row in made("-n", 3, "--seed", 5, "--no-rating")]
    bank.write_text("\n".join([*puzzles, "nonsense"]))
    file = tmp_path / "book.html"
    result = run("book", "--from", bank, "-o", file)
    assert result.exit_code == 1
    assert "line 4" in result.stderr
    assert "3 puzzles" in result.stdout
    few = run("book", "--from", bank, "--grades", "beginner:3", "-o", file)
    assert few.exit_code == 2
    assert "3 beginner puzzles wanted, it has" in few.stderr


BOOK_FILE = """
title = "Evenings"
seed = 3
[design]
trim = "5x8"
[[parts]]
grade = "easy"
count = 2
per_page = 2
[[parts]]
kind = "nurikabe"
size = "5x5"
count = 1
"""


@pytest.fixture
def book_file(tmp_path):
    path = tmp_path / "evenings.toml"
    path.write_text(BOOK_FILE, encoding="utf-8")
    return path


@pytest.mark.thorough
def test_a_book_from_a_file(book_file, tmp_path):
    output = tmp_path / "book.pdf"
    result = run("book", book_file, "-o", output, "--preview", "--cover")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(f"{output}: 3 puzzles, ")
    names = {"book.pdf", "book.json", "book-preview.png", "book-cover.pdf", "evenings.toml"}
    assert {path.name for path in tmp_path.iterdir()} == names
    book = read_book(tmp_path / "book.json")
    assert book.spec == read_spec(book_file)
    sudoku, nurikabe = book.sections
    assert [record.grade for record in sudoku.records] == ["easy", "easy"]
    assert [record.symmetry for record in sudoku.records] == ["rotational"] * 2
    assert [record.puzzle.shape for record in nurikabe.records] == [(5, 5)]
    # Numbers continue from part to part, so that no two puzzles have the same draws.
    assert [(record.seed, record.index) for record in nurikabe.records] == [(3, 2)]
    again = tmp_path / "again.pdf"
    assert run("book", "--from", tmp_path / "book.json", "-o", again).exit_code == 0
    assert again.read_bytes() == output.read_bytes()


@pytest.mark.thorough
def test_an_interrupted_book_from_a_file_resumes(book_file, tmp_path, monkeypatch):
    from nando.making import Maker

    whole = tmp_path / "whole.html"
    assert run("book", book_file, "-o", whole).exit_code == 0
    make = Maker.make

    def interrupted(self, wishes, indices, *rest):
        if indices.start > 1:
            raise KeyboardInterrupt
        return make(self, wishes, indices, *rest)

    monkeypatch.setattr(Maker, "make", interrupted)
    output = tmp_path / "book.html"
    result = run("book", book_file, "-o", output)
    assert result.exit_code == 130
    assert "2 of 3 puzzles are kept" in result.stderr
    monkeypatch.setattr(Maker, "make", make)
    result = run("book", book_file, "-o", output, "--resume")
    assert result.exit_code == 0, result.stderr
    assert "resumed: 2 puzzles are done" in result.stderr
    assert output.read_bytes() == whole.read_bytes()


# Arguments


def test_arguments_that_are_no_time_or_share():
    for text in ("", "8 parsecs", "-3min", "0", "nan", "1h soon", "inf"):
        with pytest.raises(ValueError, match="not a time"):
            seconds(text)
    for text in ("", "0%", "100%", "-1", "much", "1%0"):
        with pytest.raises(ValueError, match="tolerance must be"):
            Wishes(minutes=8, tolerance=text)


def test_counts_of_times():
    assert counts("4min:12,1h 30min:2", "--targets") == [("4min", 12), ("1h 30min", 2)]
