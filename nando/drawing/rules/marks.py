"""Marks other than lines: in cells, between cells, around cells, and outside the grid."""

from collections.abc import Iterable

from nando.drawing.colour import BAND, BRIGHT, DARK, SHADES
from nando.drawing.rules.scene import (
    Drawn,
    Layer,
    Point,
    Scene,
    arrow_head,
    between,
    centre,
    draws,
    outlines,
    tint,
)
from nando.drawing.shapes import GREY, INK, Disc, Path, Polygon, Rect, Text
from nando.puzzles import rules
from nando.puzzles.boards.board import SYMBOLS_OF_VALUES, Cell, Cells
from nando.puzzles.rules.outside import Outside

# ---------------------------------------------------------------- in cells

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


@draws(rules.Odd)
def odd(rule: rules.Odd, scene: Scene) -> Drawn:
    """Draw a grey circle."""
    for cell in rule.cells:
        yield Layer.LINE, Disc(*centre(cell), 0.4, BAND)


@draws(rules.Even)
def even(rule: rules.Even, scene: Scene) -> Drawn:
    """Draw a grey square."""
    for row, column in rule.cells:
        yield Layer.LINE, Rect(column + 0.12, row + 0.12, 0.76, 0.76, BAND)


@draws(rules.Low, rules.High)
def triangle(rule: rules.Low | rules.High, scene: Scene) -> Drawn:
    """Draw a grey triangle that points down for low digits, up for high ones."""
    down = 1 if isinstance(rule, rules.Low) else -1
    for x, y in map(centre, rule.cells):
        side = y - 0.34 * down
        yield Layer.LINE, Polygon(((x - 0.43, side), (x + 0.43, side), (x, y + 0.42 * down)), BAND)


@draws(rules.Minimum, rules.Maximum)
def extreme(rule: rules.Minimum | rules.Maximum, scene: Scene) -> Drawn:
    """Tint the cells, with a sign at each edge that opens to the greater digit."""
    opens = 1 if isinstance(rule, rules.Minimum) else -1
    yield from tint(rule.cells, 0)
    for cell, other in rule.neighbours(scene.board):
        x, y = centre(cell)
        down, right = other.row - cell.row, other.column - cell.column
        x, y = x + 0.41 * right, y + 0.41 * down
        tip = x - 0.045 * opens * right, y - 0.045 * opens * down
        back = x + 0.045 * opens * right, y + 0.045 * opens * down
        ends = [(back[0] + turn * down, back[1] + turn * right) for turn in (0.11, -0.11)]
        yield Layer.MARK, Path((ends[0], tip, ends[1]), GREY, 0.04)


@draws(rules.Indexing)
def indexing(rule: rules.Indexing, scene: Scene) -> Drawn:
    """Tint the cells, with a triangle at the edge from which places are counted."""
    yield from tint(rule.cells, 1)
    down = {"top": 1, "bottom": -1}.get(rule.edge, 0)
    right = {"left": 1, "right": -1}.get(rule.edge, 0)
    for x, y in map(centre, rule.cells):
        x, y = x - 0.44 * right, y - 0.44 * down
        side = 0.12 * (down != 0), 0.12 * (right != 0)
        tip = x + 0.12 * right, y + 0.12 * down
        ends = (x - side[0], y - side[1]), (x + side[0], y + side[1])
        yield Layer.MARK, Polygon((*ends, tip), GREY)


@draws(rules.BoxIndexing)
def box_indexing(rule: rules.BoxIndexing, scene: Scene) -> Drawn:
    """Tint the cells, with a hook in the corner from which places count: its long side first."""
    yield from tint(rule.cells, 1)
    vertical, _, horizontal = rule.corner.partition("-")
    down, right = (1 if vertical == "top" else -1), (1 if horizontal == "left" else -1)
    wide, tall = (0.16, 0.34) if rule.order == "columns" else (0.34, 0.16)
    for x, y in map(centre, rule.cells):
        x, y = x - 0.42 * right, y - 0.42 * down
        hook = (x + wide * right, y), (x, y), (x, y + tall * down)
        yield Layer.MARK, Path(hook, GREY, 0.05)


@draws(rules.CountingCircles)
def counting_circles(rule: rules.CountingCircles, scene: Scene) -> Drawn:
    """Draw a thin ring in each cell, on a tint of its own for a second set of circles."""
    number = scene.nth(rule)
    fill = SHADES[(number - 1) % len(SHADES)] if number else None
    for x, y in map(centre, rule.cells):
        yield Layer.LINE, Disc(x, y, 0.43, fill, GREY, 0.03)


@draws(rules.Clone)
def clone(rule: rules.Clone, scene: Scene) -> Drawn:
    """Tint both shapes alike, with a letter where there are several clones."""
    number = scene.nth(rule)
    for cells in (rule.cells, rule.copies):
        yield from tint(cells, number)
        row, column = min(cells)
        letter = _LETTERS[number % len(_LETTERS)]
        yield Layer.MARK, Text(column + 0.86, row + 0.16, letter, 0.2, GREY)


@draws(rules.GivenCandidates)
def candidates(rule: rules.GivenCandidates, scene: Scene) -> Drawn:
    """Write the digits small along the lower edge of the cell."""
    row, column = rule.cell
    step = min(0.17, 0.94 / len(rule.digits))
    for i, digit in enumerate(rule.digits):
        x = column + 0.5 + (i - (len(rule.digits) - 1) / 2) * step
        yield (
            Layer.MARK,
            Text(x, row + 0.85, SYMBOLS_OF_VALUES[digit], min(0.26, 1.55 * step), GREY),
        )


# ---------------------------------------------------------------- between cells

_DOT, _NUMBERED, _LINE = 0.13, 0.2, 0.03


@draws(rules.Kropki)
def kropki(rule: rules.Kropki, scene: Scene) -> Drawn:
    """Draw white and black dots."""
    yield from _dots(rule.white, BRIGHT)
    yield from _dots(rule.black, DARK)


@draws(rules.Difference)
def difference(rule: rules.Difference, scene: Scene) -> Drawn:
    """Draw white dots, with the difference unless it is 1."""
    yield from _dots(rule.marks, BRIGHT, "" if rule.value == 1 else str(rule.value))


@draws(rules.Ratio)
def ratio(rule: rules.Ratio, scene: Scene) -> Drawn:
    """Draw black dots, with the ratio unless it is 2."""
    yield from _dots(rule.marks, DARK, "" if rule.value == 2 else str(rule.value))


def _dots(marked: Iterable[Cells], colour: str, text: str = "") -> Drawn:
    for first, second in marked:
        x, y = between(first, second)
        yield Layer.MARK, Disc(x, y, _NUMBERED if text else _DOT, colour, INK, _LINE)
        if text:
            ink = DARK if colour == BRIGHT else BRIGHT
            yield Layer.MARK, Text(x, y, text, 0.26, ink, bold=True)


@draws(rules.XV)
def xv(rule: rules.XV, scene: Scene) -> Drawn:
    """Draw the letters, on white so that the line between the cells does not cross them."""
    for letter, marked in (("X", rule.x), ("V", rule.v)):
        for first, second in marked:
            x, y = between(first, second)
            yield Layer.MARK, Disc(x, y, 0.17, "#ffffff")
            yield Layer.MARK, Text(x, y, letter, 0.34, INK, bold=True)


@draws(rules.Greater)
def greater(rule: rules.Greater, scene: Scene) -> Drawn:
    """Draw a sign that opens to the greater digit."""
    for first, second in rule.marks:
        x, y = between(first, second)
        (ax, ay), (bx, by) = centre(first), centre(second)
        right, down = 0.09 * (bx - ax), 0.09 * (by - ay)
        tip = x + right, y + down
        ends = [(x - right - turn * down * 1.5, y - down + turn * right * 1.5) for turn in (1, -1)]
        wide, tall = (0.12, 0.3) if down == 0 else (0.3, 0.12)
        yield Layer.MARK, Rect(x - wide / 2, y - tall / 2, wide, tall, "#ffffff")
        yield Layer.MARK, Path((ends[0], tip, ends[1]), INK, 0.045)


@draws(rules.Consecutive)
def consecutive(rule: rules.Consecutive, scene: Scene) -> Drawn:
    """Draw a bar along the edge between the cells."""
    for first, second in rule.marks:
        x, y = between(first, second)
        wide, tall = (0.13, 0.52) if first.row == second.row else (0.52, 0.13)
        yield Layer.MARK, Rect(x - wide / 2, y - tall / 2, wide, tall, "#ffffff", INK, _LINE)


@draws(rules.Quadruple)
def quadruple(rule: rules.Quadruple, scene: Scene) -> Drawn:
    """Draw the digits in a circle on the corner that the cells share."""
    row, column = min(rule.cells)
    x, y = column + 1.0, row + 1.0
    yield Layer.MARK, Disc(x, y, 0.27, "#ffffff", INK, 0.025)
    texts = [SYMBOLS_OF_VALUES[digit] for digit in rule.digits]
    rows = [texts] if len(texts) < 3 else [texts[:2], texts[2:]]
    size = 0.34 if len(texts) == 1 else 0.25 if len(texts) == 2 else 0.21
    for i, shown in enumerate(rows):
        for j, text in enumerate(shown):
            across = (j - (len(shown) - 1) / 2) * size * 0.84
            down = (i - (len(rows) - 1) / 2) * size * 0.95
            yield Layer.MARK, Text(x + across, y + down, text, size, INK, bold=True)


# ---------------------------------------------------------------- around cells

INSET = 0.1
"""Distance of a cage from the edges of its cells, in cells."""
_ARROW, _CAGE = 0.04, 0.028
_ROOM, _DIGIT = 0.38, 0.21
"""Distance from the middle of a place next to the board to the edge of the picture, and width of a
digit of a little killer, in cells."""


@draws(rules.Cage)
def cage(rule: rules.Cage, scene: Scene) -> Drawn:
    """Draw a dashed outline within the cells; the number interrupts it in the first corner."""
    yield from _outlined(rule.cells, "" if rule.total is None else str(rule.total), scene)


@draws(rules.LookAndSay)
def look_and_say(rule: rules.LookAndSay, scene: Scene) -> Drawn:
    """Draw an outline with the counts and digits in its first corner."""
    says = "".join(SYMBOLS_OF_VALUES[number] for number in rule.says)
    yield from _outlined(rule.cells, says, scene, dashed=False)


@draws(rules.Rellik)
def rellik(rule: rules.Rellik, scene: Scene) -> Drawn:
    """Draw a dashed outline with the number, struck through, in its first corner."""
    text, size = str(rule.total), scene.style.number
    yield from _outlined(rule.cells, text, scene)
    (row, column), width = min(rule.cells), 0.64 * size * len(text)
    x, y = column + INSET, row + INSET + 0.3 * size
    yield Layer.CAGE, Path(((x, y + 0.35 * size), (x + width, y - 0.35 * size)), INK, 0.025)


@draws(rules.EqualSums)
def equal_sums(rule: rules.EqualSums, scene: Scene) -> Drawn:
    """Draw a dashed outline around each group, with a sign of equality and a letter."""
    text = "=" + _LETTERS[scene.nth(rule) % len(_LETTERS)]
    for group in rule.groups:
        yield from _outlined(group, text, scene)


def _outlined(cells: Cells, text: str, scene: Scene, *, dashed: bool = True) -> Drawn:
    """Draw an outline within the cells, which a text interrupts in the first corner."""
    for number, outline in enumerate(outlines(cells, INSET)):
        points = outline
        if number == 0 and text:
            size = scene.style.number
            width = 0.64 * size * len(text)
            (x, y), *between, _ = outline
            points = ((x + width + 0.02, y), *between, (x, y + 0.8 * size))
            yield Layer.CAGE, Text(x + width / 2 - 0.01, y + 0.3 * size, text, size, INK)
        yield Layer.CAGE, Path(points, INK, _CAGE, dashed=dashed)


@draws(rules.LittleKiller)
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


# ---------------------------------------------------------------- outside the grid

_SIGNS: dict[type, tuple[tuple[Point, ...], ...]] = {
    rules.Sandwich: (((0, 0), (1, 0)), ((0.2, 0.5), (0.8, 0.5)), ((0, 1), (1, 1))),
    rules.XSums: (((0, 0), (1, 1)), ((0, 1), (1, 0))),
    rules.Skyscraper: (((0, 1), (0, 0.7)), ((0.5, 1), (0.5, 0.35)), ((1, 1), (1, 0))),
    rules.FrameSum: (((1, 0), (0, 0), (0, 1), (1, 1)),),
    rules.NumberedRoom: (((0, 1), (0, 0), (1, 0), (1, 1), (0, 1)),),
    rules.FullRank: (
        ((0, 1), (0.5, 0)),
        ((0.5, 1), (1, 0)),
        ((0, 0.3), (1, 0.3)),
        ((0, 0.7), (1, 0.7)),
    ),
}
"""A small sign of each rule, drawn where a puzzle has numbers of several rules."""


@draws(*_SIGNS)
def number(rule: Outside, scene: Scene) -> Drawn:
    """Draw the number at the end of its line."""
    down, right = _outward(rule.line.edge)
    start = scene.board.line(rule.line)[0]
    place = scene.outside(Cell(start.row + down, start.column + right), down, right)
    x, y = centre(place)
    x, y = x - 0.06 * right, y - 0.06 * down
    if len(scene.rules & _SIGNS.keys()) > 1:
        y -= 0.1
        for sign in _SIGNS[type(rule)]:
            points = tuple((x - 0.09 + 0.18 * a, y + 0.24 + 0.18 * b) for a, b in sign)
            yield Layer.MARK, Path(points, GREY, 0.035)
    yield Layer.MARK, Text(x, y, str(rule.number), 0.44, INK)


def _outward(edge: str) -> tuple[int, int]:
    """Return the rows and columns from the board to a place beyond an edge."""
    return {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}[edge]
