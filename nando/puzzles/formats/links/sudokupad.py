"""Links and JSON of SudokuPad, the player of Cracking the Cryptic.

A link names a puzzle on the server, or holds the puzzle: as the digits of a classic 9x9 with runs
of blanks (``scf``, ``classic``), or as packed JSON with cells, regions and drawings (``scl``,
``ctc``, and ``fpuzzles`` in the format of f-puzzles). The JSON holds pencil marks but no entered
digits, which stay in the player's browser.
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
    digits,
    unreadable,
    variant,
    with_marks,
)
from nando.puzzles.formats.links import f_puzzles
from nando.puzzles.formats.links.lz import pack, unpack
from nando.puzzles.formats.links.zipper import unzipped
from nando.puzzles.protocol import Puzzle
from nando.puzzles.sudoku.puzzle import Sudoku

_FORM = "scf|classic|fpuz(?:zles)?|scl|ctc"
_PATTERN = re.compile(
    rf"""(?:sudokupad\.(?:app|svencodes\.com)|crackingthecryptic\.com|sudokupad://puzzle)/
         (?:sudoku/)?(?:[\w.]{{0,20}}\?(?:[^\s&]{{0,80}}&){{0,4}}?puzzleid=)?(?:(?P<form>{_FORM})(?P<payload>[^\s"&#]+)
                                                    |(?P<name>[^\s"?&#]*))
       |(?<!\w)(?P<bare>{_FORM})(?P<load>N4[\w+/=%-]{{20,}})""",
    re.VERBOSE,
)
_CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
"""A code is a digit, or 0 for a blank, with up to 5 blanks after it: the index is the digit plus
ten times the number of blanks."""
_MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
"""In the older code of ``classic``, a digit is itself and one of these symbols a run of blanks."""
_LETTERS = {"w": "windows", "x": "diagonals"}
"""Rules by their letter after the digits of ``scf``; t and a begin title and author."""
_WITHOUT_RULES = frozenset(
    [
        *("id", "cellSize", "cells", "regions", "metadata", "metaData", "settings", "cages"),
        *("solution", "title", "videos"),
    ]
)
_RULES_OF_METADATA = ("antiknight", "antiking")


def _read(match: re.Match[str], _: Kind) -> Puzzle:
    form = match["form"] or match["bare"]
    if form is None:
        raise unreadable(
            f"the link only names the puzzle {match['name'][:60]!r} on SudokuPad's server; nando "
            "reads links that hold the puzzle, for example from f-puzzles or SudokuPad's editor"
        )
    payload = unquote(match["payload"] or match["load"])
    if form == "scf":
        return _of_scf(payload)
    if form == "classic":
        return _of_classic(payload)
    payload = payload.partition("?")[0]
    if form.startswith("fpuz"):
        return f_puzzles.of_value(f_puzzles.value_of_payload(payload))
    return of_value(_value_of_payload(payload))


def _value_of_payload(payload: str) -> Any:
    """Return the JSON value of a packed puzzle, shortened or not."""
    text = unpack(payload)
    try:
        return parse_json(text if '"' in text else unzipped(text))
    except ValueError as error:
        raise unreadable(f"the link holds no puzzle of SudokuPad ({error})") from None


def _read_standing(match: re.Match[str], kind: Kind) -> Standing:
    """Return the pencil marks; only links in the format of f-puzzles hold entered digits."""
    form = match["form"] or match["bare"]
    if form in (None, "scf", "classic"):
        puzzle = _read(match, kind)
        return Standing(puzzle, puzzle.givens.copy(), None)
    payload = unquote(match["payload"] or match["load"]).partition("?")[0]
    if form.startswith("fpuz"):
        return f_puzzles.standing_of_value(f_puzzles.value_of_payload(payload))
    return standing_of_value(_value_of_payload(payload))


# Digits and runs of blanks


def _of_scf(code: str) -> Sudoku:
    text = ""
    end = 0
    while len(text) < 81 and end < len(code) and code[end] in _CODES:
        text += _run(code[end])
        end += 1
    rest = code[end:].partition("?")[0].removeprefix("*")
    rules = []
    while rest and rest[0] not in "ta":
        rules.append(_LETTERS.get(rest[0], f"the rule {rest[0]!r}"))
        rest = rest[1:].removeprefix("*")
    if rules:
        raise variant(rules)
    if len(text) < 81:
        raise unreadable(f"the link ends after {len(text)} of 81 cells; copy the whole link")
    return Sudoku(text)


def _run(symbol: str) -> str:
    blanks, digit = divmod(_CODES.index(symbol), 10)
    return str(digit) + "0" * blanks


def _of_classic(code: str) -> Sudoku:
    """Return the Sudoku of the newer or older code, whichever gives 81 cells."""
    code = code.partition("?")[0]
    if len(code) <= 81:
        newer = "".join(_run(symbol) for symbol in code if symbol in _CODES)
        older = "".join(
            "0" * _MARKS.index(symbol) if symbol in _MARKS else symbol for symbol in code
        )
        for text in (newer, older):
            if len(text) == 81:
                return Sudoku(text)
    raise unreadable("the digits of the link do not make 81 cells; copy the whole link")


# JSON


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of SudokuPad."""
    return isinstance(value, dict) and f_puzzles.is_table(value.get("cells"))


def of_value(value: Any) -> Sudoku:
    """Return the Sudoku of a JSON value."""
    if not is_value(value):
        raise unreadable("no puzzle of SudokuPad: its JSON has no 'cells'")
    cells = value["cells"]
    constraints = list(_constraints(value))
    if constraints:
        raise variant(constraints)
    return Sudoku.from_rows([[cell.get("value") for cell in row] for row in cells])


def standing_of_value(value: Any) -> Standing:
    """Return the Sudoku of a JSON value, with the marks in the middle of its cells.

    Marks in the corners, `pencilMarks`, say where a digit may go in a box, and are ignored.
    """
    puzzle = of_value(value)
    cells = [cell for row in value["cells"] for cell in row]
    marks = [cell.get("centremarks") or cell.get("candidates") for cell in cells]
    return with_marks(Standing(puzzle, puzzle.givens.copy(), None), marks)


def _constraints(value: dict[str, Any]) -> Iterator[str]:
    for key, content in value.items():
        if content and key not in _WITHOUT_RULES:
            yield key
    for metadata in (value.get("metadata"), value.get("metaData")):
        if isinstance(metadata, dict):
            yield from (rule for rule in _RULES_OF_METADATA if metadata.get(rule))
    cages = value.get("cages")
    if isinstance(cages, list) and any(
        cage.get("cells") for cage in cages if isinstance(cage, dict)
    ):
        yield "cages"
    regions = value.get("regions")
    if regions and _regions(regions) != _boxes(len(value["cells"])):
        yield "irregular boxes"


def _regions(regions: Any) -> set[frozenset[tuple[int, int]]] | None:
    try:
        return {frozenset((row, column) for row, column in region) for region in regions}
    except (TypeError, ValueError):
        return None


def _boxes(size: int) -> set[frozenset[tuple[int, int]]]:
    order = max(1, math.isqrt(size))
    ends = range(0, size, order)
    return {
        frozenset((row + r, column + c) for r in range(order) for c in range(order))
        for row in ends
        for column in ends
    }


# Writing


def _value(sudoku: Sudoku) -> dict[str, Any]:
    size = sudoku.size
    cells = [{"value": value} if value else {} for value in sudoku.givens.tolist()]
    return {
        "cellSize": 50,
        "cells": [cells[i : i + size] for i in range(0, size**2, size)],
        "regions": sorted(sorted(map(list, box)) for box in _boxes(size)),
        "cages": [],
        "lines": [],
        "arrows": [],
        "overlays": [],
        "underlays": [],
        "metadata": {"title": "Sudoku", "rules": ["Normal sudoku rules apply."]},
    }


def _write(puzzle: Puzzle) -> str:
    sudoku = as_sudoku(puzzle, FORMAT.name)
    if sudoku.order == 3:
        runs = re.findall(".0{0,5}", digits(sudoku))
        code = "".join(_CODES[int(run[0]) + 10 * (len(run) - 1)] for run in runs)
        return f"https://sudokupad.app/scf{code}"
    packed = pack(json.dumps(_value(sudoku), separators=(",", ":")))
    return f"https://sudokupad.app/scl{quote(packed, safe='')}"


def _write_json(puzzle: Puzzle) -> str:
    return json.dumps(_value(as_sudoku(puzzle, JSON.name)), separators=(",", ":"))


FORMAT = Format(
    name="sudokupad",
    title="links of SudokuPad and Cracking the Cryptic",
    holds="Sudoku",
    pattern=_PATTERN,
    read=_read,
    read_standing=_read_standing,
    write=_write,
)
JSON = Format(
    name="sudokupad-json",
    title="JSON of SudokuPad",
    holds="Sudoku",
    write=_write_json,
    single=True,
)
