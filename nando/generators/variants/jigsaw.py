"""Jigsaw regions: boxes whose borders are moved at random, then drawn together again."""

from nando.generators.variants.canvas import SIDES, Canvas
from nando.puzzles.boards.board import Cell, box_shape
from nando.puzzles.rules.boxes import Regions

_SHUFFLES, _CALMS = 10, 25
"""Exchanges tried for each cell while borders move freely, and while they are drawn together."""

_WARM = 0.9
"""Chance that an exchange is kept which makes the borders longer by one, at first."""


def draw_regions(canvas: Canvas) -> list[Regions]:
    """Return n compact regions of n cells, of the symmetry of the canvas if they can have it."""
    n = canvas.board.digits
    height, width = box_shape(n) or (1, n)
    across = n // width
    owner = {
        cell: cell.row // height * across + cell.column // width for cell in canvas.board.cells
    }
    partner = {owner[cell]: owner[canvas.image(cell)] for cell in owner}
    n_cells = len(owner)
    for step in range((_SHUFFLES + _CALMS) * n_cells):
        calm = max(0.0, (step - _SHUFFLES * n_cells) / (_CALMS * n_cells))
        _exchange(canvas, owner, partner, _WARM * (1.0 - calm) ** 2)
    regions: dict[int, list[Cell]] = {}
    for cell, region in owner.items():
        regions.setdefault(region, []).append(cell)
    return [Regions(tuple(map(tuple, regions.values())))]


def _exchange(
    canvas: Canvas, owner: dict[Cell, int], partner: dict[int, int], chance: float
) -> None:
    """Try to exchange a cell of one region with a cell of a neighbouring one."""
    cells = canvas.board.cells
    first = cells[canvas.below(len(cells))]
    a = owner[first]
    others = {owner[side] for side in canvas.board.around(first, SIDES)} - {a}
    if not others:
        return
    b = sorted(others)[canvas.below(len(others))]
    border = [
        cell
        for cell in cells
        if owner[cell] == b
        and any(owner[side] == a and side != first for side in canvas.board.around(cell, SIDES))
    ]
    if not border:
        return
    second = border[canvas.below(len(border))]
    changed = {first: b, second: a}
    if canvas.symmetry != "none":
        images = {canvas.image(cell): partner[region] for cell, region in changed.items()}
        if any(cell in changed and changed[cell] != region for cell, region in images.items()):
            return
        changed |= images
    before = {cell: owner[cell] for cell in changed}
    length = _border(canvas, owner, changed)
    owner.update(changed)
    longer = _border(canvas, owner, changed) - length
    touched = {*changed.values(), *before.values()}
    if (longer > 0 and canvas.rng.random() >= chance**longer) or not all(
        _is_whole(canvas, owner, region) for region in touched
    ):
        owner.update(before)


def _border(canvas: Canvas, owner: dict[Cell, int], cells: dict[Cell, int]) -> int:
    """Return the number of edges between regions at some cells; twice between two of them."""
    return sum(
        owner[cell] != owner[side] for cell in cells for side in canvas.board.around(cell, SIDES)
    )


def _is_whole(canvas: Canvas, owner: dict[Cell, int], region: int) -> bool:
    """Return True if a region has as many connected cells as there are digits."""
    start = next(cell for cell in owner if owner[cell] == region)
    seen, left = {start}, [start]
    while left:
        for side in canvas.board.around(left.pop(), SIDES):
            if owner[side] == region and side not in seen:
                seen.add(side)
                left.append(side)
    return len(seen) == canvas.board.digits
