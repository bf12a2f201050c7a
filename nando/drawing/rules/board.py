"""Boards of variants: houses, then the marks of all rules, and an example of each rule."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from nando.drawing.rules import lines, marks  # noqa: F401  they fill the table of drawings
from nando.drawing.rules.scene import (
    DRAWINGS,
    Drawn,
    Layer,
    Scene,
    borders,
    centre,
    clear,
    draws,
    tint,
)
from nando.drawing.shapes import FAINT, GridStyle, Path, Picture, Rect, Shape, move
from nando.drawing.symbols import entries
from nando.puzzles import Variant, rules
from nando.puzzles.boards.board import Cell, Cells
from nando.puzzles.boards.constraints import AllDifferent, Pattern, Relation
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.registry import rule_sentences
from nando.puzzles.variants.text import digits_of
from nando.tables import load_table

_NUMBERED = (
    rules.Cage,
    rules.Rellik,
    rules.EqualSums,
    rules.LookAndSay,
    rules.SumLine,
    rules.Lunchbox,
)
"""Rules with a number in the corner of a cell, unless a cage has no total."""

_TRIM = 0.1
"""By how much the margin with the numbers outside is smaller than whole cells."""


@draws(rules.Boxes)
def boxes(rule: rules.Boxes, scene: Scene) -> Drawn:
    """Draw the borders of the boxes."""
    yield from _thick(rule.houses(scene.board), scene)


@draws(rules.Regions)
def regions(rule: rules.Regions, scene: Scene) -> Drawn:
    """Draw the borders of the regions."""
    yield from _thick(rule.regions, scene)


def _thick(groups: Iterable[Iterable[Cell]], scene: Scene) -> Drawn:
    """Draw thick lines around groups of cells, a little longer so that they meet."""
    pen = scene.style.thick
    for (ax, ay), (bx, by) in borders(groups):
        over = pen.line / 2
        x, y = (over, 0.0) if ay == by else (0.0, over)
        yield Layer.BORDER, Path(((ax - x, ay - y), (bx + x, by + y)), pen.colour, pen.line)


@draws(rules.Diagonals, rules.Argyle)
def diagonals(rule: rules.Diagonals | rules.Argyle, scene: Scene) -> Drawn:
    """Draw a grey line along each diagonal, from corner to corner of its cells."""
    for group in rule.groups(scene.board):
        (ax, ay), (bx, by) = centre(group[0]), centre(group[-1])
        right, down = (0.5 if a < b else -0.5 for a, b in ((ax, bx), (ay, by)))
        yield Layer.LINE, Path(((ax - right, ay - down), (bx + right, by + down)), FAINT, 0.04)
        yield from clear(group, scene)


@draws(rules.Windoku, rules.CentreDot, rules.Asterisk, rules.Girandola)
def tint_groups(
    rule: rules.Windoku | rules.CentreDot | rules.Asterisk | rules.Girandola, scene: Scene
) -> Drawn:
    """Tint the cells of all groups."""
    for group in rule.groups(scene.board):
        yield from tint(group, 0)


@draws(rules.ExtraRegion)
def extra_region(rule: rules.ExtraRegion, scene: Scene) -> Drawn:
    """Tint the cells, each region in another shade."""
    yield from tint(rule.cells, scene.nth(rule))


# ---------------------------------------------------------------- boards


class EmptyBoard(NamedTuple):
    """A board without digits.

    Attributes
    ----------
    tints : tuple of Shape
        Tints of whole cells, below everything else.
    lines : tuple of Shape
        Lines and marks below the digits, and the lines of the grid.
    marks : tuple of Shape
        Cages, marks between cells and numbers. All shapes are in the order in which they are
        drawn, in cells from the upper left corner of the board.
    room : tuple of float
        The room of marks outside, in cells: on the left, on top, on the right, below.
    """

    tints: tuple[Shape, ...]
    lines: tuple[Shape, ...]
    marks: tuple[Shape, ...]
    room: tuple[float, float, float, float]


@lru_cache(maxsize=64)  # a walk draws the same board for each of its steps
def empty_board(puzzle: Variant, style: GridStyle) -> EmptyBoard:
    """Return the board of a puzzle with all marks of its rules, without digits."""
    given = puzzle.givens.reshape(puzzle.shape)
    givens = [cell for cell in puzzle.board.cells if given[cell.row, cell.column]]
    scene = Scene(puzzle.board, style, map(type, puzzle.rules), givens)
    drawn = [*_thin(scene), *_thick(_grids(scene), scene)]
    for rule in puzzle.rules:
        if draw := DRAWINGS.get(type(rule)):
            drawn += draw(rule, scene)
    drawn.sort(key=lambda pair: pair[0])
    left, top, right, bottom = (rows - _TRIM if rows else 0 for rows in scene.margins)

    def part(first: Layer, last: Layer) -> tuple[Shape, ...]:
        return tuple(shape for layer, shape in drawn if first <= layer <= last)

    return EmptyBoard(
        part(Layer.TINT, Layer.TINT),
        part(Layer.LINE, Layer.BORDER),
        part(Layer.CAGE, Layer.MARK),
        (left, top, right, bottom),
    )


def _thin(scene: Scene) -> Drawn:
    """Draw the lines between cells; they are fainter than the lines of cages next to them."""
    pen = scene.style.thin
    colour = FAINT if rules.Cage in scene.rules else pen.colour
    for start, end in borders([cell] for cell in scene.board.cells):
        yield Layer.GRID, Path((start, end), colour, pen.line)


def _grids(scene: Scene) -> list[list[Cell]]:
    n = range(scene.board.size)
    return [
        [Cell(row + i, column + j) for i in n for j in n] for row, column in scene.board.corners
    ]


def board(puzzle: Variant, solution: str, style: GridStyle) -> Picture:
    """Draw a puzzle, or its solution with the givens highlighted."""
    drawn = empty_board(puzzle, style)
    n_columns = puzzle.board.n_columns
    # Digits below the numbers of cages are smaller.
    caged = any(
        isinstance(rule, _NUMBERED) and getattr(rule, "total", 0) is not None
        for rule in puzzle.rules
    )
    size, y = (0.84 * style.size, 0.55) if caged else (style.size, 0.5)
    digits = entries(puzzle, solution, style, size, y)
    left, top, right, bottom = drawn.room
    shapes = (*drawn.tints, *drawn.lines, *drawn.marks, *digits)
    extent = n_columns + left + right, puzzle.board.n_rows + top + bottom
    return Picture(*extent, tuple(move(shapes, left, top)) if left or top else shapes)


@lru_cache(maxsize=1024)
def bare(puzzle: Variant) -> Variant:
    """Return the puzzle with no rules but boxes or regions, and no givens if they are few.

    Where marks carry a puzzle, a few digits in bold would be noise in its solution.
    """
    borders = [rule for rule in puzzle.rules if isinstance(rule, rules.Boxes | rules.Regions)]
    givens = puzzle.givens
    if len(borders) < len(puzzle.rules) and np.count_nonzero(givens) < puzzle.size:
        givens = np.zeros_like(givens)
    digits = digits_of(puzzle.board)
    return Variant.of(givens, borders, corners=puzzle.board.corners, boxed=False, digits=digits)


# ---------------------------------------------------------------- examples

_DIGITS = range(1, 10)
"""Digits of the examples."""


@cache
def rule_examples() -> dict[str, str]:
    """Return a puzzle for each rule as text, with givens in the cells of its marks."""
    return load_table("nando.drawing.rules", "examples.toml")


@lru_cache(maxsize=128)  # a book is laid out until its page numbers stay the same
def rule_example(
    name: str,
    style: GridStyle,
    tint: str,
    shown: frozenset[str] = frozenset(),
    puzzle: Variant | None = None,
) -> Picture:
    """Draw the example of a rule, or another puzzle with the rule as its example.

    If the rule has no marks, the cells that it compares with a given are tinted. If it has several
    forms (see :func:`forms`), only the forms in `shown` are drawn, or all if `shown` is empty.
    """
    puzzle = _without_others(puzzle or Variant(rule_examples()[name]), shown)
    rule = next(rule for rule in puzzle.rules if rule.name == name)
    picture = board(puzzle, "", style)
    if type(rule) in DRAWINGS:
        return picture
    given = puzzle.board.cells[int(puzzle.givens.nonzero()[0].mean())]
    seen = [
        Rect(cell.column, cell.row, 1, 1, tint)
        for cell in sorted(set(_seen_cells(rule, puzzle, given)))
    ]
    return picture._replace(shapes=(*seen, *picture.shapes))


def forms(several: Iterable[Rule]) -> frozenset[str]:
    """Return the sentences that explain rules; they differ for each form of a rule."""
    return frozenset(text for rule in several for text in rule_sentences(rule, _DIGITS))


def _without_others(puzzle: Variant, shown: frozenset[str]) -> Variant:
    """Return a puzzle without the rules in forms that are not shown, and without their digits."""
    kept = [one for one in puzzle.rules if isinstance(one, rules.Boxes) or forms([one]) <= shown]
    if len(kept) < 2:
        return puzzle
    cells = {cell for rule in kept for cell in rule.cells_named()}
    dropped = {cell for rule in puzzle.rules if rule not in kept for cell in rule.cells_named()}
    givens = puzzle.givens.copy()
    givens[puzzle.board.places(dropped - cells)] = 0
    return Variant.of(givens, kept)


def grids_example(grids: str, style: GridStyle, tint: str) -> Picture:
    """Draw an arrangement of grids, with tints where they overlap."""
    puzzle = Variant(f"9x9+{grids}")
    n = range(puzzle.board.size)
    covered = Counter(
        Cell(row + i, column + j) for row, column in puzzle.board.corners for i in n for j in n
    )
    shared = [
        Rect(cell.column, cell.row, 1, 1, tint) for cell, times in covered.items() if times > 1
    ]
    picture = board(puzzle, "", style)
    return picture._replace(shapes=(*shared, *picture.shapes))


def _seen_cells(rule: Rule, puzzle: Variant, given: Cell) -> Iterator[Cell]:
    """Yield the cells that a rule without marks compares with a given digit."""
    digit = int(puzzle.givens[puzzle.board.places([given])[0]])
    full = (1 << puzzle.size) - 1
    for own in rule.constraints(puzzle.board):
        if isinstance(own, Relation):
            cells: Cells = (own.first, own.second) if own.allowed[digit - 1] < full else ()
        else:
            assert isinstance(own, AllDifferent | Pattern)
            cells = own.cells
        if given in cells:
            yield from (cell for cell in cells if cell != given)
