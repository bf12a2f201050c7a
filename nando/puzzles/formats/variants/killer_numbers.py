"""Killers of SumoCue, JSudoku and others: ``3x3::k:`` and a number for each of 81 cells.

The number is 256 times the sum of the cell's cage, plus the number of the cage. A cell with a
number below 256 is in no cage. ``3x3:d:k:`` adds both diagonals.
"""

import re

from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import (
    Kind,
    as_variant,
    checked,
    listed,
    puzzle_of_rules,
    unreadable,
)
from nando.puzzles.formats.variants.values import cages_of
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.cages import Cage
from nando.puzzles.rules.houses import Diagonals

_SIZE = 9
_BASE = 256
_PATTERN = re.compile(r"(?<!\w)3x3:(?P<flags>[a-z]{0,9}):k:(?P<cells>[0-9:]*)")


def _read(match: re.Match[str], kind: Kind) -> Puzzle:
    if match["flags"] not in ("", "d"):
        raise unreadable(f"unknown letter {match['flags']!r} in 3x3:{match['flags']}:k:")
    numbers = match["cells"].strip(":").split(":")
    if len(numbers) != _SIZE**2 or not all(0 < len(number) <= 6 for number in numbers):
        raise unreadable(f"3x3::k: with {len(numbers)} numbers; wanted 81 of up to 6 digits")
    cages: dict[tuple[int, int], list[Cell]] = {}
    for place, number in enumerate(numbers):
        total, cage = divmod(int(number), _BASE)
        if total:
            cages.setdefault((cage, total), []).append(Cell(*divmod(place, _SIZE)))
    if len({cage for cage, _ in cages}) < len(cages):
        raise unreadable("two cages of 3x3::k: have the same number")
    rules: list[Rule] = [Cage(tuple(cells), total) for (_, total), cells in cages.items()]
    if match["flags"]:
        rules.append(Diagonals())
    return puzzle_of_rules([[0] * _SIZE] * _SIZE, rules, kind)


def _write(puzzle: Puzzle) -> str:
    variant = as_variant(puzzle, FORMAT.name)
    cages = cages_of(variant, FORMAT.name, (Boxes(3, 3), Diagonals()))
    if variant.size != _SIZE or variant.n_givens:
        raise ValueError(f"{FORMAT.name} holds 9x9 without givens only")
    numbers = {
        cell: (cage.total or 0) * _BASE + number
        for number, cage in enumerate(cages)
        for cell in cage.cells
    }
    free = iter(range(len(cages), _BASE))
    listed = [numbers[c] if c in numbers else next(free) for c in variant.board.cells]
    flags = "d" if Diagonals() in variant.rules else ""
    text = f"3x3:{flags}:k:" + "".join(f"{number}:" for number in listed)
    match = _PATTERN.fullmatch(text)
    assert match is not None
    return checked(text, _read, match, variant, FORMAT.name)


FORMAT = listed("killer", pattern=_PATTERN, read=_read, write=_write)
