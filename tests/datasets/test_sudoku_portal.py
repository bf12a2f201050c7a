"""The portal's times: as published, and with every kind of damage."""

import json

import numpy as np
import pytest
from helpers.data import needs
from helpers.samples.sudokus import LINE

from nando.datasets import DATASETS, DataFile, DataSet, fetch_sudoku_portal, times
from nando.puzzles import Sudoku
from nando.solvers import count_many

PUZZLE = Sudoku(LINE)
PUBLISHED = DATASETS["sudoku_portal"][0]
NAMES = [file.name for file in PUBLISHED.files]


def disguises(n):
    rng = np.random.default_rng(0)
    return [PUZZLE, *(PUZZLE.shuffled(rng) for _ in range(n - 1))]


def box_by_box(puzzle):
    """Return a puzzle in the text of the portal, computed in another way than the loader's."""
    rows = [puzzle.text[9 * r : 9 * r + 9] for r in range(9)]
    return "".join(
        rows[3 * (box // 3) + r][3 * (box % 3) : 3 * (box % 3) + 3]
        for box in range(9)
        for r in range(3)
    )


def row(puzzle, best="00:04:00", time="00:10:00 "):
    text = puzzle if isinstance(puzzle, str) else box_by_box(puzzle)
    return {"puzzle": text, "id": 0, "best": best, "time": time}


@pytest.fixture
def portal(tmp_path, monkeypatch):
    """Fetch a portal whose files are empty except for the given ones."""
    unchecked = DataSet("sudoku_portal", "", "", tuple(DataFile(n, None, None) for n in NAMES))
    monkeypatch.setattr(times, "SUDOKU_PORTAL", unchecked)

    def fetch(**contents):
        folder = tmp_path / "sudoku_portal"
        folder.mkdir()
        for name in NAMES:
            content = contents.get(name.removesuffix(".json"), [])
            text = content if isinstance(content, str) else json.dumps(content)
            (folder / name).write_text(text, encoding="utf-8")
        return fetch_sudoku_portal(data_home=tmp_path, as_frame=True)

    return fetch


@needs("sudoku_portal")
def test_as_published():
    data = fetch_sudoku_portal(as_frame=True)
    frame = data.frame
    assert len(data.puzzles) == len(data.groups) == 1813
    assert len(set(data.groups)) == 584
    assert frame["equivalence_class"].tolist() == data.groups
    assert frame.groupby("equivalence_class").size().max() == 8
    assert (count_many(data.puzzles) == 1).all()
    assert len(set(data.puzzles)) == 1813
    # Every row is kept or named.
    assert len(data.problems) == 2400 - 1813
    said = "\n".join(data.problems)
    assert said.count("repeats the puzzle of") == 546
    assert said.count("several solutions") == 17
    assert said.count("implausible time") == 24
    assert (frame["best_seconds"] <= frame["mean_seconds"]).all()
    assert frame["level_name"].value_counts().to_dict() == {
        "hard": 673,
        "easy": 665,
        "very hard": 475,
    }
    medians = frame.groupby("level")["mean_seconds"].median()
    assert medians.is_monotonic_increasing
    assert (data.target == frame["mean_seconds"]).all()
    assert (fetch_sudoku_portal(target="best_seconds").target == frame["best_seconds"]).all()
    # The noise within a class, as the README of the data states it.
    for column, noise in (("mean_seconds", 0.27), ("best_seconds", 0.23)):
        logs = np.log(frame[column]).groupby(frame["equivalence_class"])
        deviations = np.log(frame[column]) - logs.transform("mean")
        pooled = np.sqrt((deviations**2).sum() / (1813 - 584))
        assert pooled == pytest.approx(noise, abs=0.015)


def test_cells_come_box_by_box_and_files_tell_levels(portal):
    one, two, three = disguises(3)
    data = portal(
        easy_data=[row(one)],
        hard_data1=[row(two, "00:05:00", "0:15:01")],
        vvhard_data=[row(three)],
    )
    assert data.puzzles == [one, two, three]
    assert data.target.tolist() == [600, 901, 600]
    assert data.frame["level"].tolist() == [1, 2, 3]
    assert data.frame["level_name"].tolist() == ["easy", "hard", "very hard"]
    assert (data.frame["level_name"] > "easy").tolist() == [False, True, True]
    assert data.groups == [PUZZLE.equivalence_key()] * 3
    assert data.problems == []


def test_repeats_are_named_with_their_differences(portal):
    one, two = disguises(2)
    data = portal(
        easy_data=[row(one), row(two), row(one)],
        vhard_data=[row(one), row(two, best="00:03:59")],
    )
    assert data.puzzles == [one, two]
    assert data.problems == [
        "easy_data.json, row 3: repeats the puzzle of easy_data.json, row 1",
        "vhard_data.json, row 1: repeats the puzzle of easy_data.json, row 1, with other level",
        "vhard_data.json, row 2: repeats the puzzle of easy_data.json, row 2, "
        "with other level and times",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("." * 81, "several solutions"), ("11" + "." * 79, "no solution")],
)
def test_puzzles_without_one_solution_are_named(portal, text, reason):
    data = portal(easy_data=[row(text), row(PUZZLE)])
    assert data.puzzles == [PUZZLE]
    assert data.problems == [f"easy_data.json, row 1: {reason}"]


@pytest.mark.parametrize(
    ("best", "mean", "reason"),
    [
        ("00:00:59", "00:10:00", "best 59 s is below 60 s"),
        ("00:00:00", "00:10:00", "best 0 s is below 60 s"),
        ("00:04:00", "04:00:01", "mean 14,401 s is above 14,400 s"),
        ("53:53:32", "53:53:32", "best 194,012 s is above 14,400 s"),
        ("00:11:00", "00:10:00", "best 660 s is above mean 600 s"),
        ("00:04:00", "00:33:21", "mean 2,001 s is 3.3 times the median of its equivalence class"),
        ("00:01:12", "00:10:00", "best 72 s is 0.3 times the median of its equivalence class"),
    ],
)
def test_implausible_times_are_named(portal, best, mean, reason):
    wild, *others = disguises(4)
    data = portal(easy_data=[row(other) for other in others] + [row(wild, best, mean)])
    assert data.puzzles == others
    assert data.problems == [f"easy_data.json, row 4: implausible time: {reason}"]


@pytest.mark.parametrize(("n_others", "mean"), [(1, "00:40:00"), (3, "00:33:10"), (3, "00:03:01")])
def test_a_class_of_two_and_times_within_reach_are_believed(portal, n_others, mean):
    puzzles = disguises(n_others + 1)
    rows = [row(puzzle, "00:03:00") for puzzle in puzzles[1:]]
    data = portal(easy_data=[row(puzzles[0], "00:03:00", mean), *rows])
    assert data.puzzles == puzzles
    assert data.problems == []


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (5, "a row must have puzzle, best and time, got 5"),
        ({"puzzle": "x"}, "best must be text, got None"),
        (row(PUZZLE) | {"time": 600}, "time must be text, got 600"),
        (row(PUZZLE.text[:80]), "a puzzle must have 81 symbols, box by box, got 80"),
        (row("x" + PUZZLE.text[1:]), "foreign symbol: 'x' at position 1"),
        (row(PUZZLE, best="4:00"), "best is '4:00', wanted hh:mm:ss"),
        (row(PUZZLE, time="00:61:00"), "time is '00:61:00', wanted hh:mm:ss"),
        (row(PUZZLE, time="-1:10:00"), "time is '-1:10:00', wanted hh:mm:ss"),
    ],
)
def test_unreadable_rows_are_named_and_the_others_read(portal, record, message):
    data = portal(hard_data=[record, row(PUZZLE)])
    assert data.puzzles == [PUZZLE]
    (said,) = data.problems
    assert said.startswith(f"hard_data.json, row 1: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps([row(PUZZLE)])[:60], "not JSON"),
        ("", "not JSON"),
        ('{"puzzle": 1}', "not a JSON list of rows"),
    ],
)
def test_a_cut_file_is_one_clear_error(portal, text, message):
    with pytest.raises(ValueError, match=message) as caught:
        portal(hard_data1=text)
    said = str(caught.value)
    assert said.count("hard_data1.json") == 1
    assert said.endswith("cut or damaged: delete it to have it downloaded again")


def test_empty_files_give_empty_results(portal):
    data = portal()
    assert data.puzzles == data.problems == data.groups == []
    assert data.target.shape == (0,)


def test_an_unknown_target_is_refused():
    with pytest.raises(
        ValueError, match="target must be 'mean_seconds' or 'best_seconds', got 's'"
    ):
        fetch_sudoku_portal(target="s")
