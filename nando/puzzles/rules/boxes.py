"""Boxes and jigsaw regions: the houses that a grid is divided into."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import Any, ClassVar, Self

from nando.puzzles.boards.board import LARGEST, Board, Cell, Cells, Line, cells_by_label
from nando.puzzles.boards.constraints import AllDifferent, Constraint
from nando.puzzles.boards.rule import Grid, Relabelling, Rule

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
"""Symbols of regions, in the order of their first cells."""


@dataclass(frozen=True)
class Boxes(Rule):
    """Every grid is divided into boxes of `height` rows and `width` columns."""

    height: int
    width: int

    relabelling: ClassVar[Relabelling] = Relabelling.ANY

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the boxes of each grid as houses."""
        yield from map(AllDifferent, self.houses(board))

    def houses(self, board: Board) -> Iterator[Cells]:
        """Yield the boxes of each grid; a box that two grids share comes once."""
        n, height, width = board.size, self.height, self.width
        starts = {
            Cell(row + i, column + j)
            for row, column in board.corners
            for i in range(0, n, height)
            for j in range(0, n, width)
        }
        for row, column in sorted(starts):
            yield tuple(Cell(row + i, column + j) for i in range(height) for j in range(width))

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no box holds a digit twice."""
        n = board.size
        for row, column in board.corners:
            seen = {
                (i // self.height, j // self.width, grid[Cell(row + i, column + j)])
                for i in range(n)
                for j in range(n)
            }
            if len(seen) != n * n:
                return False
        return True

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence if the boxes do not fit the size of the grid."""
        if self.height * self.width != board.size:
            yield (
                f"boxes of {self.height}x{self.width} do not hold {board.size} digits; "
                "rows times columns of a box must be the number of cells of a row"
            )

    def moved(self, cell: Callable[[Cell], Cell], line: Callable[[Line], Line]) -> Self:
        """Return the boxes after a symmetry; transposing exchanges their height and width."""
        turned = cell(Cell(0, 1)).row != cell(Cell(0, 0)).row
        return type(self)(self.width, self.height) if turned else self


@dataclass(frozen=True)
class Regions(Rule):
    """A grid is divided into n regions of n cells of any shape (jigsaw).

    In texts, a symbol for each cell names its region, row by row.
    """

    regions: tuple[Cells, ...]

    relabelling: ClassVar[Relabelling] = Relabelling.ANY

    def __post_init__(self) -> None:
        ordered = tuple(sorted(tuple(sorted(region)) for region in self.regions))
        object.__setattr__(self, "regions", ordered)

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the regions as houses."""
        yield from map(AllDifferent, self.regions)

    def houses(self, board: Board) -> Iterator[Cells]:
        """Yield the regions."""
        yield from self.regions

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if no region holds a digit twice."""
        return all(len({grid[cell] for cell in region}) == board.size for region in self.regions)

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for regions of another size, that overlap or leave cells out."""
        yield from super().faults(board)
        n = board.size
        for region in self.regions:
            if len(region) != n:
                where = f"the region of {region[0]}" if region else "a region"
                yield f"{where} has {len(region)} cells, wanted {n}"
        named = [cell for region in self.regions for cell in region]
        if len(named) != len(set(named)):
            twice = next(cell for cell in named if named.count(cell) > 1)
            yield f"regions overlap at {twice}"
        if left := [cell for cell in board.cells if cell not in set(named)]:
            yield f"no region holds {left[0]}"

    def to_text(self) -> str:
        """Return ``regions:`` and the symbol of the region of each cell."""
        symbol_of = {
            cell: symbol
            for symbol, region in zip(SYMBOLS, self.regions, strict=False)
            for cell in region
        }
        return f"{self.name}:" + "".join(symbol_of[cell] for cell in sorted(symbol_of))

    @classmethod
    def from_text(cls, parts: Sequence[str]) -> Self:
        """Return the regions of a symbol for each cell."""
        symbols = "".join(parts)
        n = isqrt(len(symbols))
        if n * n != len(symbols) or not 1 <= n <= LARGEST:
            raise ValueError(
                f"regions: {len(symbols)} symbols; wanted one for each cell, for example 16 for 4x4"
            )
        return cls(tuple(cells_by_label(symbols, n).values()))

    @classmethod
    def usage(cls) -> str:
        """Return how the rule is written, for messages."""
        return f"wanted {cls.name}:1122..., a symbol for each cell"

    def to_json(self) -> dict[str, Any]:
        """Return the rule as plain values."""
        return {"rule": self.name, "regions": self.to_text().partition(":")[2]}

    @classmethod
    def from_json(cls, record: Any) -> Self:
        """Return the regions of plain values."""
        regions = record.get("regions")
        if isinstance(regions, str) and len(record) == 1:
            return cls.from_text([regions])
        return super().from_json(record)


def divide(board: Board, rules: Iterable[Rule]) -> Board:
    """Return the board with the boxes or regions of its rules."""
    divider = next((rule for rule in rules if isinstance(rule, Boxes | Regions)), None)
    return _divide(replace(board, regions=()), divider)


@lru_cache(maxsize=64)
def _divide(plain: Board, divider: Boxes | Regions | None) -> Board:
    if divider is None or (isinstance(divider, Boxes) and any(divider.faults(plain))):
        return plain
    return replace(plain, regions=tuple(filter(None, divider.houses(plain))))
