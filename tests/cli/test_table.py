"""Tables for people: in a terminal they fit its width, in a pipe a row is a line."""

import io
import os
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nando.cli.table import Shown, TableWriter

SHOWN = (Shown("line", 6, "place"), Shown("grade", -10, "grade"), Shown("why", 0, "why"))


def row(line, why="a reason, and another one that is longer", file="puzzles.txt", several=True):
    place = f"{file}:{line}" if several else str(line)
    return {"line": line, "place": place, "file": file, "grade": "easy", "why": why, "error": None}


def table(rows, width, shown=SHOWN):
    stream = io.StringIO()
    writer = TableWriter(stream, shown, width=width)
    writer.write(rows)
    writer.close()
    return stream.getvalue()


def test_in_a_pipe_a_row_is_a_line_with_its_file():
    text = table([row(1), row(22, file="folder/more.txt")], None)
    assert text.splitlines() == [
        "              line  grade       why",
        "     puzzles.txt:1  easy        a reason, and another one that is longer",
        "folder/more.txt:22  easy        a reason, and another one that is longer",
    ]


def test_in_a_terminal_files_stand_above_their_rows():
    text = table([row(1), row(2), row(1, file="b.txt")], 44)
    assert text.splitlines() == [
        "  line  grade       why",
        "puzzles.txt:",
        "     1  easy        a reason, and another",
        "                    one that is longer",
        "     2  easy        a reason, and another",
        "                    one that is longer",
        "b.txt:",
        "     1  easy        a reason, and another",
        "                    one that is longer",
    ]
    assert "puzzles.txt" not in table([row(1, several=False)], 44)


def test_columns_that_do_not_fit_go_below():
    assert table([row(1, several=False)], 34).splitlines() == [
        "  line  grade",
        "        why",
        "     1  easy",
        "        a reason, and another one",
        "        that is longer",
    ]


def test_names_have_room_and_are_parted():
    shown = (Shown("game", -8, "grade"), Shown("player", -4, "file"), Shown("why", 0, "why"))
    rows = [row(1, "x", several=False) | {"grade": name} for name in ("0123abcd-2.1", "b")]
    for width in (None, 80):
        assert table(rows, width, shown).splitlines() == [
            "game          player       why",
            "0123abcd-2.1  puzzles.txt  x",
            "b             puzzles.txt  x",
        ]


def test_a_wide_column_is_wrapped_in_a_narrow_terminal():
    shown = (Shown("line", 4, "line"), Shown("licence", -7, "why"), Shown("grade", -5, "grade"))
    why = "none stated for the data: for your own use, not to be sold"
    rows = [row(1, why, several=False)]
    assert table(rows, 40, shown).splitlines() == [
        "line  licence",
        "      grade",
        "   1  none stated for the data: for your",
        "      own use, not to be sold",
        "      easy",
    ]


def test_a_puzzle_stays_whole():
    puzzle = "." * 81
    assert f" {puzzle}\n" in table([row(1, why=puzzle)], 40)
    alone = (Shown("", 0, "why"),)
    assert table([row(1, why="a b\n\nc " + puzzle)], 20, alone) == f"a b\n\nc {puzzle}\n"


words = st.text(alphabet="abc 1,", max_size=60)


@given(st.lists(words, min_size=1, max_size=5), st.integers(34, 120))
def test_any_width_is_kept_and_nothing_lost(reasons, width):
    text = table([row(i, why=why) for i, why in enumerate(reasons, 1)], width)
    longest = max(len(word) for why in reasons for word in [*why.split(), ""])
    assert all(len(line) <= max(width, 20 + longest) for line in text.splitlines())
    written = "".join(text.split())
    assert all("".join(why.split()) in written for why in reasons)


def test_rows_with_errors_are_left_out():
    assert table([row(1) | {"error": "bad"}], 60) == ""


def in_terminal(width, *arguments):
    """Return what a command prints in a terminal of this width, and its messages without colour."""
    pty = pytest.importorskip("pty")
    fcntl, struct, termios = (pytest.importorskip(n) for n in ("fcntl", "struct", "termios"))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "FORCE_COLOR")}
    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        command = [sys.executable, "-m", "nando", *arguments]
        os.execve(
            sys.executable, command, environment | {"NO_COLOR": "1", "TERM": "xterm-256color"}
        )
    pieces = []
    try:
        while piece := os.read(terminal, 4096):
            pieces.append(piece)
    except OSError:  # the end of a terminal
        pass
    os.waitpid(child, 0)
    os.close(terminal)
    return b"".join(pieces).decode().replace("\r\n", "\n")


def test_a_terminal_of_60_columns(tmp_path):
    line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    for name in ("a-file-with-a-rather-long-name.txt", "b.txt"):
        (tmp_path / name).write_text(line)
    text = in_terminal(60, "rate", *map(str, sorted(tmp_path.iterdir())))
    rows = [line for line in text.splitlines() if str(tmp_path) not in line]
    assert len(rows) > 6
    assert max(map(len, rows)) <= 60
    assert sum(str(tmp_path) in line for line in text.splitlines()) == 2
    assert not re.search(r"\x1b\[[\d;]*m", text)


def test_data_sets_in_a_terminal_of_60_columns():
    text = in_terminal(60, "datasets")
    assert "cloud_sudoku" in text
    assert max(map(len, text.splitlines())) <= 60


def test_no_colour_where_none_is_wanted():
    text = in_terminal(80, "--help")
    assert "Usage" in text
    assert not re.search(r"\x1b\[(\d+;)*(3|4|9|10)\d(;\d+)*m", text)
