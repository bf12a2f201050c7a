"""Pages of variants of Sudoku on janko.at: board, rules, givens, solution and log.

Some pages list givens or sums only: the marks that the page prints follow from its solution, as
:data:`GENRES` says for each genre.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from nando.puzzles import Variant, rules
from nando.puzzles.boards.board import ONE_GRID, Board, Cell, Cells, box_shape
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import shortened
from nando.puzzles.protocol import Values
from nando.puzzles.variants.text import LAYOUTS

_MOVE = re.compile(r"([a-z])([a-z]),(-|[0-9]{1,2})(?:,[0-9]?(?:,([A-Z]?)([0-9]*))?)?")
"""A cell, the digit entered or ``-``, and the pencil marks."""


class Page(NamedTuple):
    """A page of the collection.

    Attributes
    ----------
    fields : dict
        The published fields.
    board : Board
    rows : list of list of str
        The published rows, ``-`` for blanks: givens, sums, or empty.
    solution : dict of Cell to int
    """

    fields: dict[str, Any]
    board: Board
    rows: list[list[str]]
    solution: dict[Cell, int]


@dataclass(frozen=True)
class Genre:
    """How the pages of a genre are read.

    Attributes
    ----------
    file : str
        Its name in the collection.
    rules : callable
        Returns the rules of a page, without its boxes.
    boxed : callable
        Returns True if the grid of a page has boxes.
    has_givens : bool
        Whether the rows of a page are givens.
    margin : int
        Number of rows and columns before the grid that the log of a page counts.
    """

    file: str
    rules: Callable[[Page], Iterable[Rule]] = lambda _: ()
    boxed: Callable[[Page], bool] = lambda _: True
    has_givens: bool = True
    margin: int = 0


def _regions(page: Page) -> Iterator[Rule]:
    yield rules.Regions(tuple(_areas(page).values()))


def _cages(page: Page) -> Iterator[Rule]:
    for cells in _areas(page).values():
        sums = [text for cell in cells if (text := page.rows[cell.row][cell.column]).isdecimal()]
        yield rules.Cage(cells, int(sums[0]) if sums else None)


def _dots(page: Page) -> Iterator[Rule]:
    # A pair of 1 and 2 may have either dot; the publisher prints a black one.
    black = _pairs(page, lambda a, b: a == 2 * b or b == 2 * a)
    white = _pairs(page, lambda a, b: abs(a - b) == 1)
    yield rules.Kropki(tuple(pair for pair in white if pair not in black), black, all_given=True)


def _bars(page: Page) -> Iterator[Rule]:
    yield rules.Consecutive(_pairs(page, lambda a, b: abs(a - b) == 1), all_given=True)


def _signs(page: Page) -> Iterator[Rule]:
    if "clues" in page.fields:
        marks = list(_printed_signs(page))
    else:
        box_of = _box_of(page)
        marks = [
            (first, second) if page.solution[first] > page.solution[second] else (second, first)
            for first, second in page.board.adjacent_pairs()
            if box_of[first] == box_of[second]
        ]
    yield rules.Greater(tuple(dict.fromkeys(marks)))


def _printed_signs(page: Page) -> Iterator[Cells]:
    """Yield the signs of `clues`: a bit for each side on which the neighbour is greater."""
    sides = ((0, 1), (1, 0), (0, -1), (-1, 0))
    clues = _table(page.fields["clues"], page.board)
    for cell in page.board.cells:
        text = clues[cell.row][cell.column]
        bits = int(text) if text.isdecimal() else 0
        for bit, (down, right) in enumerate(sides):
            if bits >> bit & 1:
                yield Cell(cell.row + down, cell.column + right), cell


def _parities(page: Page) -> Iterator[Rule]:
    for rule, remainder in ((rules.Odd, 1), (rules.Even, 0)):
        yield rule(tuple(c for c, digit in page.solution.items() if digit % 2 == remainder))


def _skylines(page: Page) -> Iterator[Rule]:
    for line in page.board.views():
        digits = [page.solution[cell] for cell in page.board.line(line)]
        yield rules.Skyscraper(line, len(set(accumulate(digits, max))))


GENRES = {
    "killer": Genre("Killer", _cages, has_givens=False),
    "jigsaw": Genre("Chaos", _regions, boxed=lambda _: False),
    "diagonals": Genre("2D", boxed=lambda _: False),
    "consecutive": Genre("Konsekutiv", _bars, boxed=lambda page: page.fields.get("depth") is None),
    "kropki": Genre("Kropki", _dots),
    "greater": Genre("Vergleich", _signs),
    "odd-even": Genre("Odd-Even", _parities),
    "samurai": Genre("Samurai"),
    "butterfly": Genre("Butterfly"),
    "skyscraper": Genre("Wolkenkratzer", _skylines, margin=1),
}
"""How each genre is read. All Kropki dots, consecutive bars, signs between neighbours of a box,
parities and skyscraper numbers are given; they follow from the solution where a page lacks them.
"""


def read_page(fields: dict[str, Any], genre: Genre) -> tuple[Variant, Values]:
    """Return the puzzle and the published solution of a page.

    Raises
    ------
    ValueError
        If fields are missing or damaged, or the solution does not obey the puzzle.
    """
    board = _board(fields)
    blank = [["-"] * board.n_columns] * board.n_rows
    rows = _table(fields.get("problem", blank), board)
    solved = _table(fields.get("solution"), board)
    solution = {cell: _digit(solved[cell.row][cell.column]) for cell in board.cells}
    page = Page(fields, board, rows, solution)
    listed = list(genre.rules(page))
    if "diagonals" in str(fields.get("puzzle")):
        listed.append(rules.Diagonals())
    boxed = genre.boxed(page)
    if boxed and "patternx" in fields:
        listed.append(rules.Boxes(*_pattern(fields)))
    givens = np.zeros((board.n_rows, board.n_columns), np.int8)
    values = givens.copy()
    for cell, digit in solution.items():
        values[cell] = digit
        if genre.has_givens:
            givens[cell] = _digit(rows[cell.row][cell.column])
    puzzle = Variant.of(givens, listed, corners=board.corners, boxed=boxed)
    if not puzzle.is_solution(values.ravel()):
        raise ValueError("the published solution does not obey the puzzle")
    return puzzle, values.ravel()


def _board(fields: dict[str, Any]) -> Board:
    """Return the board of a page, several grids for the sizes of a samurai and a butterfly."""
    rows = fields.get("solution")
    n = len(rows) if isinstance(rows, list) else 0
    corners = {21: LAYOUTS["samurai"][1], 12: LAYOUTS["butterfly"][1]}.get(n, ONE_GRID)
    return Board(n if corners == ONE_GRID else 9, corners)


def _table(rows: Any, board: Board) -> list[list[str]]:
    """Return a table of texts with the shape of the board; ValueError for anything else."""
    shape = board.n_rows, board.n_columns
    if not isinstance(rows, list) or [len(row) for row in rows if isinstance(row, list)] != (
        [shape[1]] * shape[0]
    ):
        raise ValueError(f"a table is missing or has another shape than {shape[0]}x{shape[1]}")
    return [[str(cell) for cell in row] for row in rows]


def _digit(text: str) -> int:
    """Return the digit of a cell, 0 for a blank; A, B, C are 1, 2, 3."""
    if text in "-.":
        return 0
    digit = int(text) if text.isdecimal() else ord(text.upper()[0]) - ord("A") + 1
    if not 1 <= digit <= 25:
        raise ValueError(f"{shortened(text)!r} is no digit")
    return digit


def _pattern(fields: dict[str, Any]) -> tuple[int, int]:
    try:
        return int(fields["patterny"]), int(fields["patternx"])
    except (KeyError, TypeError, ValueError):
        raise ValueError("the size of the boxes is damaged") from None


def _areas(page: Page) -> dict[str, Cells]:
    names = _table(page.fields.get("areas"), page.board)
    areas: dict[str, list[Cell]] = defaultdict(list)
    for cell in page.board.cells:
        areas[names[cell.row][cell.column]].append(cell)
    return {name: tuple(cells) for name, cells in areas.items()}


def _box_of(page: Page) -> dict[Cell, int]:
    fields, board = page.fields, page.board
    shape = _pattern(fields) if "patternx" in fields else box_shape(board.digits)
    boxes = rules.Boxes(*(shape or (1, board.digits))).houses(board)
    return {cell: number for number, cells in enumerate(boxes) for cell in cells}


def _pairs(page: Page, holds: Callable[[int, int], bool]) -> tuple[Cells, ...]:
    """Return the pairs of neighbours whose digits in the solution have a property."""
    digits = page.solution
    return tuple(
        pair for pair in page.board.adjacent_pairs() if holds(digits[pair[0]], digits[pair[1]])
    )


def read_log(
    text: str, puzzle: Variant, solution: Values, *, margin: int = 0
) -> list[tuple[int, int, str]]:
    """Return cell, value and pencil marks of each entry of a log; skip everything else.

    Raises
    ------
    ValueError
        For a cell that the board does not have, or a log that ends with other digits than the
        solution: it belongs to another puzzle.
    """
    moves = []
    last = {}
    for part in text.split(";"):
        match = _MOVE.fullmatch(part)
        if match is None:
            continue
        cell = Cell(ord(match[2]) - ord("a") - margin, ord(match[1]) - ord("a") - margin)
        if cell not in puzzle.board.number_of:
            raise ValueError(f"move {shortened(part)!r}: the board has no such cell")
        place = cell.row * puzzle.board.n_columns + cell.column
        value = 0 if match[3] == "-" else int(match[3])
        moves.append((place, value, match[5] or ""))
        last[place] = value
    wrong = [place for place, value in last.items() if value not in (0, solution[place])]
    if wrong:
        raise ValueError(f"it ends with {last[wrong[0]]} at {puzzle.cell_name(wrong[0])}")
    return moves
