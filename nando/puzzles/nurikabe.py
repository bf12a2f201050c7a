"""Nurikabe on any rectangle."""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.puzzles.frozen import FrozenText
from nando.puzzles.nurikabe_text import (
    LARGEST,
    UNKNOWN,
    check,
    line_of,
    read_rows,
    rows_of_cells,
    write_number,
)
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError, Status, Values

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
