"""The `sudoku-puzzle` format of pencilmark, version 1: JSON with givens and a list of rules.

A rule has a type, often a kind, and cells named ``r1c1``. Rows, columns and boxes are rules too:
`grid` and `box_grid` name the upper left cell of each grid.
"""

from collections.abc import Iterator
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import shortened
from nando.puzzles.formats.base import (
    Kind,
    declare,
    json_text,
    puzzle_of_rules,
    unknown_rules,
    unreadable,
)
from nando.puzzles.formats.programs.pencilmark_rules import PROGRAM, read_rules, rules_value
from nando.puzzles.formats.rule_values import (
    MOST_RULES,
    UnreadRule,
    cell_of,
    cells_of,
    houses_of,
    list_of,
    name_groups,
    number_of,
    reading,
)
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import divide
from nando.puzzles.variants.puzzle import Variant

_KEYS = frozenset(
    [
        *("format", "format_version", "$schema", "meta", "board", "digits", "givens"),
        *("solution", "candidates", "rules", "decorations", "style", "ext"),
    ]
)


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle in this format."""
    return isinstance(value, dict) and value.get("format") == "sudoku-puzzle"


def of_value(value: Any, kind: Kind = None) -> Puzzle:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    if value.get("format_version") != 1:
        raise unreadable(
            f"sudoku-puzzle of version {shortened(value.get('format_version'), 20)}; wanted 1"
        )
    if strange := sorted(set(value) - _KEYS):
        raise unreadable(f"sudoku-puzzle with the unknown key {shortened(strange[0], 30)!r}")
    unread: list[str] = []
    with reading("board", PROGRAM, unread):
        return _puzzle(value, kind)
    raise unknown_rules(unread)


def _puzzle(value: dict[str, Any], kind: Kind) -> Puzzle:
    digits = number_of(value["digits"])
    n_rows, n_columns = (number_of(value["board"][key]) for key in ("rows", "cols"))
    givens = list_of(value["givens"])
    if len(givens) != n_rows * n_columns:
        raise ValueError(f"{len(givens)} givens for {n_rows} rows of {n_columns}")
    listed = list_of(value["rules"])
    if len(listed) > MOST_RULES:
        raise unreadable(f"more than {MOST_RULES:,} rules")
    corners = sorted(
        cell_of(rule["origin"]) for rule in listed if rule["type"] in ("grid", "box_grid")
    )
    if not corners:
        raise UnreadRule("a board without a grid")
    board = Board(digits, tuple(corners))
    given_cells = {
        Cell(*divmod(i, n_columns)) for i, given in enumerate(givens) if given is not None
    }
    if given_cells != set(board.cells) or (n_rows, n_columns) != (board.n_rows, board.n_columns):
        raise UnreadRule("cells outside its grids")
    houses, boxed = _houses(listed, board)
    rows = [
        ["." if given is None else number_of(given) for given in givens[i : i + n_columns]]
        for i in range(0, len(givens), n_columns)
    ]
    others = [*houses, *read_rules(listed, board), *_candidates(value.get("candidates") or {})]
    others = name_groups(others, divide(board, others))
    if board.is_single:
        return puzzle_of_rules(rows, others, kind, boxed=boxed)
    givens_text = [number_of(given or 0) for given in givens]
    return Variant.of(givens_text, others, corners=board.corners, boxed=boxed)


def _houses(listed: list[Any], board: Board) -> tuple[list[Rule], bool]:
    """Return the rule of the boxes, if they are not the usual ones, and whether there are any."""
    lines = {frozenset(line) for line in board.lines()}
    shapes = {tuple(rule["box"]) for rule in listed if rule["type"] == "box_grid"}
    n_plain = sum(rule["type"] == "grid" for rule in listed)
    boxes = [cells_of(rule["cells"]) for rule in listed if rule["type"] == "box"]
    for rule in listed:
        if rule["type"] in ("row", "column") and frozenset(cells_of(rule["cells"])) not in lines:
            raise UnreadRule(f"a {rule['type']} of its own")
    if shapes and not n_plain and not boxes and len(shapes) == 1:
        height, width = next(iter(shapes))
        return [rules.Boxes(number_of(height), number_of(width))], True
    if not shapes and not boxes:
        return [], False
    if not shapes and board.is_single:
        return houses_of(boxes, board.digits)
    raise UnreadRule("boxes of several shapes")


def _candidates(value: Any) -> Iterator[Rule]:
    for name, digits in value.items():
        yield rules.GivenCandidates(cell_of(name), tuple(map(number_of, list_of(digits))))


def _value(variant: Variant) -> dict[str, Any]:
    board = variant.board
    cells = set(board.cells)
    givens = [
        given if Cell(*divmod(place, board.n_columns)) in cells else None
        for place, given in enumerate(variant.givens.tolist())
    ]
    return {
        "format": "sudoku-puzzle",
        "format_version": 1,
        "board": {"rows": board.n_rows, "cols": board.n_columns},
        "digits": variant.size,
        "givens": givens,
        "rules": rules_value(variant),
    }


def _write(puzzle: Puzzle) -> str:
    return json_text(puzzle, PROGRAM, _value, of_value, several=True)


FORMAT = declare("pencilmark", write=_write)
