"""XML: files of OpenSudoku, the Android game, with an element ``game`` for each puzzle; others.

The data of a game are 81 digits, or its state: ``version: N``, then a value, notes and an editable
flag for each cell. Cells that cannot be edited are givens.
"""

import re
from collections.abc import Iterator
from typing import Any

from nando.puzzles.files import XmlError, local, xml_parser
from nando.puzzles.formats.base import as_sudoku, digits, listed, unreadable
from nando.puzzles.formats.xml_boards import ROOTS, Element
from nando.puzzles.lines import Entry, Line
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.sudoku.puzzle import Sudoku

_LONGEST = 1 << 16
"""Most characters of an element."""
_STATE = re.compile(r"\s*version:\s*\d+\s+(?P<cells>.*)", re.DOTALL)


def _read_file(lines: Iterator[Line], kind: type[Puzzle]) -> Iterator[Entry]:
    elements: list[Element] = []
    parser = xml_parser()
    parser.StartElementHandler = lambda name, values: elements.append(
        Element(local(name), values, [])
    )
    parser.CharacterDataHandler = lambda text: elements[-1].texts.append(text) if elements else None
    fed = number = 0
    root = ""
    try:
        for line in lines:
            number = line.number
            if line.cut:
                raise unreadable(f"a line of {line.length:,} characters")
            parser.Parse(line.text + "\n", False)
            root = root or (elements[0].name if elements else "")
            is_other = root in ROOTS
            fed = 0 if elements and not is_other else fed + len(line.text) + 1
            if fed > _LONGEST:
                raise unreadable(f"an element of more than {_LONGEST:,} characters")
            if is_other:
                continue
            if root and not root.startswith("opensudoku"):
                known = ", ".join(f"<{name}>" for name in ("opensudoku", *ROOTS))
                raise unreadable(f"XML with <{root[:40]}>; wanted {known}")
            for element in elements:
                if element.name == "game":
                    yield _entry(line.number, element.values)
            elements.clear()
        parser.Parse("", True)
        if root in ROOTS:
            yield Entry.of(1, root, ROOTS[root](elements, kind))
    except PuzzleError as error:
        yield Entry.of(number, "", error)
    except (XmlError, ValueError) as error:
        yield Entry.of(number, "", unreadable(f"{error}; take another copy of the file"))


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
        raise unreadable(f"a game with {len(fields)} fields; wanted 3 or 4 for each of 81 cells")
    values, editable = fields[::n_fields], fields[n_fields - 1 :: n_fields]
    return Sudoku("".join("0" if e != "0" else v for v, e in zip(values, editable, strict=True)))


def _write(puzzle: Puzzle) -> str:
    return f'  <game data="{digits(as_sudoku(puzzle, FORMAT.name, orders=(3,)))}" />'


FORMAT = listed("opensudoku", file_start=re.compile("<"), read_file=_read_file, write=_write)
