"""Links of f-puzzles.com, where setters draw Sudoku: packed JSON with a grid of cells.

A link also holds the player's entries. Marks in the middle of a cell are its candidates; marks in
the corners say where a digit may go in a box, and are ignored.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote

from nando.puzzles.files import parse_json
from nando.puzzles.formats.format import (
    Format,
    Kind,
    Standing,
    as_sudoku,
    sudoku_standing,
    unreadable,
    variant,
    with_marks,
)
from nando.puzzles.formats.links.lz import pack, unpack
from nando.puzzles.protocol import Puzzle
from nando.puzzles.sudoku.puzzle import Sudoku

_PATTERN = re.compile(
    r"f-puzzles\.com/[^\s?]{0,40}\?(?:[^\s&]{0,80}&){0,4}?(?P<name>load|id)=(?P<payload>[^\s&#\"',;]+)",
    re.IGNORECASE,
)
_WITHOUT_RULES = frozenset(
    [
        *("activeConstraints", "author", "cage", "disabledlogic", "grid", "highlightConflicts"),
        *("ruleset", "size", "solution", "successMessage", "title", "truecandidatesoptions"),
    ]
)
"""Keys that are not constraints. All other keys are constraints or drawings."""
_METADATA = re.compile(r"\w+:\s")
"""Start of the value of a cage that only holds metadata, for example the title."""


def _read(match: re.Match[str], _: Kind) -> Puzzle:
    return of_value(value_of_payload(_payload(match)))


def _read_standing(match: re.Match[str], _: Kind) -> Standing:
    return standing_of_value(value_of_payload(_payload(match)))


def _payload(match: re.Match[str]) -> str:
    if match["name"].lower() == "id":
        raise unreadable(
            "this link of f-puzzles.com only names a puzzle on its server; open it there and copy "
            "the link of its Export button"
        )
    return unquote(match["payload"])


def value_of_payload(payload: str) -> Any:
    """Return the JSON value of a packed puzzle of f-puzzles."""
    try:
        return parse_json(unpack(payload))
    except ValueError as error:
        raise unreadable(f"the link holds no puzzle of f-puzzles ({error})") from None


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of f-puzzles."""
    return isinstance(value, dict) and is_table(value.get("grid"))


def is_table(grid: object) -> bool:
    """Return True if a JSON value is a list of rows whose cells are objects."""
    return isinstance(grid, list) and all(
        isinstance(row, list) and all(isinstance(cell, dict) for cell in row) for row in grid
    )


def of_value(value: Any) -> Sudoku:
    """Return the Sudoku of a JSON value."""
    if not is_value(value):
        raise unreadable("the link holds no puzzle of f-puzzles: its JSON has no 'grid' of cells")
    grid = value["grid"]
    constraints = list(_constraints(value))
    if constraints:
        raise variant(constraints)
    return Sudoku.from_rows([[_given(cell) for cell in row] for row in grid])


def standing_of_value(value: Any) -> Standing:
    """Return the half-solved Sudoku of a JSON value: its digits, and the marks in its cells."""
    puzzle = of_value(value)
    grid = value["grid"]
    standing = sudoku_standing(puzzle, [[cell.get("value") for cell in row] for row in grid])
    return with_marks(standing, [cell.get("centerPencilMarks") for row in grid for cell in row])


def _given(cell: dict[str, Any]) -> Any:
    """Return the given of a cell, without a player's entries."""
    return cell.get("value") if cell.get("given") else 0


def _constraints(value: dict[str, Any]) -> Iterator[str]:
    for key, content in value.items():
        if content and key not in _WITHOUT_RULES:
            yield key
    cages = value.get("cage")
    if isinstance(cages, list) and not all(map(_is_metadata, cages)):
        yield "cage"
    grid = value["grid"]
    for row, cells in enumerate(grid):
        for column, cell in enumerate(cells):
            if cell.get("region", -1) != -1 and cell["region"] != _box(row, column, len(grid)):
                yield "irregular boxes"
            if cell.get("givenPencilMarks"):
                yield "given pencil marks"
            if cell.get("c") or cell.get("cArray"):
                yield "coloured cells"


def _is_metadata(cage: object) -> bool:
    return isinstance(cage, dict) and bool(
        not cage.get("cells") or _METADATA.match(str(cage.get("value", ""))[:40])
    )


def _box(row: int, column: int, size: int) -> int:
    order = max(1, math.isqrt(size))
    return row // order * order + column // order


def _write(puzzle: Puzzle) -> str:
    sudoku = as_sudoku(puzzle, FORMAT.name)
    cells = [{"value": value, "given": True} if value else {} for value in sudoku.givens.tolist()]
    size = sudoku.size
    grid = [cells[i : i + size] for i in range(0, size**2, size)]
    text = json.dumps({"size": size, "grid": grid}, separators=(",", ":"))
    return f"https://www.f-puzzles.com/?load={quote(pack(text), safe='')}"


FORMAT = Format(
    name="f-puzzles",
    title="links of f-puzzles.com",
    holds="Sudoku",
    pattern=_PATTERN,
    read=_read,
    read_standing=_read_standing,
    write=_write,
)
