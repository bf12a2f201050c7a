"""Nurikabe on any rectangle, and its text forms: one-line texts and grids."""

import re
import reprlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.puzzles.files import half_width
from nando.puzzles.frozen import FrozenText
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError, Status, Values

UNKNOWN = -1
"""Number of an island of unknown size, written ``?``."""
MAX_LINES = 100
"""Most rows, and most columns, of a puzzle."""
LARGEST = MAX_LINES**2
"""Largest number that any board could hold."""

BLACK_SYMBOLS = frozenset("#\u25a0\u2588")
"""Symbols of black cells in a half-shaded text: number signs and printed full squares."""
WHITE_SYMBOLS = frozenset("+oO\u25cb")
"""Symbols of white cells in a half-shaded text: plus signs, as in files of pzpr, and circles."""

Cell = int | None
"""Number of a cell: 0 for none, None for a foreign symbol."""

_EXPECTED = f"wanted 1 to {LARGEST:,}, ? for an unknown size, or a blank (. - _ *)"
_BLANKS = frozenset([".", "-", "_", "*", "", "0"])
_WORD = re.compile(r"[.?_*-]|\d+")
_SYMBOL = re.compile(r"\(\s*(\d+|\?)\s*\)|(.)")
_COMMA = re.compile("[,;\t]")
_BAR = re.compile("[|\u2502\u2503]")
_RULE = re.compile("[+\u2500-\u257f][-=+\\s\u2500-\u257f]*")


def read_rows(text: str) -> list[list[int]]:
    """Return the numbers of each row of a text; PuzzleError lists everything wrong."""
    rows = [row for row in _lines(text) if not _RULE.fullmatch(row)]
    return rows_of_cells(_cells(rows))


def read_shading(text: str) -> tuple[list[list[int]], list[list[str]]]:
    """Return the numbers of each row of a half-shaded text, and the symbols of each row.

    All `BLACK_SYMBOLS` become ``#`` and all `WHITE_SYMBOLS` become ``+``; numbers and blanks are as
    in any text. PuzzleError lists everything wrong.
    """
    # A row of plus signs alone is a row of white cells, not a frame.
    rows = [row for row in _lines(text) if not _RULE.fullmatch(row) or not row.strip("+ ")]
    cells = [["#" if cell in BLACK_SYMBOLS else cell for cell in row] for row in _cells(rows)]
    cells = [["+" if cell in WHITE_SYMBOLS else cell for cell in row] for row in cells]
    numbers = rows_of_cells([["" if cell in "#+" else cell for cell in row] for row in cells])
    return numbers, cells


def _lines(text: str) -> list[str]:
    """Return the lines that are not empty, without bars."""
    text = half_width(text)
    lines = (_BAR.sub(" ", line).strip() for line in re.split(r"[/\n\r]+", text))
    return [line for line in lines if line]


def _cells(rows: Sequence[str]) -> list[list[str]]:
    """Return the words of each row, or symbols where a row is one word."""
    words = [_words(row) for row in rows]
    if all(len(row) == 1 for row in words) and not _is_column(rows):
        return [[_symbol(match) for match in _SYMBOL.finditer(row)] for row in rows]
    return words


def rows_of_cells(rows: Sequence[Sequence[object]]) -> list[list[int]]:
    """Return the numbers of a table of cells; PuzzleError lists everything wrong."""
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping) or not hasattr(row, "__getitem__"):
            message = f"unreadable: row {number} is {reprlib.repr(row)}; wanted a list of cells"
            raise PuzzleError([Fault(FaultKind.UNREADABLE, message)])
    return check([[_number(cell) for cell in row] for row in rows], rows)


def line_of(rows: Iterable[Iterable[int]]) -> str:
    """Return the one-line form, with numbers above 9 in brackets and ``/`` between rows."""
    return "/".join("".join(write_number(number) for number in row) for row in rows)


def check(rows: Sequence[Sequence[Cell]], shown: Sequence[Sequence[object]]) -> list[list[int]]:
    """Return the rows of a board, with 0 for None; PuzzleError lists everything wrong with them.

    `shown` holds the cells as read, to quote foreign symbols.
    """
    faults = []
    widths = [len(row) for row in rows]
    if not rows or max(widths) == 0:
        faults.append(Fault(FaultKind.WRONG_LENGTH, "wrong length: no cells"))
    elif len(rows) > MAX_LINES or max(widths) > MAX_LINES:
        faults.append(_too_large(len(rows), max(widths)))
    if len(set(widths)) > 1:
        usual = max(widths, key=widths.count)
        odd = [i for i, width in enumerate(widths) if width != usual]
        named = ", ".join(f"row {i + 1} has {widths[i]:,}" for i in odd[:5])
        more = f" and {len(odd) - 5} more rows differ" if len(odd) > 5 else ""
        message = f"wrong length: {named}{more}; wanted {usual:,} cells as in most rows"
        faults.append(Fault(FaultKind.WRONG_LENGTH, message))
    foreign = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell is None]
    if foreign:
        named = ", ".join(_name(r, c, shown[r][c]) for r, c in foreign[:5])
        more = f" and {len(foreign) - 5} more" if len(foreign) > 5 else ""
        cells = tuple(r * max(widths) + c for r, c in foreign)
        message = f"foreign symbol: {named}{more}; {_EXPECTED}"
        faults.append(Fault(FaultKind.FOREIGN_SYMBOL, message, cells))
    if faults:
        raise PuzzleError(faults)
    return [[cell or 0 for cell in row] for row in rows]


def _name(row: int, column: int, shown: object) -> str:
    is_printable = isinstance(shown, str | int | float)
    text = repr(shown) if is_printable else f"a {type(shown).__name__}"
    return f"{text if len(text) < 20 else text[:17] + '...'} at r{row + 1}c{column + 1}"


def _too_large(n_rows: int, n_columns: int) -> Fault:
    return Fault(
        FaultKind.WRONG_LENGTH,
        f"wrong length: {n_rows:,} rows of {n_columns:,} cells; at most {MAX_LINES} by {MAX_LINES}",
    )


def _is_column(rows: Sequence[str]) -> bool:
    """Return True if rows of one word are the cells of a single column, not rows of symbols."""
    return len({len(row) for row in rows}) > 1 and all(map(_WORD.fullmatch, rows))


def _words(row: str) -> list[str]:
    """Return the cells of a row that is separated by commas or white space.

    An empty cell between commas becomes the foreign symbol ``empty``, because a table with empty
    cells does not show how wide its empty margins are.
    """
    if _COMMA.search(row):
        return [word.strip() or "empty" for word in _COMMA.split(row)]
    return row.split()


def _symbol(match: re.Match[str]) -> str:
    # As a symbol, a 0 would read as part of a 10; as a word it is a blank.
    return match[1] or ("(0)" if match[2] == "0" else match[2])


def _number(word: object) -> Cell:
    """Return the number of a word, or of an item of a JSON list."""
    if word is None:
        return 0
    if isinstance(word, bool) or not isinstance(word, int | str):
        return None
    word = str(word).strip()
    if word in _BLANKS:
        return 0
    if word in ("?", "-1"):
        return UNKNOWN
    # int() accepts digits of all scripts, and is slow for thousands of digits.
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        return None
    return int(word) if 0 < int(word) <= LARGEST else None


def write_number(number: int) -> str:
    """Return the symbol of a cell in the one-line form."""
    if number == 0:
        return "."
    if number == UNKNOWN:
        return "?"
    return str(number) if number < 10 else f"({number})"


WHITE = 1
"""Value of a cell of an island."""
BLACK = 2
"""Value of a cell of the river."""


class Nurikabe(FrozenText):
    """A Nurikabe, identified by its one-line text.

    An island is a group of white cells joined by their sides. Every island has exactly one numbered
    cell, and its number is the number of its cells. The black cells form one river, joined by their
    sides, that contains no 2x2 block. A board without black cells breaks none of these rules.

    Parameters
    ----------
    text : str
        Rows separated by ``/``, with one symbol per cell: ``.`` for a cell without a number, a
        digit, a larger number in brackets as in ``(12)``, or ``?`` for an island of unknown size.
        :meth:`parse` describes the other forms that are read.

    Raises
    ------
    PuzzleError
        If rows differ in length, hold foreign symbols, or number or measure more than 100. The
        message lists everything wrong.

    Examples
    --------
    >>> puzzle = Nurikabe("2..../...3./...../.2.../....2")
    >>> puzzle.shape, puzzle.n_islands, puzzle.status().valid
    ((5, 5), 4, True)
    """

    kind: ClassVar[str] = "nurikabe"

    def __init__(self, text: str) -> None:
        self._settle(read_rows(text))

    def _settle(self, rows: list[list[int]]) -> None:
        numbers = np.array(rows, np.int16)
        givens = np.where(numbers != 0, WHITE, 0).astype(np.int8).ravel()
        fill = self.__dict__
        fill["text"] = line_of(rows)
        fill["shape"] = numbers.shape
        fill["numbers"] = numbers.ravel()
        fill["givens"] = givens
        for array in (fill["numbers"], givens):
            array.setflags(write=False)

    text: str
    """The one-line form, with rows separated by ``/``."""
    shape: tuple[int, int]
    """Rows and columns, each 1 to 100."""
    numbers: NDArray[np.int16]
    """Number of each cell, shape ``(n_cells,)``, read-only; 0 for none, -1 for an
    unknown size."""
    givens: Values
    """Known values, shape ``(n_cells,)``, int8, read-only: 1 (white) for a cell with a number, 0
    elsewhere. The values of a solution are 1 for white and 2 for black."""

    @classmethod
    def parse(cls, text: str) -> Self:
        r"""Read one puzzle in any of the text forms.

        Rows are separated by ``/`` or stand on lines of their own. Cells may be separated by white
        space; then numbers need no brackets. A blank is any of ``. - _ *``, or 0 among cells that
        are separated. A frame may be drawn with ``| + -``.
        :func:`nando.puzzles.read_puzzle` reads links and files of other programs.

        Raises
        ------
        PuzzleError
            Lists everything wrong with the text.

        Examples
        --------
        >>> Nurikabe.parse("2 . .\n. . 12").text
        '2../..(12)'
        """
        return cls(text)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[object]]) -> Self:
        """Return the Nurikabe of a table of cells, as other programs store it.

        Parameters
        ----------
        rows : sequence of sequences
            Numbers, or their digits; -1 or ``?`` for an unknown size; 0, None, the empty text and
            ``. - _ *`` for a cell without a number.

        Raises
        ------
        PuzzleError
            Lists everything wrong with the table.
        """
        self = cls.__new__(cls)
        self._settle(rows_of_cells(rows))
        return self

    @classmethod
    def is_whole(cls, line: str) -> bool:
        """Return True if a line has all rows, separated by ``/``."""
        return "/" in line

    @classmethod
    def from_numbers(cls, numbers: ArrayLike) -> Self:
        """Return the Nurikabe of a table of numbers.

        Parameters
        ----------
        numbers : array_like of int, shape (rows, columns)
            0 where a cell has no number, -1 where the size of the island is unknown.

        Raises
        ------
        TypeError
            If the numbers are not integers.
        ValueError
            If the table is not two-dimensional.
        PuzzleError
            If it is too large or holds other numbers.
        """
        array = np.asarray(numbers)
        if array.dtype.kind not in "iu":
            raise TypeError(f"numbers must be integers, got {array.dtype}")
        if array.ndim != 2:
            raise ValueError(f"numbers must have 2 dimensions, got {array.ndim}")
        shown = array.tolist()
        rows = [[n if UNKNOWN <= n <= LARGEST else None for n in row] for row in shown]
        self = cls.__new__(cls)
        self._settle(check(rows, shown))
        return self

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return self.shape[0] * self.shape[1]

    @property
    def n_islands(self) -> int:
        """Number of islands, of known and of unknown size."""
        return int(np.count_nonzero(self.numbers))

    @property
    def n_white(self) -> int | None:
        """Number of white cells of every solution; None if an island is of unknown size."""
        if (self.numbers == UNKNOWN).any():
            return None
        return int(self.numbers.sum(dtype=np.int64))

    def status(self) -> Status:
        """Return the faults that follow from the rules without solving the puzzle.

        These are numbers that touch, islands without enough room, numbers that add up to too few or
        too many white cells, and a board without any number. :func:`nando.solvers.status` also
        checks that there is exactly one solution.
        """
        return Status((*self._find_touching(), *self._find_cramped(), *self._find_unbalanced()))

    def _find_touching(self) -> Iterator[Fault]:
        for cell in np.flatnonzero(self.numbers).tolist():
            for other in self._neighbours(cell):
                if other > cell and self.numbers[other]:
                    yield Fault(
                        FaultKind.CONFLICTING_GIVENS,
                        f"conflicting givens: {self._name(cell)} touches {self._name(other)}",
                        (cell, other),
                    )

    def _find_cramped(self) -> Iterator[Fault]:
        for cell in np.flatnonzero(self.numbers > 0).tolist():
            number = int(self.numbers[cell])
            room = self._room(cell, number)
            if room < number:
                message = f"no solution: the island of {self._name(cell)} has room for {room:,}"
                yield Fault(FaultKind.NO_SOLUTION, message, (cell,))

    def _room(self, start: int, most: int) -> int:
        """Return the number of cells that the island at `start` could reach, at most `most`."""
        seen = {start}
        queue = deque(seen)
        while queue and len(seen) < most:
            for cell in self._neighbours(queue.popleft()):
                if cell not in seen and not self._is_near_another(cell, start):
                    seen.add(cell)
                    queue.append(cell)
        return min(len(seen), most)

    def _is_near_another(self, cell: int, start: int) -> bool:
        """Return True if `cell` is, or touches, a number other than that at `start`."""
        near = (cell, *self._neighbours(cell))
        return any(self.numbers[other] and other != start for other in near)

    def _find_unbalanced(self) -> Iterator[Fault]:
        """Yield faults of numbers whose sum no board of this shape allows.

        Each of several disjoint 2x2 blocks needs a white cell. Of several islands, each touches the
        river at a cell of its own, and b connected black cells have at most 2b + 2 neighbours.
        """
        n_rows, n_columns = self.shape
        blocks = (n_rows // 2) * (n_columns // 2)
        islands = self.n_islands
        least_black = max(1, (islands - 1) // 2) if islands > 1 else 0
        unknown = int(np.count_nonzero(self.numbers == UNKNOWN))
        total = int(self.numbers[self.numbers > 0].sum(dtype=np.int64)) + unknown
        if islands == 0 and blocks:
            yield Fault(
                FaultKind.NO_SOLUTION,
                "no solution: there is no number, and an all-black board has 2x2 blocks",
            )
        elif total < blocks and not unknown:
            yield Fault(
                FaultKind.NO_SOLUTION,
                f"no solution: the numbers add up to {total:,} white cells; "
                f"{blocks:,} 2x2 blocks side by side need one each",
            )
        if total + least_black > self.n_cells:
            yield Fault(
                FaultKind.NO_SOLUTION,
                f"no solution: the islands have at least {total:,} cells and the river between "
                f"them {least_black:,}; the board has {self.n_cells:,}",
            )

    def _neighbours(self, cell: int) -> Iterator[int]:
        n_rows, n_columns = self.shape
        row, column = divmod(cell, n_columns)
        if row > 0:
            yield cell - n_columns
        if column > 0:
            yield cell - 1
        if column < n_columns - 1:
            yield cell + 1
        if row < n_rows - 1:
            yield cell + n_columns

    def _name(self, cell: int) -> str:
        number = int(self.numbers[cell])
        return f"{'?' if number == UNKNOWN else format(number, ',')} at {self.cell_name(cell)}"

    def is_solution(self, values: Values) -> bool:
        """Return True if `values`, shape ``(n_cells,)``, 1 white and 2 black, are a solution."""
        values = np.asarray(values)
        if not self._keeps_givens(values) or not np.isin(values, (WHITE, BLACK)).all():
            return False
        black = values.reshape(self.shape) == BLACK
        if (black[1:, 1:] & black[1:, :-1] & black[:-1, 1:] & black[:-1, :-1]).any():
            return False
        colours = values.tolist()
        numbers = self.numbers.tolist()
        seen: set[int] = set()
        rivers = 0
        for cell, colour in enumerate(colours):
            if cell in seen:
                continue
            part = self._part(cell, colours)
            seen |= part
            if colour == BLACK:
                rivers += 1
            elif [numbers[c] for c in part if numbers[c]] not in ([UNKNOWN], [len(part)]):
                return False
        return rivers <= 1

    def _part(self, start: int, colours: list[int]) -> set[int]:
        """Return the connected cells of one colour around `start`."""
        part = {start}
        queue = [start]
        while queue:
            for cell in self._neighbours(queue.pop()):
                if cell not in part and colours[cell] == colours[start]:
                    part.add(cell)
                    queue.append(cell)
        return part

    def solution_text(self, values: Values) -> str:
        """Return `values` as one line: ``o`` for white, ``x`` for black, ``/`` between rows.

        Examples
        --------
        >>> Nurikabe("2../...").solution_text([1, 1, 2, 2, 2, 2])
        'oox/xxx'
        """
        n_columns = self.shape[1]
        symbols = "".join(".ox"[value] for value in np.asarray(values).tolist())
        return "/".join(symbols[i : i + n_columns] for i in range(0, self.n_cells, n_columns))

    def solution_values(self, text: str) -> Values:
        """Return the values of a line as `solution_text` writes it, with 0 for ``.``, an open cell.

        Raises
        ------
        PuzzleError
            If the line has other rows than the puzzle, or foreign symbols.
        """
        rows = text.split("/")
        faults = []
        if [len(row) for row in rows] != [self.shape[1]] * self.shape[0]:
            message = f"wrong length: a solution has {self.shape[0]} rows of {self.shape[1]} cells"
            faults.append(Fault(FaultKind.WRONG_LENGTH, message))
        values = np.array([".ox".find(symbol) for row in rows for symbol in row], np.int8)
        if (values < 0).any():
            message = "foreign symbol: a solution has o for islands, x for the river"
            faults.append(Fault(FaultKind.FOREIGN_SYMBOL, message))
        if faults:
            raise PuzzleError(faults)
        return values

    def grid(self, values: Values | None = None) -> str:
        """Return a readable grid: numbers, ``#`` for black, ``o`` for white, ``.`` for open cells.

        `values` defaults to the givens.
        """
        n_rows, n_columns = self.shape
        values = self.givens if values is None else np.asarray(values)
        # In a single column, brackets distinguish a 12 from a 1 and a 2.
        numbered = write_number if n_columns == 1 else str
        words = [
            numbered(number) if number > 0 else "?" if number == UNKNOWN else ".o#"[value]
            for number, value in zip(self.numbers.tolist(), values.tolist(), strict=True)
        ]
        width = max(map(len, words))
        rows = [words[row * n_columns : (row + 1) * n_columns] for row in range(n_rows)]
        return "\n".join(" ".join(word.rjust(width) for word in row) for row in rows)

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return the puzzle rotated and mirrored, in one of the 8 ways at random.

        A quarter turn swaps the rows and columns of the shape.
        """
        grid = self.numbers.reshape(self.shape)
        return type(self).from_numbers(_images(grid)[rng.integers(8)])

    def equivalence_key(self) -> str:
        """Return the smallest text of the 8 rotated and mirrored puzzles.

        Two puzzles have the same key if and only if they are equivalent.
        """
        grid = self.numbers.reshape(self.shape)
        return min(line_of(image.tolist()) for image in _images(grid))

    def equivalence_hash(self) -> int:
        """Return a hash shared by the 8 rotated and mirrored puzzles.

        It depends on each number and its distances to the nearest corner.
        """
        return self._equivalence_hash

    @cached_property
    def _equivalence_hash(self) -> int:
        sides = self.shape
        seen = []
        for cell in np.flatnonzero(self.numbers).tolist():
            place = divmod(cell, sides[1])
            near = sorted(
                (side, min(line, side - 1 - line)) for side, line in zip(sides, place, strict=True)
            )
            seen.append((int(self.numbers[cell]), *near))
        return hash((*sorted(sides), *sorted(seen)))


def _images(grid: NDArray[np.int16]) -> list[NDArray[np.int16]]:
    """Return the 8 rotated and mirrored tables."""
    return [np.rot90(side, turns) for side in (grid, grid.T) for turns in range(4)]
