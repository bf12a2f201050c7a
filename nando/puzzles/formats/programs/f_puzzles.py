"""Links of f-puzzles.com, where setters draw Sudoku: packed JSON with a grid of cells.

A link also holds the player's entries. Marks in the middle of a cell are its candidates; marks in
the corners say where a digit may go in a box, and are ignored.
"""

import re
from typing import Any
from urllib.parse import quote, unquote

from nando.puzzles.boards.board import LARGEST, Board
from nando.puzzles.formats import base
from nando.puzzles.formats.programs import f_puzzles_rules
from nando.puzzles.formats.programs.lz import pack, unpack
from nando.puzzles.formats.rule_values import name_groups
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import divide
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

_PATTERN = re.compile(
    r"f-puzzles\.com/[^\s?]{0,40}\?(?:[^\s&]{0,80}&){0,4}?(?P<name>load|id)=(?P<payload>[^\s&#\"',;]+)",
    re.IGNORECASE,
)
_METADATA = re.compile(r"\w+:\s")
"""Start of the value of a cage that only holds metadata, for example the title."""


_COSMETIC = ("cage", "circle", "line", "rectangle", "text")
"""Keys of drawings. Programs also draw the rules that f-puzzles lacks, marked as such."""
_COLOURS = ("c", "cArray")
"""Keys of the colours of a cell."""


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    return of_value(value_of_payload(_payload(match)), kind)


def _read_standing(match: re.Match[str], kind: base.Kind) -> base.Standing:
    return standing_of_value(value_of_payload(_payload(match)), kind)


def _payload(match: re.Match[str]) -> str:
    if match["name"].lower() == "id":
        raise base.unreadable(
            "this link of f-puzzles.com only names a puzzle on its server; open it there and copy "
            "the link of its Export button"
        )
    return unquote(match["payload"])


def value_of_payload(payload: str) -> Any:
    """Return the JSON value of a packed puzzle of f-puzzles."""
    return base.value_in_link(unpack(payload), "f-puzzles")


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of f-puzzles."""
    return isinstance(value, dict) and is_table(value.get("grid"))


def is_table(grid: object) -> bool:
    """Return True if a JSON value is a list of rows whose cells are objects."""
    return isinstance(grid, list) and all(
        isinstance(row, list) and all(isinstance(cell, dict) for cell in row) for row in grid
    )


def of_value(value: Any, kind: base.Kind = None) -> Sudoku | Variant:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    puzzle, drawings = _without_drawings(value, kind)
    return base.check_drawings(
        puzzle, drawings, base.unknown_rules(drawings), value.get("solution")
    )


def _without_drawings(value: Any, kind: base.Kind) -> tuple[Sudoku | Variant, list[str]]:
    """Return the puzzle of a JSON value without its drawings, and what is drawn."""
    if not is_value(value):
        raise base.unreadable(
            "the link holds no puzzle of f-puzzles: its JSON has no 'grid' of cells"
        )
    grid = value["grid"]
    rows = [[_given_of(cell) for cell in row] for row in grid]
    if not 1 <= len(grid) <= LARGEST or any(len(row) != len(grid) for row in grid):
        return Sudoku.from_rows(rows), []  # which says what is wrong
    drawings = [key for key in _COSMETIC if _drawings(key, value)]
    if any(cell.get(key) for row in grid for cell in row for key in _COLOURS):
        drawings.append("coloured cells")
    houses, boxed = f_puzzles_rules.regions_in(grid)
    board = divide(Board(len(grid)), houses)
    rules = name_groups(f_puzzles_rules.rules_of(value | dict.fromkeys(_COSMETIC), board), board)
    return base.puzzle_of_rules(rows, [*houses, *rules], kind, boxed=boxed), drawings


def _drawings(key: str, value: dict[str, Any]) -> list[Any]:
    """Return the drawings of a key that are neither metadata nor the picture of a rule."""
    drawings = value.get(key) or []
    if not isinstance(drawings, list):
        return [drawings]
    return [
        drawing
        for drawing in drawings
        if not (key == "cage" and _is_metadata(drawing)) and not _is_of_rule(drawing, value)
    ]


def _is_of_rule(drawing: Any, value: dict[str, Any]) -> bool:
    if not isinstance(drawing, dict):
        return False
    name = re.sub("[^a-z]", "", str(drawing.get("fromConstraint", "")).lower())
    return drawing.get("isNewConstraint") is True or bool(name and value.get(name))


def standing_of_value(value: Any, kind: base.Kind = None) -> base.Standing:
    """Return the half-solved puzzle of a JSON value: its digits, and the marks in its cells."""
    puzzle, _ = _without_drawings(value, kind)
    grid = value["grid"]
    standing = base.sudoku_standing(puzzle, [[cell.get("value") for cell in row] for row in grid])
    return base.with_marks(
        standing, [cell.get("centerPencilMarks") for row in grid for cell in row]
    )


def _given_of(cell: dict[str, Any]) -> Any:
    """Return the given of a cell, without a player's entries."""
    return cell.get("value") if cell.get("given") else 0


def _is_metadata(cage: object) -> bool:
    return isinstance(cage, dict) and bool(
        not cage.get("cells") or _METADATA.match(str(cage.get("value", ""))[:40])
    )


def _json(puzzle: Puzzle, name: str = "f-puzzles-json") -> str:
    return base.json_text(puzzle, name, f_puzzles_rules.value_of, of_value)


def _link(puzzle: Puzzle) -> str:
    packed = quote(pack(_json(puzzle, FORMAT.name)), safe="")
    return f"https://www.f-puzzles.com/?load={packed}"


FORMAT = base.declare(
    "f-puzzles", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_link
)
JSON = base.declare("f-puzzles-json", write=_json)
