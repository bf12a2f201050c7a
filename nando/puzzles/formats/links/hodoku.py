"""HoDoKu's library lines: ``:technique:digits:board:removed candidates:...``.

In the board a ``+`` precedes a digit that the solver has entered. These digits and the removed
candidates belong to the solution, not to the puzzle.
"""

import re

from nando.puzzles.formats.format import Format, Kind, as_sudoku
from nando.puzzles.protocol import Puzzle
from nando.puzzles.sudoku.puzzle import Sudoku

_PATTERN = re.compile(r"^:[\w-]{4,10}:[\w]*:(?P<board>(?:\+?[0-9.]){81}):")


def _read(found: re.Match[str], _: Kind) -> Puzzle:
    return Sudoku(re.sub(r"\+.", "0", found["board"]))


def _write(puzzle: Puzzle) -> str:
    return f":0000:x:{as_sudoku(puzzle, FORMAT.name, orders=(3,)).text}:::"


FORMAT = Format(
    name="hodoku",
    title="HoDoKu's library lines",
    holds="Sudoku 9x9",
    pattern=_PATTERN,
    read=_read,
    write=_write,
)
