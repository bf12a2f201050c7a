"""JSON of lisudoku: a key for each rule, cells as ``{"row": 0, "col": 0}``.

Keys may also be written with underscores. Links of lisudoku hold the same, packed, or digits alone.
"""

import re
from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any
from urllib.parse import quote, unquote

from nando.puzzles import rules
from nando.puzzles.boards.board import LARGEST, Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats import base, rule_values
from nando.puzzles.formats.programs.lz import pack, unpack
from nando.puzzles.protocol import Puzzle
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "lisudoku"

_PATTERN = re.compile(
    r"lisudoku\.xyz/(?:e|solver)\?(?:[^\s&]{0,80}&){0,4}?import=(?P<payload>[^\s&#\"',;]+)"
)
_DOTS = {"Consecutive": "white", "Double": "black"}
_BOXED = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""Boxes of the sizes whose regions need not be listed."""
_TOGETHER = ("primaryDiagonal", "secondaryDiagonal", "kropkiDots", "kropkiNegative")


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of lisudoku."""
    return isinstance(value, dict) and ("gridSize" in value or "grid_size" in value)


def of_value(value: Any, kind: base.Kind = None) -> Puzzle:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    fields = _camel(value)
    with rule_values.reading("grid", PROGRAM, []):
        size = rule_values.number_of(fields.pop("gridSize"))
        if not 1 <= size <= LARGEST:
            raise ValueError(f"a grid of {size}")
        rows: list[list[object]] = [[0] * size for _ in range(size)]
        for given in rule_values.list_of(fields.pop("fixedNumbers", None) or []):
            cell = _cell(given["position"])
            if not (0 <= cell.row < size and 0 <= cell.column < size):
                raise ValueError(f"a given at {cell}")
            rows[cell.row][cell.column] = rule_values.number_of(given["value"])
        listed = fields.pop("regions", None)
        regions = None if not listed else [_cells(region) for region in rule_values.list_of(listed)]
    houses: list[Rule] = []
    boxed = True
    if regions is not None:
        houses, boxed = rule_values.houses_of(regions, size)
    elif size in _BOXED:
        houses = [rules.Boxes(*_BOXED[size])]
    board = Board(size)
    together = {key: fields.pop(key, None) for key in _TOGETHER}
    others = [
        *rule_values.read_rules(fields, _READERS, board, PROGRAM),
        *rule_values.read_rules({"kropkiDots": together}, {"kropkiDots": _marks}, board, PROGRAM),
    ]
    return base.puzzle_of_rules(rows, [*houses, *others], kind, boxed=boxed)


def _camel(value: Any) -> dict[str, Any]:
    """Return an object with the keys of all levels in one spelling."""
    if isinstance(value, list):
        return [_camel(item) for item in value]  # type: ignore[return-value]
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    return {
        re.sub("_([a-z0-9])", lambda found: found[1].upper(), str(key)): _camel(item)
        for key, item in value.items()
    }


def _cell(value: Any) -> Cell:
    if any(
        isinstance(value[key], bool) or not isinstance(value[key], int) for key in ("row", "col")
    ):
        raise TypeError
    return Cell(value["row"], value["col"])


def _cells(value: Any) -> Cells:
    return tuple(map(_cell, rule_values.list_of(value)))


def _marks(value: dict[str, Any], _: Board) -> Iterator[Rule]:
    yield from rule_values.diagonals(
        rising=value["secondaryDiagonal"], falling=value["primaryDiagonal"]
    )
    dots: dict[str, list[Cells]] = {"white": [], "black": []}
    for dot in rule_values.list_of(value["kropkiDots"] or []):
        dots[_DOTS[dot["dotType"]]].append((_cell(dot["cell1"]), _cell(dot["cell2"])))
    if any(dots.values()) or value["kropkiNegative"]:
        yield rules.Kropki(
            tuple(dots["white"]), tuple(dots["black"]), bool(value["kropkiNegative"])
        )


def _each(
    key: str, rule: type[Rule], holds: Callable[[Any], bool] = lambda _: True
) -> rule_values.Row:
    """Return the row of a rule with a list of cells for each."""
    read = rule_values.each(lambda cells, _: rule(_cells(cells)))  # type: ignore[call-arg]
    return rule_values.Row(key, rule, read, lambda rule, _: [_positions(rule.cells)], holds)


def _marked(key: str, rule: type[Rule]) -> rule_values.Row:
    """Return the row of a rule with one list of all its cells."""
    return rule_values.Row(
        key,
        rule,
        lambda content, _: iter([rule(_cells(content))]),  # type: ignore[call-arg]
        lambda rule, _: _positions(rule.cells),
    )


def _arrow(arrow: Any, _: Board) -> Rule:
    return rules.Arrow(_cells(arrow["circleCells"]), _cells(arrow["arrowCells"]))


def _arrow_entries(rule: rules.Arrow, _: Board) -> list[Any]:
    return [{"circleCells": _positions(rule.circle), "arrowCells": _positions(rule.shaft)}]


def _cage(cage: Any, _: Board) -> Rule:
    total = cage.get("sum")
    return rules.Cage(
        _cells(cage["region"]), None if total is None else rule_values.number_of(total)
    )


_ROWS = (
    _each("extraRegions", rules.ExtraRegion),
    _each("thermos", rules.Thermometer, lambda rule: not rule.slow),
    _each("renbans", rules.Renban),
    _each("palindromes", rules.Palindrome),
    rule_values.Row("arrows", rules.Arrow, rule_values.each(_arrow), _arrow_entries),
    rule_values.flag("antiKnight", rules.AntiKnight),
    rule_values.flag("antiKing", rules.AntiKing),
    rule_values.Row(
        "killerCages",
        rules.Cage,
        rule_values.each(_cage),
        lambda rule, _: [{"sum": rule.total, "region": _positions(rule.cells)}],
        lambda rule: not rule.repeats,
    ),
    _marked("oddCells", rules.Odd),
    _marked("evenCells", rules.Even),
)
_READERS = rule_values.readers_of(_ROWS)


# Writing


def _value(variant: Variant) -> dict[str, Any]:
    value: dict[str, Any] = {"gridSize": variant.size, "fixedNumbers": []}
    for cell, given in zip(variant.board.cells, variant.givens.tolist(), strict=True):
        if given:
            value["fixedNumbers"].append({"position": _position(cell), "value": given})
    houses, others = rule_values.regions_of(variant)

    def write(rule: Any) -> None:
        if row := rule_values.row_of(_ROWS, rule):
            for entry in row.write(rule, variant.board):
                rule_values.add_entry(value, row.key, entry)
        elif isinstance(rule, rules.Diagonals):
            value.update({"primaryDiagonal": True} if rule.which != "rising" else {})
            value.update({"secondaryDiagonal": True} if rule.which != "falling" else {})
        elif isinstance(rule, rules.Kropki):
            value["kropkiDots"] = [
                {"dotType": kind, "cell1": _position(pair[0]), "cell2": _position(pair[1])}
                for kind, colour in _DOTS.items()
                for pair in getattr(rule, colour)
            ]
            value["kropkiNegative"] = rule.all_given
        else:
            raise rule_values.UnheldRule

    rule_values.write_rules(others, write, PROGRAM)
    return value | {"regions": [_positions(house) for house in houses]}


def _position(cell: Cell) -> dict[str, int]:
    return {"row": cell.row, "col": cell.column}


def _positions(cells: Cells) -> list[dict[str, int]]:
    return [_position(cell) for cell in cells]


def _json(puzzle: Puzzle, name: str = "lisudoku-json") -> str:
    return base.json_text(puzzle, name, _value, of_value)


def _link(puzzle: Puzzle) -> str:
    packed = quote(pack(_json(puzzle, FORMAT.name)), safe="")
    return f"https://lisudoku.xyz/e?import={packed}"


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    payload = unquote(match["payload"])
    if (size := isqrt(len(payload))) in _BOXED and size**2 == len(payload) and payload.isdecimal():
        return base.puzzle_of_rules(
            [payload[i : i + size] for i in range(0, size**2, size)], (), kind
        )
    value = base.value_in_link(unpack(payload), PROGRAM)
    if not is_value(value):
        raise base.unreadable("the link holds no puzzle of lisudoku: its JSON has no 'gridSize'")
    return of_value(value, kind)


FORMAT = base.declare("lisudoku", pattern=_PATTERN, read=_read, write=_link)
JSON = base.declare("lisudoku-json", write=_json)
