"""Links and JSON of SudokuPad, the player of Cracking the Cryptic.

A link names a puzzle on the server, or holds the puzzle: as the digits of a classic 9x9 with runs
of blanks (``scf``, ``classic``), or as packed JSON with cells, regions and drawings (``scl``,
``ctc``, and ``fpuzzles`` in the format of f-puzzles). The JSON holds pencil marks but no entered
digits, which stay in the player's browser.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote

from nando.puzzles.boards.board import LARGEST, Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import shortened
from nando.puzzles.formats import base
from nando.puzzles.formats.programs import f_puzzles
from nando.puzzles.formats.programs import sudokupad_drawings as drawings
from nando.puzzles.formats.programs.lz import pack, unpack, unzip
from nando.puzzles.formats.rule_values import UnreadRule, houses_of, number_of, reading
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.houses import Diagonals, DisjointGroups, ExtraRegion, Windoku
from nando.puzzles.rules.moves import AntiKing, AntiKnight, NonConsecutive
from nando.puzzles.rules.sums import Cage
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

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
_LETTERS: dict[str, Rule] = {"w": Windoku(), "x": Diagonals()}
"""Rules by their letter after the digits of ``scf``; t and a begin title and author."""
_WITHOUT_RULES = frozenset(
    [
        *("id", "cellSize", "cells", "regions", "metadata", "metaData", "settings", "cages"),
        *("solution", "title", "videos"),
    ]
)
_RULES_OF_METADATA: dict[str, Rule] = {"antiknight": AntiKnight(), "antiking": AntiKing()}
_IN_PROSE: dict[type[Rule], str] = {
    AntiKnight: r"\bknights?\b|anti-?knight",
    AntiKing: r"\bkings?\b|anti-?king",
    NonConsecutive: r"non-?consecutive",
    DisjointGroups: r"\bdisjoint\b",
}
"""Words in the text of a puzzle that name a rule without a drawing."""


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    form = match["form"] or match["bare"]
    if form is None:
        raise base.unreadable(
            f"the link only names the puzzle {match['name'][:60]!r} on SudokuPad's server; nando "
            "reads links that hold the puzzle, for example from f-puzzles or SudokuPad's editor"
        )
    payload = unquote(match["payload"] or match["load"])
    if form == "scf":
        return _of_scf(payload, kind)
    if form == "classic":
        return _of_classic(payload)
    payload = payload.partition("?")[0]
    if form.startswith("fpuz"):
        return f_puzzles.of_value(f_puzzles.value_of_payload(payload), kind)
    return of_value(_value_of_payload(payload), kind)


def _value_of_payload(payload: str) -> Any:
    """Return the JSON value of a packed puzzle, shortened or not."""
    text = unpack(payload)
    return base.value_in_link(text if '"' in text else unzip(text), "SudokuPad")


def _read_standing(match: re.Match[str], kind: base.Kind) -> base.Standing:
    """Return the pencil marks; only links in the format of f-puzzles hold entered digits."""
    form = match["form"] or match["bare"]
    if form in (None, "scf", "classic"):
        puzzle = _read(match, kind)
        return base.Standing(puzzle, puzzle.givens.copy(), None)
    payload = unquote(match["payload"] or match["load"]).partition("?")[0]
    if form.startswith("fpuz"):
        return f_puzzles.standing_of_value(f_puzzles.value_of_payload(payload), kind)
    return standing_of_value(_value_of_payload(payload), kind)


# Digits and runs of blanks


def _of_scf(code: str, kind: base.Kind) -> Puzzle:
    text = ""
    end = 0
    while len(text) < 81 and end < len(code) and code[end] in _CODES:
        text += _run(code[end])
        end += 1
    rest = code[end:].partition("?")[0].removeprefix("*")
    letters = ""
    while rest and rest[0] not in "ta":
        letters += rest[0]
        rest = rest[1:].removeprefix("*")
    if strange := [letter for letter in letters if letter not in _LETTERS]:
        raise base.unknown_rules(f"the rule {letter!r}" for letter in strange)
    if len(text) < 81:
        raise base.unreadable(f"the link ends after {len(text)} of 81 cells; copy the whole link")
    rows = [text[i : i + 9] for i in range(0, 81, 9)]
    return base.puzzle_of_rules(rows, {_LETTERS[letter] for letter in letters}, kind)


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
    raise base.unreadable("the digits of the link do not make 81 cells; copy the whole link")


# JSON


def is_value(value: object) -> bool:
    """Return True if a JSON value is a puzzle of SudokuPad."""
    return isinstance(value, dict) and f_puzzles.is_table(value.get("cells"))


def of_value(value: Any, kind: base.Kind = None) -> Sudoku | Variant:
    """Return the puzzle of a JSON value, a Sudoku if it has no further rules."""
    puzzle, drawings = _without_drawings(value, kind)
    return base.check_drawings(puzzle, drawings, base.unknown_rules(drawings), _solution(value))


def _without_drawings(value: Any, kind: base.Kind) -> tuple[Sudoku | Variant, list[str]]:
    """Return the puzzle of a JSON value without drawings that are no known rule, and these."""
    if not is_value(value):
        raise base.unreadable("no puzzle of SudokuPad: its JSON has no 'cells'")
    cells = value["cells"]
    rows = [[cell.get("value") for cell in row] for row in cells]
    size = len(cells)
    if not 1 <= size <= LARGEST or any(len(row) != size for row in cells):
        return Sudoku.from_rows(rows), []  # which says what is wrong
    drawn: list[str] = []
    with reading("drawing", "SudokuPad", []):
        houses, boxed = _houses(value.get("regions"), size)
        rules = list(_rules(value, Board(size), drawn))
    prose = _prose(value)
    unread = [
        f"the rule {rule.name!r} in its text"
        for rule, words in _IN_PROSE.items()
        if re.search(words, prose, re.IGNORECASE) and rule not in map(type, rules)
    ]
    if unread:
        raise base.unknown_rules(unread)
    return base.puzzle_of_rules(rows, [*houses, *rules], kind, boxed=boxed), drawn


def _solution(value: dict[str, Any]) -> object:
    """Return the published solution, if there is one."""
    metadata = value.get("metadata")
    inner = metadata.get("solution") if isinstance(metadata, dict) else None
    return inner or value.get("solution")


def _prose(value: dict[str, Any]) -> str:
    """Return the rules as the setter describes them."""
    metadata = [entry for key in ("metadata", "metaData") if (entry := value.get(key))]
    texts = [part.get("rules") for part in metadata if isinstance(part, dict)]
    texts += [cage.get("value") for cage in value.get("cages") or [] if not cage.get("cells")]
    return str(texts)


def standing_of_value(value: Any, kind: base.Kind = None) -> base.Standing:
    """Return the puzzle of a JSON value, with the marks in the middle of its cells.

    Marks in the corners, `pencilMarks`, say where a digit may go in a box, and are ignored.
    """
    puzzle, _ = _without_drawings(value, kind)
    cells = [cell for row in value["cells"] for cell in row]
    marks = [cell.get("centremarks") or cell.get("candidates") for cell in cells]
    return base.with_marks(base.Standing(puzzle, puzzle.givens.copy(), None), marks)


def _rules(value: dict[str, Any], board: Board, drawn: list[str]) -> Iterator[Rule]:
    """Yield the rules, and add to `drawn` the drawings that are no known rule."""
    unread = [
        key
        for key, content in value.items()
        if content and key not in _WITHOUT_RULES and key not in drawings.KEYS
    ]
    if unread:
        raise base.unknown_rules(unread)
    for metadata in (value.get("metadata"), value.get("metaData")):
        if isinstance(metadata, dict):
            yield from (rule for key, rule in _RULES_OF_METADATA.items() if metadata.get(key))
    shaded: set[Cell] = set()
    for cage in value.get("cages") or []:
        cells = tuple(_cell(place) for place in cage.get("cells") or [])
        if not cells or (cage.get("hidden") and cage.get("unique") is False):
            continue  # a line of metadata, or cells without a region
        try:
            rule = _cage(cage, cells)
        except UnreadRule as error:
            drawn.append(str(error))
            continue
        if isinstance(rule, ExtraRegion):
            shaded |= set(cells)
        yield rule
    yield from drawings.rules_of(value, board, shaded, drawn)


def _cage(cage: dict[str, Any], cells: Cells) -> Rule:
    text = cage.get("sum", cage.get("value"))
    if text in (None, ""):
        if cage.get("unique") is False:
            raise UnreadRule("a cage without a rule")
        return Cage(cells) if "unique" in cage else ExtraRegion(cells)
    if not str(text).isdecimal() or cage.get("type", "cage") != "cage":
        raise UnreadRule(f"a cage with {shortened(text, 20)!r}")
    return Cage(cells, number_of(text), cage.get("unique") is False)


def _cell(place: Any) -> Cell:
    row, column = place
    if type(row) is not int or type(column) is not int:
        raise TypeError
    return Cell(row, column)


def _houses(regions: Any, size: int) -> tuple[list[Rule], bool]:
    """Return the rule of regions that are not the usual boxes, and whether there are any."""
    if not regions:
        return [], True
    return houses_of([tuple(map(_cell, region)) for region in regions], size)


# Writing


def _json(puzzle: Puzzle, name: str = "sudokupad-json") -> str:
    return base.json_text(puzzle, name, drawings.value_of, of_value)


def _link(puzzle: Puzzle) -> str:
    if isinstance(puzzle, Sudoku) and puzzle.order == 3:
        runs = re.findall(".0{0,5}", base.digits(puzzle))
        code = "".join(_CODES[int(run[0]) + 10 * (len(run) - 1)] for run in runs)
        return f"https://sudokupad.app/scf{code}"
    return f"https://sudokupad.app/scl{quote(pack(_json(puzzle, FORMAT.name)), safe='')}"


FORMAT = base.declare(
    "sudokupad", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_link
)
JSON = base.declare("sudokupad-json", write=_json)
