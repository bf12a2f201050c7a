"""Links of f-puzzles.com, where setters draw Sudoku: packed JSON with a grid of cells.

Each rule has a key of the JSON, in one table for both directions. Cells are named ``R1C1``; numbers
outside the grid are at row or column 0, or after the last. A mark without a number is a dot: a
difference of 1 or a ratio of 2. Without marks, `nonconsecutive` is the rule of that name; with
marks, it says that all dots are given, as `negative` does for ratios and for X and V.

A link also holds the player's entries. Marks in the middle of a cell are its candidates; marks in
the corners say where a digit may go in a box, and are ignored.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product, starmap
from typing import Any
from urllib.parse import quote, unquote

from nando.puzzles import rules
from nando.puzzles.boards.board import LARGEST, Board, Cell, Cells, cells_by_label
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats import base
from nando.puzzles.formats.base import unknown_rules
from nando.puzzles.formats.programs.lz import pack, unpack
from nando.puzzles.formats.rule_values import (
    Reader,
    Row,
    UnheldRule,
    UnreadRule,
    add_entry,
    cell_of,
    cells_of,
    diagonal_from,
    diagonals,
    each,
    flag,
    houses_of,
    line_at,
    line_of,
    list_of,
    name_groups,
    name_of,
    names_of,
    number_of,
    place_before,
    read_rules,
    readers_of,
    regions_of,
    row_of,
    start_of,
    write_rules,
)
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import divide
from nando.puzzles.rules.houses import Groups
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

PROGRAM = "f-puzzles"

_STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
_STEP_NAMES = {step: name for name, step in _STEPS.items()}
_MARKS = ("difference", "ratio", "xv", "negative", "nonconsecutive", "diagonal+", "diagonal-")
"""Keys that are read together."""
_IGNORED = (
    *("activeConstraints", "author", "disabledlogic", "highlightConflicts", "ruleset"),
    *("size", "solution", "successMessage", "title", "truecandidatesoptions"),
)


def rules_of(value: dict[str, Any], board: Board) -> Iterator[Rule]:
    """Yield the rules of the JSON of a puzzle, without its regions.

    Raises
    ------
    PuzzleError
        For rules that nando cannot read, which the message names, or a damaged value.
    """
    others = {key: content for key, content in value.items() if key not in _MARKS}
    yield from read_rules(others, _READERS, board, PROGRAM)
    yield from read_rules({"marks": value}, {"marks": _marks}, board, PROGRAM)


def value_of(puzzle: Variant) -> dict[str, Any]:
    """Return the JSON of a puzzle of one grid; ValueError for rules that it cannot hold."""
    size = puzzle.size
    cells: list[dict[str, Any]] = [
        {"value": value, "given": True} if value else {} for value in puzzle.givens.tolist()
    ]
    grid = [cells[i : i + size] for i in range(0, size**2, size)]
    value: dict[str, Any] = {"size": size, "grid": grid}
    regions, others = regions_of(puzzle)
    height, width = _box_sides(size)
    for number, region in enumerate(regions):
        for row, column in region:
            if number != row // height * height + column // width:
                grid[row][column]["region"] = number

    def write(rule: Rule) -> None:
        if isinstance(rule, rules.GivenCandidates):
            grid[rule.cell.row][rule.cell.column]["givenPencilMarks"] = list(rule.digits)
            return
        for key, entry in _entries(rule, puzzle.board):
            add_entry(value, key, entry)

    write_rules(others, write, PROGRAM)
    return value


# One key for a rule


def _marked(key: str, rule: Callable[[Cells], Rule]) -> Row:
    """Return the row of a rule with an entry for each of its cells."""

    def read(content: Any, _: Board) -> Iterator[Rule]:
        yield rule(tuple(cell_of(entry["cell"]) for entry in list_of(content)))

    return Row(key, rule, read, lambda rule, _: [{"cell": name_of(c)} for c in rule.cells])  # type: ignore[arg-type]


def _lines(key: str, rule: type[Rule], **more: bool) -> Row:
    """Return the row of a rule of lines, `more` of which are attributes."""

    def read(content: Any, _: Board) -> Iterator[Rule]:
        for entry in list_of(content):
            if entry.get("value"):
                raise UnreadRule(f"a line with the value {entry['value']!r}")
            for line in list_of(entry["lines"]):
                yield rule(cells_of(line), **more)  # type: ignore[call-arg]

    def holds(rule: Rule) -> bool:
        return all(getattr(rule, name) == wanted for name, wanted in more.items())

    return Row(key, rule, read, lambda rule, _: [{"lines": [names_of(rule.cells)]}], holds)


def _outside(key: str, rule: Callable[[Any, int], Rule], name: str) -> Row:
    """Return the row of a rule of numbers outside the grid, which messages call `name`."""

    def read(entry: Any, board: Board) -> Rule:
        if entry.get("value") in (None, ""):
            raise UnreadRule(f"a {name} without its number")
        line = line_at(cell_of(entry["cell"]), board.digits)
        return rule(line, number_of(entry["value"]))

    def write(rule: Any, board: Board) -> list[Any]:
        place = place_before(rule.line, board.digits)
        return [{"cell": name_of(place), "value": str(rule.number)}]

    return Row(key, rule, each(read), write)  # type: ignore[arg-type]


def _indexing(key: str, usual: Any) -> Row:
    """Return the row of marked cells that name places in the order of `usual`."""
    order = usual.parameters()

    def rule(entry: Any, _: Board) -> Rule:
        made: Rule = type(usual)(cells_of(entry["cells"]), *order)
        return made

    return Row(
        key,
        type(usual),
        each(rule),
        lambda rule, _: [{"cells": names_of(rule.cells)}],
        lambda rule: rule.parameters() == order,
    )


def _whispers(content: Any, board: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        difference = number_of(entry["value"]) if entry.get("value") else (board.digits + 1) // 2
        for line in list_of(entry["lines"]):
            yield rules.Whispers(cells_of(line), difference)


def _lockouts(content: Any, board: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        for line in list_of(entry["lines"]):
            yield rules.Lockout(cells_of(line), board.digits // 2)


def _lockout_entries(rule: rules.Lockout, board: Board) -> list[Any]:
    if rule.difference != board.digits // 2:
        raise UnheldRule
    return [{"lines": [names_of(rule.cells)]}]


def _cage(entry: Any, _: Board) -> Rule:
    text = entry.get("value")
    if text not in (None, "") and not str(text).strip().isdecimal():
        raise UnreadRule(f"a cage with {text!r}")
    total = None if text in (None, "") else number_of(text)
    return rules.Cage(cells_of(entry["cells"]), total)


def _cage_entries(rule: rules.Cage, _: Board) -> list[Any]:
    total = {} if rule.total is None else {"value": str(rule.total)}
    return [{"cells": names_of(rule.cells), **total}]


def _little_killer(entry: Any, board: Board) -> Rule:
    if entry.get("value") in (None, ""):
        raise UnreadRule("a little killer without its sum")
    step = _STEPS[entry["direction"]]
    cells = diagonal_from(cell_of(entry["cell"]), step, board)
    return rules.LittleKiller(cells, number_of(entry["value"]))


def _little_killer_entries(rule: rules.LittleKiller, board: Board) -> list[Any]:
    start = start_of(rule, board.digits)
    if start is None:
        raise UnheldRule
    place, step = start
    direction = _STEP_NAMES[step]
    return [{"cell": name_of(place), "direction": direction, "value": str(rule.total)}]


def _arrows(content: Any, _: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        circle = cells_of(entry["cells"])
        lines = list_of(entry["lines"])
        if not lines:
            raise UnreadRule("a circle without an arrow")
        for line in lines:
            cells = cells_of(line)
            yield rules.Arrow(circle, cells[1:] if cells[0] in circle else cells)


def _clones(content: Any, _: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        cells, copies = cells_of(entry["cells"]), cells_of(entry["cloneCells"])
        if not cells or len(copies) % len(cells):
            raise ValueError("copies of another size")
        for i in range(0, len(copies), len(cells)):
            yield rules.Clone(cells, copies[i : i + len(cells)])


def _quadruple(entry: Any, _: Board) -> Rule:
    return rules.Quadruple(cells_of(entry["cells"]), tuple(map(number_of, entry["values"])))


def _given_candidates(content: Any, _: Board) -> Iterator[Rule]:
    for row, cells in enumerate(content):
        for column, cell in enumerate(cells):
            if marks := cell.get("givenPencilMarks"):
                yield rules.GivenCandidates(
                    Cell(row, column), tuple(map(number_of, list_of(marks)))
                )


_ROWS = (
    flag("antiknight", rules.AntiKnight, strict=True),
    flag("antiking", rules.AntiKing, strict=True),
    flag("disjointgroups", rules.DisjointGroups, strict=True),
    _marked("odd", rules.Odd),
    _marked("even", rules.Even),
    _marked("minimum", rules.Minimum),
    _marked("maximum", rules.Maximum),
    _lines("thermometer", rules.Thermometer, slow=False),
    _lines("slowthermometer", rules.Thermometer, slow=True),
    _lines("palindrome", rules.Palindrome),
    _lines("renban", rules.Renban),
    _lines("nabner", rules.Nabner),
    _lines("doublearrow", rules.DoubleArrow),
    _lines("betweenline", rules.Between),
    _lines("regionsumline", rules.RegionSum),
    _lines("entropicline", rules.Entropic),
    _lines("modularline", rules.Modular),
    _lines("zipperline", rules.Zipper),
    Row(
        "whispers",
        rules.Whispers,
        _whispers,
        lambda rule, _: [{"lines": [names_of(rule.cells)], "value": str(rule.difference)}],
    ),
    Row("lockout", rules.Lockout, _lockouts, _lockout_entries),
    _outside("sandwichsum", rules.Sandwich, "sandwich"),
    _outside("xsum", rules.XSums, "X-sum"),
    _outside("skyscraper", rules.Skyscraper, "skyscraper"),
    _indexing("columnindexer", rules.Indexing(())),
    _indexing("rowindexer", rules.Indexing((), "top")),
    _indexing("boxindexer", rules.BoxIndexing(())),
    Row("killercage", rules.Cage, each(_cage), _cage_entries, lambda rule: not rule.repeats),
    Row("littlekillersum", rules.LittleKiller, each(_little_killer), _little_killer_entries),
    Row(
        "arrow",
        rules.Arrow,
        _arrows,
        lambda rule, _: [{"cells": names_of(rule.circle), "lines": [names_of(line_of(rule))]}],
    ),
    Row(
        "clone",
        rules.Clone,
        _clones,
        lambda rule, _: [{"cells": names_of(rule.cells), "cloneCells": names_of(rule.copies)}],
    ),
    Row(
        "quadruple",
        rules.Quadruple,
        each(_quadruple),
        lambda rule, _: [{"cells": names_of(rule.cells), "values": list(rule.digits)}],
    ),
    Row(
        "extraregion",
        rules.ExtraRegion,
        each(lambda entry, _: rules.ExtraRegion(cells_of(entry["cells"]))),
        lambda rule, _: [{"cells": names_of(rule.cells)}],
    ),
)
_READERS: dict[str, Reader] = {
    **dict.fromkeys(_IGNORED, lambda *_: iter(())),
    "grid": _given_candidates,
    **readers_of(_ROWS),
}


# Several keys for a rule: dots, X and V, their absence, and diagonals

_PAIRS: dict[type[Rule], list[tuple[str, str, str | None]]] = {
    rules.Kropki: [("difference", "white", ""), ("ratio", "black", "")],
    rules.Consecutive: [("difference", "marks", "")],
    rules.Difference: [("difference", "marks", None)],
    rules.Ratio: [("ratio", "marks", None)],
    rules.XV: [("xv", "x", "X"), ("xv", "v", "V")],
}
"""Marks between two cells: key, attribute, and text, which is the value of the rule if None."""
_NO_DOTS: tuple[tuple[str, Any], ...] = (("nonconsecutive", True),)
_NO_RATIOS: tuple[tuple[str, Any], ...] = (("negative", "ratio"),)
_ALL_GIVEN: dict[type[Rule], tuple[tuple[str, Any], ...]] = {
    rules.Kropki: _NO_DOTS + _NO_RATIOS,
    rules.Consecutive: _NO_DOTS,
    rules.Difference: _NO_DOTS,
    rules.Ratio: _NO_RATIOS,
    rules.XV: (("negative", "xv"),),
}
"""Further entries for marks that are all given."""


def _entries(rule: Any, board: Board) -> Iterator[tuple[str, Any]]:
    """Yield the key and the entry of each mark of a rule; the entry of a flag is True."""
    if row := row_of(_ROWS, rule):
        yield from ((row.key, entry) for entry in row.write(rule, board))
    elif isinstance(rule, rules.Diagonals):
        for key, other in (("diagonal+", "falling"), ("diagonal-", "rising")):
            if rule.which != other:
                yield key, True
    elif isinstance(rule, rules.NonConsecutive) and not rule.cyclic:
        yield "nonconsecutive", True
    elif isinstance(rule, Groups):
        for group in rule.groups(board):
            yield "extraregion", {"cells": names_of(group)}
    elif type(rule) not in _PAIRS or (
        isinstance(rule, rules.Difference) and rule.all_given and rule.value != 1
    ):
        raise UnheldRule
    else:
        for key, name, text in _PAIRS[type(rule)]:
            written = str(rule.value) if text is None else text
            for pair in getattr(rule, name):
                yield key, {"cells": names_of(pair)} | ({"value": written} if written else {})
        if rule.all_given:
            yield from _ALL_GIVEN[type(rule)]
        if getattr(rule, "all_white", False):
            yield from _NO_DOTS
        if getattr(rule, "all_black", False):
            yield from _NO_RATIOS


def _marks(value: dict[str, Any], _: Board) -> Iterator[Rule]:
    """Yield the rules of dots, of X and V and of their absence, and of the diagonals."""
    yield from diagonals(rising=value.get("diagonal+"), falling=value.get("diagonal-"))
    negative = set(list_of(value.get("negative") or []))
    if strange := negative - {"ratio", "xv"}:
        raise UnreadRule(f"a negative constraint on {min(map(str, strange))!r}")
    xv = _pairs(value, "xv")
    strange_letters = {str(letter) for letter in xv} - {"X", "V", "x", "v"}
    if strange_letters:
        raise UnreadRule(f"a mark {min(strange_letters)!r} between cells")
    if xv or "xv" in negative:
        x, v = ((*xv.get(a, ()), *xv.get(a.lower(), ())) for a in ("X", "V"))
        yield rules.XV(x, v, "xv" in negative)
    differences, ratios = _pairs(value, "difference"), _pairs(value, "ratio")
    yield from _dots(
        {number_of(key or 1): pairs for key, pairs in differences.items() if key != ""},
        differences.get("", ()),
        {number_of(key or 2): pairs for key, pairs in ratios.items() if key != ""},
        ratios.get("", ()),
        negative & {"ratio"} | ({"difference"} if value.get("nonconsecutive") else set()),
    )


def _dots(
    differences: dict[int, tuple[Cells, ...]],
    white: tuple[Cells, ...],
    ratios: dict[int, tuple[Cells, ...]],
    black: tuple[Cells, ...],
    all_given: set[str],
) -> Iterator[Rule]:
    """Yield the rules of marks with numbers and of dots; `all_given` names the complete kinds."""
    if "ratio" in all_given and set(differences) - {1}:
        raise UnreadRule("negative ratios beside other dots than white and black")
    if all_given:
        white, black = (*white, *differences.pop(1, ())), (*black, *ratios.pop(2, ()))
    if all_given == {"difference"} and not black:
        yield rules.Difference(white, 1, all_given=True) if white else rules.NonConsecutive()
    elif all_given == {"ratio"} and not white:
        yield rules.Ratio(black, 2, all_given=True)
    elif len(all_given) == 2:
        yield rules.Kropki(white, black, all_given=True)
    elif white or black:
        every = {"all_white": "difference" in all_given, "all_black": "ratio" in all_given}
        yield rules.Kropki(white, black, **every)
    for number, pairs in differences.items():
        yield rules.Difference(pairs, number)
    for number, pairs in ratios.items():
        yield rules.Ratio(pairs, number)


def _pairs(value: dict[str, Any], key: str) -> dict[Any, tuple[Cells, ...]]:
    """Return the marked pairs of a key by their text, empty for a mark without any."""
    pairs: dict[Any, tuple[Cells, ...]] = {}
    for entry in list_of(value.get(key) or []):
        text = str(entry.get("value") or "").strip()
        pairs[text] = (*pairs.get(text, ()), cells_of(entry["cells"]))
    return pairs


# Regions


def _box_sides(size: int) -> tuple[int, int]:
    """Return the height and width of the boxes of a size in f-puzzles; rows if there are none."""
    height = int(size**0.5)
    while size % height:
        height -= 1
    return height, size // height


def regions_in(grid: list[list[dict[str, Any]]]) -> tuple[list[Rule], bool]:
    """Return the boxes or regions of a grid that are not the usual ones, and whether it has any.

    Raises
    ------
    PuzzleError
        If cells belong to no region.
    """
    size = len(grid)
    height, width = _box_sides(size)

    def region_of(row: int, column: int) -> str:
        region = grid[row][column].get("region", -1)
        if region is None:
            raise unknown_rules(["cells without a region"])
        return str(row // height * height + column // width if region == -1 else region)

    labels = starmap(region_of, product(range(size), range(size)))
    return houses_of([*cells_by_label(labels, size).values()], size)


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
    houses, boxed = regions_in(grid)
    board = divide(Board(len(grid)), houses)
    rules = name_groups(rules_of(value | dict.fromkeys(_COSMETIC), board), board)
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
    return base.json_text(puzzle, name, value_of, of_value)


def _link(puzzle: Puzzle) -> str:
    packed = quote(pack(_json(puzzle, FORMAT.name)), safe="")
    return f"https://www.f-puzzles.com/?load={packed}"


FORMAT = base.declare(
    "f-puzzles", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_link
)
JSON = base.declare("f-puzzles-json", write=_json)
