"""Tables for people: in a terminal they fit its width, in a pipe a row is a line."""

import io

from hypothesis import given
from hypothesis import strategies as st

from nando.cli.output import Shown, TableWriter

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
