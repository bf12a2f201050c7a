"""Files of other programs: OpenSudoku, candidate grids, JSON, full-width digits."""

import json

import numpy as np
import pytest
from helpers.samples.sudokus import LINE, SOLUTION

from nando.puzzles import (
    Nurikabe,
    PuzzleError,
    Sudoku,
    Variant,
    kind_of_text,
    read_puzzle,
    read_standing,
)
from nando.puzzles.reading import read_puzzles

PUZZLE = Sudoku(LINE)
ZEROS = LINE.replace(".", "0")
NURIKABE = Nurikabe("3.2.1/...../...../....7/1....")


def read(text, kind=Sudoku):
    return [(entry.line, entry.puzzle, entry.error) for entry in read_puzzles(text.encode(), kind)]


# OpenSudoku


def test_opensudoku():
    games = f'  <game data="{ZEROS}" />\n  <game data="{ZEROS[:80]}" />\n  <game data="{ZEROS}"/>\n'
    about = "<name>Easy &amp; co</name>\n<author>A</author>\n<level>easy</level>"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n{about}\n{games}</opensudoku>\n'
    found = read(text)
    assert [(line, puzzle) for line, puzzle, _ in found] == [(6, PUZZLE), (7, None), (8, PUZZLE)]
    assert "80 symbols" in found[1][2]
    assert [puzzle for _, puzzle, _ in read(text.replace("\n", ""))] == [PUZZLE, None, PUZZLE]


def test_opensudoku_games_that_are_played():
    """Files of version 2 and later have a folder and cell states; editable cells are no givens."""
    pairs = zip(LINE, SOLUTION, strict=True)
    cells = "".join(f"{digit}|0|0|{int(symbol == '.')}|" for symbol, digit in pairs)
    text = (
        '<?xml version="1.0"?><opensudoku version="2"><folder name="a" created="1">'
        f'<game created="1" state="1" time="5" data="version: 4\n{cells}"/></folder></opensudoku>'
    )
    assert [puzzle for _, puzzle, _ in read(text)] == [PUZZLE]
    assert "wanted 3 or 4 for each of 81 cells" in read(text.replace("|0|0|", "|0|", 1))[0][2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html><body></body></html>", "XML with <html>; wanted <opensudoku>"),
        ("<opensudoku><game data='", "take another copy of the file"),
        ("<opensudoku></game>", "take another copy of the file"),
        ('<!DOCTYPE a [<!ENTITY b "5">]><opensudoku/>', "DOCTYPE"),
        ("<opensudoku>" + "<a>" * 10 + "x" * 70_000, "a line of 70,042 characters"),
        ("<opensudoku>\n<game data='" + ("x" * 99 + "\n") * 800, "an element of more than 65,536"),
    ],
)
def test_opensudoku_refused(text, message):
    found = read(text)
    assert len(found) == 1
    assert message in found[0][2]


def test_opensudoku_keeps_what_came_before_the_damage():
    text = f'<opensudoku>\n<game data="{ZEROS}"/>\n<game data="{ZEROS}"\n'
    assert [puzzle for _, puzzle, _ in read(text)] == [PUZZLE, None]
    assert read(text, Nurikabe)[0][2].startswith("another kind: a sudoku, where nurikabe is read;")


# Candidates


def candidates(line=LINE):
    """Return the candidates that the givens leave in each cell."""
    values = np.array([int(s) if s != "." else 0 for s in line]).reshape(9, 9)
    marks = []
    for row, column in np.ndindex(9, 9):
        if values[row, column]:
            marks.append(str(values[row, column]))
            continue
        r, c = row // 3 * 3, column // 3 * 3
        seen = {*values[row], *values[:, column], *values[r : r + 3, c : c + 3].ravel()}
        marks.append("".join(str(d) for d in range(1, 10) if d not in seen))
    return marks


def grid_of(marks):
    """Return the grid in the layout of HoDoKu and many forums."""
    lines = [".--------------.--------------.--------------."]
    for r in range(9):
        row = [f"{mark:<9}" for mark in marks[9 * r : 9 * r + 9]]
        lines.append("| " + "| ".join(" ".join(row[i : i + 3]) for i in (0, 3, 6)) + "|")
        if r in (2, 5):
            lines.append(":--------------+--------------+--------------:")
    return "\n".join([*lines, "'--------------'--------------'--------------'"])


def test_candidate_grids():
    marks = candidates()
    assert read(grid_of(marks)) == [(2, PUZZLE, None)]
    rows = [" ".join(marks[i : i + 9]) for i in range(0, 81, 9)]
    assert read("\n".join(rows)) == [(1, PUZZLE, None)]
    assert [p for _, p, _ in read("\n".join([*rows, "", *rows, LINE]))] == [PUZZLE] * 3
    # Digits that the player has entered, and candidates ruled out.
    blank = [symbol == "." for symbol in LINE]
    entered = [f"u{m}" if m == "5" and b else m for m, b in zip(marks, blank, strict=True)]
    assert entered != marks
    entered[2] = entered[2][1:] if len(entered[2]) > 2 else entered[2]
    assert read("\n".join(" ".join(entered[i : i + 9]) for i in range(0, 81, 9)))[0][1] == PUZZLE


def test_a_naked_single_is_no_given():
    """A naked single that is still a candidate of a peer has not been placed."""
    marks = candidates()
    single = next(i for i, mark in enumerate(marks) if len(mark) == 1 and LINE[i] == ".")
    assert read_puzzle(grid_of(marks)).givens[single] == 0


def test_a_single_candidate_is_a_given_even_if_others_still_list_it():
    """Pencil marks that nobody cleaned hide no clue."""
    marks = candidates()
    assert len(marks[2]) > 1
    marks[2] = "".join(sorted({*marks[2], LINE[0]}))
    assert read_puzzle(grid_of(marks)) == PUZZLE
    unmarked = [symbol if symbol != "." else "123456789" for symbol in LINE]
    assert read_puzzle(grid_of(unmarked)) == PUZZLE
    lone = ["123456789"] * 81
    lone[40] = "7"
    assert read_puzzle(grid_of(lone)).text == "." * 40 + "7" + "." * 40
    assert kind_of_text(grid_of(lone)) == "sudoku"


def test_digits_of_a_large_grid_are_no_candidates():
    """Numbers of two rising digits in a 16x16 are numbers."""
    rows = [["0"] * 16 for _ in range(16)]
    rows[0][:4] = ["12", "13", "14", "15"]
    puzzle = read_puzzle("\n".join(" ".join(row) for row in rows))
    assert puzzle.givens[:4].tolist() == [12, 13, 14, 15]


def test_sukaku():
    """729 symbols are read with and without line ends; candidates that say more are rules."""
    marks = candidates()
    for blank in "0.":
        text = "".join(str(d) if str(d) in mark else blank for mark in marks for d in range(1, 10))
        assert read_puzzle(text) == PUZZLE
    free = ["123456789"] * 81
    free[0] = "12"
    free[80] = "3"
    expected = Variant("." * 80 + "3+candidates:r1c1:1-2")
    line = "120000000" + "123456789" * 79 + "..3......"
    for text in (grid_of(free), line):
        assert kind_of_text(text) == "variant"
        assert read_puzzle(text) == expected
        (entry,) = read_puzzles(text.encode(), Sudoku)
        assert entry.error.startswith("another kind: a variant")
    both = grid_of(free) + "\n" + grid_of(free)
    assert [entry.puzzle for entry in read_puzzles(both.encode(), Variant)] == [expected] * 2
    with pytest.raises(PuzzleError, match="no candidate for r1c2"):
        read_puzzle("120000000" + "." * 9 + "123456789" * 79)


# JSON


MATRIX = PUZZLE.givens.reshape(9, 9).tolist()


@pytest.mark.parametrize(
    "value",
    [
        MATRIX,
        [[cell or None for cell in row] for row in MATRIX],
        [[str(cell or "") for cell in row] for row in MATRIX],
        ["".join(map(str, row)) for row in MATRIX],
        {"puzzle": LINE},
        {"puzzle": MATRIX, "solution": [[1] * 9] * 9},
        {"board": MATRIX, "difficulty": "easy"},
        {"grid": ZEROS},
        [{"puzzle": LINE, "minutes": 4.5}],
        {"line": 1, "puzzle": LINE, "predicted_seconds": 60.5},
        {"newboard": {"grids": [{"value": MATRIX, "solution": [], "level": "easy"}], "results": 1}},
        {"puzzles": [{"puzzle": LINE}]},
        {"puzzle": LINE, "variant": "classic", "cages": [], "diagonals": False},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_json(value, indent):
    text = json.dumps(value, indent=indent)
    assert [(puzzle, error) for _, puzzle, error in read(text)] == [(PUZZLE, None)]
    assert kind_of_text(text) == "sudoku"
    assert read_puzzle(text) == PUZZLE


def test_json_with_several():
    for value in ([MATRIX, MATRIX], [LINE, LINE], [{"puzzle": LINE}] * 2, [{"grid": MATRIX}] * 2):
        text = json.dumps(value)
        assert [puzzle for _, puzzle, _ in read(text)] == [PUZZLE] * 2
        lines = ",\n".join(json.dumps(item) for item in value)
        if not isinstance(value[0], str):
            assert [line for line, *_ in read(f"[\n{lines}\n]\n")] == [2, 3]
        assert [puzzle for _, puzzle, _ in read(f"[\n{lines}\n]\n")] == [PUZZLE] * 2
        both = "\n".join(json.dumps(item) for item in value)
        assert [puzzle for _, puzzle, _ in read(both)] == [PUZZLE] * 2


def test_arrays_as_numpy_prints_them():
    flat = PUZZLE.givens
    for array in (flat.reshape(9, 9), np.array([flat, flat])):
        with np.printoptions(threshold=10_000):
            text = str(array)
        assert {puzzle for _, puzzle, _ in read(text)} == {PUZZLE}
    assert read(json.dumps(flat.tolist()))[0][1] == PUZZLE


def test_nurikabe_in_json():
    numbers = [[n or "-" for n in row] for row in NURIKABE.numbers.reshape(5, 5).tolist()]
    for value in ({"problem": numbers}, {"file": "a", "data": {"problem": numbers}}, numbers):
        text = json.dumps(value)
        assert read(text, Nurikabe) == [(1, NURIKABE, None)]
        assert kind_of_text(text) == "nurikabe"
        assert read_puzzle(text) == NURIKABE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[5, 3], [1, 2, 3]]", "wrong length"),
        (json.dumps([[*MATRIX[0][:8], 2.5], *MATRIX[1:]]), "no puzzle in the JSON"),
        (json.dumps([[*MATRIX[0][:8], 99], *MATRIX[1:]]), "foreign value: 99 at position 9"),
        ('{"problem": 3}', "no puzzle in a JSON object with 'problem'"),
        ("{}", "no puzzle in a JSON object with nothing"),
        ('{"puzzle": 5}', "no puzzle in the JSON"),
        (json.dumps({"puzzle": LINE, "cages": [[0, 1]]}), "it has 'cages', which nando does not"),
        (json.dumps({"grid": MATRIX, "diagonal": True}), "it has 'diagonal', which nando does not"),
        ("{nothing", "JSON with a value that does not end"),
        ("[" * 60_000, "JSON with a value that does not end"),
        ("[" * 5_000 + "]" * 5_000, "nested too deeply"),
        ('{"puzzle": NaN}', "NaN is not a finite number"),
        ('{"puzzle": "5', "a text without a quote at its end"),
        ("[\n" + ("[" + "1, " * 99 + "1],\n") * 4_000, "write each puzzle on a line of its own"),
    ],
)
def test_json_refused(text, message):
    errors = [error for _, _, error in read(text)]
    assert any(error and message in error for error in errors), errors[:3]
    assert all(error is None or len(error) < 1_000 for error in errors)


# Print


def test_full_width_digits():
    """Digits, blanks and dots of Japanese and Chinese keyboards are read."""
    wide = {ord(symbol): ord(symbol) + 0xFEE0 for symbol in "0123456789."}
    rows = [LINE[i : i + 9] for i in range(0, 81, 9)]
    for text in (LINE, "\n".join(rows), "\n".join("\u3000".join(row) for row in rows)):
        assert read(text.translate(wide))[0][1] == PUZZLE
    squares = LINE.replace(".", "\u25a1")
    assert read(squares)[0][1] == PUZZLE
    board = "\uff12\u3000\u30fb\u3000\u30fb\n\u30fb\u3000\u30fb\u3000\uff11"
    assert read(board, Nurikabe)[0][1] == Nurikabe("2../..1")


def test_empty_fields_of_a_table():
    rows = [[s if s != "." else "" for s in LINE[i : i + 9]] for i in range(0, 81, 9)]
    for delimiter in ",;\t":
        text = "\n".join(delimiter.join(row) for row in rows)
        assert [puzzle for _, puzzle, _ in read(text)] == [PUZZLE]
        assert [puzzle for _, puzzle, _ in read(text.replace("\n", delimiter))] == [PUZZLE]


# Blanks and further lines


def test_dashes_and_question_marks_are_blanks():
    """Also where a whole row of dashes looks like a frame."""
    empty = LINE[:63] + "." * 9 + LINE[72:]
    for text in (LINE, empty):
        rows = [text[i : i + 9] for i in range(0, 81, 9)]
        for blank in "-?":
            for shape in (text, "\n".join(rows), "\n".join(" ".join(row) for row in rows)):
                assert read(shape.replace(".", blank))[0][1] == Sudoku(text)
            assert Sudoku(text.replace(".", blank)) == Sudoku(text)
        assert read("puzzle\n" + text.replace(".", "?"))[0][1] == Sudoku(text)
    small = "1-2-\n----\n-3-4\n--1-"
    assert read_puzzle(small, "variant") == Variant(small.replace("\n", "").replace("-", "."))


def test_what_a_program_says_below_a_grid_is_no_puzzle():
    rows = "\n".join(LINE[i : i + 9] for i in range(0, 81, 9))
    said = "\n\nNumber of Givens: 30\nNumber of Singles: 51\nDifficulty: Simple\nTime: 3.2 ms\n"
    assert read(rows + said + rows + said) == [(1, PUZZLE, None), (15, PUZZLE, None)]
    assert "wrong length" in read(f"Puzzle: {LINE[:70]}")[0][2]


def test_positions_of_susser():
    """Digits after a plus are entered, numbers after a colon are candidates ruled out."""
    entered = f"{LINE[:2]}+4{LINE[3:]}"
    for text in (entered, f"{entered}:814 925", f"{entered}:"):
        assert read(text) == [(1, PUZZLE, None)]
        assert read_standing(text).entries[2] == 4
    assert not read_standing(f"{entered}:814 925").candidates[3, 7]


# Boards in XML


def legup(name, board, cells):
    listed = "".join(f'<cell value="{v}" x="{x}" y="{y}"/>' for v, x, y in cells)
    return (
        f'<?xml version="1.0"?>\n<Legup version="2.0.0">\n<puzzle name="{name}">\n'
        f"<board {board}><cells>{listed}</cells></board></puzzle></Legup>\n"
    )


def test_legup():
    text = legup("Nurikabe", 'height="2" width="3"', [(2, 0, 0), (1, 2, 1), (-2, 1, 1)])
    assert kind_of_text(text) == "nurikabe"
    assert read_puzzle(text) == Nurikabe("2../..1")
    small = legup("Sudoku", 'size="4"', [(3, 1, 0), (2, 3, 3)])
    assert read_puzzle(small) == Variant(".3.............2")
    for board, cells, message in (
        ('height="2"', [], "the board of LEGUP is damaged"),
        ('size="3"', [(1, 9, 9)], "the board of LEGUP is damaged"),
        ('size="3"', [(-1, 0, 0)], "the board of LEGUP is damaged"),
    ):
        with pytest.raises(PuzzleError, match=message):
            read_puzzle(legup("Nurikabe", board, cells))


def test_ksudoku():
    """The shape of a jigsaw numbers its cells column by column, and has a document type."""
    cliques = ["0 1 2 4", "3 5 6 7", "8 9 12 13", "10 11 14 15"]
    graph = '<graph sizeX="4" sizeY="4" sizeZ="1" order="4" name="Small" type="custom">'
    head = f'<!DOCTYPE ksudoku-graph>\n<ksudoku-graph>\n{graph}\n<sudokugroups at="0"'
    listed = "".join(f'<clique size="4">{cells} </clique>\n' for cells in cliques)
    text = f'{head} withblocks="0"/>\n{listed}</graph></ksudoku-graph>\n'
    assert read_puzzle(text) == Variant("4x4+regions:1133123312442244")
    boxes = f'{head} withblocks="1"/></graph></ksudoku-graph>'
    assert read_puzzle(boxes, "variant") == Variant("4x4")
    for damaged, message in (
        (text.replace("<clique", "<cage").replace("</clique", "</cage"), "it has <cage>"),
        (text.replace('sizeZ="1"', 'sizeZ="4"'), "a board of the form 'Small'"),
        (text.replace("0 1 2 4", "0 1 2 x"), "the board of KSudoku is damaged"),
    ):
        with pytest.raises(PuzzleError, match=message):
            read_puzzle(damaged)
