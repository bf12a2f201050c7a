"""Sudoku of order 3 (9x9), 4 (16x16) and 5 (25x25)."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.puzzles.files import half_width, shortened
from nando.puzzles.frozen import FrozenText
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError, Status, Values
from nando.puzzles.sudoku.layout import (
    ORDERS,
    SudokuLayout,
    colour_sum,
    colour_sums,
    shuffled_lines,
    sudoku_layout,
)
from nando.puzzles.sudoku.minlex import minlex
from nando.puzzles.sudoku.rows import cells_of, whole_puzzle

BLANK = "."
SYMBOLS = BLANK + "123456789ABCDEFGHIJKLMNOP"
"""Symbol of each value; 0 is the blank. Orders 4 and 5 continue with letters after 9."""

_LENGTHS = {order**4: order for order in ORDERS}
_SYMBOL_OF = SYMBOLS.encode().ljust(256)
_VALUE_OF = {symbol: value for value, symbol in enumerate(SYMBOLS)}
_VALUE_OF |= {symbol.lower(): value for symbol, value in _VALUE_OF.items()}
_VALUE_OF |= dict.fromkeys("0_*-", 0)
_VALUE_OF_BYTE = bytes(_VALUE_OF.get(chr(byte), 0xFF) for byte in range(256))
"""Value of each byte of a text in Latin-1; 0xFF (-1 as int8) for a foreign symbol, as ``?``."""
_VALUE_OF["?"] = 0
_FOREIGN = 1_000
"""Integers above this are foreign in every order."""
_SPACE = re.compile(r"\s")
_FRAME = re.compile("--+|[|+\u2502\u2503\u2500\u253c]")
"""Parts of a frame; a single ``-`` is not one, because it may be the sign of -1, a blank."""


class Sudoku(FrozenText):
    """A Sudoku, identified by its one-line text.

    Parameters
    ----------
    text : str
        81, 256 or 625 symbols in row-major order: the digits 1 to 9, then letters from ``A`` (to
        ``G`` for order 4, to ``P`` for order 5). A blank is any of ``. 0 _ * - ?``. White space is
        ignored.

    Raises
    ------
    PuzzleError
        If the text has another length or foreign symbols; the message lists both.

    Examples
    --------
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> puzzle.order, puzzle.n_givens, puzzle.status().valid
    (3, 30, True)
    """

    kind: ClassVar[str] = "sudoku"
    symbols: ClassVar[str] = SYMBOLS
    """A dot for a blank, then the symbol of each digit."""

    def __init__(self, text: str) -> None:
        symbols = half_width("".join(text.split()))
        values = _values_of_symbols(symbols)
        self._settle(values)

    def _settle(self, values: Values) -> None:
        values.setflags(write=False)
        fill = self.__dict__
        fill["givens"] = values
        fill["order"] = _LENGTHS[len(values)]
        fill["text"] = text_of(values)

    text: str
    """The one-line form, with blanks as ``.``."""
    order: int
    """n of the n*n by n*n grid: 3, 4 or 5."""
    givens: Values
    """Given values, shape ``(n_cells,)``, int8, read-only; 0 where blank."""

    @classmethod
    def from_values(cls, values: ArrayLike) -> Self:
        """Return the Sudoku of an array of values, with 0 or -1 where blank.

        Parameters
        ----------
        values : array_like of int, any shape with 81, 256 or 625 items

        Raises
        ------
        PuzzleError
            If the number of items fits no order, or a value is outside 0..size.
        """
        array = np.asarray(values)
        if array.dtype.kind not in "iu":
            raise TypeError(f"values must be integers, got {array.dtype}")
        array = array.ravel()
        faults = []
        if array.size not in _LENGTHS:
            faults.append(_wrong_length(array.size))
        largest = _LENGTHS.get(array.size, max(ORDERS)) ** 2
        foreign = np.flatnonzero((array < -1) | (array > largest))
        if foreign.size:
            expected = f"1 to {largest}, 0 for a blank"
            faults.append(_foreign("value", array.tolist(), foreign.tolist(), expected))
        if faults:
            raise PuzzleError(faults)
        self = cls.__new__(cls)
        self._settle(np.maximum(array, 0).astype(np.int8))
        return self

    @classmethod
    def from_table(cls, values: NDArray[np.int8], *, hashed: bool = True) -> list[Self]:
        """Return the Sudokus of the rows of a table, five times as fast as one by one.

        Parameters
        ----------
        values : ndarray of int8, shape (n, n_cells)
            0 where blank.
        hashed : bool
            Compute their equivalence hashes too.

        Raises
        ------
        PuzzleError
            If the length of a row fits no order, or a value is outside 0..size.
        """
        if not len(values):
            return []
        order = _LENGTHS.get(values.shape[1])
        if order is None or values.min() < 0 or values.max() > order**2:
            return [cls.from_values(row) for row in values]
        values = np.ascontiguousarray(values)
        values.setflags(write=False)
        symbols = values.tobytes().translate(_SYMBOL_OF).decode()
        width = values.shape[1]
        puzzles = []
        for i, row in enumerate(values):
            puzzle = cls.__new__(cls)
            fill = puzzle.__dict__
            fill["givens"] = row
            fill["order"] = order
            fill["text"] = symbols[i * width : (i + 1) * width]
            puzzles.append(puzzle)
        if hashed:
            hashes = np.zeros(len(values), np.int64)
            colour_sums(values, sudoku_layout(order), hashes)
            for puzzle, number in zip(puzzles, hashes.tolist(), strict=True):
                puzzle.__dict__["_equivalence_hash"] = number
        return puzzles

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[object]]) -> Self:
        """Return the Sudoku of a table of cells, as other programs store it.

        Parameters
        ----------
        rows : sequence of sequences
            9, 16 or 25 rows, each with as many cells: integers, or symbols as in the text. 0, -1,
            None and the empty text are blanks.

        Raises
        ------
        PuzzleError
            Lists everything wrong with the table.

        Examples
        --------
        >>> rows = [[5, None, "3"] + [0] * 6] + [[0] * 9] * 8
        >>> Sudoku.from_rows(rows).text[:9]
        '5.3......'
        """
        size = len(rows)
        odd = [(i + 1, len(row)) for i, row in enumerate(rows) if len(row) != size]
        if odd or size**2 not in _LENGTHS:
            widths = f"row {odd[0][0]} has {odd[0][1]:,}" if odd else f"{size:,} each"
            message = f"wrong length: {size:,} rows of cells, {widths}; wanted 9x9, 16x16 or 25x25"
            raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
        cells = [cell for row in rows for cell in row]
        return cls.from_values([_value_of_cell(cell, i) for i, cell in enumerate(cells)])

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one puzzle in any of the text forms.

        The text is a line of 81, 256 or 625 symbols, a grid of lines that may have a frame drawn
        with ``| + -``, or integers separated by white space, with 0 or -1 for a blank.

        Raises
        ------
        PuzzleError
            Lists everything wrong with the text.
        """
        if len(line := text.strip()) in _LENGTHS and not _SPACE.search(line):
            return cls(line)  # a dash is a blank, not a part of a frame
        words = _FRAME.sub(" ", text).split()
        if len(words) in _LENGTHS and 1 < max(map(len, words)) < 10:
            try:
                return cls.from_values([0 if word in "._*-?" else int(word) for word in words])
            except ValueError as error:
                if isinstance(error, PuzzleError):
                    raise
        return cls("".join(words))

    @classmethod
    def is_whole(cls, line: str) -> bool:
        """Return True if a line holds a complete puzzle of any order."""
        return whole_puzzle(line, cells_of(line)) is not None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.size, self.size

    @property
    def size(self) -> int:
        """Number of rows, of columns and of values: the order squared."""
        return self.order**2

    @property
    def layout(self) -> SudokuLayout:
        """Houses and peers for kernels."""
        return sudoku_layout(self.order)

    def status(self) -> Status:
        """Return the conflicts among the givens.

        :func:`nando.solvers.status` also checks that there is exactly one solution.
        """
        return Status(tuple(self._conflicts()))

    def _conflicts(self) -> list[Fault]:
        size = self.size
        # One bit per value, none for a blank: if no value occurs twice, the sum equals the union.
        bits = (1 << self.givens.astype(np.int64) >> 1)[self.layout.houses]
        if (np.add.reduce(bits, axis=1) == np.bitwise_or.reduce(bits, axis=1)).all():
            return []
        names = [f"{kind} {i + 1}" for kind in ("row", "column", "box") for i in range(size)]
        clashes: dict[tuple[int, ...], list[str]] = {}
        for name, house in zip(names, self.layout.houses, strict=True):
            values = self.givens[house]
            for value in np.flatnonzero(np.bincount(values, minlength=size + 1) > 1):
                if value:
                    cells = tuple(house[values == value].tolist())
                    clashes.setdefault(cells, []).append(name)
        return [
            Fault(
                FaultKind.CONFLICTING_GIVENS,
                f"conflicting givens: {SYMBOLS[self.givens[cells[0]]]} at "
                f"{' and '.join(self.cell_name(cell) for cell in cells)} ({', '.join(houses)})",
                cells,
            )
            for cells, houses in clashes.items()
        ]

    def is_solution(self, values: Values) -> bool:
        """Return True if `values`, shape ``(n_cells,)``, are a solution."""
        values = np.asarray(values)
        if not self._keeps_givens(values):
            return False
        every_digit = np.arange(1, self.size + 1)
        return bool((np.sort(values[self.layout.houses], axis=1) == every_digit).all())

    def solution_text(self, values: Values) -> str:
        """Return `values` as one line of symbols, as in the text of a Sudoku."""
        return "".join(SYMBOLS[value] for value in np.asarray(values).tolist())

    def solution_values(self, text: str) -> Values:
        """Return the values of a line as `solution_text` writes it, with 0 for blanks.

        Raises
        ------
        PuzzleError
            If the line has another length than the puzzle, or foreign symbols.
        """
        if len(text) != self.givens.size:
            raise PuzzleError([_wrong_length(len(text))])
        return _values_of_symbols(text)

    def grid(self, values: Values | None = None) -> str:
        """Return a readable grid with lines between the boxes; `values` defaults to the givens."""
        symbols = [SYMBOLS[value] for value in (self.givens if values is None else values)]
        n, size = self.order, self.size
        rule = "+".join(["-" * (2 * n + 1)] * n)[1:-1]
        lines = []
        for row in range(size):
            if row and row % n == 0:
                lines.append(rule)
            line = symbols[row * size : (row + 1) * size]
            lines.append(" | ".join(" ".join(line[i : i + n]) for i in range(0, size, n)))
        return "\n".join(lines)

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return an equivalent puzzle.

        The puzzle is transposed or not, its lines and bands are permuted, and its digits are
        relabelled. Every symmetry (2 * 9! * 6^8 for order 3) is equally likely.
        """
        grid = np.asarray(self.givens).reshape(self.shape)
        if rng.random() < 0.5:
            grid = grid.T
        grid = grid[shuffled_lines(self.order, rng)][:, shuffled_lines(self.order, rng)]
        relabel = np.concatenate([[0], 1 + rng.permutation(self.size)])
        return type(self).from_values(relabel[grid])

    def equivalence_key(self) -> str:
        """Return a text shared by all equivalent puzzles.

        For order 3 this is the minlex form, the smallest line of all equivalent puzzles, so puzzles
        with the same key *are* equivalent. For orders 4 and 5 it is a hash that does not change
        under the symmetries; other puzzles could share it, but none are known to.
        """
        if self.order == 3:
            return text_of(minlex(self.givens))
        return f"{self.order}:{self.equivalence_hash():016x}"

    def equivalence_hash(self) -> int:
        """Return a hash shared by all equivalent puzzles; it is faster than the key."""
        return self._equivalence_hash

    @cached_property
    def _equivalence_hash(self) -> int:
        return int(colour_sum(self.givens, self.layout))


def _wrong_length(length: int) -> Fault:
    return Fault(
        FaultKind.WRONG_LENGTH,
        f"wrong length: {length:,} symbols; wanted 81 (9x9), 256 (16x16) or 625 (25x25)",
    )


def _foreign(noun: str, items: Sequence[Any], places: list[int], expected: str) -> Fault:
    """Return the fault of items that no Sudoku has; its message shows the first five."""
    shown = ", ".join(f"{items[i]!r} at position {i + 1}" for i in places[:5])
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    message = f"foreign {noun}: {shown}{more}; wanted {expected}"
    return Fault(FaultKind.FOREIGN_SYMBOL, message, tuple(places))


def _value_of_cell(cell: object, place: int) -> int:
    """Return the value of a cell of a table, 0 where blank."""
    if cell is None or cell == "":
        return 0
    if isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) <= _FOREIGN:
        return cell
    word = cell.strip() if isinstance(cell, str) else ""
    if word in _VALUE_OF:
        return _VALUE_OF[word]
    if len(word) == 2 and word.isascii() and word.isdigit():
        return int(word)
    shown = repr(cell) if isinstance(cell, str | float | int) else f"a {type(cell).__name__}"
    message = f"foreign symbol: {shortened(shown, 20)} at position {place + 1}; wanted integers"
    raise PuzzleError([Fault(FaultKind.FOREIGN_SYMBOL, message, (place,))])


def _values_of_symbols(symbols: str) -> Values:
    faults = []
    order = _LENGTHS.get(len(symbols))
    if order is None:
        faults.append(_wrong_length(len(symbols)))
    largest = (order or max(ORDERS)) ** 2
    # A text of absurd length is rejected without checking its symbols.
    checked = symbols[: max(_LENGTHS)]
    encoded = checked.replace("?", BLANK).encode("latin-1", "replace").translate(_VALUE_OF_BYTE)
    values = np.frombuffer(encoded, np.int8).copy()
    foreign = np.flatnonzero((values < 0) | (values > largest)).tolist()
    if foreign:
        expected = f"1 to {SYMBOLS[largest]}, or a blank (. 0 _ * - ?)"
        faults.append(_foreign("symbol", symbols, foreign, expected))
    if faults:
        raise PuzzleError(faults)
    return values


def text_of(values: Values) -> str:
    """Return the one-line form of values, int8, from 0 to the size."""
    return values.tobytes().translate(_SYMBOL_OF).decode()


def grids_of(texts: Sequence[str]) -> Values:
    """Return the values of valid one-line texts of the same length, one row per text."""
    encoded = "".join(texts).encode().translate(_VALUE_OF_BYTE)
    return np.frombuffer(encoded, np.int8).reshape(len(texts), -1)
