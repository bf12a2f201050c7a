"""How each rule is drawn: one entry a rule."""

from collections.abc import Callable
from typing import Any, NamedTuple

from nando.drawing.rules import cages, cells, houses, lines, marks, outside
from nando.drawing.rules.scene import Drawn, Layer, Scene, borders
from nando.drawing.shapes import GridStyle, Path, Shape
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules import boxes, clones, moves, quadruples, thermometers
from nando.puzzles.rules import cages as cage_rules
from nando.puzzles.rules import cells as cell_rules
from nando.puzzles.rules import houses as house_rules
from nando.puzzles.rules import lines as line_rules
from nando.puzzles.rules import marks as mark_rules
from nando.puzzles.rules import outside as outside_rules
from nando.puzzles.rules.arrows import Arrow


def nothing(rule: Rule, scene: Scene) -> Drawn:
    """Draw nothing: the rule concerns the whole board, and only words can say it."""
    yield from ()


DRAWINGS: dict[type[Rule], Callable[[Any, Scene], Drawn]] = {
    boxes.Boxes: houses.boxes,
    boxes.Regions: houses.regions,
    house_rules.Diagonals: houses.diagonals,
    house_rules.Windoku: houses.tinted,
    house_rules.DisjointGroups: nothing,
    house_rules.CentreDot: houses.tinted,
    house_rules.Asterisk: houses.tinted,
    house_rules.Girandola: houses.tinted,
    house_rules.Argyle: houses.argyle,
    house_rules.ExtraRegion: houses.extra_region,
    moves.AntiKnight: nothing,
    moves.AntiKing: nothing,
    moves.NonConsecutive: nothing,
    cage_rules.Cage: cages.cage,
    cage_rules.LittleKiller: cages.little_killer,
    outside_rules.Sandwich: outside.number,
    outside_rules.XSums: outside.number,
    outside_rules.Skyscraper: outside.number,
    outside_rules.FrameSum: outside.number,
    outside_rules.NumberedRoom: outside.number,
    mark_rules.Kropki: marks.kropki,
    mark_rules.XV: marks.xv,
    mark_rules.Greater: marks.greater,
    mark_rules.Consecutive: marks.consecutive,
    mark_rules.Difference: marks.difference,
    mark_rules.Ratio: marks.ratio,
    quadruples.Quadruple: marks.quadruple,
    thermometers.Thermometer: lines.thermometer,
    Arrow: lines.arrow,
    line_rules.Palindrome: lines.palindrome,
    line_rules.Renban: lines.renban,
    line_rules.Whispers: lines.whispers,
    line_rules.Parity: lines.parity,
    line_rules.Entropic: lines.entropic,
    line_rules.Modular: lines.modular,
    line_rules.Between: lines.between,
    line_rules.Zipper: lines.zipper,
    line_rules.RegionSum: lines.region_sum,
    cell_rules.Odd: cells.odd,
    cell_rules.Even: cells.even,
    cell_rules.Low: cells.low,
    cell_rules.High: cells.high,
    cell_rules.Minimum: cells.extreme,
    cell_rules.Maximum: cells.extreme,
    clones.Clone: cells.clone,
    cell_rules.GivenCandidates: cells.candidates,
}
"""For each rule a function of the rule and the scene, which yields shapes and their layers."""


class EmptyBoard(NamedTuple):
    """A board without digits.

    Attributes
    ----------
    tints : tuple of Shape
        Of whole cells, below everything else.
    lines : tuple of Shape
        Below digits: lines and marks of cells, and the lines of the grid.
    marks : tuple of Shape
        Cages, marks between cells and numbers. All shapes are in the order in which they are
        drawn, in cells from the upper left corner of the board.
    margins : tuple of int
        Rows and columns of marks outside: on the left, on top, on the right, below.
    """

    tints: tuple[Shape, ...]
    lines: tuple[Shape, ...]
    marks: tuple[Shape, ...]
    margins: tuple[int, int, int, int]


def empty_board(puzzle: Variant, style: GridStyle) -> EmptyBoard:
    """Return the board of a puzzle with all marks of its rules, without digits."""
    scene = Scene(puzzle.board, style, map(type, puzzle.rules))
    drawn = [*_thin(scene), *houses.thick(_grids(scene), scene)]
    for rule in puzzle.rules:
        drawn += DRAWINGS[type(rule)](rule, scene)
    drawn.sort(key=lambda pair: pair[0])

    def part(first: Layer, last: Layer) -> tuple[Shape, ...]:
        return tuple(shape for layer, shape in drawn if first <= layer <= last)

    return EmptyBoard(
        part(Layer.TINT, Layer.TINT),
        part(Layer.LINE, Layer.BORDER),
        part(Layer.CAGE, Layer.MARK),
        scene.margins,
    )


def _thin(scene: Scene) -> Drawn:
    pen = scene.style.thin
    for start, end in borders([cell] for cell in scene.board.cells):
        yield Layer.GRID, Path((start, end), pen.colour, pen.line)


def _grids(scene: Scene) -> list[list[Cell]]:
    n = range(scene.board.digits)
    return [
        [Cell(row + i, column + j) for i in n for j in n] for row, column in scene.board.corners
    ]
