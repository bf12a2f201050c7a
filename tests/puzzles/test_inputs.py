"""Usual forms of puzzles are read and their kind is known; others raise one clear error."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.samples.sudokus import LINE

import nando
from nando.puzzles import (
    Nurikabe,
    Puzzle,
    PuzzleError,
    PuzzleTypeError,
    Sudoku,
    Variant,
    as_puzzle,
    as_puzzles,
    find_puzzle,
    kind_of_text,
    read_puzzle,
    read_puzzles,
)
from nando.puzzles.inputs import as_text, is_one, several
from nando.puzzles.reading import guess_of, kinds_of_text, recognised_kind
from nando.solvers import Outcome, Solution, count_many, count_solutions, solve, status
from nando.solvers import unique_solution as unique

PUZZLE = Sudoku(LINE)
GRID = PUZZLE.givens.reshape(9, 9)
ROWS = GRID.tolist()
ISLANDS = Nurikabe("2..../...3./...../.2.../...2.")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4", "f4")

ONE = {
    "text": LINE,
    "grid": PUZZLE.grid(),
    "bytes": LINE.encode(),
    "bytes with a mark": b"\xef\xbb\xbf" + LINE.encode(),
    "bytearray": bytearray(LINE.encode()),
    "memoryview": memoryview(LINE.encode()),
    "NumPy's text": np.str_(LINE),
    "puzzle": PUZZLE,
    "solution": Solution(PUZZLE, None, Outcome.STUCK, 0),
    "rows": ROWS,
    "tuples": tuple(map(tuple, ROWS)),
    "rows of NumPy's integers": [list(map(np.int8, row)) for row in ROWS],
    "rows with None": [[digit or None for digit in row] for row in ROWS],
    "rows of symbols": [[str(digit) if digit else "" for digit in row] for row in ROWS],
    "flat": GRID.ravel().tolist(),
    "flat with None": [digit or None for digit in GRID.ravel().tolist()],
    "flat array": GRID.ravel(),
    "minus one": np.where(GRID == 0, -1, GRID),
    "masked": np.ma.masked_less(np.where(GRID == 0, -7, GRID), 0),
    "objects": GRID.astype(object),
    "symbols": np.array([list(LINE[i : i + 9]) for i in range(0, 81, 9)]),
    "array of one text": np.array(LINE),
    "frame": pd.DataFrame(GRID),
    "frame with gaps": pd.DataFrame(GRID).astype(float).replace(0, np.nan),
    "column of digits": pd.Series(GRID.ravel()),
    **{dtype: GRID.astype(dtype) for dtype in INTEGERS},
    "transposed": np.asfortranarray(GRID),
}
SEVERAL = {
    "texts": [LINE, LINE],
    "anything": (LINE, PUZZLE, GRID, ROWS, LINE.encode()),
    "iterator": iter([LINE]),
    "set": {LINE},
    "tables": [ROWS, ROWS],
    "stack": list(np.stack([GRID, GRID])),
    "flat arrays": list(np.stack([GRID.ravel(), GRID.ravel()])),
    "column of texts": pd.Series([LINE, LINE]),
    "column of strings": pd.Series([LINE], dtype="string"),
    "array of texts": np.array([LINE, LINE]),
    "array of bytes": np.array([LINE.encode()]),
    "array of objects": np.array([LINE, PUZZLE], object),
    "results": [Solution(PUZZLE, None, Outcome.STUCK, 0)],
    "nothing": [],
}


@pytest.mark.parametrize("name", ONE)
def test_one_puzzle(name):
    assert is_one(ONE[name])
    assert as_puzzle(ONE[name]) == PUZZLE
    assert as_puzzle(ONE[name], "sudoku") == as_puzzle(ONE[name], Sudoku) == PUZZLE


@pytest.mark.parametrize("name", SEVERAL)
def test_several_puzzles(name):
    assert not is_one(SEVERAL[name])
    assert all(as_puzzle(each) == PUZZLE for each in several(SEVERAL[name]))


@pytest.mark.parametrize("size", [16, 25])
def test_larger_sudokus(size):
    grid = np.zeros((size, size), int)
    grid[0, 1] = size
    puzzle = as_puzzle(grid)
    assert (puzzle.size, puzzle.givens[1]) == (size, size)
    assert as_puzzle(grid.ravel()) == as_puzzle(grid.tolist()) == puzzle
    assert as_puzzle(grid.ravel().tolist()) == puzzle


def test_numbers_of_a_nurikabe():
    numbers = ISLANDS.numbers.reshape(ISLANDS.shape)
    for given in (numbers, numbers.tolist(), numbers.astype(float), pd.DataFrame(numbers)):
        assert as_puzzle(given, "nurikabe") == ISLANDS
    assert as_puzzle([[-1, 0], [0, 0]], "nurikabe").text == "?./.."
    with pytest.raises(PuzzleError, match="25 cells in a row; wanted a list of rows"):
        as_puzzle(numbers.ravel().tolist(), "nurikabe")
    with pytest.raises(PuzzleError, match=r"shape \(25,\); wanted two dimensions"):
        as_puzzle(numbers.ravel(), "nurikabe")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (GRID[:8], r"an array of shape \(8, 9\); wanted \(9, 9\)"),
        (GRID.reshape(3, 27), r"shape \(3, 27\).*for several puzzles give list\(array\)"),
        (np.stack([GRID, GRID]), r"shape \(2, 9, 9\).*for several puzzles give list\(array\)"),
        (GRID.ravel()[:80], r"shape \(80,\)"),
        (ROWS[:8], "8 rows of cells, row 1 has 9; wanted 9x9"),
        (GRID.ravel().tolist()[:80], "80 cells in a row; wanted 81"),
        ([1, 2, 3], "3 cells in a row"),
        ([[]], "1 rows of cells"),
        (np.full((9, 9), 10), "foreign value: 10 at position 1.*wanted 1 to 9"),
        (GRID - 2, "foreign value: -2 at position 3"),
        (GRID.astype(np.uint64) * 2**60, "foreign symbol: 5764607523034234880 at position 1"),
        (GRID + 0.5, "foreign symbol: 5.5 at position 1; wanted integers"),
        ([[np.inf] + [0] * 8] + [[0] * 9] * 8, "inf at position 1"),
        ([[12_345] + [0] * 8] + [[0] * 9] * 8, "12345 at position 1"),
        ([[10**5_000] + [0] * 8] + [[0] * 9] * 8, "inf at position 1"),
        (GRID > 0, "foreign symbol: True at position 1"),
        ([True] * 81, "foreign symbol: True at position 1"),
        (GRID.astype(complex), "foreign symbol: a complex at position 1"),
        (b"\xff" * 81, "foreign symbol"),
        (b"\0" * 81, "character 0 is NUL"),
        (b"PK\x03\x04", "foreign symbol"),
        (b"", "no puzzle in the text"),
        ("my puzzles/bank.CSV", "the name of a file; read a file with nando.puzzles.read_puzzles"),
    ],
)
def test_bad_numbers_and_bytes_say_what_is_wrong(value, message):
    assert is_one(value)
    with pytest.raises(PuzzleError, match=message):
        as_puzzle(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "got NoneType None$"),
        (5, "got int 5$"),
        (True, "got bool True$"),
        ({"puzzle": LINE}, "got dict {'puzzle'"),
        (object, "got type <class 'object'>"),
        (Path("p.txt"), r"Path\('p.txt'\); read a file with nando.puzzles.read_puzzles$"),
        ([LINE, LINE], r"got list \['53.*give one puzzle at a time$"),
        ([ROWS, ROWS], "give one puzzle at a time$"),
        ([], "give one puzzle at a time$"),
    ],
)
def test_anything_else_is_a_type_error_that_names_it(value, message):
    with pytest.raises(PuzzleTypeError, match=rf"^mine must be text, a Puzzle, .*{message}"):
        as_puzzle(value, name="mine")


def test_an_integer_too_long_to_print():
    with pytest.raises(PuzzleTypeError, match=r"got int$"):
        as_puzzle(10**5_000)


def test_puzzles_of_another_kind_are_refused():
    with pytest.raises(PuzzleError, match="another kind: a sudoku, where nurikabe is read"):
        as_puzzle(PUZZLE, "nurikabe")
    with pytest.raises(PuzzleError, match="another kind: a nurikabe, where sudoku is read"):
        as_puzzle(Solution(ISLANDS, None, Outcome.STUCK, 0), Sudoku)
    with pytest.raises(ValueError, match="unknown puzzle kind 'chess'"):
        as_puzzle(LINE, "chess")
    assert find_puzzle("nurikabe") is find_puzzle(Nurikabe) is Nurikabe


FILES = {
    "nul": "\0" * 81,
    "zip": "PK\x03\x04" + "." * 77,
    "gzip": "\x1f\x8b\x08\0" + "." * 77,
    "bzip2": "BZh9" + "." * 77,
    "xz": "\xfd7zXZ\0" + "." * 75,
    "parquet": "PAR1" + "." * 77,
    "pdf": "%PDF" + "." * 77,
    "half a surrogate": "\ud800" * 81,
    "half a surrogate in XML": "<opensudoku>\n<game data='\ud800'/>\n</opensudoku>",
    "empty": "",
}


@pytest.mark.parametrize("name", FILES)
def test_a_text_is_never_taken_for_a_packed_file(name):
    for kind in (None, Sudoku, Nurikabe):
        with pytest.raises(PuzzleError):
            read_puzzle(FILES[name], kind)
    assert kind_of_text(FILES[name]) is None


def test_a_text_is_read_as_a_file_of_it_is():
    for text in (f"\ufeff{LINE}\r\n", f"# one\r{LINE}\r", json.dumps(ROWS), PUZZLE.grid()):
        (entry,) = read_puzzles(text.encode())
        assert entry.puzzle == read_puzzle(text) == PUZZLE
    assert [entry.puzzle for entry in read_puzzles(ISLANDS.text.encode(), "nurikabe")] == [ISLANDS]


def test_texts_of_arguments():
    for given in (LINE, LINE.encode(), np.array(LINE), np.str_(LINE)):
        assert as_text(given) == LINE
    assert as_text(PUZZLE) is as_text(GRID) is as_text(ROWS) is None


def test_solving_functions_take_them_too():
    for given in (LINE, LINE.encode(), GRID, ROWS):
        assert status(given).valid
        assert count_solutions(given) == 1
        assert PUZZLE.is_solution(unique(given))
        assert PUZZLE.is_solution(solve(given))
    assert count_many([LINE, GRID, ROWS, np.zeros(81, int)]).tolist() == [1, 1, 1, 2]
    assert "wrong length" in str(status(GRID[:8]))
    assert status(ISLANDS.text).valid == status(ISLANDS).valid
    with pytest.raises(PuzzleTypeError, match=r"^puzzle must be"):
        count_solutions(None)


def test_errors_keep_their_place_in_pickles():
    faults = status("11" + "." * 79)
    for error in (PuzzleError(faults, 3), PuzzleError(faults), PuzzleTypeError("message", 3)):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.index) == (str(error), error.index)
    assert str(PuzzleError(faults, 3)).startswith("puzzles[3]: conflicting givens")


def test_the_same_digits_are_read_everywhere():
    """Full-width digits are digits, superscripts are not."""
    wide = LINE.translate({ord(symbol): ord(symbol) + 0xFEE0 for symbol in "123456789."})
    superscript = LINE.replace("5", "\u2075")
    for read in (Sudoku, read_puzzle, as_puzzle, lambda text: as_puzzle(text.encode("utf-16"))):
        assert read(wide) == Sudoku(LINE)
        with pytest.raises(PuzzleError, match="foreign symbol: '\u2075' at position 1"):
            read(superscript)
    assert Variant("\uff11" + "." * 15) == Variant("1" + "." * 15)


def test_a_long_text_is_no_puzzle():
    for text in ("1" * 10_000_000, "hello world " * 900_000, f"{LINE}\n" * 100_000):
        with pytest.raises(PuzzleError, match="a puzzle has at most 262,144"):
            as_puzzle(text)


def test_numbers_and_lists_that_are_no_puzzle():
    with pytest.raises(PuzzleError, match="4611686018427387904 at position 1"):
        as_puzzle(np.array([2**62] * 81))
    for kind, expected in (("variant", "46116860184273879"), ("nurikabe", "foreign")):
        with pytest.raises(PuzzleError, match=expected):
            as_puzzle(np.array([[2**62] * 4] * 4), kind)
    for convert in (as_puzzle, as_puzzles):
        with pytest.raises(PuzzleTypeError, match="join the symbols of its cells to one text"):
            convert(list(LINE))


# The kind of a puzzle


FOUR = [".4..", "3...", "..2.", "...1"]
"""A 4x4 with four clues and one solution, whose clues break no rule of Nurikabe either."""


@pytest.mark.parametrize(
    ("puzzle", "same", "other"),
    [
        (Sudoku(LINE), Sudoku(LINE.replace(".", "0")), Sudoku("." * 81)),
        (Nurikabe("2.../..../...3/1..."), Nurikabe("2 0 0 0\n0 0 0 0\n0 0 0 3\n1 0 0 0\n"), "...."),
        (Variant("4x4+diagonals"), Variant(f"{'.' * 16}+diagonals"), Variant("4x4")),
    ],
)
def test_a_puzzle_is_its_text_and_never_changes(puzzle, same, other):
    assert same == puzzle == puzzle.text == str(puzzle)
    assert hash(same) == hash(puzzle) == hash(puzzle.text)
    assert puzzle not in (other, 81)
    assert eval(repr(puzzle)) == puzzle == pickle.loads(pickle.dumps(puzzle))
    assert isinstance(puzzle, Puzzle)
    assert find_puzzle(puzzle.kind) is type(puzzle)
    with pytest.raises(AttributeError, match="frozen"):
        puzzle.text = "."
    with pytest.raises(AttributeError, match="frozen"):
        del puzzle.text
    with pytest.raises(ValueError, match="read-only"):
        puzzle.givens[0] = 1


def rows_of(puzzle):
    symbols, n = puzzle.solution_text(puzzle.givens), puzzle.size
    return "\n".join(symbols[i : i + n] for i in range(0, n * n, n))


def fewest(rng):
    """Return a 4x4 with four clues and one solution."""
    while True:
        grid = Variant("1234341221434321").shuffled(rng)
        kept = rng.permutation(16)[:4]
        puzzle = Variant.of(np.where(np.isin(np.arange(16), kept), grid.givens, 0))
        if count_solutions(puzzle) == 1:
            return puzzle


def test_a_small_grid_with_clues_enough_is_no_nurikabe():
    assert kinds_of_text("\n".join(FOUR)) == ["variant", "nurikabe"]
    rng = np.random.default_rng(5)
    for puzzle in [fewest(rng) for _ in range(5)]:
        assert read_puzzle(rows_of(puzzle)) == puzzle
        matrix = str(puzzle.givens.reshape(4, 4).tolist())
        assert read_puzzle(matrix) == puzzle


@pytest.mark.parametrize("size", [4, 6, 9])
def test_a_grid_with_too_few_clues_is_a_nurikabe(size):
    board = np.zeros((size, size), int)
    board[0, 0], board[2, 3], board[3, 1] = 4, 2, 3 * size - 8
    puzzle = Nurikabe.from_numbers(board)
    assert kind_of_text(puzzle.text.replace("/", "\n")) == "nurikabe"


def test_an_error_names_the_guess():
    text = "..1.\n.4..\n...2\n.2.."
    with pytest.raises(PuzzleError, match=r"several .*taken for the kind variant: give kind='nur"):
        nando.solve(text)
    with pytest.raises(PuzzleError, match=r"several solutions: they differ in [^;]*$"):
        nando.solve(text, kind="variant")
    assert guess_of(LINE, "sudoku") == ""
    assert guess_of("https://puzz.link/p?nurikabe/2/2/2i", "nurikabe") == ""


@pytest.mark.parametrize("others", [["9x9+anti-king"], ["", *FOUR], ["4x4", "# end"]])
def test_a_variant_makes_the_sudokus_of_a_file_variants(others):
    """The order of lines does not matter, however many there are."""
    plain = [LINE] * 1_500
    for lines in ([*plain, *others], [*others, "", *plain]):
        assert recognised_kind("\n".join(lines).encode()) == "variant"
    assert recognised_kind("\n".join([*plain, LINE[:64], LINE[:36]]).encode()) == "sudoku"


@pytest.mark.parametrize("line", ["{}\t12\tfirst", "12,{}", "12;{};first", "12 {}", "No 12: {}"])
def test_sudokus_among_other_columns_are_variants_beside_one(line):
    """The variant has as many characters as a Sudoku."""
    cages = "...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4"
    file = "\n".join(map(line.format, [LINE, cages])).encode()
    assert (len(cages), recognised_kind(file)) == (81, "variant")
    assert [entry.puzzle for entry in nando.puzzles.read_puzzles(file, "variant")] == [
        Variant(LINE),
        Variant(cages),
    ]


def test_kind_is_known_from_files_of_both(tmp_path):
    assert recognised_kind(f"{LINE}\n2.../....\n".encode()) == "sudoku"
    games = f'<opensudoku><game data="{LINE.replace(".", "0")}"/></opensudoku>'
    (entry,) = nando.puzzles.read_puzzles(games.encode(), Variant)
    assert entry.puzzle == Variant(LINE)
    assert entry.puzzle.kind != Sudoku.kind
