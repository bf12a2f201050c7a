"""Further houses, diagonals and windows, and groups of cells in which no digit repeats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product, starmap
from typing import ClassVar, Literal

from nando.puzzles.boards.board import Board, Cell, Cells, Line, cells_text, read_cells
from nando.puzzles.boards.constraints import AllDifferent, Constraint
from nando.puzzles.boards.rule import Grid, Relabelling, Rule


@dataclass(frozen=True)
class Groups(Rule):
    """Groups of cells in which no digit repeats; a subclass names the groups."""

    relabelling: ClassVar[Relabelling] = Relabelling.ANY

    def groups(self, board: Board) -> Iterator[Cells]:
        """Yield the cells of each group."""
        raise NotImplementedError

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the groups."""
        yield from map(AllDifferent, self.groups(board))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no group holds a digit twice."""
        return all(
            len({grid[cell] for cell in group}) == len(group) for group in self.groups(board)
        )


@dataclass(frozen=True)
class Diagonals(Groups):
    """The main diagonals of every grid are houses, both or one of them."""

    which: Literal["both", "falling", "rising"] = "both"
    """``falling`` runs from the upper left corner, ``rising`` from the lower left one."""

    def groups(self, board: Board) -> Iterator[Cells]:
        """Yield the diagonals of each grid."""
        n = board.size
        for row, column in board.corners:
            if self.which != "rising":
                yield tuple(Cell(row + i, column + i) for i in range(n))
            if self.which != "falling":
                yield tuple(Cell(row + n - 1 - i, column + i) for i in range(n))

    def moved(self, cell: Callable[[Cell], Cell], line: Callable[[Line], Line]) -> "Diagonals":
        """Return the rule after a symmetry, which may exchange the diagonals."""
        if self.which == "both":
            return self
        start, end = cell(Cell(0, 0)), cell(Cell(1, 1))
        stays = (end.row - start.row) * (end.column - start.column) > 0
        other: Literal["falling", "rising"] = "rising" if self.which == "falling" else "falling"
        return self if stays else Diagonals(other)


class _Of9x9(Groups):
    """Groups that only a 9x9 grid has."""

    of_grid: ClassVar[tuple[Cells, ...]]
    """The groups of the grid at the upper left corner."""

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a board of another size."""
        if board.size != 9:
            yield f"{self.name} needs a grid of 9x9, got {board.size}x{board.size}"

    def groups(self, board: Board) -> Iterator[Cells]:
        """Yield the groups of each grid."""
        for row, column in board.corners:
            for group in self.of_grid:
                yield tuple(Cell(row + r, column + c) for r, c in group)


@dataclass(frozen=True)
class Windoku(_Of9x9):
    """Four windows of 3x3 between the boxes are houses."""

    of_grid: ClassVar[tuple[Cells, ...]] = tuple(
        tuple(Cell(row + i, column + j) for i in range(3) for j in range(3))
        for row, column in product((1, 5), (1, 5))
    )


@dataclass(frozen=True)
class CentreDot(_Of9x9):
    """The centres of the boxes are a house."""

    of_grid: ClassVar[tuple[Cells, ...]] = (tuple(starmap(Cell, product((1, 4, 7), (1, 4, 7)))),)


@dataclass(frozen=True)
class Asterisk(_Of9x9):
    """Nine cells around the centre are a house."""

    of_grid: ClassVar[tuple[Cells, ...]] = (read_cells("r2c5r3c3r3c7r5c2r5c5r5c8r7c3r7c7r8c5"),)


@dataclass(frozen=True)
class Girandola(_Of9x9):
    """The corners of the grid and five cells around the centre are a house."""

    of_grid: ClassVar[tuple[Cells, ...]] = (read_cells("r1c1r1c9r2c5r5c2r5c5r5c8r8c5r9c1r9c9"),)


@dataclass(frozen=True)
class Argyle(_Of9x9):
    """No digit repeats along eight diagonals that form a pattern of diamonds."""

    of_grid: ClassVar[tuple[Cells, ...]] = tuple(
        tuple(
            Cell(i, 8 - i - shift if rises else i + shift) for i in range(9) if 0 <= i + shift < 9
        )
        for shift, rises in product((-4, -1, 1, 4), (False, True))
    )
    """The diagonals, from edge to edge."""


@dataclass(frozen=True)
class DisjointGroups(Groups):
    """The cells in the same place of all boxes are a house."""

    def groups(self, board: Board) -> Iterator[Cells]:
        """Yield the cells of each place."""
        n = board.size
        height, width = board.box or (1, n)
        for row, column in board.corners:
            for i in range(height):
                for j in range(width):
                    yield tuple(
                        Cell(row + down, column + right)
                        for down in range(i, n, height)
                        for right in range(j, n, width)
                    )

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for a size without usual boxes."""
        if board.box is None:
            yield f"disjoint-groups need boxes; a grid of {board.size}x{board.size} has none"


@dataclass(frozen=True)
class ExtraRegion(Groups):
    """No digit repeats in these cells; with n of them, they are a house."""

    cells: Cells

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(sorted(self.cells)))

    def groups(self, board: Board) -> Iterator[Cells]:
        """Yield the cells."""
        yield self.cells

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for cells that are repeated or more than the digits."""
        yield from super().faults(board)
        if len(set(self.cells)) != len(self.cells):
            yield f"{self.label} names a cell twice"
        if len(self.cells) > board.digits:
            yield (
                f"{self.label} has {len(self.cells)} cells, more than the {board.digits} digits: "
                f"{cells_text(self.cells)}"
            )
