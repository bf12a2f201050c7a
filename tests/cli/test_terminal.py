"""What a terminal shows besides the text: colour where it is wanted, and the time left."""

import io
import os
import pty
import re
import subprocess
import sys

import pytest
from helpers.logic_patterns import PUZZLES

from nando.cli.colour import painted, takes_colour, visible
from nando.cli.progress import progress
from nando.cli.table import Shown, TableWriter
from nando.rating.grades import GRADES

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
    assert painted("hard", "hard") == "hard"


def in_terminal(*arguments, **environment):
    """What a command shows on a terminal of 100 columns."""
    main, other = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "nando", *map(str, arguments)],
        stdin=other,
        stdout=other,
        stderr=other,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
    )
    os.close(other)
    parts = []
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    done.wait()
    os.close(main)
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_the_names_of_steps_are_coloured():
    text = in_terminal("explain", PUZZLE, NO_COLOR="")
    assert "\x1b[1;33mXY-wing\x1b[0m with pivot" in text
    assert "\x1b[1;32mHidden single\x1b[0m: in box 1" in text
    plain = in_terminal("explain", PUZZLE, NO_COLOR="1")
    assert "\x1b" not in plain
    assert visible(text) == plain


def test_progress_tells_the_time_left_where_the_end_is_known(monkeypatch):
    for total, told in ((40, "time left"), (lambda: 40, "time left"), (lambda: None, "done: 10 ")):
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        with progress("done:", to_file=True, total=total) as advance:
            advance(10)
        text = visible(stream.getvalue())
        assert told in text
        assert ("of 40 puzzles" in text) == (told == "time left")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("fitting", to_file=True, what=""):
        pass
    assert "fitting" in stream.getvalue()
    assert "0 of" not in stream.getvalue()


def test_a_pipe_hears_nothing_and_nothing_is_counted(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("done:", to_file=True, total=lambda: pytest.fail("counted")) as advance:
        advance(10)
    assert stream.getvalue() == ""
