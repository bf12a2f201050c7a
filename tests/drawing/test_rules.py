"""Every rule of a variant is drawn, within its picture, in colours that have a name."""

import io
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from helpers.samples.variant_samples import TEXTS
from PIL import Image

from nando.drawing.boards import board, legend, origin, position, solution_board
from nando.drawing.colour import COLOURS, grey_of
from nando.drawing.png import write_png
from nando.drawing.rules.board import empty_board, rule_examples
from nando.drawing.rules.scene import DRAWINGS, Scene, borders, outlines
from nando.drawing.shapes import MARGIN, SCREEN, Disc, Placed, Polygon, Rect, Text
from nando.drawing.shapes import Path as Lines
from nando.drawing.svg import svg
from nando.drawing.walks import page_words
from nando.puzzles import Variant
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.rules.registry import RULES
from nando.puzzles.rules.sums import LittleKiller
from nando.solvers import solve
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep, Technique

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "_ext"))
from rule_gallery import rule_list, sheet

SAMURAI = "9x9+samurai+diagonals+killer:r1c1r1c2:7"


def points_of(shape):
    if isinstance(shape, Rect):
        return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
    if isinstance(shape, Disc):
        return [
            (shape.x - shape.radius, shape.y - shape.radius),
            (shape.x + shape.radius, shape.y + shape.radius),
        ]
    if isinstance(shape, Lines | Polygon):
        return shape.points
    half = 0.32 * shape.size * len(shape.text)
    return [(shape.x - half, shape.y - shape.size / 2), (shape.x + half, shape.y + shape.size / 2)]


def colours_of(shape):
    both = (getattr(shape, name, None) for name in ("fill", "stroke"))
    return [colour for colour in both if colour]


def test_every_rule_is_drawn_or_named_as_one_that_only_words_can_say():
    undrawn = {rule.name for rule in set(RULES) - set(DRAWINGS)}
    assert undrawn == {
        *("disjoint-groups", "anti-knight", "anti-king", "non-consecutive", "anti-taxicab"),
        *("global-entropy", "global-modular"),
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_drawn_rule_adds_shapes_to_the_board(rule):
    puzzle = Variant(rule_examples()[rule.name])
    bare = Variant.of(puzzle.givens, [], boxed=False)
    drawn, empty = empty_board(puzzle, SCREEN), empty_board(bare, SCREEN)
    boxed = empty_board(Variant.of(puzzle.givens), SCREEN)
    n_shapes = sum(map(len, drawn[:3]))
    if rule.name in ("boxes", "regions"):
        assert n_shapes > sum(map(len, empty[:3]))
    elif rule not in DRAWINGS:
        assert drawn == boxed
    else:
        assert n_shapes > sum(map(len, boxed[:3]))


@pytest.mark.parametrize("text", [*TEXTS, SAMURAI])
def test_drawings_lie_in_their_picture_and_their_colours_have_names(text):
    picture = board(Variant(text), SCREEN)
    assert svg(picture).startswith("<svg")
    for shape in picture.shapes:
        assert set(colours_of(shape)) <= COLOURS.keys()
        for x, y in points_of(shape):
            assert -0.05 <= x <= picture.width + 0.05
            assert -0.05 <= y <= picture.height + 0.05


def test_outlines_enclose_the_area_of_their_cells():
    rng = np.random.default_rng(4)
    for _ in range(200):
        cells = [Cell(int(i), int(j)) for i, j in np.argwhere(rng.random((5, 5)) < rng.random())]
        area = sum(
            sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(loop)) / 2
            for loop in outlines(cells)
        )
        assert area == len(cells)
        for loop in outlines(cells, 0.1):
            assert loop[0] == loop[-1]
            for x, y in loop:
                assert Cell(int(y), int(x)) in cells


def test_borders_are_the_edges_between_groups():
    rng = np.random.default_rng(5)
    for _ in range(100):
        of = rng.integers(3, size=(6, 6))
        groups = [[Cell(int(i), int(j)) for i, j in np.argwhere(of == k)] for k in range(3)]
        length = sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in borders(groups))
        padded = np.pad(of, 1, constant_values=-1)
        edges = (np.diff(padded, axis=0) != 0).sum() + (np.diff(padded, axis=1) != 0).sum()
        assert length == edges


def test_numbers_at_one_line_are_placed_one_behind_another():
    scene = Scene(Board(9), SCREEN)
    left = Cell(2, -1)
    assert scene.outside(left, 0, -1) == left
    assert scene.outside(left, 0, -1) == Cell(2, -2)
    corner = Cell(-1, 3)
    assert scene.outside(corner, -1, 1) == scene.outside(corner, -1, -1) == corner
    assert scene.outside(corner, -1, 0) == Cell(-2, 3)
    assert scene.margins == (2, 2, 0, 0)


def test_places_without_a_cell_stay_white():
    puzzle = Variant(SAMURAI)
    cells = set(puzzle.board.cells)
    drawn = empty_board(puzzle, SCREEN)
    for shape in (*drawn.tints, *drawn.lines, *drawn.marks):
        if isinstance(shape, Lines) and not shape.dashed:
            (ax, ay), (bx, by) = shape.points
            middle = (ax + bx) / 2, (ay + by) / 2
            near = {
                Cell(int(middle[1] + i), int(middle[0] + j))
                for i in (-0.1, 0.1)
                for j in (-0.1, 0.1)
            }
            assert near & cells


def test_tints_differ_in_grey():
    from nando.drawing.colour import SHADES

    greys = sorted(map(grey_of, SHADES))
    assert min(np.diff(greys)) > 0.03


def test_a_step_tints_its_cage_and_strikes_out_its_eliminations():
    puzzle = Variant("6x6+killer:r3c3r3c4:6+sandwich:left2:5")
    marks = PencilMarks.of(puzzle)
    step = LogicStep(
        Technique("cage", 2.0, "cage", 0),
        2.0,
        0,
        (),
        (14, 15),
        (1, 5),
        None,
        ((14, 2), (15, 3)),
        rules=(1,),
    )
    x, y = origin(puzzle)
    assert (x, y) == (MARGIN + 0.9, MARGIN)
    plain, first, second, third = (
        position(marks, step if degree else None, degree or 3).shapes for degree in range(4)
    )
    tinted = {(round(s.x - x, 6), round(s.y - y, 6)) for s in first if isinstance(s, Rect)}
    assert tinted == {(2.0, 2.0), (3.0, 2.0)}
    assert len(plain) < len(first) < len(second) < len(third)
    struck = [s for s in third if isinstance(s, Text) and s.fill == "#c64600"]
    assert sorted(text.text for text in struck) == ["2", "3"]
    assert sum(isinstance(shape, Placed) for shape in third) == 1


def test_the_legend_of_steps_has_words():
    for language in ("en", "de"):
        words = page_words(language)
        texts = [text for text, _ in legend("variant", words)]
        assert texts == [text for text, _ in legend("sudoku", words)]


def test_each_example_of_the_documentation_has_a_solution():
    assert list(rule_examples()) == [
        rule.name for rule in sorted(RULES, key=lambda r: list(rule_examples()).index(r.name))
    ]
    for name, text in rule_examples().items():
        puzzle = Variant(text)
        assert puzzle.status().valid, name
        if puzzle.n_givens > 30 or name in ("extra-region", "regions"):
            assert solve(puzzle) is not None, name


def test_the_page_and_the_sheet_show_every_rule():
    page = rule_list()
    assert page.count("<svg") == len(DRAWINGS)
    for rule in RULES:
        assert f"(`{rule.name}`)" in page
    picture = sheet()
    captions = {shape.text for shape in picture.shapes if isinstance(shape, Text)}
    assert captions >= {rule.name for rule in RULES}


def test_numbers_of_little_killers_lie_within_the_picture():
    ends = ((0, 0), (0, 4), (4, 0), (8, 4), (4, 8))
    diagonals = []
    for row, column in ends:
        down, right = (1 if row < 8 else -1), (1 if column < 8 else -1)
        cells = (
            Cell(row + i * down, column + i * right)
            for i in range(9)
            if 0 <= row + i * down < 9 and 0 <= column + i * right < 9
        )
        diagonals.append(LittleKiller(tuple(cells), 25))
    drawn = board(Variant.of("9x9", diagonals), SCREEN)
    texts = [shape for shape in drawn.shapes if isinstance(shape, Text)]
    assert len(texts) == len(ends)
    for text in texts:
        assert 0.2 <= text.x <= drawn.width - 0.2
        assert 0.12 <= text.y <= drawn.height - 0.12


def test_a_shaft_interrupts_those_that_it_crosses():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    puzzle = Variant("9x9+arrow:r1c1:r2c2r3c3+arrow:r1c3:r2c2r3c1")
    file = io.BytesIO()
    write_png(board(puzzle, SCREEN), file, 100)
    pixels = np.asarray(Image.open(file).convert("L"))
    along_first = [pixels[at, at] for at in (130, 144, 150, 156, 170)]
    assert [value < 200 for value in along_first] == [True, False, True, False, True]


def test_few_givens_are_no_bolder_than_the_rest_of_a_solution():
    solved = "1234341221434321"
    for givens, n_bold in (("1" + "." * 15, 0), ("1234" + "." * 12, 4)):
        puzzle = Variant(f"{givens}+killer:r1c1r1c2:3")
        drawn = solution_board(puzzle, SCREEN, solved)
        digits = [shape for shape in drawn.shapes if isinstance(shape, Text)]
        assert "".join(digit.text for digit in digits) == solved
        assert sum(digit.bold for digit in digits) == n_bold
