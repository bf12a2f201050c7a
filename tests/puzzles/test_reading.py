"""Formats: puzzles of every kind are written and read back, whole or damaged."""

import bz2
import gzip
import io
import json
import lzma
import os
import sys
from functools import cache

import numpy as np
import pytest
from helpers.data import stored
from helpers.sampled import only
from helpers.samples.sudokus import LINE, SOLUTION
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nando.puzzles import (
    Entry,
    Nurikabe,
    PuzzleError,
    Sudoku,
    format_puzzle,
    kind_of_text,
    read_puzzle,
    read_puzzles,
    write_puzzles,
)
from nando.puzzles.formats.registry import FORMATS, find_format, format_of_file

WRITTEN = [format for format in FORMATS if format.write is not None]
WRITTEN = [format for format in WRITTEN if "Sudoku" in format.holds or format.holds == "all kinds"]
NAMES = [format.name for format in WRITTEN]
LINKS = [find_format(name) for name in ("sudokupad", "lisudoku", "f-puzzles")]
"""Links that hold what a format of its own holds as JSON."""
QUICK = [format for format in WRITTEN if format not in LINKS]
PUZZLE = Sudoku(LINE)
NURIKABE = Nurikabe("3.2.1/...../...../....7/1....")


@st.composite
def sudokus(draw, orders=(3, 3, 3, 4, 5)):
    """Draw consistent givens: some cells of a shuffled solution."""
    order = draw(st.sampled_from(orders))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    row, column = np.indices((order**2, order**2))
    values = ((row * order + row // order + column) % order**2 + 1).ravel()
    shuffled = Sudoku.from_values(values).shuffled(rng).givens
    share = draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    return Sudoku.from_values(shuffled * (rng.random(order**4) < share))


@st.composite
def nurikabes(draw):
    shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    numbers = st.sampled_from([0, 0, 0, 0, 1, 2, 9, 10, 15, 16, 255, 256, 4096, 10_000, -1])
    cells = draw(st.lists(numbers, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return Nurikabe.from_numbers(np.array(cells).reshape(shape))


def written(format, puzzles):
    """Return the text of a file; None if the format cannot hold the puzzles."""
    stream = io.StringIO()
    try:
        write_puzzles(puzzles, stream, format=format.name)
    except ValueError as error:
        assert "hold" in str(error)  # noqa: PT017
        return None
    return stream.getvalue()


def entries_of(text, kind=Sudoku):
    return list(read_puzzles(text.encode(), kind))


@cache
def held(format, order):
    """Return True if a format can hold Sudokus of an order."""
    return written(format, [Sudoku.from_values(np.zeros(order**4, int))]) is not None


@pytest.mark.parametrize("format", only(QUICK, WRITTEN), ids=NAMES)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_sudokus_are_read_back(format, data):
    orders = [order for order in (3, 3, 3, 4, 5) if held(format, order)]
    most = 1 if format.single else 3
    puzzles = data.draw(st.lists(sudokus(orders), min_size=1, max_size=most))
    text = written(format, puzzles)
    assert text is not None
    assert [(e.puzzle, e.error) for e in entries_of(text)] == [(p, None) for p in puzzles]
    assert read_puzzle(format_puzzle(puzzles[0], format.name)) == puzzles[0]


@pytest.mark.parametrize(
    "format",
    [f for f in WRITTEN if "Nurikabe" in f.holds or f.holds == "all kinds"],
    ids=lambda f: f.name,
)
@given(puzzles=st.lists(nurikabes(), min_size=1, max_size=3))
@example(puzzles=[Nurikabe("."), Nurikabe(".")])
@example(puzzles=[Nurikabe(".."), Nurikabe("?."), Nurikabe("1")])
@settings(max_examples=15, deadline=None)
def test_nurikabes_are_read_back(format, puzzles):
    for some in ([puzzles[0]], puzzles):
        text = written(format, some)
        if text is not None:
            found = [(e.puzzle, e.error) for e in entries_of(text, Nurikabe)]
            assert found == [(p, None) for p in some]
        else:
            assert format.single
            assert len(some) > 1


@pytest.mark.parametrize("format", WRITTEN, ids=NAMES)
def test_what_a_format_cannot_hold_is_refused_and_nothing_written(format, tmp_path):
    path = tmp_path / "puzzles"
    path.write_text("before")
    for puzzles in ([NURIKABE], [PUZZLE, Sudoku("." * 256)], [PUZZLE, PUZZLE]):
        if written(format, puzzles) is None:
            with pytest.raises(ValueError, match=rf"{format.name} hold"):
                write_puzzles(puzzles, path, format=format.name)
            assert path.read_text() == "before"


def test_names_and_suffixes_are_unique():
    names = [format.name for format in FORMATS]
    suffixes = [suffix for format in FORMATS for suffix in format.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert [find_format(name) for name in names] == list(FORMATS)
    with pytest.raises(ValueError, match=r"format must be one of line, .*opensudoku.*got 'pdf'"):
        find_format("pdf")


@pytest.mark.parametrize("format", [f for f in WRITTEN if f.suffixes], ids=lambda f: f.name)
def test_suffixes_choose_the_format(format, tmp_path):
    for suffix in format.suffixes:
        for path in (tmp_path / f"a{suffix}", tmp_path / f"a{suffix.upper()}.gz"):
            assert format_of_file(path) is format
            write_puzzles([PUZZLE], path)
            assert [entry.puzzle for entry in read_puzzles(path)] == [PUZZLE]
            first = path.read_bytes()
            write_puzzles([PUZZLE], path)
            assert path.read_bytes() == first


def test_spreadsheets_are_read_but_not_written(tmp_path):
    with pytest.raises(ValueError, match="spreadsheet can be read but not written"):
        write_puzzles([PUZZLE], tmp_path / "a.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["puzz.link", "pzprv3", "json", "penpa"])
def test_formats_of_several_kinds_say_which(format):
    for puzzle, other in ((PUZZLE, Nurikabe), (NURIKABE, Sudoku)):
        text = format_puzzle(puzzle, format)
        assert kind_of_text(text) == puzzle.kind
        if format != "json":
            (entry,) = entries_of(text, other)
            error = f"another kind: a {puzzle.kind}, where {other.kind} is read; keep each kind in"
            assert entry.error.startswith(error)


def test_kind_of_a_text():
    assert kind_of_text("") is None
    assert kind_of_text("no puzzle") is None
    assert kind_of_text(f"# 1/2\nid,puzzle\n3,{LINE}\n") == "sudoku"
    assert kind_of_text(f"id,puzzle\n1/2,{NURIKABE.text}\n") == "nurikabe"
    assert kind_of_text(NURIKABE.grid()) == "nurikabe"
    assert kind_of_text(PUZZLE.grid()) == "sudoku"
    # A Sudoku with a slip in it, as a line, a grid and a matrix.
    slip = Sudoku("55" + LINE[2:])
    assert kind_of_text(slip.text) == "sudoku"
    for format in ("grid", "json"):
        assert kind_of_text(format_puzzle(slip, format)) in ("sudoku", None)
    # Nine rows, and no Sudoku.
    nines = [0, 8, 40, 72, 80]
    board = Nurikabe.from_numbers(np.isin(np.arange(81), nines).reshape(9, 9) * 9)
    for format in ("grid", "json"):
        assert kind_of_text(format_puzzle(board, format)) == "nurikabe"


# Reading


OTHER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
ROWS = [LINE[i : i + 9] for i in range(0, 81, 9)]
OTHER_ROWS = [OTHER[i : i + 9] for i in range(0, 81, 9)]


def read(text, **options):
    return list(read_puzzles(text.encode() if isinstance(text, str) else text, **options))


def puzzles_of(text, **options):
    entries = read(text, **options)
    assert [entry.error for entry in entries if entry.error] == []
    return [entry.puzzle for entry in entries]


def framed(rows, corner="+"):
    rule = f"{corner}---+---+---{corner}"
    lines = [rule]
    for i, row in enumerate(rows, 1):
        lines.append(f"|{row[:3]}|{row[3:6]}|{row[6:]}|")
        if i % 3 == 0:
            lines.append(rule)
    return lines


FORMS = {
    "line": LINE,
    "zeros": LINE.replace(".", "0"),
    "stars": LINE.replace(".", "*"),
    "integers": " ".join(LINE.replace(".", "0")),
    "minus one": " ".join("-1" if symbol == "." else symbol for symbol in LINE),
    "commas": ",".join(LINE.replace(".", "0")),
    "rows on one line": " ".join(ROWS),
    "grid": "\n".join(ROWS),
    "own grid": PUZZLE.grid(),
    "framed": "\n".join(framed(ROWS)),
    "Simple Sudoku": "\n".join(framed(ROWS, "*")),
    "grid of integers": "\n".join(" ".join(row.replace(".", "0")) for row in ROWS),
    "grid of minus ones": "\n".join(" ".join(r).replace(".", "-1") for r in ROWS),
    "grid of commas": "\n".join(",".join(row.replace(".", "0")) for row in ROWS),
    "titled": "Grid 01\n" + "\n".join(ROWS),
    "sdk": "#A Someone\n#L Easy\n" + "\n".join(ROWS),
    "sdk with state": "\n".join(["[Puzzle]", *ROWS, "[State]", *OTHER_ROWS]),
    "sdm": f"# a bank\n{LINE}\n",
    "columns": f"0000183b305c {LINE}  1.2",
    "tab separated": f"{LINE}\t7.3\tnote",
    "with its count and solution": f"{LINE}:1:{LINE.replace('.', '1')}",
    "quoted": f'"{LINE}"',
    "CSV": f"Game No.,Sudoku Puzzle,D_TO\n124,{LINE},0.65\n",
    "CSV, semicolons": f"seconds;PUZZLE\n1,5;{LINE}\n",
    "CSV, tabs": f"\tpuzzle\n\t{LINE}\n",
    "CSV, quoted": f'note,puzzle\n"a, b",{LINE}\n',
    "JSON lines": json.dumps({"line": 1, "puzzle": LINE, "predicted_seconds": 60.5}),
    "byte order mark": f"\ufeff{LINE}",
    "Windows": f"# a bank\r\n\r\n{LINE}\r\n",
    "old line ends": f"# a bank\r{LINE}\r",
    "space around": f"\n  \t{LINE}  \n\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_once_and_twice(form):
    text = FORMS[form]
    assert puzzles_of(text) == [PUZZLE]
    if form.startswith("CSV"):
        text = text + text.split("\n")[1] + "\n"
        assert puzzles_of(text) == [PUZZLE, PUZZLE]
    else:
        assert puzzles_of(f"{text}\n\n{text.removeprefix(chr(0xFEFF))}") == [PUZZLE, PUZZLE]


def test_grids_without_anything_between():
    text = "\n".join(ROWS + OTHER_ROWS + ROWS)
    assert puzzles_of(text) == [PUZZLE, Sudoku(OTHER), PUZZLE]
    assert [entry.line for entry in read(text)] == [1, 10, 19]


def test_a_bad_line_does_not_stop_reading():
    entries = read(f"{LINE}\n{LINE[:80]}\n{OTHER}\n{'x' * 80}\nhello\n{LINE}")
    assert [entry.line for entry in entries] == [1, 2, 3, 4, 5, 6]
    assert [entry.puzzle for entry in entries] == [PUZZLE, None, Sudoku(OTHER), None, None, PUZZLE]
    assert "80 symbols" in entries[1].error
    # All faults at once.
    assert "80 symbols" in entries[3].error
    assert "foreign symbol: 'x' at position 1" in entries[3].error


def test_short_row_spoils_its_grid_only_up_to_the_next_gap():
    rows = [*ROWS[:3], ROWS[3][:8], *ROWS[4:]]
    entries = read("\n".join([*rows, *OTHER_ROWS, "", *ROWS]))
    assert [(entry.line, entry.puzzle) for entry in entries] == [(1, None), (20, PUZZLE)]
    assert "row 4 has 8 symbols; wanted 9" in entries[0].error
    assert "18 rows of 9 symbols" in entries[0].error


def test_rows_may_not_make_up_for_each_other():
    """Rows that are too short and too long are refused although there are 81 symbols."""
    entries = read("\n".join([ROWS[0] + ".", ROWS[1][:8], *ROWS[2:]]))
    assert [entry.puzzle for entry in entries] == [None]


def test_foreign_symbols_in_a_grid_are_all_named():
    entries = read("\n".join(["x" + ROWS[0][1:], *ROWS[1:7], ROWS[7][:8]]))
    assert len(entries) == 1
    for part in ("8 rows", "row 8 has 8 symbols", "'x' at position 1"):
        assert part in entries[0].error


def test_two_puzzles_on_a_line_are_ambiguous():
    (entry,) = read(f"{LINE} {OTHER}")
    assert entry.puzzle is None


def test_csv_errors_name_the_line():
    entries = read(f"id,puzzle\n1,{LINE}\n2\n3,\n4,{LINE[:80]}\n5,{OTHER}\n")
    assert [entry.line for entry in entries] == [2, 3, 4, 5, 6]
    assert [entry.error is None for entry in entries] == [True, False, False, False, True]
    assert "column 2" in entries[1].error


@pytest.mark.parametrize(
    "header", ["Nr;Titel;Rätsel", "# of a newspaper\n\nid;name;board", "id;solution;start grid"]
)
def test_a_column_with_another_name_is_known_by_its_first_row(header):
    second = SOLUTION if "solution" in header else '"early; late"'
    text = f"{header}\n1;{second};{LINE}\n2;{second};{LINE[1:]}\n3;{second};\n"
    found = read(text)
    start = text.split(LINE)[0].count("\n") + 1
    assert [entry.line for entry in found] == [start, start + 1, start + 2]
    assert found[0].puzzle == PUZZLE
    assert "80 symbols" in found[1].error, "not the length of the whole line"
    assert found[2].error == "no puzzle: column 3 is empty"


def test_a_column_of_nurikabe_is_known_by_its_first_row():
    text = "2..../...3./...../.2.../...2."
    (entry,) = read_puzzles(f"Autor;Bild\nAnna;{text}\n".encode(), Nurikabe)
    assert entry.puzzle == Nurikabe(text)


@pytest.mark.parametrize(
    "first", ["Nr;Titel", f"{LINE[1:]};early", "...;...", "Nr;1;x", f"{'A' * 20}.;x;y"]
)
def test_a_first_line_without_a_header_is_a_bad_line(first):
    found = read(f"{first}\n1;early;{LINE}\n")
    assert [entry.error is None for entry in found] == [False, True]


def test_csv_wants_its_column():
    with pytest.raises(ValueError, match="no column 'puzzle'"):
        read(f"id,text\n1,{LINE}\n", format="csv")
    assert puzzles_of(f"puzzle\n{LINE}\n", format="csv") == [PUZZLE]
    assert read("", format="csv") == []


def test_formats_can_be_forced():
    text = f"{PUZZLE.grid()}\n{LINE}\n"
    assert [entry.line for entry in read(text, format="line") if entry.puzzle] == [12]
    header = f"a,puzzle\n1,{LINE}\n"
    assert [entry.line for entry in read(header, format="grid") if entry.error] == [1]
    with pytest.raises(ValueError, match="format must be one of line, sdm, grid, sdk, csv"):
        read_puzzles(b"", format="xml")


def test_nothing_in_nothing_out():
    for text in ("", "\n\n", "# only a comment\n", "\ufeff", "+---+\n"):
        assert read(text) == []


@pytest.mark.parametrize(
    "junk",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        LINE.encode() + b"\n\0\n",
        LINE.encode("utf-16")[:-1],
    ],
)
def test_other_types_than_text_are_refused(junk):
    with pytest.raises(ValueError, match="not a text file"):
        read(junk)


@pytest.mark.parametrize("packer", [gzip, bz2, lzma])
def test_packed(packer):
    packed = packer.compress(f"{LINE}\n{OTHER}\n".encode())
    assert puzzles_of(packed) == [PUZZLE, Sudoku(OTHER)]
    for damaged in (packed[:-12], packed[:6], packed[:20] + b"\xff" * 20 + packed[40:]):
        with pytest.raises(ValueError, match=r"damaged (gzip|bzip2|xz)|not a text file"):
            read(damaged)


@pytest.mark.parametrize("symbol", ["x", "1", "-", "#"])
def test_line_of_ten_million_characters(symbol):
    """A line of ten million characters is neither kept nor echoed, and reading continues."""
    entries = read(f"{symbol * 10_000_000}y\n{LINE}\n")
    assert entries[-1] == Entry(2, LINE, PUZZLE)
    for entry in entries[:-1]:
        assert entry.puzzle is None
        assert "10,000,001" in entry.error
        assert len(entry.error) < 200
        assert len(entry.text) <= 2_000
    assert len(entries) == (1 if symbol == "#" else 2)


def test_lines_are_read_as_they_are_asked_for():
    def endless():
        while True:
            yield f"{LINE}\n".encode()

    class Endless(io.RawIOBase):
        lines = endless()

        def readable(self):
            return True

        def readinto(self, buffer):
            line = next(self.lines)
            buffer[: len(line)] = line
            return len(line)

    entries = read_puzzles(Endless())
    assert [next(entries).line for _ in range(1000)] == list(range(1, 1001))


def test_sources(tmp_path, monkeypatch):
    path = tmp_path / "puzzles.txt"
    path.write_text(LINE)
    stream = io.BytesIO(LINE.encode())
    for source in (path, str(path), LINE.encode(), io.StringIO("\ufeff" + LINE), stream):
        assert [entry.puzzle for entry in read_puzzles(source)] == [PUZZLE]
    assert not stream.closed
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE.encode()), "ascii"))
    assert [entry.puzzle for entry in read_puzzles("-")] == [PUZZLE]
    assert not sys.stdin.closed
    with pytest.raises(FileNotFoundError):
        list(read_puzzles(tmp_path / "absent.txt"))
    with pytest.raises(TypeError, match="source must be"):
        list(read_puzzles(81))


def test_published_banks():
    counts = {
        "sudoku_exchange/sample.txt": 3113,
        "tdoku/magictour_top1465.txt": 1465,
        "cloud_sudoku/20240415.csv": 344,
    }
    for name, count in counts.items():
        entries = list(read_puzzles(stored(name)))
        assert [entry for entry in entries if entry.error] == []
        assert len(entries) == count


# Writing


def test_a_link_keeps_pointing_and_a_device_stays(tmp_path):
    (tmp_path / "real.txt").write_text("before")
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real.txt")
    write_puzzles([PUZZLE], link)
    assert link.is_symlink()
    assert (tmp_path / "real.txt").read_text() == LINE + "\n"
    write_puzzles([PUZZLE], os.devnull)
    assert not os.path.isfile(os.devnull)


def test_rows_of_variants():
    text = (
        b"12..\n..12\n....\n....\n1234\n....\n....\n....\n+ diagonals\n||\n\n"
        b"12345A\n......\n\n10 . . . . .\n" + b". . . . . .\n" * 4
    )
    entries = list(read_puzzles(text, "variant"))
    assert [(entry.line, entry.puzzle and entry.puzzle.text) for entry in entries] == [
        (1, "12....12........"),
        (5, "1234............+diagonals"),
        (10, None),
        (12, None),
        (15, None),
    ]
    assert entries[3].error.startswith("wrong length: 12 symbols; wanted as many rows as columns")
    columns = b"name\tgivens\n3\t4x4+diagonals\n4\t4x4+odds:r1c1\n"
    first, second = read_puzzles(columns, "variant")
    assert (first.line, first.puzzle.text) == (2, "4x4+diagonals")
    assert (second.line, second.error) == (3, "unknown rule 'odds'; did you mean 'odd'?")
    wide = b" ".join(b"%d" % d for d in range(1, 17)) + b"\n" + (b". " * 16 + b"\n") * 15
    (entry,) = read_puzzles(wide, "variant")
    assert entry.puzzle.text.startswith("123456789ABCDEFG....")
    assert kind_of_text("9x9+odds:r1c1") is None
    with pytest.raises(PuzzleError, match="did you mean 'odd'"):
        read_puzzle("9x9+odds:r1c1")
    with pytest.raises(PuzzleError, match="unreadable: 2 puzzles in the text"):
        read_puzzle("9x9+diagonals\n9x9+windoku")
    for grid in ("+ diagonals", "53..7...."):
        with pytest.raises(PuzzleError):
            read_puzzle(grid, "variant")
