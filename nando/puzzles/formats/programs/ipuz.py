"""ipuz: JSON with the kind of a puzzle, rows of givens, and cages or zones.

Cells are a column and a row, from 1. A zone of n cells is a region of a jigsaw.
"""

from typing import Any

from nando.puzzles.boards.board import LARGEST, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats import base, rule_values
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.houses import Diagonals
from nando.puzzles.rules.sums import Cage
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

_KIND = "http://ipuz.org/sudoku"
_KINDS: dict[str, tuple[Rule, ...]] = {
    "": (),
    "/diagonalsudoku": (Diagonals(),),
    "/jigsawsudoku": (),
    "/killersudoku": (),
    "/latinsquare": (),
}
"""The rules of each kind of Sudoku, by the end of its name."""
_WITHOUT_RULES = frozenset(
    [
        *("version", "kind", "copyright", "publisher", "publication", "url", "uniqueid", "title"),
        *("intro", "explanation", "annotation", "author", "editor", "date", "notes", "difficulty"),
        *("origin", "block", "empty", "checksum", "dimensions", "charset", "displaycharset"),
        *("boxes", "showoperators", "cageborder", "puzzle", "saved", "solution", "zones", "cages"),
    ]
)


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of ipuz."""
    return isinstance(value, dict) and str(value.get("version", "")).startswith("http://ipuz.org/")


def of_value(value: Any, kind: base.Kind = None) -> Puzzle:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    unread = [key for key, content in value.items() if content and key not in _WITHOUT_RULES]
    rules: list[Rule] = []
    boxed = value.get("boxes") is not False
    with rule_values.reading("puzzle", "ipuz", unread):
        for name in map(str, rule_values.list_of(value["kind"])):
            end = name.partition("#")[0].removeprefix(_KIND)
            if not name.startswith(_KIND) or end not in _KINDS:
                raise base.unknown_rules([f"the kind {name!r}"])
            rules += _KINDS[end]
            boxed = boxed and end != "/latinsquare"
        empty = value.get("empty", 0)
        rows = [
            [_given_of(cell, empty) for cell in rule_values.list_of(row)]
            for row in rule_values.list_of(value["puzzle"])
        ]
        size = len(rows)
        if not 1 <= size <= LARGEST or any(len(row) != size for row in rows):
            return Sudoku.from_rows(rows)  # which says what is wrong
        zones = [_cells(zone) for zone in value.get("zones") or []]
        if zones:
            houses, boxed = rule_values.houses_of(zones, size)
            rules += houses
        rules += [_cage(cage) for cage in value.get("cages") or []]
    if unread:
        raise base.unknown_rules(unread)
    return base.puzzle_of_rules(rows, rules, kind, boxed=boxed)


def _given_of(cell: Any, empty: object) -> object:
    if isinstance(cell, dict):
        cell = cell.get("value", cell.get("cell"))
    return 0 if cell in (None, "", 0, "0", "#", empty) else cell


def _cells(group: Any) -> Cells:
    cells = [list(map(rule_values.number_of, pair)) for pair in rule_values.list_of(group["cells"])]
    return tuple(Cell(row - 1, column - 1) for column, row in cells)


def _cage(cage: Any) -> Rule:
    if cage.get("operator") not in (None, "", "+"):
        raise base.unknown_rules([f"a cage with the operator {cage['operator']!r}"])
    total = cage.get("value")
    return Cage(_cells(cage), None if total in (None, "") else rule_values.number_of(total))


def _value(variant: Variant) -> dict[str, Any]:
    size = variant.size
    regions, others = rule_values.regions_of(variant)
    diagonals = Diagonals() in others
    cages = rule_values.cages_of(variant, FORMAT.name, {*variant.rules} - {*others} | {Diagonals()})
    givens = variant.givens.tolist()
    value: dict[str, Any] = {
        "version": "http://ipuz.org/v2",
        "kind": [f"{_KIND}/diagonalsudoku#1" if diagonals else f"{_KIND}#1"],
        "dimensions": {"width": size, "height": size},
        "boxes": True,
        "puzzle": [givens[i : i + size] for i in range(0, size**2, size)],
        "zones": [{"cells": _pairs(cells)} for cells in regions],
        "cages": [{"cells": _pairs(cage.cells), "value": cage.total} for cage in cages],
    }
    if variant.is_plain:
        del value["zones"]
    return value


def _pairs(cells: Cells) -> list[list[int]]:
    return [[column + 1, row + 1] for row, column in cells]


def _write(puzzle: Puzzle) -> str:
    return base.json_text(puzzle, FORMAT.name, _value, of_value)


FORMAT = base.declare("ipuz", write=_write)
