"""Marked cells: odd, even, low, high, extremes, indexing, candidates, clones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Self

from nando.puzzles.boards import constraints
from nando.puzzles.boards.board import Board, Cell, Cells, Line
from nando.puzzles.boards.rule import CellsRule, Grid, Relabelling, Rule

ADJACENT = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Moves to the cells that share an edge."""


@dataclass(frozen=True)
class _Marked(CellsRule):
    """Marked cells; a subclass says which digits they hold."""

    def fits(self, board: Board, digit: int) -> bool:
        """Return True if a marked cell may hold the digit."""
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the candidates of each cell."""
        mask = constraints.mask_of(board.values, (d for d in board.values if self.fits(board, d)))
        for cell in self.cells:
            yield constraints.Candidates(cell, mask)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if every marked cell holds such a digit."""
        return all(self.fits(board, grid[cell]) for cell in self.cells)


@dataclass(frozen=True)
class Odd(_Marked):
    """The cells hold odd digits."""

    def fits(self, board: Board, digit: int) -> bool:
        """Return True for an odd digit."""
        return digit % 2 == 1


@dataclass(frozen=True)
class Even(_Marked):
    """The cells hold even digits."""

    def fits(self, board: Board, digit: int) -> bool:
        """Return True for an even digit."""
        return digit % 2 == 0


@dataclass(frozen=True)
class Low(_Marked):
    """The cells hold digits below the middle one."""

    def fits(self, board: Board, digit: int) -> bool:
        """Return True for a digit below the middle."""
        return 2 * digit < board.values[0] + board.values[-1]


@dataclass(frozen=True)
class High(_Marked):
    """The cells hold digits above the middle one."""

    def fits(self, board: Board, digit: int) -> bool:
        """Return True for a digit above the middle."""
        return 2 * digit > board.values[0] + board.values[-1]


@dataclass(frozen=True)
class _Extreme(CellsRule):
    """Marked cells that are compared with every neighbour without the same mark."""

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED
    rises: ClassVar[int]
    """1 if marked cells hold less than their neighbours, -1 if they hold more."""

    def neighbours(self, board: Board) -> Iterator[Cells]:
        """Yield each marked cell and each neighbour that is not marked, the lesser first."""
        for cell in self.cells:
            for other in board.around(cell, ADJACENT):
                if other not in self.cells:
                    yield (cell, other)[:: self.rises]

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield a relation for each neighbour."""
        for lesser, greater in self.neighbours(board):
            yield constraints.Relation(lesser, greater, constraints.at_least_above(board.values, 1))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the cells hold less, or more, than their neighbours."""
        return all(grid[lesser] < grid[greater] for lesser, greater in self.neighbours(board))


@dataclass(frozen=True)
class Minimum(_Extreme):
    """The cells hold less than all neighbours that are not marked."""

    rises: ClassVar[int] = 1

    def reversed_digits(self, ends: int) -> "Maximum":  # type: ignore[override]
        """Return the cells as greatest."""
        return Maximum(self.cells)


@dataclass(frozen=True)
class Maximum(_Extreme):
    """The cells hold more than all neighbours that are not marked."""

    rises: ClassVar[int] = -1

    def reversed_digits(self, ends: int) -> Minimum:  # type: ignore[override]
        """Return the cells as least."""
        return Minimum(self.cells)


@dataclass(frozen=True)
class _Index(_Marked):
    """A marked cell names the place of the digit that is its own place; a subclass orders places.

    The digit d in the third place says that the 3 is in place d.
    """

    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED
    names_places: ClassVar[bool] = True

    def places(self, board: Board, cell: Cell) -> Cells:
        """Return the cells among which a marked cell names one, in order."""
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield a relation between a marked cell and each other place."""
        for cell in self.cells:
            places = self.places(board, cell)
            own = places.index(cell) + 1
            for place, other in enumerate(places, 1):
                if place != own:
                    allowed = constraints.pairs(board.values, partial(_tells, place, own))
                    yield constraints.Relation(cell, other, allowed)

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if each marked cell names the only place of its digit."""
        for cell in self.cells:
            places = self.places(board, cell)
            own = places.index(cell) + 1
            if [i for i, other in enumerate(places, 1) if grid[other] == own] != [grid[cell]]:
                return False
        return True

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a board of several grids."""
        yield from super().faults(board)
        if not board.is_single:
            yield f"{self.name} needs one grid"


def _tells(place: int, own: int, digit: int, other: int) -> bool:
    return (digit == place) == (other == own)


@dataclass(frozen=True)
class Indexing(_Index):
    """Marked cells name places of their row or column, which count from one of its ends.

    Places of a row count from the left or right edge, those of a column from the top or bottom: the
    digit d in the third column, counted from the edge, says that the 3 of its row is in column d.
    """

    edge: Literal["left", "right", "top", "bottom"] = "left"

    def places(self, board: Board, cell: Cell) -> Cells:
        """Return the cells of the line of a cell, from the edge."""
        n = board.size
        places = range(n) if self.edge in ("left", "top") else range(n - 1, -1, -1)
        if self.edge in ("left", "right"):
            return tuple(Cell(cell.row, i) for i in places)
        return tuple(Cell(i, cell.column) for i in places)

    def moved(self, cell: Callable[[Cell], Cell], line: Callable[[Line], Line]) -> Self:
        """Return the rule after a symmetry, which may move the edge."""
        edge: Any = line(Line(self.edge, 1)).edge
        return type(self)(tuple(map(cell, self.cells)), edge)

    def reversed_digits(self, ends: int) -> Self:
        """Return the rule counted from the other edge."""
        return type(self)(self.cells, _OPPOSITE[self.edge])


_OPPOSITE: dict[str, Any] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@dataclass(frozen=True)
class BoxIndexing(_Index):
    """Marked cells name places of their box or region, which count from a corner."""

    corner: Literal["top-left", "top-right", "bottom-left", "bottom-right"] = "top-left"
    order: Literal["rows", "columns"] = "rows"
    """``columns`` if places count column by column."""

    def places(self, board: Board, cell: Cell) -> Cells:
        """Return the cells of the box or region of a cell, from the corner."""
        down, right = self._ways()

        def place(other: Cell) -> tuple[int, int]:
            row, column = down * other.row, right * other.column
            return (column, row) if self.order == "columns" else (row, column)

        (number,) = board.regions_of(cell)
        return tuple(sorted(board.regions[number], key=place))

    def _ways(self) -> tuple[int, int]:
        """Return the directions in which rows and columns count."""
        vertical, _, horizontal = self.corner.partition("-")
        return (1 if vertical == "top" else -1), (1 if horizontal == "left" else -1)

    def _from(self, down: int, right: int, cells: Cells, order: Any) -> Self:
        corner: Any = f"{'top' if down > 0 else 'bottom'}-{'left' if right > 0 else 'right'}"
        return type(self)(cells, corner, order)

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a board without boxes."""
        yield from super().faults(board)
        if not board.regions:
            yield f"{self.name} needs boxes or regions"

    def fixed_parameters(self) -> tuple[object, ...]:
        """Return nothing: a symmetry moves the corner and turns the order."""
        return ()

    def moved(self, cell: Callable[[Cell], Cell], line: Callable[[Line], Line]) -> Self:
        """Return the rule after a symmetry, which may move the corner and turn the order."""
        corner, below, beside = map(cell, (Cell(0, 0), Cell(1, 0), Cell(0, 1)))
        down, right = self._ways()
        if turned := below.row == corner.row:
            down, right = right, down
            below, beside = beside, below
        down, right = down * (below.row - corner.row), right * (beside.column - corner.column)
        order = "columns" if turned == (self.order == "rows") else "rows"
        return self._from(down, right, tuple(map(cell, self.cells)), order)

    def reversed_digits(self, ends: int) -> Self:
        """Return the rule counted from the opposite corner."""
        down, right = self._ways()
        return self._from(-down, -right, self.cells, self.order)


@dataclass(frozen=True)
class GivenCandidates(Rule):
    """A cell holds one of these digits."""

    cell: Cell
    digits: tuple[int, ...]

    name: ClassVar[str] = "candidates"
    relabelling: ClassVar[Relabelling] = Relabelling.REVERSED

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", tuple(sorted(set(self.digits))))

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the candidates."""
        yield constraints.Candidates(self.cell, constraints.mask_of(board.values, self.digits))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the cell holds one of the digits."""
        return grid[self.cell] in self.digits

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for digits that the board does not have."""
        yield from super().faults(board)
        if not self.digits or not {*self.digits} <= {*board.values}:
            least, most = board.values[0], board.values[-1]
            yield f"{self.label} needs digits from {least} to {most}, got {self.digits}"

    def reversed_digits(self, ends: int) -> Self:
        """Return the candidates reversed."""
        return type(self)(self.cell, tuple(ends - digit for digit in self.digits))


@dataclass(frozen=True)
class Clone(Rule):
    """Each cell of a shape holds the digit of the cell in the same place of another shape."""

    cells: Cells
    copies: Cells

    relabelling: ClassVar[Relabelling] = Relabelling.ANY

    def __post_init__(self) -> None:
        couples = sorted(zip(self.cells, self.copies, strict=False))
        if couples and len(self.cells) == len(self.copies):
            swapped = sorted((copy, cell) for cell, copy in couples)
            first, second = zip(*min(couples, swapped), strict=True)
            object.__setattr__(self, "cells", first)
            object.__setattr__(self, "copies", second)

    def constraints(self, board: Board) -> Iterator[constraints.Constraint]:
        """Yield the pairs of equal cells."""
        for cell, copy in zip(self.cells, self.copies, strict=True):
            yield constraints.Relation(cell, copy, constraints.equal(board.values))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if the shapes hold the same digits."""
        return [grid[cell] for cell in self.cells] == [grid[cell] for cell in self.copies]

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for shapes that differ."""
        yield from super().faults(board)
        if len(self.cells) != len(self.copies):
            yield f"{self.label} has {len(self.cells)} cells and {len(self.copies)} copies"
            return
        shifts = {
            (copy.row - cell.row, copy.column - cell.column)
            for cell, copy in zip(self.cells, self.copies, strict=True)
        }
        if len(shifts) != 1:
            yield f"{self.label} and its copy have different shapes"
