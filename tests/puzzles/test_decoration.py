"""Drawings that no rule needs are left out with a note; others are refused as rules."""

import json
import pickle

import pytest
from helpers.command import run
from helpers.program_links import drawn_link, numbers_of
from helpers.samples.sudokus import LINE, SOLUTION

import nando
from nando import puzzles
from nando.puzzles.reading import recognised_kind
from nando.solvers import count_solutions, status, without_decoration

PUZZLE = puzzles.Sudoku(LINE)
KILLER = puzzles.Variant(f"{LINE}+killer:r1c3r1c4:10")


def of_f_puzzles(puzzle=PUZZLE, **more):
    return json.loads(puzzles.format_puzzle(puzzle, "f-puzzles-json")) | more


def coloured(puzzle=PUZZLE):
    value = of_f_puzzles(puzzle)
    value["grid"][4][4] = value["grid"][4][4] | {"c": "#aaaaaa"}
    return value


def of_sudokupad(puzzle=PUZZLE, **more):
    value = json.loads(puzzles.format_puzzle(puzzle, "sudokupad-json"))
    for key, drawings in more.items():
        value[key] = [*value[key], *drawings] if isinstance(drawings, list) else drawings
    return value


def of_penpa(**drawn):
    return drawn_link({"number": numbers_of(LINE)} | drawn)


LINE_OF_SUDOKUPAD = {"color": "#ff0000", "thickness": 8, "wayPoints": [[0.5, 0.5], [3.5, 3.5]]}
RING = {"center": [0.5, 2.5], "width": 0.6, "height": 0.6, "rounded": True, "borderColor": "#00f"}
DRAWN = {
    "coloured cells": coloured(),
    "line": of_f_puzzles(line=[{"lines": [["R1C1", "R2C2"]], "outlineC": "#f00"}]),
    "circle, text": of_f_puzzles(
        text=[{"cells": ["R1C1"], "value": "A"}], circle=[{"cells": ["R2C2"]}]
    ),
    "lines that nando does not know": of_sudokupad(lines=[LINE_OF_SUDOKUPAD]),
    "overlays that nando does not know": of_sudokupad(overlays=[RING]),
    "a thermometer without a bulb": of_sudokupad(
        lines=[{"color": "#CFCFCF", "thickness": 21, "wayPoints": [[0.5, 2.5], [0.5, 3.5]]}]
    ),
    "a cage with 'A'": of_sudokupad(cages=[{"cells": [[0, 2], [0, 3]], "value": "A"}]),
    "surface": of_penpa(surface={"28": 3}),
    "line;": of_penpa(line={"28,29": 3}, lineE={"182,183": 2}),
}


@pytest.mark.parametrize("drawn", DRAWN)
def test_decoration_is_left_out_with_a_note(drawn):
    text = DRAWN[drawn] if "http" in DRAWN[drawn] else json.dumps(DRAWN[drawn])
    with pytest.raises(puzzles.UndecidedError, match=f"it has {drawn}"):
        puzzles.read_puzzle(text)
    with pytest.warns(UserWarning, match=f"read without {drawn}"):
        assert nando.solve(text).text == SOLUTION
    with pytest.warns(UserWarning, match="exactly one solution without them"):
        assert status(text).valid
    solved = run("solve", text)
    assert solved.exit_code == 0
    assert solved.stdout == f"{SOLUTION}\n"
    assert solved.stderr.startswith(f"line 1: read without {drawn}")
    assert run("convert", text).stdout == f"{LINE}\n"


def test_drawings_that_a_solution_needs_are_a_rule():
    """With several solutions, or another than the published one, a drawing may be a rule."""
    open_grid = puzzles.Sudoku("." * 9 + LINE[9:])
    another = SOLUTION[::-1]
    for value in (
        coloured(open_grid),
        of_sudokupad(open_grid, lines=[LINE_OF_SUDOKUPAD]),
        coloured() | {"solution": [int(digit) for digit in another]},
        of_sudokupad(overlays=[RING], metadata={"solution": another}),
    ):
        text = json.dumps(value)
        with pytest.raises(puzzles.PuzzleError, match=r"it has .* no rule is left out"):
            nando.solve(text)
        for command in ("solve", "convert", "rate"):
            refused = run(command, text)
            assert refused.exit_code == 1
            assert "no rule is left out" in refused.stderr
    with pytest.warns(UserWarning, match="read without"):
        assert nando.solve(json.dumps(coloured() | {"solution": SOLUTION})).text == SOLUTION
    with pytest.raises(puzzles.PuzzleError, match="it has whirlpool, which"):
        nando.solve(json.dumps(of_f_puzzles(whirlpool=[{}], line=[{"lines": []}])))


def test_decorated_variants_keep_their_kind_and_their_rules():
    text = json.dumps(coloured(KILLER))
    assert recognised_kind(text.encode()) == "variant"
    assert recognised_kind(f"{LINE}\n{text}\n".encode()) == "variant"
    with pytest.warns(UserWarning, match="read without coloured cells"):
        assert nando.explain(text).puzzle == KILLER
    with pytest.raises(puzzles.PuzzleError, match="another kind: a variant"):
        nando.solve(text, kind="sudoku")
    refused = run("solve", "--kind", "sudoku", text)
    assert "another kind: a variant, where sudoku is read" in refused.stderr


def test_positions_of_decorated_puzzles():
    value = coloured()
    value["grid"][0][2] = {"value": 4}
    text = json.dumps(value)
    with pytest.raises(puzzles.UndecidedError):
        puzzles.read_standing(text)
    assert puzzles.read_standing(text, PUZZLE).entries[2] == 4
    with pytest.warns(UserWarning, match="read without"):
        assert nando.explain(text).steps[0].position.values[2] == 4


def test_undecided_errors_pickle():
    with pytest.raises(puzzles.UndecidedError) as caught:
        puzzles.read_puzzle(json.dumps(coloured()))
    back = pickle.loads(pickle.dumps(caught.value))
    assert (str(back), back.puzzle, back.drawings) == (
        str(caught.value),
        PUZZLE,
        ("coloured cells",),
    )
    assert without_decoration(back) == PUZZLE
    with pytest.warns(UserWarning, match="read without"):
        assert count_solutions(json.dumps(coloured())) == 1
