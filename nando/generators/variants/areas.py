"""Areas: further regions drawn before the digits, and clones among the digits."""

from collections import defaultdict
from collections.abc import Iterable

from nando.generators.variants.board import Canvas
from nando.puzzles.boards.board import Cell
from nando.puzzles.rules.cells import ADJACENT, Clone
from nando.puzzles.rules.houses import ExtraRegion

_REGIONS = 3
"""Default number of further regions."""

_LARGEST_CLONE = 5


def draw_further_regions(canvas: Canvas) -> list[ExtraRegion]:
    """Return connected areas of as many cells as there are digits; no two of them share a cell."""
    n = canvas.board.digits
    areas: list[ExtraRegion] = []
    for start in canvas.shuffled(canvas.board.cells):
        if len(areas) == (canvas.wanted or _REGIONS):
            break
        cells = _grown(canvas, start, n)
        image = list(map(canvas.image, cells))
        if len(cells) < n or (set(image) & set(cells) and set(image) != set(cells)):
            continue
        copies = {tuple(sorted(cells)), tuple(sorted(image))}
        if len(areas) + len(copies) > (canvas.wanted or _REGIONS + 1):
            continue
        for copy in sorted(copies):
            canvas.used.update(copy)
            areas.append(ExtraRegion(copy))
    return areas


def _grown(canvas: Canvas, start: Cell, size: int) -> list[Cell]:
    """Return a random connected area of free cells, at most `size` of them."""
    cells: list[Cell] = []
    options = [start]
    while options and len(cells) < size:
        cell = options[canvas.below(len(options))]
        options = [option for option in options if option != cell]
        if cell in canvas.used or cell in cells:
            continue
        cells.append(cell)
        options += list(canvas.board.around(cell, ADJACENT))
    return cells


def draw_clones(canvas: Canvas) -> list[Clone]:
    """Return pairs of areas with the same digits, the largest ones first."""
    cells_of: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    by_digit: dict[int, list[Cell]] = defaultdict(list)
    for cell, digit in canvas.digits.items():
        by_digit[digit].append(cell)
    for cells in by_digit.values():
        for cell in cells:
            for copy in cells:
                if cell < copy:
                    cells_of[copy.row - cell.row, copy.column - cell.column].append(cell)
    pairs = [
        (tuple(part[:_LARGEST_CLONE]), shift)
        for shift, cells in cells_of.items()
        for part in connected_parts(cells)
    ]
    clones: list[Clone] = []
    for area, (down, right) in sorted(canvas.shuffled(pairs), key=lambda pair: -len(pair[0])):
        copies = tuple(Cell(row + down, column + right) for row, column in area)
        together = {*area, *copies}
        if len(clones) == (canvas.wanted or 5) or len(area) < 2:
            break
        if len(together) == 2 * len(area) and not together & canvas.used:
            canvas.used |= together
            clones.append(Clone(area, copies))
    return clones


def connected_parts(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Return the connected parts of some cells."""
    left, parts = set(cells), list[list[Cell]]()
    while left:
        part, waiting = [], [min(left)]
        left.discard(waiting[0])
        while waiting:
            cell = waiting.pop()
            part.append(cell)
            sides = [Cell(cell.row + down, cell.column + right) for down, right in ADJACENT]
            new = [side for side in sides if side in left]
            left.difference_update(new)
            waiting += new
        parts.append(part)
    return parts
