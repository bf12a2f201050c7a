"""The kind of a text that does not state it, and files with several kinds."""

import pickle

import numpy as np
import pytest
from helpers.samples.sudokus import LINE

import nando
from nando.puzzles import (
    Nurikabe,
    Puzzle,
    PuzzleError,
    Sudoku,
    Variant,
    find_puzzle,
    kind_of_text,
    read_puzzle,
)
from nando.puzzles.reading import guess_of, kinds_of_text, recognised_kind
from nando.solvers import count_solutions

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
