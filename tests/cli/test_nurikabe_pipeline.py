"""Nurikabe through files, records, features, models and commands."""

import json

import numpy as np
import pytest
from helpers.command import rows, run
from helpers.samples.nurikabe_boards import GUESSED
from helpers.samples.sudokus import LINE

from nando.evaluation.times import _in_order
from nando.features import SolverFeatures, default_groups, feature_names, kinds_of
from nando.puzzles import Nurikabe, PuzzleError, Sudoku, format_puzzle, read_puzzles
from nando.rating import default_columns, load_model
from nando.solvers import unique_solution

ONE = Nurikabe("....4./..3.../4...../....../....../3..2..")
HARDER = Nurikabe("...7.../....2.5/......./1....../....2../1....../...5...")
OTHER = Nurikabe("....../...3../2...../.1..../....3./.4....")
OTHER_LINK = format_puzzle(OTHER, "puzz.link")
SEVERAL = Nurikabe("2./..")
NONE = Nurikabe("1./.1")


def read(text, format=None):
    return list(read_puzzles(text.encode(), Nurikabe, format=format))


# Solutions as text


@pytest.mark.parametrize("puzzle", [ONE, GUESSED, Nurikabe("3.."), Sudoku(LINE)])
def test_solutions_are_lines(puzzle):
    values = unique_solution(puzzle)
    text = puzzle.solution_text(values)
    assert "\n" not in text
    assert puzzle.solution_values(text).tolist() == values.tolist()
    assert puzzle.solution_values(text).dtype == np.int8


def test_solution_lines_are_the_symbols_of_files():
    assert Nurikabe("2.1").solution_text([1, 1, 1]) == "ooo"
    assert Nurikabe("2../...").solution_text([1, 2, 0, 1, 2, 2]) == "ox./oxx"
    assert Sudoku("." * 81).solution_text([1] * 80 + [0]) == "1" * 80 + "."


def test_lines_without_a_solution_are_refused():
    with pytest.raises(PuzzleError, match="wrong length: a solution has 2 rows of 3 cells"):
        Nurikabe("2../...").solution_values("oxxoxx")
    with pytest.raises(PuzzleError, match="foreign symbol: a solution has o for islands"):
        Nurikabe("2../...").solution_values("oxx/ox#")
    with pytest.raises(PuzzleError, match="wrong length: 80 symbols"):
        Sudoku(LINE).solution_values("1" * 80)


# Files


def test_every_form_is_read():
    grid = ONE.grid()
    text = "\n".join(
        [
            "# some puzzles",
            ONE.text,
            OTHER_LINK,
            json.dumps({"problem": [[2, "-"], ["-", "?"]]}),
            "",
            grid,
            "",
            "Puzzle 4",
            *OTHER.text.split("/"),
            ONE.text,
            *("2.x", "...", ".."),
            "[[2, 0]]",
            "",
            "2.1",
        ]
    )
    entries = read(text)
    assert [entry.line for entry in entries] == [2, 3, 4, 6, 14, 20, 21, 24, 26]
    found = [entry.puzzle for entry in entries]
    assert found == [ONE, OTHER, "2./.?", ONE, OTHER, ONE, None, "2.", "2.1"]
    assert "wrong length: row 3 has 2" in entries[6].error
    assert "'x' at r1c3" in entries[6].error


def test_lines_alone_and_long_ones():
    assert [entry.puzzle for entry in read("2.\n.1\n", "line")] == ["2.", ".1"]
    (entry,) = read("2." * 100_000)
    assert entry.error == "wrong length: a line of 200,000 characters is not a puzzle"
    assert len(read("2.\n" * 2_500)) == 3


# Features


def slow_static(numbers, area):
    """Compute the static metrics cell by cell."""
    cells = list(np.ndindex(*numbers.shape))
    islands = [cell for cell in cells if numbers[cell]]

    def away(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def shared(beyond):
        return sum(
            not numbers[cell]
            and sum(numbers[i] < 0 or away(cell, i) <= numbers[i] - 1 + beyond for i in islands) > 1
            for cell in cells
        )

    nearest = [min(away(i, j) for j in islands if i != j) for i in islands]
    pairs = [away(i, j) for i in islands for j in islands if i < j]
    return [
        len(cells),
        len(islands),
        area / len(cells),
        np.mean(nearest),
        np.mean(pairs),
        shared(0),
        shared(1),
    ]


@pytest.mark.parametrize("puzzle", [ONE, OTHER, GUESSED], ids=str)
def test_static_metrics_are_those_of_the_definitions(puzzle):
    row = SolverFeatures(groups=["nurikabe_static"]).fit_transform([puzzle])[0]
    area = np.count_nonzero(unique_solution(puzzle) == 1)
    assert row == pytest.approx(slow_static(puzzle.numbers.reshape(puzzle.shape), area))


def test_default_groups_of_a_kind():
    names = feature_names(default_groups("nurikabe"))
    assert set(default_columns("nurikabe")) <= set(names)
    assert kinds_of(default_groups("nurikabe")) == ("nurikabe",)
    assert kinds_of(["exact"]) == ("sudoku", "nurikabe", "variant")
    assert set(default_columns("sudoku")) <= set(feature_names(default_groups("sudoku")))
    for function in (default_groups, default_columns):
        with pytest.raises(ValueError, match="no features for 'heyawake' puzzles; known: sudoku"):
            function("heyawake")


def test_features_of_another_kind_are_refused():
    with pytest.raises(ValueError, match="'search_time' is not for 'nurikabe' puzzles; those that"):
        SolverFeatures(groups=["exact", "search_time"]).fit_transform([ONE])
    with pytest.raises(ValueError, match="'nurikabe_static' is not for 'sudoku' puzzles"):
        SolverFeatures(groups=["nurikabe_static"]).fit_transform([Sudoku(LINE)])


# Commands


@pytest.fixture
def puzzles(tmp_path):
    file = tmp_path / "puzzles.txt"
    several = format_puzzle(SEVERAL, "puzz.link")
    file.write_text(f"{ONE.text}\n{several}\n\n{NONE.grid()}\n\n{OTHER.grid()}\n")
    return file


def test_count_gives_up_after_so_many_guesses():
    lines = f"{GUESSED.text}\n{ONE.text}\n"
    options = ("--kind", "nurikabe", "--count", "--steps", "1")
    result = run("solve", *options, "-f", "jsonl", stdin=lines)
    assert json.loads(result.stdout.splitlines()[0])["solutions"] is None
    assert "undecided" in run("solve", *options, stdin=lines).stdout


def test_rate_in_seconds_of_the_shipped_model(puzzles):
    easy, hard = rows("rate", stdin=f"{ONE.text}\n{HARDER.text}\n")
    low, predicted, high = (float(easy[f"{name}_seconds"]) for name in ("low", "predicted", "high"))
    assert 2 * low < predicted < high / 2  # nobody was timed
    assert predicted < float(hard["predicted_seconds"])
    assert easy["model_id"].startswith("nurikabe-looks-")
    assert (easy["flags"], easy["flag_codes"]) == ("nobody was timed on Nurikabe", "nobody_timed")
    assert "[nobody timed]" in run("rate", stdin=HARDER.text).stdout
    assert "unknown puzzle kind 'x'" in run("rate", "--kind", "x", puzzles).stderr


def test_the_shipped_model_says_what_it_is():
    model = load_model(kind="nurikabe")
    assert (model.provenance_["puzzles"], model.timed_) == (1048, 0)
    assert tuple(model.columns) == default_columns("nurikabe")
    checked = model.provenance_["in order"]
    assert 0.8 < checked["least"] < checked["share"] < checked["most"] < 0.9


def test_pairs_are_compared_within_a_size():
    """Of four pairs of unequal order in two strata, one is wrong and one tied."""
    x = np.array([1.0, 2.0, 2.0, 9.0, 3.0, 4.0])
    order = np.array([1.0, 2.0, 1.0, 1.0, 2.0, 2.0])
    strata = np.array([0, 0, 0, 1, 1, 2])
    assert _in_order(x, order, strata) == pytest.approx((1 + 0.5 + 0) / 3)
    assert np.isnan(_in_order(x, order, np.arange(6)))


def test_files_of_two_kinds_are_refused_before_anything_is_computed(tmp_path):
    sudoku, nurikabe = tmp_path / "sudoku.txt", tmp_path / "nurikabe.txt"
    sudoku.write_text("." * 78 + "123\n", encoding="utf-8")
    nurikabe.write_text("2..../...3./...../.2.../...2.\n", encoding="utf-8")
    result = run("rate", str(nurikabe), str(sudoku))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "puzzles of the kind 'sudoku'" in result.stderr
    assert "--kind" in result.stderr
    result = run("rate", str(nurikabe), str(sudoku), "--kind", "nurikabe", "-f", "csv")
    assert result.exit_code == 1, "the way out that the message names"


# Making


@pytest.mark.thorough
def test_a_book_of_nurikabe_by_minutes(tmp_path):
    book = tmp_path / "book.html"
    result = run(
        *("book", "--kind", "nurikabe", "--size", "6x6", "--targets", "1min:2,2min:1"),
        *("-o", book, "--hints"),
    )
    assert result.exit_code == 0, result.stderr
    page = book.read_text(encoding="utf-8")
    assert "Nurikabe" in page
    assert "Points say how much there is to find" not in page
    assert "What the minutes mean" in page
    assert "Nobody was timed on Nurikabe" in page
    again = tmp_path / "again.html"
    assert run("book", "--from", book.with_suffix(".json"), "-o", again).exit_code == 0
    assert again.read_text(encoding="utf-8") == page
