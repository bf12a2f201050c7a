"""Walks from any position: readers, mistakes and first steps."""

import json
from functools import cache
from urllib.parse import quote

import numpy as np
import pytest
from helpers.command import run
from helpers.program_links import packed, unpacked, zipped
from helpers.samples.house_puzzles import HOUSE_PUZZLES
from helpers.samples.logic_patterns import PUZZLES
from hypothesis import given, settings
from hypothesis import strategies as st

import nando
from nando.puzzles import Nurikabe, PuzzleError, Sudoku, format_puzzle, read_standing
from nando.puzzles.formats.programs.lz import pack
from nando.solvers.logic import LogicSolver, PencilMarks, Shading, walk_through

LINE = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
PUZZLE = Sudoku(LINE)


@cache
def whole_walk():
    return walk_through(PUZZLE)


def marks_text(marks):
    """Return a candidate grid in which entered digits are marked by u."""
    cells = []
    for cell in range(81):
        value, is_given = int(marks.values[cell]), bool(marks.puzzle.givens[cell])
        entered = str(value) if is_given else f"u{value}"
        cells.append(entered if value else "".join(map(str, marks.digits(cell))))
    return "\n".join(" ".join(cells[i : i + 9]) for i in range(0, 81, 9))


def hodoku_text(marks):
    full = PencilMarks.standing(marks.puzzle, marks.values)
    board = "".join(
        f"{'' if given or not value else '+'}{value}"
        for given, value in zip(marks.puzzle.givens.tolist(), marks.values.tolist(), strict=True)
    )
    removed = " ".join(
        f"{digit}{cell // 9 + 1}{cell % 9 + 1}"
        for cell in range(81)
        for digit in full.digits(cell)
        if digit not in marks.digits(cell)
    )
    return f":0300:x:{board}:{removed}::"


def wiki_text(marks):
    symbols = "0123456789abcdefghijklmnopqrstuv"
    board = ""
    for cell in range(81):
        value = int(marks.values[cell])
        digits = (value,) if value else marks.digits(cell)
        number = 2 * sum(1 << digit - 1 for digit in digits) + bool(marks.puzzle.givens[cell])
        board += symbols[number // 32] + symbols[number % 32]
    return f"https://www.sudokuwiki.org/sudoku.htm?bd={board}"


def same(one, other):
    return np.array_equal(one.values, other.values) and np.array_equal(
        one.candidates, other.candidates
    )


def known(marks):
    """Return the possible digits of each cell, filled or not."""
    return [{int(v)} if v else set(marks.digits(c)) for c, v in enumerate(marks.values)]


@settings(max_examples=30, deadline=None)
@given(st.deferred(lambda: st.integers(0, len(whole_walk().steps) - 1)))
def test_marks_are_read_as_they_stand(number):
    marks = whole_walk().steps[number].position
    # In a grid of marks, a naked single that no peer contains is written like a given.
    read = PencilMarks.read(marks_text(marks), PUZZLE)
    assert read.puzzle == PUZZLE
    assert known(read) == known(marks)
    read = PencilMarks.read(hodoku_text(marks))
    # A line without entries and removed candidates is a puzzle.
    assert (read is None) == (number == 0)
    assert read is None or (read.puzzle == PUZZLE and same(read, marks))
    entered = "".join(map(str, marks.values.tolist())).replace("0", ".")
    read = PencilMarks.read(entered, PUZZLE)
    assert np.array_equal(read.values, marks.values)
    assert same(read, PencilMarks.standing(PUZZLE, marks.values))


@pytest.mark.parametrize("number", [5, 24, 40])
def test_a_link_of_sudokuwiki_keeps_its_marks(number):
    marks = whole_walk().steps[number].position
    read = PencilMarks.read(wiki_text(marks))
    # An entered digit and a naked single look the same in that format.
    assert read.puzzle == PUZZLE
    assert known(read) == known(marks)


def test_a_plain_puzzle_is_no_position():
    assert read_standing(LINE) is None
    assert read_standing(PUZZLE.grid()) is None
    assert PencilMarks.read(LINE) is None


RIVER = Nurikabe("3...2./....../.....8/....../...1.2/......")
WALKED = {**HOUSE_PUZZLES, **{name: PUZZLES[name] for name in ("XY-wing", "unique loop")}}


@pytest.mark.parametrize("puzzle", [*WALKED.values(), RIVER], ids=[*WALKED, "Nurikabe"])
def test_the_walk_continues_from_any_position(puzzle):
    walk = walk_through(puzzle)
    for number in (0, 9, len(walk.steps) - 3):
        start = walk.steps[number].position
        rest = walk_through(puzzle, start=start)
        assert [t.step for t in rest.steps] == [t.step for t in walk.steps[number:]]
        assert rest.steps[0].number == 1
        assert nando.hint(puzzle, start, degree=3) == rest.steps[0].sentence(3)


@pytest.mark.parametrize("name", HOUSE_PUZZLES)
def test_entered_digits_are_a_position_of_any_puzzle(name):
    """They are hinted at and listed; a wrong one is a mistake that no hint goes past."""
    puzzle = HOUSE_PUZZLES[name]
    walk = walk_through(puzzle)
    taken = next(t for t in walk.steps if 2 * t.position.n_blanks < walk.steps[0].position.n_blanks)
    symbols = "".join(map(str, taken.position.values.tolist())).replace("0", ".")
    entered = PencilMarks.standing(puzzle, taken.position.values)
    assert nando.mistakes(puzzle, symbols) == []
    rest = nando.explain(puzzle, position=symbols)
    assert same(rest.steps[0].position, entered)
    assert rest.end.values.tolist() == walk.end.values.tolist()
    assert nando.hint(puzzle, symbols, degree=3) == rest.steps[0].sentence(3)
    listing = nando.list_steps(puzzle, position=symbols, without=["chains", "nishio"])
    assert rest.steps[0].sentence(3) in {one.sentence(3) for one in listing.steps}
    cell = int(np.flatnonzero(taken.position.values == 0)[0])
    wrong = 1 if walk.end.values[cell] > 1 else 2
    symbols = f"{symbols[:cell]}{wrong}{symbols[cell + 1 :]}"
    assert nando.mistakes(puzzle, symbols) == [
        f"wrong entry: {puzzle.cell_name(cell)} is not {wrong}"
    ]
    with pytest.raises(PuzzleError, match="wrong entry"):
        nando.hint(puzzle, symbols)


def test_a_wrong_shading_is_refused():
    walk = walk_through(RIVER)
    wrong = Shading(RIVER, np.where(walk.end.values == 2, 1, walk.end.values).astype(np.int8))
    with pytest.raises(PuzzleError, match=r"r1c4 is not white, .* and 15 more$"):
        walk_through(RIVER, start=wrong)


# Half-shaded Nurikabe


@cache
def river_walk():
    return walk_through(RIVER)


def shaded_text(shading, *, black="#", white="+", between="", numbers=True):
    """Return a half-shaded Nurikabe as a grid."""
    signs = {0: ".", 1: white, 2: black}
    cells = [
        str(number) if number and numbers else signs[value]
        for number, value in zip(
            RIVER.numbers.ravel().tolist(), shading.values.tolist(), strict=True
        )
    ]
    return "\n".join(between.join(cells[i : i + 6]) for i in range(0, 36, 6))


def penpa_link(shading):
    """Return a link of Penpa+ with the black cells shaded in the answer."""
    lines = unpacked(format_puzzle(RIVER, "penpa"))
    answer = json.loads(lines[4])
    for cell in np.flatnonzero(shading.values == 2).tolist():
        answer["surface"][str((cell // 6 + 2) * 10 + cell % 6 + 2)] = 1
    lines[4] = json.dumps(answer)
    return packed(lines)


def pzpr_text(shading):
    cells = shaded_text(shading, between=" ")
    return f"pzprv3\nnurikabe\n6\n6\n{cells}\n"


@pytest.mark.parametrize("number", [0, 1, 12, 20])
def test_a_half_shaded_nurikabe_is_read_as_it_stands(number):
    shading = river_walk().steps[number].position
    wanted = shading.values.tolist()
    for text in (
        shaded_text(shading),
        shaded_text(shading).replace("\n", "/"),
        shaded_text(shading, black="\u25a0", white="o", between=" "),
        shaded_text(shading, black="\uff03", white="\u25cb", numbers=False),
        pzpr_text(shading),
        pzpr_text(shading).strip().replace("\n", "/"),
    ):
        assert read_standing(text, RIVER).entries.tolist() == wanted, text
        walk = nando.explain(RIVER, position=text)
        assert [t.step for t in walk.steps] == [t.step for t in river_walk().steps[number:]]
    black = np.where((shading.values == 2) | (RIVER.givens > 0), shading.values, 0)
    assert read_standing(penpa_link(shading), RIVER).entries.tolist() == black.tolist()


def test_files_and_links_of_nurikabe_are_positions_themselves():
    shading = river_walk().steps[12].position
    for text in (pzpr_text(shading), penpa_link(shading)):
        assert (
            nando.explain(text).steps[0].position.n_blanks < river_walk().steps[0].position.n_blanks
        )
        assert nando.rate(text).puzzle == RIVER
    start = river_walk().steps[0].position
    for text in (pzpr_text(start), penpa_link(start), RIVER.text):
        assert read_standing(text, kind=Nurikabe) is None


def test_a_row_of_white_cells_is_no_frame():
    puzzle = Nurikabe("3..../...../1.1.1")
    assert read_standing("+-+-+\n++\n##\n+-+-+", Nurikabe("2./..")).entries.tolist() == [1, 1, 2, 2]
    assert read_standing("3++##/#####/1#1#1", puzzle).entries[:5].tolist() == [1, 1, 1, 2, 2]


def test_wrong_cells_of_a_nurikabe_are_reported():
    solution = river_walk().end
    first = int(np.flatnonzero((RIVER.givens == 0) & (solution.values == 2))[0])
    values = RIVER.givens.copy()
    values[first] = 1
    text = shaded_text(Shading(RIVER, values))
    expected = f"wrong entry: {RIVER.cell_name(first)} is not white"
    found = run("explain", "--from", text, RIVER.text)
    assert found.exit_code == 1
    assert expected in found.stderr
    assert RIVER.cell_name(first) not in run("explain", RIVER.text, "--hint", 1).stdout
    for wrong, expected in (
        ("4...2./....../.....8/....../...1.2/......", "r1c1 is 4, where the puzzle gives 3"),
        ("33..2./....../.....8/....../...1.2/......", "r1c2 is 3, where the puzzle has no number"),
        ("#...2./....../.....8/....../...1.2/......", "r1c1 is black, where the puzzle gives 3"),
        ("3../...", "2x3 cells, where the puzzle has 6x6"),
        ("x" + RIVER.text[1:], "foreign symbol: 'x' at r1c1"),
        (LINE, "1x81 cells, where the puzzle has 6x6"),
    ):
        with pytest.raises(PuzzleError, match=expected):
            nando.explain(RIVER, position=wrong)


# Links with entries


def f_puzzles_value(marks, *, candidates=True):
    """Return a puzzle in the JSON of f-puzzles, with entries and centre marks."""
    value = json.loads(format_puzzle(marks.puzzle, "f-puzzles-json"))
    for cell in np.flatnonzero(marks.puzzle.givens == 0).tolist():
        entry = {"value": int(marks.values[cell])} if marks.values[cell] else {}
        if not entry and candidates:
            entry = {"centerPencilMarks": list(marks.digits(cell)), "cornerPencilMarks": [1]}
        value["grid"][cell // 9][cell % 9] = entry
    return value


@pytest.mark.parametrize("number", [0, 5, 26])
def test_links_of_f_puzzles_and_sudokupad_are_positions(number):
    marks = whole_walk().steps[number].position
    for candidates in (True, False):
        text = json.dumps(f_puzzles_value(marks, candidates=candidates))
        payload = quote(pack(text), safe="")
        for link in (
            f"https://www.f-puzzles.com/?load={payload}",
            f"https://sudokupad.app/fpuzzles{payload}",
            text,
        ):
            walk = nando.explain(link, whole=True)
            start = walk.steps[0].position
            assert start.values.tolist() == marks.values.tolist()
            assert walk.puzzle == PUZZLE
            if candidates:
                assert [t.step for t in walk.steps] == [t.step for t in whole_walk().steps[number:]]
            again = read_standing(link, PUZZLE)
            assert again.entries.tolist() == marks.values.tolist()
            assert (again.candidates is None) == (not candidates)
    assert nando.explain(f"https://sudokupad.app/fpuzzles{payload}").solved


def test_a_long_link_in_a_file_is_a_position(tmp_path):
    marks = whole_walk().steps[5].position
    value = f_puzzles_value(marks)
    value["title"] = "".join(map(chr, np.random.default_rng(0).integers(97, 123, 3_000).tolist()))
    link = f"https://www.f-puzzles.com/?load={quote(pack(json.dumps(value)), safe='')}"
    assert len(link) > 2_500
    file = tmp_path / "links.txt"
    file.write_text(f"{link}\n")
    found = json.loads(run("explain", "--whole", "-f", "jsonl", file).stdout)
    assert len(found["steps"]) == len(whole_walk().steps) - 5


def test_a_wrong_entry_in_a_link_is_reported():
    marks = whole_walk().steps[0].position
    value = f_puzzles_value(marks, candidates=False)
    value["grid"][0][1] = {"value": 1}
    link = f"https://www.f-puzzles.com/?load={quote(pack(json.dumps(value)), safe='')}"
    with pytest.raises(PuzzleError, match="wrong entry: r1c2 is not 1"):
        nando.explain(link)
    assert nando.rate(link).puzzle == PUZZLE


def sudokupad_value(marks):
    """Return a puzzle in the JSON of SudokuPad: givens, centre marks and corner marks."""
    value = json.loads(format_puzzle(marks.puzzle, "sudokupad-json"))
    for cell in np.flatnonzero(marks.puzzle.givens == 0).tolist():
        if digits := list(marks.digits(cell)):
            entry = {"centremarks": digits, "pencilMarks": [1, 9]}
            value["cells"][cell // 9][cell % 9] = entry
    return {key: value[key] for key in ("cellSize", "cells", "regions")}


def cells_of_pzpr(marks):
    """Return a pzpr file with up to four small numbers per cell; the last may be missing."""
    givens = marks.puzzle.givens.reshape(9, 9).tolist()
    rows = [" ".join(str(value) if value else "." for value in line) for line in givens]
    entries = []
    for cell in range(81):
        value, digits = int(marks.values[cell]), marks.digits(cell)
        if marks.puzzle.givens[cell] or not (value or 0 < len(digits) < 5):
            entries.append(".")
        else:
            small = ["", *map(str, digits)][-4:] if len(digits) < 4 else [*map(str, digits)]
            entries.append(str(value) if value else f".[{','.join(small)}]")
    rows += [" ".join(entries[i : i + 9]) for i in range(0, 81, 9)]
    return "\n".join(["pzprv3", "sudoku", "9", *rows])


def drawn_in_penpa(marks, styles):
    """Return a link of Penpa+ with entries, and with marks in the centre or as candidates."""
    lines = unpacked(format_puzzle(marks.puzzle, "penpa"))
    answer = json.loads(lines[4])
    for cell in np.flatnonzero(marks.puzzle.givens == 0).tolist():
        place = str((cell // 9 + 2) * 13 + cell % 9 + 2)
        value, digits = int(marks.values[cell]), marks.digits(cell)
        corner = 4 * (int(place) + 13 * 13)
        if value and styles[cell] == "list":
            answer["number"][place] = [[int(d + 1 == value) for d in range(9)], 2, "7"]
        elif value:
            answer["number"][place] = [str(value), 2, "1"]
        elif styles[cell] == "list" and len(digits) > 1:
            answer["number"][place] = [[int(d + 1 in digits) for d in range(9)], 2, "7"]
        else:
            text = "".join(map(str, digits))
            answer["number"][place] = [text, 2, "5" if len(text) > 5 else "6"]
            answer["numberS"][str(corner)] = ["9", 2]
    lines[4] = json.dumps(answer)
    return packed(lines)


@settings(max_examples=8, deadline=None)
@given(st.deferred(lambda: st.integers(0, len(whole_walk().steps) - 1)), st.data())
def test_marks_come_back_from_links_and_files_of_other_programs(number, data):
    marks = whole_walk().steps[number].position
    styles = data.draw(st.lists(st.sampled_from(["centre", "list"]), min_size=81, max_size=81))
    read = read_standing(drawn_in_penpa(marks, styles))
    assert read.puzzle == PUZZLE
    assert read.entries.tolist() == marks.values.tolist()
    assert read.candidates.tolist() == marks.candidates.tolist()

    read = PencilMarks.read(cells_of_pzpr(marks))
    few = [i for i in range(81) if 0 < len(marks.digits(i)) < 5]
    assert number == 0 or read.puzzle == PUZZLE
    if few:
        assert read.values.tolist() == marks.values.tolist()
        assert read.candidates[few].tolist() == marks.candidates[few].tolist()

    value = sudokupad_value(marks)
    payloads = {quote(pack(text), safe="") for text in (json.dumps(value), zipped(value))}
    for text in (json.dumps(value), *(f"https://sudokupad.app/scl{one}" for one in payloads)):
        read = read_standing(text)
        assert read.puzzle == PUZZLE
        assert read.entries.tolist() == PUZZLE.givens.tolist()
        assert read.candidates.tolist() == marks.candidates.tolist()


def test_a_link_of_sudokupad_without_marks_is_a_puzzle():
    value = sudokupad_value(whole_walk().steps[0].position)
    for row in value["cells"]:
        for cell in row:
            cell.pop("centremarks", None)
    assert read_standing(json.dumps(value)) is None
    value["cells"][0][1] = {"candidates": ["1", "2", "x", 10]}
    found = read_standing(json.dumps(value)).candidates
    assert np.flatnonzero(found[1]).tolist() == [0, 1]
    assert found.sum() == 2


def test_candidates_drawn_in_penpa_are_marks_and_one_alone_is_a_digit():
    lines = unpacked(format_puzzle(PUZZLE, "penpa"))
    drawn = json.loads(lines[3])
    first, second = str(2 * 13 + 2), str(2 * 13 + 3)
    drawn["number"][first] = [[int(d == 9) for d in range(1, 10)], 1, "7"]  # the given 9 of r1c1
    drawn["number"][second] = [[int(d in (1, 2)) for d in range(1, 10)], 1, "7"]
    lines[3] = json.dumps(drawn)
    found = read_standing(packed(lines))
    assert found.puzzle == PUZZLE
    assert np.flatnonzero(found.candidates[1]).tolist() == [0, 1]


def test_a_damaged_answer_in_a_link_of_penpa_is_reported():
    lines = unpacked(format_puzzle(PUZZLE, "penpa"))
    lines[4] = '{"number": 3}'
    with pytest.raises(PuzzleError, match="the answer in the link is damaged"):
        read_standing(packed(lines))


# Mistakes


def changed(marks, **cells):
    values, candidates = marks.values.copy(), marks.candidates.copy()
    for name, digits in cells.items():
        cell = (int(name[1]) - 1) * 9 + int(name[3]) - 1
        if isinstance(digits, int):
            values[cell] = digits
        else:
            values[cell] = 0
            candidates[cell] = [str(digit + 1) in digits for digit in range(9)]
    return PencilMarks.standing(marks.puzzle, values, candidates)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"r1c2": 1}, "wrong entry: r1c2 is not 1"),
        ({"r1c2": 1, "r3c2": 9}, "wrong entry: r1c2 is not 1 and r3c2 is not 9"),
        ({"r1c2": "17"}, "wrong elimination: 2 from r1c2"),
        ({"r1c2": "17", "r3c2": "3"}, "wrong elimination: 2 from r1c2 and 1 from r3c2"),
        # Entries are checked first, because a wrong entry causes wrong eliminations.
        ({"r1c2": "17", "r3c2": 9}, "wrong entry: r3c2 is not 9"),
    ],
)
def test_mistakes_are_reported_in_one_sentence(cells, message):
    start = changed(PencilMarks.of(PUZZLE), **cells)
    with pytest.raises(PuzzleError) as caught:
        walk_through(PUZZLE, start=start)
    assert str(caught.value) == message


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_mistake_passes_and_nothing_right_is_refused(data):
    marks = data.draw(st.sampled_from(whole_walk().steps)).position
    LogicSolver().check_position(marks)
    cell = data.draw(st.sampled_from(np.flatnonzero(marks.values == 0).tolist()))
    digit = data.draw(st.integers(1, 9))
    values = marks.values.copy()
    values[cell] = digit
    entered = PencilMarks.standing(PUZZLE, values)
    if whole_walk().end.values[cell] == digit:
        LogicSolver().check_position(entered)
    else:
        with pytest.raises(PuzzleError, match="wrong entry"):
            LogicSolver().check_position(entered)


def test_a_position_of_another_puzzle_is_refused():
    other = "1" + LINE[1:]
    with pytest.raises(PuzzleError, match="r1c1 is 1, where the puzzle gives 9"):
        read_standing(other, PUZZLE)
    with pytest.raises(PuzzleError, match="16x16 cells, where the puzzle has 9x9"):
        read_standing("." * 256, PUZZLE)
    with pytest.raises(PuzzleError, match="wrong length"):
        read_standing("12345", PUZZLE)
    values = PUZZLE.givens.copy()
    values[0] = 1
    with pytest.raises(ValueError, match="r1c1 is given"):
        PencilMarks.standing(PUZZLE, values)
    with pytest.raises(ValueError, match="values must be 0 to 9, got 0 to 12"):
        PencilMarks.standing(PUZZLE, np.where(PUZZLE.givens, 0, 12).astype(np.int8))
    with pytest.raises(ValueError, match=r"shape \(81,\), got \(3,\)"):
        PencilMarks.standing(PUZZLE, np.zeros(3, np.int8))


# The command and the function


def test_the_command_begins_where_the_text_stands(tmp_path):
    marks = whole_walk().steps[23].position
    output = run("explain", "--whole", "-", stdin=marks_text(marks)).stdout.splitlines()
    assert output[0] == LINE
    assert output[2].startswith(" 1. XY-wing with pivot r6c8")
    entered = "".join(map(str, marks.values.tolist())).replace("0", ".")
    # Without the marks, the eliminations must be found again.
    output = run("explain", "--whole", "--from", entered, LINE).stdout
    assert " 1. Two-string kite" in output
    file = tmp_path / "now.txt"
    file.write_text(marks_text(marks))
    (record,) = run("explain", "--from", file, LINE, "-f", "jsonl").stdout.splitlines()
    assert json.loads(record)["steps"][0]["technique"] == "XY-wing"


def test_the_command_reports_mistakes_and_continues(tmp_path):
    result = run("explain", "--from", "92" + LINE[2:].replace("34", "34", 1), LINE)
    assert result.exit_code == 0
    result = run("explain", "--from", "91" + LINE[2:], LINE, PUZZLES["naked pair"].text)
    assert result.exit_code == 1
    assert "wrong entry: r1c2 is not 1" in result.stderr
    assert "another puzzle" in result.stderr


def test_a_list_begins_at_a_position():
    marks = whole_walk().steps[23].position
    listing = nando.list_steps(LINE, position=marks, only=["wing"], style="sudokuwiki")
    assert {taken.name for taken in listing.steps} <= {
        "Y-Wing",
        "X-Wing",
        "WXYZ Wing",
        "XYZ Wing",
        "Almost Locked Sets",
    }
    assert listing.to_dict()["steps"][0]["name"] == listing.steps[0].name
