"""Cells, and the board that they form: one grid, or several that overlap."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

LARGEST = 25
"""Most digits of a board."""

MOST_CELLS = 4_000
"""Most cells of a board of several grids."""

EDGES = ("left", "right", "top", "bottom")
"""The sides of a board, from which its rows and columns are read."""

SYMBOLS_OF_VALUES = "0123456789ABCDEFGHIJKLMNOP"
"""Symbols of the values that digits stand for."""

_BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 15: (3, 5)}
_BOXES |= {16: (4, 4), 18: (3, 6), 20: (4, 5), 25: (5, 5)}

_CELLS = re.compile(r"(?:r[0-9]{1,3}c[0-9]{1,3})+")
_CELL = re.compile(r"r([0-9]+)c([0-9]+)")
_LINE = re.compile(f"({'|'.join(EDGES)})([0-9]{{1,3}})")


class Cell(NamedTuple):
    """A cell; `row` and `column` count from 0, its text ``r1c1`` from 1."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"r{self.row + 1}c{self.column + 1}"


Cells = tuple[Cell, ...]
"""Cells in a given order."""

ONE_GRID: Cells = (Cell(0, 0),)
"""The upper left cell of the only grid."""


class Line(NamedTuple):
    """A row or column as read from a side of the board; `number` counts from 1.

    ``left3`` is the third row from left to right, ``bottom1`` the first column upwards.
    """

    edge: str
    number: int

    def __str__(self) -> str:
        return f"{self.edge}{self.number}"


def box_shape(digits: int) -> tuple[int, int] | None:
    """Return the usual height and width of a box, or None for a size that has no usual boxes."""
    return _BOXES.get(digits)


def read_cells(text: str) -> Cells:
    """Return the cells of a text, for example ``r1c1r1c2``.

    Raises
    ------
    ValueError
        If the text is anything else.
    """
    if not _CELLS.fullmatch(text):
        raise ValueError(f"cells must be written as r1c1r1c2, got {text[:40]!r}")
    return tuple(Cell(int(row) - 1, int(column) - 1) for row, column in _CELL.findall(text))


def cells_text(cells: Iterable[Cell]) -> str:
    """Return the text of cells, as `read_cells` reads it."""
    return "".join(map(str, cells))


def cells_by_label(labels: Iterable[Any], n_columns: int) -> dict[Any, Cells]:
    """Return the cells with each label, in row-major order, by the label of each cell."""
    groups: dict[Any, Cells] = {}
    for place, label in enumerate(labels):
        groups[label] = (*groups.get(label, ()), Cell(*divmod(place, n_columns)))
    return groups


def read_line(text: str) -> Line:
    """Return the line of a text, for example ``left3``.

    Raises
    ------
    ValueError
        If the text is anything else.
    """
    match = _LINE.fullmatch(text)
    if match is None:
        raise ValueError(
            f"a line must be a side and a number, for example left3 or top1, got {text[:40]!r}"
        )
    return Line(match[1], int(match[2]))


@dataclass(frozen=True)
class Board:
    """The cells of a variant.

    Parameters
    ----------
    digits : int
        The number of digits, which solvers number from 1.
    corners : tuple of Cell
        Upper left cell of each grid. Grids may overlap.
    regions : tuple of Cells
        The boxes or jigsaw regions, each in row-major order; empty where rows and columns are the
        only houses. A variant takes them from its rules.
    lowest : {1, 0}
        The value that the first digit stands for. Rules see values only; the constraints that they
        yield, and all that follows from these, see digits from 1.
    absent : int
        The number of digits that a row lacks: every grid has ``digits - absent`` rows and columns.

    Raises
    ------
    ValueError
        If there are fewer than 1 or more than 25 digits, no grid, no or too many cells, or another
        lowest value.
    """

    digits: int
    corners: Cells = ONE_GRID
    regions: tuple[Cells, ...] = field(default=(), hash=False, repr=False)  # too long to hash often
    lowest: int = 1
    absent: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.digits <= LARGEST:
            raise ValueError(f"a grid must have 1 to {LARGEST} digits, got {self.digits}")
        if not 0 <= self.absent < self.digits:
            raise ValueError(f"a grid must have 1 to {self.digits} cells in a row, got {self.size}")
        if self.lowest not in (0, 1):
            raise ValueError(f"the digits of a grid begin with 0 or 1, got {self.lowest}")
        if not self.corners or min(min(corner) for corner in self.corners) < 0:
            raise ValueError("a board needs the upper left cell of at least one grid")
        if self.n_rows * self.n_columns > MOST_CELLS:
            raise ValueError(
                f"a board must have at most {MOST_CELLS:,} cells, got "
                f"{self.n_rows:,} rows of {self.n_columns:,}"
            )

    @property
    def size(self) -> int:
        """Number of rows, and of columns, of a grid."""
        return self.digits - self.absent

    @property
    def values(self) -> range:
        """What the digits stand for: those from 1, or from 0."""
        return range(self.lowest, self.lowest + self.digits)

    def grid_of(self, digits: Iterable[int]) -> dict[Cell, int]:
        """Return what the digit of each cell stands for."""
        return {
            cell: self.values[digit - 1] for cell, digit in zip(self.cells, digits, strict=True)
        }

    @property
    def has_usual_digits(self) -> bool:
        """True if the digits are 1 to the size."""
        return self.lowest == 1 and not self.absent

    @property
    def symbols(self) -> str:
        """A dot for a blank, then the symbol of each digit."""
        return "." + SYMBOLS_OF_VALUES[self.lowest : self.lowest + self.digits]

    @cached_property
    def n_rows(self) -> int:
        """Rows of the rectangle around all grids."""
        return max(corner.row for corner in self.corners) + self.size

    @cached_property
    def n_columns(self) -> int:
        """Columns of the rectangle around all grids."""
        return max(corner.column for corner in self.corners) + self.size

    @cached_property
    def cells(self) -> Cells:
        """All cells in row-major order. Places of the rectangle outside every grid are no cells."""
        return _cells_of(self)

    @cached_property
    def number_of(self) -> dict[Cell, int]:
        """Index of each cell in `cells`. Equal boards share the dictionary; do not change it."""
        return _numbers_of(self)

    def places(self, cells: Iterable[Cell]) -> list[int]:
        """Return the place of each cell among all values, row by row."""
        return [cell.row * self.n_columns + cell.column for cell in cells]

    @property
    def is_single(self) -> bool:
        """True if the board is one grid."""
        return len(self.corners) == 1

    @cached_property
    def box(self) -> tuple[int, int] | None:
        """Height and width of a box; those of the usual box unless regions are equal rectangles."""
        shapes = set(map(_rectangle, self.regions))
        shape = shapes.pop() if len(shapes) == 1 else None
        return shape or box_shape(self.size)

    def regions_of(self, cell: Cell) -> frozenset[int]:
        """Return the numbers of the regions that hold a cell, several where grids overlap."""
        return self._regions_at.get(cell, frozenset())

    @cached_property
    def _regions_at(self) -> dict[Cell, frozenset[int]]:
        numbers_of: dict[Cell, set[int]] = {}
        for number, region in enumerate(self.regions):
            for cell in region:
                numbers_of.setdefault(cell, set()).add(number)
        return {cell: frozenset(numbers) for cell, numbers in numbers_of.items()}

    def lines(self) -> Iterator[Cells]:
        """Yield the rows, then the columns, of each grid."""
        n = range(self.size)
        for row, column in self.corners:
            yield from (tuple(Cell(row + i, column + j) for j in n) for i in n)
            yield from (tuple(Cell(row + i, column + j) for i in n) for j in n)

    def views(self, edges: Iterable[str] = EDGES) -> Iterator[Line]:
        """Yield the rows and columns of a board of one grid, as read from these sides."""
        for edge in edges:
            yield from (Line(edge, number + 1) for number in range(self.size))

    def line(self, line: Line) -> Cells:
        """Return the cells of a row or column of a board of one grid, as read from its side."""
        n, i = range(self.size), line.number - 1
        across = line.edge in ("left", "right")
        cells = tuple(Cell(i, j) if across else Cell(j, i) for j in n)
        return cells if line.edge in ("left", "top") else cells[::-1]

    def around(self, cell: Cell, moves: Iterable[tuple[int, int]]) -> Iterator[Cell]:
        """Yield the cells of the board that are these moves (rows, columns) away from a cell."""
        for down, right in moves:
            other = Cell(cell.row + down, cell.column + right)
            if other in self.number_of:
                yield other

    def adjacent_pairs(self) -> Iterator[tuple[Cell, Cell]]:
        """Yield each pair of cells that share an edge, once."""
        for cell in self.cells:
            for other in self.around(cell, ((0, 1), (1, 0))):
                yield cell, other


def _rectangle(region: Cells) -> tuple[int, int] | None:
    """Return the height and width of a region; None if it is no rectangle."""
    (top, left), (bottom, right) = region[0], region[-1]
    height, width = bottom - top + 1, right - left + 1
    whole = tuple(Cell(top + i, left + j) for i in range(height) for j in range(width))
    return (height, width) if region == whole else None


@lru_cache(maxsize=64)
def _cells_of(board: Board) -> Cells:
    n = range(board.size)
    return tuple(sorted({Cell(r + i, c + j) for r, c in board.corners for i in n for j in n}))


@lru_cache(maxsize=64)
def _numbers_of(board: Board) -> dict[Cell, int]:
    return {cell: number for number, cell in enumerate(board.cells)}
