"""Output in a terminal: colour where requested, and the time left."""

import gzip
import io
import os
import re
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.samples.logic_patterns import PUZZLES
from helpers.samples.sudokus import LINE, NINES

from nando.cli.app import app
from nando.cli.output import Shown, TableWriter, paint, takes_colour, visible, wrap
from nando.cli.progress import Expected, progress
from nando.cli.reading import PuzzleFiles
from nando.evaluation import evaluate
from nando.features import FeatureExtractor
from nando.games.audit import load_auditor
from nando.games.training import honest_games
from nando.rating.result import GRADES
from nando.stages import counted, watched

ROOT = Path(__file__).resolve().parent.parent.parent
PUZZLE = PUZZLES["XY-wing"].text


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Terminal(), {}, True),
        (io.StringIO(), {}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(stream, environment, wanted, monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert takes_colour(stream) is wanted


def test_grades_have_colours_of_their_own_and_keep_their_width():
    shown = (Shown("line", 6, "place"), Shown("grade", -10, "grade"), Shown("why", 0, "why"))
    rows = [
        {"place": str(i), "line": i, "grade": grade, "why": "because", "file": "a"}
        for i, grade in enumerate(GRADES, 1)
    ]
    texts = []
    for coloured in (False, True):
        stream = io.StringIO()
        TableWriter(stream, shown, width=60, coloured=coloured).write(rows)
        texts.append(stream.getvalue())
    assert visible(texts[1]) == texts[0]
    assert "\x1b" not in texts[0]
    codes = re.findall(r"\x1b\[([1-9][0-9;]*)m", texts[1])
    assert len(set(codes)) == len(codes) == len(GRADES)
    assert paint("hard", "hard") == "hard"


@pytest.fixture
def in_terminal(monkeypatch):
    """Run commands, and return what each shows on a terminal."""

    def run(*arguments, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdout", Terminal())
        app([*map(str, arguments)], standalone_mode=False)
        return sys.stdout.getvalue()

    return run


def test_the_names_of_steps_are_coloured(in_terminal):
    text = in_terminal("explain", PUZZLE, NO_COLOR="", TERM="xterm", COLUMNS="100")
    assert "\x1b[1;33mXY-wing\x1b[0m with pivot" in text
    assert "\x1b[1;32mHidden single\x1b[0m: in box 1" in text
    plain = in_terminal("explain", PUZZLE, NO_COLOR="1")
    assert "\x1b" not in plain
    assert visible(text) == plain


def shown(monkeypatch):
    """Return what is written to a terminal."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_progress_shows_the_time_left_if_the_end_is_known(monkeypatch):
    totals = (40, lambda: Expected(40), lambda: Expected(40, about=True), lambda: None)
    for total, of in zip(totals, (" of 40", " of 40", " of about 40", ""), strict=True):
        stream = shown(monkeypatch)
        with progress("done:", to_file=True, total=total) as advance:
            advance(10)
        text = visible(stream.getvalue())
        assert f"done: 10{of} puzzles" in text
        assert ("time left" in text) == bool(of)
    stream = shown(monkeypatch)
    with progress("fitting", to_file=True, unit=""):
        pass
    assert "fitting" in stream.getvalue()
    assert "0 of" not in stream.getvalue()


def test_stages_of_the_library_are_shown_with_their_time_left(monkeypatch):
    for stages in (True, False):
        stream = shown(monkeypatch)
        with progress("fitting", to_file=True, unit="", stages=stages):
            for fold in counted(range(3), "folds", 3):
                if fold == 1:
                    time.sleep(0.15)  # longer than one refresh of the display
        text = visible(stream.getvalue())
        assert ("folds: 1 of 3" in text) == stages
        assert ("time left" in text) == stages


def test_long_tasks_report_their_stages(monkeypatch):
    stages = []

    @contextmanager
    def watcher(doing, total):
        stages.append([doing, total, 0])
        mine = stages[-1]

        def advance(n):
            mine[2] += n

        yield advance

    games = honest_games("sudoku", ROOT / "examples" / "games.csv").games
    puzzles = NINES[:12]
    with watched(watcher):
        load_auditor().audit(games)
        FeatureExtractor(["givens"]).table(puzzles)
        evaluate(
            puzzles,
            [100.0 + 10 * i for i in range(len(puzzles))],
            models={"givens": ("givens",)},
            n_splits=2,
            repeats=1,
            n_bootstrap=5,
        )
    assert {name for name, _, _ in stages} >= {"puzzles", "games", "puzzles' features", "folds"}
    assert all(done == total for _, total, done in stages)


@pytest.mark.thorough
def test_the_number_of_puzzles_is_estimated_until_all_are_read(tmp_path):
    line = f"{PUZZLE} and a comment\n"
    plain, packed = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    plain.write_text(line * 3_000)
    packed.write_bytes(gzip.compress((line * 3_000).encode()))
    files = PuzzleFiles([str(plain), line.encode(), str(packed)], check=False)
    assert files.estimate_total() is None  # nothing is read yet
    estimates = []
    for chunk in files.chunks():
        estimates.append(files.estimate_total())
        assert len(chunk) <= 64
    assert estimates[-1] == Expected(6_001)
    # The second file is compressed, so the first looks like nearly all of the input.
    known = [one for one in estimates[:-1] if one is not None]
    assert all(one.about and 2_500 < one.number < 6_100 for one in known[2:])
    assert abs(estimates[40].number - 3_000) < 200


def test_few_puzzles_are_counted_and_damage_is_located(tmp_path):
    files = PuzzleFiles([f"{PUZZLE}\n{PUZZLE}".encode()])
    assert [(len(chunk), files.estimate_total()) for chunk in files.chunks()] == [(2, Expected(2))]
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    assert PuzzleFiles([str(fifo)]).estimate_total() is None
    damaged = tmp_path / "damaged.txt"
    damaged.write_bytes(PUZZLE.encode() + b"\n\x00\n")
    files = PuzzleFiles([str(damaged)])
    with pytest.raises(ValueError, match="not a text file"):
        list(files.chunks())


def test_a_pipe_hears_nothing_and_nothing_is_counted(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("done:", to_file=True, total=lambda: pytest.fail("counted")) as advance:
        advance(10)
    assert stream.getvalue() == ""


def test_sentences_are_broken_to_the_width_of_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    text = f"{PUZZLE}\n\n 8. Naked single: r9c1 can only be 4; its row, column and box hold it."
    lines = wrap(text, Terminal()).split("\n")
    assert lines[0] == PUZZLE  # a puzzle has no words
    assert lines[2].startswith(" 8. Naked single")
    assert all(line.startswith("    ") for line in lines[3:])
    assert all(len(line) <= 40 for line in lines[1:])
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert wrap(text, io.StringIO()) == text


def test_steps_fit_a_narrow_terminal(in_terminal):
    shown = visible(in_terminal("explain", "--step", 23, PUZZLE, COLUMNS="60"))
    assert len(shown.splitlines()) > 2
    assert max(map(len, shown.splitlines())) <= 60


def test_a_terminal_of_60_columns(tmp_path, in_terminal):
    for name in ("a-file-with-a-rather-long-name.txt", "b.txt"):
        (tmp_path / name).write_text(f"{LINE}\n")
    text = in_terminal("rate", *sorted(tmp_path.iterdir()), COLUMNS="60", NO_COLOR="1")
    rows = [line for line in text.splitlines() if str(tmp_path) not in line]
    assert len(rows) > 6
    assert max(map(len, rows)) <= 60
    assert sum(str(tmp_path) in line for line in text.splitlines()) == 2
    assert not re.search(r"\x1b\[[\d;]*m", text)


def test_no_colour_where_none_is_wanted(in_terminal):
    text = in_terminal("--help", NO_COLOR="1")
    assert "Usage" in text
    assert not re.search(r"\x1b\[(\d+;)*(3|4|9|10)\d(;\d+)*m", text)
