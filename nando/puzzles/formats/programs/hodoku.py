"""HoDoKu's library lines: ``:technique:digits:board:removed candidates:...``.

In the board a ``+`` precedes a digit that the solver has entered. These digits and the removed
candidates belong to the position, not to the puzzle. Susser writes board and candidates alone.
"""

import re

import numpy as np

from nando.puzzles.formats.base import Kind, Standing, as_sudoku, declare
from nando.puzzles.protocol import Puzzle
from nando.puzzles.sudoku.puzzle import Sudoku

_PATTERN = re.compile(
    r"""^(?P<head>:[\w-]{4,10}:\w*:)?(?P<board>(?:\+?[0-9.]){81})
        (?(head):|(?::|$))(?P<removed>(?:[1-9]{3}[ ]?)*)(?(head)|$)""",
    re.VERBOSE,
)


def _read(match: re.Match[str], _: Kind) -> Puzzle:
    return Sudoku(re.sub(r"\+.", "0", match["board"]))


def _read_standing(match: re.Match[str], _: Kind) -> Standing:
    """Return the position with the entered digits, and all candidates but those removed.

    Each removed candidate is three digits: digit, row and column.
    """
    puzzle = Sudoku(re.sub(r"\+.", "0", match["board"]))
    entries = Sudoku(match["board"].replace("+", "")).givens.copy()
    if not match["removed"]:
        return Standing(puzzle, entries, None)
    candidates = np.ones((entries.size, puzzle.size), np.bool_)
    for number in map(int, match["removed"].split()):
        digit, row, column = number // 100, number // 10 % 10, number % 10
        candidates[(row - 1) * 9 + column - 1, digit - 1] = False
    return Standing(puzzle, entries, candidates)


def _write(puzzle: Puzzle) -> str:
    return f":0000:x:{as_sudoku(puzzle, FORMAT.name, orders=(3,)).text}:::"


FORMAT = declare("hodoku", pattern=_PATTERN, read=_read, read_standing=_read_standing, write=_write)
