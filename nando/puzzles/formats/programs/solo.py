"""Game IDs of Solo, the Sudoku of Simon Tatham's puzzle collection: parameters, and a description.

The parameters are the size, for example ``3x3``, or ``9j`` for a jigsaw, and letters: ``x`` for the
diagonals, ``k`` for a killer. The description has, with commas between them, the givens, the
regions of a jigsaw, and the cages of a killer and their sums. Givens and sums are numbers in cells,
with letters for runs of empty cells; shapes are runs of borders that are not drawn.
"""

import re
from collections.abc import Iterator

from nando.puzzles.boards.board import LARGEST, Cells, cells_by_label
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import Kind, declare, puzzle_of_rules, unreadable
from nando.puzzles.formats.rule_values import houses_of
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.houses import Diagonals
from nando.puzzles.rules.sums import Cage

_PATTERN = re.compile(
    r"""(?<![\w.])(?P<columns>\d{1,2})(?:x(?P<rows>\d{1,2})|(?=j))(?P<letters>j?x?k?)
        (?:[a-z]\w{0,6})?:(?P<description>[a-z_0-9]+(?:,[a-z_0-9]+){0,3})(?![\w.:])""",
    re.VERBOSE,
)
_TOKEN = re.compile(r"[0-9]+|[a-z]|_")
_NO_BORDER = 25
"""The run of borders after which, unlike after any other, the next border is not drawn either."""


def _read(match: re.Match[str], kind: Kind) -> Puzzle:
    letters = match["letters"]
    height, width = int(match["columns"]), int(match["rows"] or 1)
    size = height * width
    parts = match["description"].split(",")
    expected = 1 + ("j" in letters) + 2 * ("k" in letters)
    if not 2 <= size <= LARGEST or len(parts) != expected:
        raise unreadable(f"a game ID of Solo with {len(parts)} parts; wanted {expected}")
    numbers = _numbers(parts.pop(0), size)
    givens = [0] * size**2
    for place, number in numbers.items():
        givens[place] = number
    rules: list[Rule] = [Diagonals()] if "x" in letters else []
    boxed = True
    if "j" in letters:
        houses, boxed = houses_of(_shapes(parts.pop(0), size), size)
        rules += houses
    else:
        rules.append(Boxes(height, width))
    if parts:
        cages, sums = _shapes(parts[0], size), _numbers(parts[1], size)
        rules += _cages(cages, sums, size)
    rows = [givens[i : i + size] for i in range(0, size**2, size)]
    return puzzle_of_rules(rows, rules, kind, boxed=boxed)


def _cages(cages: list[Cells], sums: dict[int, int], size: int) -> Iterator[Rule]:
    """Yield the cages, each with the sum that is written in one of its cells."""
    for cells in cages:
        totals = [sums[place] for place in (r * size + c for r, c in cells) if place in sums]
        if len(totals) != 1:
            raise unreadable(f"a game ID of Solo with {len(totals)} sums in the cage {cells[0]}")
        yield Cage(cells, totals[0])


def _tokens(text: str) -> list[str]:
    tokens: list[str] = _TOKEN.findall(text)
    return tokens


def _numbers(text: str, size: int) -> dict[int, int]:
    """Return the number in each place that has one."""
    numbers: dict[int, int] = {}
    place = 0
    for token in _tokens(text):
        if token.isdecimal():
            numbers[place] = int(token[:4])
            place += 1
        elif token != "_":
            place += ord(token) - ord("a") + 1
    if place != size**2:
        raise unreadable(f"a game ID of Solo with {place} cells; wanted {size**2}")
    return numbers


def _shapes(text: str, size: int) -> list[Cells]:
    """Return the shapes into which borders divide the grid.

    The borders between columns come first, row by row, then those between rows, column by column.
    """
    inner = size - 1
    borders = 2 * size * inner
    parent = list(range(size**2))

    def root(place: int) -> int:
        while parent[place] != place:
            place = parent[place]
        return place

    position = 0
    for token in _tokens(text):
        run = 0 if token == "_" else ord(token[0]) - ord("a") + 1
        for border in range(position, min(position + run, borders)):
            line, step = divmod(border % (size * inner), inner)
            is_first = border < size * inner
            place = line * size + step if is_first else step * size + line
            parent[root(place)] = root(place + (1 if is_first else size))
        position += run + (run != _NO_BORDER)
    if position != borders + 1:
        raise unreadable("a game ID of Solo whose borders do not end with the grid")
    return [*cells_by_label(map(root, range(size**2)), size).values()]


FORMAT = declare("solo", pattern=_PATTERN, read=_read)
