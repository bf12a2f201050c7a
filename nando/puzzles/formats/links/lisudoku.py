"""JSON of lisudoku: a key for each rule, cells as ``{"row": 0, "col": 0}``.

Keys may also be written with underscores. Links of lisudoku hold the same, packed, or digits alone.
"""

import json
import re
from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any
from urllib.parse import quote, unquote

from nando.puzzles import rules
from nando.puzzles.boards.board import LARGEST, Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import parse_json
from nando.puzzles.formats.base import (
    Kind,
    as_variant,
    checked,
    listed,
    puzzle_of_rules,
    unreadable,
)
from nando.puzzles.formats.links.lz import pack, unpack
from nando.puzzles.formats.variants.values import (
    Reader,
    UnheldRule,
    diagonals,
    each,
    houses_of,
    list_of,
    number_of,
    read_rules,
    reading,
    regions_of,
    write_rules,
)
from nando.puzzles.protocol import Puzzle
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "lisudoku"

_PATTERN = re.compile(
    r"lisudoku\.xyz/(?:e|solver)\?(?:[^\s&]{0,80}&){0,4}?import=(?P<payload>[^\s&#\"',;]+)"
)
_DOTS = {"Consecutive": "white", "Double": "black"}
_BOXED = {4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""Boxes of the sizes whose regions need not be listed."""
_LISTS: dict[Callable[[Cells], Rule], str] = {
    rules.ExtraRegion: "extraRegions",
    rules.Thermometer: "thermos",
    rules.Renban: "renbans",
    rules.Palindrome: "palindromes",
}
_MARKED: dict[Callable[[Cells], Rule], str] = {rules.Odd: "oddCells", rules.Even: "evenCells"}
_FLAGS: dict[Callable[[], Rule], str] = {
    rules.AntiKnight: "antiKnight",
    rules.AntiKing: "antiKing",
}
_TOGETHER = ("primaryDiagonal", "secondaryDiagonal", "kropkiDots", "kropkiNegative")


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of lisudoku."""
    return isinstance(value, dict) and ("gridSize" in value or "grid_size" in value)


def of_value(value: Any, kind: Kind = None) -> Puzzle:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    fields = _camel(value)
    with reading("grid", PROGRAM, []):
        size = number_of(fields.pop("gridSize"))
        if not 1 <= size <= LARGEST:
            raise ValueError(f"a grid of {size}")
        rows: list[list[object]] = [[0] * size for _ in range(size)]
        for given in list_of(fields.pop("fixedNumbers", None) or []):
            cell = _cell(given["position"])
            if not (0 <= cell.row < size and 0 <= cell.column < size):
                raise ValueError(f"a given at {cell}")
            rows[cell.row][cell.column] = number_of(given["value"])
        listed = fields.pop("regions", None)
        regions = None if not listed else [_cells(region) for region in list_of(listed)]
    houses: list[Rule] = []
    boxed = True
    if regions is not None:
        houses, boxed = houses_of(regions, size)
    elif size in _BOXED:
        houses = [rules.Boxes(*_BOXED[size])]
    board = Board(size)
    together = {key: fields.pop(key, None) for key in _TOGETHER}
    others = [
        *read_rules(fields, _READERS, board, PROGRAM),
        *read_rules({"kropkiDots": together}, {"kropkiDots": _marks}, board, PROGRAM),
    ]
    return puzzle_of_rules(rows, [*houses, *others], kind, boxed=boxed)


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
    return tuple(map(_cell, list_of(value)))


def _marks(value: dict[str, Any], _: Board) -> Iterator[Rule]:
    yield from diagonals(rising=value["secondaryDiagonal"], falling=value["primaryDiagonal"])
    dots: dict[str, list[Cells]] = {"white": [], "black": []}
    for dot in list_of(value["kropkiDots"] or []):
        dots[_DOTS[dot["dotType"]]].append((_cell(dot["cell1"]), _cell(dot["cell2"])))
    if any(dots.values()) or value["kropkiNegative"]:
        yield rules.Kropki(
            tuple(dots["white"]), tuple(dots["black"]), bool(value["kropkiNegative"])
        )


def _each(rule: Callable[[Cells], Rule]) -> Reader:
    return each(lambda cells, _: rule(_cells(cells)))


def _all(rule: Callable[[Cells], Rule]) -> Reader:
    return lambda content, _: iter([rule(_cells(content))])


def _arrow(arrow: Any, _: Board) -> Rule:
    return rules.Arrow(_cells(arrow["circleCells"]), _cells(arrow["arrowCells"]))


def _cage(cage: Any, _: Board) -> Rule:
    total = cage.get("sum")
    return rules.Cage(_cells(cage["region"]), None if total is None else number_of(total))


_READERS: dict[str, Reader] = {
    **{key: _each(rule) for rule, key in _LISTS.items()},
    "arrows": each(_arrow),
    **{key: lambda *_, rule=rule: iter([rule()]) for rule, key in _FLAGS.items()},
    "killerCages": each(_cage),
    **{key: _all(rule) for rule, key in _MARKED.items()},
}


# Writing


def _value(variant: Variant) -> dict[str, Any]:
    value: dict[str, Any] = {"gridSize": variant.size, "fixedNumbers": []}
    for cell, given in zip(variant.board.cells, variant.givens.tolist(), strict=True):
        if given:
            value["fixedNumbers"].append({"position": _position(cell), "value": given})
    houses, others = regions_of(variant)

    def write(rule: Any) -> None:
        match rule:
            case rules.Diagonals():
                value.update({"primaryDiagonal": True} if rule.which != "rising" else {})
                value.update({"secondaryDiagonal": True} if rule.which != "falling" else {})
            case _ if type(rule) in _FLAGS:
                value[_FLAGS[type(rule)]] = True
            case rules.Kropki():
                value["kropkiDots"] = [
                    {"dotType": kind, "cell1": _position(pair[0]), "cell2": _position(pair[1])}
                    for kind, colour in _DOTS.items()
                    for pair in getattr(rule, colour)
                ]
                value["kropkiNegative"] = rule.all_given
            case rules.Cage(repeats=False):
                cage = {"sum": rule.total, "region": _positions(rule.cells)}
                value.setdefault("killerCages", []).append(cage)
            case rules.Arrow():
                arrow = {"circleCells": rule.circle, "arrowCells": rule.shaft}
                placed = {key: _positions(cells) for key, cells in arrow.items()}
                value.setdefault("arrows", []).append(placed)
            case _ if type(rule) in _MARKED:
                value.setdefault(_MARKED[type(rule)], []).extend(_positions(rule.cells))
            case _ if type(rule) in _LISTS and not getattr(rule, "slow", False):
                value.setdefault(_LISTS[type(rule)], []).append(_positions(rule.cells))
            case _:
                raise UnheldRule

    write_rules(others, write, PROGRAM)
    return value | {"regions": [_positions(house) for house in houses]}


def _position(cell: Cell) -> dict[str, int]:
    return {"row": cell.row, "col": cell.column}


def _positions(cells: Cells) -> list[dict[str, int]]:
    return [_position(cell) for cell in cells]


def _text(puzzle: Puzzle, name: str) -> str:
    variant = as_variant(puzzle, name)
    value = _value(variant)
    text = json.dumps(value, separators=(",", ":"))
    return checked(text, of_value, value, variant, name)


def _write(puzzle: Puzzle) -> str:
    packed = quote(pack(_text(puzzle, FORMAT.name)), safe="")
    return f"https://lisudoku.xyz/e?import={packed}"


def _write_json(puzzle: Puzzle) -> str:
    return _text(puzzle, JSON.name)


def _read(match: re.Match[str], kind: Kind) -> Puzzle:
    payload = unquote(match["payload"])
    if (size := isqrt(len(payload))) in _BOXED and size**2 == len(payload) and payload.isdecimal():
        return puzzle_of_rules([payload[i : i + size] for i in range(0, size**2, size)], (), kind)
    text = unpack(payload)
    try:
        value = parse_json(text)
    except ValueError as error:
        raise unreadable(f"the link holds no puzzle of lisudoku ({error})") from None
    if not is_value(value):
        raise unreadable("the link holds no puzzle of lisudoku: its JSON has no 'gridSize'")
    return of_value(value, kind)


FORMAT = listed("lisudoku", pattern=_PATTERN, read=_read, write=_write)
JSON = listed("lisudoku-json", write=_write_json)
