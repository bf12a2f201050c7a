"""The registry of formats: puzzles of every kind are written and read back."""

import io
from functools import cache

import numpy as np
import pytest
from helpers.sampled import only
from helpers.samples.sudokus import LINE
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nando.puzzles import (
    Nurikabe,
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
