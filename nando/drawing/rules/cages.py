"""Cages and little killers."""

from nando.drawing.rules.scene import Drawn, Layer, Point, Scene, arrow_head, centre, outlines
from nando.drawing.shapes import GREY, INK, Path, Text
from nando.puzzles import rules
from nando.puzzles.boards.board import Cell

INSET = 0.085
"""Distance of a cage from the edges of its cells, in cells."""
_ARROW = 0.04
_ROOM, _DIGIT = 0.38, 0.21
"""Distance from the middle of a place next to the board to the edge of the picture, and width of a
digit of a little killer, in cells."""


def cage(rule: rules.Cage, scene: Scene) -> Drawn:
    """Draw a dashed outline within the cells; the number interrupts it in the first corner."""
    for number, outline in enumerate(outlines(rule.cells, INSET)):
        points = outline
        if number == 0 and rule.total is not None:
            text, size = str(rule.total), scene.style.number
            width = 0.64 * size * len(text)
            (x, y), *between, _ = outline
            points = ((x + width + 0.02, y), *between, (x, y + 0.8 * size))
            yield Layer.CAGE, Text(x + width / 2 - 0.01, y + 0.3 * size, text, size, INK)
        yield Layer.CAGE, Path(points, GREY, 0.022, dashed=True)


def little_killer(rule: rules.LittleKiller, scene: Scene) -> Drawn:
    """Draw the number outside, with an arrow along the diagonal."""
    first = rule.cells[0]
    down, right = _direction(rule)
    place = scene.outside(Cell(first.row - down, first.column - right), -down, -right)
    (x, y), half = centre(place), 0.27
    across = half * right
    if not 0 <= place.column < scene.board.n_columns:
        # The picture would cut off a longer number at its side, so it is nearer to the board.
        across = -right * min(half, _ROOM - _DIGIT * len(str(rule.total)) / 2)
    along = -half * down if not 0 <= place.row < scene.board.n_rows else half * down
    if across * right < 0 and along * down < 0:  # beyond a corner of the board
        across, along = across / 2, along / 2
    tip: Point = (x + 0.47 * right, y + 0.47 * down)
    start: Point = (x + 0.25 * right, y + 0.25 * down)
    yield Layer.MARK, Path((start, tip), INK, _ARROW)
    yield Layer.MARK, arrow_head(tip, start, 0.12, INK, _ARROW)
    yield Layer.MARK, Text(x + across, y + 0.6 * along, str(rule.total), 0.33, INK)


def _direction(rule: rules.LittleKiller) -> tuple[int, int]:
    """Return the change of row and column along the arrow; a single cell is a corner."""
    (row, column), *others = rule.cells
    if others:
        return others[0].row - row, others[0].column - column
    return (1 if row == 0 else -1), (-1 if column == 0 else 1)
