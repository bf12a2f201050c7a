"""Killers as letters: a letter for the cage of each cell, row by row, then the sum of each letter.

The sums follow as ``a=7 b=12``, on the same line or below the rows. A dot is a cell without a cage.
"""

import re
import string
from math import isqrt

from nando.puzzles.boards.board import LARGEST, Cell
from nando.puzzles.formats import base
from nando.puzzles.formats.variants.values import cages_of
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.cages import Cage

SUM = re.compile(r"([A-Za-z])\s?[=:]\s?([0-9]{1,3})(?![0-9])")
"""The sum of a letter."""
_PATTERN = re.compile(
    rf"""(?<![^\s"',;])(?P<cages>[A-Za-z.](?:[ ]?[A-Za-z.]|\n[A-Za-z.]){{15,624}})
         [\s,;]+(?P<sums>{SUM.pattern}(?:[\s,;]*{SUM.pattern})*)""",
    re.VERBOSE,
)


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    letters = "".join(match["cages"].split())
    size = isqrt(len(letters))
    if size**2 != len(letters) or size > LARGEST:
        raise base.unreadable(
            f"{len(letters)} letters of cages; wanted one per cell, for example 81 for 9x9"
        )
    sums: dict[str, int] = {}
    for letter, total in SUM.findall(match["sums"]):
        if letter in sums:
            raise base.unreadable(f"two sums for the cage {letter!r}")
        sums[letter] = int(total)
    cages: dict[str, list[Cell]] = {}
    for place, letter in enumerate(letters):
        if letter != ".":
            cages.setdefault(letter, []).append(Cell(*divmod(place, size)))
    if strange := sorted(set(sums) ^ set(cages)):
        problem = "a sum, but no cells" if strange[0] in sums else "cells, but no sum"
        raise base.unreadable(f"the cage {strange[0]!r} has {problem}")
    rules = [Cage(tuple(cells), sums[letter]) for letter, cells in cages.items()]
    return base.puzzle_of_rules([[0] * size] * size, rules, kind)


def _write(puzzle: Puzzle) -> str:
    variant = base.as_variant(puzzle, FORMAT.name)
    boxes = [rule for rule in variant.rules if isinstance(rule, Boxes)]
    cages = cages_of(variant, FORMAT.name, boxes)
    symbols = string.ascii_lowercase + string.ascii_uppercase
    if variant.n_givens or not 1 <= len(cages) <= len(symbols):
        raise ValueError(f"{FORMAT.name} holds up to {len(symbols)} cages and no givens")
    lettered = zip(symbols, cages, strict=False)
    letter_of = {cell: letter for letter, cage in lettered for cell in cage.cells}
    letters = "".join(letter_of.get(cell, ".") for cell in variant.board.cells)
    sums = " ".join(f"{a}={cage.total}" for a, cage in zip(symbols, cages, strict=False))
    text = f"{letters} {sums}"
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{FORMAT.name} holds 4x4 to 25x25")
    return base.checked(text, _read, match, variant, FORMAT.name)


FORMAT = base.listed("cages", pattern=_PATTERN, read=_read, write=_write)
