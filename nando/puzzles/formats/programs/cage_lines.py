"""Killers and jigsaws in one line, with what each cell belongs to.

- Letters of JSudoku and others: a letter for the cage of each cell, row by row, then the sum of
  each letter as ``a=7 b=12``, on the same line or below the rows. A dot is a cell without a cage.
- Numbers of SumoCue, JSudoku and others: ``3x3::k:`` and a number for each of 81 cells, 256 times
  the sum of the cell's cage, plus the number of the cage. A cell with a number below 256 is in no
  cage. ``3x3:d:k:`` adds both diagonals.
- Jigsaws of SumoCue: ``SumoCueV1``, then ``=``, the given, ``J`` and the region, from 0 to 8, for
  each cell; a blank is 0.
"""

import re
import string
from math import isqrt

from nando.puzzles.boards.board import LARGEST, cells_by_label
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats import base
from nando.puzzles.formats.rule_values import cages_of, houses_of, regions_of
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.houses import Diagonals
from nando.puzzles.rules.sums import Cage

_SIZE = 9


# Cages as letters

SUM = re.compile(r"([A-Za-z])\s?[=:]\s?([0-9]{1,3})(?![0-9])")
"""The sum of a letter."""
_LETTERS = re.compile(
    rf"""(?<![^\s"',;])(?P<cages>[A-Za-z.](?:[ ]?[A-Za-z.]|\n[A-Za-z.]){{15,624}})
         [\s,;]+(?P<sums>{SUM.pattern}(?:[\s,;]*{SUM.pattern})*)""",
    re.VERBOSE,
)


def _read_letters(match: re.Match[str], kind: base.Kind) -> Puzzle:
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
    cages = cells_by_label(letters, size)
    cages.pop(".", None)
    if strange := sorted(set(sums) ^ set(cages)):
        problem = "a sum, but no cells" if strange[0] in sums else "cells, but no sum"
        raise base.unreadable(f"the cage {strange[0]!r} has {problem}")
    rules = [Cage(cells, sums[letter]) for letter, cells in cages.items()]
    return base.puzzle_of_rules([[0] * size] * size, rules, kind)


def _write_letters(puzzle: Puzzle) -> str:
    variant = base.as_variant(puzzle, LETTERS.name)
    boxes = [rule for rule in variant.rules if isinstance(rule, Boxes)]
    cages = cages_of(variant, LETTERS.name, boxes)
    symbols = string.ascii_lowercase + string.ascii_uppercase
    if variant.n_givens or not 1 <= len(cages) <= len(symbols):
        raise ValueError(f"{LETTERS.name} holds up to {len(symbols)} cages and no givens")
    lettered = zip(symbols, cages, strict=False)
    letter_of = {cell: letter for letter, cage in lettered for cell in cage.cells}
    letters = "".join(letter_of.get(cell, ".") for cell in variant.board.cells)
    sums = " ".join(f"{a}={cage.total}" for a, cage in zip(symbols, cages, strict=False))
    text = f"{letters} {sums}"
    match = _LETTERS.fullmatch(text)
    if match is None:
        raise ValueError(f"{LETTERS.name} holds 4x4 to 25x25")
    return base.check_read_back(text, _read_letters, match, variant, LETTERS.name)


LETTERS = base.declare("cages", pattern=_LETTERS, read=_read_letters, write=_write_letters)


# Cages as numbers

_BASE = 256
_NUMBERS = re.compile(r"(?<!\w)3x3:(?P<flags>[a-z]{0,9}):k:(?P<cells>[0-9:]*)")


def _read_numbers(match: re.Match[str], kind: base.Kind) -> Puzzle:
    if match["flags"] not in ("", "d"):
        raise base.unreadable(f"unknown letter {match['flags']!r} in 3x3:{match['flags']}:k:")
    numbers = match["cells"].strip(":").split(":")
    if len(numbers) != _SIZE**2 or not all(0 < len(number) <= 6 for number in numbers):
        raise base.unreadable(f"3x3::k: with {len(numbers)} numbers; wanted 81 of up to 6 digits")
    labelled = cells_by_label((divmod(int(number), _BASE) for number in numbers), _SIZE)
    cages = {label: cells for label, cells in labelled.items() if label[0]}
    if len({cage for _, cage in cages}) < len(cages):
        raise base.unreadable("two cages of 3x3::k: have the same number")
    rules: list[Rule] = [Cage(cells, total) for (total, _), cells in cages.items()]
    if match["flags"]:
        rules.append(Diagonals())
    return base.puzzle_of_rules([[0] * _SIZE] * _SIZE, rules, kind)


def _write_numbers(puzzle: Puzzle) -> str:
    variant = base.as_variant(puzzle, NUMBERS.name)
    cages = cages_of(variant, NUMBERS.name, (Boxes(3, 3), Diagonals()))
    if variant.size != _SIZE or variant.n_givens:
        raise ValueError(f"{NUMBERS.name} holds 9x9 without givens only")
    numbers = {
        cell: (cage.total or 0) * _BASE + number
        for number, cage in enumerate(cages)
        for cell in cage.cells
    }
    free = iter(range(len(cages), _BASE))
    listed = [numbers[c] if c in numbers else next(free) for c in variant.board.cells]
    flags = "d" if Diagonals() in variant.rules else ""
    text = f"3x3:{flags}:k:" + "".join(f"{number}:" for number in listed)
    match = _NUMBERS.fullmatch(text)
    assert match is not None
    return base.check_read_back(text, _read_numbers, match, variant, NUMBERS.name)


NUMBERS = base.declare("killer", pattern=_NUMBERS, read=_read_numbers, write=_write_numbers)


# Regions of a jigsaw

_HEAD = "SumoCueV1"
_REGIONS = re.compile(rf"{_HEAD}(?P<cells>[=0-9A-Za-z]*)")
_CELL = re.compile("=([0-9])J([0-8])")


def _read_regions(match: re.Match[str], kind: base.Kind) -> Puzzle:
    cells = _CELL.findall(match["cells"])
    if "".join(f"={given}J{region}" for given, region in cells) != match["cells"]:
        raise base.unreadable(
            "a cell of SumoCue is '=', the given, 'J' and the region, such as =5J0"
        )
    if len(cells) != _SIZE**2:
        raise base.unreadable(f"SumoCue with {len(cells)} cells; wanted 81")
    regions = cells_by_label((region for _, region in cells), _SIZE)
    houses, boxed = houses_of([*regions.values()], _SIZE)
    givens = [given for given, _ in cells]
    rows = [givens[i : i + _SIZE] for i in range(0, _SIZE**2, _SIZE)]
    return base.puzzle_of_rules(rows, houses, kind, boxed=boxed)


def _write_regions(puzzle: Puzzle) -> str:
    variant = base.as_variant(puzzle, JIGSAW.name)
    if variant.size != _SIZE:
        raise ValueError(f"{JIGSAW.name} holds 9x9 only; this is {variant.size}x{variant.size}")
    regions, others = regions_of(variant)
    if others:
        raise base.cannot_hold(JIGSAW.name, others)
    region_of = {cell: number for number, cells in enumerate(regions) for cell in cells}
    text = _HEAD + "".join(
        f"={given}J{region_of[cell]}"
        for cell, given in zip(variant.board.cells, variant.givens.tolist(), strict=True)
    )
    match = _REGIONS.fullmatch(text)
    assert match is not None
    return base.check_read_back(text, _read_regions, match, variant, JIGSAW.name)


JIGSAW = base.declare("sumocue", pattern=_REGIONS, read=_read_regions, write=_write_regions)
