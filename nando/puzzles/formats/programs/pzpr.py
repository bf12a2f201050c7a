"""Puzzles of puzz.link and pzpr (PUZ-PRE v3): links, and files that begin with ``pzprv3``.

After the genre and the size, a link has one hexadecimal digit for a number below 16, a sign and
more digits for a larger number, and a letter from ``g`` for up to 20 cells without a number. A file
has a line for each row, with spaces between the cells. A player's entries follow the rows or stand
among the numbers.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from nando.puzzles.files import shortened
from nando.puzzles.formats import base
from nando.puzzles.lines import Entry, Line
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

_LARGEST_SIDE = 100
_HOSTS = r"puzz\.link|pzv\.jp|pzplus\.tck\.mn|pzprxs\.vercel\.app|pzpr\w{0,20}\.\w[\w.]{0,40}"
_PATTERN = re.compile(
    rf"""(?:https?://(?:www\.)?(?:{_HOSTS})/[^\s?]{{0,40}}\?(?P<genre>\w{{1,40}})
          |(?<!pzprv3/)\b(?P<bare>sudoku|nurikabe))
         /(?P<flags>(?:(?!\d+/)[^/\s]{{1,40}}/){{0,9}})(?P<columns>\d{{1,9}})/(?P<rows>\d{{1,9}})
         (?:/(?P<code>[^/\s?#&"',;]*))?(?P<rest>(?:/[^/\s?#&"',;]+)*)""",
    re.VERBOSE,
)
_FILE_PATTERN = re.compile(r"^\s*pzprv3(?:\.\d+)?/(?P<genre>\w{1,40})/(?P<body>.*)")
_FILE_START = re.compile(r"pzprv3(?:\.\d+)?\s*$")

# Signs of numbers in a link: how many hexadecimal digits follow, and what is added to them.
_SIGNS = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
_COLOURS = {"#": BLACK, "+": WHITE}
"""Colours that a player has given to cells without a number, in a file."""
_SMALL = re.compile(r"\[([\d,]{0,80})\]")
"""The small numbers of a cell, in a file."""
_SIZES = (4, 6, 9, 16, 25)
"""Sizes of a Sudoku; the first two are read as variants."""
_LONGEST_GAP = 20
_LONGEST_FILE = 1_000

Cell = int | str
"""A number; 0 for none, ``?`` for an unknown number."""


# Links


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    genre = base.of_genre(match["genre"] or match["bare"])
    if parts := [part for part in f"{match['flags']}{match['rest']}".split("/") if part]:
        said = " (variant rules)" if parts[0].startswith("v:") else ""
        raise base.unknown_rules([f"the part {shortened(parts[0], 30)!r}{said} in its link"])
    n_rows, n_columns = _sides(match["rows"], match["columns"])
    return _puzzle(genre, _decode(match["code"] or "", n_rows, n_columns), kind)


def _puzzle(genre: type[Puzzle], rows: list[list[Any]], kind: base.Kind) -> Puzzle:
    """Return the puzzle of a genre and its rows, a variant if it is a Sudoku of 4x4 or 6x6."""
    if genre is Sudoku and len(rows) in _SIZES:
        return base.puzzle_of_rules(rows, [], kind)
    return genre.from_rows(rows)


def _sides(n_rows: str, n_columns: str) -> tuple[int, int]:
    sides = [int(side) if re.fullmatch("[0-9]{1,9}", side) else 0 for side in (n_rows, n_columns)]
    if not all(1 <= side <= _LARGEST_SIDE for side in sides):
        raise base.unreadable(
            f"{n_rows[:20]} rows of {n_columns[:20]} cells; at most {_LARGEST_SIDE} by "
            f"{_LARGEST_SIDE}"
        )
    return sides[0], sides[1]


def _decode(code: str, n_rows: int, n_columns: int) -> list[list[Cell]]:
    n_cells = n_rows * n_columns
    cells: list[Cell] = []
    position = 0
    while position < len(code) and len(cells) <= n_cells:
        symbol = code[position].lower()
        digits, least = _SIGNS.get(symbol, (1, 0))
        if "g" <= symbol <= "z":
            cells.extend([0] * (int(symbol, 36) - 15))
            position += 1
        elif symbol == ".":
            cells.append("?")
            position += 1
        else:
            begin = position + (symbol in _SIGNS)
            number = re.fullmatch("[0-9a-fA-F]+", code[begin : begin + digits])
            if not number or len(number[0]) < digits:
                shown = code[position : position + 8]
                raise base.unreadable(f"{shown!r} in the link; copy the whole link")
            # 0 is not a number of an island; pzpr never writes it.
            cells.append(int(number[0], 16) + least)
            position = begin + digits
    if len(cells) > n_cells:
        raise base.unreadable(f"the link has more cells than {n_rows} rows of {n_columns}")
    cells.extend([0] * (n_cells - len(cells)))
    return [cells[i : i + n_columns] for i in range(0, n_cells, n_columns)]


def _write(puzzle: Puzzle) -> str:
    genre, rows = _rows_of(puzzle, FORMAT.name)
    pieces = []
    gap = 0
    for cell in (cell for row in rows for cell in row):
        if cell == 0:
            gap += 1
        if gap and (cell != 0 or gap == _LONGEST_GAP):
            pieces.append(_letter(gap))
            gap = 0
        if cell != 0:
            pieces.append(_hexadecimal(cell) if isinstance(cell, int) else ".")
    if gap:
        pieces.append(_letter(gap))
    return f"https://puzz.link/p?{genre}/{len(rows[0])}/{len(rows)}/{''.join(pieces)}"


def _rows_of(puzzle: Puzzle, name: str) -> tuple[str, list[list[Cell]]]:
    """Return the genre and the rows of cells of a puzzle."""
    if isinstance(puzzle, Nurikabe):
        numbers = puzzle.numbers.reshape(puzzle.shape).tolist()
        return puzzle.kind, [["?" if n < 0 else n for n in row] for row in numbers]
    is_small = isinstance(puzzle, Variant) and puzzle.is_plain and puzzle.size in _SIZES[:2]
    sudoku = puzzle if is_small else base.as_sudoku(puzzle, name)
    return Sudoku.kind, [list(row) for row in sudoku.givens.reshape(sudoku.shape).tolist()]


def _letter(gap: int) -> str:
    """Return the letter for a run of cells without a number: g for 1, z for 20."""
    return chr(ord("g") + gap - 1)


def _hexadecimal(number: int) -> str:
    if number < 16:
        return f"{number:x}"
    sign, digits, least = next(
        (sign, digits, least)
        for sign, (digits, least) in _SIGNS.items()
        if number - least < 16**digits
    )
    return f"{sign}{number - least:0{digits}x}"


# Files


def _read_on_line(match: re.Match[str], kind: base.Kind) -> Puzzle:
    return _of_file(match["genre"], match["body"].split("/"), kind)


def _read_standing_on_line(match: re.Match[str], kind: base.Kind) -> base.Standing:
    """Return the coloured cells of a Nurikabe, or the digits and small numbers of a Sudoku.

    A cell is a digit, or a sign with small numbers in brackets, for example ``.[2,,5]``.
    """
    genre, lines = match["genre"], match["body"].split("/")
    puzzle = _of_file(genre, lines, kind)
    if isinstance(puzzle, Nurikabe):
        n_rows = puzzle.shape[0]
        cells = [cell for line in lines[2 : 2 + n_rows] for cell in line.split()]
        colours = np.array([_COLOURS.get(cell, 0) for cell in cells], np.int8)
        return base.Standing(puzzle, np.where(puzzle.givens > 0, puzzle.givens, colours), None)
    assert isinstance(puzzle, Sudoku | Variant)
    entered = [line.split() for line in lines[1 + puzzle.size : 1 + 2 * puzzle.size]]
    if [len(row) for row in entered] != [puzzle.size] * puzzle.size:
        return base.Standing(puzzle, puzzle.givens.copy(), None)
    rows = [[cell if cell.isdecimal() else 0 for cell in row] for row in entered]
    marks = [_SMALL.search(cell) for row in entered for cell in row]
    return base.with_marks(
        base.sudoku_standing(puzzle, rows), [small and small[1].split(",") for small in marks]
    )


def is_file(text: str) -> bool:
    """Return True if a text is a whole file."""
    return _FILE_START.match(text.partition("\n")[0]) is not None


def _read_file(lines: Iterator[Line], kind: type[Puzzle]) -> Iterator[Entry]:
    taken = list(islice(lines, _LONGEST_FILE))
    rows = [line.text.strip() for line in taken if line.text.strip()]
    try:
        outcome: Puzzle | PuzzleError = _of_file(rows[1] if len(rows) > 1 else "", rows[2:], kind)
    except PuzzleError as error:
        outcome = error
    yield Entry.of(taken[0].number, "\n".join(rows), outcome)


def _of_file(name: str, lines: Sequence[str], kind: base.Kind) -> Puzzle:
    """Return the puzzle of a genre and the lines after it: size, rows, and ignored entries."""
    genre = base.of_genre(name)
    # The size of a Sudoku is one number.
    sides = lines[:1] if genre is Sudoku else lines[:2]
    n_rows, n_columns = _sides((sides or [""])[0], (sides or [""])[-1])
    rows = [line.split() for line in lines[len(sides) : len(sides) + n_rows]]
    if [len(row) for row in rows] != [n_columns] * n_rows:
        raise base.unreadable(f"the file does not have {n_rows} rows of {n_columns} cells")
    # A dash is an unknown number; # and + are cells that a player has coloured.
    meaning = {"-": "?", "#": "", "+": "", ".": ""}
    return _puzzle(genre, [[meaning.get(cell, cell) for cell in row] for row in rows], kind)


def _write_file(puzzle: Puzzle) -> str:
    genre, rows = _rows_of(puzzle, FILE.name)
    symbols = {0: ".", "?": "-"}
    lines = ["".join(f"{symbols.get(cell, cell)} " for cell in row) for row in rows]
    if genre == Sudoku.kind:
        sides = [str(len(rows))]
        lines += [". " * len(rows)] * len(rows)  # nothing is filled in
    else:
        sides = [str(len(rows)), str(len(rows[0]))]
    return "\n".join(["pzprv3", genre, *sides, *lines])


FORMAT = base.declare("puzz.link", pattern=_PATTERN, read=_read, write=_write)
FILE = base.declare(
    "pzprv3",
    pattern=_FILE_PATTERN,
    read=_read_on_line,
    read_standing=_read_standing_on_line,
    file_start=_FILE_START,
    read_file=_read_file,
    write=_write_file,
)
