"""XML: files of OpenSudoku, boards of LEGUP, and shapes of KSudoku.

A file of OpenSudoku, the Android game, has an element ``game`` for each puzzle. Its data are 81
digits, or its state: ``version: N``, then a value, notes and an editable flag for each cell. Cells
that cannot be edited are givens.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from nando.puzzles.boards.board import LARGEST, Cell
from nando.puzzles.files import SPOILT, XmlError, xml_events
from nando.puzzles.formats import base
from nando.puzzles.formats.rule_values import houses_of, number_of
from nando.puzzles.lines import Entry, Line
from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.sudoku.puzzle import Sudoku

_LARGEST_SIDE = 100


class Element(NamedTuple):
    """An element: its name, its attributes, and the pieces of its text."""

    name: str
    values: dict[str, str]
    texts: list[str]


Reader = Callable[[Sequence[Element], base.Kind], Puzzle]


def _guard(read: Reader, program: str) -> Reader:
    """Return a reader that raises PuzzleError for elements that are damaged."""

    def read_checked(elements: Sequence[Element], kind: base.Kind) -> Puzzle:
        try:
            return read(elements, kind)
        except PuzzleError:
            raise
        except SPOILT:
            raise base.unreadable(f"the board of {program} is damaged; take another copy") from None

    return read_checked


def _legup(elements: Sequence[Element], kind: base.Kind) -> Puzzle:
    """Return a Nurikabe or Sudoku of LEGUP; a cell without a number is -2, or not listed."""
    named = {element.name: element.values for element in elements}
    genre = base.of_genre(named["puzzle"]["name"])
    sides = [named["board"].get(side) or named["board"]["size"] for side in ("height", "width")]
    n_rows, n_columns = map(number_of, sides)
    if not (0 < n_rows <= _LARGEST_SIDE and 0 < n_columns <= _LARGEST_SIDE):
        raise ValueError
    rows: list[list[object]] = [[0] * n_columns for _ in range(n_rows)]
    for element in elements:
        if element.name == "cell" and element.values["value"] != "-2":
            row, column = number_of(element.values["y"]), number_of(element.values["x"])
            rows[row][column] = number_of(element.values["value"])
    if genre is Nurikabe:
        return Nurikabe.from_rows(rows)
    return base.puzzle_of_rules(rows, (), kind) if genre is Sudoku else genre.from_rows(rows)


def _ksudoku(elements: Sequence[Element], kind: base.Kind) -> Puzzle:
    """Return the board of a shape of KSudoku, without givens: its regions are cliques."""
    known = {"ksudoku-graph", "graph", "sudokugroups", "clique"}
    unread = [f"<{element.name}>" for element in elements if element.name not in known]
    groups = [element.values for element in elements if element.name == "sudokugroups"]
    graph = next(element.values for element in elements if element.name == "graph")
    size = number_of(graph["order"])
    is_square = graph["sizeX"] == graph["sizeY"] == graph["order"] and graph["sizeZ"] == "1"
    if unread or len(groups) != 1 or number_of(groups[0]["at"]) or not is_square:
        raise base.unknown_rules(unread or [f"a board of the form {graph.get('name', '')!r}"])
    if not 1 <= size <= LARGEST:
        raise ValueError
    # Cells are numbered column by column.
    regions = [
        tuple(Cell(cell % size, cell // size) for cell in map(number_of, text.split()))
        for element in elements
        if element.name == "clique" and (text := "".join(element.texts))
    ]
    has_boxes = groups[0].get("withblocks") == "1"
    if has_boxes and regions:
        raise base.unknown_rules(["cliques and boxes together"])
    if has_boxes:
        side = round(size**0.5)
        return base.puzzle_of_rules([[0] * size] * size, [Boxes(side, side)], kind)
    houses, boxed = houses_of(regions, size) if regions else ([], False)
    return base.puzzle_of_rules([[0] * size] * size, houses, kind, boxed=boxed)


_ROOTS: dict[str, Reader] = {
    "Legup": _guard(_legup, "LEGUP"),
    "ksudoku-graph": _guard(_ksudoku, "KSudoku"),
}
"""The reader of each root element."""


# Files of OpenSudoku

_LONGEST = 1 << 16
"""Most characters of an element."""
_STATE = re.compile(r"\s*version:\s*\d+\s+(?P<cells>.*)", re.DOTALL)


def _read_file(lines: Iterator[Line], kind: type[Puzzle]) -> Iterator[Entry]:
    elements: list[Element] = []
    fed = number = 0

    def texts() -> Iterator[str]:
        nonlocal fed, number
        for line in lines:
            number, fed = line.number, fed + len(line.text) + 1
            if line.cut:
                raise base.unreadable(f"a line of {line.length:,} characters")
            yield line.text + "\n"
            if fed > _LONGEST:
                raise base.unreadable(f"an element of more than {_LONGEST:,} characters")

    try:
        for name, values, text in xml_events(texts()):
            if elements:
                elements[-1].texts.append(text)
            if values is None:
                continue
            elements.append(Element(name, values, []))
            root = elements[0].name
            if root in _ROOTS:
                continue
            if not root.startswith("opensudoku"):
                known = ", ".join(f"<{name}>" for name in ("opensudoku", *_ROOTS))
                raise base.unreadable(f"XML with <{root[:40]}>; wanted {known}")
            fed = 0
            del elements[1:]
            if name == "game":
                yield _entry(number, values)
        if elements[0].name in _ROOTS:
            yield Entry.of(1, elements[0].name, _ROOTS[elements[0].name](elements, kind))
    except PuzzleError as error:
        yield Entry.of(number, "", error)
    except (XmlError, ValueError) as error:
        yield Entry.of(number, "", base.unreadable(f"{error}; take another copy of the file"))


def _entry(number: int, attributes: dict[str, str]) -> Entry:
    names = ("data", "cells_data", "cellsData")
    data = next((attributes[name] for name in names if attributes.get(name)), "")
    try:
        return Entry.of(number, data, _puzzle(data))
    except PuzzleError as error:
        return Entry.of(number, data, error)


def _puzzle(data: str) -> Puzzle:
    state = _STATE.fullmatch(data)
    if state is None:
        return Sudoku(data)
    fields: list[Any] = [field for field in state["cells"].split("|") if field.strip()]
    n_fields, rest = divmod(len(fields), 81)
    if rest or n_fields < 3:
        raise base.unreadable(
            f"a game with {len(fields)} fields; wanted 3 or 4 for each of 81 cells"
        )
    values, editable = fields[::n_fields], fields[n_fields - 1 :: n_fields]
    return Sudoku("".join("0" if e != "0" else v for v, e in zip(values, editable, strict=True)))


def _write(puzzle: Puzzle) -> str:
    return f'  <game data="{base.digits(base.as_sudoku(puzzle, FORMAT.name, orders=(3,)))}" />'


FORMAT = base.declare("opensudoku", file_start=re.compile("<"), read_file=_read_file, write=_write)
