"""Links of SudokuWiki's solver: the board after ``bd=``, as digits or with candidates.

The board has one of three forms (https://www.sudokuwiki.org/Sudoku_String_Definitions):

- 81 digits;
- two symbols per cell: a number in base 32 with a bit for each candidate, and in the lowest bit
  whether the cell is given;
- a head, for example ``S9B``, and two symbols per cell: a number in base 36, where 1 to 9 are
  givens, 10 to 18 entered digits, and larger numbers candidates.
"""

import re

import numpy as np

from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats import base
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.houses import Diagonals, DisjointGroups, Windoku
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

_PATTERN = re.compile(
    r"""sudokuwiki\.org/[^\s?]{0,80}\?(?:[^\s&]{0,80}&){0,8}?bd=(?P<board>[\w.]+)
      |(?<!\w)(?P<bare>[A-Z]9[A-Z][0-9a-z]{162})(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_GENRES = {
    "j": "irregular boxes",
    "k": "the cages of a KenKen",
    "l": "cages",
    "m": "cages and irregular boxes",
    "t": "the compartments of a Str8ts",
}
_RULES: dict[str, tuple[Rule, ...]] = {
    "s": (),
    "c": (DisjointGroups(),),
    "w": (Windoku(),),
    "x": (Diagonals(),),
}
"""The rules of each letter in front: colours are the places within boxes."""


def _read(match: re.Match[str], kind: base.Kind) -> Puzzle:
    board = (match["board"] or match["bare"]).lower()
    if len(board) == 81:
        return Sudoku(board)
    if len(board) == 162:
        pairs = [_number(board, place, 32) for place in range(0, 162, 2)]
        return Sudoku.from_values([_given_bit(pair) for pair in pairs])
    genre, size = board[0], board[1:2]
    if genre in _GENRES:
        raise base.unknown_rules([_GENRES[genre]])
    if genre not in _RULES or (size, len(board)) != ("9", 165):
        raise base.unreadable(
            f"{len(board)} symbols after bd=; wanted 81 digits, or 162 symbols with candidates"
        )
    pairs = [_number(board, place, 36) for place in range(3, 165, 2)]
    givens = [pair if pair <= 9 else 0 for pair in pairs]
    rows = [givens[i : i + 9] for i in range(0, 81, 9)]
    return base.puzzle_of_rules(rows, _RULES[genre], kind)


def _read_standing(match: re.Match[str], kind: base.Kind) -> base.Standing:
    """Return the position: entered digits from base 36, or candidates from base 32."""
    puzzle = _read(match, kind)
    assert isinstance(puzzle, Sudoku | Variant)
    board = (match["board"] or match["bare"]).lower()
    entries = puzzle.givens.copy()
    if len(board) == 165:
        pairs = np.array([_number(board, place, 36) for place in range(3, 165, 2)])
        filled = (pairs > 0) & (pairs <= 18)
        return base.Standing(puzzle, np.where(filled, (pairs - 1) % 9 + 1, 0).astype(np.int8), None)
    if len(board) == 81:
        return base.Standing(puzzle, entries, None)
    masks = np.array([_number(board, place, 32) >> 1 for place in range(0, 162, 2)])
    candidates = (masks[:, None] >> np.arange(9) & 1).astype(np.bool_)
    return base.Standing(puzzle, entries, candidates & (entries == 0)[:, None])


def _number(board: str, place: int, radix: int) -> int:
    try:
        return int(board[place : place + 2], radix)
    except ValueError:
        pair = board[place : place + 2]
        raise base.unreadable(f"{pair!r} in the board of the link; copy the whole link") from None


def _given_bit(pair: int) -> int:
    """Return the digit of a given; 0 for candidates and entered digits."""
    return (pair >> 1).bit_length() if pair & 1 else 0


def _write(puzzle: Puzzle) -> str:
    board = base.digits(base.as_sudoku(puzzle, FORMAT.name, orders=(3,)))
    return f"https://www.sudokuwiki.org/sudoku.htm?bd={board}"


FORMAT = base.declare(
    "sudokuwiki", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_write
)
