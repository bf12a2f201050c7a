"""Jigsaws of SumoCue: ``SumoCueV1``, then ``=``, the given, ``J`` and the region for each cell.

The region is a number from 0 to 8; a blank is 0.
"""

import re

from nando.puzzles.boards.board import Cell
from nando.puzzles.formats import base
from nando.puzzles.formats.variants.values import houses_of, regions_of
from nando.puzzles.protocol import Puzzle

_SIZE = 9
_HEAD = "SumoCueV1"
_PATTERN = re.compile(rf"{_HEAD}(?P<cells>[=0-9A-Za-z]*)")
_CELL = re.compile("=([0-9])J([0-8])")


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    cells = _CELL.findall(match["cells"])
    if "".join(f"={given}J{region}" for given, region in cells) != match["cells"]:
        raise base.unreadable(
            "a cell of SumoCue is '=', the given, 'J' and the region, such as =5J0"
        )
    if len(cells) != _SIZE**2:
        raise base.unreadable(f"SumoCue with {len(cells)} cells; wanted 81")
    regions: dict[str, list[Cell]] = {}
    for place, (_, region) in enumerate(cells):
        regions.setdefault(region, []).append(Cell(*divmod(place, _SIZE)))
    houses, boxed = houses_of([tuple(region) for region in regions.values()], _SIZE)
    givens = [given for given, _ in cells]
    rows = [givens[i : i + _SIZE] for i in range(0, _SIZE**2, _SIZE)]
    return base.puzzle_of_rules(rows, houses, kind, boxed=boxed)


def _write(puzzle: Puzzle) -> str:
    variant = base.as_variant(puzzle, FORMAT.name)
    if variant.size != _SIZE:
        raise ValueError(f"{FORMAT.name} holds 9x9 only; this is {variant.size}x{variant.size}")
    regions, others = regions_of(variant)
    if others:
        raise base.cannot_hold(FORMAT.name, others)
    region_of = {cell: number for number, cells in enumerate(regions) for cell in cells}
    text = _HEAD + "".join(
        f"={given}J{region_of[cell]}"
        for cell, given in zip(variant.board.cells, variant.givens.tolist(), strict=True)
    )
    match = _PATTERN.fullmatch(text)
    assert match is not None
    return base.checked(text, _read, match, variant, FORMAT.name)


FORMAT = base.listed("sumocue", pattern=_PATTERN, read=_read, write=_write)
