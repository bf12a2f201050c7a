"""Levels of publishers: as published, of another publisher, and damaged."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.data import needs
from helpers.samples.sudokus import LINE

from nando import datasets
from nando.puzzles import Sudoku

PUZZLE = Sudoku(LINE)
OTHER = PUZZLE.shuffled(np.random.default_rng(0))
FILES = datasets.DataFile("a.txt", None, None), datasets.DataFile("b.txt", None, None)
MINE = datasets.Publisher(
    datasets.DataSet("my_paper", "puzzles of my paper", "mine", FILES),
    levels=(("mild", "a.txt"), ("wild", "b.txt")),
    date_format="%Y-%m-%d",
)


def fetch(folder, a="", b=""):
    (folder / MINE.data_set.name).mkdir()
    for name, text in (("a.txt", a), ("b.txt", b)):
        (folder / MINE.data_set.name / name).write_text(text)
    return datasets.fetch_published_levels(publisher=MINE, data_home=folder, as_frame=True)


@needs("sudoku_of_the_day")
def test_sudoku_of_the_day_as_published():
    data = datasets.fetch_published_levels(as_frame=True)
    frame = data.frame
    names = ["Beginner", "Easy", "Medium", "Tricky", "Fiendish", "Diabolical"]
    assert data.level_names == list(frame["level_name"].cat.categories) == names
    assert frame["level_name"].cat.ordered
    assert frame["level"].value_counts().to_dict() == dict.fromkeys(range(1, 7), 60)
    assert frame.iloc[0].to_dict() | {"equivalence_class": ""} == {
        "publisher": "sudoku_of_the_day",
        "level": 1,
        "level_name": "Beginner",
        "date": pd.Timestamp("2024-12-17"),
        "puzzle": data.puzzles[0].text,
        "equivalence_class": "",
    }
    assert len(set(data.groups)) == 355
    assert len(data.problems) == 5
    assert sum("another level" in said for said in data.problems) == 2


def test_every_publisher_is_a_data_set():
    for name, publisher in datasets.PUBLISHERS.items():
        assert datasets.DATASETS[name][0] is publisher.data_set
        assert {file for _, file in publisher.levels} == {f.name for f in publisher.data_set.files}


def test_another_publisher_is_one_entry(tmp_path):
    data = fetch(
        tmp_path, f"2024-05-01:{PUZZLE.text}\n", f"2024-05-02:{OTHER.text.replace('.', '0')}\n"
    )
    assert data.puzzles == [PUZZLE, OTHER]
    assert data.target.tolist() == [1, 2]
    assert data.frame["level_name"].tolist() == ["mild", "wild"]
    assert data.frame["date"].dt.day.tolist() == [1, 2]
    assert data.groups == [PUZZLE.equivalence_key()] * 2
    assert (data.frame["publisher"] == "my_paper").all()
    assert data.DESCR == "# my_paper: puzzles of my paper\n\n- **Licence**: mine\n"
    assert data.problems == []


def test_repeats_are_kept_and_named(tmp_path):
    line = f"2024-05-01:{PUZZLE.text}\n"
    data = fetch(tmp_path, 2 * line, line)
    assert data.puzzles == [PUZZLE] * 3
    assert data.problems == [
        "a.txt, line 2: kept, but repeats the puzzle of a.txt, line 1",
        "b.txt, line 1: kept, but repeats the puzzle of a.txt, line 1, "
        "which has another level (mild)",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (PUZZLE.text, f"'{PUZZLE.text}', wanted 'date:digits'"),
        ("", "'', wanted 'date:digits'"),
        (f"05-01-24:{PUZZLE.text}", "date '05-01-24', wanted the form %Y-%m-%d"),
        (f"2024-05-01:{PUZZLE.text[:-3]}", "wrong length: 78 symbols"),
        ("2024-05-01:" + "." * 256, "256 digits, wanted 81"),
        ("2024-05-01:" + "." * 81, "several solutions"),
        ("2024-05-01:11" + "." * 79, "no solution"),
    ],
)
def test_bad_lines_are_named_and_the_others_read(tmp_path, line, message):
    data = fetch(tmp_path, f"{line}\n2024-05-01:{PUZZLE.text}\n")
    assert data.puzzles == [PUZZLE]
    (said,) = data.problems
    assert said.startswith(f"a.txt, line 1: {message}")


def test_an_unknown_publisher_is_refused():
    with pytest.raises(ValueError, match="unknown publisher 'times'; known: sudoku_of_the_day"):
        datasets.fetch_published_levels(publisher="times")


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ({"mild": "a.txt", "wild": "b.txt"}, "are a dict, which has no order: give"),
        (frozenset(MINE.levels), "are a frozenset, which has no order: give"),
        (MINE.levels[:1], "must be two or more different ones, easiest first, got 'mild'"),
        ((), "got none"),
        ((("mild", "a.txt"), ("mild", "b.txt")), "got 'mild', 'mild'"),
    ],
)
def test_levels_without_an_order_are_refused(levels, message):
    with pytest.raises(ValueError, match=f"levels of my_paper .*{message}"):
        replace(MINE, levels=levels)
