"""The table of rules and the functions that draw them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from nando.drawing.rules import cages, cells, houses, lines, marks, outside
from nando.drawing.rules.scene import Drawn, Layer, Scene, borders
from nando.drawing.shapes import GridStyle, Path, Shape
from nando.puzzles import Variant, rules
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule


def nothing(rule: Rule, scene: Scene) -> Drawn:
    """Draw nothing, for a rule about the whole board that only words can express."""
    yield from ()


DRAWINGS: dict[type[Rule], Callable[[Any, Scene], Drawn]] = {
    rules.Boxes: houses.boxes,
    rules.Regions: houses.regions,
    rules.Diagonals: houses.diagonals,
    rules.Windoku: houses.tinted,
    rules.DisjointGroups: nothing,
    rules.CentreDot: houses.tinted,
    rules.Asterisk: houses.tinted,
    rules.Girandola: houses.tinted,
    rules.Argyle: houses.diagonals,
    rules.ExtraRegion: houses.extra_region,
    rules.AntiKnight: nothing,
    rules.AntiKing: nothing,
    rules.NonConsecutive: nothing,
    rules.Cage: cages.cage,
    rules.LittleKiller: cages.little_killer,
    rules.Sandwich: outside.number,
    rules.XSums: outside.number,
    rules.Skyscraper: outside.number,
    rules.FrameSum: outside.number,
    rules.NumberedRoom: outside.number,
    rules.Kropki: marks.kropki,
    rules.XV: marks.xv,
    rules.Greater: marks.greater,
    rules.Consecutive: marks.consecutive,
    rules.Difference: marks.difference,
    rules.Ratio: marks.ratio,
    rules.Quadruple: marks.quadruple,
    rules.Thermometer: lines.thermometer,
    rules.Arrow: lines.arrow,
    rules.Palindrome: lines.palindrome,
    rules.Renban: lines.renban,
    rules.Whispers: lines.whispers,
    rules.Parity: lines.parity,
    rules.Entropic: lines.entropic,
    rules.Modular: lines.modular,
    rules.Between: lines.between,
    rules.Zipper: lines.zipper,
    rules.RegionSum: lines.region_sum,
    rules.Odd: cells.odd,
    rules.Even: cells.even,
    rules.Low: cells.triangle,
    rules.High: cells.triangle,
    rules.Minimum: cells.extreme,
    rules.Maximum: cells.extreme,
    rules.Indexing: cells.indexing,
    rules.Clone: cells.clone,
    rules.GivenCandidates: cells.candidates,
}
"""The function for each rule, which takes the rule and the scene and yields shapes and layers."""


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
    margins : tuple of int
        Rows and columns of marks outside: on the left, on top, on the right, below.
    """

    tints: tuple[Shape, ...]
    lines: tuple[Shape, ...]
    marks: tuple[Shape, ...]
    margins: tuple[int, int, int, int]


def empty_board(puzzle: Variant, style: GridStyle) -> EmptyBoard:
    """Return the board of a puzzle with all marks of its rules, without digits."""
    given = puzzle.givens.reshape(puzzle.shape)
    givens = [cell for cell in puzzle.board.cells if given[cell.row, cell.column]]
    scene = Scene(puzzle.board, style, map(type, puzzle.rules), givens)
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
