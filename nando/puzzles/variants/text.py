"""The text of a variant: the givens, then ``+`` and a rule, as often as there are rules.

The givens are a symbol for each place, row by row, or the size alone (``9x9``) if there are none.
The usual boxes of a size need not be named; ``no-boxes`` leaves them out. Several grids are named
by their upper left cells, ``grids:r1c1r1c13...``, or together, for example ``samurai``. The digits
are 1 to the size unless the text names others: ``digits:0-8``, or ``digits:0-9``, of which each row
of a 9x9 lacks one. Then 0 is a digit, not a blank.
"""

import re
from collections.abc import Iterable
from math import isqrt
from typing import NamedTuple

import numpy as np

from nando.puzzles.boards.board import (
    LARGEST,
    ONE_GRID,
    Board,
    Cell,
    Cells,
    box_shape,
    cells_text,
    read_cells,
)
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import half_width
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError, Values
from nando.puzzles.rules.boxes import Boxes, Regions, divide
from nando.puzzles.rules.registry import place_of, rule_of_text

LAYOUTS: dict[str, tuple[int, Cells]] = {
    "samurai": (9, read_cells("r1c1r1c13r7c7r13c1r13c13")),
    "butterfly": (9, read_cells("r1c1r1c4r4c1r4c4")),
    "twodoku": (9, read_cells("r1c1r7c7")),
    "sohei": (9, read_cells("r1c7r7c1r7c13r13c7")),
    "windmill": (9, read_cells("r1c4r4c13r7c7r10c1r13c10")),
    "flower": (9, read_cells("r1c4r4c1r4c4r4c7r7c4")),
    "shogun": (9, read_cells("r1c1r1c13r1c25r1c37r7c7r7c19r7c31r13c1r13c13r13c25r13c37")),
    "sumo": (
        9,
        read_cells("r1c1r1c13r1c25r7c7r7c19r13c1r13c13r13c25r19c7r19c19r25c1r25c13r25c25"),
    ),
}
"""Named arrangements of several grids: digits, and the upper left cell of each grid."""

NO_BOXES = "no-boxes"
_GRIDS = "grids"
DIGITS = "digits"
_SIZE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_BLANKS = ".0_*-?"


def names_grids(text: str) -> bool:
    """Return True if a line, for example ``+ samurai``, names an arrangement of several grids."""
    name = text.strip().removeprefix("+").strip().partition(":")[0].strip()
    return name in LAYOUTS or name == _GRIDS


class Content(NamedTuple):
    """A variant taken apart: its board, its rules, and the givens, shape ``(n_places,)``."""

    board: Board
    rules: tuple[Rule, ...]
    givens: Values


def read_content(text: str) -> Content:
    """Return the board, rules and givens of the text of a variant.

    Raises
    ------
    PuzzleError
        Lists everything wrong with the text.
    """
    head, *named = half_width("".join(text.split())).split("+")
    faults: list[Fault] = []
    rules: list[Rule] = []
    digits = ""
    corners: Cells = ONE_GRID
    boxed = True
    for part in named:
        name, _, rest = part.partition(":")
        try:
            if name in LAYOUTS:
                corners = LAYOUTS[name][1]
            elif name == _GRIDS:
                corners = tuple(sorted(read_cells(rest)))
            elif name == DIGITS:
                digits = rest
            elif name == NO_BOXES:
                boxed = False
            else:
                rules.append(rule_of_text(part))
        except ValueError as error:
            faults.append(_wrong(str(error)))
    if faults:
        raise PuzzleError(faults)
    return content_of(head, corners, rules, boxed=boxed, digits=digits)


def content_of(
    head: str, corners: Cells, rules: list[Rule], *, boxed: bool = True, digits: str = ""
) -> Content:
    """Return the content of a variant with these givens (or its size), grids and rules.

    Parameters
    ----------
    head : str
        A symbol for each place, or a size, for example ``9x9``.
    corners : tuple of Cell
    rules : list of Rule
    boxed : bool
        Add the usual boxes of the size, unless the rules have boxes or regions.
    digits : str
        The lowest and the highest digit, for example ``0-8``; empty for 1 and the size.

    Raises
    ------
    PuzzleError
        Lists everything wrong.
    """
    size = _SIZE.fullmatch(head)
    several = len(corners) > 1
    usual = 9 if several else isqrt(len(head))
    n = int(size[1]) if size and size[1] == size[2] else usual
    try:
        lowest, highest = _ends(digits, n)
        n_digits = highest - lowest + 1
        board = Board(n_digits, corners, lowest=lowest, absent=n_digits - n)
    except ValueError as error:
        raise PuzzleError([_wrong(str(error))]) from None
    symbols = "" if size else head
    givens = [0] * (board.n_rows * board.n_columns)
    places: list[int] | range = range(len(givens))
    if len(symbols) == len(board.cells):
        places = board.places(board.cells)
    elif not size and len(symbols) != len(givens):
        raise PuzzleError([_wrong_length(board, len(symbols), several)])
    faults = []
    blanks = _BLANKS if board.lowest else _BLANKS.replace("0", "")
    for i, (place, symbol) in enumerate(zip(places, symbols, strict=False)):
        value = 0 if symbol in blanks else board.symbols.find(symbol.upper())
        if value < 0:
            faults.append(
                Fault(
                    FaultKind.FOREIGN_SYMBOL,
                    f"foreign symbol: {symbol!r} at position {i + 1}; wanted {board.symbols[1]} to "
                    f"{board.symbols[-1]}, or a blank ({' '.join(blanks)})",
                    (place,),
                )
            )
        givens[place] = max(value, 0)
    has_regions = any(isinstance(rule, Boxes | Regions) for rule in rules)
    shape = box_shape(n)
    if boxed and not has_regions and shape is not None:
        rules = [Boxes(*shape), *rules]
    ordered = in_order(dict.fromkeys(rules))
    board = divide(board, ordered)
    for rule in ordered:
        faults += map(_wrong, rule.faults(board))
    if sum(isinstance(rule, Boxes | Regions) for rule in ordered) > 1:
        faults.append(_wrong("a grid has boxes or regions, not both"))
    cells = set(board.cells)
    for place in range(len(givens)):
        cell = Cell(*divmod(place, board.n_columns))
        if givens[place] and cell not in cells:
            faults.append(_wrong(f"{cell} has a given, but lies in no grid"))
    if faults:
        raise PuzzleError(faults)
    return Content(board, ordered, np.array(givens, np.int8))


def _ends(digits: str, n: int) -> tuple[int, int]:
    """Return the lowest and the highest of the digits that a text names, or else 1 and the size."""
    if not digits:
        return 1, n
    named = re.fullmatch("([01])-(0|[1-9][0-9]?)", digits)
    lowest, highest = map(int, named.groups()) if named else (0, -1)
    if not lowest + n - 1 <= highest < lowest + max(n, LARGEST):
        raise ValueError(
            f"digits must be 0-{n - 1} or 1-{n}, as many as a row of the grid has cells, or more, "
            f"for example 0-{n}; got {digits[:20]!r}, and a grid has at most {LARGEST} digits"
        )
    return lowest, highest


def in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules in the order of texts."""
    return tuple(sorted(rules, key=lambda rule: (place_of(rule), rule.to_text())))


def text_of(board: Board, rules: tuple[Rule, ...], givens: Values) -> str:
    """Return the text of a variant, which `read_content` reads back."""
    n = board.size
    head = symbols_of(givens, board) if givens.any() else f"{n}x{n}"
    parts = [head]
    if not board.has_usual_digits:
        parts.append(f"{DIGITS}:{digits_of(board)}")
    if not board.is_single:
        names = [name for name, layout in LAYOUTS.items() if layout == (n, board.corners)]
        parts += names or [f"{_GRIDS}:{cells_text(board.corners)}"]
    shape = box_shape(n)
    usual = Boxes(*shape) if shape else None
    if usual is not None and not any(isinstance(rule, Boxes | Regions) for rule in rules):
        parts.append(NO_BOXES)
    parts += [rule.to_text() for rule in rules if rule != usual]
    return "+".join(parts)


def digits_of(board: Board) -> str:
    """Return the lowest and the highest digit of a board, for example ``1-9``."""
    return f"{board.values[0]}-{board.values[-1]}"


def symbols_of(digits: Values, board: Board) -> str:
    """Return a symbol for each digit, ``.`` for a blank."""
    return "".join(board.symbols[digit] for digit in digits.tolist())


def _wrong(message: str) -> Fault:
    return Fault(FaultKind.WRONG_RULE, message)


def _wrong_length(board: Board, length: int, several: bool) -> Fault:
    expected = (
        f"{board.n_rows * board.n_columns} for {board.n_rows} rows of {board.n_columns}, or "
        f"{len(board.cells)} for the cells alone"
        if several
        else "as many rows as columns, for example 36 for 6x6, or a size such as 6x6"
    )
    return Fault(FaultKind.WRONG_LENGTH, f"wrong length: {length:,} symbols; wanted {expected}")
